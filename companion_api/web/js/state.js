// What the page knows: one place, signals only. It knows no rules; all of this came from the server.
import { computed, signal } from "../vendor/signals.js";
import { AS_IT_LIES } from "./board_geometry.js";

/** @import { ActionTold, Board, EventTold, Named, Past, Preview, Refused } from "./answers" */

/** The snapshot of the table, or null before somebody has joined; whoever may be asked then asks with `?.`. */
export const board = signal(/** @type {Board} */ (/** @type {unknown} */ (null)));
/** All events as this seat may read them. */
export const events = signal(/** @type {EventTold[]} */ ([]));
export const status = signal("no_camera");
export const online = signal(true);
/** What is shown: board, camera, hand (entry by hand), log, score, settings, lobby, setup. */
export const view = signal("board");
/** The place or piece that was tapped. */
export const picked = signal(/** @type {string | null} */ (null));
/** An action that waits for "do it", with what it would do or why it is forbidden. */
/** @typedef {Partial<Refused> & {text: string, clause: string}} Refusal by the rules, or by the page itself, which
 * knows no more */
/** @typedef {Preview | {id: string, ok: false, refusal: Refusal}} Asked */
export const shownPreview = signal(/** @type {Asked | null} */ (null));
/** What a tap on a free spot may mean, where it may mean several things. */
export const tapMeanings = signal(/** @type {Named[]} */ ([]));
/** What is told in passing, worked out anew in the language of the page, and perhaps what can be done about it.
 * @typedef {{text: () => string, bad: boolean, go?: {words: string, act: () => void}}} Notice */
export const notice = signal(/** @type {Notice | null} */ (null));
/** What the polite live region says now. */
export const announcement = signal("");
/** An earlier board that is looked at, or null for now. */
export const past = signal(/** @type {Past | null} */ (null));
/** Why there is nothing to show: the reason of safe mode, or "offline" while the table does not answer. */
export const problem = signal(/** @type {string | null} */ (null));
/** Whoever has come by a code has still to say who they are. */
export const isJoining = signal(false);

/** Where a host is led from the box to the first turn: which step, or null.
 * @type {import("../vendor/signals.js").Signal<number | null>} */
export const onboardingStep = signal(/** @type {number | null} */ (null));

/** Which game is seen once more. */
export const replayed = signal("");

/** @param {string} table */
export function openReplay(table) {
  replayed.value = table;
  view.value = "replay";
}

/** How the board is drawn. */
export const pose = signal(AS_IT_LIES);

/** Where the photograph of a piece is, on boards that are drawn with them. */
export const photos = signal(/** @type {((piece: import("./parts/piece.js").Laid) => string) | null} */ (null));
export const hints = signal(localStorage.getItem("hints") === "yes");
export const sound = signal(localStorage.getItem("sound") === "yes");
export const notify = signal(localStorage.getItem("notify") === "yes");
export const voice = signal(localStorage.getItem("voice") === "yes");

/** What this phone may do now. */
export const legal = computed(() => board.value?.legal ?? []);
/** What can be tapped and explained: for lookers-on what those whose turn it is may do. */
export const openActions = computed(() => (legal.value.length ? legal.value : (board.value?.open ?? [])));

export const shownLayout = computed(() => past.value?.layout ?? board.value?.layout);
export const legalHere = computed(() =>
  picked.value === null ? [] : openActions.value.filter((item) => item.touches.includes(String(picked.value))),
);
export const targets = computed(() => {
  const names = legalHere.value.flatMap((item) => item.touches);
  return new Set(names.filter((name) => name !== picked.value));
});

/** What lies wrong, piece by piece; where much of the board does, it is one trouble and told as such. */
export const misplacedPieces = computed(() => {
  const { wrong = [], differences = [] } = board.value?.pending ?? {};
  return differences.length < wrong.length ? [] : wrong;
});

/** What was done, where an event is an action. @param {EventTold} event @returns {ActionTold[]} */
export const actionsOfEvent = (event) =>
  event.kind === "action" || event.kind === "corrected" || event.kind === "laid" ? event.actions : [];
/** What everybody may see of what was done. @param {ActionTold[]} actions */
export const openEffects = (actions) => actions.filter((a) => !a.secret).flatMap((a) => a.effects);
/** Whether it was told of a table that has changed since. @param {EventTold} event */
export const isEarlier = (event) => event.seq < board.value.state;
/** The picture that was kept of an event. @param {EventTold} event */
export const evidenceOf = (event) => ("evidence" in event && event.evidence) || null;
/** Where in its picture something lies otherwise than it should. @param {EventTold | undefined} event */
export const boxOf = (event) => (event?.kind === "verdict" && event.box) || null;

/** Whether this phone is the camera just now. It stays so while other tabs are looked at, until somebody stops it.
 * @typedef {{video: HTMLVideoElement, told: string, stop: () => void}} Sending */
export const sending = signal(/** @type {Sending | null} */ (null));

/** Counts requests of this phone: an answer to an earlier one comes too late. */
export const latestRequest = { count: 0 };

/** Nothing is wanted, picked or asked any more. */
export function clearSelection() {
  latestRequest.count++;
  dropSelection();
}

/** The same, though answers to what was wanted still count. */
export function dropSelection() {
  picked.value = null;
  tapMeanings.value = [];
  shownPreview.value = null;
}

/** @param {string | (() => string)} text @param {boolean} [bad] @param {Notice["go"]} [go] */
export function tell(text, bad = false, go = undefined) {
  notice.value = { text: typeof text === "string" ? () => text : text, bad, go };
}

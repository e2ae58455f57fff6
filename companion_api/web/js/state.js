// @ts-check
// What the page knows: one place, signals only. It knows no rules; all of this came from the server.
import { computed, signal } from "../vendor/signals.js";
import { get } from "./api.js";
import { AS_IT_LIES } from "./frame.js";

/** @import { ActionTold, Board, Happening, Listed, Lying, Meant, Past, Preview, Refused } from "./answers" */

/** The snapshot of the table, or null before somebody has joined; whoever may be asked then asks with `?.`. */
export const board = signal(/** @type {Board} */ (/** @type {unknown} */ (null)));
/** All events as this seat may read them. */
export const events = signal(/** @type {Happening[]} */ ([]));
export const status = signal("no_camera");
export const online = signal(true);
/** What is shown: board, camera, hand (entry by hand), log, score, settings, lobby, setup. */
export const view = signal("board");
/** The place or piece that was tapped. */
export const picked = signal(/** @type {string | null} */ (null));
/** An action that waits for "do it", with what it would do or why it is forbidden. */
/** @typedef {Partial<Refused> & {text: string, clause: string}} Refusal by the rules, or by the page itself, which knows no more */
/** @typedef {Preview | {id: string, ok: false, refusal: Refusal}} Asked */
export const asked = signal(/** @type {Asked | null} */ (null));
/** What a tap on a free spot may mean, where it may mean several things. */
export const meant = signal(/** @type {Meant[]} */ ([]));
/** What is told in passing, worked out anew in the language of the page, and perhaps what can be done about it.
 * @typedef {{text: () => string, bad: boolean, go?: {words: string, act: () => void}}} Notice */
export const notice = signal(/** @type {Notice | null} */ (null));
/** What the polite live region says now. */
export const spoken = signal("");
/** An earlier board that is looked at, or null for now. */
export const past = signal(/** @type {Past | null} */ (null));
/** Why there is nothing to show: the reason of safe mode, or "offline" while the table does not answer. */
export const problem = signal(/** @type {string | null} */ (null));
/** Whoever has come by a code has still to say who they are. */
export const arriving = signal(false);

/** Where a host is led from the box to the first turn: which step, or null. @type {import("../vendor/signals.js").Signal<number | null>} */
export const led = signal(/** @type {number | null} */ (null));

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
export const could = computed(() => (legal.value.length ? legal.value : (board.value?.open ?? [])).map(withPiece));

/** @typedef {(piece: Lying, args: string[]) => boolean} Fits */
const small = /** @type {Fits} */ (piece) => piece.kind === "pyramid" && piece.size === "small";
/** Actions that name only the place, and which of the pieces beside the board they lay there. @type {Record<string, Fits>} */
const LAYS = {
  "dectana.enter": small,
  "dectana.place_start": small,
  "four_blind_mice.place_cheese": (piece, [value]) => piece.kind === "coin" && piece.value === value,
  "san_andreas.found": (piece, [suit]) => piece.kind === "coin" && piece.suit === suit,
};

/** Such an action with its piece, so that it can be taken up and dragged there. @param {Listed} item @returns {Listed & {lays?: boolean}} */
function withPiece(item) {
  const [verb, args = ""] = item.id.split(/[()]/);
  const fits = LAYS[`${board.value.game.id}.${verb}`];
  const piece = fits && board.value.layout.pieces.find((p) => p.zone !== "board" && (p.seat === null || board.value.turn.seats.includes(p.seat)) && fits(p, args.split(",")));
  return piece ? { ...item, touches: [piece.code, ...item.touches], lays: true } : item;
}
export const shown = computed(() => past.value?.layout ?? board.value?.layout);
export const legalHere = computed(() =>
  picked.value === null ? [] : could.value.filter((item) => item.touches.includes(String(picked.value))),
);
export const targets = computed(() => {
  const names = legalHere.value.flatMap((item) => item.touches);
  return new Set(names.filter((name) => name !== picked.value));
});

/** What lies wrong, piece by piece; where much of the board does, it is one trouble and told as such. */
export const wrongOnes = computed(() => {
  const { wrong = [], differences = [] } = board.value?.pending ?? {};
  return differences.length < wrong.length ? [] : wrong;
});

/** What was done, where an event is an action. @param {Happening} event @returns {ActionTold[]} */
export const doneBy = (event) => (event.kind === "action" || event.kind === "corrected" || event.kind === "laid" ? event.actions : []);
/** Whether it was told of a table that has changed since. @param {Happening} event */
export const isEarlier = (event) => event.seq < board.value.state;
/** The picture that was kept of an event. @param {Happening} event */
export const evidenceOf = (event) => ("evidence" in event && event.evidence) || null;
/** Where in its picture something lies otherwise than it should. @param {Happening | undefined} event */
export const boxOf = (event) => (event?.kind === "verdict" && event.box) || null;

let [sent, taken] = [0, 0];

/** Fetch the snapshot anew. Answers may overtake each other: what was asked for earlier never replaces what was asked
 * for later. */
export async function refresh() {
  const mine = ++sent;
  const answer = await get("board");
  if (mine < taken) return true;
  taken = mine;
  return take(answer);
}

/** Counts what the phone has wanted: what is answered to an earlier wish comes too late. */
export const wish = { count: 0 };

/** Nothing is wanted, picked or asked any more. */
export function forget() {
  wish.count++;
  drop();
}

function drop() {
  picked.value = null;
  meant.value = [];
  asked.value = null;
}

/** What was picked stays while something can still be done with it, and what was asked is asked again of the new state:
 * where all choose at once, nobody's tap takes away what another is about to choose. @param {Board} before @param {Board} now */
function keepWhatIsLegal(before, now) {
  if (before.table !== now.table) past.value = null;
  if (before.table === now.table && before.state === now.state && before.you.seat === now.you.seat) return;
  const [again, from] = [asked.value, picked.value];
  drop();
  if (before.table !== now.table || before.you.seat !== now.you.seat) return;
  if (from !== null && could.value.some((item) => item.touches.includes(from))) picked.value = from;
  if (again?.ok) askAgain((asked.value = again).id);
}

/** The preview of the same action in the state that there is now; nothing where it is not legal any more. @param {string} id */
async function askAgain(id) {
  const [wanted, state] = [wish.count, board.value.state];
  const answer = await get(`why?action=${encodeURIComponent(id)}`);
  if (wanted !== wish.count || state !== board.value?.state) return;
  asked.value = answer.ok && answer.data.ok && answer.data.state === state ? answer.data : null;
}

/** Show a snapshot; whether it is one. @param {import("./api.js").Answer<Board>} answer */
export function take(answer) {
  if (answer.ok) {
    const before = board.value;
    board.value = answer.data;
    if (before) keepWhatIsLegal(before, answer.data);
    status.value = answer.data.status;
    problem.value = null;
    return true;
  }
  const stranger = answer.status === 401 || answer.status === 404;
  if (stranger) [board.value, problem.value] = [/** @type {Board} */ (/** @type {unknown} */ (null)), null];
  else if (!board.value) problem.value = answer.status === 503 ? String(answer.data?.detail ?? "503") : "offline";
  return false;
}

/** @param {string | (() => string)} text @param {boolean} [bad] @param {Notice["go"]} [go] */
export function tell(text, bad = false, go = undefined) {
  notice.value = { text: typeof text === "string" ? () => text : text, bad, go };
}

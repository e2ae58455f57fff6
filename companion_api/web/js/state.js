// @ts-check
// What the page knows: one place, signals only. It knows no rules; all of this came from the server.
import { computed, signal } from "../vendor/signals.js";
import { get } from "./api.js";

/** The snapshot of the table, or null before somebody has joined; whoever may be asked then asks with `?.`. */
export const board = signal(/** @type {import("./answers").Board} */ (/** @type {any} */ (null)));
/** All events as this seat may read them. */
export const events = signal(/** @type {import("./answers").Happening[]} */ ([]));
export const status = signal("no_camera");
export const online = signal(true);
/** What is shown: board, camera, hand (entry by hand), log, score, settings, lobby, setup. */
export const view = signal("board");
/** The place or piece that was tapped. */
export const picked = signal(/** @type {string | null} */ (null));
/** An action that waits for "do it", with what it would do or why it is forbidden. */
export const asked = signal(/** @type {any} */ (null));
/** What a tap on a free spot may mean, where it may mean several things. */
export const meant = signal(/** @type {{id: string, text: string}[]} */ ([]));
export const notice = signal(/** @type {{text: string, bad: boolean} | null} */ (null));
/** An earlier board that is looked at, or null for now. */
export const past = signal(/** @type {import("./answers").Past | null} */ (null));
/** Why there is nothing to show: the reason of safe mode, or "offline" while the table does not answer. */
export const problem = signal(/** @type {string | null} */ (null));
/** Whoever has come by a code has still to say who they are. */
export const arriving = signal(false);

/** Whether the board is drawn turned by a quarter. */
export const turned = signal(false);

export const hints = signal(localStorage.getItem("hints") === "yes");
export const sound = signal(localStorage.getItem("sound") === "yes");
export const voice = signal(localStorage.getItem("voice") === "yes");

/** What this phone may do now. */
export const legal = computed(() => board.value?.legal ?? []);
/** What can be tapped and explained: for lookers-on what those whose turn it is may do. */
export const could = computed(() => (legal.value.length ? legal.value : (board.value?.open ?? [])));
export const shown = computed(() => past.value?.layout ?? board.value?.layout);
export const legalHere = computed(() =>
  picked.value === null ? [] : could.value.filter((/** @type {any} */ item) => item.touches.includes(picked.value)),
);
export const targets = computed(() => {
  const names = legalHere.value.flatMap((item) => item.touches);
  return new Set(names.filter((/** @type {string} */ name) => name !== picked.value));
});

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

/** Nothing is picked or asked any more. */
export function forget() {
  picked.value = null;
  meant.value = [];
  asked.value = null;
}

/** What was picked or asked is of the state that it was asked of, and of no other.
 * @param {any} now */
function dropWhatIsGone(now) {
  const before = board.value;
  if (!before || (before.table === now.table && before.state === now.state && before.you.seat === now.you.seat)) return;
  forget();
  if (before.table !== now.table) past.value = null;
}

/** Show a snapshot; whether it is one. @param {import("./api.js").Answer} answer */
export function take(answer) {
  if (answer.ok) {
    dropWhatIsGone(answer.data);
    board.value = answer.data;
    status.value = answer.data.status;
    problem.value = null;
    return true;
  }
  const stranger = answer.status === 401 || answer.status === 404;
  if (stranger) [board.value, problem.value] = [/** @type {any} */ (null), null];
  else if (!board.value) problem.value = answer.status === 503 ? (answer.data?.detail ?? "503") : "offline";
  return false;
}

/** @param {string} text @param {boolean} [bad] */
export function tell(text, bad = false) {
  notice.value = { text, bad };
}

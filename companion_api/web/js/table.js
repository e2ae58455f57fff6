// The snapshot of the table: fetched, or brought by the stream, and what was asked of the one before.
import { get } from "./api.js";
import { effect } from "../vendor/signals.js";
import { shownPreview, board, openActions, dropSelection, latestRequest, online } from "./state.js";
import { past, picked, problem, status } from "./state.js";

/** @import { Board } from "./answers" */

let [sent, taken] = [0, 0];

/** Fetch the snapshot anew. Answers may overtake each other: what was asked for earlier never replaces what was asked
 * for later, nor what the stream has brought since. */
export async function refresh() {
  const mine = ++sent;
  const answer = await get("board");
  if (mine < taken) return true;
  taken = mine;
  return isOld(answer) || applySnapshot(answer);
}

/** @param {import("./api.js").Answer<Board>} answer */
const isOld = ({ ok, data }) => ok && data.table === board.value?.table && data.version < board.value.version;

/** @typedef {{from: number, version: number, board: Partial<Board>, layout: Partial<Board["layout"]>}} Change of the
 * board, as the stream tells it */

/** What has changed is put in. Where it follows another board than this phone has, the whole is asked for; whether
 * all is shown.
 * @param {Change} change */
export function changed({ from, version, board: fields, layout }) {
  const now = board.value;
  if (!now || now.version >= version) return true;
  if (now.version !== from) return refresh();
  const data = { ...now, ...fields, version, layout: { ...now.layout, ...layout } };
  return applySnapshot({ ok: true, status: 200, data });
}

/** So long the stream may take to bring the board that goes with an event, in milliseconds. */
const LATE_MS = 1500;

/** Resolves when the board after this event is shown: brought by the stream, or fetched where it brings none.
 * @param {number} seq @returns {Promise<unknown>} */
export function boardAfter(seq) {
  if (!online.value) return refresh();
  return new Promise((done) => {
    const late = setTimeout(() => refresh().then(done), LATE_MS);
    const stop = effect(() => {
      if (board.value && board.value.seq < seq) return;
      clearTimeout(late);
      done(null);
      queueMicrotask(() => stop());
    });
  });
}

/** What was picked stays while something can still be done with it, and what was asked is asked again of the new state:
 * where all choose at once, nobody's tap takes away what another is about to choose.
 * @param {Board} before
 * @param {Board} now */
function keepSelection(before, now) {
  if (before.table !== now.table) past.value = null;
  if (before.table === now.table && before.state === now.state && before.you.seat === now.you.seat) return;
  const [again, from] = [shownPreview.value, picked.value];
  dropSelection();
  if (before.table !== now.table || before.you.seat !== now.you.seat) return;
  if (from !== null && openActions.value.some((item) => item.touches.includes(from))) picked.value = from;
  if (again?.ok) refreshPreview((shownPreview.value = again).id);
}

/** The preview of the same action in the state that there is now; nothing where it is not legal any more.
 * @param {string} id */
async function refreshPreview(id) {
  const [wanted, state] = [latestRequest.count, board.value.state];
  const answer = await get(`why?action=${encodeURIComponent(id)}`);
  if (wanted !== latestRequest.count || state !== board.value?.state) return;
  shownPreview.value = answer.ok && answer.data.ok && answer.data.state === state ? answer.data : null;
}

/** Show a snapshot; whether it is one. @param {import("./api.js").Answer<Board>} answer */
export function applySnapshot(answer) {
  if (answer.ok) {
    const before = board.value;
    board.value = answer.data;
    if (before) keepSelection(before, answer.data);
    status.value = answer.data.status;
    problem.value = null;
    return true;
  }
  const notAdmitted = answer.status === 401 || answer.status === 404;
  if (notAdmitted) [board.value, problem.value] = [/** @type {Board} */ (/** @type {unknown} */ (null)), null];
  else if (!board.value) problem.value = answer.status === 503 ? String(answer.data?.detail ?? "503") : "offline";
  return false;
}

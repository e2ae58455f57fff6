// What a tap leads to: ask the server what it would do, then do it.
import { actionWords } from "./action_text.js";
import { get, post } from "./api.js";
import { reason, showReason, whyNot } from "./phrasebook.js";
import { board, events, clearSelection, legalHere, notice, openActions, picked, shownPreview } from "./state.js";
import { tapMeanings, tell, latestRequest } from "./state.js";
import { refresh, boardAfter } from "./table.js";
import { seatName } from "./seats.js";
import { say } from "./words.js";

/** @import { Listed } from "./answers" */

let taps = Promise.resolve();

/** A place or a piece was tapped. Where the table has just changed, the tap waits for it and counts in its turn.
 * @param {string} name */
export function tap(name) {
  const [from, wanted] = [picked.value, latestRequest.count];
  taps = taps.then(waitForBoard).then((waited) => {
    if (waited && wanted === latestRequest.count) picked.value ??= from;
    tapped(name);
  });
  return taps;
}

/** The log is there a moment before the board that goes with it; whether that had to be waited for. */
async function waitForBoard() {
  const behind = lastSeq() > board.value.seq;
  if (behind) await boardAfter(lastSeq());
  return behind;
}

/** @param {string} name */
function tapped(name) {
  notice.value = null;
  if (picked.value === name) return clearSelection();
  if (picked.value !== null) {
    const both = legalHere.value.filter((item) => item.touches.includes(name));
    if (both.length === 1) return void ask(both[0].id);
    if (both.length === 0 && !begins(name)) return void askWhyNot(picked.value, name);
    if (both.length > 1) return listMeanings(both);
  }
  const alone = openActions.value.filter((item) => item.touches.includes(name));
  clearSelection();
  picked.value = name;
  if (alone.length === 1 && (alone[0].touches.length === 1 || (alone[0].lays && alone[0].touches[0] !== name)))
    ask(alone[0].id);
}

/** Several things can be done with these two: they are listed. @param {import("./answers").Named[]} items */
function listMeanings(items) {
  shownPreview.value = null;
  tapMeanings.value = items;
}

/** So often something is asked again of a table that changes with every answer. */
const MOST = 5;

/** The answer for the table that is shown: where it changes meanwhile, also unseen by this phone, it is asked again.
 * Nothing where the phone has wanted something else since.
 * @template {string} P
 * @param {P} path
 * @returns {Promise<import("./api.js").Answer<import("./api.js").Got<P>> | null>} */
async function current(path) {
  const [wanted, { table }] = [++latestRequest.count, board.value];
  const past = () => wanted !== latestRequest.count || board.value?.table !== table;
  for (let times = 0; times < MOST; times++) {
    const of = board.value.state;
    const answer = await get(path);
    if (past()) return null;
    const state = answer.ok ? /** @type {{state: number}} */ (answer.data).state : of;
    if (state > board.value.state) await refresh();
    if (past()) return null;
    if (state === board.value.state) return answer;
  }
  tell(() => say("stale"), true);
  return null;
}

/** A piece was tapped and then a free spot: what may be meant, or which rule forbids it.
 * @param {string} source @param {number} x @param {number} y */
export async function carry(source, x, y) {
  const answer = await current(`carried?source=${encodeURIComponent(source)}&x=${x.toFixed(3)}&y=${y.toFixed(3)}`);
  if (!answer) return;
  if (!answer.ok) return showReason(answer);
  const { choices, refusal } = answer.data;
  tapMeanings.value = choices.length > 1 ? choices : [];
  if (choices.length) return ask(choices[0].id);
  shownPreview.value = { id: "", ok: false, refusal: refusal ?? { text: say("no_spot"), clause: "" } };
}

/** Whether something that can be done begins with it: another piece of one's own. @param {string} name */
const begins = (name) => openActions.value.some((item) => item.touches[0] === name);

/** What would this do? Shown before it is done. @param {string} id */
export async function ask(id) {
  const answer = await current(`why?action=${encodeURIComponent(id)}`);
  if (!answer) return;
  if (!answer.ok) shownPreview.value = { id, ok: false, refusal: { text: reason(answer), clause: "" } };
  else shownPreview.value = answer.data.ok ? answer.data : { id, ok: false, refusal: answer.data.refusal };
}

/** A forbidden place: which rule forbids it? @param {string} from @param {string} to */
async function askWhyNot(from, to) {
  const answer = await current(`whynot?source=${encodeURIComponent(from)}&target=${encodeURIComponent(to)}`);
  if (!answer) return;
  const refusal = (answer.ok && answer.data.refusal) || { text: say("no_way", { from, to }), clause: "" };
  shownPreview.value = { id: "", ok: false, refusal };
}

/** Do it, if the table is still the one that it was asked of; whether it was done.
 * @param {string} id
 * @param {number} [state] */
export async function act(id, state = board.value.state) {
  clearSelection();
  const answer = await post("actions", { action: id, asked_of: state });
  await finish(answer);
  return answer.ok;
}

/** What does nothing but what its words say is done at once, and can be taken back at once. @param {Listed} item */
async function actWithUndo(item) {
  if (await act(item.id)) tell(() => actionWords(item), false, { words: "undo", act: undo });
}

/** Something was chosen from a list. @param {{id: string}} item */
export const choose = (item) =>
  "plain" in item && item.plain && isOwnChoice() ? actWithUndo(/** @type {Listed} */ (item)) : ask(item.id);

/** Whether it is this phone's own to choose: a host who does it for another uses a power. */
export function isOwnChoice() {
  const { turn, you } = board.value;
  return turn.kind !== "seat" || turn.seats.some((seat) => seat === you.seat);
}

/** What has been told so far: the log is there a moment before the board that goes with it. */
const lastSeq = () => Math.max(board.value.seq, events.value.at(-1)?.seq ?? 0);

/** The last step is taken back; where it was somebody else's, they are asked. */
export async function undo() {
  const answer = await post("undo", { count: 1, expected: lastSeq() });
  await finish(answer);
  const asks = answer.ok && board.value.takeback;
  if (asks) tell(() => say("takeback.sent", { who: asks.seats.map(seatName).join(", ") }));
}

/** Dice, coins or tiles are drawn by the server. */
export async function draw() {
  clearSelection();
  await finish(await post("luck", { expected: lastSeq() }));
}

/** What was taken back last is put back. */
export async function redo() {
  await finish(await post("redo", {}));
}

/** May it be taken back? @param {number} seq the event that asks @param {boolean} agree */
export async function answerTakeback(seq, agree) {
  await finish(await post("takeback", { seq, agree }));
}

/** The table is taken as it lies.
 * @param {number} state that it was shown for
 * @param {number | null} seat who moves next */
export async function takeTableAsItLies(state, seat) {
  await finish(await post("lying", { asked_of: state, seat, expected: lastSeq() }));
}

/** @param {number} seq @param {string[]} actions */
export async function correct(seq, actions) {
  await finish(await post("corrections", { seq, actions, expected: lastSeq() }));
}

/** @param {number | null} seq @param {string} text */
export async function claim(seq, text) {
  await finish(await post("claims", { seq, text }));
}

/** @param {number} claimSeq @param {boolean} upheld @param {string} text */
export async function overrule(claimSeq, upheld, text) {
  await finish(
    await post("rulings", { claim: claimSeq, upheld, text: text || say(upheld ? "ruling.stands" : "ruling.falls") }),
  );
}

/** Several actions in order, as one tap. @param {string[]} ids */
export async function actAll(ids) {
  for (const id of ids) await act(id);
}

/** @param {import("./api.js").Answer<import("./answers").Posted>} answer */
async function finish(answer) {
  if (answer.status === 409) tell(() => say(whyNot(answer)?.code === "outdated" ? "outdated" : "stale"), true);
  else if (!answer.ok) showReason(answer);
  await (answer.ok ? boardAfter(answer.data.seq) : refresh());
}

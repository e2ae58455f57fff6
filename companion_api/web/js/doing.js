// @ts-check
// What a tap leads to: ask the server what it would do, then do it.
import { get, post } from "./api.js";
import { reason, whyNot } from "./phrasebook.js";
import { asked, board, could, events, forget, legalHere, meant, notice, picked, refresh, tell } from "./state.js";
import { say } from "./words.js";

/** A place or a piece was tapped. @param {string} name */
export async function tap(name) {
  notice.value = null;
  if (picked.value === name) return forget();
  if (picked.value !== null) {
    const both = legalHere.value.filter((item) => item.touches.includes(name));
    if (both.length === 1) return ask(both[0].id);
    if (both.length === 0 && !begins(name)) return askWhyNot(picked.value, name);
    if (both.length > 1) return offer(both);
  }
  const alone = could.value.filter((item) => item.touches.includes(name));
  forget();
  picked.value = name;
  if (alone.length === 1 && (alone[0].touches.length === 1 || (alone[0].lays && alone[0].touches[0] !== name))) return ask(alone[0].id);
}

/** Several things can be done with these two: they are listed. @param {import("./answers").Meant[]} items */
function offer(items) {
  asked.value = null;
  meant.value = items;
}

/** A piece was tapped and then a free spot: what may be meant, or which rule forbids it.
 * @param {string} source @param {number} x @param {number} y */
export async function carry(source, x, y) {
  const of = board.value.state;
  const answer = await get(`carried?source=${encodeURIComponent(source)}&x=${x.toFixed(3)}&y=${y.toFixed(3)}`);
  if (gone(of)) return;
  if (!answer.ok) return tell(reason(answer), true);
  const { choices, refusal } = answer.data;
  meant.value = choices.length > 1 ? choices : [];
  if (choices.length) return ask(choices[0].id, choices[0].text);
  asked.value = { id: "", ok: false, refusal: refusal ?? { text: say("no_spot"), clause: "" } };
}

/** Whether something that can be done begins with it: another piece of one's own. @param {string} name */
const begins = (name) => could.value.some((item) => item.touches[0] === name);

/** Whether what was asked was asked of another state than there is now. @param {number} state */
const gone = (state) => board.value.state !== state;

/** What would this do? Shown before it is done; where the table changed meanwhile and it can still be done, it is asked
 * of the table there is now. @param {string} id @param {string} [text] @returns {Promise<void>} */
export async function ask(id, text = textOf(id)) {
  const of = board.value.state;
  const answer = await get(`why?action=${encodeURIComponent(id)}`);
  if (gone(of)) return could.value.some((item) => item.id === id) ? ask(id, text === id ? undefined : text) : undefined;
  if (!answer.ok) asked.value = { id, ok: false, refusal: { text: reason(answer), clause: "" } };
  else asked.value = answer.data.ok ? { ...answer.data, text } : { id, ok: false, refusal: answer.data.refusal };
}

/** A forbidden place: which rule forbids it? @param {string} from @param {string} to */
async function askWhyNot(from, to) {
  const of = board.value.state;
  const answer = await get(`whynot?source=${encodeURIComponent(from)}&target=${encodeURIComponent(to)}`);
  if (gone(of)) return;
  const refusal = (answer.ok && answer.data.refusal) || { text: say("no_way", { from, to }), clause: "" };
  asked.value = { id: "", ok: false, refusal };
}

/** @param {string} id */
const textOf = (id) => could.value.find((item) => item.id === id)?.text ?? id;

/** Do it, if the table is still the one that it was asked of. @param {string} id @param {number} [state] */
export async function act(id, state = board.value.state) {
  forget();
  await finish(await post("actions", { action: id, asked_of: state }));
}

/** What has been told so far: the log is there a moment before the board that goes with it. */
const told = () => Math.max(board.value.seq, events.value.at(-1)?.seq ?? 0);

/** @param {number} count */
export async function undo(count = 1) {
  await finish(await post("undo", { count, expected: told() }));
}

/** The table is taken as it lies. @param {number} state that it was shown for @param {number | null} seat who moves next */
export async function lay(state, seat) {
  await finish(await post("lying", { asked_of: state, seat, expected: told() }));
}

/** @param {number} seq @param {string[]} actions */
export async function correct(seq, actions) {
  await finish(await post("corrections", { seq, actions, expected: told() }));
}

/** @param {number | null} seq @param {string} text */
export async function claim(seq, text) {
  await finish(await post("claims", { seq, text }));
}

/** @param {number} claimSeq @param {boolean} upheld @param {string} text */
export async function overrule(claimSeq, upheld, text) {
  await finish(await post("rulings", { claim: claimSeq, upheld, text: text || say(upheld ? "ruling.stands" : "ruling.falls") }));
}

/** Several actions in order, as one tap. @param {string[]} ids */
export async function actAll(ids) {
  for (const id of ids) await act(id);
}

/** @param {import("./api.js").Answer<unknown>} answer */
async function finish(answer) {
  if (answer.status === 409) tell(say(whyNot(answer)?.code === "outdated" ? "outdated" : "stale"), true);
  else if (!answer.ok) tell(reason(answer), true);
  await refresh();
}

// Actions in the language of the page: one, several shown together, several in a row.
import { actWords, patternOf, plainly } from "./action_args.js";
import { translatedText } from "./phrasebook.js";
import { named, seatName } from "./seats.js";

/** @import { Act, SentenceTold } from "./answers" */
/** @import { Argument } from "./action_args.js" */
/** @typedef {{args: Argument[], verb: string, text: string, said?: SentenceTold | null, seat?: number | null}}
 * Choosable */

/** @param {import("./action_args.js").Told & {said?: SentenceTold | null}} action */
export const actionWords = (action) => (action.said ? translatedText(action.said) : actWords(action));

/** The words for actions that are shown together; no two of them read alike. @param {Choosable[]} items */
export const actionLabels = (items) => distinct(items, items.map(actionWords));

/** Texts for actions, with what is different about those whose texts are the same.
 * @param {Choosable[]} items
 * @param {string[]} texts */
export function distinct(items, texts) {
  const alike = /** @type {Map<string, number[]>} */ (new Map());
  texts.forEach((text, i) => alike.set(text, [...(alike.get(text) ?? []), i]));
  return texts.map((text, i) => {
    const group = (alike.get(text) ?? []).map((n) => items[n]);
    return group.length > 1 ? `${text} (${difference(items[i], group)})` : text;
  });
}

/** Those of its arguments that the others have not. @param {Choosable} item @param {Choosable[]} others */
function difference(item, others) {
  const own = item.args.filter((arg, n) =>
    others.some((other) => JSON.stringify(other.args[n]) !== JSON.stringify(arg)),
  );
  return own.map(plainly).join(", ") || seatName(item.seat) || item.text;
}

/** Several in a row, told as one; where the page has no words of its own for one of them, as the rules say them.
 * @param {Act[] | null | undefined} acts @param {string} text */
export function actionsWords(acts, text) {
  if (!acts?.length) return named(text);
  if (acts.length === 1) return actWords({ ...acts[0], text });
  if (!acts.every(({ verb }) => patternOf(verb))) return named(text);
  const several = acts.map((act) => ({ ...act, action: "", words: "" }));
  return translatedText({ several, joint: "{first}, then {rest}" });
}

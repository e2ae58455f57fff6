// @ts-check
// Actions in the language of the page. The rules themselves say them in English; the word files hold a pattern for
// every verb of every game.
import { filled } from "./codes.js";
import { named, seatName } from "./seats.js";
import { toldText } from "./phrasebook.js";
import { board } from "./state.js";
import { KINDS, SUITS, thingWords, valueOf, withTiles } from "./things.js";
import { known, say } from "./words.js";

/** Pieces by their codes, as they stand in an action. */
const CODES = /\b[tcpd][SMCA?][0-5?]?(?:\+[tcpd][SMCA?][0-5?]?)*(?![\w?])/g;
const ID = /^(?:\d+:)?([a-z_]+)(?:\((.*)\))?$/;

/** @import { SentenceTold } from "./answers" */
/** @param {{id?: string | null, text: string | null, said?: SentenceTold | null}} action */
export function actionWords({ id, text, said }) {
  if (said) return toldText(said);
  const [, verb, args] = ID.exec(id ?? "") ?? [];
  if (verb === "laid") return say("act.laid");
  const pattern = verb && known(`act.${board.value?.game.id}.${verb}`);
  if (!pattern) return withTiles(named(text ?? "")).replace(CODES, argsWords);
  const facts = (args ?? "").split(",");
  return withTiles(named(filled(pattern, (n) => facts[n] ?? "", argsWords))).replace(/\s+/g, " ").trim();
}

/** @typedef {{id: string, text: string, seat?: number | null}} Choosable */

/** The words for actions that are shown together; no two of them read alike. @param {Choosable[]} items */
export const actionLabels = (items) => distinct(items, items.map(actionWords));

/** Texts for actions, with what is different about those whose texts are the same. @param {Choosable[]} items @param {string[]} texts */
export function distinct(items, texts) {
  const alike = /** @type {Map<string, number[]>} */ (new Map());
  texts.forEach((text, i) => alike.set(text, [...(alike.get(text) ?? []), i]));
  return texts.map((text, i) => {
    const group = (alike.get(text) ?? []).map((n) => items[n]);
    return group.length > 1 ? `${text} (${difference(items[i], group)})` : text;
  });
}

/** @param {string} id */
const argsOf = (id) => ID.exec(id)?.[2]?.split(",") ?? [];

/** Those of its arguments that the others have not. @param {Choosable} item @param {Choosable[]} others */
function difference(item, others) {
  const own = argsOf(item.id).filter((arg, n) => others.some((other) => argsOf(other.id)[n] !== arg));
  return own.map(argsWords).join(", ").replace(/\bx(-?\d+)y(-?\d+)\b/g, "$1/$2") || seatName(item.seat) || item.text;
}

/** Several in a row, told as one; where the page has no words of its own for one of them, as the rules say them.
 * @param {string[]} ids @param {string} text */
export function actionsWords(ids, text) {
  if (ids.length === 1) return actionWords({ id: ids[0], text });
  if (!ids.every((id) => known(`act.${board.value?.game.id}.${ID.exec(id)?.[1]}`))) return withTiles(named(text));
  return toldText({ several: ids.map((id) => ({ action: id, words: id })), joint: "{first}, then {rest}" });
}

/** @param {string} list */
export const argsWords = (list) => list.split("+").map(argWords).join(" + ").replaceAll(">", " → ");

/** Suits, values and codes of pieces (tS3: the three of suns) in words; places stay as they are. @param {string} arg */
function argWords(arg) {
  const piece = /^([tcpd])([SMCA?])([0-5?])?$/.exec(arg);
  if (!piece) return known(`suit.${arg}`) ?? known(`value.${arg}`) ?? arg;
  const [, kind, suit, value] = piece;
  return thingWords({ kind: KINDS[kind], suit: SUITS[suit], value: value && valueOf(value) });
}

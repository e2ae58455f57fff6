// @ts-check
// Actions in the language of the page. The rules themselves say them in English; the word files hold a pattern for
// every verb of every game.
import { filled } from "./codes.js";
import { named } from "./seats.js";
import { toldText } from "./phrasebook.js";
import { board } from "./state.js";
import { KINDS, SUITS, thingWords, valueOf, withTiles } from "./things.js";
import { known, say } from "./words.js";

/** Pieces by their codes, as they stand in an action. */
const CODES = /\b[tcpd][SMCA?][0-5?]?(?:\+[tcpd][SMCA?][0-5?]?)*(?![\w?])/g;
const ID = /^(?:\d+:)?([a-z_]+)(?:\((.*)\))?$/;

/** @param {{id?: string | null, text: string | null}} action */
export function actionWords({ id, text }) {
  const [, verb, args] = ID.exec(id ?? "") ?? [];
  if (verb === "laid") return say("act.laid");
  const pattern = verb && known(`act.${board.value?.game.id}.${verb}`);
  if (!pattern) return withTiles(named(text ?? "")).replace(CODES, argsWords);
  const facts = (args ?? "").split(",");
  return withTiles(named(filled(pattern, (n) => facts[n] ?? "", argsWords))).replace(/\s+/g, " ").trim();
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

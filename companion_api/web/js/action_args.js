// Values in words, in the language of the page: what stands in actions, sentences and effects. Actions themselves have
// a pattern for every verb of every game in the word files: `{0}` is the first argument, `{1:price}` the second in a
// form of its own, which is a pattern too and says nothing where there is nothing to say.
import { named, personOf, seatName } from "./seats.js";
import { board } from "./state.js";
import { markWords, placeWords, thingWords } from "./piece_names.js";
import { wordOrNull, say } from "./words.js";

/** @import { ValueTold } from "./answers" */
/** @typedef {string | ValueTold} Argument what is only words is a text */
/** @typedef {{verb?: string | null, args?: Argument[] | null, text: string | null}} Told an action as it is told */

/** @param {Argument | null | undefined} value @returns {string} */
export function valueWords(value) {
  if (typeof value !== "object" || !value) return value ?? "";
  const { all, of, place, way, seat, count, suit, kind } = value;
  if (all) return all.length ? all.map(valueWords).join(value.joint ?? ", ") : say("code.none");
  if (of) return wordOrNull(`${of}.${value.word}`) ?? value.called ?? place ?? value.word ?? "";
  if (count) return say("code.coins", { n: count, suit: suitWords(suit) });
  if (kind === "pyramid" && way)
    return say(place ? "code.standing" : "code.pointing", {
      size: markWords({ size: value.size }),
      way: wayWords(way),
      place: placeWords(value),
    });
  if (kind === "die" && value.value) return `${suitWords(suit)}: ${markWords({ value: value.value })}`;
  if (kind) return thingWords({ ...value, kind });
  if (place) return placeWords(value);
  if (way) return wayWords(way);
  return typeof seat === "number" ? seatName(seat) : markWords(value);
}

/** @param {string | null | undefined} suit */
const suitWords = (suit) => (suit && wordOrNull(`suit.${suit}`)) ?? "";

/** @param {string | null | undefined} way */
const wayWords = (way) => wordOrNull(`code.way.${way}`) ?? way ?? "";

/** The same where only the name of a place tells it from another. @param {Argument} value */
export const plainly = (value) =>
  typeof value === "object" && value.place && !value.kind ? (value.called ?? value.place) : valueWords(value);

/** @param {Argument | undefined} value @param {string | undefined} form */
function formed(value, form) {
  if (!form) return valueWords(value);
  const whole = /** @type {ValueTold} */ (typeof value === "object" ? value : {});
  if (form === "person") return personOf(whole.suit ?? "") ?? valueWords(value);
  const what = whole.all?.length === 0 ? "" : valueWords(value);
  return what && say(`code.${form}`, { what });
}

/** An action by its verb; where the page has no words of its own for it, as the rules say it. @param {Told} action */
export function actWords({ verb, args, text }) {
  const pattern = patternOf(verb);
  if (!pattern) return named(text ?? "");
  const words = pattern.replace(/\{(\d+)(?::(\w+))?\}/g, (_, n, form) => formed(args?.[Number(n)], form));
  return words.replace(/\s+/g, " ").trim();
}

/** @param {string | null | undefined} verb */
export const patternOf = (verb) =>
  verb && (wordOrNull(`act.${board.value?.game.id}.${verb}`) ?? wordOrNull(`act.${verb}`));

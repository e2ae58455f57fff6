// @ts-check
// Effects in words: a table over the closed vocabulary, the same for every game.
import { seatName } from "./seats.js";
import { thingWords } from "./things.js";
import { known, say } from "./words.js";

/** @param {any} effect @returns {string} */
export function effectWords(effect) {
  const facts = factWords(effect.facts ?? {});
  const text = say(`effect.${effect.kind}`, {
    piece: effect.thing ? thingWords(effect.thing) : (effect.piece ?? ""),
    from: spot(effect.from),
    to: spot(effect.to),
    who: seatName(effect.seat),
    other: seatName(effect.other),
    amount: effect.amount ?? "",
    facts: "",
    why: "",
  });
  const tail = [facts, effect.clause].filter(Boolean).join(" · ");
  return tidy(text) + (tail ? ` (${tail})` : "");
}

/** Words that had nothing to say leave gaps. @param {string} text */
export const tidy = (text) => text.replace(/[:(]\s*\)?\s*$/, "").replace(/\s+([,.:)])/g, "$1").replace(/\s+/g, " ").trim();

/** The sums behind it: strength, defence, cost. @param {Record<string, any>} facts */
export function factWords(facts) {
  return Object.entries(facts).map(([name, value]) => `${known(`fact.${name}`) ?? name.replaceAll("_", " ")} ${plain(value)}`).join(", ");
}

/** @param {any} value @returns {string} */
const plain = (value) => (value === true ? say("yes") : value === false ? say("no") : Array.isArray(value) ? value.map(plain).join(" ") : (known(`suit.${value}`) ?? String(value).replaceAll("_", " ")));

/** @param {any} place */
function spot(place) {
  if (!place) return "";
  if (place.zone !== "board") return `${say(`zone.${place.zone}`)} ${seatName(place.seat)}`.trim();
  return place.place || (place.position ?? []).map((/** @type {number} */ n) => Math.round(n * 10) / 10).join("; ");
}

/** The places that effects speak of: where something comes, goes, or falls. @param {any[]} effects */
export function marksOf(effects) {
  const marks = /** @type {{position: number[], kind: string}[]} */ ([]);
  for (const effect of effects) {
    const gone = ["remove", "collapse", "eliminate"].includes(effect.kind);
    const at = gone ? (effect.from ?? effect.to) : (effect.to ?? effect.from);
    if (at?.position && at.zone === "board") marks.push({ position: at.position, kind: gone ? "falls" : effect.kind === "attack" ? "attacked" : "comes" });
  }
  return marks;
}

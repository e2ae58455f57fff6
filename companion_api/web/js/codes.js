// @ts-check
// What stands in an action as a code (a suit's letter, the coins of a price, a way), in the language of the page. A
// pattern says of a gap what fills it: `{0:suit}`; a gap without a kind is told as its reader sees fit.
import { personOf } from "./seats.js";
import { SUITS, thingWords, valueOf } from "./things.js";
import { known, say } from "./words.js";

const SIZES = /** @type {Record<string, string>} */ ({ 1: "small", 2: "medium", 3: "large" });

/** A pattern with its gaps filled. @param {string} pattern @param {(n: number) => string} fact @param {(fact: string) => string} plain */
export const filled = (pattern, fact, plain) => pattern.replace(/\{(\d+)(?::(\w+))?\}/g, (_, n, kind) => (kind in KINDS ? KINDS[kind] : plain)(fact(Number(n))));

/** @type {Record<string, (code: string) => string>} */
const KINDS = {
  code: (code) => code,
  suit,
  person: (code) => personOf(SUITS[code]) ?? suit(code),
  value,
  way,
  mark: (code) => known(`suit.${SUITS[code]}`) ?? value(code),
  deal: (code) => known(`code.deal.${code.replace("/", "")}`) ?? code.replace("/", " / "),
  power: (code) => known(`code.power.${code}`) ?? code,
  side: (code) => known(`code.side.${code}`) ?? code,
  room: (code) => (code ? (known(`code.room.${code}`) ?? tile(code.slice(1))) : ""),
  tile,
  pyramid: (code) => code.replace(/^([SMCA])-([A-F])$/, (_, letter, size) => thingWords({ kind: "pyramid", suit: SUITS[letter], size })),
  standing,
  turns: (code) => each(code, (one) => one.replace(/^(.*)>(\w)$/, (_, pyramid, to) => `${standing(pyramid)} → ${way(to)}`)),
  column: (code) => String.fromCharCode(97 + ((Number(code) % 26) + 26) % 26),
  row: (code) => `${Number(code) + 1}`,
  turned: (code) => (code === "0" ? "" : say("code.turned", { degrees: code })),
  price: (code) => (coins(code) ? say("code.price", { what: coins(code) }) : ""),
  toll: (code) => (code ? say("code.toll", { what: suit(code) }) : ""),
  marks: (code) => each(code, (one) => ofSuit(one, KINDS.mark)),
  steps: (code) => each(code, (one) => ofSuit(one, way)),
  goals: (code) => each(code, (one) => ofSuit(one.replace(">", ""), (place) => place)),
};

/** @param {string} code */
function suit(code) {
  return known(`suit.${SUITS[code] ?? code}`) ?? code;
}

/** @param {string} code */
function value(code) {
  return known(`value.${valueOf(code)}`) ?? code;
}

/** @param {string} code */
function way(code) {
  return known(`code.way.${code}`) ?? code;
}

/** @param {string} code */
function tile(code) {
  const [, letter, rank] = /^([SMCA])([na0-5])$/.exec(code) ?? [];
  return letter ? thingWords({ kind: "tile", suit: SUITS[letter], value: valueOf(rank) }) : code;
}

/** A pyramid by its size, where it points and where it stands. @param {string} code */
function standing(code) {
  return code.replace(/^([123])(\w)@(\S+)$/, (_, size, to, place) => say("code.standing", { size: say(`size.${SIZES[size]}`), way: way(to), place }));
}

/** How many of which suit. @param {string} code */
function coins(code) {
  const counts = /** @type {Map<string, number>} */ (new Map());
  for (const one of code.split("+")) if (one in SUITS) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].map(([one, count]) => `${count} × ${suit(one)}`).join(" + ");
}

/** @param {string} code @param {(one: string) => string} words */
const each = (code, words) => (code === "-" ? say("code.none") : code.split("+").map(words).join(", "));

/** What is said of a suit whose letter stands first. @param {string} one @param {(rest: string) => string} words */
const ofSuit = (one, words) => (one[0] in SUITS ? `${suit(one[0])}: ${words(one.slice(1))}` : words(one));

// @ts-check
// Effects as sentences of people: a table over the closed vocabulary, the same for every game. Facts go into the sentence
// where it has words for them; steps of the rules that nobody plays by are left out.
import { argsWords } from "./acts.js";
import { seatName, suitName } from "./seats.js";
import { toldWithin } from "./phrasebook.js";
import { markWords, SUITS, thingWords, valueOf, withTiles } from "./things.js";
import { known, say } from "./words.js";

/** @import { Happened, NamedPlace, SpotTold, Size } from "./answers" */
/** @typedef {import("./frame.js").Spot} Spot */

/** @param {Happened} effect @returns {string} */
export function effectWords(effect) {
  const key = keyOf(effect);
  if (!key || !known(key)) return ""; // its words come a moment after the first second
  const { said } = effect;
  const facts = effect.facts ?? {};
  return tidy(say(key, {
    piece: effect.thing ? thingWords(effect.kind === "roll" ? { ...effect.thing, value: null } : effect.thing) : "",
    from: spot(effect.from),
    to: spot(effect.to),
    who: seatName(effect.seat) || sideWords(String(facts.candidate ?? "")),
    other: seatName(effect.other ?? effect.from?.seat),
    amount: effect.amount ?? "",
    coins: facts.victim_coins ?? "",
    attackers: sum(facts.attackers),
    defenders: sum(facts.defenders),
    strength: facts.strength ?? facts.zombies ?? "",
    defence: facts.defence ?? "",
    damage: facts.damage ?? "",
    n: facts.places?.length ?? effect.amount ?? "",
    things: list(facts.lost ?? facts.places ?? []),
    same: (facts.same_as ?? []).map((one) => known(`suit.${one}`) ?? one).join(", "),
    parts: (Array.isArray(facts.for) ? facts.for : []).map((/** @type {string} */ part) => part.replace(/^[SMCA]-/, "")).join(" + "),
    value: effect.kind === "roll" ? valueWords(effect.thing?.value ?? effect.amount ?? "") : typeof facts.number === "number" || typeof facts.number === "string" ? valueWords(facts.number) : facts.tile ? argsWords(facts.tile) : facts.face ? valueWords(facts.face) : "",
    why: known(`why.${String(facts.why ?? "").replace(/\W+/g, "_")}`) ?? (said ? toldWithin(said) : facts.why ? toldWithin(String(facts.why)) : ""),
  }));
}

/** Which sentence it is; none for what only moves the rules on. @param {Happened} effect */
function keyOf({ kind, facts: told, from, to, other, piece, thing, amount }) {
  const facts = told ?? {};
  if (kind === "phase" || kind === "turn" || kind === "end") return null;
  if (kind === "move" && /^clock/.test(to?.place ?? "")) return "effect.clock";
  if (kind === "score" && !amount) return null;
  if (kind === "choose") return facts.sealed ? "effect.sealed" : facts.number !== undefined ? "effect.chosen" : facts.tile ? "effect.chosen.tile" : null;
  if (kind === "attack") return facts.success === undefined ? "effect.attack.zombies" : facts.attackers ? `effect.attack.${facts.success ? "won" : "lost"}` : "effect.attack";
  if (kind === "collapse") return facts.lost?.length ? "effect.collapse.with" : facts.places?.length === 1 && piece ? "effect.collapse.tile" : "effect.collapse.part";
  if (kind === "take" && typeof (other ?? from?.seat) !== "number") return thing ? "effect.take.got" : "effect.take.unseen";
  if (kind === "remove" && from && from.zone !== "board") return "effect.remove.aside";
  if (kind === "remove") return to?.zone === "hand" ? "effect.remove.home" : from?.place && from.place !== piece?.slice(1) ? "effect.remove" : "effect.remove.gone";
  if (kind === "move") return spot(from) && spot(to) && spot(from) !== spot(to) && !(onTile(from) && thing?.kind === "tile") ? "effect.move" : "effect.move.anew";
  if (kind === "place") return spot(to) && thing?.kind !== "tile" ? "effect.place" : "effect.place.laid";
  if (kind === "reveal") return facts.cancelled ? "effect.reveal.cancelled" : "effect.reveal";
  if (kind === "pay") return amount ? (facts.choice ? "effect.pay.for" : amount === 1 ? "effect.pay.one" : "effect.pay.many") : null;
  if (kind === "eliminate") return facts.pawns_left ? "effect.drown" : facts.why ? "effect.eliminate.why" : "effect.eliminate";
  if (kind === "score") return `effect.score${Array.isArray(facts.for) && facts.for.length ? ".for" : ""}${amount === 1 ? ".one" : ""}`;
  return `effect.${kind}`;
}

/** What happens, in order, nothing twice: a tile that falls need not leave the board as well. @param {Happened[]} effects @returns {string[]} */
export function story(effects) {
  const fallen = new Set(effects.filter((e) => ["collapse", "eliminate"].includes(e.kind) && e.key).map((e) => e.key));
  for (const e of effects) for (const code of e.facts?.lost ?? []) fallen.add(`y${code}`);
  const left = effects.filter((e) => !(e.kind === "remove" && fallen.has(e.key)));
  const many = new Map(Object.keys(MANY).map((kind) => [kind, left.filter((e) => e.kind === kind && keyOf(e)).length]));
  const told = left.map((e) => ((many.get(e.kind) ?? 0) > MOST_ALIKE ? say(MANY[e.kind], { n: many.get(e.kind) }) : effectWords(e)));
  return [...new Set(told.filter(Boolean))];
}

/** What happens to so many pieces is told as one. @type {Record<string, string>} */
const MANY = { place: "effect.many.place", flip: "effect.many.flip", move: "effect.many.move" };
const MOST_ALIKE = 4;

/** The rules that a story goes by. @param {Happened[]} effects @returns {string[]} */
export const clausesOf = (effects) => [...new Set(effects.flatMap((e) => e.clause || []))];

/** Whether somebody takes himself out of the game by it. @param {Happened[]} effects @param {number[]} seats who does it */
export const deadly = (effects, seats) => effects.some((e) => e.kind === "eliminate" && seats.includes(e.seat ?? -1) && !e.facts?.pawns_left);

/** Words that had nothing to say leave gaps. @param {string} text */
export const tidy = (text) => text.replace(/[:(]\s*\)?\s*$/, "").replace(/\s+([,.:)])/g, "$1").replace(/\s+/g, " ").trim();

/** A tile as short as on the board: 5 of suns. @param {string} code */
const tileWords = (code) => (SUITS[code[0]] && code.length === 2 ? thingWords({ kind: "tile", suit: SUITS[code[0]], value: valueOf(code[1]) }) : argsWords(code));

/** @param {string[] | null | undefined} codes */
const sum = (codes) => (codes ?? []).map((code) => (SUITS[code[0]] && code.length === 2 ? markWords({ suit: SUITS[code[0]], value: valueOf(code[1]) }) : argsWords(code))).join(" + ");
/** @param {string[]} codes */
const list = (codes) => codes.map((code) => (/^[SMCA]-/.test(code) ? thingWords({ kind: "pyramid", suit: SUITS[code[0]], size: /** @type {Size} */ (code[2]) }) : tileWords(code))).join(", ");
/** @param {string | number} code */
const valueWords = (code) => known(`value.${valueOf(String(code))}`) ?? String(code);

/** A place by its name; off the board by whose it is. Coordinates tell nobody anything. @param {SpotTold | null | undefined} place */
function spot(place) {
  if (!place) return "";
  if (place.zone !== "board") return [say(`zone.${place.zone}`), place.seat === null ? "" : suitName(place.seat)].filter(Boolean).join(" ");
  const name = place.place ?? "";
  if (SUITS[name[0]] && name.length === 2) return tileWords(name);
  return known(`place.${name.replace(/\d+$/, "")}`) ?? withTiles(name);
}

/** Who plays for nobody's seat goes by the side of the board. @param {string} candidate */
const sideWords = (candidate) => known(`code.side.${candidate.split(" ").at(-1)?.toLowerCase()}`) ?? candidate;

/** Whether a place is called by numbers, and so by the tile that lies there. @param {SpotTold | null | undefined} place */
const onTile = (place) => /^(-?\d+\/|x-?\d+y)-?\d+$/.test(place?.place ?? "");

/** The places that effects speak of, without what is drawn as a ghost: the reach of an attack, what falls.
 * @param {Happened[]} effects @param {NamedPlace[]} places @param {(spot: Spot) => Spot} turn as the board is drawn */
export function marksOf(effects, places, turn = (spot) => spot) {
  const at = (/** @type {string | null | undefined} */ name) => places.find((p) => p.name === name)?.position;
  const found = (/** @type {string[] | null | undefined} */ names) => (names ?? []).flatMap((name) => { const spot = at(name); return spot ? [spot] : []; });
  const marks = /** @type {{position: Spot, kind: string, to?: Spot}[]} */ ([]);
  for (const effect of effects) {
    if (effect.kind === "attack") {
      const target = at(effect.facts?.target) ?? (effect.to?.position ? turn(effect.to.position) : undefined);
      for (const position of found(effect.facts?.attackers)) marks.push({ position, kind: "attacking", to: target });
      for (const position of found(effect.facts?.defenders)) marks.push({ position, kind: "attacked" });
      if (target) marks.push({ position: target, kind: "attacked" });
    }
    if (effect.kind === "collapse") for (const position of found(effect.facts?.places)) marks.push({ position, kind: "falls" });
  }
  return marks;
}

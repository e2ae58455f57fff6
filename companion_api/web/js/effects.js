// Effects as sentences of people: a table over the closed vocabulary, the same for every game. Facts go into the
// sentence where it has words for them; steps of the rules that nobody plays by are left out.
import { valueWords } from "./action_args.js";
import { seatName, suitName } from "./seats.js";
import { board } from "./state.js";
import { translatedPart } from "./phrasebook.js";
import { markWords, thingWords } from "./piece_names.js";
import { wordOrNull, say } from "./words.js";

/** @import { Happened, NamedPlace, PieceTold, SpotTold, ValueTold } from "./answers" */
/** @import { Argument } from "./action_args.js" */
/** @typedef {import("./board_geometry.js").Spot} Spot */

/** @param {Happened} effect @returns {string} */
export function effectWords(effect) {
  const key = keyOf(effect);
  if (!key || !wordOrNull(key)) return ""; // its words come a moment after the first second
  const { said } = effect;
  const [facts, values] = [effect.facts ?? {}, effect.values ?? {}];
  return withoutGaps(
    say(key, {
      piece: effect.thing ? thingWords(effect.kind === "roll" ? { ...effect.thing, value: null } : effect.thing) : "",
      from: spot(effect.from),
      to: spot(effect.to),
      who: seatName(effect.seat) || valueWords(values.candidate),
      other: seatName(effect.other ?? effect.from?.seat),
      amount: effect.amount ?? "",
      coins: facts.victim_coins ?? "",
      attackers: sum(values.attackers),
      defenders: sum(values.defenders),
      strength: facts.strength ?? facts.zombies ?? "",
      defence: facts.defence ?? "",
      damage: facts.damage ?? "",
      n: facts.places?.length ?? effect.amount ?? "",
      things: list(values.lost ?? values.places),
      same: list(values.same_as),
      parts: partsOf(effect).map((part) => asValue(part).size ?? valueWords(part)).join(" + "),
      value:
        effect.kind === "roll"
          ? markWords({ value: effect.thing?.value }) || String(effect.amount ?? "")
          : valueWords(values.number ?? values.tile ?? values.face),
      why:
        wordOrNull(`why.${String(facts.why ?? "").replace(/\W+/g, "_")}`) ??
        (said ? translatedPart(said) : facts.why ? translatedPart(String(facts.why)) : ""),
    }),
  );
}

/** Which sentence it is; none for what only moves the rules on. @param {Happened} effect */
function keyOf(effect) {
  const { kind, facts: told, from, to, other, piece, thing, amount } = effect;
  const facts = told ?? {};
  if (kind === "phase" || kind === "turn" || kind === "end") return null;
  const named = kind === "move" && `effect.to.${asValue(to?.value).word}`;
  if (named && wordOrNull(named)) return named;
  if (kind === "score" && !amount) return null;
  if (kind === "choose" && facts.sealed) return "effect.sealed";
  if (kind === "choose" && facts.number !== undefined) return "effect.chosen";
  if (kind === "choose") return facts.tile ? "effect.chosen.tile" : null;
  if (kind === "attack" && facts.success === undefined) return "effect.attack.zombies";
  if (kind === "attack") return facts.attackers ? `effect.attack.${facts.success ? "won" : "lost"}` : "effect.attack";
  if (kind === "collapse" && facts.lost?.length) return "effect.collapse.with";
  if (kind === "collapse") return facts.places?.length === 1 && piece ? "effect.collapse.tile" : "effect.collapse.part";
  if (kind === "take" && typeof (other ?? from?.seat) !== "number")
    return thing ? "effect.take.got" : "effect.take.unseen";
  if (kind === "remove" && from && from.zone !== "board") return "effect.remove.aside";
  if (kind === "remove" && to?.zone === "hand") return "effect.remove.home";
  if (kind === "remove")
    return from?.place && !isSameThing(from.value, thing) ? "effect.remove" : "effect.remove.gone";
  if (kind === "move")
    return spot(from) && spot(to) && spot(from) !== spot(to) && !(onTile(from) && thing?.kind === "tile")
      ? "effect.move"
      : "effect.move.anew";
  if (kind === "place") return spot(to) && thing?.kind !== "tile" ? "effect.place" : "effect.place.laid";
  if (kind === "reveal") return facts.cancelled ? "effect.reveal.cancelled" : "effect.reveal";
  if (kind === "pay")
    return amount ? (facts.choice ? "effect.pay.for" : "effect.pay.many") : null;
  if (kind === "eliminate")
    return facts.pawns_left ? "effect.drown" : facts.why ? "effect.eliminate.why" : "effect.eliminate";
  if (kind === "score") return `effect.score${partsOf(effect).length ? ".for" : ""}`;
  return `effect.${kind}`;
}

/** What happens, in order, nothing twice: a tile that falls need not leave the board as well.
 * @param {Happened[]} effects
 * @returns {string[]} */
export function effectLines(effects) {
  const fallen = new Set(effects.filter((e) => ["collapse", "eliminate"].includes(e.kind) && e.key).map((e) => e.key));
  const lost = effects.flatMap((e) => e.values?.lost ?? []);
  const left = effects.filter(
    (e) => !(e.kind === "remove" && (fallen.has(e.key) || lost.some((value) => isSameThing(value, e.thing)))),
  );
  const many = new Map(Object.keys(MANY).map((kind) => [kind, left.filter((e) => e.kind === kind && keyOf(e)).length]));
  const told = left.map((e) =>
    (many.get(e.kind) ?? 0) > MOST_ALIKE ? say(MANY[e.kind], { n: many.get(e.kind) }) : effectWords(e),
  );
  return [...new Set(told.filter(Boolean))];
}

/** What happens to so many pieces is told as one. @type {Record<string, string>} */
const MANY = { place: "effect.many.place", flip: "effect.many.flip", move: "effect.many.move" };
const MOST_ALIKE = 4;

/** Kinds of effects that tell what becomes of one thing. */
const ONE = ["place", "move", "roll", "reveal", "remove", "take", "flip"];

/** Whether an action says by itself, with its arguments, what an effect of it tells: which thing, from where and to
 * where.
 * @param {Happened} effect
 * @param {Argument[]} args */
export function isObvious({ kind, thing, from, to }, args) {
  if (!ONE.includes(kind) || !thing || !args.length) return false;
  const named = args.flatMap(parts).map(asValue);
  const each = (/** @type {"suit" | "value"} */ sign) =>
    !thing[sign] || named.some((value) => value[sign] === thing[sign]);
  const at = (/** @type {SpotTold | null | undefined} */ spot) =>
    spot?.zone !== "board" || !spot.place || named.some(({ place }) => place === spot.place);
  const signs = Boolean(thing.suit || thing.value) && each("suit") && each("value") && !thing.size;
  return (signs || named.some(({ mark }) => mark && mark === thing.mark)) && at(to) && (kind !== "move" || at(from));
}

/** The values that a value is made of. @param {Argument} value @returns {Argument[]} */
const parts = (value) => (typeof value === "object" && value.all ? value.all.flatMap(parts) : [value]);

/** The rules that a story goes by. @param {Happened[]} effects @returns {string[]} */
export const clausesOf = (effects) => [...new Set(effects.flatMap((e) => e.clause || []))];

/** Whether somebody takes himself out of the game by it.
 * @param {Happened[]} effects
 * @param {number[]} seats who does it */
export const eliminatesSelf = (effects, seats) =>
  effects.some((e) => e.kind === "eliminate" && seats.includes(e.seat ?? -1) && !e.facts?.pawns_left);

/** Words that had nothing to say leave gaps. @param {string} text */
export const withoutGaps = (text) =>
  text.replace(/[:(]\s*\)?\s*$/, "").replace(/\s+([,.:)])/g, "$1").replace(/\s+/g, " ").trim();

/** @param {Argument | null | undefined} value @returns {ValueTold} */
const asValue = (value) => (typeof value === "object" && value) || {};

/** What a score is for. @param {Happened} effect @returns {Argument[]} */
const partsOf = ({ values }) => (Array.isArray(values?.for) ? values.for : []);

/** Whether a value is this very thing.
 * @param {Argument | null | undefined} value
 * @param {PieceTold | null | undefined} thing */
function isSameThing(value, thing) {
  const { kind, suit, value: rank, size } = asValue(value);
  if (!kind || !thing) return false;
  return kind === thing.kind && suit === thing.suit && (rank ?? null) === thing.value && (size ?? null) === thing.size;
}

/** @param {Argument[] | null | undefined} values */
const sum = (values) =>
  (values ?? []).map((value) => (asValue(value).kind ? markWords(asValue(value)) : valueWords(value))).join(" + ");
/** @param {Argument[] | null | undefined} values */
const list = (values) => (values ?? []).map(valueWords).join(", ");

/** A place by its name; off the board by whose it is. Coordinates tell nobody anything.
 * @param {SpotTold | null | undefined} place */
function spot(place) {
  if (!place) return "";
  if (place.zone !== "board")
    return [say(`zone.${place.zone}`), place.seat === null ? "" : suitName(place.seat)].filter(Boolean).join(" ");
  return valueWords(place.value ?? { place: place.place });
}

/** Whether a place is called by the tile that lies there. @param {SpotTold | null | undefined} place */
const onTile = (place) =>
  board.value.game.by_tiles && Boolean(asValue(place?.value).place && !asValue(place?.value).of);

/** The places that effects speak of, without what is drawn as a ghost: the reach of an attack, what falls.
 * @param {Happened[]} effects @param {NamedPlace[]} places @param {(spot: Spot) => Spot} turn as the board is drawn */
export function marksOf(effects, places, turn = (spot) => spot) {
  const at = (/** @type {string | null | undefined} */ name) => places.find((p) => p.name === name)?.position;
  const found = (/** @type {string[] | null | undefined} */ names) =>
    (names ?? []).flatMap((name) => {
      const spot = at(name);
      return spot ? [spot] : [];
    });
  const marks = /** @type {{position: Spot, kind: string, to?: Spot}[]} */ ([]);
  for (const effect of effects) {
    if (effect.kind === "attack") {
      const target = at(effect.facts?.target) ?? (effect.to?.position ? turn(effect.to.position) : undefined);
      for (const position of found(effect.facts?.attackers)) marks.push({ position, kind: "attacking", to: target });
      for (const position of found(effect.facts?.defenders)) marks.push({ position, kind: "attacked" });
      if (target) marks.push({ position: target, kind: "attacked" });
    }
    if (effect.kind === "collapse")
      for (const position of found(effect.facts?.places)) marks.push({ position, kind: "falls" });
  }
  return marks;
}

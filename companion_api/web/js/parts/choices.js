// @ts-check
// Choices as pictures: a die's faces, coins, tiles; what has no picture keeps its words. Long lists stand in groups.
import { html } from "../html.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { actionLabels, distinct } from "../acts.js";
import { board, view } from "../state.js";
import { seatName } from "../seats.js";
import { KINDS, markWords, SUITS, valueOf } from "../things.js";
import { say } from "../words.js";
import { Piece } from "./piece.js";

/** @import { Happened, Kind, Listed } from "../answers" */
/** @typedef {{kind: Kind, suit?: string | null, value?: string | null, mark?: string | null, face?: "front" | "back" | null, both?: boolean}} Pictured what can be told of a piece from an action */

/** @param {string} letter */
const suit = (letter) => SUITS[letter] ?? letter;
/** @param {string} of @param {string} shows @returns {Pictured} */
export const die = (of, shows) => ({ kind: "die", suit: suit(of), value: valueOf(shows) });
/** @param {string | null} of @param {string | null} shows whichever side is up @returns {Pictured} */
export const coin = (of, shows) => ({ kind: "coin", suit: of && suit(of), value: shows && valueOf(shows), face: shows ? "front" : "back" });
/** @param {string} code @returns {Pictured} */
const tile = (code) => ({ kind: "tile", suit: suit(code[0]), value: valueOf(code[1]), face: "front" });
/** The suit of whoever chooses. @param {Listed} item */
const own = (item) => board.value.seats[item.seat ?? board.value.you.seat ?? board.value.turn.seats[0] ?? 0]?.suit ?? "suns";

/** Verbs whose words name no piece by its code, and what stands for them. @type {Record<string, (args: string[], item: Listed) => Pictured | null>} */
const PICTURES = {
  "decay.roll": ([of, shows]) => die(of, shows),
  "decay.take_coin": ([, of]) => coin(of, null),
  "decay.keep_section": ([of]) => tile(of),
  "global_warming.commit": ([of, shows]) => die(of, shows),
  "ice_floe.commit_number": ([shows], item) => die(own(item), shows),
  "ice_floe.commit_suit": ([of]) => coin(of, null),
  "ice_floe.add_coin": ([shows]) => coin(null, shows),
  "ice_floe.break_tie": ([of]) => (of in SUITS ? coin(of, null) : coin(null, of)),
  "four_blind_mice.reveal": ([of]) => coin(of, null),
  "zombie.roll": ([faces]) => (faces.includes("+") ? null : die(faces[0], faces[1])),
  "san_andreas.reveal": ([, shows]) => coin(null, shows),
  "dectana.discard": ([mark]) => ({ kind: "card", face: "front", mark }),
  "dectana.reveal": ([mark]) => ({ kind: "card", face: "front", mark }),
  "tula.show": ([, code]) => tile(code.slice(1)),
};

/** What is drawn for an action, or nothing. @param {Listed} item @returns {Pictured | null} */
export function pictureOf(item) {
  const [, verb, list] = /^(?:\d+:)?([a-z_]+)(?:\((.*)\))?$/.exec(item.id) ?? [];
  if (!verb || !list) return null;
  const args = list.split(",");
  const named = PICTURES[`${board.value.game.id}.${verb}`];
  if (named) return named(args, item);
  const dice = board.value.dice[verb];
  if (dice) return dice.length === 1 ? die(dice[0], args[0]) : null;
  const [, kind, of, shows] = args.map((arg) => /^([tcdp])([SMCA])([0-5na])?$/.exec(arg)).find(Boolean) ?? [];
  if (!kind) return null;
  return { kind: KINDS[kind], suit: suit(of), value: shows ? valueOf(shows) : null, face: kind === "c" && !shows ? "back" : "front", both: kind === "c" };
}

const SIDE = /** @type {Record<string, number>} */ ({ tile: 1.05, card: 1.85, coin: 0.42, die: 0.42, pawn: 0.45 });

/** @param {{piece: Pictured | import("../answers").Lying}} props */
export function Picture({ piece }) {
  const side = SIDE[piece.kind];
  return html`<svg class="picture-of" viewBox="${-side} ${-side} ${2 * side} ${2 * side}" aria-hidden="true">${Piece(/** @type {import("./piece.js").Laid} */ ({ ...piece, key: "picture", position: [0, 0], angle_deg: 0, level: 0 }))}</svg>`;
}

const MOST = 30;

/** @typedef {{item: Listed, label: string, piece: Pictured | null, caption: string}} Shown */

/** What is shown for each of some actions: the words, and the picture with its caption where there is one.
 * @param {Listed[]} items @returns {Shown[]} */
export function shownFor(items) {
  const pieces = items.map(pictureOf);
  const pictured = items.filter((_, i) => pieces[i]);
  const looks = pieces.flatMap((piece, i) => (piece ? [`${Object.values(piece).join()}|${captionOf(items[i], piece)}`] : []));
  const captions = distinct(pictured, looks).map((look) => look.slice(look.indexOf("|") + 1));
  const labels = actionLabels(items);
  return items.map((item, i) => ({ item, label: labels[i], piece: pieces[i], caption: captions[pictured.indexOf(item)] ?? "" }));
}

/** @param {{items: Listed[], go: (item: Listed) => void}} props */
export function Choices({ items, go }) {
  const shown = shownFor(items);
  const words = shown.filter((each) => !each.piece);
  const groups = /** @type {Map<string, Shown[]>} */ (new Map());
  for (const each of shown) {
    if (!each.piece) continue;
    const name = `${each.piece.kind} ${each.piece.suit ?? ""}`;
    groups.set(name, [...(groups.get(name) ?? []), each]);
  }
  const rows = groups.size && groups.size === shown.length - words.length ? [[...groups.values()].flat()] : [...groups.values()];
  return html`${rows.map((group, n) => html`<div class="faces" key=${n}>${group.map(({ item, label, piece, caption }) => html`<button key=${item.id} class="face" data-action=${item.id} title=${label} onClick=${() => go(item)}>
      <${Picture} piece=${piece} /><small>${caption}</small><span class="unseen">${label}</span></button>`)}</div>`)}
    ${words.length > MOST ? html`<${Many} items=${words.map(({ item }) => item)} go=${go} />`
      : words.map(({ item, label }) => html`<button key=${item.id} data-action=${item.id} onClick=${() => go(item)}>${label}</button>`)}`;
}

/** More than anybody reads: what is decided together is chosen one after the other, or else typed. @param {{items: Listed[], go: (item: Listed) => void}} props */
function Many({ items, go }) {
  const [Together, setTogether] = useState(/** @type {typeof import("./together.js").Together | null} */ (null));
  useEffect(() => void import("./together.js").then((m) => setTogether(() => m.Together), () => null), []);
  return html`${Together && html`<${Together} items=${items} go=${go} />`}<button data-view="hand" onClick=${() => (view.value = "hand")}>${say("choices.many")}</button>`;
}

/** What the picture alone does not say. @param {Listed} item @param {Pictured} piece */
function captionOf(item, piece) {
  const extra = board.value.game.id === "ice_floe" && /add_coin\(\w+,(\w)/.exec(item.id)?.[1];
  return extra ? `→ ${extra in SUITS ? markWords({ suit: SUITS[extra] }) : markWords({ value: valueOf(extra) })}` : markWords(piece.both || piece.kind !== "coin" ? piece : piece.face === "front" ? { value: piece.value } : { suit: piece.suit });
}

/** All have chosen: what was secret, in one picture, until something else happens. @param {{effects: Happened[]}} props */
export function Uncovered({ effects }) {
  const shown = effects.flatMap(({ kind, seat, thing, facts }) => (kind === "reveal" && typeof seat === "number" && thing ? [{ seat, thing, off: facts?.cancelled || facts?.void }] : []));
  if (shown.length < 2) return null;
  return html`<section class="uncovered" role="status" aria-label=${say("uncovered")}><h2>${say("uncovered")}</h2><ul>${shown.map(({ seat, thing, off }) => html`<li key=${seat} class=${off ? "void" : ""}>
      <${Picture} piece=${{ ...thing, face: thing.kind === "coin" ? "back" : "front" }} /><span>${seatName(seat)}${off ? ` – ${say("uncovered.void")}` : ""}</span></li>`)}</ul></section>`;
}

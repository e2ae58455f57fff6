// @ts-check
// The drawn board: the layout as SVG, every place a labelled, focusable control; arrows move the focus.
import { html } from "../html.js";
import { useState } from "../../vendor/hooks.js";
import { asked, board, hints, legal, picked, shown, targets } from "../state.js";
import { carry, tap } from "../doing.js";
import { seatName } from "../seats.js";
import { say } from "../words.js";
import { marksOf } from "../effects.js";
import { pieceWords } from "../things.js";
import { Piece } from "./piece.js";

export function Board() {
  const [zoom, setZoom] = useState(1);
  const layout = shown.value;
  if (!layout) return null;
  const pieces = layout.pieces;
  const open = picked.value !== null && !board.value.complete;
  const box = frame(pieces, layout.places, open ? 3.2 : 1.3);
  const marks = asked.value?.ok ? marksOf(asked.value.effects) : [];
  return html`<section class="board" aria-label=${say("board")}>
    <div class="pan" tabindex="-1"><svg viewBox=${box.join(" ")} style=${{ "--zoom": zoom, "--ratio": box[2] / box[3] }} role="group" aria-label=${say("board")} onKeyDown=${arrows}>
      ${open && html`<rect x=${box[0]} y=${box[1]} width=${box[2]} height=${box[3]} class="ground" onClick=${lay} />`}
      ${pieces.filter((/** @type {any} */ p) => p.zone === "board").map(Piece)}
      ${layout.borders.map(border)}
      ${edges(layout.places, box).map(Edge)}
      ${marks.map(Mark)}
      ${layout.places.map((/** @type {any} */ place) => Cell(place, pieces))}
      ${loose(layout).map((/** @type {any} */ piece) => Loose(piece))}
    </svg></div>
    <div class="zoom">
      <button onClick=${() => setZoom(Math.min(5, zoom * 1.4))} aria-label=${say("zoom_in")}>+</button>
      <button onClick=${() => setZoom(Math.max(1, zoom / 1.4))} aria-label=${say("zoom_out")}>−</button>
      <button onClick=${() => setZoom(1)}>${say("fit")}</button>
    </div>
    ${Zones(pieces)}
  </section>`;
}

/** A small board for a choice: drawn, not touched. @param {{layout: any, effects: any[], label: string}} props */
export function Mini({ layout, effects, label }) {
  const box = frame(layout.pieces, layout.places);
  return html`<svg class="mini" viewBox=${box.join(" ")} ...${label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" }}>
    ${layout.pieces.filter((/** @type {any} */ p) => p.zone === "board").map(Piece)}${layout.borders.map(border)}${marksOf(effects).map(Mark)}</svg>`;
}

/** A free spot of a table without a grid. @param {MouseEvent} event */
function lay(event) {
  const svg = /** @type {SVGSVGElement} */ (/** @type {Element} */ (event.currentTarget).closest("svg"));
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM()?.inverse());
  carry(/** @type {string} */ (picked.value), at.x, -at.y);
}

/** @param {any[]} pieces @param {any[]} places @param {number} [room] */
function frame(pieces, places, room = 1.3) {
  const board = pieces.filter((p) => p.zone === "board").map((p) => p.position);
  const spots = [...board, ...places.map((p) => p.position)];
  if (!spots.length) return [-4, -4, 8, 8];
  const [xs, ys] = [spots.map((p) => p[0]), spots.map((p) => -p[1])];
  const [left, top] = [Math.min(...xs) - room, Math.min(...ys) - room];
  return [left, top, Math.max(...xs) - left + room, Math.max(...ys) - top + room];
}

/** What an action would do, drawn before it is done: a ring where something comes, a cross where something falls.
 * @param {any} mark @param {number} i */
function Mark(mark, i) {
  const [x, y] = mark.position;
  const path = mark.kind === "comes" ? "M.6 0A.6 .6 0 1 1 -.6 0A.6 .6 0 1 1 .6 0Z" : "M-.5 -.5L.5 .5M.5 -.5L-.5 .5";
  return html`<path key=${i} d=${path} class="mark ${mark.kind}" transform="translate(${x} ${-y})" />`;
}

/** Where places are called like a1: the letters below the board and the numbers at its left.
 * @param {any[]} places @param {number[]} box @returns {{name: string, x: number, y: number}[]} */
function edges(places, [left, top, , height]) {
  if (!places.length || !places.every((p) => /^[a-z]\d+$/.test(p.name))) return [];
  const found = places.flatMap((p) => [
    { name: p.name[0], x: p.position[0], y: top + height - 0.35 },
    { name: p.name.slice(1), x: left + 0.35, y: -p.position[1] },
  ]);
  return [...new Map(found.map((edge) => [edge.name, edge])).values()];
}

/** @param {{name: string, x: number, y: number}} edge */
const Edge = ({ name, x, y }) => html`<text key=${`edge-${name}`} class="edge-name" x=${x} y=${y} aria-hidden="true">${name}</text>`;

/** @param {number[]} line */
const border = ([x1, y1, x2, y2]) => html`<line x1=${x1} y1=${-y1} x2=${x2} y2=${-y2} class="border" />`;

/** @param {any} place @param {any[]} pieces */
function Cell(place, pieces) {
  const [x, y] = place.position;
  const [w, h] = place.size;
  const here = pieces.filter((p) => p.place === place.name && p.zone === "board");
  return html`<g key=${place.name}><rect x=${x - w / 2} y=${-y - h / 2} width=${w} height=${h} class="cell ${marks(place.name)}"
    role="button" tabindex="0" data-name=${place.name} data-x=${x} data-y=${y} aria-label=${cellWords(place.name, here)}
    aria-pressed=${picked.value === place.name} onClick=${() => tap(place.name)} onKeyDown=${press(place.name)} /></g>`;
}

/** Pieces that an action names by themselves and that lie on no named place. @param {any} layout */
function loose(layout) {
  const named = new Set(legal.value.flatMap((/** @type {any} */ item) => item.touches));
  const places = new Set(layout.places.map((/** @type {any} */ p) => p.name));
  return layout.pieces.filter((/** @type {any} */ p) => p.zone === "board" && named.has(p.code) && !places.has(p.place));
}

/** @param {any} piece */
function Loose(piece) {
  const [x, y] = piece.position;
  const half = piece.kind === "tile" ? 0.95 : 0.45;
  return html`<rect key=${`loose-${piece.key}`} x=${x - half} y=${-y - half} width=${2 * half} height=${2 * half} class="cell ${marks(piece.code)}"
    role="button" tabindex="0" data-name=${piece.code} data-x=${x} data-y=${y} aria-label=${pieceWords(piece)}
    aria-pressed=${picked.value === piece.code} onClick=${() => tap(piece.code)} onKeyDown=${press(piece.code)} />`;
}

/** @param {string} name */
function marks(name) {
  const may = hints.value && legal.value.some((/** @type {any} */ item) => item.touches.includes(name));
  return `${picked.value === name ? "picked" : ""} ${targets.value.has(name) ? "target" : ""} ${may ? "hint" : ""}`;
}

/** @param {string} name */
const press = (name) => (/** @type {KeyboardEvent} */ event) => {
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    tap(name);
  }
};

/** @param {KeyboardEvent} event */
function arrows(event) {
  const step = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
  const from = /** @type {HTMLElement} */ (event.target).dataset;
  if (!step || !from.x) return;
  event.preventDefault();
  const svg = /** @type {Element} */ (event.currentTarget);
  const cells = /** @type {HTMLElement[]} */ ([...svg.querySelectorAll("[data-x]")]);
  nearest(cells, Number(from.x), Number(from.y), step)?.focus();
}

/** The next cell in a direction. @param {HTMLElement[]} cells @param {number} x @param {number} y @param {number[]} step */
function nearest(cells, x, y, [dx, dy]) {
  let [best, cost] = [/** @type {HTMLElement | null} */ (null), Infinity];
  for (const cell of cells) {
    const [ax, ay] = [Number(cell.dataset.x) - x, Number(cell.dataset.y) - y];
    const [along, across] = [ax * dx + ay * dy, Math.abs(ax * dy) + Math.abs(ay * dx)];
    if (along > 0.01 && along + 3 * across < cost) [best, cost] = [cell, along + 3 * across];
  }
  return best;
}

/** @param {string} name @param {any[]} here */
function cellWords(name, here) {
  const things = here.map(pieceWords).reverse().join(", ");
  return `${name}: ${things || say("empty")}`;
}

/** Hands, spent heaps and supplies as rows below the board. @param {any[]} pieces */
function Zones(pieces) {
  const keys = [...new Set(pieces.filter((p) => p.zone !== "board").map((p) => `${p.zone}|${p.seat ?? ""}`))];
  return html`<div class="zones">${keys.map((key) => {
    const [zone, seat] = key.split("|");
    const own = pieces.filter((p) => p.zone === zone && String(p.seat ?? "") === seat);
    const title = `${say(`zone.${zone}`)}${seat === "" ? "" : ` · ${seatName(Number(seat))}`}`;
    return html`<figure key=${key}><figcaption>${title}</figcaption>${own.map(Small)}</figure>`;
  })}</div>`;
}

/** @param {any} piece */
function Small(piece) {
  const half = { tile: 1.05, card: 1.8, coin: 0.42, die: 0.34, pawn: 0.45, pyramid: 0.75 }[/** @type {string} */ (piece.kind)] ?? 1;
  const flat = { ...piece, position: [0, 0], level: 0, angle_deg: 0 };
  const touchable = legal.value.some((/** @type {any} */ item) => item.touches.includes(piece.code));
  return html`<button key=${piece.key} class="small ${marks(piece.code)}" disabled=${!touchable} aria-label=${pieceWords(piece)}
    onClick=${() => tap(piece.code)}><svg viewBox="${-half} ${-half} ${2 * half} ${2 * half}" aria-hidden="true">${Piece(flat)}</svg></button>`;
}

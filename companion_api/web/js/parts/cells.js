// What of the board can be tapped: every place a labelled control; arrows move the focus, of which the board has one.
import { html, pressed } from "../html.js";
import { board, openActions, hints, picked, targets } from "../state.js";
import { tap } from "../actions.js";
import { say } from "../words.js";
import { pieceWords } from "../piece_names.js";
import { held } from "./move_preview.js";

/** @import { LaidPiece, NamedPlace } from "../answers" */
/** @typedef {{key: string, name: string, x: number, y: number, w: number, h: number, words: string, piece?: LaidPiece}}
 * Spot */

/** @param {NamedPlace} place @param {LaidPiece[]} pieces @returns {Spot} */
export function placeCell(place, pieces) {
  const here = pieces.filter((p) => p.place === place.name && p.zone === "board");
  return {
    key: place.name,
    name: place.name,
    x: place.position[0],
    y: place.position[1],
    w: place.size[0],
    h: place.size[1],
    words: cellWords(place.name, here),
    piece: here.filter((p) => p.kind !== "tile").at(-1) ?? here.at(-1),
  };
}

/** Pieces that an action names by themselves and that lie on no named place.
 * @param {import("../board_geometry.js").Layout} layout */
export function loosePieces(layout) {
  const named = new Set(openActions.value.flatMap((item) => item.touches));
  const places = new Set(layout.places.map((p) => p.name));
  return layout.pieces.filter((p) => p.zone === "board" && named.has(p.code) && !places.has(p.place));
}

/** @param {LaidPiece} piece @returns {Spot} */
export function looseCell(piece) {
  const side = piece.kind === "tile" ? 1.9 : 1;
  return {
    key: `loose-${piece.key}`,
    name: piece.code,
    x: piece.position[0],
    y: piece.position[1],
    w: side,
    h: side,
    words: pieceWords(piece),
    piece,
  };
}

/** What lies `aside` is too small for fingers and of no use now: it is read, not tapped.
 * @param {{cell: Spot, stop: boolean, aside: boolean}} props */
export function Cell({ cell, stop, aside }) {
  const { name, x, y, w, h } = cell;
  return html`<rect x=${x - w / 2} y=${-y - h / 2} width=${w} height=${h}
    class="cell ${marks(name)} ${grip(name) ? "grip" : ""} ${aside ? "aside" : ""}" role="button"
      tabindex=${stop ? 0 : -1} data-name=${name} data-x=${x} data-y=${y}
    aria-label=${cell.words} aria-pressed=${picked.value === name} onClick=${() => tap(name)}
      onPointerDown=${grip(name) ? (/** @type {PointerEvent} */ event) => lift(name, cell.piece, event) : null}
        onKeyDown=${pressed(() => tap(name))} />`;
}

/** A finger is put on it: perhaps it is dragged.
 * @param {string} name
 * @param {LaidPiece | undefined} piece
 * @param {PointerEvent} event */
export async function lift(name, piece, event) {
  held.value = true;
  const up = () => (held.value = false);
  addEventListener("pointerup", up, { once: true });
  addEventListener("pointercancel", up, { once: true });
  const drag = await import("./drag.js").catch(() => null);
  if (held.value) drag?.lift(name, piece, event);
}

/** Whether something can be done that begins with what lies there. @param {string} name */
export const grip = (name) => openActions.value.some((item) => item.touches[0] === name);

/** @param {string} name */
export function marks(name) {
  const { pending } = board.value;
  const blamed = pending?.verdict === "refused" && pending.blamed?.includes(name);
  const may = hints.value && openActions.value.some((item) => item.touches.includes(name));
  const marked = { picked: picked.value === name, target: targets.value.has(name), hint: may, blamed };
  return Object.entries(marked).flatMap(([mark, is]) => (is ? mark : [])).join(" ");
}

/** @param {KeyboardEvent} event */
export function arrows(event) {
  const step = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
  const from = /** @type {HTMLElement} */ (event.target).dataset;
  if (!step || !from.x) return;
  event.preventDefault();
  const svg = /** @type {Element} */ (event.currentTarget);
  const cells = /** @type {HTMLElement[]} */ ([...svg.querySelectorAll("[data-x]")]);
  nearest(cells, Number(from.x), Number(from.y), step)?.focus();
}

/** The next cell in a direction.
 * @param {HTMLElement[]} cells
 * @param {number} x
 * @param {number} y
 * @param {number[]} step */
function nearest(cells, x, y, [dx, dy]) {
  let [best, cost] = [/** @type {HTMLElement | null} */ (null), Infinity];
  for (const cell of cells) {
    const [ax, ay] = [Number(cell.dataset.x) - x, Number(cell.dataset.y) - y];
    const [along, across] = [ax * dx + ay * dy, Math.abs(ax * dy) + Math.abs(ay * dx)];
    if (along > 0.01 && along + 3 * across < cost) [best, cost] = [cell, along + 3 * across];
  }
  return best;
}

/** @param {string} name @param {LaidPiece[]} here */
function cellWords(name, here) {
  const things = here.map(pieceWords).reverse().join(", ");
  return `${name}: ${things || say("empty")}`;
}

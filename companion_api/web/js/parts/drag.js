// A piece is dragged: a ghost of it follows the finger and snaps to where it may go. Whatever a drag does, two taps do
// too.
import { carry, tap } from "../actions.js";
import { drawn, tableSpot } from "../board_geometry.js";
import { board, clearSelection, tapMeanings, notice, past, picked, pose, targets } from "../state.js";
import { dragged, held, spotsFor } from "./move_preview.js";

/** @typedef {import("./move_preview.js").Dragged} Dragged */

/** So many pixels make a drag of a tap, and so far in spaces a place draws the ghost to itself. */
const [MOVED, DRAWS] = [8, 1.2];

/** A finger or the mouse is put on a piece that something can be done with.
 * @param {string} name
 * @param {import("../answers").LaidPiece | undefined} piece
 * @param {PointerEvent} down */
export function lift(name, piece, down) {
  if (past.value || down.button !== 0 || !piece) return;
  const svg = /** @type {SVGSVGElement | null} */ (document.querySelector(".board .pan > svg"));
  if (!svg) return;
  const wait = new AbortController();
  held.value = true;
  const follow = (/** @type {PointerEvent} */ event) => {
    if (event.pointerId !== down.pointerId) return;
    if (!dragged.value && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < MOVED) return;
    if (!dragged.value) pick(name);
    dragged.value = where(svg, piece, name, event);
  };
  const end = (/** @type {PointerEvent} */ event) => {
    if (event.pointerId !== down.pointerId) return;
    wait.abort();
    held.value = false;
    const drop = dragged.value;
    dragged.value = null;
    if (!drop) return;
    addEventListener("click", stopEvent, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", stopEvent, { capture: true }), 50);
    if (event.type === "pointerup") laid(name, drop);
  };
  addEventListener("pointermove", follow, { signal: wait.signal });
  addEventListener("pointerup", end, { signal: wait.signal });
  addEventListener("pointercancel", end, { signal: wait.signal });
}

/** The click that ends a drag is none. @param {Event} event */
const stopEvent = (event) => event.stopPropagation();

/** @param {string} name */
function pick(name) {
  clearSelection();
  notice.value = null;
  picked.value = name;
}

/** Where the ghost is: at a place or a free spot that it may go to and that is near, or else under the finger.
 * @param {SVGSVGElement} svg
 * @param {import("../answers").LaidPiece} piece
 * @param {string} name
 * @param {PointerEvent} event
 * @returns {Dragged} */
function where(svg, piece, name, event) {
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM()?.inverse());
  const [from] = drawn({ pieces: [piece], places: [], borders: [] }, pose.value).pieces;
  const off = svg.viewBox.baseVal;
  const outside = x < off.x || x > off.x + off.width || y < off.y || y > off.y + off.height;
  const near = outside ? null : nearest(name, x, -y);
  return {
    piece: { ...from, zone: "board", level: 0 },
    x: near?.x ?? x,
    y: near?.y ?? -y,
    onto: near?.name ?? under(svg, x, -y),
    free: !outside && !board.value.complete,
  };
}

/** @param {string} name @param {number} x @param {number} y */
function nearest(name, x, y) {
  const cells = [...document.querySelectorAll(".board .cell[data-name]")].map(
    (cell) => /** @type {SVGElement} */ (cell).dataset,
  );
  const places = cells
    .filter((cell) => targets.value.has(cell.name ?? ""))
    .map((cell) => ({ name: cell.name ?? null, x: Number(cell.x), y: Number(cell.y) }));
  const spots = spotsFor(board.value.complete ? null : name, pose.value).map((spot) => ({
    name: null,
    x: spot[0],
    y: spot[1],
  }));
  const far = (/** @type {{x: number, y: number}} */ spot) => Math.hypot(spot.x - x, spot.y - y);
  const found = [...places, ...spots].sort((a, b) => far(a) - far(b))[0];
  return found && far(found) < DRAWS ? found : null;
}

/** The cell there, wherever it may go. @param {SVGSVGElement} svg @param {number} x @param {number} y */
function under(svg, x, y) {
  const cells = /** @type {SVGRectElement[]} */ ([...svg.querySelectorAll(".cell[data-name]")]);
  const found = cells.find(
    (cell) =>
      Math.abs(Number(cell.dataset.x) - x) < cell.width.baseVal.value / 2 &&
      Math.abs(Number(cell.dataset.y) - y) < cell.height.baseVal.value / 2,
  );
  return found?.dataset.name ?? null;
}

/** It is let go: what two taps would have asked is asked. @param {string} name @param {Dragged} drop */
function laid(name, drop) {
  tapMeanings.value = [];
  picked.value = name; // the table may have changed under the finger
  if (drop.onto === name) return clearSelection();
  if (drop.onto && (targets.value.has(drop.onto) || !drop.free)) return void tap(drop.onto);
  if (!drop.free) return clearSelection();
  const [east, north] = tableSpot(drop.x, drop.y, pose.value);
  carry(name, east, north);
}

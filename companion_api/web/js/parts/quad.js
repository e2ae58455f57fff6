// Four corners on the camera's picture: tapped, dragged, or moved by arrow keys.
import { html, polygon, typed } from "../html.js";
import { useState } from "../../vendor/hooks.js";
import { say } from "../words.js";
import { sizeOf } from "./evidence.js";

/** @typedef {import("../board_geometry.js").Spot} Spot */

const STEP = 4;

/** The picture with corners that can be set and moved; `points` are pixels of the picture.
 * @param {{points: Spot[], change: (points: Spot[], size: number[]) => void, others?: {points: number[][], label:
 * string}[]}} props */
export function Quad({ points, change, others = [] }) {
  const [stamp] = useState(Date.now());
  const [size, setSize] = useState([1, 1]);
  const [held, setHeld] = useState(-1);
  const inside = (/** @type {number} */ n, /** @type {number} */ axis) => Math.min(size[axis], Math.max(0, n));
  /** @param {MouseEvent} e @returns {Spot} */
  const at = (e) => {
    const box = /** @type {Element} */ (
      /** @type {Element} */ (e.currentTarget).closest(".picture")
    ).getBoundingClientRect();
    return [
      Math.round(inside(((e.clientX - box.left) / box.width) * size[0], 0)),
      Math.round(inside(((e.clientY - box.top) / box.height) * size[1], 1)),
    ];
  };
  const put = (/** @type {number} */ i, /** @type {Spot} */ point) =>
    change(points.map((p, k) => (k === i ? point : p)), size);
  const add = (/** @type {MouseEvent} */ e) => points.length < 4 && change([...points, at(e)], size);
  const nudge = (/** @type {number} */ i) => (/** @type {KeyboardEvent} */ e) => {
    const way = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[e.key];
    if (!way) return;
    e.preventDefault();
    put(i, [inside(points[i][0] + way[0] * STEP, 0), inside(points[i][1] + way[1] * STEP, 1)]);
  };
  const drag = (/** @type {PointerEvent} */ e) => held >= 0 && put(held, at(e));
  return html`<div class="picture quad" onClick=${add} onPointerMove=${drag} onPointerUp=${() => setHeld(-1)}
    onPointerCancel=${() => setHeld(-1)}>
    <img src=${`api/camera/picture?${stamp}`} alt=${say("camera.picture")}
    onLoad=${(/** @type {Event} */ e) => setSize(sizeOf(e))} />
    <svg viewBox=${`0 0 ${size.join(" ")}`} aria-hidden="true">
      ${others.map((other, i) => html`<g key=${i} class="seen other"><polygon points=${polygon(other.points)} />
      <text x=${middle(other.points, 0)} y=${middle(other.points, 1)}>${other.label}</text></g>`)}
      <g class="seen"><polygon points=${polygon(points)} /></g></svg>
    ${points.map(([x, y], i) => html`<button key=${i} type="button" class="corner" data-corner=${i}
        aria-label=${say("corners.corner", { n: i + 1, x, y })} onKeyDown=${nudge(i)}
      style=${{ left: `${(100 * x) / size[0]}%`, top: `${(100 * y) / size[1]}%` }}
      onClick=${(/** @type {Event} */ e) => e.stopPropagation()}
        onPointerDown=${(/** @type {PointerEvent} */ e) => {
          e.preventDefault();
          /** @type {HTMLElement} */ (e.currentTarget).focus();
          setHeld(i);
        }}>
          ${i + 1}</button>`)}</div>`;
}

/** @param {number[][]} points @param {number} axis */
const middle = (points, axis) => points.reduce((sum, p) => sum + p[axis], 0) / Math.max(1, points.length);

/** Where the tiles do not say where the table is: four corners of a rectangle of known size, dragged or typed.
 * @param {{send: (body: import("../answers").MeasurePlane) => void}} props */
export function Corners({ send }) {
  const [open, setOpen] = useState(0);
  const [points, setPoints] = useState(/** @type {[number, number][]} */ ([]));
  const [size, setSize] = useState([210, 297]);
  const read = typed((text) => {
    const numbers = text.match(/\d+(\.\d+)?/g)?.map(Number) ?? [];
    setPoints([0, 1, 2, 3].filter((i) => numbers.length > 2 * i + 1).map((i) => [numbers[2 * i], numbers[2 * i + 1]]));
  });
  const side = (/** @type {number} */ i) => html`<label>${say(i ? "corners.height" : "corners.width")}
    <input type="number" min="20" max="3000" value=${size[i]}
    onInput=${typed((text) => setSize(Object.assign([...size], { [i]: Number(text) })))} /></label>`;
  if (!open) return html`<button onClick=${() => setOpen(1)}>${say("corners")}</button>`;
  return html`<div role="group" aria-label=${say("corners")}><p>${say("corners.how")}</p>
    <${Quad} key=${open} points=${points} change=${setPoints} />
    <label>${say("corners.typed")}
    <input value=${points.map((p) => p.join(",")).join(" ")} onChange=${read}
    placeholder="100,80 900,90 950,600 60,590" /></label>
    <div class="row">${side(0)}${side(1)}
    <button disabled=${points.length !== 4}
    onClick=${() => send({ corners: points, width: size[0], height: size[1] })}>${say("wizard.keep")}</button>
      <button onClick=${() => (setPoints([]), setOpen(open + 1))}>${say("again")}</button></div></div>`;
}

// @ts-check
// Where the tiles do not say where the table is: four corners of a rectangle of known size, dragged or typed.
import { html, typed } from "../html.js";
import { useState } from "../../vendor/hooks.js";
import { say } from "../words.js";
import { Quad } from "./quad.js";

/** @param {{send: (body: import("../answers").MeasurePlane) => void}} props */
export function Corners({ send }) {
  const [open, setOpen] = useState(0);
  const [points, setPoints] = useState(/** @type {[number, number][]} */ ([]));
  const [size, setSize] = useState([210, 297]);
  const read = typed((text) => {
    const numbers = text.match(/\d+(\.\d+)?/g)?.map(Number) ?? [];
    setPoints([0, 1, 2, 3].filter((i) => numbers.length > 2 * i + 1).map((i) => [numbers[2 * i], numbers[2 * i + 1]]));
  });
  const side = (
    /** @type {number} */ i,
  ) => html`<label>${say(i ? "corners.height" : "corners.width")}
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

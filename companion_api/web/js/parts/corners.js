// @ts-check
// Where the tiles do not say where the table is: four corners of a rectangle of known size, tapped or typed.
import { html } from "../html.js";
import { useState } from "../../vendor/hooks.js";
import { say } from "../words.js";

/** @param {{send: (body: object) => void}} props */
export function Corners({ send }) {
  const [stamp, setStamp] = useState(0);
  const [points, setPoints] = useState(/** @type {number[][]} */ ([]));
  const [size, setSize] = useState([210, 297]);
  const [pixels, setPixels] = useState([1, 1]);
  const tap = (/** @type {any} */ e) => {
    const box = e.currentTarget.getBoundingClientRect();
    const at = [((e.clientX - box.left) / box.width) * pixels[0], ((e.clientY - box.top) / box.height) * pixels[1]];
    setPoints([...points.slice(points.length >= 4 ? 4 : 0), at.map(Math.round)]);
  };
  const typed = (/** @type {any} */ e) => {
    const numbers = e.target.value.match(/\d+(\.\d+)?/g)?.map(Number) ?? [];
    setPoints([0, 1, 2, 3].map((i) => numbers.slice(2 * i, 2 * i + 2)).filter((p) => p.length === 2));
  };
  const side = (/** @type {number} */ i) => html`<label>${say(i ? "corners.height" : "corners.width")}<input type="number" min="20" max="3000" value=${size[i]}
    onInput=${(/** @type {any} */ e) => setSize(Object.assign([...size], { [i]: Number(e.target.value) }))} /></label>`;
  if (!stamp) return html`<button onClick=${() => setStamp(Date.now())}>${say("corners")}</button>`;
  return html`<div role="group" aria-label=${say("corners")}><p>${say("corners.how")}</p>
    <div class="picture" onClick=${tap}><img src=${`api/camera/picture?${stamp}`} alt=${say("camera.picture")} onLoad=${(/** @type {any} */ e) => setPixels([e.target.naturalWidth, e.target.naturalHeight])} />
      <svg viewBox=${`0 0 ${pixels.join(" ")}`} aria-hidden="true"><g class="seen"><polygon points=${points.map((p) => p.join(",")).join(" ")} /></g></svg></div>
    <label>${say("corners.typed")}<input value=${points.map((p) => p.join(",")).join(" ")} onChange=${typed} placeholder="100,80 900,90 950,600 60,590" /></label>
    <div class="row">${side(0)}${side(1)}<button disabled=${points.length !== 4} onClick=${() => send({ corners: points, width: size[0], height: size[1] })}>${say("wizard.keep")}</button>
      <button onClick=${() => (setPoints([]), setStamp(Date.now()))}>${say("again")}</button></div></div>`;
}

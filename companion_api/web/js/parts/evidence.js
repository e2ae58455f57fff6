// A kept photograph: close to where something happened, the whole of it on a tap.
import { html } from "../html.js";
import { useRef, useState } from "../../vendor/hooks.js";
import { say } from "../words.js";

/** @param {{name: string, box?: number[] | null, words: string}} props `box`: left, top, width and height in its
 * pixels */
export function Photo({ name, box, words }) {
  const whole = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const address = `api/evidence/${name}`;
  const { close, style, onLoad } = useClose(box);
  return html`<figure class="photograph">
    <button class="look" aria-label=${say("picture.large", { what: words })}
    onClick=${() => whole.current?.showModal()}>
      <span class="crop" style=${close ? { aspectRatio: `${close[2]} / ${close[3]}` } : {}}>
      <img src=${address} alt=${words} onLoad=${onLoad} style=${style} /></span></button>
    <figcaption>${words}</figcaption>
    <dialog ref=${whole} aria-label=${words} onClick=${() => whole.current?.close()}>
    <img src=${address} alt=${words} loading="lazy" /><button>${say("ok")}</button></dialog></figure>`;
}

/** A kept photograph in a line of the log: only where something happened.
 * @param {{name: string, box?: number[] | null}} props */
export function Thumb({ name, box }) {
  const { style, onLoad } = useClose(box);
  return html`<span class="thumb"><img src=${`api/evidence/${name}`} alt="" loading="lazy" onLoad=${onLoad}
    style=${style} /></span>`;
}

/** How a picture is moved so that its box fills the room that it has, once it is there.
 * @param {number[] | null | undefined} box */
function useClose(box) {
  const [size, setSize] = useState(/** @type {number[] | null} */ (null));
  const close = box && size && within(box, size);
  const onLoad = (/** @type {Event} */ event) => setSize(sizeOf(event));
  return { close, onLoad, style: close ? moved(close, /** @type {number[]} */ (size)) : {} };
}

/** How large a picture is that has come. @param {Event} event @returns {number[]} */
export function sizeOf(event) {
  const picture = /** @type {HTMLImageElement} */ (event.target);
  return [picture.naturalWidth, picture.naturalHeight];
}

/** The box, no larger than the picture and no thinner than a picture should be.
 * @param {number[]} box
 * @param {number[]} size */
function within([left, top, width, height], [across, down]) {
  const [w, h] = [Math.min(across, Math.max(width, height * 0.75)), Math.min(down, Math.max(height, width * 0.75))];
  const [x, y] = [left + width / 2 - w / 2, top + height / 2 - h / 2];
  return [Math.max(0, Math.min(across - w, x)), Math.max(0, Math.min(down - h, y)), w, h];
}

/** @param {number[]} box @param {number[]} size */
const moved = ([left, top, width, height], [across, down]) => ({
  position: "absolute",
  maxWidth: "none",
  width: `${(100 * across) / width}%`,
  left: `${(-100 * left) / width}%`,
  top: `${(-100 * top) / height}%`,
  height: `${(100 * down) / height}%`,
});

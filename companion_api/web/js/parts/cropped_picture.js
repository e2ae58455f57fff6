// The camera's picture cropped to the table, with what is drawn over it in the picture's own pixels.
import { html } from "../html.js";
import { say } from "../words.js";

/** So much of the table's size is left round about. */
const ROOM = 0.08;

/** What all outlines lie in, with some room, within the picture.
 * @param {number[][][]} outlines
 * @param {number} width
 * @param {number} height */
function tableOf(outlines, width, height) {
  const points = outlines.flat();
  if (points.length < 3) return [0, 0, width, height];
  const [xs, ys] = [0, 1].map((axis) => points.map((point) => point[axis]));
  const room = ROOM * Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
  const [left, top] = [Math.max(0, Math.min(...xs) - room), Math.max(0, Math.min(...ys) - room)];
  return [left, top, Math.min(width, Math.max(...xs) + room) - left, Math.min(height, Math.max(...ys) + room) - top];
}

/** @param {{stamp: number, width: number, height: number, outlines: number[][][], children?: unknown}} props */
export function Cropped({ stamp, width, height, outlines, children }) {
  const box = tableOf(outlines, width, height);
  return html`<svg class="cropped" viewBox=${box.join(" ")} role="img" aria-label=${say("camera.picture")}
    style=${{ "--px": `${box[2] / 100}px` }}>
      <image href=${`api/camera/picture?${stamp}`} width=${width} height=${height} />${children}</svg>`;
}

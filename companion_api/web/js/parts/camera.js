// The camera's picture with what was recognised drawn over it.
import { html, polygon } from "../html.js";
import { signal } from "../../vendor/signals.js";
import { cameraView, useEvery } from "../fetched.js";
import { wordOrNull, say } from "../words.js";
import { pieceWords, valueSign } from "../piece_names.js";
import { board } from "../state.js";
import { PhoneCamera, Photo } from "./phone_camera.js";

/** @import { SeenPiece } from "../answers" */
/** @import { Seen } from "../fetched.js" */

const EVERY_MS = 1000;
/** Kept while other tabs are looked at: whoever comes back finds the buttons where they were. */
const seen = signal(/** @type {Seen | null} */ (null));

/** A camera of this computer. */
export const NUMBER = /^\d+$/;

/** @param {string} source */
export const cameraWords = (source) =>
  NUMBER.test(source) ? say("camera.number", { n: source }) : (wordOrNull(`camera.${source}`) ?? source);

export function Camera() {
  useEvery(async () => void (seen.value = await cameraView()), EVERY_MS);
  const mayAct = ["host", "player"].includes(board.value.you.role);
  return html`<section class="camera"><div class="view">
    ${seen.value ? RecognisedPieces(seen.value)
      : html`<div class="picture nothing">${say("camera.none")}</div><p>\u00a0</p>`}
    </div>
    <div class="tools">
    ${mayAct && html`<div><${Photo} /></div><div><${PhoneCamera} /></div>`}</div></section>`;
}

/** @param {Seen} picture */
function RecognisedPieces({ width, height, pieces, stamp }) {
  return html`<div class="picture">
    <img src=${`api/camera/picture?${stamp}`} width=${width} height=${height} alt=${say("camera.picture")} />
    <svg viewBox="0 0 ${width} ${height}" aria-hidden="true">${pieces.map(Outline)}</svg></div>
    <p>${say("camera.count", { n: pieces.length })}</p>`;
}

/** @param {SeenPiece} piece @param {number} index */
function Outline(piece, index) {
  const [x, y] = piece.center_px;
  return html`<g key=${index} class="seen ${piece.confidence < 0.8 ? "doubt" : ""}">
    <polygon points=${polygon(piece.outline_px)} />
    <text x=${x} y=${y}>${short(piece)}</text><title>${pieceWords(piece)}</title></g>`;
}

/** @param {SeenPiece} piece */
const short = (piece) => (piece.suit ?? "").slice(0, 1).toUpperCase() + valueSign(piece.value);

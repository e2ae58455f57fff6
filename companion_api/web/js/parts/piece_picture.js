// @ts-check
// A choice, or a thing that is spoken of, as a drawn piece.
import { html } from "../html.js";
import { Piece } from "./piece.js";

/** @import { Kind, LaidPiece, Picture as Pictured } from "../answers" */
/** @typedef {{kind: Kind, suit?: string | null, value?: string | null, mark?: string | null, face?: "front" | "back"
 * | null}} Looks */

/** @type {Record<string, number>} */
const SIDE = { tile: 1.05, card: 1.85, coin: 0.42, die: 0.42, pawn: 0.52, pyramid: 0.75 };

/** @param {{piece: Pictured | Looks | LaidPiece}} props */
export function Picture({ piece }) {
  const side = SIDE[piece.kind];
  const box = [-side, -side, 2 * side, 2 * side].join(" ");
  const laid = /** @type {import("./piece.js").Laid} */ ({
    ...piece,
    key: "picture",
    position: [0, 0],
    angle_deg: 0,
    level: 0,
  });
  return html`<svg class="picture-of" viewBox=${box} aria-hidden="true">${Piece(laid)}</svg>`;
}

// One piece, drawn as it lies. Units are spaces; y points up on the table and down in SVG.
import { html } from "../html.js";
import { Suit } from "../glyphs.js";
import { photos } from "../state.js";

const SHORT = { null: "", ace: "", 2: "2", 3: "3", 4: "4", 5: "5" };
/** The ace of a coin is a spiral; drawn, since not every phone has a letter for it. */
const SPIRAL =
  "M.02 0A.05 .05 0 0 1 -.08 0A.09 .09 0 0 1 .1 0A.12 .12 0 0 1 -.14 0A.155 .155 0 0 1 .17 0A.18 .18 0 0 1 -.19 0";

/** Half of what coins, dice, cards and the bases of pyramids measure: rules/pieces/sizes.py, which a test compares. */
const HALF = {
  coin: 0.375,
  die: 0.25,
  wide: 1.25,
  high: 1.75,
  small: 0.28,
  medium: 0.39,
  large: 0.5,
  A: 0.25,
  B: 0.28,
  C: 0.32,
  D: 0.35,
  E: 0.39,
  F: 0.42,
};

/** @import { Kind, LaidPiece, Picture as Pictured } from "../answers" */
/** @typedef {Partial<LaidPiece> & Pick<LaidPiece, "key" | "kind" | "position" | "angle_deg"> &
 * {covered?: boolean}} Laid a piece, or a picture of one, of which not all is known */

/** @param {Laid} piece @param {string} [how] it is drawn: a ghost, leaving, moving */
export function Piece(piece, how = "") {
  const [x, y] = piece.position;
  const draw = DRAW[piece.kind];
  const lift = Math.min(piece.level ?? 0, 8) * 0.05;
  const own = photos.value?.(piece);
  return html`<g key=${how === "ghost" ? `ghost ${piece.key}` : piece.key}
    class="piece ${piece.kind} ${piece.face ?? ""} ${how}"
    transform="translate(${x + lift} ${-y - lift}) rotate(${-piece.angle_deg})">${draw(piece)}
      ${own && photograph(own, piece)}</g>`;
}

/** Over the drawn one, which is there until it has come. @param {string} own @param {Laid} piece */
function photograph(own, piece) {
  const half = piece.kind === "tile" ? 0.96 : 0.37;
  return html`<image href=${own} x=${-half} y=${-half} width=${2 * half} height=${2 * half} class="own" />
    ${leaning(piece)}`;
}

const DRAW = { tile, coin, die, pawn, pyramid, card };

/** @param {Laid} p */
function tile(p) {
  const slope = p.lean?.some((n) => n !== 0) ? " leaning" : "";
  const body = html`<rect x="-0.97" y="-0.97" width="1.94" height="1.94" rx="0.08" class="body${slope}" />`;
  if (p.face !== "front") return html`${body}<path d="M0 -.9V.9M-.9 0H.9" class="cross" />${leaning(p)}`;
  if (p.covered)
    return html`${body}${Suit(p.suit, -0.72, -0.67, 0.19)}<g transform="translate(-.31 -.67)">
      ${text(p.value === "ace" ? "A" : SHORT[/** @type {keyof typeof SHORT} */ (p.value)], 0.5, p.suit)}</g>
      ${leaning(p)}`;
  const middle =
    p.value === "ace" ? Suit(p.suit, 0, 0, 0.5) : text(SHORT[/** @type {keyof typeof SHORT} */ (p.value)], 1.1, p.suit);
  return html`${body}${Suit(p.suit, -0.68, -0.68, 0.17)}${middle}${leaning(p)}`;
}

/** An arrow towards the low side. @param {Laid} p */
function leaning(p) {
  const [east, north] = p.lean ?? [0, 0];
  if (!east && !north) return null;
  const angle = (Math.atan2(north, -east) * 180) / Math.PI;
  return html`<path d="M.5 0L.8 0M.7 -.12L.85 0L.7 .12" class="lean" transform="rotate(${angle})" />`;
}

/** @param {Laid} p */
function coin(p) {
  const body = html`<circle r=${HALF.coin} class="body" /><path d="M0 -.36V-.27" class="tick" />`;
  if (p.face === "back") return html`${body}${Suit(p.suit, 0, 0, 0.2)}`;
  if (p.value === "ace") return html`${body}<path d=${SPIRAL} class="spiral" />`;
  return html`${body}${text(p.value ? SHORT[/** @type {keyof typeof SHORT} */ (p.value)] : "?", 0.46, "")}`;
}

/** @param {Laid} p */
function die(p) {
  const face =
    p.value === "ace"
      ? html`<g class="on">${Suit(p.suit, 0, 0, 0.15)}</g>`
      : html`<g class="on">${Suit(p.suit, -0.15, -0.15, 0.07)}</g><g transform="translate(.03 .03)">
      ${text(p.value ? SHORT[/** @type {keyof typeof SHORT} */ (p.value)] : "", 0.36, "on")}</g>`;
  return html`<rect x=${-HALF.die} y=${-HALF.die} width=${2 * HALF.die} height=${2 * HALF.die} rx="0.06"
    class="body fill ${p.suit}" />${face}`;
}

/** @param {Laid} p */
function pawn(p) {
  return html`<path d="M-.3 .3C-.3 .05 -.12 .05 -.1 -.12A.2 .2 0 1 1 .1 -.12C.12 .05 .3 .05 .3 .3Z"
    class="body fill ${p.suit}" />
    <g class="on">${Suit(p.suit, 0, 0.14, 0.1)}</g>`;
}

/** @param {Laid} p */
function pyramid(p) {
  const half = HALF[/** @type {keyof typeof HALF} */ (p.size)] ?? HALF.medium;
  const label = /^[A-F]$/.test(p.size ?? "")
    ? p.size
    : { small: "1", medium: "2", large: "3" }[/** @type {string} */ (p.size)];
  const colour = p.suit ?? "other";
  if (p.pose === "flat") {
    return html`<path d="M${-half} ${half}L0 ${-half * 1.5}L${half} ${half}Z" class="body fill ${colour}" />
      ${text(label, half, "on")}`;
  }
  return html`<rect x=${-half} y=${-half} width=${2 * half} height=${2 * half} class="body fill ${colour}" />
    <path d="M${-half} ${-half}L${half} ${half}M${half} ${-half}L${-half} ${half}" class="edge" />
    ${text(label, half, "on")}`;
}

/** @param {Laid} p */
function card(p) {
  return html`<rect x=${-HALF.wide} y=${-HALF.high} width=${2 * HALF.wide} height=${2 * HALF.high} rx="0.15"
    class="body" /><g transform="translate(0 ${p.covered ? -1.25 : 0})">
    ${text(p.face === "back" ? "" : (p.mark ?? "?"), p.covered ? 0.6 : 0.8, "")}</g>`;
}

/** @param {string | null | undefined} content @param {number} size @param {string | null | undefined} suit */
function text(content, size, suit) {
  return html`<text class="value ${suit}" font-size=${size} y=${size * 0.36}>${content}</text>`;
}

/** @typedef {{kind: Kind, suit?: string | null, value?: string | null, mark?: string | null, face?: "front" | "back"
 * | null}} Looks */

/** @type {Record<string, number>} */
const SIDE = { tile: 1.05, card: 1.85, coin: 0.42, die: 0.42, pawn: 0.52, pyramid: 0.75 };

/** @param {{piece: Pictured | Looks | LaidPiece}} props */
export function Picture({ piece }) {
  const side = SIDE[piece.kind];
  const box = [-side, -side, 2 * side, 2 * side].join(" ");
  const laid = /** @type {Laid} */ ({
    ...piece,
    key: "picture",
    position: [0, 0],
    angle_deg: 0,
    level: 0,
  });
  return html`<svg class="picture-of" viewBox=${box} aria-hidden="true">${Piece(laid)}</svg>`;
}

// Pieces in words, in the language of the page.
import { turnedVector } from "./board_geometry.js";
import { board, pose } from "./state.js";
import { wordOrNull, say } from "./words.js";

/** @import { Kind, LaidPiece, Size, Suit } from "./answers" */
/** @typedef {{suit?: string | null, value?: string | null, size?: Size | null, mark?: string | null}} Sign what is
 * drawn on a thing */
/** @typedef {Sign & {kind: Kind}} Named */

/** As it lies: what its visible side shows. @param {Named & {face?: string | null}} piece */
export function pieceWords(piece) {
  const shown = { ...piece };
  if (piece.kind === "coin" && piece.face === "back") shown.value = null;
  if (piece.kind === "coin" && piece.face === "front") shown.suit = null;
  if (piece.kind === "tile" && piece.face === "back") shown.value = shown.suit = null;
  return thingWords(shown);
}

/** What it is. @param {Named} thing */
export function thingWords(thing) {
  const bare = thing.suit && !thing.value && !thing.size;
  return say(bare ? "piece.suit" : "piece.words", { kind: say(`kind.${thing.kind}`), what: markWords(thing) }).trim();
}

/** What is drawn on it. @param {Sign} thing */
export function markWords(thing) {
  const size = thing.size && say(`size.${thing.size}`);
  const value = thing.value && wordOrNull(`value.${thing.value}`);
  const suit = thing.suit && say(`suit.${thing.suit}`);
  const mark = value && suit ? say("piece.mark", { value, suit }) : value || suit;
  return [size, mark, thing.mark].filter(Boolean).join(" ");
}

const WAYS = /** @type {Record<string, string>} */ ({
  "1,1": "↗",
  "-1,1": "↖",
  "1,-1": "↘",
  "-1,-1": "↙",
  "1,0": "→",
  "-1,0": "←",
  "0,1": "↑",
  "0,-1": "↓",
});

/** A place. Where places have only numbers, people say on which tile or card it is and in which corner of it, or beside
 * which. @param {{place?: string | null, called?: string | null}} value */
export const placeWords = ({ place, called }) =>
  (place && board.value?.game.by_tiles && cellTile(place)) || (called ?? place ?? "");

/** Whether what is told is of an earlier table: tiles may lie elsewhere by now, and places go by their own names. */
let earlier = false;

/** @template T @param {boolean} past @param {() => T} tell @returns {T} */
export function withEarlierTable(past, tell) {
  earlier = past;
  try {
    return tell();
  } finally {
    earlier = false;
  }
}

/** @param {string} cell */
function cellTile(cell) {
  if (earlier) return null;
  const { places, pieces } = board.value?.layout ?? { places: [], pieces: [] };
  const at = places.find((place) => place.name === cell)?.position;
  if (!at) return null;
  const apart = (/** @type {LaidPiece} */ tile) =>
    turnedVector([at[0] - tile.position[0], at[1] - tile.position[1]], pose.value.turned);
  const close = (/** @type {number} */ most) =>
    pieces.findLast(
      (p) =>
        ["tile", "card"].includes(p.kind) &&
        p.face !== "back" &&
        p.zone === "board" &&
        apart(p).every((far) => Math.abs(far) < most) &&
        apart(p).some((far) => Math.abs(far) < 1),
    );
  const tile = close(1) ?? close(3.6);
  const way =
    tile &&
    WAYS[apart(tile).map((far) => (Math.abs(far) < 0.3 ? 0 : Math.sign(far))).join(",")];
  return tile ? `${thingWords(tile)}${way ? ` (${way})` : ""}` : null;
}

/** What stands on a piece, as short as it can be said; nothing where it is not known. @param {string | null} [value] */
export const valueSign = (value) => (value === "null" || value === "ace" ? value[0] : (value ?? ""));

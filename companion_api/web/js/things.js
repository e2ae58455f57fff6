// @ts-check
// Pieces in words, in the language of the page.
import { board } from "./state.js";
import { say } from "./words.js";

/** As it lies: what its visible side shows. @param {any} piece */
export function pieceWords(piece) {
  const shown = { ...piece };
  if (piece.kind === "coin" && piece.face === "back") shown.value = null;
  if (piece.kind === "coin" && piece.face === "front") shown.suit = null;
  if (piece.kind === "tile" && piece.face === "back") shown.value = shown.suit = null;
  return thingWords(shown);
}

/** What it is. @param {any} thing */
export function thingWords(thing) {
  return say("piece.words", { kind: say(`kind.${thing.kind}`), what: markWords(thing) }).trim();
}

/** What is drawn on it. @param {any} thing */
export function markWords(thing) {
  const size = thing.size && say(`size.${thing.size}`);
  const value = thing.value && say(`value.${thing.value}`);
  const suit = thing.suit && say(`suit.${thing.suit}`);
  return [size, value, suit, thing.mark].filter(Boolean).join(" ");
}

const CELL = /-?\d+\/-?\d+/g;
const CORNERS = /** @type {Record<string, string>} */ ({ "1,1": "↗", "-1,1": "↖", "1,-1": "↘", "-1,-1": "↙" });

/** Where places have only numbers, people say on which tile it is, and in which corner of it. @param {string} text */
export const withTiles = (text) => text.replace(CELL, (cell) => cellTile(cell) ?? cell);

/** @param {string} cell */
function cellTile(cell) {
  const { places, pieces } = board.value?.layout ?? { places: [], pieces: [] };
  const at = places.find((/** @type {any} */ place) => place.name === cell)?.position;
  if (!at) return null;
  const apart = (/** @type {any} */ tile) => [0, 1].map((axis) => at[axis] - tile.position[axis]);
  const tile = pieces.findLast((/** @type {any} */ p) => p.kind === "tile" && p.zone === "board" && apart(p).every((far) => Math.abs(far) < 1));
  return tile ? `${thingWords(tile.face === "front" ? tile : { kind: "tile" })} ${CORNERS[apart(tile).map(Math.sign).join(",")] ?? ""}`.trim() : null;
}

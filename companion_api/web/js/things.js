// @ts-check
// Pieces in words, in the language of the page.
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

// People's names in place of seat numbers.
import { wordOrNull, say } from "./words.js";

/** @import { SeatAtTable } from "./answers" */

let seats = /** @type {SeatAtTable[]} */ ([]);
/** @param {SeatAtTable[]} now */
export const setSeats = (now) => (seats = now);

/** Whoever gave no name is called by the suit, in the language of the page.
 * @param {{name: string, suit: string | null}} seat
 * @returns {string} */
export const personName = ({ name, suit }) =>
  (suit && name.toLowerCase() === suit ? wordOrNull(`seat.${suit}`) : null) ?? numbered(name);

/** Where seats have no suits, the game numbers its players. @param {string} name */
const numbered = (name) => name.replace(/^Player (\d)$/, (_, n) => say("seat", { n }));
/** @param {number | null | undefined} seat */
export const seatName = (seat) =>
  seat === null || seat === undefined ? "" : seats[seat] ? personName(seats[seat]) : say("seat", { n: seat + 1 });

/** What the game calls a seat, whoever sits there. @param {number} seat */
export const suitName = (seat) =>
  (seats[seat]?.suit && wordOrNull(`seat.${seats[seat].suit}`)) || say("seat", { n: seat + 1 });

/** Sentences of the rules name seats by number; people have names. @param {string} text */
export const named = (text) => text.replace(/\bseat (\d)\b/g, (_, n) => seatName(Number(n)));

/** Whoever plays this suit, or null. @param {string} suit */
export const personOf = (suit) => {
  const seat = seats.find((one) => one.suit === suit);
  return seat ? personName(seat) : null;
};

/** @param {number | null} seat */
export const suitOf = (seat) => (seat === null ? null : (seats[seat]?.suit ?? null));

/** Who did it. @param {string} by */
export function byWords(by) {
  const [kind, who] = by.split(/:(.*)/s);
  if (kind === "seat") return seatName(Number(who));
  return say(`by.${kind}`, { who: who ?? "" });
}

// @ts-check
// What tables tell, said as their own pages say it. Those speak of one game and its people; here they are told which.
import { ready } from "../js/phrasebook.js";
import { personName, setSeats } from "../js/seats.js";
import { board } from "../js/state.js";

/** @import { Board, SeatAtTable, Suit } from "../js/answers" */

const SUITS = /** @type {Suit[]} */ (["suns", "moons", "crowns", "arms"]);

/** What is said from now on is of this game and these people, until it is said of others. Resolves when its sentences can
 * be told. @param {string} game @param {string[]} names */
export function speakOf(game, names) {
  board.value = /** @type {Board} */ (/** @type {unknown} */ ({ game: { id: game } }));
  setSeats(names.map((name, seat) => /** @type {SeatAtTable} */ ({ seat, ...called(name), held: [], out: false })));
  return ready();
}

/** Whoever gave no name is called by the suit. @param {string} name */
const called = (name) => ({ name: name.charAt(0).toUpperCase() + name.slice(1), suit: SUITS.find((suit) => suit === name.toLowerCase()) ?? null });

/** Somebody as the hall calls them. @param {string | undefined} name */
export const person = (name) => personName(called(name ?? ""));

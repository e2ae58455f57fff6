// @ts-check
// One table as a card: who plays what, whose turn it is, the score, how long nothing has moved.
import { el } from "./dom.js";
import { openQuestions, clock, secondsSince } from "./live.js";
import { person } from "./telling.js";
import { say } from "./words.js";

/** @import { TableStanding, RowTold } from "./answers" */

/** @param {RowTold} row @param {boolean} [link] @param {Node | null} [board] the table as it looks, on the big screen */
export function card(row, link = true, board = null) {
  const { standing } = row;
  const state = standing.over ? "over" : openQuestions(row) ? "asks" : secondsSince(row) > 600 ? "still" : "";
  const to = { href: `#table=${row.station}/${row.table}` };
  return el(link ? "a" : "div", { class: `card ${state}`, "data-key": `${row.station}/${row.table}`, ...(link ? to : {}) },
    el("p", { class: "name" }, row.name),
    el("span", { class: "since", "data-at": row.at, "data-over": standing.over }, standing.over ? "" : clock(secondsSince(row))),
    el("span", { class: "game" }, standing.game.name),
    el("ul", {}, standing.seats.map((name, seat) => seated(standing, name, seat))),
    board && el("span", { class: "look" }, board),
    el("span", { class: "state" }, stateWords(row)));
}

/** @param {TableStanding} standing @param {string} name @param {number} seat */
function seated(standing, name, seat) {
  const turn = !standing.over && standing.turn.kind !== "over" && standing.turn.seats.includes(seat);
  const won = standing.over && standing.winners.includes(seat);
  return el("li", { class: turn ? "turn" : won ? "won" : "" },
    el("span", { class: "mark", "aria-hidden": "true" }, turn ? "▶" : won ? "★" : ""),
    el("span", { class: "who" }, person(name)),
    el("span", { class: "points" }, standing.scores[seat] ?? ""));
}

/** @param {RowTold} row */
function stateWords(row) {
  const { standing } = row;
  if (openQuestions(row) && !standing.over) return say("asks");
  if (standing.over) return ending(standing);
  if (standing.turn.kind === "chance") return say("dice");
  return standing.turn.kind === "all" ? say("choose") : "";
}

/** @param {{winners: number[], seats: string[]}} ended */
export function ending(ended) {
  const who = ended.winners.map((seat) => person(ended.seats[seat])).join(", ");
  if (ended.winners.length === 1) return say("won", { who });
  if (ended.winners.length) return say("shared", { who });
  return say(ended.seats.length > 1 ? "draw" : "lost");
}

/** The clocks go on by themselves. @param {ParentNode} within */
export function tick(within) {
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (within.querySelectorAll(".since[data-at]"))) {
    if (!("over" in place.dataset)) place.textContent = clock(secondsSince({ at: Number(place.dataset.at) }));
  }
}

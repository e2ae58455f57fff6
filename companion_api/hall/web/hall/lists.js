// @ts-check
// The evening's results and the league.
import { ending } from "./card.js";
import { ask, el } from "./dom.js";
import { person } from "./telling.js";
import { keptFresh } from "./wall.js";
import { say } from "./words.js";

/** @param {string[]} names @param {(string | number)[][]} rows @param {number} [from] numbers from this column on */
export const grid = (names, rows, from = 99) => el("div", { class: "scroll" }, el("table", {},
  el("thead", {}, el("tr", {}, names.map((name, i) => el("th", { class: i >= from ? "number" : "" }, name)))),
  el("tbody", {}, rows.map((row) => el("tr", {}, row.map((cell, i) => el("td", { class: i >= from ? "number" : "" }, cell)))))));

/** @param {HTMLElement} main */
export function results(main) {
  return keptFresh(main, async () => {
    const found = await ask("results");
    const rows = found.map((r) => [new Date(r.at * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }), r.name, r.game.name, ending(r),
      r.seats.map((name, i) => `${person(name)} ${r.scores[i] ?? ""}`.trim()).join(" · "), `${Math.round(r.minutes)} ${say("minutes")}`]);
    main.replaceChildren(rows.length ? grid([say("when"), say("table"), say("game"), say("outcome"), say("player"), ""], rows) : el("p", { class: "empty" }, say("no_result")));
  });
}

/** @param {HTMLElement} main */
export function league(main) {
  return keptFresh(main, async () => {
    const found = await ask("league");
    const rows = found.map((e, i) => [i + 1, person(e.name), e.points, e.wins, e.draws, e.games]);
    const table = grid([say("place"), say("player"), say("points"), say("wins"), say("draws"), say("games")], rows, 2);
    main.replaceChildren(rows.length ? table : el("p", { class: "empty" }, say("no_result")), el("p", {}, el("a", { class: "button", href: "api/league.csv", download: "league.csv" }, say("export"))));
  });
}

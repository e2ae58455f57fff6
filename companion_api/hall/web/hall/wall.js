// @ts-check
// All tables: as a list with filters on a phone or a laptop, as a few large cards in turn on the big screen.
import { card, tick } from "./card.js";
import { el, typed } from "./dom.js";
import { openQuestions, current, listen, live } from "./live.js";
import { say } from "./words.js";

const EACH_S = 12;
const ROWS = 2;
const filter = { game: "", state: "", text: "" };

/** @import { RowTold } from "./answers" */

/** @param {RowTold} row */
function matchesFilter(row) {
  const { standing } = row;
  const state = standing.over ? "over" : openQuestions(row) ? "asking" : "playing";
  const text = [row.name, standing.game.name, ...standing.seats].join(" ").toLowerCase();
  return (!filter.game || standing.game.id === filter.game) && (!filter.state || state === filter.state) && text.includes(filter.text.toLowerCase());
}

/** @param {HTMLElement} main */
export function list(main) {
  const cards = el("div", { class: "cards" });
  const games = el("select", { "aria-label": say("game"), onchange: set("game") });
  main.append(filters(games), el("p", { class: "bad", hidden: true }, say("offline")), cards);
  const draw = () => {
    const rows = current();
    gamesIn(games, rows);
    const shown = rows.filter(matchesFilter);
    /** @type {HTMLElement} */ (main.querySelector(".bad")).hidden = live.connected;
    cards.replaceChildren(...(shown.length ? shown.map((row) => card(row)) : [el("p", { class: "empty" }, say(rows.length ? "no_match" : "none"))]));
  };
  /** @param {keyof typeof filter} name */
  function set(name) {
    return typed((value) => {
      filter[name] = value;
      draw();
    });
  }
  /** @param {HTMLSelectElement} games */
  function filters(games) {
    const states = ["", "playing", "asking", "over"].map((name) => el("option", { value: name, selected: filter.state === name }, say(name || "all")));
    return el("div", { class: "filters" }, games, el("select", { "aria-label": say("outcome"), onchange: set("state") }, states),
      el("input", { type: "search", placeholder: say("find"), "aria-label": say("find"), value: filter.text, oninput: set("text") }));
  }
  return keptFresh(main, draw);
}

/** The choice of games grows with the tables. @param {HTMLSelectElement} choice @param {RowTold[]} rows */
function gamesIn(choice, rows) {
  const games = new Map(rows.map((row) => [row.standing.game.id, row.standing.game.name]));
  if (choice.options.length === games.size + 1) return;
  const options = [...games].map(([id, name]) => el("option", { value: id, selected: filter.game === id }, name));
  choice.replaceChildren(el("option", { value: "" }, say("all_games")), ...options);
}

const LOOK_PX = 600;
/** The picture of each table, kept while it is on the screen, so that nothing flickers. @type {Map<string, HTMLImageElement>} */
const looks = new Map();

/** The table as it looks; nothing until it was drawn. @param {RowTold} row */
function look({ station, table, seq }) {
  const key = `${station}/${table}`;
  const image = looks.get(key) ?? el("img", { alt: "" });
  looks.set(key, image);
  if (image.dataset.seq === String(seq)) return image;
  image.dataset.seq = String(seq);
  const next = new Image();
  next.onload = () => (image.src = next.src);
  next.src = `api/tables/${encodeURIComponent(station)}/${encodeURIComponent(table)}/board.png?size=${LOOK_PX}&seq=${seq}`;
  return image;
}

/** @param {HTMLElement} main */
export function screen(main) {
  document.documentElement.classList.add("wall");
  const cards = el("div", { class: "cards" });
  const foot = el("div", { class: "foot" });
  main.append(cards, foot);
  const begun = Date.now();
  const draw = () => {
    const rows = current();
    const wide = window.innerWidth > window.innerHeight;
    const columns = wide ? Math.max(1, Math.min(3, Math.ceil(rows.length / (rows.length > 2 ? ROWS : 1)))) : 1;
    const high = Math.max(1, Math.min(wide ? ROWS : 4, Math.ceil(rows.length / columns)));
    const pages = Math.max(1, Math.ceil(rows.length / (columns * high)));
    const page = Math.floor((Date.now() - begun) / 1000 / EACH_S) % pages;
    // Whoever waits for an umpire is on every page, first.
    const sorted = [...rows].sort((a, b) => Math.min(openQuestions(b), 1) - Math.min(openQuestions(a), 1));
    cards.style.setProperty("--columns", String(columns));
    cards.style.setProperty("--rows", String(high));
    cards.replaceChildren(...sorted.slice(page * columns * high, (page + 1) * columns * high).map((row) => card(row, true, look(row))));
    foot.replaceChildren(el("span", {}, live.connected ? document.title : say("offline")), el("span", {}, pages > 1 ? say("page", { n: page + 1, m: pages }) : ""));
  };
  const end = keptFresh(main, draw, 1000 * EACH_S);
  return () => {
    end();
    document.documentElement.classList.remove("wall");
  };
}

/** Drawn now, when something changes (not more than five times a second), and now and then; the clocks every second.
 * @param {HTMLElement} main @param {() => void} draw @param {number} [often] */
export function keptFresh(main, draw, often = 60_000) {
  draw();
  let waiting = 0;
  const leave = listen(() => {
    waiting ||= window.setTimeout(() => {
      waiting = 0;
      draw();
    }, 200);
  });
  const [clocks, again] = [setInterval(() => tick(main), 1000), setInterval(draw, often)];
  return () => {
    leave();
    clearTimeout(waiting);
    clearInterval(clocks);
    clearInterval(again);
  };
}

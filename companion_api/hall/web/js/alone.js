// @ts-check
// One table in full: drawn as it lies, with what happened last.
import { card, capital } from "./card.js";
import { ask, el } from "./dom.js";
import { tables } from "./live.js";
import { kept } from "./wall.js";
import { say } from "./words.js";

/** @param {HTMLElement} main @param {string} key */
export function alone(main, key) {
  let shown = -1;
  const draw = async () => {
    const row = tables.get(key);
    if (row && row.seq === shown) return;
    const table = await ask(`tables/${key}`);
    shown = table.seq;
    const picture = el("img", { class: "drawn-table", alt: table.standing.game.name, src: `api/tables/${key}/board.png?size=1400&seq=${table.seq}` });
    const old = main.querySelector("img.drawn-table");
    // The old picture stays until the new one is there.
    await picture.decode().catch(() => old && picture.replaceWith(old));
    main.replaceChildren(el("div", { class: "alone" }, picture,
      el("section", {}, card(table, false), el("h2", {}, say("last")), el("ol", { reversed: true, start: table.seq }, [...table.events].reverse().map((event) => el("li", { value: event.seq }, words(event, table.standing.seats)))),
        el("p", {}, el("a", { class: "button", href: "#wall" }, say("back"))))));
  };
  return kept(main, () => void draw().catch((error) => main.replaceChildren(el("p", { class: "bad" }, error.message))));
}

/** @param {any} event @param {string[]} seats */
export function words(event, seats) {
  const done = (event.actions ?? []).map((/** @type {any} */ action) => action.text ?? say("sealed"));
  return `${by(event.by, seats)}: ${done.join(", ") || event.text || event.name || event.kind}`;
}

/** @param {string} who @param {string[]} seats */
export function by(who, seats) {
  const [kind, rest] = who.split(/:(.*)/s);
  return kind === "seat" ? capital(seats[Number(rest)] ?? who) : rest || capital(kind);
}

// @ts-check
// One table in full: drawn as it lies, with what happened last.
import { withActor } from "../js/announce.js";
import { card } from "./card.js";
import { ask, el } from "./dom.js";
import { tables } from "./live.js";
import { speakOf } from "./telling.js";
import { keptFresh } from "./wall.js";
import { say } from "./words.js";

/** @param {HTMLElement} main @param {string} key */
export function alone(main, key) {
  let shown = -1;
  const draw = async () => {
    const row = tables.get(key);
    if (row && row.seq === shown) return;
    const [station, name] = key.split("/");
    const table = await ask(`tables/${station}/${name}`);
    shown = table.seq;
    const { game, seats } = table.standing;
    const picture = el("img", { class: "drawn-table", alt: game.name, src: `api/tables/${key}/board.png?size=1400&seq=${table.seq}` });
    const old = main.querySelector("img.drawn-table");
    // The old picture stays until the new one is there.
    await picture.decode().catch(() => old && picture.replaceWith(old));
    await speakOf(game.id, seats).catch(() => undefined);
    void speakOf(game.id, seats); // another table may have been spoken of meanwhile
    main.replaceChildren(el("div", { class: "alone" }, picture,
      el("section", {}, card(table, false), el("h2", {}, say("last")), el("ol", { reversed: true, start: table.seq }, [...table.events].reverse().map((event) => el("li", { value: event.seq }, withActor(event)))),
        el("p", {}, el("a", { class: "button", href: "#wall" }, say("back"))))));
  };
  return keptFresh(main, () => void draw().catch((error) => main.replaceChildren(el("p", { class: "bad" }, error.message))));
}

// @ts-check
// What tables ask: the pictures, the rule, the choices; and the answer, which goes to the table's log.
import { by } from "./alone.js";
import { ask, el } from "./dom.js";
import { clock, live } from "./live.js";
import { kept } from "./wall.js";
import { say } from "./words.js";

/** @param {HTMLElement} main */
export function umpire(main) {
  const empty = el("p", { class: "empty" }, say("nobody_asks"));
  main.append(empty);
  return kept(main, async () => {
    const found = await ask(`questions?language=${document.documentElement.lang}`);
    const keys = new Set(found.map(keyOf));
    for (const old of main.querySelectorAll(".asked")) if (!keys.has(/** @type {HTMLElement} */ (old).dataset.key)) old.remove();
    // What somebody is writing in stays as it is.
    for (const item of found) {
      const old = main.querySelector(`[data-key="${CSS.escape(keyOf(item))}"]`);
      if (!old) main.append(asked(item));
      else if (item.answer && !old.classList.contains("sent")) old.replaceWith(asked(item));
    }
    empty.hidden = found.length > 0;
  }, 5000);
}

/** @param {any} item */
const keyOf = (item) => `${item.station}/${item.table}/${item.seq}/${item.referee ? "ruled" : ""}`;

/** @param {any} item */
function asked(item) {
  const who = by(item.by, item.seats);
  return el("section", { class: `asked ${item.answer ? "sent" : ""}`, "data-key": keyOf(item) },
    el("h2", {}, `${item.name} · ${item.game.name} · ${item.kind === "claim" ? say("disputes", { who }) : say("camera_asks")}`),
    el("small", { class: "clock" }, clock(Math.max(0, Date.now() / 1000 + live.ahead - item.at))),
    item.about && el("p", {}, el("strong", {}, item.about.text)),
    item.text && el("blockquote", {}, item.text),
    item.differences.length > 0 && el("ul", {}, item.differences.map((/** @type {string} */ text) => el("li", {}, text))),
    item.pictures.length > 0 && el("div", { class: "pictures" }, item.pictures.map((/** @type {any} */ p) => picture(item.station, p))),
    item.referee?.text && el("p", {}, `${say("referee_says")}: ${item.referee.text}`),
    item.clause && el("p", { class: "rule" }, el("span", { class: "clause" }, item.clause), " ", item.clause_text),
    item.answer ? el("p", { class: "sent" }, say("sent", { text: item.answer.text, who: by(item.answer.by, []) })) : answer(item));
}

/** @param {string} station @param {{when: string, name: string}} shown */
function picture(station, { when, name }) {
  const address = `api/pictures/${station}/${name}`;
  const image = el("img", { src: address, alt: say("picture", { when: say(when) }), loading: "lazy" });
  const figure = el("figure", {}, el("a", { href: address, target: "_blank", rel: "noopener" }, image), el("figcaption", {}, say(when)));
  image.addEventListener("error", () => figure.replaceChildren(el("figcaption", {}, say("no_picture"))));
  return figure;
}

/** @param {any} item */
function answer(item) {
  const words = el("textarea", { "aria-label": say("your_words"), placeholder: say("your_words"), maxlength: 400 });
  const really = el("textarea", { "aria-label": say("really"), placeholder: say("really"), maxlength: 2000 });
  const problem = el("p", { class: "bad", role: "alert" });
  /** @param {boolean} upheld @param {string[]} actions @param {string} [text] */
  const send = (upheld, actions, text = "") => async () => {
    try {
      await ask("answers", { station: item.station, table: item.table, about: item.seq, text: words.value.trim() || text, upheld, actions });
      const sent = say("sent", { text: words.value.trim() || text, who: "" });
      form.replaceWith(el("p", { class: "sent" }, sent));
    } catch (error) {
      problem.textContent = /** @type {Error} */ (error).message;
    }
  };
  const written = () => really.value.split("\n").map((/** @type {string} */ line) => line.trim()).filter(Boolean);
  const choices = item.choices.map((/** @type {any} */ c) => el("button", { onclick: send(true, c.actions, c.text) }, c.text));
  const buttons = item.kind === "claim"
    ? [el("button", { class: "go", onclick: send(true, []) }, say("stands")), el("button", { onclick: () => send(false, written())() }, say("falls"))]
    : [choices.length > 0 && el("span", {}, say("what_was_it")), choices, el("button", { onclick: () => send(true, written())() }, say(choices.length ? "other" : "settle"))];
  const form = el("div", {}, words, el("details", {}, el("summary", {}, say("really")), really), el("div", { class: "row" }, buttons), problem);
  return form;
}

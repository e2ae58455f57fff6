// @ts-check
// What tables ask: the pictures, the rule, the choices; and the answer, which goes to the table's log.
import { actionsWords, actionWords } from "../js/action_text.js";
import { translatedText } from "../js/phrasebook.js";
import { byWords } from "../js/seats.js";
import { ask, el, send as post } from "./dom.js";
import { clock, live } from "./live.js";
import { speakOf } from "./telling.js";
import { keptFresh } from "./wall.js";
import { say } from "./words.js";

/** @import { OpenQuestion, NamedPicture } from "./answers" */

/** @param {HTMLElement} main */
export function umpire(main) {
  const empty = el("p", { class: "empty" }, say("nobody_asks"));
  main.append(empty);
  return keptFresh(main, async () => {
    const found = await ask(`questions?language=${document.documentElement.lang}`);
    await Promise.all(found.map((item) => speakOf(item.game.id, item.seats).catch(() => undefined)));
    const keys = new Set(found.map(keyOf));
    for (const old of main.querySelectorAll(".asked")) if (!keys.has(/** @type {HTMLElement} */ (old).dataset.key ?? "")) old.remove();
    // What somebody is writing in stays as it is.
    for (const item of found) {
      const old = main.querySelector(`[data-key="${CSS.escape(keyOf(item))}"]`);
      if (!old) main.append(questionCard(item));
      else if (item.answer && !old.classList.contains("sent")) old.replaceWith(questionCard(item));
    }
    empty.hidden = found.length > 0;
  }, 5000);
}

/** @param {OpenQuestion} item */
const keyOf = (item) => `${item.station}/${item.table}/${item.seq}/${item.referee ? "ruled" : ""}`;

/** @param {OpenQuestion} item */
function questionCard(item) {
  void speakOf(item.game.id, item.seats);
  const who = byWords(item.by);
  const differences = item.said_differences.length ? item.said_differences : item.differences;
  return el("section", { class: `asked ${item.answer ? "sent" : ""}`, "data-key": keyOf(item) },
    el("h2", {}, `${item.name} · ${item.game.name} · ${item.kind === "claim" ? say("disputes", { who }) : say("camera_asks")}`),
    el("small", { class: "clock" }, clock(Math.max(0, Date.now() / 1000 + live.ahead - item.at))),
    item.about && el("p", {}, el("strong", {}, item.about.actions.map(actionWords).join(", ") || item.about.text)),
    item.text && el("blockquote", {}, item.said ? translatedText(item.said) : item.text),
    differences.length > 0 && el("ul", {}, differences.map((one) => el("li", {}, translatedText(one)))),
    item.pictures.length > 0 && el("div", { class: "pictures" }, item.pictures.map((p) => picture(item.station, p))),
    item.referee?.text && el("p", {}, `${say("referee_says")}: ${item.referee.said.map(translatedText).join(" ")}`),
    item.clause && el("p", { class: "rule" }, el("span", { class: "clause" }, item.clause), " ", item.clause_text),
    item.answer ? el("p", { class: "sent" }, say("sent", { text: item.answer.text || "✓", who: byWords(item.answer.by) })) : answer(item));
}

/** @param {string} station @param {NamedPicture} shown */
function picture(station, { when, name }) {
  const address = `api/pictures/${station}/${name}`;
  const image = el("img", { src: address, alt: say("picture", { when: say(when) }), loading: "lazy" });
  const figure = el("figure", {}, el("a", { href: address, target: "_blank", rel: "noopener" }, image), el("figcaption", {}, say(when)));
  image.addEventListener("error", () => figure.replaceChildren(el("figcaption", {}, say("no_picture"))));
  return figure;
}

/** @param {OpenQuestion} item */
function answer(item) {
  const words = el("textarea", { "aria-label": say("your_words"), placeholder: say("your_words"), maxlength: 400 });
  const really = el("textarea", { "aria-label": say("really"), placeholder: say("really"), maxlength: 2000 });
  const problem = el("p", { class: "bad", role: "alert" });
  /** @param {boolean} upheld @param {string[]} actions @param {string} [text] */
  const send = (upheld, actions, text = "") => async () => {
    try {
      await post("answers", { station: item.station, table: item.table, about: item.seq, text: words.value.trim() || text, upheld, actions });
      const sent = say("sent", { text: words.value.trim() || text || say(upheld ? "stands" : "falls"), who: "" });
      form.replaceWith(el("p", { class: "sent" }, sent));
    } catch (error) {
      problem.textContent = /** @type {Error} */ (error).message;
    }
  };
  const written = () => really.value.split("\n").map((line) => line.trim()).filter(Boolean);
  const choices = item.choices.map((c) => ({ ...c, words: actionsWords(c.acts, c.text) })).map((c) => el("button", { onclick: send(true, c.actions, c.words) }, c.words));
  const buttons = item.kind === "claim"
    ? [el("button", { class: "go", onclick: send(true, []) }, say("stands")), el("button", { onclick: () => send(false, written())() }, say("falls"))]
    : [choices.length > 0 && el("span", {}, say("what_was_it")), choices, el("button", { onclick: () => send(true, written())() }, say(choices.length ? "other" : "settle"))];
  const form = el("div", {}, words, el("details", {}, el("summary", {}, say("really")), really), el("div", { class: "row" }, buttons), problem);
  return form;
}

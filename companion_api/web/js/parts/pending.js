// @ts-check
// The camera needs a person: which of these was it, or what was against the rules. Choices are drawn.
import { html } from "../html.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { actionsWords } from "../acts.js";
import { get } from "../api.js";
import { board, events, view } from "../state.js";
import { actAll, claim } from "../doing.js";
import { say } from "../words.js";
import { Mini } from "./board.js";
import { Clause, Told } from "./told.js";

export function Pending() {
  const pending = board.value.pending;
  if (!pending) return null;
  const mayAct = ["host", "player"].includes(board.value.you.role);
  const { refusal, differences, choices } = pending;
  return html`<section class="pending ${pending.verdict}" aria-label=${say("status.need_you")}>
    <p><span aria-hidden="true">${pending.verdict === "refused" ? "✕" : "?"}</span> ${refusal && html` <strong>${say(`refusal.${refusal.code}`)}.</strong> `}<${Told} text=${pending.text} /></p>${refusal && html`<${Clause} id=${refusal.clause} />`}
    <${Seen} />
    ${differences.length ? html`<details><summary>${say("differences")}</summary><ul>${differences.map((/** @type {string} */ line) => html`<li key=${line}><${Told} text=${line} /></li>`)}</ul></details>` : null}
    ${mayAct && html`<div class="choices">${choices.map((/** @type {any} */ c) => html`<${Drawn} key=${c.action} text=${c.text} actions=${c.actions} go=${() => actAll(c.actions)} />`)}
      <button onClick=${() => (view.value = "hand")}>${say("none_of_these")}</button>
      <button onClick=${() => claim(null, "")}>${say("dispute")}</button></div>`}
  </section>`;
}

/** The camera's pictures before and after, large on a tap. */
function Seen() {
  const pictured = events.value.filter((event) => event.evidence).slice(-2);
  const last = pictured[pictured.length - 1];
  if (last?.kind !== "verdict") return null;
  const names = pictured.length > 1 ? ["before", "after"] : ["after"];
  return html`<div class="pictures">${pictured.map((event, i) => html`<figure key=${event.seq}><a href=${`api/evidence/${event.evidence}`} target="_blank"><img src=${`api/evidence/${event.evidence}`} alt=${say(`picture.${names[i]}`)} /></a><figcaption>${say(`picture.${names[i]}`)}</figcaption></figure>`)}</div>`;
}

/** A choice as a picture of the table that it would make. @param {{text: string, actions: string[], layout?: any, effects?: any[], go: () => void}} props */
export function Drawn({ text, actions, layout, effects, go }) {
  const [drawn, setDrawn] = useState(layout ? { layout, effects: effects ?? [] } : null);
  useEffect(() => {
    if (layout) return;
    const query = actions.map((id) => `action=${encodeURIComponent(id)}`).join("&");
    get(`after?${query}`).then((answer) => answer.ok && setDrawn(answer.data));
  }, [actions.join(" ")]);
  return html`<button class="drawn" data-action=${actions.join(" ")} onClick=${go}>${drawn && html`<${Mini} ...${drawn} label="" />`}<span>${actionsWords(actions, text)}</span></button>`;
}

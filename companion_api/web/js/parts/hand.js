// Entry by hand: everything that is legal now as a list, and any action as text.
import { html, submitted, typed } from "../html.js";
import { useState } from "../../vendor/hooks.js";
import { actionLabels, actionWords } from "../action_text.js";
import { shownPreview, board, openActions } from "../state.js";
import { ask, undo } from "../actions.js";
import { say } from "../words.js";
import { ActionPreview } from "./actions.js";

const MOST = 200;

/** The legal actions whose words hold what is typed; all of them where none does.
 * @param {string} text
 * @returns {import("../answers").Listed[]} */
function like(text) {
  const found = openActions.value.filter((item) =>
    `${actionWords(item)} ${item.text} ${item.id}`.toLowerCase().includes(text.trim().toLowerCase()),
  );
  return found.length ? found : openActions.value;
}

export function Hand() {
  const [text, setText] = useState("");
  const go = () => text.trim() && ask(text.trim());
  return html`<section class="hand">
    <form onSubmit=${submitted(go)}><label>${say("hand.type")}
    <input value=${text} onInput=${typed(setText)} placeholder="a1-b1" /></label>
      <button>${say("hand.ask")}</button></form>
    ${shownPreview.value && html`<${ActionPreview} />`}
    ${["host", "player"].includes(board.value.you.role) && html`<button disabled=${!board.value.actions}
    onClick=${() => undo()}>${say("undo")}</button>`}
    ${board.value.turn.kind === "all" ? html`<p>${say("sealed.elsewhere")}
    </p>` : html`<${Everything} text=${text} />`}</section>`;
}

/** Nothing that is chosen in secret: neighbours look over. @param {{text: string}} props */
function Everything({ text }) {
  const items = like(text).slice(0, MOST);
  const labels = actionLabels(items);
  const n = openActions.value.length;
  return html`<h2>
    ${say(board.value.complete ? "hand.legal" : "hand.some", { n })}
    </h2>
    <ul class="list">
    ${items.map((item, i) => html`<li key=${item.id}><button data-action=${item.id} onClick=${() => ask(item.id)}>
    ${labels[i]}</button></li>`)}</ul>`;
}

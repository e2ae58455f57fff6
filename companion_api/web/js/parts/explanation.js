// Why something may not be done, and the rule behind it, in the language of the page.
import { html } from "../html.js";
import { clauseWords, translated } from "../phrasebook.js";
import { wordOrNull } from "../words.js";

/** What the rules or the referee say. @param {{text: import("../phrasebook.js").Statement | string}} props */
export function StatementText({ text }) {
  const { words, lang } = translated(text);
  return html`<span lang=${lang}>${words}</span>`;
}

/** A clause of the rulebook with its words. @param {{id: string}} props */
export function Clause({ id }) {
  return id ? html`<p class="rule"><span class="clause">${id}</span> ${clauseWords(id)}</p>` : null;
}

/** A refusal: the reason in a word, the sentence, the rule. @param {{refusal: import("../state.js").Refusal}} props */
export function Reason({ refusal }) {
  return html`${refusal.code && html`<p><strong>${wordOrNull(`refusal.${refusal.code}`) ?? refusal.code}</strong></p>`}
    <p><${StatementText} text=${refusal.said ?? refusal.text} /></p><${Clause} id=${refusal.clause} />`;
}

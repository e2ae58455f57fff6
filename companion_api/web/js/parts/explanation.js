// @ts-check
// Why something may not be done, and the rule behind it, in the language of the page.
import { html } from "../html.js";
import { clauseWords, told } from "../phrasebook.js";
import { known } from "../words.js";

/** What the rules or the referee say. @param {{text: import("../phrasebook.js").Statement | string}} props */
export function Told({ text }) {
  const { words, lang } = told(text);
  return html`<span lang=${lang}>${words}</span>`;
}

/** A clause of the rulebook with its words. @param {{id: string}} props */
export function Clause({ id }) {
  return id ? html`<p class="rule"><span class="clause">${id}</span> ${clauseWords(id)}</p>` : null;
}

/** A refusal: the reason in a word, the sentence, the rule. @param {{refusal: import("../state.js").Refusal}} props */
export function Reason({ refusal }) {
  return html`${refusal.code && html`<p><strong>${known(`refusal.${refusal.code}`) ?? refusal.code}</strong></p>`}
    <p><${Told} text=${refusal.said ?? refusal.text} /></p><${Clause} id=${refusal.clause} />`;
}

// A dispute: the pictures before, after and now, the rule, the ruling, and the host's last word.
import { html, typed } from "../html.js";
import { useState } from "../../vendor/hooks.js";
import { board, boxOf, events, evidenceOf } from "../state.js";
import { overrule } from "../actions.js";
import { byWords } from "../seats.js";
import { wordOrNull, say } from "../words.js";
import { Photo } from "./evidence.js";
import { Clause, StatementText } from "./explanation.js";

/** @import { Disputed, Ruled } from "../answers" */

/** @param {{dispute: Disputed}} props */
export function Dispute({ dispute }) {
  const box = boxOf(
    events.value.find(
      (event) => boxOf(event) && (event.seq === dispute.about || evidenceOf(event) === dispute.pictures.after),
    ),
  );
  const pictures = Object.entries(dispute.pictures).filter(([, name]) => name);
  return html`<article class="dispute"><h2>${say("dispute.title", { who: byWords(dispute.by) })}</h2>
    ${dispute.text && html`<blockquote>${dispute.text}</blockquote>`}
    ${pictures.length ? html`<div class="pictures">
    ${pictures.map(([which, name]) => html`<${Photo} key=${which} name=${name} box=${box}
    words=${say(`picture.${which}`)} />`)}</div>` : html`<p><small>${say("picture.none")}</small></p>`}
    ${dispute.rulings.map(Ruling)}
    ${board.value.you.role === "host" && html`<${Overrule} claim=${dispute.claim} />`}</article>`;
}

/** @param {Ruled} ruling */
function Ruling(ruling) {
  const verdict = typeof ruling.legal !== "boolean" ? null : say(ruling.legal ? "ruling.legal" : "ruling.illegal");
  const stands =
    ruling.legal === false
      ? say(ruling.upheld ? "refused.stands" : "refused.falls")
      : say(ruling.upheld ? "ruling.stands" : "ruling.falls");
  return html`<section key=${ruling.seq} class="ruling"><h3>
    ${say(`ruling.${ruling.kind}`, { who: byWords(ruling.by) })}: ${stands}</h3>
    ${verdict && html`<p>${verdict} ${ruling.code ? (wordOrNull(`refusal.${ruling.code}`) ?? "") : ""}</p>
    <${Clause} id=${ruling.clause ?? ""} />`}
    ${ruling.kind === "overruled" ? html`<p>${ruling.text}
    </p>` : (ruling.said_reasons ?? ruling.reasons ?? [ruling.text]).map((line, i) => html`<p key=${i}>
    <${StatementText} text=${line} /></p>`)}</section>`;
}

/** @param {{claim: number}} props */
function Overrule({ claim }) {
  const [text, setText] = useState("");
  return html`<div class="row"><label>${say("ruling.words")}
    <input value=${text} maxlength="400" onInput=${typed(setText)} /></label>
    <button onClick=${() => overrule(claim, true, text)}>${say("ruling.stands")}</button>
    <button onClick=${() => overrule(claim, false, text)}>${say("ruling.falls")}</button></div>`;
}

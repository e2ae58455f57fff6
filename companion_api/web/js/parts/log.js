// @ts-check
// The log: every event, with what can be done about it: look back, correct, dispute.
import { html } from "../html.js";
import { useState } from "../../vendor/hooks.js";
import { sentence } from "../announce.js";
import { board, boxOf, doneBy, events, evidenceOf, isEarlier } from "../state.js";
import { claim, undo } from "../doing.js";
import { story } from "../effects.js";
import { lookingBack } from "../things.js";
import { say } from "../words.js";
import { Correction } from "./correct.js";
import { Dispute } from "./dispute.js";
import { Photo } from "./evidence.js";
import { Scrubber } from "./scrubber.js";
import { Reason } from "./told.js";

const MOST = 150;

export function Log() {
  const [all, setAll] = useState(false);
  const mayAct = ["host", "player"].includes(board.value.you.role);
  const list = [...events.value].reverse();
  return html`<section class="log">
    <${Scrubber} />
    ${mayAct && html`<div class="row"><button disabled=${!board.value.actions} onClick=${() => undo(1)}>${say("undo")}</button>
      <button onClick=${() => claim(null, "")}>${say("dispute")}</button></div>`}
    ${[...board.value.disputes].reverse().map((dispute) => html`<${Dispute} key=${dispute.claim} dispute=${dispute} />`)}
    <ol reversed>${list.slice(0, all ? undefined : MOST).map((event) => html`<${Event} key=${event.seq} event=${event} mayAct=${mayAct} />`)}</ol>
    ${!all && list.length > MOST ? html`<button onClick=${() => setAll(true)}>${say("log.all", { n: list.length })}</button>` : null}
  </section>`;
}

/** @import { Happening } from "../answers" */

const DISPUTABLE = ["action", "verdict", "corrected"];

/** @param {{event: Happening, mayAct: boolean}} props */
function Event({ event, mayAct }) {
  const [open, setOpen] = useState(false);
  const time = new Date(event.at * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  return html`<li value=${event.seq} class=${event.kind}>
    <button class="line" aria-expanded=${open} onClick=${() => setOpen(!open)}><time>${time}</time> ${sentence(event)}</button>
    ${open && html`<${More} event=${event} mayAct=${mayAct} />`}</li>`;
}

/** @param {{event: Happening, mayAct: boolean}} props */
function More({ event, mayAct }) {
  const [correcting, setCorrecting] = useState(false);
  const effects = lookingBack(isEarlier(event), () => story(doneBy(event).filter((a) => !a.secret).flatMap((a) => a.effects)));
  const counts = event.kind === "action" && event.actions.length;
  const refusal = event.kind === "verdict" ? event.refusal : null;
  return html`<div class="more">
    <ul>${effects.map((line, i) => html`<li key=${i}>${line}</li>`)}</ul>
    ${refusal && html`<${Reason} refusal=${refusal} />`}
    ${evidenceOf(event) && html`<${Photo} name=${evidenceOf(event)} box=${boxOf(event)} words=${say("evidence")} />`}
    ${mayAct && html`<div class="row">
      ${counts ? html`<button aria-expanded=${correcting} onClick=${() => setCorrecting(!correcting)}>${say("correct")}</button>` : null}
      ${DISPUTABLE.includes(event.kind) && html`<button onClick=${() => claim(event.seq, "")}>${say("dispute")}</button>`}</div>`}
    ${correcting && html`<${Correction} event=${event} />`}</div>`;
}

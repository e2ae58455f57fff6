// The log: every event, with what can be done about it: look back, correct, dispute.
import { html, submitted, typed } from "../html.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { get } from "../api.js";
import { board, boxOf, actionsOfEvent, events, evidenceOf, isEarlier, openEffects } from "../state.js";
import { claim, correct, redo, undo } from "../actions.js";
import { effectLines } from "../effects.js";
import { withEarlierTable } from "../piece_names.js";
import { language, say } from "../words.js";
import { Drawn } from "./camera_question.js";
import { Dispute } from "./dispute.js";
import { Photo } from "./evidence.js";
import { Reasons } from "./reasons.js";
import { Scrubber } from "./scrubber.js";
import { Reason } from "./explanation.js";
import { TurnLog, turnsOf } from "./turn_log.js";

/** @import { Alternative, EventTold } from "../answers" */

const MOST = 150;
/** What was asked of people or disputed, and what they changed. */
const ASKED = ["verdict", "claim", "ruling", "overruled", "corrected", "laid", "undo", "redo"];
const DISPUTABLE = ["action", "verdict", "corrected"];

/** @param {EventTold} event */
const wasAsked = (event) => ASKED.includes(event.kind) || (event.kind === "note" && event.code.startsWith("takeback"));

export function Log() {
  const [all, setAll] = useState(false);
  const [asked, setAsked] = useState(false);
  const { taken_back, actions, you } = board.value;
  const mayAct = ["host", "player"].includes(you.role);
  const list = asked ? events.value.filter(wasAsked) : events.value;
  return html`<section class="log">
    <${Scrubber} />
    ${mayAct && html`<div class="row"><button disabled=${!actions} onClick=${undo}>${say("undo")}</button>
      ${taken_back && html`<button onClick=${redo}>${say("redo")}</button>`}
      <button onClick=${() => claim(null, "")}>${say("dispute")}</button>
      <button aria-pressed=${asked} onClick=${() => setAsked(!asked)}>${say("log.asked")}</button></div>`}
    ${[...board.value.disputes].reverse().map((dispute) => html`<${Dispute} key=${dispute.claim}
    dispute=${dispute} />`)}
    ${list.length ? null : html`<p>${say("log.nothing")}</p>`}
    <${TurnLog} turns=${turnsOf(all ? list : list.slice(-MOST))}
    line=${(/** @type {EventTold} */ event, /** @type {unknown} */ words) => html`<${Event} key=${event.seq}
      event=${event} words=${words} mayAct=${mayAct} />`} />
    ${!all && list.length > MOST ? html`<button onClick=${() => setAll(true)}>${say("log.all", { n: list.length })}
    </button>` : null}
  </section>`;
}

/** @param {{event: EventTold, words: unknown, mayAct: boolean}} props */
function Event({ event, words, mayAct }) {
  const [open, setOpen] = useState(false);
  return html`<li value=${event.seq} class=${event.kind}>
    <button class="line" aria-expanded=${open} onClick=${() => setOpen(!open)}>${words}</button>
    ${open && html`<${More} event=${event} mayAct=${mayAct} />`}</li>`;
}

/** @param {{event: EventTold, mayAct: boolean}} props */
function More({ event, mayAct }) {
  const [correcting, setCorrecting] = useState(false);
  const effects = withEarlierTable(isEarlier(event), () => effectLines(openEffects(actionsOfEvent(event))),
  );
  const counts = event.kind === "action" && event.actions.length;
  const refusal = event.kind === "verdict" ? event.refusal : null;
  const time = new Date(event.at * 1000).toLocaleTimeString(language.value);
  return html`<div class="more"><p><small>${say("log.number", { n: event.seq })} · ${time}</small></p>
    <ul>${effects.map((line, i) => html`<li key=${i}>${line}</li>`)}</ul>
    ${refusal && html`<${Reason} refusal=${refusal} />`}
    ${evidenceOf(event) && html`<${Photo} name=${evidenceOf(event)} box=${boxOf(event)} words=${say("evidence")} />`}
    ${mayAct && html`<div class="row">
      ${counts ? html`<button aria-expanded=${correcting} onClick=${() => setCorrecting(!correcting)}>
      ${say("correct")}</button>` : null}
      ${DISPUTABLE.includes(event.kind) && html`<button onClick=${() => claim(event.seq, "")}>${say("dispute")}
      </button>`}</div>`}
    ${board.value.you.role === "host" && event.by === "camera" && html`<${Reasons} seq=${event.seq} />`}
    ${correcting && html`<${Correction} event=${event} />`}</div>`;
}

/** It was really another one: the likely alternatives as drawn buttons, none of them, or entry by hand.
 * @param {{event: EventTold}} props */
function Correction({ event }) {
  const [found, setFound] = useState(/** @type {Alternative[] | null} */ (null));
  const [text, setText] = useState("");
  useEffect(() => {
    get(`alternatives/${event.seq}`).then((answer) => setFound(answer.ok ? answer.data : []));
  }, [event.seq]);
  const send = () => text.trim() && correct(event.seq, [text.trim()]);
  return html`<div class="correction" role="group" aria-label=${say("correct_to")}><p>${say("correct_to")}</p>
    <div class="choices">
    ${(found ?? []).map((other) => html`<${Drawn} key=${other.actions[0]} ...${other}
    go=${() => correct(event.seq, other.actions)} />`)}
      <button onClick=${() => correct(event.seq, [])}>${say("correct_nothing")}</button></div>
    <form class="row" onSubmit=${submitted(send)}><label>${say("none_of_these")}
    <input value=${text} placeholder="move(a1,b1)" onInput=${typed(setText)} /></label>
      <button>${say("correct")}</button></form></div>`;
}

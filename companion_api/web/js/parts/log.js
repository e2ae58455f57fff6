// The log: every event, with what can be done about it: look back, correct, dispute; and the disputes themselves.
import { html, submitted, typed } from "../html.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { sentence } from "../announce.js";
import { get } from "../api.js";
import { board, boxOf, actionsOfEvent, events, evidenceOf, isEarlier, openEffects, past, view } from "../state.js";
import { claim, correct, overrule, redo, undo } from "../actions.js";
import { effectLines } from "../effects.js";
import { withEarlierTable } from "../piece_names.js";
import { byWords } from "../seats.js";
import { language, say, wordOrNull } from "../words.js";
import { Drawn } from "./camera_question.js";
import { Photo } from "./evidence.js";
import { Reasons } from "./reasons.js";
import { Clause, Reason, StatementText } from "./explanation.js";
import { TurnLog, turnsOf } from "./turn_log.js";

/** @import { Alternative, Disputed, EventTold, Ruled } from "../answers" */

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
  const effects = withEarlierTable(isEarlier(event), () => effectLines(openEffects(actionsOfEvent(event))));
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

/** The pictures before, after and now, the rule, the ruling, and the host's last word.
 * @param {{dispute: Disputed}} props */
function Dispute({ dispute }) {
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

/** Counts what was asked for: boards that come after a later one was wanted are not shown. */
let boardsWanted = 0;

/** @param {number} seq */
async function lookAt(seq) {
  const mine = ++boardsWanted;
  if (seq >= events.value.length) return void (past.value = null);
  const answer = await get(`at/${Math.max(1, seq)}`);
  if (answer.ok && mine === boardsWanted) past.value = answer.data;
}

/** Drag to any event and see the board as it was. */
function Scrubber() {
  const last = Math.max(1, events.value.length);
  const at = past.value?.seq ?? last;
  return html`<div class="row scrub"><button aria-label=${say("earlier")} onClick=${() => lookAt(at - 1)}>‹</button>
    <label><span class="live">${say("scrub")}</span>
    <input type="range" min="1" max=${last} value=${at} onInput=${typed((text) => lookAt(Number(text)))} /></label>
    <button aria-label=${say("later")} onClick=${() => lookAt(at + 1)}>›</button>
    ${view.value === "board" ? null : html`<button onClick=${() => (view.value = "board")}>${say("view.board")}
    </button>`}</div>`;
}

/** Below an old board: which one it is, on and back, and to now. */
export function HistoryBar() {
  const seq = past.value?.seq ?? 0;
  const event = events.value.find((one) => one.seq === seq);
  return html`<div class="bar" role="region" aria-label=${say("scrub")}><p>${say("past", { seq })} <strong>
    ${event ? sentence(event) : ""}</strong></p>
    ${event && evidenceOf(event) && html`<${Photo} key=${seq} name=${evidenceOf(event)} box=${boxOf(event)}
    words=${say("evidence")} />`}<${Scrubber} /><button class="go" onClick=${() => lookAt(Infinity)}>${say("now")}
      </button></div>`;
}

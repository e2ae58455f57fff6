// Drag to any event and see the board as it was.
import { html, typed } from "../html.js";
import { sentence } from "../announce.js";
import { get } from "../api.js";
import { boxOf, events, evidenceOf, past, view } from "../state.js";
import { say } from "../words.js";
import { Photo } from "./evidence.js";

/** Counts what was asked for: boards that come after a later one was wanted are not shown. */
let wanted = 0;

/** @param {number} seq */
async function go(seq) {
  const mine = ++wanted;
  if (seq >= events.value.length) return void (past.value = null);
  const answer = await get(`at/${Math.max(1, seq)}`);
  if (answer.ok && mine === wanted) past.value = answer.data;
}

export function Scrubber() {
  const last = Math.max(1, events.value.length);
  const at = past.value?.seq ?? last;
  return html`<div class="row scrub"><button aria-label=${say("earlier")} onClick=${() => go(at - 1)}>‹</button>
    <label><span class="live">${say("scrub")}</span>
    <input type="range" min="1" max=${last} value=${at} onInput=${typed((text) => go(Number(text)))} /></label>
    <button aria-label=${say("later")} onClick=${() => go(at + 1)}>›</button>
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
    words=${say("evidence")} />`}<${Scrubber} /><button class="go" onClick=${() => go(Infinity)}>${say("now")}
      </button></div>`;
}

// @ts-check
// What happened last, beside the board of a wide screen.
import { html } from "../html.js";
import { TOLD } from "../announce.js";
import { events } from "../state.js";
import { say } from "../words.js";
import { TurnLog, turnsOf } from "./turn_log.js";

const MOST = 60;

export function RecentMoves() {
  const told = events.value.filter((event) => TOLD.includes(event.kind)).slice(-MOST);
  return html`<aside class="recent-moves" tabindex="0" aria-label=${say("view.log")}><h2>${say("view.log")}</h2>
    <${TurnLog} turns=${turnsOf(told)}
    line=${(/** @type {import("../answers").EventTold} */ event, /** @type {unknown} */ words) => html`<li
      key=${event.seq} class=${event.kind}>${words}</li>`} /></aside>`;
}

// @ts-check
// What happened last, beside the board of a wide screen.
import { html } from "../html.js";
import { attributed, TOLD } from "../announce.js";
import { events } from "../state.js";
import { say } from "../words.js";

const MOST = 40;

export function Lately() {
  const told = events.value.filter((event) => TOLD.includes(event.kind)).slice(-MOST);
  return html`<aside class="lately" tabindex="0" aria-label=${say("view.log")}><h2>${say("view.log")}</h2>
    <ol reversed>${told.reverse().map((event) => html`<li key=${event.seq}>${attributed(event)}</li>`)}</ol></aside>`;
}

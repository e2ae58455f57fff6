// @ts-check
// The big screen: board, score and the last words for the whole room; nothing to touch, nothing secret.
import { html } from "../html.js";
import { sentence } from "../announce.js";
import { events } from "../state.js";
import { say } from "../words.js";
import { Board } from "./board.js";
import { Pending } from "./pending.js";
import { Sheet } from "./score.js";

export function Screen() {
  const last = [...events.value].reverse().slice(0, 5);
  return html`<${Pending} /><div class="wide"><${Board} /><aside><${Sheet} /><ul class="last">${last.map((event) => html`<li key=${event.seq}>${sentence(event)}</li>`)}</ul>
    <img class="qr" src="api/qr.svg" alt=${say("invite.qr")} /></aside></div>`;
}

// Somebody would take back a step of another: whoever did it is asked, the host may decide, and all see that it waits.
import { html } from "../html.js";
import { answerTakeback } from "../actions.js";
import { sentence } from "../announce.js";
import { board, actionsOfEvent, events } from "../state.js";
import { byWords, seatName } from "../seats.js";
import { say } from "../words.js";

export function Takeback() {
  const { takeback, you } = board.value;
  if (!takeback) return null;
  const mine = you.seat !== null && takeback.seats.includes(you.seat);
  const step = events.value.findLast((event) => event.seq < takeback.seq && actionsOfEvent(event).length);
  const whose = takeback.seats.map(seatName).join(", ");
  const asker = you.seat !== null && takeback.by === `seat:${you.seat}`;
  return html`<section class="pending takeback" role="alert"><p><strong>
    ${say(mine ? "takeback.yours" : "takeback.theirs", { who: byWords(takeback.by), whose })}</strong></p>
    ${step && html`<p>${sentence(step)}</p>`}
    ${mine || you.role === "host"
        ? html`<div class="row"><button class="go" onClick=${() => answerTakeback(takeback.seq, true)}>
          ${say("takeback.agree")}</button><button onClick=${() => answerTakeback(takeback.seq, false)}>
          ${say("takeback.decline")}</button></div>`
        : html`<p><small>${say("takeback.waits", { whose })}</small></p>
          ${asker && html`<button onClick=${() => answerTakeback(takeback.seq, false)}>${say("takeback.withdraw")}
          </button>`}`}</section>`;
}

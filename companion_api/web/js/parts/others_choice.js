// @ts-check
// What is another's to choose, or the whole table's.
import { html } from "../html.js";
import { ask } from "../actions.js";
import { seatName } from "../seats.js";
import { board } from "../state.js";
import { say } from "../words.js";
import { Choices } from "./choices.js";

/** @import { Listed } from "../answers" */

/** What the host may do for others, and what everybody may do for the table: never one tap away from being done.
 * @param {{items: Listed[]}} props */
export function OthersChoices({ items }) {
  if (!items.length) return null;
  const { you, turn } = board.value;
  const powers =
    you.role === "host" && !turn.seats.some((seat) => seat === you.seat) && items.some((item) => !item.common);
  return html`<details class="apart"><summary>
    ${powers ? say("host.powers", { who: turn.seats.map(seatName).join(", ") }) : say("whole_table")}</summary>
    <div class="row"><${Choices} items=${items} go=${(/** @type {Listed} */ item) => ask(item.id)} /></div>
    </details>`;
}

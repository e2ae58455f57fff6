// What happened, by turns: who first, with the suit, then what they did; the newest turn on top.
import { html } from "../html.js";
import { sentence, TOLD } from "../announce.js";
import { boxOf, actionsOfEvent, events, evidenceOf } from "../state.js";
import { Sign } from "../glyphs.js";
import { byWords, seatName, suitOf } from "../seats.js";
import { language, say } from "../words.js";
import { Thumb } from "./evidence.js";

/** @import { EventTold } from "../answers" */
/** @typedef {{seat: number | null, by: string, events: EventTold[]}} Turn what one player did in a row, or something
 * else that happened */

/** The seat that an event belongs to: whoever acted, or else whoever brought it.
 * @param {EventTold} event
 * @returns {number | null} */
function seatOf(event) {
  const acted = actionsOfEvent(event)[0]?.seat;
  return typeof acted === "number" ? acted : event.by.startsWith("seat:") ? Number(event.by.slice(5)) : null;
}

/** Events of one player's turn stand together.
 * @param {EventTold[]} events the oldest first
 * @returns {Turn[]} the newest first */
export function turnsOf(events) {
  const turns = /** @type {Turn[]} */ ([]);
  let acting = false;
  for (const event of events) {
    const [seat, acts] = [seatOf(event), event.kind === "action"];
    const last = turns[0];
    if (last && acting && acts && last.seat === seat && (seat !== null || last.by === event.by))
      last.events.unshift(event);
    else turns.unshift({ seat, by: event.by, events: [event] });
    acting = acts;
  }
  return turns;
}

/** Who it was. What is told in whole sentences names people itself. @param {Turn} turn */
function nameOf({ seat, by, events }) {
  if (!actionsOfEvent(events[0]).length) return "";
  return seat === null ? byWords(by) : seatName(seat);
}

/** To the minute, in the way of the page's language. @param {number} at */
const minute = (at) => new Date(at * 1000).toLocaleTimeString(language.value, { hour: "numeric", minute: "2-digit" });

/** @param {{turns: Turn[], line: (event: EventTold, words: unknown) => unknown}} props `line`: an event with its
 * words, as it stands in the list */
export function TurnLog({ turns, line }) {
  return html`<ol class="turns">${turns.map((turn) => {
    const [name, suit] = [nameOf(turn), suitOf(turn.seat)];
    return html`<li key=${turn.events.at(-1)?.seq} class="round ${name ? "" : "told"}">
      <p class="who">
      ${name && Sign(suit)}<b>${name}</b> <time>${minute(turn.events[0].at)}</time></p>
      <ol>${turn.events.map((event) => line(event, html`<span>${sentence(event)}</span>
      ${evidenceOf(event) && html`<${Thumb} name=${evidenceOf(event)} box=${boxOf(event)} />`}`))}</ol></li>`;
  })}</ol>`;
}

/** What happened last, beside the board of a wide screen. */
export function RecentMoves() {
  const told = events.value.filter((event) => TOLD.includes(event.kind)).slice(-60);
  return html`<aside class="recent-moves" tabindex="0" aria-label=${say("view.log")}><h2>${say("view.log")}</h2>
    <${TurnLog} turns=${turnsOf(told)}
    line=${(/** @type {EventTold} */ event, /** @type {unknown} */ words) => html`<li
      key=${event.seq} class=${event.kind}>${words}</li>`} /></aside>`;
}

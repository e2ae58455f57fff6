// Everybody chooses in secret: votes, covered dice, bids. Nothing is shown before it is asked for: neighbours look
// over.
import { html } from "../html.js";
import { useState } from "../../vendor/hooks.js";
import { useEvery } from "../fetched.js";
import { board, events, legal } from "../state.js";
import { act } from "../actions.js";
import { Choices, OthersChoices } from "./choices.js";
import { seatName } from "../seats.js";
import { say } from "../words.js";

export function Sealed() {
  const [open, setOpen] = useState(false);
  const { turn, you } = board.value;
  const mine = you.seat === null ? [] : legal.value.filter((item) => item.seat === you.seat && !item.common);
  const common = legal.value.filter((item) => !mine.includes(item));
  const waiting = turn.seats.map(seatName).join(", ");
  if (!mine.length)
    return html`<div class="bar" role="region" aria-label=${say("sealed.yours")}><p>
      ${say(you.seat === null ? "sealed.others" : "sealed.done", { who: waiting })}</p><${Clock} />
      <${OthersChoices} items=${common} /></div>`;
  if (!open)
    return html`<div class="bar actions" role="region" aria-label=${say("sealed.yours")}><p>${say("sealed.yours")}</p>
      <${Clock} /><button class="go" onClick=${() => setOpen(true)}>${say("sealed.show")}</button>
      <${OthersChoices} items=${common} /></div>`;
  const choose = (/** @type {string} */ id) => {
    setOpen(false);
    act(id);
  };
  return html`<div class="bar actions" tabindex="0" role="region" aria-label=${say("sealed.yours")}><p>
    ${say("sealed.pick")}</p><${Clock} />
    <${Choices} items=${mine} go=${(/** @type {import("../answers").Listed} */ item) => choose(item.id)} />
    <button class="quiet" onClick=${() => setOpen(false)}>${say("sealed.hide")}</button></div>`;
}

/** Seconds since the last bid or vote; the host ends the time, never the clock. */
function Clock() {
  const [now, setNow] = useState(Date.now());
  useEvery(() => setNow(Date.now()), 1000);
  const last = events.value.findLast((event) => event.kind === "action");
  if (!last) return null;
  return html`<p class="clock" aria-hidden="true">${Math.max(0, Math.round(now / 1000 - last.at))} s</p>`;
}

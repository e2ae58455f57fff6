// Who is at this phone: the name and the seat, taken ones with who sits there; and whoever would share a seat.
import { html, typed } from "../html.js";
import { useState } from "../../vendor/hooks.js";
import { isJoining, board } from "../state.js";
import { lookOn, shareSeat, takeSeat } from "../join.js";
import { suitName } from "../seats.js";
import { Sign } from "../glyphs.js";
import { say } from "../words.js";

/** Asked of everybody who comes in by a code; later it stands among the settings. */
export function SeatChoice() {
  const { you, seats } = board.value;
  const [name, setName] = useState(you.name || (localStorage.getItem("name") ?? ""));
  const stand = () => (name.trim() !== you.name || you.seat !== null ? takeSeat(null, name.trim()) : undefined);
  const onlyLook = () => (isJoining.value ? lookOn() : undefined, stand());
  return html`<section class="seating" aria-label=${say("seating")}><h2>${say("seating")}</h2>
    <label>${say("join.name")}<input maxlength="40" autocomplete="nickname" value=${name} onInput=${typed(setName)} />
    </label>
    <div class="row" role="group" aria-label=${say("seats")}>${seats.map(
      (seat) => html`<button key=${seat.seat} data-seat=${seat.seat} aria-pressed=${you.seat === seat.seat}
      onClick=${() => takeSeat(seat.seat, name.trim())}>
        ${Sign(seat.suit)}<span>${seatWords(seat, you)}</span></button>`)}
    <button data-seat="none" aria-pressed=${you.seat === null && !isJoining.value} onClick=${onlyLook}>
    ${say(you.role === "host" ? "seating.host" : "seating.look")}</button></div></section>`;
}

/** @param {import("../answers").SeatAtTable} seat @param {import("../answers").You} you */
function seatWords(seat, you) {
  const suit = suitName(seat.seat);
  if (you.seat === seat.seat || !seat.held.length) return suit;
  return say("seating.taken", { seat: suit, who: seat.held.filter(Boolean).join(", ") || say("by.player") });
}

/** Another phone would share a seat: whoever sits there agrees, or not. */
export function ShareRequests() {
  return board.value.wanted.map((guest) => html`<section key=${guest.phone} class="pending wanted" role="alert"><p>
      ${say("seat.wanted", { who: guest.name || say("by.player"), seat: suitName(guest.seat) })}</p>
    <div class="row"><button class="go" onClick=${() => shareSeat(guest, true)}>${say("seat.agree")}</button>
    <button onClick=${() => shareSeat(guest, false)}>${say("seat.decline")}</button></div></section>`,
  );
}

/** Who this phone speaks for; it stays in sight. */
export function OwnSeat() {
  const { you } = board.value;
  const parts = [
    you.name,
    you.seat === null ? null : suitName(you.seat),
    ["host", "spectator", "screen"].includes(you.role) && (you.role === "host" || you.seat === null)
      ? say(`you.${you.role}`)
      : null,
  ];
  const words = [...new Set(parts.filter(Boolean))].join(" · ");
  return html`<span class="you">${say("you.are", { who: words })}</span>`;
}

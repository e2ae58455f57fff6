// The clock: everybody's time as the server counted it, gone on from there; stopped and let go by whoever plays.
import { html, typed } from "../html.js";
import { useEffect, useRef, useState } from "../../vendor/hooks.js";
import { post } from "../api.js";
import { showReason } from "../phrasebook.js";
import { board } from "../state.js";
import { refresh } from "../table.js";
import { seatName } from "../seats.js";
import { say } from "../words.js";

const [MINUTES, INCREMENTS, EVERY_MS] = [[0, 5, 10, 15, 20, 30, 45, 60, 90], [0, 5, 10, 20, 30, 60], 250];

/** Everybody's time in a row. */
export function Clock() {
  const { clock, outcome, you } = board.value;
  const since = useRef(/** @type {{clock: import("../answers").Time | null, at: number}} */ ({ clock: null, at: 0 }));
  const [, tick] = useState(0);
  if (since.current.clock !== clock) since.current = { clock, at: performance.now() };
  const goes = Boolean(clock?.ticking.length) && !outcome.over;
  useEffect(() => {
    const timer = goes ? setInterval(() => tick((n) => n + 1), EVERY_MS) : 0;
    return () => clearInterval(timer);
  }, [goes]);
  if (!clock) return null;
  const spent = (performance.now() - since.current.at) / 1000;
  const left = (/** @type {number} */ seat) => clock.left[seat] - (goes && clock.ticking.includes(seat) ? spent : 0);
  const stopped = clock.held ? "clock.held" : clock.run ? "" : "clock.stopped";
  return html`<div class="clock" role="region" aria-label=${say("clock")}>
    ${clock.left.map((_, seat) => html`<span key=${seat}
    class=${`time ${goes && clock.ticking.includes(seat) ? "goes" : ""} ${left(seat) <= 0 ? "out" : ""}`}><small>
      ${seatName(seat)}</small> <b>${shownTime(left(seat))}</b>
      ${left(seat) <= 0 && html` <small>${say("clock.up")}</small>`}</span>`)}
    ${["host", "player"].includes(you.role) && !outcome.over && html`<button onClick=${() => run(Boolean(stopped))}>
    ${say(stopped ? "clock.go" : "clock.stop")}</button>`}
    ${stopped && html`<small>${say(stopped)}</small>`}</div>`;
}

/** @param {number} seconds */
function shownTime(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** @param {boolean} on */
const run = async (on) => sent(await post("clock/run", { run: on }));

/** @param {number} minutes @param {number} increment */
export const setClock = async (minutes, increment) => sent(await post("clock", { minutes, increment }));

/** @param {import("../api.js").Answer<unknown>} answer */
async function sent(answer) {
  if (!answer.ok) showReason(answer);
  await refresh();
}

/** How much time, and how much more with every turn.
 * @param {{minutes: number, increment: number, change: (minutes: number, increment: number) => void}} props */
export function ClockChoice({ minutes, increment, change }) {
  return html`<div class="row clock-choice"><label>${say("clock")}
    <select name="minutes" onChange=${typed((text) => change(Number(text), increment))}>
      ${MINUTES.map((n) => html`<option key=${n} value=${n} selected=${n === minutes}>
      ${n ? say("clock.minutes", { n }) : say("clock.off")}</option>`)}</select></label>
    ${minutes > 0 && html`<label>${say("clock.more")}
        <select name="increment" onChange=${typed((text) => change(minutes, Number(text)))}>
      ${INCREMENTS.map((n) => html`<option key=${n} value=${n} selected=${n === increment}>
      ${n ? say("clock.seconds", { n }) : say("clock.none")}</option>`)}</select></label>`}</div>`;
}

/** The host changes it while a game is played. */
export function ClockSetting() {
  const { clock } = board.value;
  return html`<${ClockChoice} minutes=${clock?.minutes ?? 0} increment=${clock?.increment ?? 0}
    change=${setClock} />`;
}

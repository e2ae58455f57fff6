// @ts-check
// A game once more: every board by slider, arrow keys or by itself, with what was done and its pictures; and the whole of
// it as one file for friends, which needs no server.
import { html, typed } from "../html.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { sentence } from "../announce.js";
import { get } from "../api.js";
import { reason, toldText } from "../phrasebook.js";
import { board, boxOf, doneBy, evidenceOf, replayed, tell, view } from "../state.js";
import { personName, seatName, setSeats } from "../seats.js";
import { lookingBack } from "../things.js";
import { say } from "../words.js";
import { Mini } from "./board.js";
import { Photo } from "./evidence.js";

/** @import { Replay as Game } from "../answers" */
/** @typedef {{who: string, what: string}} Caption */
const EVERY_MS = 1200;

/** What was done before each board, told as at that table. @param {Game} game @returns {{captions: Caption[], end: string, people: string}} */
function toldOf(game) {
  const here = board.value;
  try {
    board.value = { ...here, game: game.game, seats: game.seats, layout: game.steps[0].layout, state: Infinity };
    setSeats(game.seats);
    const captions = game.steps.map(({ event }) => {
      const seat = event && doneBy(event)[0]?.seat;
      return { who: typeof seat === "number" ? seatName(seat) : "", what: event ? lookingBack(true, () => sentence(event)) : say("event.started") };
    });
    return { captions, end: game.outcome.over ? toldText(game.outcome.said ?? game.outcome.reason) : "", people: game.seats.map(personName).join(", ") };
  } finally {
    board.value = here;
    setSeats(here.seats);
  }
}

export function Replay() {
  const [game, setGame] = useState(/** @type {Game | null} */ (null));
  const [told, setTold] = useState(/** @type {ReturnType<typeof toldOf> | null} */ (null));
  const [at, setAt] = useState(0);
  const [runs, setRuns] = useState(false);
  useEffect(() => {
    get(`replay/${replayed.value}`).then((answer) => {
      if (!answer.ok) return tell(() => reason(answer), true);
      setTold(toldOf(answer.data));
      setGame(answer.data);
    });
  }, []);
  const last = (game?.steps.length ?? 1) - 1;
  useEffect(() => {
    const timer = runs ? setTimeout(() => (at < last ? setAt(at + 1) : setRuns(false)), EVERY_MS) : 0;
    return () => clearTimeout(timer);
  }, [runs, at, last]);
  const keys = (/** @type {KeyboardEvent} */ event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: -last, End: last }[event.key];
    if (!by) return;
    event.preventDefault();
    setAt(Math.max(0, Math.min(last, at + by)));
  };
  if (!game || !told) return html`<p role="status">${say("replay.loading")}</p>`;
  const { event, layout, scores } = game.steps[at];
  const { who, what } = told.captions[at];
  const effects = event ? doneBy(event).filter((a) => !a.secret).flatMap((a) => a.effects) : [];
  const share = async () => {
    const keepsake = await import("../keepsake.js").catch(() => null);
    await keepsake?.share(game, told);
  };
  return html`<section class="replay" onKeyDown=${keys}><h2>${game.game.name} · ${told.people}</h2>
    <div class="wide"><figure><${Mini} layout=${layout} effects=${effects} label=${what} />
      <figcaption aria-live="polite"><b>${who}</b> ${what}${at === last && told.end ? ` – ${told.end}` : ""}</figcaption></figure>
      <div>${scores.length > 1 && html`<p>${game.seats.map((seat) => `${personName(seat)} ${scores[seat.seat]}`).join(" · ")}</p>`}${event && evidenceOf(event) && html`<${Photo} key=${event.seq} name=${evidenceOf(event)} box=${boxOf(event)} words=${say("evidence")} />`}</div></div>
    <div class="row scrub"><button aria-label=${say("earlier")} disabled=${at === 0} onClick=${() => setAt(at - 1)}>‹</button>
      <label><span class="live">${say("scrub")}</span><input type="range" min="0" max=${last} value=${at} onInput=${typed((text) => setAt(Number(text)))} /></label>
      <button aria-label=${say("later")} disabled=${at === last} onClick=${() => setAt(at + 1)}>›</button></div>
    <div class="row"><button class="go" onClick=${() => (at === last && setAt(0), setRuns(!runs))}>${say(runs ? "replay.pause" : "replay.play")}</button>
      <button data-share onClick=${share}>${say("replay.share")}</button>${game.table === board.value.table && html`<a class="button" href="api/export/mp4" download>MP4</a>`}
      <button onClick=${() => (view.value = "score")}>${say("back")}</button></div></section>`;
}

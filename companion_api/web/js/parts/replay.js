// A game once more: every board by slider, arrow keys or by itself, with what was done and its pictures; and the whole
// of it as one file for friends, which needs no server.
import { html, typed } from "../html.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { sentence } from "../announce.js";
import { actionWords } from "../action_text.js";
import { get } from "../api.js";
import { reason, showReason, translatedText } from "../phrasebook.js";
import { board, boxOf, actionsOfEvent, evidenceOf, openEffects, replayed, view } from "../state.js";
import { personName, seatName, setSeats } from "../seats.js";
import { withEarlierTable } from "../piece_names.js";
import { say } from "../words.js";
import { MiniBoard } from "./board.js";
import { Photo } from "./evidence.js";
import { solutionWords, solving } from "./solver_hints.js";

/** @import { Better, Replay as Game, Study } from "../answers" */
/** @typedef {{who: string, what: string}} Caption */
const EVERY_MS = 1200;

/** Words for what was done at another table. @template T @param {Game} game @param {() => T} words */
function withGameNames(game, words) {
  const here = board.value;
  try {
    board.value = { ...here, game: game.game, seats: game.seats, layout: game.steps[0].layout, state: Infinity };
    setSeats(game.seats);
    return words();
  } finally {
    board.value = here;
    setSeats(here.seats);
  }
}

/** What was done before each board, and how it ended. @param {Game} game */
const gameCaptions = (game) =>
  withGameNames(game, () => ({
    captions: game.steps.map(({ event }) => {
      const seat = event && actionsOfEvent(event)[0]?.seat;
      return {
        who: typeof seat === "number" ? seatName(seat) : "",
        what: event ? withEarlierTable(true, () => sentence(event)) : say("event.started"),
      };
    }),
    end: game.outcome.over ? translatedText(game.outcome.said ?? game.outcome.reason) : "",
    people: game.seats.map(personName).join(", "),
  }));

/** The same of a solution, and what would have been better in a game. @param {Game} game @param {Study} study */
const studyCaptions = (game, study) =>
  withGameNames(game, () => ({
    captions: (study.solution?.steps ?? []).map(({ action }) => ({
      who: "",
      what: action ? actionWords(action) : say("study.from"),
    })),
    better: study.better.map((one) => betterWords(one)),
  }));

/** @param {Better} one */
function betterWords({ seat, code, actions }) {
  const what = actions.map(actionWords).join(", ");
  return say(`study.${code}`, { who: seat === null ? "" : seatName(seat), what, n: actions.length });
}

export function Replay() {
  const [game, setGame] = useState(/** @type {Game | null} */ (null));
  const [told, setTold] = useState(/** @type {ReturnType<typeof gameCaptions> | null} */ (null));
  const [study, setStudy] = useState(/** @type {(Study & {told: ReturnType<typeof studyCaptions>}) | null} */ (null));
  const [at, setAt] = useState(0);
  const [runs, setRuns] = useState(false);
  const [learning, setLearning] = useState(false);
  const learn = async (/** @type {Game} */ of) => {
    setLearning(true);
    const answer = await get(`study/${of.table}`);
    setLearning(false);
    if (!answer.ok) return showReason(answer);
    setStudy({ ...answer.data, told: studyCaptions(of, answer.data) });
  };
  useEffect(() => {
    get(`replay/${replayed.value}`).then((answer) => {
      if (!answer.ok) return showReason(answer);
      setTold(gameCaptions(answer.data));
      setGame(answer.data);
      if (solving.value) learn(answer.data);
    });
    return () => void (solving.value = false);
  }, []);
  const solution = solving.value ? study?.solution : null;
  const last = ((solution ?? game)?.steps.length ?? 1) - 1;
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
  if (!game || !told || (solving.value && !study)) return html`<p role="status">${say("replay.loading")}</p>`;
  const now = Math.min(at, last);
  const event = solution ? null : game.steps[now].event;
  const { layout, scores } = (solution ?? game).steps[now];
  const { who, what } = (solution ? (study?.told.captions ?? []) : told.captions)[now];
  const effects = event ? openEffects(actionsOfEvent(event)) : [];
  const ending = !solution && now === last && told.end ? ` – ${told.end}` : "";
  const share = async () => {
    const gameFile = await import("../game_file.js").catch(() => null);
    await gameFile?.share(game, told);
  };
  const jump = (/** @type {number} */ to) => {
    setAt(to);
    scrollTo(0, 0); // to the board
  };
  const change = (/** @type {boolean} */ to) => {
    solving.value = to;
    setAt(0);
    setRuns(to);
  };
  return html`<section class="replay" onKeyDown=${keys}><h2>
    ${game.game.name} · ${solution ? say("study.solution") : told.people}</h2>
    <div class="wide"><figure><${MiniBoard} layout=${layout} effects=${effects} label=${what} />
      <figcaption aria-live="polite"><b>${who}</b> ${what}${ending}</figcaption></figure>
      <div>${scores.length > 1 && html`<p>
      ${game.seats.map((seat) => `${personName(seat)} ${scores[seat.seat]}`).join(" · ")}</p>`}
      ${event && evidenceOf(event) && html`<${Photo} key=${event.seq} name=${evidenceOf(event)} box=${boxOf(event)}
      words=${say("evidence")} />`}</div></div>
    <div class="row scrub">
    <button aria-label=${say("earlier")} disabled=${now === 0} onClick=${() => setAt(now - 1)}>‹</button>
      <label><span class="live">${say("scrub")}</span>
      <input type="range" min="0" max=${last} value=${now} onInput=${typed((text) => setAt(Number(text)))} /></label>
      <button aria-label=${say("later")} disabled=${now === last} onClick=${() => setAt(now + 1)}>›</button></div>
    ${study && html`<${StudyPanel} study=${study} at=${now} jump=${jump} change=${change} />`}
    <div class="row"><button class="go" onClick=${() => (now === last && setAt(0), setRuns(!runs))}>
    ${say(runs ? "replay.pause" : "replay.play")}</button>
      ${game.solved && !study && html`<button data-study disabled=${learning}
      onClick=${() => learn(game)}>${say(learning ? "study.working" : "study")}</button>`}
      <button data-share onClick=${share}>${say("replay.share")}</button>
      <a class="button" href=${`api/export/mp4?of=${game.table}`} download>MP4</a>
      <button onClick=${() => (view.value = "score")}>${say("back")}</button></div></section>`;
}

/** What a puzzle needed, with its solution, or the moves by which something was given away.
 * @param {{study: Study & {told: ReturnType<typeof studyCaptions>}, at: number, jump: (at: number) => void, change:
 * (solving: boolean) => void}} props */
function StudyPanel({ study, at, jump, change }) {
  const { solution, better, told } = study;
  if (solution)
    return html`<p class="study">
      ${solutionWords(solution)} ${solution.steps.length > 0 && html`<button onClick=${() => change(!solving.value)}>
      ${say(solving.value ? "study.own" : "study.show")}</button>`}</p>`;
  if (!better.length) return html`<p class="study">${say("study.nothing")}</p>`;
  return html`<ul class="study">
    ${better.map((one, i) => html`<li key=${i}>
    <button aria-pressed=${one.index === at} onClick=${() => jump(one.index)}>${one.index + 1}. ${told.better[i]}
    </button></li>`)}</ul>`;
}

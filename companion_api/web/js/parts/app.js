// The whole page: who is to act, the chosen view, the bar below.
import { html } from "../html.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import "../../vendor/signals.js";
import { announcement, board, clearSelection, isJoining, notice, onboardingStep, online } from "../state.js";
import { past, picked, problem, sending, status, view } from "../state.js";
import { seatName, setSeats } from "../seats.js";
import { translatedText } from "../phrasebook.js";
import { wordOrNull, loadLaterWords, say } from "../words.js";
import { ActionBar } from "./actions.js";
import { Board } from "./board.js";
import { SeatChoice, ShareRequests, OwnSeat } from "./seating.js";

/** What nobody needs in the first second comes after it. @type {Record<string, () => Promise<() => unknown>>} */
const LATER = {
  camera: () => import("./camera.js").then((m) => m.Camera),
  hand: () => import("./hand.js").then((m) => m.Hand),
  log: () => import("./log.js").then((m) => m.Log),
  score: () => import("./score.js").then((m) => m.Score),
  settings: () => import("./settings.js").then((m) => m.Settings),
  lobby: () => import("./lobby.js").then((m) => m.Lobby),
  setup: () => import("./setup.js").then((m) => m.Setup),
  pending: () => import("./camera_question.js").then((m) => m.CameraQuestion),
  past: () => import("./log.js").then((m) => m.HistoryBar),
  simulated: () => import("./simulated.js").then((m) => m.SimulationPanel),
  takeback: () => import("./takeback.js").then((m) => m.Takeback),
  led: () => import("./onboarding.js").then((m) => m.Onboarding),
  replay: () => import("./replay.js").then((m) => m.Replay),
  join: () => import("./join.js").then((m) => m.Join),
  rules: () => import("./rules.js").then((m) => m.Rules),
  end: () => import("./end.js").then((m) => m.End),
  clock: () => import("./clock.js").then((m) => m.Clock),
  screen: () => import("./screen.js").then((m) => m.Screen),
  recent_moves: () => import("./turn_log.js").then((m) => m.RecentMoves),
};
/** Those that are here already are shown at once. @type {Record<string, () => unknown>} */
const loadedViews = {};
/** Fetched while the phone has nothing to do, so that they are there without a network too. */
export function prefetchViews() {
  setTimeout(() => Promise.all([import("./drag.js"), loadLaterWords()]).catch(() => null), 200);
  if (localStorage.getItem("photos") === "yes")
    import("../photos.js").then((m) => m.lookForPhotos(), () => null);
  setTimeout(() => Object.keys(LATER).forEach(fetched), 1500);
  setTimeout(() => document.querySelector("link[rel=icon]")?.setAttribute("href", "icon.svg"), 1500);
}

/** How later views look. @type {Promise<unknown> | null} */
let style = null;
const loadLaterStyle = () =>
  (style ??= new Promise((done) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: "later.css", onload: done });
    link.onerror = () => (link.remove(), (style = null), done(null));
    document.head.append(link);
  }));

/** @param {string} name */
const fetched = async (name) => {
  const view = loadedViews[name] ?? LATER[name]().catch(() => null);
  const [shown] = await Promise.all([view, loadLaterWords(), loadLaterStyle()]);
  if (shown) loadedViews[name] = shown;
  return Boolean(shown);
};
const AGAIN_MS = 2000;

/** @param {{name: string}} props */
function Later({ name }) {
  const [, setHere] = useState(name in loadedViews);
  useEffect(() => {
    let alive = true;
    const go = async () => {
      if (await fetched(name)) alive && setHere(true);
      else if (alive) setTimeout(go, AGAIN_MS);
    };
    go();
    return () => void (alive = false);
  }, [name]);
  const Shown = loadedViews[name];
  return Shown && html`<${Shown} />`;
}

/** There is room for what happened last beside the board. */
const WIDE = matchMedia("(min-width: 1200px)");

export function App() {
  const [wide, setWide] = useState(WIDE.matches);
  useEffect(() => {
    const tell = () => setWide(WIDE.matches);
    WIDE.addEventListener("change", tell);
    return () => WIDE.removeEventListener("change", tell);
  }, []);
  useEffect(() => {
    const escape = (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && leave();
    addEventListener("keydown", escape);
    return () => removeEventListener("keydown", escape);
  }, []);
  if (problem.value) return html`<${SafeMode} />`;
  if (!board.value) return html`<${Later} name="join" />`;
  setSeats(board.value.seats);
  if (onboardingStep.value !== null)
    return html`<div class="page"><${Later} name="led" /><${Notice} /><p class="live" aria-live="polite">
      ${announcement.value}</p></div>`;
  const shown = view.value in LATER ? html`<${Later} key=${view.value} name=${view.value} />` : html`<${Board} />`;
  const screen = board.value.you.role === "screen";
  return html`<div class="page ${screen ? "screen" : ""}">
    <${Header} />
    ${board.value.clock && html`<${Later} name="clock" />`}
    <main tabindex="-1">
    ${screen ? html`<${Later} name="screen" />` : html`<${ShareRequests} />
    ${board.value.simulated && view.value === "board" && !isJoining.value && html`<${Later} name="simulated" />`}
    ${board.value.takeback && html`<${Later} name="takeback" />`}
    ${board.value.pending && html`<${Later} name="pending" />`}
    ${board.value.outcome.over && view.value === "board" && !past.value && html`<${Later} name="end" />`}${shown}`}
    </main>
    ${wide && !screen && view.value === "board" && html`<${Later} name="recent_moves" />`}
    ${past.value && view.value === "board" && html`<${Later} name="past" />`}
    ${view.value === "board" && !screen && (isJoining.value ? html`<div class="bar"><${SeatChoice} />
    </div>` : html`<${ActionBar} />`)}
    <${Notice} />
    <p class="live" aria-live="polite">${announcement.value}</p>
    ${screen ? null : html`<${Nav} />`}
  </div>`;
}

function Header() {
  const { game, turn, outcome, you } = board.value;
  const whose = turn.seats.map(seatName).join(", ");
  const line = outcome.over
    ? say("over", { reason: translatedText(outcome.said ?? outcome.reason) })
    : turnWords(game.id, turn, whose);
  const mine = turn.seats.some((seat) => seat === you.seat) && !outcome.over;
  const title = mine && turn.kind !== "chance" ? `● ${say("turn.mine")} · ${game.name}` : `${game.name} · Companion`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  const phase = turn.phase && !outcome.over && !chanceKey(game.id, turn) ? wordOrNull(`phase.${turn.phase}`) : null;
  return html`<header class=${mine ? "mine" : ""}>
    <h1>${game.name}</h1>
    <p class="turn">${line}${phase && html` <small>${phase}</small>`}</p>
    <${OwnSeat} />
    <${Chip} />
  </header>`;
}

/** Escape: what is picked or asked goes, and a notice that was read; the focus goes back to where it came from. */
function leave() {
  const name = picked.value;
  clearSelection();
  notice.value = null;
  if (name !== null)
    requestAnimationFrame(() =>
      /** @type {HTMLElement | null} */ (document.querySelector(`[data-name="${CSS.escape(name)}"]`))?.focus(),
    );
}

/** What the table decides has words of its own: roll to see who begins, draw a tile.
 * @param {string} game
 * @param {import("../answers").TurnTold} turn
 * @param {string} who */
const turnWords = (game, turn, who) => say(chanceKey(game, turn) || `turn.${turn.kind}`, { who });

/** @param {string} game @param {import("../answers").TurnTold} turn */
const chanceKey = (game, turn) =>
  turn.kind === "chance" && [`chance.${game}.${turn.phase}`, `chance.${turn.phase}`].find(wordOrNull);

function Chip() {
  const word = online.value ? status.value : "offline";
  return html`<span class="chips"><span class="chip ${word}" role="status">${say(`status.${word}`)}</span>
    ${sending.value && html`<button class="chip sending" onClick=${() => (view.value = "camera")}>${say("phone.on")}
    </button>`}</span>`;
}

const TABS = ["board", "camera", "hand", "log", "score", "settings"];

function Nav() {
  useEffect(() => scrollTo(0, 0), [view.value]);
  return html`<nav aria-label=${say("views")}>${TABS.map(
    (name) => html`<button key=${name} data-view=${name} aria-current=${view.value === name ? "page" : null}
      onClick=${() => (view.value = name)}>
      <span aria-hidden="true">${ICONS[/** @type {keyof typeof ICONS} */ (name)]}</span><span>${say(`view.${name}`)}
      </span></button>`)}</nav>`;
}

const ICONS = { board: "▦", camera: "◉", hand: "✎", log: "≡", score: "★", settings: "⚙" };

const GOOD_NEWS_MS = 8000;

/** Good news go by themselves, bad ones wait. */
function Notice() {
  const told = notice.value;
  useEffect(() => {
    const gone = told && !told.bad ? setTimeout(() => (notice.value = null), GOOD_NEWS_MS) : 0;
    return () => clearTimeout(gone);
  }, [told]);
  if (!told) return null;
  const { text, bad, go } = told;
  const act = () => {
    notice.value = null;
    go?.act();
  };
  return html`<div class="notice ${bad ? "bad" : ""}" role="alert"><p>${text()}</p>
    ${go && html`<button onClick=${act}>${say(go.words)}</button>`}<button onClick=${() => (notice.value = null)}>
    ${say("ok")}</button></div>`;
}

function SafeMode() {
  if (problem.value === "offline")
    return html`<main class="wait"><h1>Piecepack Companion</h1><p role="status">${say("away")}</p></main>`;
  return html`<main class="wait"><h1>Piecepack Companion</h1><p>${say("safe_mode")}</p><p><code>${problem.value}
    </code></p>
    <button onClick=${() => location.reload()}>${say("again")}</button></main>`;
}

// @ts-check
// The whole page: who is to act, the chosen view, the bar below.
import { html } from "../html.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import "../../vendor/signals.js";
import { board, events, notice, online, past, problem, status, view } from "../state.js";
import { sentence, spoken } from "../announce.js";
import { seatName, setSeats } from "../seats.js";
import { toldText } from "../sentences.js";
import { known, say } from "../words.js";
import { ActionBar } from "./actions.js";
import { Board } from "./board.js";
import { Hand } from "./hand.js";
import { Join } from "./join.js";
import { Log } from "./log.js";
import { Pending } from "./pending.js";
import { Score, Sheet } from "./score.js";
import { Past } from "./scrubber.js";
import { Settings } from "./settings.js";

const VIEWS = { board: Board, hand: Hand, log: Log, score: Score, settings: Settings };
/** What nobody needs in the first second comes after it. @type {Record<string, () => Promise<any>>} */
const LATER = {
  camera: () => import("./camera.js").then((m) => m.Camera),
  lobby: () => import("./lobby.js").then((m) => m.Lobby),
  setup: () => import("./setup.js").then((m) => m.Setup),
};
/** Fetched while the phone has nothing to do, so that they are there without a network too. */
export const warmUp = () => setTimeout(() => Object.values(LATER).forEach((load) => load()), 3000);

/** @param {{name: string}} props */
function Later({ name }) {
  const [Shown, setShown] = useState(/** @type {any} */ (null));
  useEffect(() => {
    LATER[name]().then((part) => setShown(() => part));
  }, [name]);
  return Shown && html`<${Shown} />`;
}

export function App() {
  if (problem.value) return html`<${Safe} />`;
  if (!board.value) return html`<${Join} />`;
  setSeats(board.value.seats);
  const Shown = VIEWS[/** @type {keyof typeof VIEWS} */ (view.value)] ?? Board;
  const shown = view.value in LATER ? html`<${Later} key=${view.value} name=${view.value} />` : html`<${Shown} />`;
  const screen = board.value.you.role === "screen";
  return html`<div class="page ${screen ? "screen" : ""}">
    <${Header} />
    <main tabindex="-1">${screen ? html`<${Screen} />` : html`<${Pending} />${shown}`}</main>
    ${past.value && view.value === "board" && html`<${Past} />`}
    ${view.value === "board" && !screen && html`<${ActionBar} />`}
    <${Notice} />
    <p class="live" aria-live="polite">${spoken.value}</p>
    ${screen ? null : html`<${Nav} />`}
  </div>`;
}

/** The big screen: board, score and the last words for the whole room; nothing to touch, nothing secret. */
function Screen() {
  const last = [...events.value].reverse().slice(0, 5);
  return html`<${Pending} /><div class="wide"><${Board} /><aside><${Sheet} /><ul class="last">${last.map((event) => html`<li key=${event.seq}>${sentence(event)}</li>`)}</ul>
    <img class="qr" src="api/qr.svg" alt=${say("invite.qr")} /></aside></div>`;
}

function Header() {
  const { game, turn, outcome, you } = board.value;
  useEffect(() => {
    document.title = `${game.name} · Companion`;
  }, [game.name]);
  const whose = turn.seats.map(seatName).join(", ");
  const line = outcome.over ? say("over", { reason: toldText(outcome.reason) }) : say(`turn.${turn.kind}`, { who: whose });
  const mine = turn.seats.includes(you.seat) && !outcome.over;
  return html`<header class=${mine ? "mine" : ""}>
    <h1>${game.name}</h1>
    <p class="turn">${line}${turn.phase && !outcome.over ? html` <small>${known(`phase.${turn.phase}`) ?? turn.phase.replaceAll("_", " ")}</small>` : null}</p>
    <${Chip} />
  </header>`;
}

function Chip() {
  const word = online.value ? status.value : "offline";
  return html`<span class="chip ${word}" role="status">${say(`status.${word}`)}</span>`;
}

const TABS = ["board", "camera", "hand", "log", "score", "settings"];

function Nav() {
  return html`<nav aria-label=${say("views")}>${TABS.map(
    (name) => html`<button key=${name} data-view=${name} aria-current=${view.value === name ? "page" : null} onClick=${() => (view.value = name)}>
      <span aria-hidden="true">${ICONS[/** @type {keyof typeof ICONS} */ (name)]}</span><span>${say(`view.${name}`)}</span></button>`,
  )}</nav>`;
}

const ICONS = { board: "▦", camera: "◉", hand: "✎", log: "≡", score: "★", settings: "⚙" };

function Notice() {
  if (!notice.value) return null;
  return html`<div class="notice ${notice.value.bad ? "bad" : ""}" role="alert">
    <p>${notice.value.text}</p><button onClick=${() => (notice.value = null)}>${say("ok")}</button></div>`;
}

function Safe() {
  return html`<main class="wait"><h1>Piecepack Companion</h1><p>${say("safe_mode")}</p><p><code>${problem.value}</code></p>
    <button onClick=${() => location.reload()}>${say("again")}</button></main>`;
}

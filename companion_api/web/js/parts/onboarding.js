// From the box to the first turn, one thing on a screen: the camera, what it sees, the game, the set, the people, the
// opening. Every step can be skipped and gone back to; later all of it stands among the settings.
import { html, typed } from "../html.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { get, post } from "../api.js";
import { useFetched, usePolled } from "../fetched.js";
import { showReason } from "../phrasebook.js";
import { isJoining, board, onboardingStep, view } from "../state.js";
import { refresh } from "../table.js";
import { lookOn, moved, takeSeat } from "../join.js";
import { suitName } from "../seats.js";
import { Sign } from "../glyphs.js";
import { wordOrNull, say } from "../words.js";
import { cameraWords, NUMBER } from "./camera.js";
import { SetupGuide } from "./setup_overlay.js";
import { minutesWords, playersWords, BoardSketch, summary } from "./lobby.js";
import { PhoneCamera } from "./phone_camera.js";
import { Quality } from "./wizard.js";

/** @import { Cameras } from "../answers" */
const STEPS = ["camera", "look", "game", "set", "people", "lay", "begin"];
/** Steps that go on by a choice. */
const CHOSEN = ["camera", "game"];
/** @type {Record<string, () => unknown>} */
const BODIES = {
  camera: Camera,
  look: Look,
  game: Game,
  set: OwnSet,
  people: People,
  lay: () => html`<${SetupGuide} led />`,
  begin: Begin,
};
const EVERY_MS = 1500;
const SIGNS = /** @type {Record<string, string>} */ ({ phone: "▯", simulated: "▦", drawn: "▦" });
/** Advice without which nothing can be read; all other advice makes it better. */
const IN_THE_WAY = ["hand", "no-tiles", "small", "angle", "blur", "dark"];

/** A camera was chosen; it may take a while until it gives its first picture. */
let sees = false;
/** Nothing is seen: there is nothing to look at, to teach or to tick off. */
const hasNoCamera = () => !sees && board.value.status === "no_camera";
const isStepWanted = (/** @type {number} */ n) => !(hasNoCamera() && ["look", "set", "lay"].includes(STEPS[n]));

/** @param {number} by */
function go(by) {
  let n = (onboardingStep.value ?? 0) + by;
  while (STEPS[n] && !isStepWanted(n)) n += by;
  if (n >= STEPS.length) return leave();
  onboardingStep.value = Math.max(0, n);
}

/** The table itself; the steps do not come again by themselves. */
function leave() {
  localStorage.setItem("led", "no");
  onboardingStep.value = null;
  if (board.value.you.seat === null) lookOn();
  isJoining.value = false;
  view.value = "board";
}

export function Onboarding() {
  const n = onboardingStep.value ?? 0;
  const name = STEPS[n];
  useEffect(() => {
    scrollTo(0, 0);
    /** @type {HTMLElement | null} */ (document.querySelector(".led h1"))?.focus();
  }, [n]);
  const shown = STEPS.filter((_, i) => n === 0 || isStepWanted(i));
  return html`<main class="led" tabindex="-1"><p class="progress">
    <progress max=${shown.length} value=${shown.indexOf(name) + 1} aria-hidden="true"></progress><small>
    ${say("led.step", { n: shown.indexOf(name) + 1, of: shown.length })}</small></p>
    <h1 tabindex="-1">${say(`led.${name}`)}</h1><p>${say(`led.${name}.words`)}</p>
    <div class="step"><${BODIES[name]} /></div>
    <div class="row ways">${n > 0 && html`<button onClick=${() => go(-1)}>${say("back")}</button>`}
      ${name === "begin" ? html`<button class="go" onClick=${leave}>${say("led.start")}
      </button>` : html`<button class=${CHOSEN.includes(name) ? "" : "go"} onClick=${() => go(1)}>
      ${say(CHOSEN.includes(name) ? "led.skip" : "led.next")}</button>`}
      <button class="quiet" onClick=${leave}>${say("led.leave")}</button></div></main>`;
}

/** There may be no picture yet. @param {Event} event */
function waitFor({ currentTarget }) {
  const picture = /** @type {HTMLImageElement} */ (currentTarget);
  const again = () => picture.isConnected && (picture.src = `${picture.src.split("?")[0]}?${Date.now()}`);
  setTimeout(again, EVERY_MS);
}

/** Which camera: each with the picture it gives just now, also a film or an address that is used; a phone; or
 * none. */
function Camera() {
  const [found, setFound] = useState(/** @type {Cameras | null} */ (null));
  const load = async () => {
    const answer = await get("cameras");
    if (!answer.ok) return;
    sees = Boolean(answer.data.used);
    const { used, choices } = answer.data;
    setFound({ ...answer.data, choices: !used || choices.includes(used) ? choices : [used, ...choices] });
  };
  useEffect(() => void load(), []);
  const choose = async (/** @type {string} */ source) => {
    if (source === found?.used && !["phone", "simulated"].includes(source)) return go(1);
    const answer = await post("cameras", { source });
    if (!answer.ok) return showReason(answer);
    sees = true;
    await refresh();
    if (source === "phone") return load();
    if (source === "simulated") return leave();
    go(1);
  };
  if (!found) return null;
  return html`<div class="cards">${found.choices.map(
    (source) => html`<button key=${source} data-camera=${source} aria-pressed=${found.used === source}
      onClick=${() => choose(source)}>
      ${SIGNS[source] ? html`<span class="sign" aria-hidden="true">${SIGNS[source]}
      </span>` : html`<img src=${NUMBER.test(source) ? `api/cameras/${source}/picture` : "api/camera/picture"}
      alt="" onError=${source === found.used && waitFor} />`}<strong>${cameraWords(source)}</strong><small>
      ${wordOrNull(`led.camera.${source}`)}</small></button>`)}
      <button data-camera="none" onClick=${() => ((sees = false), go(1))}>
      <span class="sign" aria-hidden="true">✎</span><strong>${say("led.camera.none")}</strong><small>
      ${say("led.camera.none.words")}</small></button></div>
    ${found.used === "phone" && html`<${PhoneCamera} />`}`;
}

/** Whether it sees the table: the picture in a green frame once light, sharpness and tilt will do. */
function Look() {
  const [now, , stamp] = usePolled("calibration", EVERY_MS);
  const good = now?.quality && !now.quality.advice.some(({ code }) => IN_THE_WAY.includes(code));
  return html`<figure class="view ${good ? "good" : ""}">
    ${now?.quality && html`<img src=${`api/camera/picture?${stamp}`} alt=${say("camera.picture")} />`}
    <figcaption><span role="status">${good ? html`<strong>✓ ${say("led.look.good")}</strong>` : say("led.look.wait")}
    </span></figcaption></figure>${now && html`<${Quality} quality=${now.quality} check=${now.check} />`}`;
}

/** Which game, and how many play it; the rules to begin with where there are some. */
function Game() {
  const [games] = useFetched("games");
  const [chosen, setChosen] = useState("");
  const [count, setCount] = useState(0);
  const [easy, setEasy] = useState(true);
  const card = games?.find((game) => game.id === chosen);
  const first = card?.presets.find((preset) => preset.name === "first");
  const open = async () => {
    if (!card) return;
    const answer = await post("tables", {
      game: card.id,
      options: (easy && first?.options) || {},
      seats: count || card.default_seats,
    });
    if (await moved(answer)) go(1);
  };
  if (!card)
    return html`<div class="cards">
      ${games?.map((game) => html`<button key=${game.id} data-game=${game.id}
      onClick=${() => (setChosen(game.id), setCount(game.default_seats))}><${BoardSketch} id=${game.id} /><strong>
        ${game.name}</strong><small>${[playersWords(game), minutesWords(game)].filter(Boolean).join(", ")}</small>
        </button>`)}</div>`;
  return html`<h2>${card.name}</h2><p>${summary(card)}</p><div class="sketched"><${BoardSketch} id=${card.id} /></div>
    ${card.seats.length > 1 && html`<label>${say("players")}
    <select value=${count} onChange=${typed((text) => setCount(Number(text)))}>
    ${card.seats.map((n) => html`<option key=${n} value=${n}>${n}</option>`)}</select></label>`}
    ${first && html`<label class="switch"><input type="checkbox" checked=${easy} onChange=${() => setEasy(!easy)} />
    ${say("led.easy")}</label>`}
    <div class="row"><button class="go" data-open onClick=${open}>${say("led.play", { game: card.name })}</button>
    <button onClick=${() => setChosen("")}>${say("other_game")}</button></div>`;
}

/** A set that looks otherwise is taught in two minutes. */
function OwnSet() {
  const teach = () => {
    leave();
    view.value = "setup";
  };
  return html`<div class="row"><button onClick=${teach}>${say("led.set.now")}</button></div>`;
}

/** Names and seats as they come; the host sits down here too. */
function People() {
  const { seats, you, table } = board.value;
  const [codes] = useFetched("codes", table);
  const [name, setName] = useState(you.name || (localStorage.getItem("name") ?? ""));
  return html`<div class="invite"><img class="qr" src=${`api/qr.svg?${table}`} alt=${say("invite.qr")} />
    <p class="code">${codes?.player}</p></div>
    <label>${say("join.name")}<input maxlength="40" autocomplete="nickname" value=${name} onInput=${typed(setName)} />
    </label>
    <ul class="seats" aria-live="polite">${seats.map((seat) => html`<li key=${seat.seat}>
        <button data-seat=${seat.seat} aria-pressed=${you.seat === seat.seat}
        onClick=${() => takeSeat(seat.seat, name.trim())}>
          ${Sign(seat.suit)}
      <strong>${suitName(seat.seat)}</strong> <span>
      ${seat.held.length
          ? `✓ ${seat.held.filter(Boolean).join(", ") || say("by.player")}`
          : say(you.seat === null ? "led.sit" : "led.free")
      }
      </span></button></li>`)}</ul>`;
}

function Begin() {
  const { game, seats } = board.value;
  const people = seats.filter((seat) => seat.held.length).map((seat) => seat.name);
  return html`<p><strong>${game.name}</strong>${people.length ? ` · ${people.join(", ")}` : ""}</p>`;
}

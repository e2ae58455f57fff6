// Seats, languages, sound, voice, hints, the join code, the hall, and the ways to lobby and set-up.
import { html, submitted, typed } from "../html.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { get, post } from "../api.js";
import { useEvery, useFetched } from "../fetched.js";
import { reason, whyNot } from "../phrasebook.js";
import { lookForPhotos, switchPhotos } from "../photos.js";
import { board, hints, notify, photos, sound, tell, view, voice } from "../state.js";
import { language, languages, say, setLanguage, wordOrNull } from "../words.js";
import { ClockSetting } from "./clock.js";
import { SeatChoice } from "./seating.js";

/** @import { HallOfTable, HallInvitation } from "../answers" */

export function Settings() {
  const { you } = board.value;
  return html`<section class="settings">
    ${you.role !== "screen" && html`<${SeatChoice} />`}
    <div class="row">
    ${you.role === "host" && html`<button class="go" onClick=${() => (view.value = "lobby")}>${say("new_game")}
    </button>`}
      ${you.role !== "screen" && html`<button onClick=${() => (view.value = "setup")}>${say("setup")}</button>`}
      <button onClick=${() => (view.value = "rules")}>${say("rulebook.open")}</button></div>
    <${Invite} />
    <h2>${say("settings")}</h2>
    <${Language} />
    <${Photos} />
    <${Switch} signal=${hints} name="hints" />
    <${Switch} signal=${sound} name="sound" />
    <${Switch} signal=${voice} name="voice" />
    ${isSecureContext && "Notification" in window ? html`<div onClick=${() => Notification.requestPermission()}>
    <${Switch} signal=${notify} name="notify" /></div>` : html`<p><small>${say("settings.notify.https")}</small></p>`}
    ${you.role === "host" && html`<${ClockSetting} />`}
    ${you.role === "host" && html`<${Demo} /><${Hall} />`}
    <p><a class="button" href="docs">${say("settings.programs")}</a></p>
  </section>`;
}

function Language() {
  const [found, setFound] = useState({ [language.value]: say("language.name") });
  useEffect(() => {
    languages().then((all) => setFound({ ...found, ...all }));
  }, []);
  return html`<label>${say("language")}<select value=${language.value} onChange=${typed(setLanguage)}>
    ${Object.entries(found).map(([id, name]) => html`<option key=${id} value=${id} lang=${id}>${name}</option>`)}
    </select></label>`;
}

/** @param {{signal: import("../../vendor/signals.js").Signal<boolean>, name: string}} props */
function Switch({ signal, name }) {
  const flip = () => {
    signal.value = !signal.value;
    localStorage.setItem(name, signal.value ? "yes" : "no");
  };
  return html`<label class="switch"><input type="checkbox" checked=${signal.value} onChange=${flip} />
    ${say(`settings.${name}`)}</label>`;
}

/** Boards with photographs of people's own pieces, once there are enough that look well. */
function Photos() {
  const [enough, setEnough] = useState(photos.value !== null);
  const [on, setOn] = useState(localStorage.getItem("photos") === "yes");
  useEffect(() => void lookForPhotos().then(setEnough), [board.value.seq]);
  const flip = () => {
    switchPhotos(!on);
    setOn(!on);
  };
  return html`<label class="switch">
    <input type="checkbox" checked=${on && enough} disabled=${!enough} onChange=${flip} /><span>
    ${say("settings.photos")}${!enough && html` <small>${say("settings.photos.later")}</small>`}</span></label>`;
}

function Invite() {
  const [codes] = useFetched("codes");
  return html`<h2>${say("invite")}</h2><p class="code">${codes?.player}</p>
    <img class="qr" src="api/qr.svg" alt=${say("invite.qr")} />`;
}

/** A simulated table on request: the host has something staged, so that a dispute can be tried. */
function Demo() {
  const incidents = useFetched("demo")[0]?.incidents ?? [];
  const [chosen, setChosen] = useState("illegal");
  if (!incidents.length) return null;
  const stage = async () => {
    const answer = await post("demo/stage", { incident: chosen });
    tell(() => (answer.ok ? say("demo.staged") : reason(answer)), !answer.ok);
    if (answer.ok) view.value = "board";
  };
  return html`<h2>${say("demo")}</h2><p>${say("demo.how")}</p><div class="row"><label>${say("demo.what")}
    <select value=${chosen} onChange=${typed(setChosen)}>
    ${incidents.map((name) => html`<option key=${name} value=${name}>
    ${say(`incident.${name}`)}</option>`)}</select></label>
    <button class="go" onClick=${stage}>${say("demo.stage")}</button></div>`;
}

const HALL_MS = 3000;

/** The hall that this table belongs to: the host joins by the address of an invitation, and leaves again. */
function Hall() {
  const [hall, setHall] = useState(/** @type {HallOfTable | null} */ (null));
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  useEvery(() => get("hall").then((answer) => answer.ok && setHall(answer.data)), HALL_MS);
  if (!hall) return null;
  /** @param {Promise<import("../api.js").Answer<HallOfTable>>} sent */
  const send = async (sent) => {
    setBusy(true);
    const answer = await sent;
    setBusy(false);
    setProblem(answer.ok ? "" : why(answer));
    if (answer.ok) setHall(answer.data);
  };
  const enter = (/** @type {HallInvitation} */ invitation) => send(post("hall", invitation));
  return html`<details open=${hall.joined}><summary><h2>${say("hall")}</h2></summary>
    ${hall.joined ? html`<${Joined} hall=${hall} leave=${() => send(post("hall/leave", {}))} />` : html`<${Join}
    name=${hall.name} busy=${busy} join=${enter} />`}</details>
    ${problem && html`<p class="bad" role="alert">${problem}</p>`}`;
}

/** @param {{hall: HallOfTable, leave: () => void}} props */
function Joined({ hall, leave }) {
  return html`<p role="status">
    ${say(hall.connected ? "hall.in" : "hall.waiting", { name: hall.name, server: hall.server })}</p>
    <div class="row"><button onClick=${leave}>${say("hall.leave")}</button></div>`;
}

/** @param {{name: string, busy: boolean, join: (invitation: HallInvitation) => void}} props */
function Join({ name, busy, join }) {
  const [url, setUrl] = useState("");
  const [called, setCalled] = useState(name);
  return html`<p>${say("hall.how")}</p><form class="row" onSubmit=${submitted(() => join({ url, name: called }))}>
    <label>${say("hall.address")}
    <input value=${url} required maxlength="200" autocomplete="off" autocapitalize="none" spellcheck=${false}
    placeholder="nats://CODE@HUB:4222" onInput=${typed(setUrl)} /></label>
    <label>${say("hall.name")}<input value=${called} required maxlength="40" onInput=${typed(setCalled)} /></label>
    <button class="go" disabled=${busy}>${say(busy ? "hall.joining" : "hall.join")}</button></form>`;
}

/** @param {{status: number, data: unknown}} answer */
function why(answer) {
  const { reason: name, facts } = whyNot(answer) ?? {};
  return name && wordOrNull(`hall.no.${name}`) ? say(`hall.no.${name}`, facts ?? {}) : reason(answer);
}

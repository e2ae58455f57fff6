// @ts-check
// Setting up: which camera, does it see the table, what lies otherwise than it should.
import { html } from "../html.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { get, post } from "../api.js";
import { reason } from "../sentences.js";
import { board, tell } from "../state.js";
import { say } from "../words.js";
import { Told } from "./told.js";
import { Camera } from "./camera.js";
import { Wizard } from "./wizard.js";

export function Setup() {
  return html`<section class="setup"><h2>${say("setup")}</h2>
    ${board.value.you.role === "host" && html`<${Cameras} />`}<${Help} /><${Wizard} /><${Camera} /></section>`;
}

function Cameras() {
  const [found, setFound] = useState(/** @type {any} */ (null));
  const [address, setAddress] = useState("");
  const load = () => get("cameras").then((answer) => answer.ok && setFound(answer.data));
  useEffect(() => {
    load();
  }, []);
  const choose = async (/** @type {string} */ source) => {
    const answer = await post("cameras", { source });
    if (!answer.ok) tell(reason(answer), true);
    load();
  };
  if (!found) return null;
  return html`${found.blind && html`<p class="bad">${say("setup.blind")} <small>${found.blind}</small></p>`}
    <div class="row" role="group" aria-label=${say("setup.camera")}>${found.choices.map((/** @type {string} */ source) => html`<button key=${source} aria-pressed=${found.used === source}
      onClick=${() => choose(source)}>${/^\d+$/.test(source) ? say("camera.number", { n: source }) : say(`camera.${source}`)}</button>`)}</div>
    <form class="row" onSubmit=${(/** @type {Event} */ e) => (e.preventDefault(), choose(address))}><label>${say("camera.address")}<input value=${address} placeholder="rtsp://192.168.1.20/stream"
      onInput=${(/** @type {any} */ e) => setAddress(e.target.value)} /></label><button>${say("camera.use")}</button></form>`;
}

/** What lies otherwise than it should, asked for again and again while it is looked at. */
function Help() {
  const [help, setHelp] = useState(/** @type {any} */ (null));
  useEffect(() => {
    const load = () => get("setup").then((answer) => answer.ok && setHelp(answer.data));
    load();
    const timer = setInterval(load, 2000);
    return () => clearInterval(timer);
  }, []);
  if (!help) return null;
  const needed = help.needed.map((/** @type {any} */ n) => `${n.count} × ${say(`kind.${n.kind}`)}`).join(", ");
  const state = !help.seen ? "setup.unseen" : !help.found ? "setup.lost" : help.differences.length ? "setup.differs" : "setup.right";
  return html`<h3>${say("setup.table")}</h3><p>${say("setup.needed", { what: needed })}</p>
    <p role="status"><strong>${say(state)}</strong></p>
    <ul>${(help.said_differences ?? help.differences).map((/** @type {any} */ line, /** @type {number} */ i) => html`<li key=${i}><${Told} text=${line} /></li>`)}</ul>`;
}

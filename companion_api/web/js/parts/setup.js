// Setting up: which camera, does it see the table, does everything lie there.
import { html, submitted, typed } from "../html.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { get, post } from "../api.js";
import { showReason } from "../phrasebook.js";
import { board } from "../state.js";
import { say } from "../words.js";
import { Camera, cameraWords } from "./camera.js";
import { SetupGuide } from "./setup_overlay.js";
import { StatementText } from "./explanation.js";
import { Wizard } from "./wizard.js";

export function Setup() {
  return html`<section class="setup"><h2>${say("setup")}</h2>
    ${board.value.you.role === "host" && html`<${Cameras} />`}<${SetupGuide} /><${Wizard} /><${Camera} /></section>`;
}

function Cameras() {
  const [found, setFound] = useState(/** @type {import("../answers").Cameras | null} */ (null));
  const [address, setAddress] = useState("");
  const load = () => get("cameras").then((answer) => answer.ok && setFound(answer.data));
  useEffect(() => {
    load();
  }, []);
  const choose = async (/** @type {string} */ source) => {
    const answer = await post("cameras", { source });
    if (!answer.ok) showReason(answer);
    load();
  };
  if (!found) return null;
  return html`${found.blind && html`<p class="bad">${say("setup.blind")} <small>
    <${StatementText} text=${found.blind_said ?? found.blind} /></small></p>`}
    <div class="row" role="group" aria-label=${say("setup.camera")}>${found.choices.map(
      (source) => html`<button key=${source} aria-pressed=${found.used === source}
      onClick=${() => choose(source)}>
        ${cameraWords(source)}</button>`)}</div>
    <form class="row" onSubmit=${submitted(() => choose(address))}><label>
    ${say("camera.address")}<input value=${address} placeholder="rtsp://192.168.1.20/stream"
      onInput=${typed(setAddress)} /></label><button>${say("camera.use")}</button></form>`;
}

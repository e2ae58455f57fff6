// The big screen: board, what happened last and the camera's picture for the whole room, legible from the other end of
// it; nothing to touch, nothing secret.
import { html } from "../html.js";
import { useState } from "../../vendor/hooks.js";
import { withActor, TOLD } from "../announce.js";
import { cameraView, useEvery } from "../fetched.js";
import { board, events } from "../state.js";
import { say } from "../words.js";
import { Board } from "./board.js";
import { Cropped } from "./cropped_picture.js";
import { CameraQuestion } from "./camera_question.js";
import { Caption } from "./simulated.js";

const [EVERY_MS, LAST] = [2000, 3];

export function Screen() {
  const last = [...events.value].reverse().filter((event) => TOLD.includes(event.kind)).slice(0, LAST);
  return html`${board.value.simulated && html`<${Caption} />`}<${CameraQuestion} />${board.value.outcome.over
      ? null
      : html`<div class="wide"><${Board} /><aside><${CameraPicture} />
    <ul class="last">${last.map((event) => html`<li key=${event.seq}>${withActor(event)}</li>`)}</ul>
    <img class="qr" src="api/qr.svg" alt=${say("invite.qr")} /></aside></div>`}`;
}

/** The table as the camera sees it; nothing where there is no camera. */
function CameraPicture() {
  const [seen, setSeen] = useState(/** @type {import("../fetched.js").Seen | null} */ (null));
  useEvery(() => cameraView().then(setSeen), EVERY_MS);
  return (
    seen && html`<${Cropped} stamp=${seen.stamp} width=${seen.width} height=${seen.height}
      outlines=${seen.pieces.map((piece) => piece.outline_px)} />`
  );
}

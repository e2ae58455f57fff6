// @ts-check
// Calibrating and teaching, step by step, with what the camera makes of the table just now.
import { html } from "../html.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { get, post, reason } from "../api.js";
import { board, tell } from "../state.js";
import { say } from "../words.js";
import { Corners } from "./corners.js";

export function Wizard() {
  const [now, setNow] = useState(/** @type {any} */ (null));
  const load = () => get("calibration").then((answer) => answer.ok && setNow(answer.data));
  useEffect(() => {
    load();
    const timer = setInterval(load, 2000);
    return () => clearInterval(timer);
  }, []);
  if (!now) return null;
  const host = board.value.you.role === "host";
  const send = async (/** @type {string} */ path, /** @type {object} */ body, /** @type {(data: any) => string} */ words) => {
    const answer = await post(`calibration/${path}`, body);
    tell(answer.ok ? words(answer.data) : reason(answer), !answer.ok);
    load();
  };
  return html`<h3>${say("wizard")}</h3>
    <ol>${now.steps.map((/** @type {any} */ step) => html`<li key=${step.id}>${step.done ? "✓ " : ""}<strong>${step.title}</strong> ${step.words}</li>`)}</ol>
    ${now.quality && html`<${Quality} quality=${now.quality} />`}
    ${host && html`<div class="row"><button onClick=${() => send("plane", {}, (d) => say("wizard.kept", { mm: d.typical_mm }))}>${say("wizard.keep")}</button></div>
      <${Corners} send=${(/** @type {object} */ body) => send("plane", body, (d) => say("wizard.kept", { mm: d.typical_mm }))} />
      <h3>${say("wizard.teach")}</h3><ul class="list">${now.lessons.map((/** @type {any} */ lesson) => html`<li key=${lesson.id}><button aria-pressed=${now.shown.includes(lesson.id)}
        onClick=${() => send("teach", { step: lesson.id }, (d) => say("camera.count", { n: d.pieces }))}>${lesson.words}</button></li>`)}</ul>
      <button disabled=${!now.shown.length} onClick=${() => send("teach/finish", {}, (d) => [say("wizard.taught"), ...d.warnings].join(" "))}>${say("wizard.finish")}</button>`}`;
}

/** @param {{quality: any}} props */
function Quality({ quality }) {
  const mm = quality.error_mm === null ? "–" : quality.error_mm;
  const tilt = quality.tilt_deg === null ? "–" : Math.round(quality.tilt_deg);
  return html`<p role="status"><strong>${say(quality.good ? "wizard.good" : "wizard.better")}</strong> ${say("wizard.numbers", { tiles: quality.tiles, px: Math.round(quality.tile_px), tilt, mm })}</p>
    <ul>${quality.advice.map((/** @type {any} */ each) => html`<li key=${each.code}>${each.words}</li>`)}</ul>`;
}

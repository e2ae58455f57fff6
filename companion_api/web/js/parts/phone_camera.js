// This phone as the camera: single photos everywhere, live stills where the page came over https.
import { html } from "../html.js";
import { useEffect, useRef, useState } from "../../vendor/hooks.js";
import { signal } from "../../vendor/signals.js";
import { readyForProblems, reason, translatedText } from "../phrasebook.js";
import { sending, tell } from "../state.js";
import { refresh } from "../table.js";
import { say } from "../words.js";
import { HowToTrust } from "./certificate_trust.js";

/** A photo through a file input works without a secure context. */
export function Photo() {
  const [busy, setBusy] = useState(false);
  const send = async (/** @type {Event} */ e) => {
    const field = /** @type {HTMLInputElement} */ (e.target);
    const file = field.files?.[0];
    if (!file) return;
    setBusy(true);
    const response = await fetch("api/photo", { method: "POST", body: file, credentials: "same-origin" }).catch(
      () => null,
    );
    const data = /** @type {import("../answers").SeenOnPhoto} */ (await response?.json().catch(() => null));
    if (!response?.ok) await readyForProblems();
    setBusy(false);
    field.value = "";
    if (!response?.ok) tell(() => (response ? reason({ status: response.status, data }) : say("status.offline")), true);
    else
      tell(() =>
        data.verdict ? translatedText(data.verdict.said ?? data.verdict.text) : say("camera.count", { n: data.pieces }),
      );
    await refresh();
  };
  return html`<label class="photo button">${say(busy ? "photo.busy" : "photo.take")}
    <input type="file" accept="image/*" capture="environment" disabled=${busy} onChange=${send} /></label>`;
}

export function PhoneCamera() {
  if (!window.isSecureContext || !navigator.mediaDevices) return html`<${HowToTrust} />`;
  const on = sending.value;
  return html`<button onClick=${() => (on ? on.stop() : start())}>${say(on ? "phone.stop" : "phone.start")}</button>
    ${on && html`<${Live} on=${on} />`}
    ${refused.value && html`<p role="status">${refused.value}</p>`}`;
}

const refused = signal("");

/** The picture that is being sent; the video goes on when it is not looked at.
 * @param {{on: import("../state.js").Sending}} props */
function Live({ on }) {
  const frame = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    frame.current?.append(on.video);
    on.video.play().catch(() => undefined);
    return () => on.video.remove();
  }, [on.video]);
  return html`<div class="picture" ref=${frame}></div><p role="status">${on.told}</p>`;
}

const EVERY_MS = 500;
const SIDE = { small: 960, full: 4096 };

/** Sends a still, waits for the answer, sends the next: a slow server is never flooded. */
async function start() {
  const wanted = { facingMode: "environment", width: { ideal: 3840 }, height: { ideal: 2160 } };
  const stream = await navigator.mediaDevices.getUserMedia({ video: wanted, audio: false }).catch(() => null);
  refused.value = stream ? "" : say("phone.refused");
  if (!stream) return;
  const video = document.createElement("video");
  Object.assign(video, { srcObject: stream, muted: true, autoplay: true, playsInline: true });
  video.play().catch(() => undefined);
  const lock = await navigator.wakeLock?.request("screen").catch(() => null);
  const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/camera/stream`);
  const stop = () => {
    socket.close();
    lock?.release();
    stream.getTracks().forEach((track) => track.stop());
    sending.value = null;
  };
  const setStatus = (/** @type {string} */ told) => sending.value && (sending.value = { ...sending.value, told });
  sending.value = { video, told: "", stop };
  let want = /** @type {"small" | "full"} */ ("full");
  const next = () =>
    setTimeout(async () => {
      if (socket.readyState !== 1) return;
      if (!video.videoWidth) return next();
      const picture = await still(video, SIDE[want]);
      if (socket.readyState === 1) socket.send(picture);
    }, EVERY_MS);
  socket.onopen = next;
  socket.onmessage = (message) => {
    const answer = JSON.parse(message.data);
    want = answer.want ?? want;
    setStatus(
      answer.ok
        ? say("phone.sent", { width: answer.width, height: answer.height })
        : translatedText(answer.said ?? answer.error),
    );
    next();
  };
  socket.onclose = () => {
    if (!sending.value) return;
    stop();
    tell(() => say("phone.lost"), true);
  };
}

/** One JPEG. @param {HTMLVideoElement} video @param {number} most @returns {Promise<Blob>} */
function still(video, most) {
  const scale = Math.min(1, most / Math.max(video.videoWidth, video.videoHeight));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(video.videoWidth * scale);
  canvas.height = Math.round(video.videoHeight * scale);
  canvas.getContext("2d")?.drawImage(video, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(/** @type {Blob} */ (blob)), "image/jpeg", 0.92));
}

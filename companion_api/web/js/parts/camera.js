// @ts-check
// The camera's picture with what was recognised drawn over it.
import { html } from "../html.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { get } from "../api.js";
import { say } from "../words.js";
import { pieceWords } from "../things.js";
import { board } from "../state.js";
import { PhoneCamera, Photo } from "./phonecam.js";

/** @typedef {import("../answers").CameraView} Picture */
/** @import { SeenPiece } from "../answers" */

const EVERY_MS = 1000;

export function Camera() {
  const [seen, setSeen] = useState(/** @type {Picture | null} */ (null));
  const [stamp, setStamp] = useState(0);
  useEffect(() => {
    let alive = true;
    const look = async () => {
      const answer = await get("camera");
      if (!alive) return;
      setSeen(answer.ok && answer.data.picture ? answer.data : null);
      setStamp(Date.now());
    };
    look();
    const timer = setInterval(look, EVERY_MS);
    return () => {
      alive = false;
      clearInterval(timer);
    };
  }, []);
  const mayAct = ["host", "player"].includes(board.value.you.role);
  return html`<section class="camera"><div class="view">${seen ? Seen(seen, stamp) : html`<p>${say("camera.none")}</p>`}</div>
    <div class="tools">${mayAct && html`<${Tools} />`}</div></section>`;
}

/** This phone's own ways to give a picture. */
function Tools() {
  return html`<div><${Photo} /></div><div><${PhoneCamera} /></div>`;
}

/** @param {Picture} seen @param {number} stamp */
function Seen(seen, stamp) {
  return html`<div class="picture"><img src=${`api/camera/picture?${stamp}`} alt=${say("camera.picture")} />
    <svg viewBox="0 0 ${seen.width} ${seen.height}" aria-hidden="true">${seen.pieces.map(Outline)}</svg></div>
    <p>${say("camera.count", { n: seen.pieces.length })}</p>`;
}

/** @param {SeenPiece} piece @param {number} index */
function Outline(piece, index) {
  const points = piece.outline_px.map((p) => p.join(",")).join(" ");
  const [x, y] = piece.center_px;
  return html`<g key=${index} class="seen ${piece.confidence < 0.8 ? "doubt" : ""}"><polygon points=${points} />
    <text x=${x} y=${y}>${short(piece)}</text><title>${pieceWords(piece)}</title></g>`;
}

/** @param {SeenPiece} piece */
const short = (piece) => `${(piece.suit ?? "").slice(0, 1).toUpperCase()}${{ null: "n", ace: "a" }[/** @type {string} */ (piece.value)] ?? piece.value ?? ""}`;

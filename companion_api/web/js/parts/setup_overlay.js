// The set-up piece by piece over the camera's picture: what lies, what is missing, what lies wrong, what to lay next.
import { html, polygon } from "../html.js";
import { usePolled } from "../fetched.js";
import { board } from "../state.js";
import { pieceWords } from "../piece_names.js";
import { say } from "../words.js";
import { MiniBoard } from "./board.js";
import { Picture } from "./piece.js";
import { Cropped } from "./cropped_picture.js";
import { StatementText } from "./explanation.js";

const EVERY_MS = 2000;
/** @import { Needed, PieceToLay } from "../answers" */

const SIGNS = /** @type {Record<string, string>} */ ({ laid: "✓", missing: "+", wrong: "✕", extra: "✕" });

/** `led`: the step that it stands in has a heading. @param {{led?: boolean}} props */
export function SetupGuide({ led = false }) {
  const [help, , stamp] = usePolled("setup", EVERY_MS);
  if (!help) return null;
  const should = help.pieces.filter((p) => p.standing !== "extra");
  const laid = should.filter((p) => p.standing === "laid").length;
  const wrong = help.pieces.find((p) => p.standing === "wrong" || p.standing === "extra");
  const next = should.find((p) => p.standing === "missing");
  const known = help.differences.length ? "setup.differs" : "setup.right";
  const state = !help.seen ? "setup.unseen" : help.found ? known : "setup.lost";
  return html`<section class="laying">${!led && html`<h3>${say("setup.table")}</h3>`}
    <p role="status"><strong>
    ${should.length ? say("laying.count", { n: laid, of: should.length }) : neededWords(help.needed)}
    </strong> ${say(state)}</p>
    ${wrong ? html`<${Step} piece=${wrong} /> ` : next && html`<${Step} piece=${next} />`}
    ${should.length
        ? html`<${Cropped} stamp=${stamp} width=${help.width} height=${help.height}
          outlines=${help.pieces.map((p) => p.outline_px)}>
            ${help.pieces.map((piece) => html`<${Outline} key=${piece.key} piece=${piece}
            next=${piece === (wrong ?? next)} />`)}<//>
      <p class="legend">
      ${["laid", "missing", "wrong"].map((how) => html`<span key=${how} class="standing ${how}"><b aria-hidden="true">
      ${SIGNS[how]}</b> ${say(`laying.${how}`)}</span>`)}</p>`
        : help.needed[0] && html`<figure>
          <${MiniBoard} layout=${board.value.layout} effects=${[]} label=${say("laying.so")} /><figcaption>
          ${say("laying.so")}</figcaption></figure>`}
    ${help.differences.length ? html`<details><summary>${say("differences")}</summary><ul>
    ${(help.said_differences ?? help.differences).map(
      (line, i) => html`<li key=${i}><${StatementText} text=${line} /></li>`)}
    </ul></details>` : null}</section>`;
}

/** @param {Needed[]} needed */
function neededWords(needed) {
  const what = needed.map((n) => `${n.count} × ${say(`kind.${n.kind}`)}`).join(", ");
  return what ? say("setup.needed", { what }) : say("laying.nothing");
}

/** What to do now, with the piece as a picture. @param {{piece: PieceToLay}} props */
function Step({ piece }) {
  const key = piece.standing === "extra" ? "laying.away" : piece.standing === "wrong" ? "laying.turn" : "laying.next";
  const side =
    piece.kind === "tile" || piece.kind === "coin" ? say(piece.face === "back" ? "laying.back" : "laying.front") : "";
  return html`<div class="next-piece" role="status"><${Picture} piece=${piece} /><p>
    ${say(key, { piece: pieceWords(piece), place: piece.place })}${key === "laying.next" && side ? ` (${side})` : ""}
    </p></div>`;
}

/** @param {{piece: PieceToLay, next: boolean}} props */
function Outline({ piece, next }) {
  const [x, y] = [0, 1].map((axis) => piece.outline_px.reduce((sum, p) => sum + p[axis], 0) / piece.outline_px.length);
  return html`<g class="standing ${piece.standing} ${next ? "next" : ""}">
    <polygon points=${polygon(piece.outline_px)} />
    ${piece.standing !== "laid" || piece.kind === "tile" ? html`<text x=${x} y=${y}>${SIGNS[piece.standing]}
    </text>` : null}</g>`;
}

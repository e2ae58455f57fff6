// The camera needs a person: where it happened, what was against the rules, what it may have been. All of it is drawn,
// and no evening ends here: the table can always be taken as it lies.
import { html } from "../html.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { actionsWords } from "../action_text.js";
import { get } from "../api.js";
import { board, events, evidenceOf, view, misplacedPieces } from "../state.js";
import { actAll, claim, takeTableAsItLies } from "../actions.js";
import { whyNot } from "../phrasebook.js";
import { seatName } from "../seats.js";
import { valueWords } from "../action_args.js";
import { pieceWords } from "../piece_names.js";
import { wordOrNull, say } from "../words.js";
import { MiniBoard } from "./board.js";
import { Photo } from "./evidence.js";
import { Reasons } from "./reasons.js";
import { Clause, StatementText } from "./explanation.js";

export function CameraQuestion() {
  const { pending, you } = board.value;
  const [lying, setLying] = useState(false);
  if (!pending) return null;
  const mayAct = ["host", "player"].includes(you.role);
  const { refusal, choices } = pending;
  const asking = events.value.findLast((event) => event.kind === "verdict");
  const wrong = misplacedPieces.value;
  const whole = !wrong.length && (pending.wrong ?? []).length > 0;
  const differences = pending.said_differences ?? pending.differences;
  return html`<section class="pending ${pending.verdict}" aria-label=${say("status.need_you")}>
    <p><span aria-hidden="true">${pending.verdict === "refused" ? "✕" : "?"}
    </span> ${refusal && html` <strong>${say(`refusal.${refusal.code}`)}.</strong> `}
    <${StatementText} text=${pending.said ?? pending.text} /></p>${refusal && html`<${Clause} id=${refusal.clause} />`}
    <div class="pictures">${wrong.length > 0 && html`<${Back} wrong=${wrong} />`}
    ${whole && html`<figure><${MiniBoard} layout=${board.value.layout} effects=${[]} label=${say("laying.so")} />
    <figcaption>${say("laying.so")}</figcaption></figure>`}<${EvidencePictures} /></div>
    ${differences.length && !wrong.length && !whole ? html`<details><summary>${say("differences")}</summary><ul>
    ${differences.map((line, i) => html`<li key=${i}><${StatementText} text=${line} /></li>`)}</ul></details>` : null}
    ${mayAct && choices.length > 0 && html`<h2>${say("guesses")}</h2>`}
    ${mayAct && html`<div class="choices">
        ${choices.slice(0, 6).map((c) => html`<${Drawn} key=${c.actions.join(" ")} text=${c.text} actions=${c.actions}
        acts=${c.acts} go=${() => actAll(c.actions)} />`)}
      <button aria-expanded=${lying} onClick=${() => setLying(!lying)}>${say("lying.take")}</button>
      <button onClick=${() => (view.value = "hand")}>${say("none_of_these")}</button>
      <button onClick=${() => claim(null, "")}>${say("dispute")}</button></div>`}
    ${mayAct && lying && html`<${LaidPiece} />`}
    ${you.role === "host" && asking && html`<${Reasons} key=${asking.seq} seq=${asking.seq} />`}
  </section>`;
}

/** @import { Act, FittedTable, Drawn as Layout, Happened, LiesWrong } from "../answers" */

/** So much is seen round about what lies wrong, in spaces. */
const AROUND = 2;

/** The way back as a picture: what lies wrong, and an arrow to where it belongs. @param {{wrong: LiesWrong[]}} props */
function Back({ wrong }) {
  const spots = wrong.flatMap(({ should, lies }) => [should, lies].flatMap((piece) => (piece ? [piece.position] : [])));
  const [xs, ys] = [0, 1].map((axis) => spots.map((spot) => spot[axis]));
  const [left, right, south, north] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const box = [left - AROUND, -north - AROUND, right - left + 2 * AROUND, north - south + 2 * AROUND];
  return html`<figure>
    <${MiniBoard} layout=${board.value.layout} effects=${[]} label=${say("put_back")} wrong=${wrong} box=${box} />
    <figcaption>${wrong.length === 1 ? putBackWords(wrong[0]) : say("put_back")}</figcaption></figure>`;
}

/** Where it is: what has only a name of its own (the gap, a stack) is seen in the picture.
 * @param {import("../answers").LaidPiece | null | undefined} piece @param {string} [nowhere] */
function placed(piece, nowhere = say("its_place")) {
  const value = piece?.where;
  return value && !(typeof value === "object" && value.of) ? valueWords(value) : nowhere;
}

/** @param {LiesWrong} one */
function putBackWords({ should, lies }) {
  if (!should) return say("take_off", { place: placed(lies, say("lying.there")) });
  return say(lies ? "put_back.to" : "lay_on", { place: placed(should) });
}

/** What is still to be put right by hand. @param {import("../answers").LiesWrong} one */
function restWords({ should, lies }) {
  if (should) return say("lying.lay", { piece: pieceWords(should), place: placed(should) });
  return lies && say("lying.off", { piece: pieceWords(lies), place: placed(lies, say("lying.there")) });
}

/** The camera's pictures before and after, close to where it happened; large on a tap. */
function EvidencePictures() {
  const pictured = events.value.filter(evidenceOf).slice(-2);
  const last = pictured[pictured.length - 1];
  if (last?.kind !== "verdict") return null;
  const names = { before: last.before ?? (pictured.length > 1 ? evidenceOf(pictured[0]) : null), after: last.evidence };
  return html`${Object.entries(names).map(([when, name]) => name && html`<${Photo} key=${when} name=${name}
    box=${last.box} words=${say(`picture.${when}`)} />`)}`;
}

/** The table as the camera sees it, drawn; people say that it is right and who moves next. */
function LaidPiece() {
  const [found, setFound] = useState(/** @type {FittedTable | string | null} */ (null));
  const [seat, setSeat] = useState(/** @type {number | null} */ (null));
  const { state, turn } = board.value;
  useEffect(() => {
    get("lying").then((answer) => setFound(answer.ok ? answer.data : (whyNot(answer)?.code ?? "away")));
  }, [state]);
  if (!found) return html`<p role="status">${say("lying.looking")}</p>`;
  if (typeof found === "string") return html`<p role="status">${wordOrNull(`lying.${found}`) ?? say("lying.away")}</p>`;
  const next = seat ?? (found.turn.seats.length === 1 ? found.turn.seats[0] : null);
  return html`<div class="lying"><p>${say(found.rest.length ? "lying.nearest" : "lying.right")}</p>
    <${MiniBoard} layout=${found.layout} effects=${found.effects} wrong=${found.rest} label=${say("lying.take")} />
    ${found.rest.length > 0 && html`<ul class="rest">
    ${found.rest.map((one, i) => html`<li key=${i}>${restWords(one)}</li>`)}</ul>`}
    ${found.seats.length > 1 && html`<div class="row" role="group" aria-label=${say("lying.next")}><span>
    ${say("lying.next")}</span>
    ${found.seats.map((one) => html`<button key=${one} aria-pressed=${next === one} onClick=${() => setSeat(one)}>
    ${seatName(one)}</button>`)}</div>`}
    <button class="go" onClick=${() =>
      takeTableAsItLies(found.state, next !== null && found.seats.includes(next) ? next : null)}>
    ${say("lying.confirm")}</button>
    ${turn.kind === "seat" ? null : html`<p><small>${say("lying.rest")}</small></p>`}</div>`;
}

/** A choice as a picture of the table that it would make.
 * @param {{text: string, actions: string[], acts?: Act[] | null, layout?: Layout, effects?: Happened[], go: () =>
 * void}} props */
export function Drawn({ text, actions, acts, layout, effects, go }) {
  const [drawn, setDrawn] = useState(layout ? { layout, effects: effects ?? [] } : null);
  useEffect(() => {
    if (layout) return;
    const query = actions.map((id) => `action=${encodeURIComponent(id)}`).join("&");
    get(`after?${query}`).then((answer) => answer.ok && setDrawn(answer.data));
  }, [actions.join(" ")]);
  return html`<button class="drawn" data-action=${actions.join(" ")} onClick=${go}>
    ${drawn && html`<${MiniBoard} ...${drawn} label="" close />`}<span>${actionsWords(acts, text)}</span></button>`;
}

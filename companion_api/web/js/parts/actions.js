// @ts-check
// What can be done with what was tapped, and what it would do before it is done.
import { html } from "../html.js";
import { actionWords } from "../acts.js";
import { asked, board, legal, legalHere, meant, past, picked } from "../state.js";
import { act, ask, forget } from "../doing.js";
import { say } from "../words.js";
import { effectWords } from "../effects.js";
import { pieceWords } from "../things.js";
import { Sealed } from "./sealed.js";
import { Reason } from "./told.js";

const MOST = 30;
/** Where a free spot can be tapped, the list must not hide the table. */
const FEW = 4;

export function ActionBar() {
  if (past.value) return null;
  if (asked.value) return html`<${Asked} />`;
  if (board.value.turn.kind === "all") return html`<${Sealed} />`;
  if (picked.value !== null) return html`<${Picked} />`;
  const free = legal.value.filter((/** @type {any} */ item) => item.touches.length === 0);
  if (!free.length) return null;
  return html`<div class="bar actions" tabindex="0" role="group" aria-label=${say("you_may")}>${free.slice(0, MOST).map(Choice)}</div>`;
}

function Picked() {
  const here = meant.value.length ? meant.value : legalHere.value;
  const free = board.value.complete ? "nothing_here" : "free_spot";
  const place = pickedWords();
  const text = say(here.length ? "what_here" : free, { place });
  return html`<div class="bar actions" tabindex="0" role="group" aria-label=${say("what_here", { place })}>
    <p>${text}${here.length && !board.value.complete ? ` ${say("or_free_spot")}` : ""}</p>
    ${here.slice(0, board.value.complete ? MOST : FEW).map(Choice)}
    <button class="quiet" onClick=${forget}>${say("cancel")}</button></div>`;
}

/** A piece that has no place yet goes by what it is. */
function pickedWords() {
  const piece = board.value.layout.pieces.find((/** @type {any} */ p) => p.code === picked.value && p.place !== picked.value);
  return piece ? pieceWords(piece) : picked.value;
}

/** @param {any} item */
export function Choice(item) {
  return html`<button key=${item.id} data-action=${item.id} onClick=${() => ask(item.id, item.text)}>${actionWords(item)}</button>`;
}

export function Asked() {
  return asked.value.ok ? html`<${Preview} it=${asked.value} />` : html`<${Refused} refusal=${asked.value.refusal} />`;
}

/** @param {{it: any}} props */
function Preview({ it }) {
  const story = it.effects.map(effectWords).filter(Boolean);
  return html`<div class="bar asked" role="group" aria-label=${say("preview")}><p><strong>${actionWords(it)}</strong></p>
    ${story.length ? html`<ul>${story.map((/** @type {string} */ line, /** @type {number} */ i) => html`<li key=${i}>${line}</li>`)}</ul>` : null}
    <button class="go" onClick=${() => act(it.id)}>${say("do_it")}</button>
    <button class="quiet" onClick=${forget}>${say("cancel")}</button></div>`;
}

/** @param {{refusal: any}} props */
function Refused({ refusal }) {
  return html`<div class="bar refused" role="alert"><${Reason} refusal=${refusal} />
    <button class="quiet" onClick=${forget}>${say("ok")}</button></div>`;
}

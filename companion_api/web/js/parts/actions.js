// What can be done with what was tapped, and what it would do before it is done.
import { html } from "../html.js";
import { useEffect, useRef, useState } from "../../vendor/hooks.js";
import { actionLabels, actionWords } from "../action_text.js";
import { valueWords } from "../action_args.js";
import { capitalised } from "../phrasebook.js";
import { useEvery } from "../fetched.js";
import { shownPreview, board, events, openActions, clearSelection, legal, legalHere } from "../state.js";
import { past, picked, status, tapMeanings } from "../state.js";
import { act, ask, choose, draw, isOwnChoice } from "../actions.js";
import { seatName } from "../seats.js";
import { say } from "../words.js";
import { clausesOf, eliminatesSelf, isObvious, effectLines } from "../effects.js";
import { pieceWords } from "../piece_names.js";
import { Choices, OthersChoices } from "./choices.js";
import { Clause, Reason } from "./explanation.js";

/** @import { Listed, Named, Preview as Previewed } from "../answers" */

const MOST = 30;
/** So many choices of what is luck are seen at once. */
const FACES = 6;
/** Where a free spot can be tapped, or each choice is a place of its own, a long list must not hide the table. */
const FEW = 4;

export function ActionBar() {
  if (past.value) return null;
  if (shownPreview.value) return html`<${ActionPreview} />`;
  if (board.value.turn.kind === "all") return html`<${Sealed} />`;
  if (picked.value !== null) return html`<${PickedActions} />`;
  // A question of the camera has its own choices; a sheet would float over them.
  return board.value.pending ? null : html`<${FreeActions} />`;
}

/** At which table what was rolled is entered by hand: it stays unfolded there. */
let unfolded = "";

/** What dice and coins decide is read by the camera, drawn from the seed, or entered.
 * @param {{items: Listed[]}} props */
function LuckActions({ items }) {
  const blind = ["no_camera", "camera_lost"].includes(status.value);
  const of = `${board.value.table} ${board.value.turn.phase}`;
  const toggled = (/** @type {Event} */ event) =>
    (unfolded = /** @type {HTMLDetailsElement} */ (event.currentTarget).open ? of : "");
  const what = board.value.luck_by ?? "draw";
  return html`<div class="bar actions luck" tabindex="0" role="region" aria-label=${say("you_may")}>
    ${blind && html`<button class="go" onClick=${draw}>${say(`luck.${what}`)}</button>`}
    <details class="apart" open=${items.length <= FACES || unfolded === of} onToggle=${toggled}><summary>
    ${say(`luck.own.${what}`)}</summary>
      <div class="row"><${Choices} items=${items} go=${(/** @type {Listed} */ item) => ask(item.id)} />
      ${blind ? null : html`<button onClick=${draw}>${say(`luck.${what}`)}</button>`}</div></details></div>`;
}

/** What touches nothing on the board, and what the table has decided, wherever it did. What is another's to choose,
 * or the whole table's, stands apart. */
function FreeActions() {
  const free = openActions.value.filter((item) => item.touches.length === 0 || board.value.turn.kind === "chance");
  const own = free.filter((item) => !item.common && isOwnChoice());
  const rest = free.filter((item) => !own.includes(item));
  if (free.length && board.value.turn.kind === "chance" && board.value.legal.length)
    return html`<${LuckActions} items=${free} />`;
  if (!free.length || (!own.length && !board.value.legal.length)) return null;
  return html`<div class="bar actions" tabindex="0" role="region" aria-label=${say("you_may")}>
    <${Choices} items=${own} go=${choose} /><${OthersChoices} items=${rest} /></div>`;
}

function PickedActions() {
  const here = tapMeanings.value.length ? tapMeanings.value : legalHere.value;
  const free = board.value.complete ? "nothing_here" : "free_spot";
  const place = pickedWords();
  const text = capitalised(say(!here.length ? free : here.some(hasPlace) ? "tap_where" : "what_here", { place }));
  const listed = here.length <= FEW || tapMeanings.value.length > 0 || (board.value.complete && !here.every(hasPlace));
  return html`<div class="bar actions" tabindex="0" role="region" aria-label=${text}>
    <p>${text}${here.length && !board.value.complete ? ` ${say("or_free_spot")}` : ""}</p>
    ${listed && labelled(here.slice(0, MOST)).map(Choice)}
    <button class="quiet" onClick=${clearSelection}>${say("cancel")}</button></div>`;
}

/** Whether there is another place to tap for it. @param {Named} one */
const hasPlace = (one) =>
  openActions.value.some((item) => item.id === one.id && item.touches.some((name) => name !== picked.value));

/** A piece goes by what it is, an empty place by its name. */
function pickedWords() {
  const pieces = board.value.layout.pieces.filter(
    (p) => p.code === picked.value || (p.place === picked.value && p.zone === "board"),
  );
  const top = pieces[pieces.length - 1];
  return top ? pieceWords(top) : picked.value;
}

/** @param {Named[]} items */
function labelled(items) {
  const labels = actionLabels(items);
  return items.map((item, i) => ({ id: item.id, label: labels[i] }));
}

/** @param {{id: string, label: string}} choice */
function Choice({ id, label }) {
  return html`<button key=${id} data-action=${id} onClick=${() => ask(id)}>${label}</button>`;
}

export function ActionPreview() {
  const now = shownPreview.value;
  return now && (now.ok ? html`<${Preview} it=${now} />` : html`<${Refused} refusal=${now.refusal} />`);
}

/** Whose hands it is in: one's own, as the host another's, or nobody's here who only looks on. */
function controlMode() {
  const { turn, you, legal } = board.value;
  const others = turn.kind === "seat" && !turn.seats.some((seat) => seat === you.seat);
  if (!legal.length || (others && you.role !== "host")) return "look";
  return others ? "host" : "own";
}

/** @param {{it: Previewed}} props */
function Preview({ it }) {
  const go = useRef(/** @type {HTMLButtonElement | null} */ (null));
  useEffect(() => go.current?.focus({ preventScroll: true }), [it.id]);
  const title = actionWords(it);
  const told = effectLines(it.effects.filter((effect) => !isObvious(effect, it.args))).filter(
    (line) => line.toLowerCase() !== title.toLowerCase(),
  );
  // A move whose one effect names the same places says it all by itself.
  const alone = told.length === 1 && it.args.length > 0 && it.args.every((arg) => told[0].includes(valueWords(arg)));
  const kills = eliminatesSelf(it.effects, board.value.turn.seats);
  const who = board.value.turn.seats.map(seatName).join(", ");
  const as = controlMode();
  return html`<div class="bar asked ${kills ? "deadly" : ""}" role="region" aria-label=${say("preview")}><p><strong>
    ${alone ? told[0] : title}</strong></p>
    ${kills && html`<p class="bad"><strong><span aria-hidden="true">✕ </span>${say("deadly")}</strong></p>`}
    ${told.length && !alone ? html`<ul>${told.map((line) => html`<li key=${line}>${line}</li>`)}</ul>` : null}
    <${Clauses} ids=${clausesOf(it.effects)} />
    ${as === "look" ? html`<p><small>${say("only_looking", { who })}</small>
    </p>` : html`<button ref=${go} class="go" onClick=${() => act(it.id, it.state)}>
    ${as === "host" ? say("do_it_for", { who }) : say("do_it")}</button>`}
    <button ref=${as === "look" ? go : null} class="quiet" onClick=${clearSelection}>${say("cancel")}</button></div>`;
}

/** The rules behind it, for whoever wants to know. @param {{ids: string[]}} props */
function Clauses({ ids }) {
  if (!ids.length) return null;
  return html`<details class="clauses"><summary><span aria-hidden="true">§ </span>${say("rules")}</summary>
    ${ids.map((id) => html`<${Clause} key=${id} id=${id} />`)}</details>`;
}

/** @param {{refusal: import("../state.js").Refusal}} props */
function Refused({ refusal }) {
  return html`<div class="bar refused" role="alert"><${Reason} refusal=${refusal} />
    <button class="quiet" onClick=${clearSelection}>${say("ok")}</button></div>`;
}

/** Everybody chooses in secret: votes, covered dice, bids. Nothing is shown before it is asked for: neighbours look
 * over. */
function Sealed() {
  const [open, setOpen] = useState(false);
  const { turn, you } = board.value;
  const mine = you.seat === null ? [] : legal.value.filter((item) => item.seat === you.seat && !item.common);
  const common = legal.value.filter((item) => !mine.includes(item));
  const waiting = turn.seats.map(seatName).join(", ");
  if (!mine.length)
    return html`<div class="bar" role="region" aria-label=${say("sealed.yours")}><p>
      ${say(you.seat === null ? "sealed.others" : "sealed.done", { who: waiting })}</p><${Clock} />
      <${OthersChoices} items=${common} /></div>`;
  if (!open)
    return html`<div class="bar actions" role="region" aria-label=${say("sealed.yours")}><p>${say("sealed.yours")}</p>
      <${Clock} /><button class="go" onClick=${() => setOpen(true)}>${say("sealed.show")}</button>
      <${OthersChoices} items=${common} /></div>`;
  const choose = (/** @type {string} */ id) => {
    setOpen(false);
    act(id);
  };
  return html`<div class="bar actions" tabindex="0" role="region" aria-label=${say("sealed.yours")}><p>
    ${say("sealed.pick")}</p><${Clock} />
    <${Choices} items=${mine} go=${(/** @type {Listed} */ item) => choose(item.id)} />
    <button class="quiet" onClick=${() => setOpen(false)}>${say("sealed.hide")}</button></div>`;
}

/** Seconds since the last bid or vote; the host ends the time, never the clock. */
function Clock() {
  const [now, setNow] = useState(Date.now());
  useEvery(() => setNow(Date.now()), 1000);
  const last = events.value.findLast((event) => event.kind === "action");
  if (!last) return null;
  return html`<p class="clock" aria-hidden="true">${Math.max(0, Math.round(now / 1000 - last.at))} s</p>`;
}

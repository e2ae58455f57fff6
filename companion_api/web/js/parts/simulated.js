// A table that plays by itself says so: watch it, try to break its rules, or use a camera of one's own. What is staged
// there has a caption.
import { html } from "../html.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { sentence } from "../announce.js";
import { post } from "../api.js";
import { useFetched } from "../fetched.js";
import { showReason } from "../phrasebook.js";
import { shownPreview, board, events, onboardingStep } from "../state.js";
import { say } from "../words.js";

/** @import { EventTold, Noted } from "../answers" */

/** What is tried, and the kind of event by which it is seen to be done. */
const STEPS = [["wrong_move", "verdict"], ["take_back", "undo"], ["quick", "action"], ["bump", "action"]];
const CAPTIONS = ["staged", "put_right"];
/** A caption goes once so many events came after it. */
const FRESH = 3;

/** @param {EventTold} event @returns {event is Noted} */
const isCaption = (event) => event.kind === "note" && CAPTIONS.includes(event.code);

export function SimulationPanel() {
  const [folded, setFolded] = useState(localStorage.getItem("simulated") === "watch");
  const [trying, setTrying] = useState(false);
  const host = board.value.you.role === "host";
  const fold = (/** @type {boolean} */ away) => {
    localStorage.setItem("simulated", away ? "watch" : "");
    setFolded(away);
  };
  if (trying)
    return html`<section class="simulated" aria-label=${say("demo")}><${Try} leave=${() => setTrying(false)} />
      <${Caption} /></section>`;
  if (folded)
    return html`<section class="simulated" aria-label=${say("demo")}><div class="row"><${Caption} />
      <button class="quiet" aria-expanded="false" onClick=${() => fold(false)}>${say("demo")}</button></div>
      </section>`;
  return html`<section class="simulated" aria-label=${say("demo")}><p><strong>${say("demo.this")}
    </strong> ${say("demo.drawn")}</p>
    <div class="row">
    ${host && html`<button class="go" data-try onClick=${() => setTrying(true)}>${say("demo.try")}</button>`}
      <button onClick=${() => fold(true)}>${say("demo.watch")}</button>
      ${host && html`<button data-own onClick=${() => (onboardingStep.value = 0)}>${say("demo.own")}</button>`}</div>
      <${Caption} /></section>`;
}

/** What is staged just now. */
export function Caption() {
  const told = events.value.slice(-FRESH).findLast(isCaption);
  return html`<p class="caption" role="status">${told && sentence(told)}</p>`;
}

/** Rules to break, one after the other, each ticked once it was seen; the last one by this phone.
 * @param {{leave: () => void}} props */
function Try({ leave }) {
  const known = useFetched("demo")[0]?.incidents ?? [];
  const [begun, setBegun] = useState(/** @type {Record<string, number>} */ ({}));
  const [refused, setRefused] = useState(false);
  const forbidden = shownPreview.value && !shownPreview.value.ok && Boolean(shownPreview.value.refusal.code);
  useEffect(() => void (forbidden && setRefused(true)), [forbidden]);
  const stage = async (/** @type {string} */ incident) => {
    // What is staged may be heard of before the answer comes.
    setBegun({ ...begun, [incident]: events.value.at(-1)?.seq ?? 0 });
    const answer = await post("demo/stage", { incident });
    if (answer.ok) return;
    setBegun(begun);
    showReason(answer);
  };
  const seen = (/** @type {string} */ incident, /** @type {string} */ kind) => {
    if (!(incident in begun)) return false;
    const shown = events.value.find((event) => event.seq > begun[incident] && isCaption(event));
    return shown !== undefined && events.value.some((event) => event.seq > shown.seq && event.kind === kind);
  };
  const steps = STEPS.filter(([incident]) => known.includes(incident)).map(([incident, kind]) => ({
    incident,
    done: seen(incident, kind),
  }));
  const next = steps.find((step) => !step.done)?.incident;
  const all = !next && refused;
  return html`<h2>${say("demo.try")}</h2><p>${say(all ? "demo.tried" : "demo.try.words")}</p><ol class="tries">
    ${steps.map(
    ({
      incident,
      done,
    }) => html`<li key=${incident} data-step=${incident} class=${done ? "done" : incident === next ? "" : "later"}>
      <span>${done ? "✓ " : ""}${say(`demo.try.${incident}`)}</span>
      ${incident === next && html`<button class="go" disabled=${incident in begun} onClick=${() => stage(incident)}>
      ${say(incident in begun ? "demo.waits" : "demo.stage")}</button>`}</li>`)}
      <li data-step="own" class=${refused ? "done" : next ? "later" : ""}><span>${refused ? "✓ " : ""}
      ${say("demo.try.own")}</span></li></ol>
    <div class="row">${all && html`<button class="go"
      onClick=${() => (onboardingStep.value = 0)}>${say("demo.own")}</button>`}
    <button onClick=${leave}>${say("back")}</button></div>`;
}

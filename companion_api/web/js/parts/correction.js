// @ts-check
// It was really another one: the likely alternatives as drawn buttons, none of them, or entry by hand.
import { html, typed } from "../html.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { get } from "../api.js";
import { correct } from "../actions.js";
import { say } from "../words.js";
import { Drawn } from "./camera_question.js";

/** @import { Alternative, EventTold } from "../answers" */

/** @param {{event: EventTold}} props */
export function Correction({ event }) {
  const [found, setFound] = useState(/** @type {Alternative[] | null} */ (null));
  const [text, setText] = useState("");
  useEffect(() => {
    get(`alternatives/${event.seq}`).then((answer) => setFound(answer.ok ? answer.data : []));
  }, [event.seq]);
  const send = (/** @type {Event} */ e) => {
    e.preventDefault();
    if (text.trim()) correct(event.seq, [text.trim()]);
  };
  return html`<div class="correction" role="group" aria-label=${say("correct_to")}><p>${say("correct_to")}</p>
    <div class="choices">
    ${(found ?? []).map((other) => html`<${Drawn} key=${other.actions[0]} ...${other}
    go=${() => correct(event.seq, other.actions)} />`)}
      <button onClick=${() => correct(event.seq, [])}>${say("correct_nothing")}</button></div>
    <form class="row" onSubmit=${send}><label>${say("none_of_these")}
    <input value=${text} placeholder="move(a1,b1)" onInput=${typed(setText)} /></label>
      <button>${say("correct")}</button></form></div>`;
}

// Several things that are decided together, dice that are rolled or coins that are drawn: each is chosen by itself,
// drawn, and what they make is asked when the last one is chosen.
import { html } from "../html.js";
import { useState } from "../../vendor/hooks.js";
import { valueWords } from "../action_args.js";
import { board } from "../state.js";
import { markWords } from "../piece_names.js";
import { Picture } from "./piece.js";

/** @import { Together as Parts, Way } from "../answers" */

/** What was chosen before something was asked and not done, so that one die can be set right. */
let kept = { of: "", chosen: /** @type {(string | null)[]} */ ([]) };

/** @param {{together: Parts, go: (item: {id: string}) => void}} props */
export function MultiChoice({ together: { parts, end }, go }) {
  const of = `${board.value.table} ${board.value.state}`;
  const [chosen, setChosen] = useState(kept.of === of ? kept.chosen : parts.map(() => null));
  const choose = (/** @type {number} */ n, /** @type {string} */ code) => {
    const now = chosen.map((one, i) => (i === n ? code : one));
    kept = { of, chosen: now };
    setChosen(now);
    if (now.every(Boolean)) go({ id: parts.map(({ before }, i) => before + now[i]).join("") + end });
  };
  const Choice =
    (/** @type {number} */ n) =>
    (/** @type {Way} */ { code, value, picture }) => {
      const words = picture ? markWords(picture) : valueWords(value);
      const shown = picture ? html`<${Picture} piece=${picture} /><span class="unseen">${words}</span>` : words;
      return html`<button key=${code} class="face" data-part=${code} aria-pressed=${chosen[n] === code}
        onClick=${() => choose(n, code)}>${shown}</button>`;
    };
  return html`${parts.map(
    ({ ways }, n) => html`<div class="faces together" key=${n} role="group" aria-label=${`${n + 1}.`}>
    ${ways.map(Choice(n))}</div>`)}`;
}

// For the host: why a look was judged as it was. What was compared, what each explanation leaves unexplained, what
// decided.
import { html } from "../html.js";
import { useState } from "../../vendor/hooks.js";
import { actionsWords } from "../action_text.js";
import { get } from "../api.js";
import { reason } from "../phrasebook.js";
import { seatName } from "../seats.js";
import { valueWords } from "../action_args.js";
import { pieceWords } from "../piece_names.js";
import { say } from "../words.js";

/** @import { Compared, CostTerm, Explained, WhyJudged } from "../answers" */

/** @param {{seq: number}} props the event that the look brought */
export function Reasons({ seq }) {
  const [found, setFound] = useState(/** @type {WhyJudged | string | null} */ (null));
  const ask = async (/** @type {Event} */ event) => {
    if (!(/** @type {HTMLDetailsElement} */ (event.currentTarget).open) || found) return;
    const answer = await get(`reasons/${seq}`);
    setFound(answer.ok ? answer.data : reason(answer));
  };
  return html`<details class="reasons" onToggle=${ask}><summary>${say("reasons")}</summary>
    ${typeof found === "string" ? html`<p>${found}</p>` : found && html`<${LookReasons} found=${found} />`}</details>`;
}

/** @param {{found: WhyJudged}} props */
function LookReasons({ found }) {
  return html`<p><small>${say(found.hidden ? "reasons.hidden" : "reasons.how")}</small></p>
    ${found.comparisons.map((step, i) => html`<${Step} key=${i} step=${step}
    alone=${found.comparisons.length === 1} />`)}
    ${found.notes.length > 0 && html`<ul lang="en">
    ${found.notes.map((note, i) => html`<li key=${i}><small>${note}</small></li>`)}</ul>`}`;
}

/** @param {{step: Compared, alone: boolean}} props */
function Step({ step, alone }) {
  return html`${!alone && html`<p lang="en"><small>${step.table}</small></p>`}<ol>
    ${step.explanations.map((one, i) => html`<li key=${i}><${Explanation} one=${one} /></li>`)}</ol>
    ${step.decided.length > 0 && html`<ul class="gates" lang="en">
    ${step.decided.map((gate, i) => html`<li key=${i}><small>${gate}</small></li>`)}</ul>`}`;
}

/** @param {{one: Explained}} props */
function Explanation({ one }) {
  const words = one.actions.length ? actionsWords(one.acts, one.text) : say("reasons.nothing");
  if (!one.terms.length) return html`<b>${one.nats.toFixed(1)}</b> ${words}`;
  return html`<details><summary><b>${one.nats.toFixed(1)}</b> ${words}</summary><ul>
    ${one.terms.map((term, i) => html`<li key=${i}><small>
    ${term.nats.toFixed(1)} ${termWords(term)} ${term.piece && !term.seen ? say("reasons.unseen") : html`<span
    lang="en">${term.seen ?? term.note}</span>`}</small></li>`)}</ul></details>`;
}

/** @param {CostTerm} term */
function termWords({ piece, what, where, kind, owner, at, term }) {
  if (kind) return say("reasons.beside", { what: pieceWords({ kind }), who: owner === null ? "–" : seatName(owner) });
  if (piece) return `${valueWords(what)}${where ? ` · ${valueWords(where)}` : ""}:`;
  return term === "region" && at ? say("reasons.changed", { where: at.map((n) => n.toFixed(1)).join(", ") }) : "";
}

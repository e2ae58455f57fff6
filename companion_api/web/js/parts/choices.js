// Choices as pictures: a die's faces, coins, tiles; what has no picture keeps its words. Long lists stand in groups.
import { html } from "../html.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { actionLabels, distinct } from "../action_text.js";
import { valueWords } from "../action_args.js";
import { ask } from "../actions.js";
import { board, view } from "../state.js";
import { seatName } from "../seats.js";
import { markWords } from "../piece_names.js";
import { say } from "../words.js";
import { Picture } from "./piece.js";

/** @import { Happened, Listed, Picture as Pictured } from "../answers" */

const MOST = 30;

/** @typedef {{item: Listed, label: string, piece: Pictured | null, caption: string}} Shown */

/** What is shown for each of some actions: the words, and the picture with its caption where there is one.
 * @param {Listed[]} items @returns {Shown[]} */
export function choiceFaces(items) {
  const pictured = items.filter((item) => item.picture);
  const looks = pictured.map(({ picture }) => `${JSON.stringify(picture)}|${captionOf(picture)}`);
  const captions = distinct(pictured, looks).map((look) => look.slice(look.lastIndexOf("|") + 1));
  const labels = actionLabels(items);
  return items.map((item, i) => ({
    item,
    label: labels[i],
    piece: item.picture,
    caption: captions[pictured.indexOf(item)] ?? "",
  }));
}

/** @param {{items: Listed[], go: (item: {id: string}) => void}} props */
export function Choices({ items, go }) {
  const shown = choiceFaces(items);
  const words = shown.filter((each) => !each.piece);
  const groups = /** @type {Map<string, Shown[]>} */ (new Map());
  for (const each of shown) {
    if (!each.piece) continue;
    const name = `${each.piece.kind} ${each.piece.suit ?? ""}`;
    groups.set(name, [...(groups.get(name) ?? []), each]);
  }
  const rows =
    groups.size && groups.size === shown.length - words.length ? [[...groups.values()].flat()] : [...groups.values()];
  const face = (/** @type {Shown} */ { item, label, piece, caption }) => html`<button key=${item.id} class="face"
    data-action=${item.id} title=${label} onClick=${() => go(item)}>
    <${Picture} piece=${piece} /><small>${caption}</small><span class="unseen">${label}</span></button>`;
  const plain = (/** @type {Shown} */ { item, label }) => html`<button key=${item.id} data-action=${item.id}
    onClick=${() => go(item)}>${label}</button>`;
  return html`${rows.map((group, n) => html`<div class="faces" key=${n}>${group.map(face)}</div>`)}
    ${words.length > MOST ? html`<${ManyChoices} go=${go} />` : words.map(plain)}`;
}

/** More than anybody reads: what is decided together is chosen one after the other, or else typed.
 * @param {{go: (item: {id: string}) => void}} props */
function ManyChoices({ go }) {
  const [Together, setTogether] = useState(/** @type {typeof import("./multi_choice.js").MultiChoice | null} */ (null));
  const { together } = board.value;
  useEffect(() => void import("./multi_choice.js").then((m) => setTogether(() => m.MultiChoice), () => null), []);
  return html`${Together && together && html`<${Together} together=${together} go=${go} />`}
    <button data-view="hand" onClick=${() => (view.value = "hand")}>${say("choices.many")}</button>`;
}

/** What the picture alone does not say. @param {Pictured | null} picture */
const captionOf = (picture) => (picture?.onto ? `→ ${valueWords(picture.onto)}` : markWords(picture ?? {}));

/** All have chosen: what was secret, in one picture, until something else happens.
 * @param {{effects: Happened[]}} props */
export function RevealedChoices({ effects }) {
  const shown = effects.flatMap(({ kind, seat, thing, facts }) =>
    kind === "reveal" && typeof seat === "number" && thing
      ? [{ seat, thing, off: facts?.cancelled || facts?.void }]
      : [],
  );
  if (shown.length < 2) return null;
  return html`<section class="uncovered" role="status" aria-label=${say("uncovered")}><h2>${say("uncovered")}</h2><ul>
    ${shown.map(({ seat, thing, off }) => html`<li key=${seat} class=${off ? "void" : ""}>
      <${Picture} piece=${{ ...thing, face: thing.kind === "coin" ? "back" : "front" }} /><span>${seatName(seat)}
      ${off ? ` – ${say("uncovered.void")}` : ""}</span></li>`)}</ul></section>`;
}

/** What the host may do for others, and what everybody may do for the table: never one tap away from being done.
 * @param {{items: Listed[]}} props */
export function OthersChoices({ items }) {
  if (!items.length) return null;
  const { you, turn } = board.value;
  const powers =
    you.role === "host" && !turn.seats.some((seat) => seat === you.seat) && items.some((item) => !item.common);
  return html`<details class="apart"><summary>
    ${powers ? say("host.powers", { who: turn.seats.map(seatName).join(", ") }) : say("whole_table")}</summary>
    <div class="row"><${Choices} items=${items} go=${(/** @type {Listed} */ item) => ask(item.id)} /></div>
    </details>`;
}

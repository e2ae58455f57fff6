// @ts-check
// Statistics over the evenings: who has played and won how often on this companion.
import { html } from "../html.js";
import { useFetched } from "../fetched.js";
import { board, openReplay } from "../state.js";
import { language, say } from "../words.js";

export function Evenings() {
  const [found] = useFetched("evenings", board.value.outcome.over);
  if (!found?.games.length) return null;
  const day = (/** @type {number} */ at) =>
    new Date(at * 1000).toLocaleDateString(language.value, { day: "numeric", month: "short" });
  return html`<section class="evenings"><h2>${say("evenings")}</h2>
    ${
      found.people.length > 0 &&
      html`<table><thead><tr><th scope="col">${say("player")}</th><th scope="col">${say("evenings.games")}</th>
        <th scope="col">${say("evenings.won")}</th></tr></thead>
      <tbody>${found.people.map((person) => html`<tr key=${person.name}><th scope="row">${person.name}</th><td>
      ${person.games}</td><td>${person.won}</td></tr>`)}</tbody></table>`
    }
    <ul>${found.games.map((one) => html`<li key=${one.at}>
    <button data-replay=${one.table} onClick=${() => openReplay(one.table)}><time>${day(one.at)}</time> ${one.game}
    ${one.people.length ? `: ${one.people.join(", ")}` : ""}
    ${one.winners.length ? ` – ★ ${one.winners.join(", ")}` : ""}</button></li>`)}</ul></section>`;
}

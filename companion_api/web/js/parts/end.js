// @ts-check
// The end of a game: who has won and why, everybody's points, and what comes next.
import { html } from "../html.js";
import { post } from "../api.js";
import { showReason } from "../phrasebook.js";
import { board, openReplay, view } from "../state.js";
import { refresh } from "../table.js";
import { personName, seatName } from "../seats.js";
import { listen } from "../stream.js";
import { say } from "../words.js";
import { LearnedSet } from "./learned_set.js";
import { Highlights } from "./highlights.js";
import { Puzzle } from "./solver_hints.js";
import { Clause, StatementText } from "./explanation.js";

export function End() {
  const { outcome, seats, scores, you } = board.value;
  const winners = outcome.winners.map(seatName).join(", ");
  const title = winners
    ? say(outcome.winners.length > 1 ? "end.winners" : "end.winner", { who: winners })
    : say(seats.length > 1 ? "end.draw" : "end.over");
  const order = [...seats].sort((a, b) => (scores[b.seat] ?? 0) - (scores[a.seat] ?? 0));
  return html`<section class="end" aria-label=${say("turn.over")}><h2>
    ${winners && html`<span aria-hidden="true">★ </span>`}${title}</h2><p>
    <${StatementText} text=${outcome.said ?? outcome.reason} /></p>
    ${scores.length > 1 && html`<ol>
    ${order.map((seat) => html`<li key=${seat.seat}
    value=${1 + scores.filter((other) => other > scores[seat.seat]).length}
      class=${outcome.winners.includes(seat.seat) ? "winner" : ""}>${personName(seat)} <b>${scores[seat.seat]}</b>
        </li>`)}</ol>`}
    <${Clause} id=${outcome.clause} />${seats.length === 1 && html`<${Puzzle} />`}<${Highlights} /><${Luck} />
    ${you.role === "host" && html`<${LearnedSet} />`}
    <div class="row">
    ${you.role === "host" ? html`<button class="go" onClick=${rematch}>${say("rematch")}</button>
    <button onClick=${() => (view.value = "lobby")}>${say("other_game")}</button>` : html`<small>${say("end.host")}
    </small>`}
      <button data-replay=${board.value.table} onClick=${() => openReplay(board.value.table)}>${say("replay")}
      </button><button onClick=${() => (view.value = "score")}>${say("end.how")}</button></div></section>`;
}

/** The seed of what was drawn, so that everybody can check it. */
function Luck() {
  const { luck } = board.value;
  if (!luck?.seed) return null;
  return html`<details class="seed"><summary>${say("luck.check", { n: luck.draws })}</summary><p>${say("luck.how")}
    </p><dl><dt>${say("luck.seed")}</dt><dd><code>${luck.seed}</code></dd><dt>SHA-256</dt><dd><code>${luck.hash}
    </code></dd></dl></details>`;
}

/** The same game with the same people, rules and clock; somebody else begins. */
async function rematch() {
  const answer = await post("rematch", {});
  if (!answer.ok) return showReason(answer);
  await refresh();
  listen();
}

// The end of a game: who has won and why, everybody's points, and what comes next.
import { html } from "../html.js";
import { post } from "../api.js";
import { moved } from "../join.js";
import { useFetched } from "../fetched.js";
import { reason } from "../phrasebook.js";
import { board, openReplay, tell, view } from "../state.js";
import { personName, seatName } from "../seats.js";
import { say } from "../words.js";
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
const rematch = async () => moved(await post("rematch", {}));

/** What the game has shown of the set: kept for the next one if the host wants it. */
function LearnedSet() {
  const [found, setFound] = useFetched("calibration/teach/learnt");
  if (!found?.offered) return null;
  const keep = async () => {
    const answer = await post("calibration/teach/learnt", { name: found.name ?? say("lesson.my_set") });
    tell(() => (answer.ok ? say("learnt.kept", { name: String(answer.data.name) }) : reason(answer)), !answer.ok);
    if (answer.ok) setFound(null);
  };
  const words = found.name
    ? say("learnt.more", { n: found.new, name: found.name })
    : say("learnt.offer", { n: found.faces });
  return html`<section class="learnt" aria-label=${say("lesson.my_set")}><p>${words}</p>
    <div class="row"><button class="go" onClick=${keep}>${say("learnt.keep")}</button>
    <button onClick=${() => setFound(null)}>${say("learnt.no")}</button></div></section>`;
}

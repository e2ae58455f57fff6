// The end of a game: who has won and why, everybody's points, its best moments, and what comes next.
import { html } from "../html.js";
import { actionWords } from "../action_text.js";
import { actorWords } from "../announce.js";
import { post } from "../api.js";
import { effectLines } from "../effects.js";
import { moved } from "../join.js";
import { useFetched } from "../fetched.js";
import { reason } from "../phrasebook.js";
import { withEarlierTable } from "../piece_names.js";
import { actionsOfEvent, board, events, isEarlier, openEffects, openReplay, past } from "../state.js";
import { tell, view } from "../state.js";
import { personName, seatName } from "../seats.js";
import { say } from "../words.js";
import { MiniBoard } from "./board.js";
import { Puzzle } from "./solver_hints.js";
import { Clause, StatementText } from "./explanation.js";

/** @import { Happened, EventTold } from "../answers" */

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

/** So many moments are shown. */
const MOST = 3;
/** What makes a moment worth remembering. @type {Record<string, number>} */
const WEIGHT = { eliminate: 6, collapse: 4, attack: 3, take: 1.5, remove: 0.5, reveal: 0.3 };

/** How much happened. @param {EventTold} event */
function weight(event) {
  const effects = openEffects(actionsOfEvent(event));
  const points = effects.filter((e) => e.kind === "score").map((e) => Math.abs(e.amount ?? 0));
  return (
    effects.reduce((sum, e) => sum + (WEIGHT[e.kind] ?? 0) + (e.facts?.lost?.length ?? 0), 0) + Math.max(0, ...points)
  );
}

/** In the order of play: the ones in which most happened, and the last; in a quiet game some from its course. */
function best() {
  const counted = events.value.filter((event) => event.kind !== "laid" && actionsOfEvent(event).length);
  const last = counted[counted.length - 1];
  const others = counted.slice(0, -1).map((event, i) => ({
    event,
    weight: weight(event) || (i + 1) % Math.ceil(counted.length / MOST) === 0 ? weight(event) + 0.1 : 0,
  }));
  const chosen = others
    .filter((each) => each.weight > 0).sort((a, b) => b.weight - a.weight).slice(0, MOST - 1).map((each) => each.event);
  return [...chosen, ...(last ? [last] : [])].sort((a, b) => a.seq - b.seq);
}

/** The best moments as pictures: where most was lost and won, and how it ended. */
function Highlights() {
  const found = best();
  if (!found.length) return null;
  return html`<h3>${say("moments")}</h3><div class="moments">
    ${found.map((event) => html`<${One} key=${event.seq} event=${event} />`)}</div>`;
}

/** A tap shows the whole board as it was. @param {{event: EventTold}} props */
function One({ event }) {
  const [then] = useFetched(`at/${event.seq}`);
  const actions = actionsOfEvent(event);
  const effects = openEffects(actions);
  const worth = (/** @type {Happened} */ e) => WEIGHT[e.kind] ?? (e.kind === "score" ? 2 : 0);
  const seat = actions[0].seat;
  const what = withEarlierTable(
    isEarlier(event),
    () =>
      effectLines(effects.filter(worth).sort((a, b) => worth(b) - worth(a)))[0] ??
      actions.filter((a) => a.text).map(actionWords).join(", "),
  );
  return html`<button class="drawn" data-seq=${event.seq}
    onClick=${() => then && event.seq < board.value.seq && (past.value = then)}>
      ${then && html`<${MiniBoard} layout=${then.layout} effects=${effects} label="" close />`}<span>
      ${actorWords(seat, what)}</span></button>`;
}

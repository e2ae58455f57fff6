// The best moments of a game as pictures: where most was lost and won, and how it ended.
import { html } from "../html.js";
import { actorWords } from "../announce.js";
import { useFetched } from "../fetched.js";
import { actionWords } from "../action_text.js";
import { effectLines } from "../effects.js";
import { board, actionsOfEvent, events, isEarlier, openEffects, past } from "../state.js";
import { withEarlierTable } from "../piece_names.js";
import { say } from "../words.js";
import { MiniBoard } from "./board.js";

const MOST = 3;
/** What makes a moment worth remembering. @type {Record<string, number>} */
const WEIGHT = { eliminate: 6, collapse: 4, attack: 3, take: 1.5, remove: 0.5, reveal: 0.3 };

/** @import { Happened, EventTold } from "../answers" */


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

export function Highlights() {
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

// The score sheet, and how the score grew.
import { html } from "../html.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { get } from "../api.js";
import { useFetched } from "../fetched.js";
import { board, actionsOfEvent, events, openReplay } from "../state.js";
import { personName } from "../seats.js";
import { StatementText } from "./explanation.js";
import { effectWords } from "../effects.js";
import { language, say } from "../words.js";
import { coinsOf } from "./zones.js";

export function Score() {
  const { outcome } = board.value;
  return html`<section class="score">
    ${outcome.over && html`<p class="over"><${StatementText} text=${outcome.said ?? outcome.reason} />
    ${" "}<span class="clause">
    ${outcome.clause}</span></p>`}
    <${Sheet} />
    <${Chart} />
    <${Export} />
    ${gains().length > 0 && html`<h2>${say("score.how")}</h2>`}
    <ul>${gains().map((gain, /** @type {number} */ i) => html`<li key=${i}>${gain.words}</li>`)}</ul>
    ${["host", "player"].includes(board.value.you.role) && html`<${Evenings} />`}</section>`;
}

/** Who has how many points. */
function Sheet() {
  const { seats, scores, outcome } = board.value;
  const won = (/** @type {number} */ seat) => outcome.winners.includes(seat) && !outcome.drawn;
  return html`<table><caption>${say("view.score")}</caption><thead><tr><th scope="col">${say("player")}</th>
    <th scope="col">${say("points")}</th></tr></thead>
      <tbody>${seats.map((seat) => html`<tr key=${seat.seat} class=${won(seat.seat) ? "winner" : ""}>
        <th scope="row">${personName(seat)}${won(seat.seat) ? " ★" : ""}</th><td>
        ${scores[seat.seat] ?? (coinsOf(seat.seat) ? say("player.coins", { n: coinsOf(seat.seat) }) : "–")}</td>
        </tr>`)}
      ${Object.entries(outcome.others ?? {}).map(([name, points]) => html`<tr key=${name}><th scope="row">
      ${personName({ name, suit: name })}</th><td>${points}</td></tr>`)}</tbody></table>`;
}

/** Every score effect in the order of play. */
function gains() {
  return events.value.flatMap((event) =>
    actionsOfEvent(event).flatMap((action) =>
      action.effects.filter((e) => e.kind === "score").map((e) => ({ ...e, words: effectWords(e) })),
    ),
  );
}

const [WIDTH, HEIGHT, LINE] = [300, 120, 12];

/** Points over the events; every line has its own dashes and its name, not its colour alone. */
function Chart() {
  const [list, setList] = useState(/** @type {import("../answers").Points[]} */ ([]));
  const { seats, seq } = board.value;
  useEffect(() => {
    get("scores").then(
      (answer) => answer.ok && setList(answer.data.filter((row) => row.scores.length === seats.length)),
    );
  }, [seq]);
  const all = list.flatMap((row) => row.scores);
  if (list.length < 2 || Math.max(...all) === Math.min(...all)) return null;
  const [low, high] = [Math.min(0, ...all), Math.max(1, ...all)];
  const y = (/** @type {number} */ value) => HEIGHT - ((value - low) * HEIGHT) / (high - low);
  const line = (/** @type {number} */ seat) =>
    list.map((row, i) => `${(i * WIDTH) / (list.length - 1)},${y(row.scores[seat])}`).join(" ");
  const heights = apart(list[list.length - 1].scores.map(y));
  return html`<svg class="chart" viewBox="-4 -8 ${WIDTH + 60} ${HEIGHT + 16}" role="img"
    aria-label=${say("score.chart")}>
    ${seats.map((seat) => html`<g key=${seat.seat} class=${`line ${seat.suit ?? "other"}`}>
        <polyline points=${line(seat.seat)} />
      <text x=${WIDTH + 4} y=${heights[seat.seat] + 4}>${personName(seat)}</text></g>`)}</svg>`;
}

/** Names at the lines' ends that do not hide each other. @param {number[]} heights */
function apart(heights) {
  const order = heights.map((_, i) => i).sort((a, b) => heights[a] - heights[b]);
  const free = [...heights];
  order.forEach((seat, i) => i && (free[seat] = Math.max(free[seat], free[order[i - 1]] + LINE)));
  return free;
}

const FORMATS = ["ppn", "json", "csv", "png", "gif", "mp4"];

/** The game as a file; one with secrets when it is over. */
function Export() {
  const { game, outcome } = board.value;
  if (game.hidden && !outcome.over) return html`<p><small>${say("export.later")}</small></p>`;
  return html`<h2>${say("export")}</h2><div class="row">
    ${FORMATS.map((form) => html`<a class="button" key=${form} href=${`api/export/${form}`} download>
    ${form.toUpperCase()}</a>`)}</div>`;
}

/** Statistics over the evenings: who has played and won how often on this companion. */
function Evenings() {
  const [found] = useFetched("evenings", board.value.outcome.over);
  if (!found?.games.length) return null;
  const day = (/** @type {number} */ at) =>
    new Date(at * 1000).toLocaleDateString(language.value, { day: "numeric", month: "short" });
  return html`<section class="evenings"><h2>${say("evenings")}</h2>
    ${found.people.length > 0 &&
      html`<table><thead><tr><th scope="col">${say("player")}</th><th scope="col">${say("evenings.games")}</th>
        <th scope="col">${say("evenings.won")}</th></tr></thead>
      <tbody>${found.people.map((person) => html`<tr key=${person.name}><th scope="row">${person.name}</th><td>
      ${person.games}</td><td>${person.won}</td></tr>`)}</tbody></table>`}
    <ul>${found.games.map((one) => html`<li key=${one.at}>
    <button data-replay=${one.table} onClick=${() => openReplay(one.table)}><time>${day(one.at)}</time> ${one.game}
    ${one.people.length ? `: ${one.people.join(", ")}` : ""}
    ${one.winners.length ? ` – ★ ${one.winners.join(", ")}` : ""}</button></li>`)}</ul></section>`;
}

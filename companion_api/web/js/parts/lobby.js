// The lobby: which game, with which options, who sits where.
import { html, typed } from "../html.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { post } from "../api.js";
import { useFetched } from "../fetched.js";
import { moved } from "../join.js";
import { board, view } from "../state.js";
import { wordOrNull, language, optionText, optionWords, say } from "../words.js";
import { MiniBoard } from "./board.js";
import { ClockChoice, setClock } from "./clock.js";

/** @import { Card, Option as Choice } from "../answers" */
/** @typedef {Choice["default"]} Value */

export function Lobby() {
  const [games] = useFetched("games");
  const [chosen, setChosen] = useState("");
  const card = games?.find((game) => game.id === chosen);
  if (card) return html`<${NewTableForm} card=${card} back=${() => setChosen("")} />`;
  return html`<section class="lobby"><h2>${say("new_game")}</h2><ul class="games">${games?.map(
    (game) => html`<li key=${game.id}>
    <button data-game=${game.id} onClick=${() => setChosen(game.id)}><${BoardSketch} id=${game.id} />
    <strong>${game.name}
    </strong>
      <span>${[playersWords(game), minutesWords(game)].filter(Boolean).join(", ")}</span>
      <small>${summary(game)}</small></button></li>`)}</ul><${SavedGame} /></section>`;
}

/** @param {Card} game */
export const playersWords = (game) =>
  game.seats.length === 1 && game.seats[0] === 1
    ? say("lobby.player")
    : say("lobby.players", { n: spanOf(game.seats) });

/** Numbers in a row as a span. @param {number[]} counts */
const spanOf = (counts) =>
  counts.length > 1 && counts.every((n, i) => n === counts[0] + i)
    ? `${counts[0]}–${counts.at(-1)}`
    : counts.join(", ");

/** How long it takes. @param {Card} game */
export const minutesWords = (game) => (game.minutes ? say("lobby.minutes", { n: game.minutes.replace("-", "–") }) : "");

/** How a table of this game looks. @param {{id: string}} props */
export function BoardSketch({ id }) {
  const [layout] = useFetched(`games/${id}/sketch`);
  return html`<span class="sketch">${layout && html`<${MiniBoard} layout=${layout} effects=${[]} label="" />`}</span>`;
}

/** What a game is about. @param {Card} card @returns {string} */
export const summary = (card) => wordOrNull(`summary.${card.id}`) ?? card.summary;

/** A game from a file goes on at a table of its own. */
function SavedGame() {
  const [reading, setReading] = useState(false);
  const open = async (/** @type {Event} */ e) => {
    const field = /** @type {HTMLInputElement} */ (e.target);
    const file = field.files?.[0];
    field.value = "";
    if (!file) return;
    setReading(true);
    const answer = await post("import", { text: await file.text() });
    setReading(false);
    await entered(answer);
  };
  return html`<h2>${say("import")}</h2><p>${say("import.what")}</p><label class="photo button">
    ${say(reading ? "import.reading" : "import.choose")}
    <input type="file" accept=".ppn,.json" disabled=${reading} onChange=${open} /></label>`;
}

/** To the new table, or what is in the way. @param {import("../api.js").Answer<unknown>} answer */
async function entered(answer) {
  if (answer.ok) view.value = "board";
  await moved(answer);
}

/** Who sits at the table now keeps the seat. @returns {string[]} */
const here = () =>
  board.value.seats.map((seat) =>
    seat.held.length || seat.name.toLowerCase() !== seat.suit ? numberless(seat.name) : "",
  );

/** What the game itself calls a seat is nobody's name. @param {string} name */
const numberless = (name) => (/^Player \d$/.test(name) ? "" : name);

/** @param {{card: Card, back: () => void}} props */
function NewTableForm({ card, back }) {
  const [count, setCount] = useState(card.default_seats);
  const [names, setNames] = useState(here);
  const [options, setOptions] = useState(/** @type {Record<string, Value>} */ ({}));
  const [time, setTime] = useState([0, 0]);
  const changed = Object.keys(options).length;
  useEffect(() => void optionWords(), [language.value]);
  const start = async () => {
    const seats = Array.from({ length: count }, (_, i) => (names[i] ? { name: names[i] } : null));
    const answer = await post("tables", { game: card.id, options, seats });
    await entered(answer);
    if (answer.ok && time[0]) await setClock(time[0], time[1]);
  };
  return html`<section class="lobby"><h2>${card.name}</h2><p>${summary(card)} <small>
    ${wordOrNull(`needs.${card.id}`) ?? card.needs}${card.designer ? ` · ${card.designer}` : ""}</small></p>
    <label>${say("players")}<select value=${count} onChange=${typed((text) => setCount(Number(text)))}>
      ${card.seats.map((n) => html`<option key=${n} value=${n}>${n}</option>`)}</select></label>
    ${Array.from(
      { length: count },
      (_, i) => html`<label key=${i}>${say("seat", { n: i + 1 })}<input maxlength="40" value=${names[i] ?? ""}
      onInput=${typed((text) => setNames(Object.assign([...names], { [i]: text })))} /></label>`)}
    ${card.seats.some((n) => n > 1) && html`<${ClockChoice} minutes=${time[0]} increment=${time[1]}
    change=${(/** @type {number} */ a, /** @type {number} */ b) => setTime([a, b])} />`}
    ${card.presets.length > 1 && html`<div class="row presets" role="group" aria-label=${say("presets")}>
    ${card.presets.map((preset) => html`<button key=${preset.name} data-preset=${preset.name}
    aria-pressed=${sameOptions(preset.options, options)} onClick=${() => setOptions({ ...preset.options })}>
      ${say(`preset.${preset.name}`)}</button>`)}</div>`}
    ${changed > 0 && html`<ul class="chosen">
    ${card.options.filter((option) => option.name in options).map((option) => html`<li key=${option.name}>
    ${chosenWords(card.id, option, options[option.name])}</li>`)}</ul>`}
    <div class="row"><button class="go" onClick=${start}>${say(changed ? "start.own" : "start.usual")}</button>
    <button onClick=${back}>${say("back")}</button></div>
    ${card.options.length > 0 &&
      html`<details class="options"><summary>${say("options.more", { n: card.options.length })}
        ${changed ? ` – ${say("options.changed", { n: changed })}` : ""}</summary>
      ${changed > 0 && html`<button onClick=${() => setOptions({})}>${say("options.usual")}</button>`}
      ${card.options.map((option) => html`<${Option} key=${option.name} game=${card.id} option=${option}
          value=${options[option.name] ?? option.default}
        change=${(/** @type {Value} */ value) =>
            setOptions(without({ ...options, [option.name]: value }, option, value))
        } />`)}</details>`}</section>`;
}

/** @param {Record<string, Value>} a @param {Record<string, Value>} b */
const sameOptions = (a, b) => Object.keys({ ...a, ...b }).every((name) => a[name] === b[name]);

/** @param {string} game @param {Choice} option */
const labelOf = (game, option) =>
  optionText(`option.${game}.${option.name}`) ?? (option.text || option.name.replaceAll("_", " "));

/** What is played otherwise than usual. @param {string} game @param {Choice} option @param {Value} value */
function chosenWords(game, option, value) {
  const label = labelOf(game, option);
  if (typeof value === "boolean") return value ? label : say("preset.not", { what: label });
  return `${label}: ${choiceWords(game, option, value)}`;
}

/** What is as usual need not be said.
 * @param {Record<string, Value>} options
 * @param {Choice} option
 * @param {Value} value */
function without(options, option, value) {
  if (value === option.default) delete options[option.name];
  return options;
}

/** @param {{game: string, option: Choice, value: Value, change: (value: Value) => void}} props */
function Option({ game, option, value, change }) {
  const label = labelOf(game, option);
  const clause = option.clause && html` <span class="clause">${option.clause}</span>`;
  if (typeof option.default === "boolean")
    return html`<label class="switch"><input type="checkbox" checked=${value} onChange=${() => change(!value)} />
      <span>${label}${clause}</span></label>`;
  if (option.choices.length)
    return html`<label><span>${label}${clause}</span>
      <select value=${String(value)}
      onChange=${typed((text) => change(option.choices.find((one) => String(one) === text) ?? value))}>
      ${option.choices.map((c) => html`<option key=${String(c)} value=${String(c)}>${choiceWords(game, option, c)}
      </option>`)}</select></label>`;
  const number = typeof option.default === "number";
  return html`<label><span>${label}${clause}</span>
    <input type=${number ? "number" : "text"} min=${option.low} max=${option.high} value=${value}
    onInput=${typed((text) => change(number ? Number(text) : text))} /></label>`;
}

/** @param {string} game @param {Choice} option @param {Value} choice */
function choiceWords(game, option, choice) {
  const seat = /start_player|first/.test(option.name) && Number.isInteger(Number(choice));
  if (seat) return say("seat", { n: Number(choice) + 1 });
  return optionText(`choice.${choice}`) ?? String(choice).replaceAll("_", " ");
}

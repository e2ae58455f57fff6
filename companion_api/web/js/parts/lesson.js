// @ts-check
// Teach my set: a picture for each step, every piece with its name, a tap where the name is wrong.
import { html, typed } from "../html.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { get, post } from "../api.js";
import { reason } from "../phrasebook.js";
import { tell } from "../state.js";
import { known, say } from "../words.js";
import { markWords } from "../things.js";

/** @import { Calibration, LessonTold as Taught, LessonPage, LessonPiece, PieceName } from "../answers" */
/** @typedef {<T>(sent: Promise<import("../api.js").Answer<T>>, words?: (answer: T) => string) => Promise<boolean>} Send waits for the answer and tells it */

const SUITS = ["suns", "moons", "crowns", "arms"];

/** @param {{now: Calibration, load: () => void}} props */
export function Lesson({ now, load }) {
  const [lesson, setLesson] = useState(/** @type {Taught | null} */ (null));
  const [few, setFew] = useState(false);
  const [name, setName] = useState("");
  const read = () => get("calibration/teach").then((answer) => answer.ok && setLesson(answer.data));
  useEffect(() => {
    read();
  }, []);
  if (!lesson) return null;
  /** @type {Send} */
  const send = async (sent, words = () => "") => {
    const answer = await sent;
    const said = answer.ok ? words(answer.data) : reason(answer);
    if (said) tell(said, !answer.ok);
    await read();
    load();
    return answer.ok;
  };
  const shown = new Set(lesson.pages.map((page) => page.step));
  return html`<${Sets} now=${now} send=${send} />
    <ul class="list">${lesson.steps.map((step) => html`<li key=${step.id}><button data-step=${step.id} aria-pressed=${shown.has(step.id)} onClick=${() => send(post("calibration/teach", { step: step.id, incomplete: few }), (d) => say("lesson.named", { n: d.pieces, doubts: d.doubts }))}>
      ${known(`lesson.${step.id}`) ?? step.words}${step.needed ? "" : ` (${say("wizard.optional")})`}</button></li>`)}</ul>
    <label class="switch"><input type="checkbox" checked=${few} onChange=${() => setFew(!few)} />${say("lesson.incomplete")}</label>
    ${lesson.pages.map((page, i) => html`<${Page} key=${`${i} ${page.step}`} page=${page} index=${i} names=${lesson.steps.find((s) => s.id === page.step)?.names ?? []} send=${send} />`)}
    ${shown.size > 0 && html`<div class="row"><label>${say("lesson.name")}<input maxlength="40" value=${name} placeholder=${say("lesson.my_set")} onInput=${typed(setName)} /></label>
      <button class="go" disabled=${lesson.missing.length > 0} onClick=${() => send(post("calibration/teach/finish", { name: name.trim() || say("lesson.my_set") }), (d) => [say("wizard.taught"), ...d.warnings.map(leakWords)].join(" "))}>${say("wizard.finish")}</button>
      <button onClick=${() => send(post("calibration/teach/end", {}))}>${say("lesson.leave")}</button></div>`}`;
}

/** What this edition gives away: the profile keeps it in English, with the share that was guessed right. @param {string} leak */
const leakWords = (leak) => say("lesson.leaks", { share: /\d+ ?%/.exec(leak)?.[0] ?? "?" });

/** The sets taught before: which one is played with. @param {{now: Calibration, send: Send}} props */
function Sets({ now, send }) {
  if (!now.sets.length) return null;
  return html`<ul class="list">${now.sets.map((set) => html`<li key=${set.name} class="row"><button aria-pressed=${now.using === set.name} onClick=${() => send(post("calibration/teach/choose", { name: set.name }))}>${set.name}</button>
    <button onClick=${() => send(post("calibration/teach/forget", { name: set.name }))} aria-label=${say("lesson.forget", { name: set.name })}>✕</button>${set.leaks.map((leak) => html`<small key=${leak} class="bad">${leakWords(leak)}</small>`)}</li>`)}</ul>`;
}

/** One picture with the names in it; what is doubtful stands out, and every piece can be tapped.
 * @param {{page: LessonPage, index: number, names: PieceName[], send: Send}} props */
function Page({ page, index, names, send }) {
  const [tapped, setTapped] = useState(/** @type {LessonPiece | null} */ (null));
  const rename = async (/** @type {PieceName} */ { suit, value }) => {
    if (tapped) await send(post("calibration/teach/rename", { page: index, number: tapped.number, suit, value }));
    setTapped(null);
  };
  const doubtful = page.pieces.filter((piece) => piece.doubt);
  return html`<section class="page-of-lesson"><div class="picture"><img src=${`api/calibration/teach/${index}/picture`} alt=${say("camera.picture")} />
    <svg viewBox="0 0 ${page.width} ${page.height}">${page.pieces.map((piece) => html`<${Spot} key=${piece.number} piece=${piece} picked=${tapped?.number === piece.number} tap=${() => setTapped(piece)} />`)}</svg></div>
    <p role="status">${say(doubtful.length ? "lesson.check" : "lesson.sure", { n: doubtful.length })}</p>
    ${tapped && html`<div class="row" role="group" aria-label=${say("lesson.is", { n: tapped.number })}><p>${say("lesson.is", { n: tapped.number })}</p>${names.map((name) => html`<button key=${`${name.suit}${name.value}`} onClick=${() => rename(name)}>${markWords(name)}</button>`)}</div>`}
    <div class="row">${names[0]?.suit && html`<${Swap} swap=${(/** @type {string} */ first, /** @type {string} */ second) => send(post("calibration/teach/swap", { page: index, first, second }))} />`}
      <button onClick=${() => send(post("calibration/teach/drop", { page: index }))}>${say("lesson.drop")}</button></div></section>`;
}

/** @param {{piece: LessonPiece, picked: boolean, tap: () => void}} props */
function Spot({ piece, picked, tap }) {
  const points = piece.outline_px.map((p) => p.join(",")).join(" ");
  const [x, y] = piece.center_px;
  const press = (/** @type {KeyboardEvent} */ e) => (e.key === "Enter" || e.key === " ") && (e.preventDefault(), tap());
  return html`<g class="seen ${piece.doubt ? "doubt" : ""} ${picked ? "picked" : ""}"><polygon points=${points} role="button" tabindex="0" data-number=${piece.number} aria-pressed=${picked}
    onClick=${tap} onKeyDown=${press} aria-label=${`${piece.number}: ${markWords(piece)}`} /><text x=${x} y=${y} aria-hidden="true">${short(piece)}</text></g>`;
}

/** @param {{swap: (first: string, second: string) => void}} props */
function Swap({ swap }) {
  const [pair, setPair] = useState(["suns", "arms"]);
  const choose = (/** @type {number} */ i) => html`<select aria-label=${say("lesson.swap")} value=${pair[i]} onChange=${typed((text) => setPair(Object.assign([...pair], { [i]: text })))}>
    ${SUITS.map((suit) => html`<option key=${suit} value=${suit}>${say(`suit.${suit}`)}</option>`)}</select>`;
  return html`${choose(0)}${choose(1)}<button disabled=${pair[0] === pair[1]} onClick=${() => swap(pair[0], pair[1])}>${say("lesson.swap")}</button>`;
}

/** @param {PieceName} piece */
const short = (piece) => `${(piece.suit ? say(`suit.${piece.suit}`) : "").slice(0, 2)}${{ null: "n", ace: "a" }[/** @type {string} */ (piece.value)] ?? piece.value ?? ""}`;

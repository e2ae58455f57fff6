// Teach my set: a picture for each step, every piece with its name, a tap where the name is wrong.
import { html, polygon, pressed, typed } from "../html.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { get, post } from "../api.js";
import { reason } from "../phrasebook.js";
import { tell } from "../state.js";
import { wordOrNull, say } from "../words.js";
import { markWords, valueSign } from "../piece_names.js";
import { StatementText } from "./explanation.js";

/** @import { Calibration, LessonDraft, LessonTold as Taught, LessonPage, LessonPiece, PieceName, SentenceTold,
 * TaughtSetTold, TrialTold } from "../answers" */
/** @typedef {<T>(sent: Promise<import("../api.js").Answer<T>>, words?: (answer: T) => string) => Promise<boolean>}
 * Send waits for the answer and tells it */

const SUITS = ["suns", "moons", "crowns", "arms"];
const EVERY_MS = 1500;

/** @param {{now: Calibration, load: () => void}} props */
export function Lesson({ now, load }) {
  const [lesson, setLesson] = useState(/** @type {Taught | null} */ (null));
  const [few, setFew] = useState(false);
  const [name, setName] = useState("");
  const [watched, setWatched] = useState("");
  const [hint, setHint] = useState("");
  const read = () => get("calibration/teach").then((answer) => answer.ok && setLesson(answer.data));
  useEffect(() => {
    read();
  }, []);
  const practising = Boolean(lesson?.practice && !lesson.practice.problem);
  useEffect(() => {
    if (!practising) return undefined;
    const timer = setInterval(async () => {
      const answer = await get("calibration/teach");
      if (!answer.ok) return;
      if (!answer.data.practice) tell(say("wizard.taught"));
      setLesson(answer.data);
    }, EVERY_MS);
    return () => (clearInterval(timer), load());
  }, [practising]);
  useEffect(() => {
    if (!watched) return undefined;
    let timer = 0;
    let going = true;
    const look = async () => {
      const answer = await post("calibration/teach", { step: watched, incomplete: few, watching: true });
      if (!going) return;
      setHint(answer.ok ? "" : reason(answer));
      await read();
      if (going) timer = setTimeout(look, EVERY_MS);
    };
    look();
    return () => ((going = false), clearTimeout(timer));
  }, [watched, few]);
  const missing = lesson?.missing ?? [];
  useEffect(() => {
    const needed = lesson?.steps.find((step) => step.id === watched)?.needed;
    if (needed && !missing.includes(watched)) setWatched(missing[0] ?? "");
  }, [missing.join()]);
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
  const names = (/** @type {string} */ id) => lesson.steps.find((step) => step.id === id)?.names ?? [];
  const shows = (/** @type {Promise<import("../api.js").Answer<import("../answers").Shown>>} */ sent) =>
    send(sent, (d) => say("lesson.named", { n: d.pieces, doubts: d.doubts }));
  const take = (/** @type {string} */ step) =>
    watched ? setWatched(step) : shows(post("calibration/teach", { step, incomplete: few }));
  if (lesson.practice && practising) {
    const { drawn: n, tables: of } = lesson.practice;
    return html`<${LessonProgress} words=${say("lesson.learning", { n, of })} done=${n} there=${of} ends="lesson.enough"
    end=${() => send(post("calibration/teach/enough", {}))} />`;
  }
  return html`<${Sets} now=${now} send=${send} /><${Problem} of=${lesson.practice} />
    <label class="switch">
    <input type="checkbox" data-watch checked=${Boolean(watched)}
    onChange=${() => setWatched(watched ? "" : (missing[0] ?? lesson.steps[0].id))} />${say("lesson.watch")}</label>
    ${watched && html`<p role="status" class="lesson-hint">${hint || say("lesson.wait")}</p>`}
    <ul class="list">${lesson.steps.map((step) => html`<li key=${step.id}>
        <button data-step=${step.id} aria-pressed=${shown.has(step.id)}
        aria-current=${watched === step.id ? "step" : undefined} onClick=${() => take(step.id)}>
      ${wordOrNull(`lesson.${step.id}`) ?? step.words}
      ${step.needed ? "" : ` (${say("wizard.optional")})`}</button></li>`,
    )}<li><button data-board onClick=${() => shows(post("calibration/teach/board", {}))}>${say("lesson.board")}
    </button></li></ul>
    <label class="switch"><input type="checkbox" checked=${few} onChange=${() => setFew(!few)} />
    ${say("lesson.incomplete")}</label>
    ${lesson.draft && (watched ? html`<button data-draw onClick=${() => setWatched("")}>${say("lesson.draw")}
    </button>` : html`<${Draft} draft=${lesson.draft} names=${names(lesson.draft.step)} send=${send} />`)}
    ${lesson.pages.map((page, i) => html`<${Page} key=${`${i} ${page.step}`} page=${page} index=${i}
    names=${names(page.step)} send=${send} />`)}
    ${shown.size > 0 && html`<div class="row"><label>${say("lesson.name")}
        <input maxlength="40" value=${name} placeholder=${say("lesson.my_set")} onInput=${typed(setName)} /></label>
      <button class="go" disabled=${lesson.missing.length > 0}
      onClick=${() => {
        setWatched("");
        send(post("calibration/teach/finish", { name: name.trim() || say("lesson.my_set") }), (d) =>
          d.warnings.map(leakWords).join(" "),
        );
      }}>
        ${say("wizard.finish")}</button>
      <button onClick=${() => (setWatched(""), send(post("calibration/teach/end", {})))}>${say("lesson.leave")}
      </button></div>`}`;
}

/** How far something is that goes on in the background, and a way to end it.
 * @param {{words: string, done: number, there: number, ends: string, end: () => void}} props */
function LessonProgress({ words, done, there, ends, end }) {
  return html`<div class="learning"><p role="status">${words}</p>
    <progress max=${there} value=${done} aria-label=${words}></progress><button onClick=${end}>${say(ends)}
    </button></div>`;
}

/** Why it came to nothing. @param {{of: {problem: string | null, problem_said?: SentenceTold | null} | null}} props */
function Problem({ of }) {
  if (!of?.problem) return null;
  return html`<p class="bad" role="alert"><${StatementText} text=${of.problem_said ?? of.problem} /></p>`;
}

/** The picture that was refused: what was found in it, and boxes about what was not.
 * @param {{draft: LessonDraft, names: PieceName[], send: Send}} props */
function Draft({ draft, names, send }) {
  const [from, setFrom] = useState(/** @type {number[] | null} */ (null));
  const [box, setBox] = useState("");
  const at = (/** @type {PointerEvent} */ e) => {
    const place = /** @type {Element} */ (e.currentTarget).getBoundingClientRect();
    return [
      ((e.clientX - place.left) / place.width) * draft.width,
      ((e.clientY - place.top) / place.height) * draft.height,
    ].map(Math.round);
  };
  const begin = (/** @type {PointerEvent} */ e) => {
    e.preventDefault();
    /** @type {Element} */ (e.currentTarget).setPointerCapture(e.pointerId);
    setFrom(at(e));
  };
  const drag = (/** @type {PointerEvent} */ e) => {
    if (!from) return;
    const [x, y] = at(e);
    setBox([Math.min(from[0], x), Math.min(from[1], y), Math.max(from[0], x), Math.max(from[1], y)].join(" "));
  };
  const sides = /** @type {[number, number, number, number] | null} */ (whole(box));
  const give = async (/** @type {PieceName} */ { suit, value }) => {
    if (!sides) return;
    setBox(""); // at once, so that the next box may be drawn before the answer is there
    if (!(await send(post("calibration/teach/box", { box: sides, suit, value })))) setBox((drawn) => drawn || box);
  };
  return html`<section class="page-of-lesson draft"><p>${say("lesson.boxed")}</p>
    <div class="picture boxing" onPointerDown=${begin} onPointerMove=${drag} onPointerUp=${() => setFrom(null)}
    onPointerCancel=${() => setFrom(null)}>
      <img src="api/calibration/teach/draft/picture" alt=${say("camera.picture")} draggable=${false} />
      <svg viewBox="0 0 ${draft.width} ${draft.height}" style=${lettered(draft)} aria-hidden="true">
        ${draft.found.map((outline, i) => html`<g key=${i} class="seen">
        <polygon points=${polygon(outline)} /></g>`)}
        ${draft.boxes.map((drawn, i) => html`<${Drawn} key=${`box ${i}`} box=${drawn.box} label=${short(drawn)} />`)}
        ${sides && html`<${Drawn} box=${sides} label="" />`}</svg></div>
    <label>${say("lesson.box_typed")}<input value=${box} onInput=${typed(setBox)} /></label>
    ${sides && html`<${Names} of=${say("lesson.box_is")} names=${names} give=${give} />`}
    ${draft.boxes.length > 0 && html`<button onClick=${() => send(post("calibration/teach/unbox", {}))}>
    ${say("lesson.unbox")}</button>`}</section>`;
}

/** What it may be, to choose from. @param {{of: string, names: PieceName[], give: (name: PieceName) => void}} props */
function Names({ of, names, give }) {
  return html`<div class="row" role="group" aria-label=${of}><p>${of}</p>
    ${names.map((name) => html`<button key=${`${name.suit}${name.value}`} onClick=${() => give(name)}>
    ${markWords(name) || say("ok")}</button>`)}</div>`;
}

/** @param {{box: number[], label: string}} props */
function Drawn({ box: [left, top, right, bottom], label }) {
  return html`<g class="seen other">
    <polygon points=${`${left},${top} ${right},${top} ${right},${bottom} ${left},${bottom}`} />
    <text x=${(left + right) / 2} y=${(top + bottom) / 2}>${label}</text></g>`;
}

/** Four numbers of a box that is no line, or null. @param {string} text */
function whole(text) {
  const sides = text.trim().split(/[\s,]+/).map(Number);
  return sides.length === 4 && sides.every(Number.isFinite) && sides[2] - sides[0] > 3 && sides[3] - sides[1] > 3
    ? sides
    : null;
}

/** What this edition gives away: the profile keeps it in English, with the share that was guessed right.
 * @param {string} leak */
const leakWords = (leak) => say("lesson.leaks", { share: /\d+ ?%/.exec(leak)?.[0] ?? "?" });

/** The sets taught before: which one is played with, or none, and what each brings.
 * @param {{now: Calibration, send: Send}} props */
function Sets({ now, send }) {
  if (!now.sets.length) return null;
  const { tuning } = now;
  const { done = 0, there = 1 } = tuning ?? {};
  const to = (/** @type {"choose" | "forget" | "other" | "tune" | "tune/stop"} */ path, /** @type {string} */ name) =>
    send(post(`calibration/teach/${path}`, { name }));
  return html`<${Problem} of=${tuning} /><ul class="list">${now.sets.map((set) => html`<li key=${set.name} class="row">
      <button aria-pressed=${now.using === set.name} onClick=${() => to("choose", set.name)}>${set.name}</button>
    <button onClick=${() => to("forget", set.name)} aria-label=${say("lesson.forget", { name: set.name })}>✕</button>
      ${set.leaks.map((leak) => html`<small key=${leak} class="bad">${leakWords(leak)}</small>`)}
    ${set.trials.map((trial) => html`<small key=${trial.kind} class="brings">${gainWords(trial)}</small>`)}
    ${tuning && tuning.name === set.name && !tuning.problem
        ? html`<${LessonProgress}
          words=${`${say("lesson.tuning")} ${say(`lesson.tuning.${tuning.phase}`, { done, there })}`}
        done=${done} there=${there} ends="lesson.stop" end=${() => to("tune/stop", set.name)} />`
        : html`<${TuningResult} now=${now} set=${set} to=${to} />`}</li>`)}
    <li><button data-shipped aria-pressed=${now.using === null}
    onClick=${() => send(post("calibration/teach/shipped", {}))}>${say("lesson.shipped")}</button></li></ul>`;
}

/** What tuning brought, the way back, or the offer to tune.
 * @param {{now: Calibration, set: TaughtSetTold, to: (path: "other" | "tune", name: string) => void}} props */
function TuningResult({ now, set: { name, kept, tuned, other, brings }, to }) {
  if (brings)
    return html`<small class="brings">${say(other ? "lesson.tuned" : "lesson.tuned.no", { ...brings })}</small>
    ${other && html`<button onClick=${() => to("other", name)}>${say(tuned ? "lesson.untune" : "lesson.retune")}
    </button>`}`;
  if (!kept) return null;
  return now.can_tune
    ? html`<button data-tune onClick=${() => to("tune", name)}>${say("lesson.tune")}</button>`
    : html`<small>${say("lesson.tune.needs")} <code>pip install 'piecepack-companion[tuning]'</code></small>`;
}

/** @param {TrialTold} trial */
const gainWords = ({ kind, looks, read, taught, used }) =>
  say(used ? "lesson.brings" : "lesson.unused", { what: say(`kind.${kind}`), looks, read, taught });

/** One picture with the names in it; what is doubtful stands out, and every piece can be tapped.
 * @param {{page: LessonPage, index: number, names: PieceName[], send: Send}} props */
function Page({ page, index, names, send }) {
  const [tapped, setTapped] = useState(/** @type {LessonPiece | null} */ (null));
  const rename = async (/** @type {PieceName} */ { suit, value }) => {
    if (tapped) await send(post("calibration/teach/rename", { page: index, number: tapped.number, suit, value }));
    setTapped(null);
  };
  const doubtful = page.pieces.filter((piece) => piece.doubt);
  return html`<section class="page-of-lesson"><div class="picture">
    <img src=${`api/calibration/teach/${index}/picture`} alt=${say("camera.picture")} />
    <svg viewBox="0 0 ${page.width} ${page.height}" style=${lettered(page)}>
    ${page.pieces.map((piece) => html`<${Spot} key=${piece.number} piece=${piece}
    picked=${tapped?.number === piece.number} tap=${() => setTapped(piece)} />`)}</svg></div>
    <p role="status">${say(doubtful.length ? "lesson.check" : "lesson.sure", { n: doubtful.length })}</p>
    ${tapped && html`<${Names} of=${say("lesson.is", { n: tapped.number })} names=${names} give=${rename} />`}
    <div class="row">
    ${names[0]?.suit && html`<${Swap}
    swap=${(/** @type {string} */ first, /** @type {string} */ second) =>
        send(post("calibration/teach/swap", { page: index, first, second }))
    } />`}
      <button onClick=${() => send(post("calibration/teach/drop", { page: index }))}>${say("lesson.drop")}</button>
      </div></section>`;
}

/** Names as large on a phone as on a screen: by the picture's width. @param {{width: number}} picture */
const lettered = ({ width }) => ({ "--letter": `${Math.round(width / 28)}px` });

/** @param {{piece: LessonPiece, picked: boolean, tap: () => void}} props */
function Spot({ piece, picked, tap }) {
  const [x, y] = piece.center_px;
  return html`<g class="seen ${piece.doubt ? "doubt" : ""} ${picked ? "picked" : ""}">
    <polygon points=${polygon(piece.outline_px)} role="button" tabindex="0" data-number=${piece.number}
    aria-pressed=${picked} onClick=${tap} onKeyDown=${pressed(tap)}
    aria-label=${`${piece.number}: ${markWords(piece)}`} />
      <text x=${x} y=${y} aria-hidden="true">${short(piece)}</text></g>`;
}

/** @param {{swap: (first: string, second: string) => void}} props */
function Swap({ swap }) {
  const [pair, setPair] = useState(["suns", "arms"]);
  const choose = (/** @type {number} */ i) => html`<select aria-label=${say("lesson.swap")} value=${pair[i]}
    onChange=${typed((text) => setPair(Object.assign([...pair], { [i]: text })))}>
    ${SUITS.map((suit) => html`<option key=${suit} value=${suit}>${say(`suit.${suit}`)}</option>`)}</select>`;
  return html`${choose(0)}${choose(1)}<button disabled=${pair[0] === pair[1]} onClick=${() => swap(pair[0], pair[1])}>
    ${say("lesson.swap")}</button>`;
}

/** @param {PieceName} piece */
const short = (piece) => (piece.suit ? say(`suit.${piece.suit}`) : "").slice(0, 2) + valueSign(piece.value);

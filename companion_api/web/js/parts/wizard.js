// The wizard, step by step: what to do, how good the picture is just now, and the ways to keep it; and whose things lie
// where.
import { html } from "../html.js";
import { useState } from "../../vendor/hooks.js";
import { post } from "../api.js";
import { useFetched, usePolled } from "../fetched.js";
import { reason, showReason } from "../phrasebook.js";
import { board, tell } from "../state.js";
import { seatName } from "../seats.js";
import { wordOrNull, say } from "../words.js";
import { Corners, Quad } from "./quad.js";
import { Lesson } from "./lesson.js";
import { StatementText } from "./explanation.js";

/** @import { AccuracyTold, AdviceTold, Calibration, Checked, GuideStepTold, HandArea, Marked, MeasurePlane as Corners4,
 * QualityTold as Seen, SheetCount } from "../answers" */
/** @import { Spot } from "../board_geometry.js" */
/** @typedef {(sent: Promise<import("../api.js").Answer<AccuracyTold | SheetCount>>) => Promise<void>} Send waits for
 * the answer and tells it */

const EVERY_MS = 2000;

export function Wizard() {
  const [now, load] = usePolled("calibration", EVERY_MS);
  if (!now) return null;
  const host = board.value.you.role === "host";
  /** @type {Send} */
  const send = async (sent) => {
    const answer = await sent;
    tell(() => (answer.ok ? keptWords(answer.data) : reason(answer)), !answer.ok);
    load();
  };
  const first = now.steps.find((step) => step.needed && !step.done && step.id in BODIES)?.id;
  return html`<h3>${say("wizard")}</h3>
    ${now.problem && html`<p class="bad" role="alert">${say("wizard.problem")} <small>
    <${StatementText} text=${now.problem_said ?? now.problem} /></small></p>`}
    <${Quality} quality=${now.quality} check=${now.check} />
    <ol class="steps">
    ${now.steps.map((step) => html`<${Step} key=${step.id} step=${step} open=${step.id === first} now=${now}
    send=${host ? send : null} load=${load} />`)}
      ${host && html`<li><details><summary><strong>${say("hands")}</strong></summary><${Hands} /></details></li>`}
      </ol>`;
}

/** How well it is known now, or how many pictures there are. @param {AccuracyTold | SheetCount} found */
const keptWords = (found) =>
  "sheets" in found ? say("wizard.sheets", { n: found.sheets }) : say("wizard.kept", { mm: found.typical_mm });

/** @param {{step: GuideStepTold, open: boolean, now: Calibration, send: Send | null, load: () => void}} props */
function Step({ step, open, now, send, load }) {
  const Body = send && BODIES[/** @type {keyof typeof BODIES} */ (step.id)];
  return html`<li><details open=${open}><summary><span>
    ${step.done ? html`<span aria-label=${say("wizard.done")}>✓ </span>` : ""}<strong>
    ${wordOrNull(`step.${step.id}`) ?? step.title}</strong>
    ${step.needed ? "" : html` <small>${say("wizard.optional")}</small>`}</span></summary><p>
    ${wordOrNull(`step.${step.id}.words`) ?? step.words}</p>
    ${Body && html`<${Body} now=${now} send=${send} load=${load} />`}</details></li>`;
}

/** @param {{send: Send}} props */
function Plane({ send }) {
  return html`<div class="row"><button class="go" onClick=${() => send(post("calibration/plane", {}))}>
    ${say("wizard.keep")}</button>
      <button onClick=${() => send(post("calibration/sheet", { lies: true }))}>${say("wizard.sheet_lies")}</button>
      </div>
    <${Print} /><${Corners} send=${(/** @type {Corners4} */ body) => send(post("calibration/plane", body))} />`;
}

/** @param {{send: Send, now: Calibration}} props */
function Lens({ send, now }) {
  return html`<${Print} /><div class="row"><button onClick=${() => send(post("calibration/sheet", { lies: false }))}>
    ${say("wizard.sheet_more")}</button><span>${say("wizard.sheets", { n: now.sheets })}</span></div>`;
}

/** The sheet in true size. */
function Print() {
  return html`<p class="row">
    ${["a4", "letter"].map((paper) => html`<a key=${paper} class="button"
    href=${`api/calibration/sheet.pdf?paper=${paper}`} download=${`sheet-${paper}.pdf`}>
      ${say(`wizard.print.${paper}`)}</a>`)}</p>`;
}

const BODIES = { plane: Plane, lens: Lens, "my-set": Lesson };

/** What the camera makes of the table just now, and whether the calibration still holds.
 * @param {{quality: Seen | null, check: Checked | null}} props */
export function Quality({ quality, check }) {
  if (!quality) return html`<p role="status">${say("setup.unseen")}</p>`;
  const { tiles, tile_px, tilt_deg, error_mm, sharpness, light } = quality;
  const numbers = {
    tiles,
    px: Math.round(tile_px),
    tilt: tilt_deg === null ? "–" : Math.round(tilt_deg),
    mm: error_mm ?? "–",
  };
  return html`<div class="quality"><p role="status"><strong>${say(quality.good ? "wizard.good" : "wizard.better")}
    </strong> ${say("wizard.numbers", numbers)}</p>
    <div class="row"><${Bar} name="light" value=${light.score} />
    <${Bar} name="sharp" value=${Math.min(1, sharpness / 0.5)} /></div>
    <ul>${quality.advice.map((each) => html`<li key=${each.code}>${adviceWords(each)}</li>`)}</ul>
    ${check && html`<p><small>${say(`check.${check.standing}`)}</small></p>`}</div>`;
}

/** @param {{name: string, value: number}} props */
function Bar({ name, value }) {
  return html`<label class="meter">
    ${say(`quality.${name}`)} ${Math.round(value * 100)} %<meter min="0" max="1" low="0.4" high="0.7" optimum="1"
    value=${value}></meter></label>`;
}

/** @param {AdviceTold} advice */
function adviceWords({ code, words, facts }) {
  const where = facts.where && say(`where.${String(facts.where).replaceAll(" ", "_")}`);
  return wordOrNull(`advice.${code}`) ? say(`advice.${code}`, { ...facts, where }) : words;
}

/** @typedef {{zone: Marked["zone"], seat: number | null}} Owner */

/** @param {Pick<HandArea, "zone" | "seat">} area */
const areaWords = (area) => `${say(`zone.${area.zone}`)} ${seatName(area.seat)}`.trim();

/** The host marks out hands, spent heaps and the supply on the camera's picture. */
function Hands() {
  const [found, setFound] = useFetched("hands");
  const areas = found ?? [];
  const [marking, setMarking] = useState(/** @type {Owner | null} */ (null));
  const keep = async (/** @type {Marked[]} */ wanted) => {
    const answer = await post("hands", { areas: wanted });
    if (!answer.ok) return showReason(answer);
    setFound(answer.data);
    setMarking(null);
  };
  const owners = /** @type {Owner[]} */ ([
    ...board.value.seats.flatMap((s) => [{ zone: "hand", seat: s.seat }, { zone: "spent", seat: s.seat }]),
    { zone: "supply", seat: null },
  ]);
  if (marking)
    return html`<${AreaMarker} area=${marking} others=${areas}
      keep=${(/** @type {Marked} */ area) => {
        const others = /** @type {Marked[]} */ (areas).filter((a) => a.zone === "supply" || !sameArea(a, area));
        keep([...others, area]);
      }}
        leave=${() => setMarking(null)} />`;
  return html`<p>${say("hands.how")}</p><div class="row">
    ${owners.map((owner) => html`<button key=${areaWords(owner)} aria-pressed=${areas.some((a) => sameArea(a, owner))}
    onClick=${() => setMarking(owner)}>${areaWords(owner)}</button>`)}
    <button disabled=${!areas.length} onClick=${() => keep([])}>${say("hands.none")}</button></div>`;
}

/** @param {{zone: string, seat?: number | null}} a @param {{zone: string, seat?: number | null}} b */
const sameArea = (a, b) => a.zone === b.zone && (a.seat ?? null) === (b.seat ?? null);

/** @param {{area: Owner, others: HandArea[], keep: (area: Marked) => void, leave: () => void}} props */
function AreaMarker({ area, others, keep, leave }) {
  const [points, setPoints] = useState(/** @type {Spot[]} */ ([]));
  const [size, setSize] = useState([1, 1]);
  const inPixels = (/** @type {HandArea} */ other) => ({
    label: areaWords(other),
    points: other.corners.map((c) => c.map((n, i) => n * size[i])),
  });
  const inShares = () => keep({ ...area, corners: points.map(([x, y]) => [x / size[0], y / size[1]]) });
  return html`<div role="group" aria-label=${areaWords(area)}><p><strong>${areaWords(area)}
    </strong> ${say("hands.corners")}</p>
    <${Quad} points=${points}
    change=${(/** @type {Spot[]} */ p, /** @type {number[]} */ s) => (setPoints(p), setSize(s))}
      others=${size[0] > 1 ? others.map(inPixels) : []} />
    <div class="row"><button class="go" disabled=${points.length !== 4} onClick=${inShares}>${say("hands.keep")}
    </button>
      <button onClick=${() => setPoints([])}>${say("again")}</button><button onClick=${leave}>${say("cancel")}
      </button></div></div>`;
}

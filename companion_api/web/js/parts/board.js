// @ts-check
// The drawn board: the layout as SVG. It fills the width, upright where that is larger; every place is a labelled control
// that fingers can hit; arrows move the focus, of which the board has one.
import { html } from "../html.js";
import { useEffect, useLayoutEffect, useRef, useState } from "../../vendor/hooks.js";
import { asked, board, could, past, picked, shown, targets } from "../state.js";
import { carry } from "../doing.js";
import { betterTurned, drawn, FINGER, frame, leastCell, undrawn } from "../frame.js";
import { actionWords } from "../acts.js";
import { byWords, seatName } from "../seats.js";
import { say } from "../words.js";
import { arrows, Cell, loose, looseCell, placeCell } from "./cells.js";
import { Uncovered } from "./choices.js";
import { Ghosts, goesOn, lastAction, lastMove, marksFor, Marks, movesOf, spotsFor, Trail, Wrong } from "./ghosts.js";
import { Piece } from "./piece.js";
import { Players, Zones } from "./zones.js";

/** Room beyond what lies there, in spaces: for the names at the edges, and where things can be laid freely. */
const [ROOM, OPEN] = [0.45, 2.2];

export function Board() {
  const pan = useRef(/** @type {HTMLElement | null} */ (null));
  const [[width, height], setRoom] = useState(/** @type {number[]} */ ([360, 480]));
  const [zoom, setZoom] = useState(0);
  const at = useRef(/** @type {number[] | null} */ (null));
  useLayoutEffect(() => watched(pan.current, setRoom), []);
  const open = !board.value.complete;
  const flat = frame(shown.value, ROOM);
  const turned = betterTurned(flat, width, height);
  const layout = drawn(shown.value, turned);
  const box = frame(layout, open ? OPEN : edged(layout) ? 0.75 : ROOM);
  const cells = [...layout.places.map((/** @type {any} */ p) => placeCell(p, layout.pieces)), ...loose(layout).map(looseCell)];
  const fit = Math.min(width / box[2], height / box[3]);
  const least = leastCell(cells, new Set(could.value.flatMap((/** @type {any} */ item) => item.touches))) * fit;
  const enough = FINGER / least;
  const by = zoom || (board.value.outcome.over ? 1 : Math.max(1, enough));
  const near = by * least >= FINGER - 1;
  useEffect(() => bring(pan.current, at.current ?? middleOf(layout, box), box), [by, box.join(" "), board.value.seq]);
  const closer = (/** @type {MouseEvent} */ event) => {
    const svg = /** @type {SVGSVGElement} */ (event.currentTarget);
    at.current = spotOf(svg, event);
    setZoom(Math.max(1, enough));
  };
  const preview = asked.value?.ok && !past.value ? asked.value : null;
  const after = preview && drawn({ pieces: preview.ghosts ?? [], places: [], borders: [] }, turned).pieces;
  const ways = preview ? movesOf(preview.effects, turned) : [];
  const gone = new Set((preview?.gone ?? []).filter((/** @type {string} */ key) => !goesOn(layout.pieces.find((/** @type {any} */ p) => p.key === key), ways)));
  const moved = new Set((after ?? []).map((/** @type {any} */ p) => p.key));
  const spots = spotsFor(open && !past.value ? picked.value : null, turned);
  const stop = cells.find((cell) => cell.name === picked.value) ?? cells.find((cell) => targets.value.has(cell.name)) ?? cells[0];
  return html`<section class="board" aria-label=${say("board")}>
    <${Players} />
    ${preview || past.value ? null : html`<${Last} />`}
    <div class="pan ${by > 1 ? "far" : ""}" ref=${pan} tabindex=${by > 1 ? 0 : -1}><svg viewBox=${box.join(" ")} style=${{ width: `${box[2] * fit * by}px`, height: `${box[3] * fit * by}px` }} role="group" aria-label=${say("board")} onKeyDown=${arrows}
      onClickCapture=${near ? null : (/** @type {MouseEvent} */ event) => (event.stopPropagation(), closer(event))}>
      ${open && picked.value !== null && html`<rect x=${box[0]} y=${box[1]} width=${box[2]} height=${box[3]} class="ground" onClick=${(/** @type {MouseEvent} */ event) => lay(event, turned)} />`}
      <g class="spots">${spots.map((/** @type {number[]} */ [x, y]) => html`<rect key=${`spot ${x} ${y}`} x=${x - 1} y=${-y - 1} width="2" height="2" />`)}</g>
      ${layout.pieces.filter((/** @type {any} */ p) => p.zone === "board").map((/** @type {any} */ p) => Piece(p, gone.has(p.key) ? "leaving" : moved.has(p.key) || (preview && goesOn(p, ways)) ? "moving" : ""))}
      ${layout.borders.map(border)}
      ${edges(layout.places, box).map(Edge)}
      ${preview || past.value || board.value.pending?.wrong?.length ? null : html`<${Trail} moves=${lastMove(turned)} />`}
      ${preview && html`<${Ghosts} before=${layout.pieces} after=${after} gone=${gone} ways=${ways} /><${Marks} marks=${marksFor(preview, layout.places, turned)} />`}
      ${past.value || preview ? null : html`<${Wrong} wrong=${board.value.pending?.wrong ?? []} turned=${turned} />`}
      ${cells.map((cell) => html`<${Cell} key=${cell.key} cell=${cell} stop=${cell === stop} />`)}
    </svg></div>
    <div class="zoom">
      <button onClick=${() => setZoom(Math.min(8, by * 1.4))} aria-label=${say("zoom_in")}>+</button>
      <button onClick=${() => setZoom(Math.max(1, by / 1.4))} aria-label=${say("zoom_out")}>−</button>
      <button onClick=${() => setZoom(by === 1 ? 0 : 1)}>${say("fit")}</button>
    </div>
    ${Zones(shown.value.pieces)}
  </section>`;
}

/** How much room the board has; told again when that changes. @param {HTMLElement | null} element @param {(room: number[]) => void} tell */
function watched(element, tell) {
  if (!element) return;
  const measure = () => tell([element.clientWidth || 360, roomDown()]);
  const watch = new ResizeObserver(measure);
  watch.observe(element);
  measure();
  return () => watch.disconnect();
}

/** How far down a board may reach: the sheet below it, and on wide screens only the bar of views, want some room. */
function roomDown() {
  if (innerHeight < 520 && innerWidth > innerHeight) return Math.max(200, innerHeight - 110);
  return Math.max(260, Math.round(innerHeight * (innerWidth < 600 ? 0.5 : innerWidth < 900 ? 0.6 : 0.74)));
}

/** Bring a spot into the middle of what is seen. @param {HTMLElement | null} pan @param {number[]} spot @param {number[]} box */
function bring(pan, [x, y], box) {
  if (!pan) return;
  const [share, down] = [(x - box[0]) / box[2], (y - box[1]) / box[3]];
  pan.scrollTo(share * pan.scrollWidth - pan.clientWidth / 2, down * pan.scrollHeight - pan.clientHeight / 2);
}

/** Where it is worth looking: at what can be done, or else at the middle. @param {any} layout @param {number[]} box */
function middleOf(layout, box) {
  const names = new Set(could.value.flatMap((/** @type {any} */ item) => item.touches));
  const spots = layout.places.filter((/** @type {any} */ p) => names.has(p.name)).map((/** @type {any} */ p) => p.position);
  if (!spots.length) return [box[0] + box[2] / 2, box[1] + box[3] / 2];
  return [0, 1].map((axis) => spots.reduce((/** @type {number} */ sum, /** @type {number[]} */ s) => sum + (axis ? -s[1] : s[0]), 0) / spots.length);
}

/** A tap in the plane that is drawn. @param {SVGSVGElement} svg @param {MouseEvent} event */
function spotOf(svg, event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM()?.inverse());
  return [at.x, at.y];
}

/** Who did what last, in words; what all had chosen in secret, in one picture. */
function Last() {
  const last = lastAction();
  if (!last) return null;
  const who = last.actions[0].seat === null ? byWords(last.by) : seatName(last.actions[0].seat);
  const effects = last.actions.flatMap((/** @type {any} */ a) => a.effects);
  return html`<p class="last-move">${say("last_move", { who, what: last.actions.map((/** @type {any} */ a) => (a.text && !a.secret ? actionWords(a) : say("sealed.short"))).join(", ") })}</p><${Uncovered} effects=${effects} />`;
}

/** A small board for a choice: drawn, not touched; and what lies wrong on it, with the way back.
 * @param {{layout: any, effects: any[], label: string, wrong?: any[], box?: number[]}} props */
export function Mini({ layout, effects, label, wrong = [], box = frame(layout, 0.3) }) {
  return html`<svg class="mini" viewBox=${box.join(" ")} ...${label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" }}>
    ${layout.pieces.filter((/** @type {any} */ p) => p.zone === "board").map((/** @type {any} */ p) => Piece(p))}${layout.borders.map(border)}<${Trail} moves=${movesOf(effects)} /><${Wrong} wrong=${wrong} /></svg>`;
}

/** A free spot of a table without a grid. @param {MouseEvent} event @param {boolean} turned */
function lay(event, turned) {
  const [x, y] = spotOf(/** @type {SVGSVGElement} */ (/** @type {Element} */ (event.currentTarget).closest("svg")), event);
  const [east, north] = undrawn(x, -y, turned);
  carry(/** @type {string} */ (picked.value), east, north);
}

/** @param {any} layout */
const edged = (layout) => layout.places.length > 0 && layout.places.every((/** @type {any} */ p) => /^[a-z]\d+$/.test(p.name));

/** Where places are called like a1: their letters and numbers below the board and at its left.
 * @param {any[]} places @param {number[]} box @returns {{name: string, x: number, y: number}[]} */
function edges(places, [left, top, , height]) {
  if (!edged({ places })) return [];
  const same = (/** @type {any} */ a, /** @type {any} */ b, /** @type {number} */ axis) => Math.abs(a.position[axis] - b.position[axis]) < 0.01;
  const below = places.some((p) => same(p, places[0], 0) && p !== places[0] && p.name[0] === places[0].name[0]);
  const [column, row] = [(/** @type {any} */ p) => p.name[0], (/** @type {any} */ p) => p.name.slice(1)];
  const found = places.flatMap((p) => [
    { name: (below ? column : row)(p), x: p.position[0], y: top + height - 0.3 },
    { name: (below ? row : column)(p), x: left + 0.3, y: -p.position[1] },
  ]);
  return [...new Map(found.map((edge) => [edge.name, edge])).values()];
}

/** @param {{name: string, x: number, y: number}} edge */
const Edge = ({ name, x, y }) => html`<text key=${`edge-${name}`} class="edge-name" x=${x} y=${y} aria-hidden="true">${name}</text>`;

/** @param {number[]} line */
const border = ([x1, y1, x2, y2]) => html`<line x1=${x1} y1=${-y1} x2=${x2} y2=${-y2} class="border" />`;


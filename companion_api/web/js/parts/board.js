// The drawn board: the layout as SVG. It fills the width, upright where that is larger; every place is a labelled
// control that fingers can hit; arrows move the focus, of which the board has one.
import { html } from "../html.js";
import { useEffect, useLayoutEffect, useRef, useState } from "../../vendor/hooks.js";
import { board, misplacedPieces, openActions, past, picked, pose as drawnAs } from "../state.js";
import { shownLayout, shownPreview, targets } from "../state.js";
import { carry } from "../actions.js";
import { AS_IT_LIES, cropBox, drawn, emptyStretches, FINGER, frame, isLargerTurned } from "../board_geometry.js";
import { leastCell, scrollOffset, tableSpot, withCovered } from "../board_geometry.js";
import { actionWords } from "../action_text.js";
import { byWords, seatName } from "../seats.js";
import { withEarlierTable } from "../piece_names.js";
import { say } from "../words.js";
import { arrows, Cell, loosePieces, looseCell, placeCell } from "./cells.js";
import { Edges } from "./board_labels.js";
import { RevealedChoices } from "./choices.js";
import { DragGhost, Ghosts, hold, isMoved, lastAction, lastMove, LastMoveTrail } from "./move_preview.js";
import { Marks, marksFor, MisplacedPieces, movesOf, spotsFor } from "./move_preview.js";
import { Piece } from "./piece.js";
import { Players, Zones } from "./zones.js";

/** @import { Drawn, Happened, LiesWrong, LaidPiece } from "../answers" */
/** @typedef {import("../board_geometry.js").Spot} Spot */

/** Room beyond what lies there, in spaces: for the names at the edges, also where there is hardly any for them, and
 * where things can be laid freely. */
const [ROOM, NAMED, TIGHT, OPEN] = [0.45, 0.6, 0.02, 2.2];

/** What is previewed is brought closer where the whole board leaves so much of a side of its room free. */
const FILLS = 0.7;

/** What is so many times as long as it is wide stands upright on a phone and has the whole height while nothing is
 * asked. */
const LONG = 3;

export function Board() {
  const pan = useRef(/** @type {HTMLElement | null} */ (null));
  const [[width, low, tall], setRoom] = useState(/** @type {number[]} */ ([360, 480, 480]));
  const [zoom, setZoom] = useState(0);
  const at = useRef(/** @type {number[] | null} */ (null));
  useLayoutEffect(
    () => observeSize(pan.current, setRoom),
    [board.value.seats.length, !past.value && Boolean(lastAction())],
  );
  const open = !board.value.complete;
  const cuts = open ? [] : emptyStretches(shownLayout.value);
  const across = frame(drawn(shownLayout.value, { cuts, turned: false }), ROOM);
  const long = !open && across[2] > LONG * across[3];
  const pose = { cuts, turned: isLargerTurned(across, width, long ? tall : low) };
  const height = long && pose.turned && !shownPreview.value ? tall : low;
  useLayoutEffect(() => void (drawnAs.value = pose), [JSON.stringify(pose)]);
  const layout = drawn(withCovered(shownLayout.value), pose);
  const cells = [...layout.places.map((p) => placeCell(p, layout.pieces)), ...loosePieces(layout).map(looseCell)];
  const used = new Set(openActions.value.flatMap((item) => item.touches));
  const side = leastCell(cells, used);
  const scale = (/** @type {number[]} */ [, , w, h]) => Math.min(width / w, height / h);
  const whole = (/** @type {number} */ room) => scale(frame(layout, room)) * side >= FINGER - 0.5;
  const [x, y, w, h] = frame(
    layout,
    open ? OPEN : !edged(layout) ? ROOM : !whole(NAMED) && whole(TIGHT) ? TIGHT : NAMED,
  );
  const beside = long && pose.turned ? NAMED : 0; // there is width to spare, and nothing of its length
  const box = [x - beside, y, w + 2 * beside, h];
  const fit = scale(box);
  const least = side * fit;
  const enough = FINGER / least;
  const filled = Math.min((box[2] * fit) / width, (box[3] * fit) / height);
  const nearest = Math.max(1, enough);
  const close = zoom || nearest;
  // The whole is shown first; where its places are too small for fingers, a tap comes closer.
  const wanted = zoom || 1;
  const near = wanted * least >= FINGER - 1;
  const closer = (/** @type {MouseEvent} */ event) => {
    const svg = /** @type {SVGSVGElement} */ (event.currentTarget);
    at.current = spotOf(svg, event);
    setZoom(nearest);
  };
  const preview = shownPreview.value?.ok && !past.value ? shownPreview.value : null;
  const after = preview && drawn({ pieces: preview.ghosts ?? [], places: [], borders: [] }, pose).pieces;
  const ways = preview ? movesOf(preview.effects, pose) : [];
  const gone = new Set((preview?.gone ?? []).filter((key) => !isMoved(layout.pieces.find((p) => p.key === key), ways)));
  const moved = new Set((after ?? []).map((p) => p.key));
  const goes = (/** @type {LaidPiece} */ p) => moved.has(p.key) || (preview && isMoved(p, ways));
  const motionOf = (/** @type {LaidPiece} */ p) => (gone.has(p.key) ? "leaving" : goes(p) ? "moving" : "");
  const told = preview
    ? previewSpots(
        after ?? [],
        layout.pieces.filter((p) => gone.has(p.key)),
        ways,
      )
    : [];
  const by = told.length
    ? Math.min(
        zoom || filled > FILLS ? close : Math.max(close, FINGER / fit),
        fitScale(told, width, height * SHEET) / fit,
      )
    : wanted;
  useEffect(
    () => centreOn(pan.current, at.current ?? initialFocus(layout, box, width / fit / by, height / fit / by), box),
    [by, box.join(" "), board.value.seq],
  );
  useEffect(() => scrollIntoSight(pan.current, told, box), [preview?.id]);
  const spots = spotsFor(open && !past.value ? picked.value : null, pose);
  const stop =
    cells.find((cell) => cell.name === picked.value) ?? cells.find((cell) => targets.value.has(cell.name)) ?? cells[0];
  return html`<section class="board" aria-label=${say("board")}>
    <${Players} />
    ${past.value ? null : html`<${Last} />`}
    <div class="pan" ref=${pan} style=${{ maxHeight: `${height}px` }}
    tabindex=${by > 1 ? 0 : -1}>
      <svg viewBox=${box.join(" ")} style=${{ width: `${box[2] * fit * by}px`, height: `${box[3] * fit * by}px` }}
      role="group" aria-label=${say("board")} onKeyDown=${arrows} onTouchMove=${hold}
      onClickCapture=${near ? null : (/** @type {MouseEvent} */ event) => (event.stopPropagation(), closer(event))}>
      ${open && picked.value !== null && html`<rect x=${box[0]} y=${box[1]} width=${box[2]} height=${box[3]}
      class="ground" onClick=${(/** @type {MouseEvent} */ event) => lay(event, pose)} />`}
      <g class="spots">
      ${spots.map(([x, y]) => html`<rect key=${`spot ${x} ${y}`} x=${x - 1} y=${-y - 1} width="2" height="2" />`)}</g>
      ${layout.pieces.filter((p) => p.zone === "board").map((p) => Piece(p, motionOf(p)))}
      ${layout.borders.map(border)}
      <${Edges} pan=${pan} places=${layout.places} box=${box} scale=${fit * by} />
      ${preview || past.value || misplacedPieces.value.length
        ? null
        : html`<${LastMoveTrail} moves=${lastMove(pose)} />`}
      ${preview && html`<${Ghosts} before=${layout.pieces} after=${after} gone=${gone} ways=${ways} />
      <${Marks} marks=${marksFor(preview, layout.places, pose)} />`}
      ${past.value || preview ? null : html`<${MisplacedPieces} wrong=${misplacedPieces.value} pose=${pose} />`}
      <${DragGhost} />
      ${cells.map((cell) => html`<${Cell} key=${cell.key} cell=${cell} stop=${cell === stop}
      aside=${!used.has(cell.name) && Math.min(cell.w, cell.h) < Math.min(side, (FINGER - 1) / fit / by)} />`)}
    </svg></div>
    <div class="zoom">
    ${board.value.hints && html`<button data-hint onClick=${() => import("./solver_hints.js").then((m) => m.hint())}>
    ${say("study.hint")}</button>`}
      <button onClick=${() => setZoom(Math.min(8, by * 1.4))} aria-label=${say("zoom_in")}>+</button>
      <button onClick=${() => setZoom(Math.max(1, by / 1.4))} aria-label=${say("zoom_out")}>−</button>
      <button onClick=${() => setZoom(by === 1 ? nearest : 1)}>${say("fit")}</button>
    </div>
    ${Zones(shownLayout.value.pieces)}
  </section>`;
}

/** How much room the board has; told again when that changes.
 * @param {HTMLElement | null} element
 * @param {(room: number[]) => void} tell */
function observeSize(element, tell) {
  if (!element) return;
  const measure = () => tell([element.clientWidth || 360, availableHeight(element), fullHeight(element)]);
  const watch = new ResizeObserver(measure);
  watch.observe(element);
  measure();
  return () => watch.disconnect();
}

/** How high the bar of views is, in pixels, and some air above it; and how much air is left where there is no bar. */
const [VIEWS, AIR] = [66, 24];

/** How high the head of the page is on a phone that lies, with some air. */
const HEAD = 64;

/** How far down a board may reach: the sheet below it, and on wide screens only the bar of views, want some room. */
function availableHeight(/** @type {HTMLElement} */ element) {
  if (board.value.you.role === "screen") return Math.max(260, innerHeight - element.getBoundingClientRect().top - AIR);
  if (innerHeight < 520 && innerWidth > innerHeight) return Math.max(200, innerHeight - HEAD);
  if (innerWidth >= 900)
    return Math.max(
      260,
      innerHeight - Math.min(element.getBoundingClientRect().top + scrollY, innerHeight / 3) - VIEWS,
    );
  return Math.max(260, Math.round(innerHeight * (innerWidth < 600 ? 0.5 : 0.6)));
}

/** How far down it may reach where all of a phone's height is wanted. @param {HTMLElement} element */
function fullHeight(element) {
  if (innerWidth >= 600 || innerWidth > innerHeight) return availableHeight(element);
  return Math.max(260, innerHeight - element.getBoundingClientRect().top - scrollY - VIEWS);
}

/** Bring a spot into the middle of what is seen.
 * @param {HTMLElement | null} pan
 * @param {number[]} spot
 * @param {number[]} box */
function centreOn(pan, [x, y], box) {
  if (!pan) return;
  const [share, down] = [(x - box[0]) / box[2], (y - box[1]) / box[3]];
  pan.scrollTo(share * pan.scrollWidth - pan.clientWidth / 2, down * pan.scrollHeight - pan.clientHeight / 2);
}

/** How much of the board's height the sheet with a preview leaves, about. */
const SHEET = 0.6;

/** What comes from farther away, in spaces, comes from a heap beside the game. */
const FAR = 9;

/** All spots that a preview tells of.
 * @param {LaidPiece[]} after
 * @param {LaidPiece[]} gone
 * @param {import("./move_preview.js").Way[]} ways
 * @returns {Spot[]} */
const previewSpots = (after, gone, ways) => [
  ...[...after, ...gone].map((p) => p.position),
  ...ways.flatMap(({ from, to }) => (from && Math.hypot(from[0] - to[0], from[1] - to[1]) < FAR ? [from, to] : [to])),
];

/** The largest scale at which all of these spots are seen at once.
 * @param {number[][]} spots
 * @param {number} width
 * @param {number} height */
function fitScale(spots, width, height) {
  const [across, down] = [0, 1].map(
    (axis) => Math.max(...spots.map((s) => s[axis])) - Math.min(...spots.map((s) => s[axis])) + 2.4,
  );
  return Math.min(width / across, height / down);
}

/** Bring what a preview tells of into sight, above the sheet; nothing moves where it is in sight already.
 * @param {HTMLElement | null} pan @param {number[][]} spots @param {number[]} box */
function scrollIntoSight(pan, spots, box) {
  if (!pan || !spots.length) return;
  const seen = pan.getBoundingClientRect();
  const sheet = document.querySelector(".page > .bar")?.getBoundingClientRect();
  const covered =
    sheet && sheet.left < seen.right && sheet.right > seen.left && sheet.top < seen.bottom
      ? seen.bottom - Math.max(sheet.top, seen.top)
      : 0;
  const scale = pan.scrollWidth / box[2];
  const range = (/** @type {number[]} */ all, /** @type {number} */ start) => [
    (Math.min(...all) - 1 - start) * scale,
    (Math.max(...all) + 1 - start) * scale,
  ];
  const [across, down] = [range(spots.map((s) => s[0]), box[0]), range(spots.map((s) => -s[1]), box[1])];
  pan.scrollTo(
    scrollOffset(across, pan.scrollLeft, pan.clientWidth),
    scrollOffset(down, pan.scrollTop, pan.clientHeight - covered),
  );
}

/** Where it is worth looking in a window of that size: where most can be done, or else where somebody stands, or
 * where most lies.
 * @param {import("../board_geometry.js").Layout} layout
 * @param {number[]} box
 * @param {number} width
 * @param {number} height */
function initialFocus(layout, box, width, height) {
  const names = new Set(openActions.value.flatMap((item) => item.touches));
  const lying = layout.pieces.filter((p) => p.zone === "board");
  const suits = board.value.turn.seats.map((seat) => board.value.seats[seat]?.suit);
  const pawns = lying.filter((p) => p.kind === "pawn" && (!suits.length || suits.includes(p.suit)));
  const [spots] = [layout.places.filter((p) => names.has(p.name)), pawns, lying].filter((found) => found.length);
  if (!spots) return [box[0] + box[2] / 2, box[1] + box[3] / 2];
  const all = spots.map((p) => p.position);
  const about = (/** @type {number[]} */ [x, y]) =>
    all.filter((/** @type {number[]} */ s) => Math.abs(s[0] - x) < width / 2 && Math.abs(s[1] - y) < height / 2);
  const most = all.map(about).reduce(
      (/** @type {number[][]} */ best, /** @type {number[][]} */ one) => (one.length > best.length ? one : best),
      [],
    );
  return [0, 1].map(
    (axis) =>
      most.reduce((/** @type {number} */ sum, /** @type {number[]} */ s) => sum + (axis ? -s[1] : s[0]), 0) /
      most.length,
  );
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
  const effects = last.actions.flatMap((a) => a.effects);
  // Where tiles were moved, places go by their own names: other tiles lie there now.
  const past = effects.some(({ kind, thing }) => thing?.kind === "tile" && ["move", "remove"].includes(kind));
  const done = withEarlierTable(past, () =>
    last.actions.map((a) => (a.text && !a.secret ? actionWords(a) : say("sealed.short"))),
  );
  return html`<p class="last-move">${say("last_move", { who, what: done.join(", ") })}</p>
    <${RevealedChoices} effects=${effects} />`;
}

/** A small board for a choice: drawn, not touched; and what lies wrong on it, with the way back. `close`: only where
 * it happens.
 * @param {{layout: Drawn, effects: Happened[], label: string, wrong?: LiesWrong[], box?: number[], close?: boolean}}
 * props */
export function MiniBoard({ layout: lying, effects, label, wrong = [], box, close = false }) {
  const pose = box ? AS_IT_LIES : { turned: false, cuts: emptyStretches(lying) };
  const layout = drawn(withCovered(lying), pose);
  const ways = movesOf(effects, pose);
  const spots = close
    ? [
        ...ways.flatMap(({ from, to }) => (from ? [from, to] : [to])),
        ...marksFor({ effects }, layout.places, pose).map((mark) => mark.position),
      ]
    : [];
  const actors = effects.map(({ seat }) => board.value.seats[seat ?? -1]?.suit);
  const pawns = layout.pieces
    .filter((p) => close && p.kind === "pawn" && p.zone === "board" && actors.includes(p.suit)).map((p) => p.position);
  return html`<svg class="mini" viewBox=${(box ?? cropBox(frame(layout, 0.3), spots.length ? spots : pawns)).join(" ")}
    ...${label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" }}>
    ${layout.pieces.filter((p) => p.zone === "board").map((p) => Piece(p))}${layout.borders.map(border)}
    <${LastMoveTrail} moves=${ways} /><${MisplacedPieces} wrong=${wrong} pose=${pose} /></svg>`;
}

/** A free spot of a table without a grid.
 * @param {MouseEvent} event
 * @param {import("../board_geometry.js").Pose} pose */
function lay(event, pose) {
  const [x, y] = spotOf(
    /** @type {SVGSVGElement} */ (/** @type {Element} */ (event.currentTarget).closest("svg")),
    event,
  );
  const [east, north] = tableSpot(x, -y, pose);
  carry(/** @type {string} */ (picked.value), east, north);
}

/** @param {import("../board_geometry.js").Layout} layout */
const edged = (layout) => layout.places.some((p) => p.grid);

/** @param {number[]} line */
const border = ([x1, y1, x2, y2]) => html`<line x1=${x1} y1=${-y1} x2=${x2} y2=${-y2} class="border" />`;

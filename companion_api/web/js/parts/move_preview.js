// What would be, drawn over what is: pieces as they would lie with an arrow from where they are, a cross over what
// would leave, the reach of an attack; and the last move, as long as nothing is asked.
import { html } from "../html.js";
import { signal } from "../../vendor/signals.js";
import { get } from "../api.js";
import { AS_IT_LIES, posed } from "../board_geometry.js";
import { board, actionsOfEvent, events, openEffects } from "../state.js";
import { marksOf } from "../effects.js";
import { Piece } from "./piece.js";

/** @import { Happened, LiesWrong, LaidPiece, NamedPlace, SpotTold } from "../answers" */
/** @typedef {import("../board_geometry.js").Spot} Spot */
/** @typedef {import("../board_geometry.js").Pose} Pose */

/** Whether a piece is the one that a way begins with: where alike pieces have no names of their own, it only gets
 * another key. @param {LaidPiece | undefined} piece @param {Way[]} ways */
export const isMoved = (piece, ways) =>
  ways.some(({ from, key }) => from && piece?.key === key && piece.zone === "board");

/** @param {{before: LaidPiece[], after: LaidPiece[], gone: Set<string>, ways: Way[]}} props */
export function Ghosts({ before, after, gone, ways }) {
  const was = new Map(before.filter((p) => p.zone === "board").map((p) => [p.key, p]));
  const leaving = before.filter((p) => p.zone === "board" && gone.has(p.key));
  return html`<g class="ghosts" aria-hidden="true">${after.map((piece) => Piece(piece, "ghost"))}
    ${after.map((piece) => was.has(piece.key) && html`<${Arrow} key=${piece.key} from=${was.get(piece.key)?.position}
    to=${piece.position} kind="comes" />`)}
    ${ways.map(
      ({ from, to, key }) =>
        from && !after.some((piece) => was.has(piece.key) && piece.key === key) && html`<${Arrow}
    key=${`way ${key}`} from=${from} to=${to} kind="comes" />`)}
    ${leaving.map((piece) => html`<path key=${`x ${piece.key}`} class="mark falls" d="M-.5 -.5L.5 .5M.5 -.5L-.5 .5"
    transform=${`translate(${piece.position[0]} ${-piece.position[1]})`} />`)}</g>`;
}

/** From place to place, with a head; nothing where it is no way at all.
 * @param {{from: number[], to: number[], kind: string}} props */
function Arrow({ from, to, kind }) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const far = Math.hypot(dx, dy);
  if (far < 0.2) return null;
  const end = [to[0] - (dx / far) * 0.3, to[1] - (dy / far) * 0.3];
  const turn = (Math.atan2(-dy, dx) * 180) / Math.PI;
  return html`<g class=${`arrow ${kind}`}><path d=${`M${from[0]} ${-from[1]}L${end[0]} ${-end[1]}`} />
    <path d="M-.28 -.2L0 0L-.28 .2" transform=${`translate(${end[0]} ${-end[1]}) rotate(${turn})`} /></g>`;
}

const HATCHED =
  "M-.95 -.95h1.9v1.9h-1.9ZM-.95 .3L-.3 .95M-.95 -.35L.35 .95M-.95 -.95L.95 .95M-.35 -.95L.95 .35M.3 -.95L.95 -.3";
const ROUND = "M.8 0A.8 .8 0 1 1 -.8 0A.8 .8 0 1 1 .8 0Z";

/** @param {{marks: ReturnType<typeof marksOf>}} props */
export function Marks({ marks }) {
  return html`<g aria-hidden="true">${marks.map((mark, i) =>
    mark.to
      ? html`<${Arrow} key=${i} from=${mark.position} to=${mark.to} kind="attacking" />`
      : html`<path key=${i} class=${`mark ${mark.kind}`}
    d=${mark.kind === "falls" ? HATCHED : ROUND}
    transform=${`translate(${mark.position[0]} ${-mark.position[1]})`} />`)}</g>`;
}

/** @param {{effects: Happened[]}} preview @param {NamedPlace[]} places @param {Pose} pose */
export const marksFor = (preview, places, pose) => marksOf(preview.effects, places, (spot) => posed(spot, pose));

/** @typedef {{from: Spot | null, to: Spot, key: string}} Way */

/** The ways that effects tell. @param {Happened[]} effects @param {Pose} [pose] @returns {Way[]} */
export function movesOf(effects, pose = AS_IT_LIES) {
  const on = (/** @type {SpotTold | null | undefined} */ place) =>
    place?.zone === "board" && place.position ? posed(place.position, pose) : null;
  return effects.filter((e) => ["move", "place"].includes(e.kind)).flatMap((e) => {
      const to = on(e.to);
      return to ? [{ from: on(e.from), to, key: e.key ?? "" }] : [];
    });
}

/** What was done last, unless it was taken back or is a secret. @param {Pose} pose @returns {Way[]} */
export function lastMove(pose) {
  const last = lastAction();
  return last ? movesOf(openEffects(last.actions), pose) : [];
}

const TABLE_CHANGES = ["action", "undo", "redo", "corrected", "laid"];

/** The last event, where it is an action that counts. */
export function lastAction() {
  const found = events.value.findLast((event) => TABLE_CHANGES.includes(event.kind));
  const actions = found ? actionsOfEvent(found) : [];
  return found && actions.length && found.seq <= board.value.seq ? { by: found.by, actions } : null;
}

/** @param {{moves: Way[]}} props */
export function LastMoveTrail({ moves }) {
  return html`<g class="trail" aria-hidden="true">${moves
    .slice(0, 12).map(({ from, to }, i) =>
      from && Math.hypot(to[0] - from[0], to[1] - from[1]) > 0.2
        ? html`<${Arrow} key=${i} from=${from} to=${to} kind="last" />`
        : html`<path key=${i} class="mark last" d="M.5 0A.5 .5 0 1 1 -.5 0A.5 .5 0 1 1 .5 0Z"
          transform=${`translate(${to[0]} ${-to[1]})`} />`)}</g>`;
}

/** What lies wrong: where it is seen and where it belongs, with the way back.
 * @param {{wrong: LiesWrong[], pose?: Pose}} props */
export function MisplacedPieces({ wrong, pose = AS_IT_LIES }) {
  const at = (/** @type {LaidPiece} */ piece) => posed(piece.position, pose);
  return html`<g class="wrong" aria-hidden="true">${wrong.map(({ should, lies }, i) => html`<g key=${i}>
    ${should && html`<path class="mark comes" d="M.62 0A.62 .62 0 1 1 -.62 0A.62 .62 0 1 1 .62 0Z"
    transform=${`translate(${at(should)[0]} ${-at(should)[1]})`} />`}
    ${lies && html`${Piece({ ...lies, key: `wrong ${i}`, position: at(lies) }, "ghost")}
    <path class="mark falls" d="M-.4 -.4L.4 .4M.4 -.4L-.4 .4M.62 0A.62 .62 0 1 1 -.62 0A.62 .62 0 1 1 .62 0Z"
    transform=${`translate(${at(lies)[0]} ${-at(lies)[1]})`} />`}
    ${should && lies && html`<${Arrow} from=${at(lies)} to=${at(should)} kind="comes" />`}</g>`)}</g>`;
}

let wanted = "";
const ground = signal(/** @type {{of: string, spots: Spot[]}} */ ({ of: "", spots: [] }));

/** Where what is picked may be laid on a table without a grid; asked for once.
 * @param {string | null} name
 * @param {Pose} pose
 * @returns {Spot[]} */
export function spotsFor(name, pose) {
  if (name === null) return [];
  const of = `${board.value.table} ${board.value.state} ${name}`;
  if (wanted !== of) {
    wanted = of;
    get(`spots?source=${encodeURIComponent(name)}`).then(
      (answer) => answer.ok && wanted === of && (ground.value = { of, spots: answer.data }),
    );
  }
  return ground.value.of === of ? ground.value.spots.map((spot) => posed(spot, pose)) : [];
}

/** @typedef {{piece: LaidPiece, x: number, y: number, onto: string | null, free: boolean}} Dragged */
/** What is dragged, and whether a finger holds anything. */
export const [dragged, held] = [signal(/** @type {Dragged | null} */ (null)), { value: false }];

/** Browsers heed `touch-action` only of whole drawings: what is held is dragged and scrolls nothing.
 * @param {TouchEvent} event */
export const hold = (event) => held.value && event.cancelable && event.preventDefault();

/** The ghost of what is dragged. */
export function DragGhost() {
  const now = dragged.value;
  return (
    now && html`<g class="carried" aria-hidden="true">
      ${Piece({ ...now.piece, key: "carried", position: [now.x, now.y] }, "ghost")}</g>`
  );
}

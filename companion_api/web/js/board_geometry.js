// Where things are on the page's board: turned upright where that makes it larger, and wide enough for fingers.

/** The least side of what is tapped, in pixels. */
export const FINGER = 44;

/** @import { Drawn, LaidPiece } from "./answers" */
/** @typedef {[number, number]} Spot */
/** @typedef {Omit<Drawn, "unit">} Layout */

/** How a table is drawn: `turned` by a quarter where its long side fits the long side of the screen, and without so
 * much of each empty stretch east of there.
 * @typedef {{turned: boolean, cuts: number[][]}} Pose */
/** @type {Pose} */
export const AS_IT_LIES = { turned: false, cuts: [] };

/** A way on the table as it is drawn. @param {Spot} way @param {boolean} turned @returns {Spot} */
export const turnedVector = ([x, y], turned) => (turned ? [-y, x] : [x, y]);

/** A spot of the table as it is drawn. @param {Spot} spot @param {Pose} pose @returns {Spot} */
export const posed = ([x, y], { turned, cuts }) =>
  turnedVector([cuts.reduce((at, [east, by]) => (x > east ? at - by : at), x), y], turned);

/** The table as it is drawn. @param {Layout} layout @param {Pose} pose @returns {Layout} */
export function drawn(layout, pose) {
  const { turned, cuts } = pose;
  if (!turned && !cuts.length) return layout;
  const at = (/** @type {Spot} */ spot) => posed(spot, pose);
  return {
    pieces: layout.pieces.map((p) => ({
      ...p,
      position: at(p.position),
      lean: turnedVector(p.lean, turned),
      angle_deg: turned && (p.kind === "card" || p.pose === "flat") ? p.angle_deg + 90 : p.angle_deg,
    })),
    places: layout.places.map((p) => ({
      ...p,
      position: at(p.position),
      size: turned ? [p.size[1], p.size[0]] : p.size,
    })),
    borders: layout.borders.map(([a, b, c, d]) => [...at([a, b]), ...at([c, d])]),
  };
}

/** How near the middle of a tile something hides its value, in spaces. */
const HIDES = 0.8;

/** What lies on a tile or card hides the value in its middle: it then stands at the edge.
 * @param {Layout} layout
 * @returns {Layout} */
export function withCovered(layout) {
  const under = ["tile", "card"];
  const on = layout.pieces.filter((p) => p.zone === "board" && !under.includes(p.kind));
  const hidden = (/** @type {LaidPiece} */ tile) =>
    under.includes(tile.kind) &&
    tile.face === "front" &&
    on.some(({ position: [x, y] }) => Math.max(Math.abs(x - tile.position[0]), Math.abs(y - tile.position[1])) < HIDES);
  return { ...layout, pieces: layout.pieces.map((p) => (hidden(p) ? { ...p, covered: true } : p)) };
}

/** A spot of the drawn table on the real one. Only asked of tables that lie without gaps.
 * @param {number} x
 * @param {number} y
 * @param {Pose} pose
 * @returns {Spot} */
export const tableSpot = (x, y, { turned }) => (turned ? [y, -x] : [x, y]);

const HALF = /** @type {Record<string, number>} */ ({
  tile: 1.05,
  card: 1.85,
  coin: 0.5,
  die: 0.45,
  pawn: 0.5,
  pyramid: 0.6,
});

/** All that has room on the table: where it is, and half its sides. @param {Layout} layout */
const boxesOf = (layout) => [
  ...layout.pieces.filter((p) => p.zone === "board").map((p) => [...p.position, HALF[p.kind] ?? 1, HALF[p.kind] ?? 1]),
  ...layout.places.map((p) => [...p.position, p.size[0] / 2, p.size[1] / 2]),
];

/** Of an empty stretch between what lies west and what lies east so much is left, in spaces. */
const LEFT = 1.2;

/** Where a chart or a heap lies far from the board: the empty stretches, and how much of each is not drawn.
 * @param {Layout} layout */
export function emptyStretches(layout) {
  const cuts = /** @type {number[][]} */ ([]);
  let east = Infinity;
  for (const [x, , half] of boxesOf(layout).sort((a, b) => a[0] - a[2] - b[0] + b[2])) {
    if (x - half - east > 2 * LEFT) cuts.push([east + LEFT, x - half - east - LEFT]);
    east = east === Infinity ? x + half : Math.max(east, x + half);
  }
  return cuts;
}

/** The part of the plane that is drawn.
 * @param {Layout} layout
 * @param {number} room beyond what lies there
 * @returns {number[]} */
export function frame(layout, room) {
  const boxes = boxesOf(layout);
  if (!boxes.length) return [-4, -4, 8, 8];
  const left = Math.min(...boxes.map(([x, , half]) => x - half)) - room;
  const right = Math.max(...boxes.map(([x, , half]) => x + half)) + room;
  const top = Math.min(...boxes.map(([, y, , half]) => -y - half)) - room;
  const bottom = Math.max(...boxes.map(([, y, , half]) => -y + half)) + room;
  return [left, top, right - left, bottom - top];
}

/** A table is large beyond so many spaces; of such a one a small picture shows at least so many, and so many about
 * what happens. */
const [LARGE, LEAST, ABOUT] = [12, 9, 2.5];

/** What a small picture shows: of a large table only where something happens.
 * @param {number[]} box
 * @param {Spot[]} spots
 * @returns {number[]} */
export function cropBox(box, spots) {
  if (!spots.length || Math.max(box[2], box[3]) < LARGE) return box;
  const [across, down] = [0, 1].map((axis) => {
    const at = spots.map((spot) => (axis ? -spot[1] : spot[0]));
    const [first, last] = [Math.min(...at) - ABOUT, Math.max(...at) + ABOUT];
    const length = Math.min(box[axis + 2], Math.max(LEAST, last - first));
    return [Math.max(box[axis], Math.min((first + last - length) / 2, box[axis] + box[axis + 2] - length)), length];
  });
  return [across[0], down[0], across[1], down[1]];
}

/** Whether a board that is so large is larger on such a screen when it is turned.
 * @param {number[]} box
 * @param {number} width
 * @param {number} height */
export function isLargerTurned([, , w, h], width, height) {
  const upright = Math.min(width / w, height / h);
  return Math.min(width / h, height / w) > 1.25 * upright;
}

/** What is so much smaller than the largest place lies beside the game, like a row of coins or a chart. */
const ASIDE = 0.55;

/** The least side of what is tapped, in spaces; what lies aside counts where something can be done with it.
 * @param {{name: string, w: number, h: number}[]} cells @param {Set<string>} used */
export function leastCell(cells, used) {
  const side = (/** @type {{w: number, h: number}} */ { w, h }) => Math.min(w, h);
  const largest = Math.max(0, ...cells.map(side));
  const counting = cells.filter((cell) => used.has(cell.name) || side(cell) > ASIDE * largest);
  return Math.min(largest || 1, ...counting.map(side));
}

/** How far to scroll so that a stretch is seen, or as much of it as there is room for; no farther than needed.
 * @param {number[]} stretch @param {number} now @param {number} room */
export function scrollOffset([first, last], now, room) {
  if (first >= now && last <= now + room) return now;
  return (first + last) / 2 - room / 2;
}

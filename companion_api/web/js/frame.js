// @ts-check
// Where things are on the page's board: turned upright where that makes it larger, and wide enough for fingers.

/** The least side of what is tapped, in pixels. */
export const FINGER = 44;

/** @import { Drawn, Lying } from "./answers" */
/** @typedef {[number, number]} Spot */
/** @typedef {Omit<Drawn, "unit">} Layout */

/** A spot of the table, or a way on it, as it is drawn. @param {Spot} spot @param {boolean} turned @returns {Spot} */
export const spun = ([x, y], turned) => (turned ? [-y, x] : [x, y]);

/** The table as it is drawn: `turned` by a quarter where its long side fits the long side of the screen.
 * @param {Layout} layout @param {boolean} turned @returns {Layout} */
export function drawn(layout, turned) {
  if (!turned) return layout;
  const spin = (/** @type {Spot} */ spot) => spun(spot, true);
  return {
    pieces: layout.pieces.map((p) => ({ ...p, position: spin(p.position), lean: spin(p.lean), angle_deg: p.kind === "card" || p.pose === "flat" ? p.angle_deg + 90 : p.angle_deg })),
    places: layout.places.map((p) => ({ ...p, position: spin(p.position), size: [p.size[1], p.size[0]] })),
    borders: layout.borders.map(([a, b, c, d]) => [...spin([a, b]), ...spin([c, d])]),
  };
}

/** A spot of the drawn table on the real one. @param {number} x @param {number} y @param {boolean} turned @returns {Spot} */
export const undrawn = (x, y, turned) => (turned ? [y, -x] : [x, y]);

const HALF = /** @type {Record<string, number>} */ ({ tile: 1.05, card: 1.85, coin: 0.5, die: 0.45, pawn: 0.5, pyramid: 0.6 });

/** The part of the plane that is drawn. @param {Layout} layout @param {number} room beyond what lies there @returns {number[]} */
export function frame(layout, room) {
  const boxes = [
    ...layout.pieces.filter((p) => p.zone === "board").map((p) => [...p.position, HALF[p.kind] ?? 1, HALF[p.kind] ?? 1]),
    ...layout.places.map((p) => [...p.position, p.size[0] / 2, p.size[1] / 2]),
  ];
  if (!boxes.length) return [-4, -4, 8, 8];
  const [left, right] = [Math.min(...boxes.map((b) => b[0] - b[2])) - room, Math.max(...boxes.map((b) => b[0] + b[2])) + room];
  const [top, bottom] = [Math.min(...boxes.map((b) => -b[1] - b[3])) - room, Math.max(...boxes.map((b) => -b[1] + b[3])) + room];
  return [left, top, right - left, bottom - top];
}

/** Whether a board that is so large is larger on such a screen when it is turned. @param {number[]} box @param {number} width @param {number} height */
export function betterTurned([, , w, h], width, height) {
  const upright = Math.min(width / w, height / h);
  return Math.min(width / h, height / w) > 1.25 * upright;
}

/** What is so much smaller than the largest place lies beside the game, like a row of coins. */
const ASIDE = 0.45;

/** The least side of what is tapped, in spaces; what lies aside counts where something can be done with it.
 * @param {{name: string, w: number, h: number}[]} cells @param {Set<string>} used */
export function leastCell(cells, used) {
  const sides = cells.map((cell) => ({ name: cell.name, side: Math.min(cell.w, cell.h) }));
  const largest = Math.max(0, ...sides.map(({ side }) => side));
  return Math.min(largest || 1, ...sides.filter(({ name, side }) => used.has(name) || side > ASIDE * largest).map(({ side }) => side));
}

/** How far to scroll so that a stretch is seen, or as much of it as there is room for; no farther than needed.
 * @param {number[]} stretch @param {number} now @param {number} room */
export function within([first, last], now, room) {
  if (first >= now && last <= now + room) return now;
  return (first + last) / 2 - room / 2;
}

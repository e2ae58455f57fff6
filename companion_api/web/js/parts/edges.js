// @ts-check
// The names of columns and rows at the board's edges; where only a part of it is seen, at the edges of that part.
import { html } from "../html.js";
import { useEffect, useState } from "../../vendor/hooks.js";

/** The least height of a name, in pixels. */
const LEGIBLE = 12;
/** So far from the grid stand its names at most, in spaces: there may be a chart or a heap beside it. */
const [BESIDE, BELOW] = [0.32, 0.35];

/** @param {{pan: {current: HTMLElement | null}, places: import("../answers").NamedPlace[], box: number[], scale:
 * number}} props */
export function Edges({ pan, places, box, scale }) {
  const [[left, down], setSeen] = useState([0, 0]);
  useEffect(() => {
    const at = pan.current;
    const look = () => at && setSeen([at.scrollLeft, at.scrollTop + at.clientHeight - at.scrollHeight]);
    look();
    at?.addEventListener("scroll", look, { passive: true });
    return () => at?.removeEventListener("scroll", look);
  }, [box.join(" "), scale]);
  return html`<g aria-hidden="true" style=${{ fontSize: `${Math.max(0.42, LEGIBLE / scale)}px` }}>
    ${edges(places, [box[0] + left / scale, box[1], box[2], box[3] + Math.min(0, down) / scale]).map(Edge)}</g>`;
}

/** @param {import("../answers").NamedPlace[]} places
 * @param {number[]} box what is seen
 * @returns {{name: string, x: number, y: number}[]} */
function edges(places, [left, top, , height]) {
  const grid = places.flatMap(({ grid: names, position: at, size }) => (names ? [{ at, names, size }] : []));
  const upright = grid.some(
    (p) =>
      p.names[0] === grid[0].names[0] && p.names[1] !== grid[0].names[1] && Math.abs(p.at[0] - grid[0].at[0]) < 0.01,
  );
  const [across, along] = upright ? [0, 1] : [1, 0];
  const x = Math.max(left + 0.28, Math.min(...grid.map(({ at, size }) => at[0] - size[0] / 2)) - BESIDE);
  const y = Math.min(top + height - 0.25, Math.max(...grid.map(({ at, size }) => size[1] / 2 - at[1])) + BELOW);
  const found = grid.flatMap(({ at, names }) => [
    { name: names[across], key: `x${names[across]}`, x: at[0], y },
    { name: names[along], key: `y${names[along]}`, x, y: -at[1] },
  ]);
  return [...new Map(found.map((edge) => [edge.key, edge])).values()];
}

/** @param {{name: string, key?: string, x: number, y: number}} edge */
const Edge = ({ name, key, x, y }) => html`<text key=${key} class="edge-name" x=${x} y=${y}>${name}</text>`;

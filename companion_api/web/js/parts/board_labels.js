// The names of columns and rows at the board's edges; where only a part of it is seen, at the edges of that part, which
// are shaded where there is more.
import { html } from "../html.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { board } from "../state.js";

/** The height of a name, in pixels: at least, and no more than it needs. */
const [LEGIBLE, PLAIN] = [12, 22];
/** So deep an edge is shaded beyond which there is more, in pixels. */
const SHADED = 20;
/** So far from the grid stand its names at most, in spaces: there may be a chart or a heap beside it. */
const [BESIDE, BELOW] = [0.32, 0.35];

/** @param {{pan: {current: HTMLElement | null}, places: import("../answers").NamedPlace[], box: number[], scale:
 * number}} props */
export function Edges({ pan, places, box, scale }) {
  const [hidden, setHidden] = useState([0, 0, 0, 0]);
  useEffect(() => {
    const at = pan.current;
    const look = () => {
      if (!at) return;
      const { scrollLeft: left, scrollTop: top } = at;
      setHidden([left, top, at.scrollWidth - at.clientWidth - left, at.scrollHeight - at.clientHeight - top]);
    };
    look();
    at?.addEventListener("scroll", look, { passive: true });
    return () => at?.removeEventListener("scroll", look);
  }, [box.join(" "), scale]);
  const [left, top, right, bottom] = hidden.map((pixels) => Math.max(0, pixels) / scale);
  const seen = [box[0] + left, box[1] + top, box[2] - left - right, box[3] - top - bottom];
  const pixel = (board.value.you.role === "screen" ? 2 : 1) / scale; // a television is far away
  const size = Math.max(LEGIBLE * pixel, Math.min(0.42, PLAIN * pixel));
  return html`<g aria-hidden="true" style=${{ fontSize: `${size}px` }}>
    ${hidden.map((pixels, side) => pixels > 1 && Shade(side, seen, SHADED / scale))}
    ${edges(places, seen).map(Edge)}</g>`;
}

/** More lies beyond this side.
 * @param {number} side 0 to 3: left, top, right, bottom
 * @param {number[]} seen
 * @param {number} deep */
function Shade(side, [x, y, width, height], deep) {
  const id = `more${side}`;
  return html`<linearGradient id=${id} gradientTransform="rotate(${90 * side} .5 .5)"><stop stop-opacity=".3" />
    <stop offset="1" stop-opacity="0" /></linearGradient>
    <rect class="beyond" x=${side === 2 ? x + width - deep : x} y=${side === 3 ? y + height - deep : y}
    width=${side % 2 ? width : deep} height=${side % 2 ? deep : height} fill="url(#${id})" />`;
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

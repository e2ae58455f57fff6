// The suits as shapes: never told by colour alone. Drawn in a box from -1 to 1.
import { html } from "./html.js";

const RAYS = Array.from({ length: 8 }, (_, i) => {
  const [a, b] = [i * 45 - 9, i * 45 + 9].map((d) => (d * Math.PI) / 180);
  const c = (i * 45 * Math.PI) / 180;
  const foot = (/** @type {number} */ at) => `${0.58 * Math.cos(at)} ${0.58 * Math.sin(at)}`;
  return `M${foot(a)}L${Math.cos(c)} ${Math.sin(c)}L${foot(b)}Z`;
}).join("");

const SHAPES = {
  suns: `${RAYS}M.46 0A.46 .46 0 1 1 -.46 0A.46 .46 0 1 1 .46 0Z`,
  moons: "M.45 -.8A.95 .95 0 1 0 .45 .8A.75 .75 0 1 1 .45 -.8Z",
  crowns: "M-.9 .7L-1 -.5L-.45 .05L0 -.85L.45 .05L1 -.5L.9 .7Z",
  arms:
    "M0 -1C.35 -.55 .35 -.2 .12 .12L.3 .12C.3 -.35 .95 -.5 .9 .05C.87 .35 .6 .4 .5 .25L.55 .3L.3 .32L.3 " +
    ".45L.12 .45C.12 .6 .2 .8 .35 .9L-.35 .9C-.2 .8 -.12 .6 -.12 .45L-.3 .45L-.3 .32L-.55 .3L-.5 .25C-.6 " +
    ".4 -.87 .35 -.9 .05C-.95 -.5 -.3 -.35 -.3 .12L-.12 .12C-.35 -.2 -.35 -.55 0 -1Z",
};

/** @param {string | null | undefined} suit @param {number} x @param {number} y @param {number} size */
export function Suit(suit, x, y, size) {
  const shape = SHAPES[/** @type {keyof typeof SHAPES} */ (suit)];
  return shape && html`<path d=${shape} class="suit ${suit}" transform="translate(${x} ${y}) scale(${size})" />`;
}

/** A suit beside a name. @param {string | null | undefined} suit */
export const Sign = (suit) =>
  suit && html`<svg class="sign" viewBox="-1 -1 2 2" aria-hidden="true">${Suit(suit, 0, 0, 0.95)}</svg>`;

import htm from "../vendor/htm.js";
import { h } from "../vendor/preact.js";

export const html = htm.bind(h);

/** What is typed into a field, or chosen in it. @param {(value: string) => void} take */
export const typed = (take) => (/** @type {Event} */ event) =>
  take(/** @type {HTMLInputElement} */ (event.currentTarget).value);

/** A form is sent. @param {() => unknown} act */
export const submitted = (act) => (/** @type {Event} */ event) => (event.preventDefault(), act());

/** A key does what a tap does. @param {() => unknown} act */
export const pressed = (act) => (/** @type {KeyboardEvent} */ event) =>
  (event.key === "Enter" || event.key === " ") && (event.preventDefault(), act());

/** Points of a picture, as a polygon has them. @param {number[][]} points */
export const polygon = (points) => points.map((point) => point.join(",")).join(" ");

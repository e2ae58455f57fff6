// @ts-check
import htm from "../vendor/htm.js";
import { h } from "../vendor/preact.js";

export const html = htm.bind(h);

/** What is typed into a field, or chosen in it. @param {(value: string) => void} take */
export const typed = (take) => (/** @type {Event} */ event) =>
  take(/** @type {HTMLInputElement} */ (event.currentTarget).value);

// @ts-check
// Elements without a framework; what people wrote is always text, never markup.
import { readyForProblems, reason } from "../js/phrasebook.js";
import { say } from "./words.js";

/** @import { Gets, Posts, Sends } from "./answers" */
/** @typedef {Node | string | number | boolean | null | undefined} Child */

/** @template {keyof HTMLElementTagNameMap} K @param {K} tag @param {Record<string, unknown>} [given] @param {...(Child | (Child | Child[])[])} children @returns {HTMLElementTagNameMap[K]} */
export function el(tag, given = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (name === "value") Object.assign(made, { value });
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  const shown = children.flat(3).filter((child) => child !== null && child !== undefined && typeof child !== "boolean");
  made.append(...shown.map((child) => (child instanceof Node ? child : String(child))));
  return made;
}

/** What was chosen or typed. @param {(value: string) => void} take */
export const typed = (take) => (/** @type {Event} */ event) => take(/** @type {HTMLInputElement} */ (event.currentTarget).value);

/** @template {string} P @typedef {P extends `${infer R}?${string}` ? R : P} Route a path without what is asked of it */
/** @template {string} P @typedef {Route<P> extends keyof Gets ? Gets[Route<P>] : never} Got */

/** @template {string} P @param {P} path @returns {Promise<Got<P>>} */
export const ask = (path) => answered(fetch(`api/${path}`));

/** @template {string & keyof Posts} P @param {P} path @param {P extends keyof Sends ? Sends[P] : {}} body @returns {Promise<Posts[P]>} */
export const send = (path, body) => answered(fetch(`api/${path}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }));

/** An Error says why not, in the language of the page. @param {Promise<Response>} coming */
async function answered(coming) {
  const answer = await coming;
  const data = await answer.json().catch(() => ({}));
  if (answer.ok) return data;
  await readyForProblems();
  throw Object.assign(new Error(data.away ? say(`away_${data.away}`) : reason({ status: answer.status, data })), { status: answer.status });
}

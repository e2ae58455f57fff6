// Talks to the server. Every answer is {ok, status, data}; nothing throws for what people do.

/** @import { Gets, NotDone, Posts, Sends } from "./answers" */
/** @template T
 * @typedef {{ok: true, status: number, data: T} | {ok: false, status: number, data: NotDone | null}} Answer what was
 * asked for, or why not */
/** @template {string} P @typedef {P extends `${infer R}?${string}` ? R : P} Route a path without what is asked of it */
/** @template {string} P @typedef {Route<P> extends keyof Gets ? Gets[Route<P>] : never} Got */

/** @template {string} P @param {P} path @returns {Promise<Answer<Got<P>>>} */
export const get = (path) => ask(path, { method: "GET" });

/** @template {keyof Posts} P
 * @param {P} path
 * @param {P extends keyof Sends ? Sends[P] : {}} body
 * @returns {Promise<Answer<Posts[P]>>} */
export const post = (path, body) =>
  ask(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ key: randomKey(), ...body }),
  });

/** @template T @param {string} path @param {RequestInit} init @returns {Promise<Answer<T>>} */
async function ask(path, init) {
  try {
    const response = await fetch(`api/${path}`, { ...init, credentials: "same-origin" });
    const data = await response.json().catch(() => null);
    if (!response.ok && init.method === "POST" && (data?.said || data?.detail?.said))
      await (await import("./phrasebook.js")).readyForProblems();
    return { ok: response.ok, status: response.status, data };
  } catch {
    return { ok: false, status: 0, data: { detail: "offline" } };
  }
}

/** A repeated post with the same key does nothing twice. */
function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

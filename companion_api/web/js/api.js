// @ts-check
// Talks to the server. Every answer is {ok, status, data}; nothing throws for what people do.

/** @typedef {{ok: boolean, status: number, data: any}} Answer */

/** @param {string} path @returns {Promise<Answer>} */
export const get = (path) => ask(path, { method: "GET" });

/** @param {string} path @param {object} body @returns {Promise<Answer>} */
export const post = (path, body) =>
  ask(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ key: randomKey(), ...body }),
  });

/** @param {string} path @param {RequestInit} init @returns {Promise<Answer>} */
async function ask(path, init) {
  try {
    const response = await fetch(`api/${path}`, { ...init, credentials: "same-origin" });
    const data = await response.json().catch(() => null);
    if (!response.ok && init.method === "POST" && (data?.said || data?.detail?.said)) await (await import("./phrasebook.js")).readyForProblems();
    return { ok: response.ok, status: response.status, data };
  } catch {
    return { ok: false, status: 0, data: { detail: "offline" } };
  }
}

/** A repeated post with the same key does nothing twice. */
export function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// @ts-check
// Elements without a framework; what people wrote is always text, never markup.

/** @param {string} tag @param {Record<string, any>} [given] @param {...any} children @returns {any} */
export function el(tag, given = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "value") /** @type {any} */ (made).value = value;
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** @param {string} path @param {any} [body] @returns {Promise<any>} */
export async function ask(path, body) {
  const post = body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(`api/${path}`, post);
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw Object.assign(new Error(typeof data.detail === "string" ? data.detail : answer.statusText), { status: answer.status });
  return data;
}

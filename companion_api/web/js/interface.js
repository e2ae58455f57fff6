// @ts-check
// The entrances of the server for other programs, drawn from its own description; nothing comes from outside.
import { h, render } from "../vendor/preact.js";
import { html } from "./html.js";

/** @param {any} schema what may be sent or comes back, in short @param {any} all @returns {string} */
function shape(schema, all) {
  if (!schema) return "";
  if (schema.$ref) return shape(all[schema.$ref.split("/").pop()], all);
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return either.map((/** @type {any} */ one) => shape(one, all)).join(" | ");
  if (schema.type === "array") return `[${shape(schema.items, all)}]`;
  if (!schema.properties) return schema.enum?.join(" | ") ?? (schema.const !== undefined ? String(schema.const) : (schema.type ?? "any"));
  const needed = new Set(schema.required ?? []);
  return `{${Object.entries(schema.properties).map(([name, one]) => `${name}${needed.has(name) ? "" : "?"}: ${shape(one, all)}`).join(", ")}}`;
}

/** @param {{path: string, method: string, about: any, all: any}} props */
function Entrance({ path, method, about, all }) {
  const sent = Object.values(about.requestBody?.content ?? {})[0]?.schema;
  const asked = (about.parameters ?? []).filter((/** @type {any} */ one) => one.in !== "cookie" && one.name !== "authorization");
  return html`<details><summary><span><b>${method.toUpperCase()}</b> <code>${path}</code></span></summary><p>${about.description ?? about.summary}</p>
    ${asked.length > 0 && html`<ul>${asked.map((/** @type {any} */ one) => html`<li key=${one.name}><code>${one.name}${one.required ? "" : "?"}: ${shape(one.schema, all)}</code> <small>${one.in}</small></li>`)}</ul>`}
    ${sent && html`<pre><code>${shape(sent, all)}</code></pre>`}</details>`;
}

const answer = await fetch("openapi.json");
const { paths, components } = await answer.json();
const groups = /** @type {Map<string, any[]>} */ (new Map());
for (const [path, methods] of Object.entries(paths)) {
  for (const [method, about] of Object.entries(methods)) {
    const name = about.tags?.[0] ?? "others";
    groups.set(name, [...(groups.get(name) ?? []), { path, method, about }]);
  }
}
const all = components?.schemas ?? {};
const room = /** @type {HTMLElement} */ (document.getElementById("entrances"));
room.replaceChildren();
render(h("div", null, [...groups].map(([name, entrances]) => html`<h2>${name}</h2>${entrances.map((one) => html`<${Entrance} ...${one} all=${all} />`)}`)), room);

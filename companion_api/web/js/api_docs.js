// The entrances of the server for other programs, drawn from its own description; nothing comes from outside.
import { h, render } from "../vendor/preact.js";
import { html } from "./html.js";

/** @typedef {{$ref?: string, anyOf?: Schema[], oneOf?: Schema[], type?: string, items?: Schema, prefixItems?:
 * Schema[], properties?: Record<string, Schema>, additionalProperties?: Schema | boolean, required?: string[],
 * enum?: unknown[], const?: unknown, format?: string, description?: string}} Schema */
/** @typedef {Record<string, {schema?: Schema}>} Content by its kind */
/** @typedef {{name: string, in: string, required?: boolean, schema: Schema}} Parameter */
/** @typedef {{tags?: string[], summary: string, description?: string, parameters?: Parameter[], requestBody?:
 * {content: Content}, responses: Record<string, {content?: Content}>}} About */
/** @typedef {{path: string, method: string, about: About}} Entrance */

/** What may be sent or comes back, in short; shapes with a name stand below.
 * @param {Schema | undefined} schema
 * @returns {unknown} */
function shape(schema) {
  if (!schema) return "";
  const name = schema.$ref?.split("/").pop();
  if (name) return html`<a href=${`#${name}`}>${name}</a>`;
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return either.map((one, i) => [i ? " | " : "", shape(one)]);
  if (schema.enum) return schema.enum.join(" | ");
  if (schema.const !== undefined) return String(schema.const);
  if (schema.prefixItems) return ["[", schema.prefixItems.map((one, i) => [i ? ", " : "", shape(one)]), "]"];
  if (schema.type === "array") return ["[", shape(schema.items), "]"];
  if (typeof schema.additionalProperties === "object") return ["{name: ", shape(schema.additionalProperties), "}"];
  return schema.format ?? schema.type ?? "whatever";
}

/** Its fields, one a line. @param {{schema: Schema}} props */
function Fields({ schema }) {
  const needed = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {});
  return fields.length
    ? html`<ul>
      ${fields.map(([name, one]) => html`<li key=${name}><code>${name}${needed.has(name) ? "" : "?"}: ${shape(one)}
      </code></li>`)}</ul>`
    : html`<p><code>${shape(schema)}</code></p>`;
}

/** @param {Content | undefined} content */
const shown = (content) =>
  Object.entries(content ?? {}).map(
    ([kind, { schema }]) =>
      html`<code key=${kind}>${kind === "application/json" && schema?.format !== "binary" ? shape(schema) : kind}
        </code> `,
  );

/** @param {Entrance} props */
function Way({ path, method, about }) {
  const asked = (about.parameters ?? []).filter((one) => one.in !== "cookie" && one.name !== "authorization");
  return html`<details><summary><span><b>${method.toUpperCase()}</b> <code>${path}</code></span></summary><p>
    ${about.description ?? about.summary}</p>
    ${asked.length > 0 && html`<ul>
    ${asked.map((one) => html`<li key=${one.name}><code>${one.name}${one.required ? "" : "?"}: ${shape(one.schema)}
    </code> <small>${one.in}</small></li>`)}</ul>`}
    ${about.requestBody && html`<p>Send ${shown(about.requestBody.content)}</p>`}
    <p>Answer ${shown(about.responses["200"]?.content)}</p></details>`;
}

/** @param {{name: string, schema: Schema}} props */
const Shape = ({ name, schema }) =>
  html`<section id=${name}><h3>${name}</h3>${schema.description && html`<p>${schema.description}</p>`}
    <${Fields} schema=${schema} /></section>`;

const answer = await fetch("openapi.json");
const { paths, components } =
  /** @type {{paths: Record<string, Record<string, About>>, components: {schemas: Record<string, Schema>}}} */ (
    await answer.json()
  );
const groups = /** @type {Map<string, Entrance[]>} */ (new Map());
for (const [path, methods] of Object.entries(paths)) {
  for (const [method, about] of Object.entries(methods)) {
    const name = about.tags?.[0] ?? "others";
    groups.set(name, [...(groups.get(name) ?? []), { path, method, about }]);
  }
}
const room = /** @type {HTMLElement} */ (document.getElementById("entrances"));
room.replaceChildren();
const ways = [...groups].map(
  ([name, entrances]) => html`<h2>${name}</h2>${entrances.map((one) => html`<${Way} ...${one} />`)}`,
);
render(
  h(
    "div",
    null,
    ways,
    html`<h2>shapes</h2>
      ${Object.entries(components.schemas).map(([name, schema]) => html`<${Shape} key=${name} name=${name}
      schema=${schema} />`)}`,
  ),
  room,
);
if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();

// @ts-check
import { html, typed } from "../html.js";
import { useState } from "../../vendor/hooks.js";
import { notice } from "../state.js";
import { join } from "../joining.js";
import { say } from "../words.js";

export function Join() {
  const [code, setCode] = useState("");
  const [name, setName] = useState(localStorage.getItem("name") ?? "");
  const [role, setRole] = useState("player");
  const go = (/** @type {Event} */ event) => {
    event.preventDefault();
    join(code, name, role);
  };
  return html`<main class="wait"><h1>Piecepack Companion</h1><p>${say("join.how")}</p>
    <form onSubmit=${go}>
      <label>${say("join.code")}<input required maxlength="12" autocapitalize="characters" autocomplete="off" value=${code}
        onInput=${typed((text) => setCode(text.toUpperCase()))} /></label>
      <label>${say("join.name")}<input maxlength="40" autocomplete="nickname" value=${name} onInput=${typed(setName)} /></label>
      <label>${say("join.role")}<select value=${role} onChange=${typed(setRole)}>
        ${["player", "screen"].map((r) => html`<option key=${r} value=${r}>${say(`role.${r}`)}</option>`)}</select></label>
      <button class="go">${say("join.go")}</button>
    </form>
    ${notice.value && html`<p class="bad" role="alert">${notice.value.text()}</p>`}</main>`;
}

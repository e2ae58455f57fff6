// @ts-check
// A simulated table on request: the host has something staged, so that a dispute can be tried.
import { html, typed } from "../html.js";
import { useState } from "../../vendor/hooks.js";
import { post } from "../api.js";
import { useFetched } from "../fetched.js";
import { reason } from "../phrasebook.js";
import { tell, view } from "../state.js";
import { say } from "../words.js";

export function Demo() {
  const incidents = useFetched("demo")[0]?.incidents ?? [];
  const [chosen, setChosen] = useState("illegal");
  if (!incidents.length) return null;
  const stage = async () => {
    const answer = await post("demo/stage", { incident: chosen });
    tell(() => (answer.ok ? say("demo.staged") : reason(answer)), !answer.ok);
    if (answer.ok) view.value = "board";
  };
  return html`<h2>${say("demo")}</h2><p>${say("demo.how")}</p><div class="row"><label>${say("demo.what")}
    <select value=${chosen} onChange=${typed(setChosen)}>
    ${incidents.map((name) => html`<option key=${name} value=${name}>
    ${say(`incident.${name}`)}</option>`)}</select></label>
    <button class="go" onClick=${stage}>${say("demo.stage")}</button></div>`;
}

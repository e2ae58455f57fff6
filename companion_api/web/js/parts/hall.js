// The hall that this table belongs to: the host joins by the address of an invitation, and leaves again.
import { html, submitted, typed } from "../html.js";
import { useState } from "../../vendor/hooks.js";
import { get, post } from "../api.js";
import { useEvery } from "../fetched.js";
import { reason, whyNot } from "../phrasebook.js";
import { wordOrNull, say } from "../words.js";

/** @import { HallOfTable, HallInvitation } from "../answers" */
const OFTEN = 3000;

export function Hall() {
  const [hall, setHall] = useState(/** @type {HallOfTable | null} */ (null));
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  useEvery(() => get("hall").then((answer) => answer.ok && setHall(answer.data)), OFTEN);
  if (!hall) return null;
  /** @param {Promise<import("../api.js").Answer<HallOfTable>>} sent */
  const send = async (sent) => {
    setBusy(true);
    const answer = await sent;
    setBusy(false);
    setProblem(answer.ok ? "" : why(answer));
    if (answer.ok) setHall(answer.data);
  };
  const enter = (/** @type {HallInvitation} */ invitation) => send(post("hall", invitation));
  return html`<details open=${hall.joined}><summary><h2>${say("hall")}</h2></summary>
    ${hall.joined ? html`<${Joined} hall=${hall} leave=${() => send(post("hall/leave", {}))} />` : html`<${Join}
    name=${hall.name} busy=${busy} join=${enter} />`}</details>
    ${problem && html`<p class="bad" role="alert">${problem}</p>`}`;
}

/** @param {{hall: HallOfTable, leave: () => void}} props */
function Joined({ hall, leave }) {
  return html`<p role="status">
    ${say(hall.connected ? "hall.in" : "hall.waiting", { name: hall.name, server: hall.server })}</p>
    <div class="row"><button onClick=${leave}>${say("hall.leave")}</button></div>`;
}

/** @param {{name: string, busy: boolean, join: (invitation: HallInvitation) => void}} props */
function Join({ name, busy, join }) {
  const [url, setUrl] = useState("");
  const [called, setCalled] = useState(name);
  return html`<p>${say("hall.how")}</p><form class="row" onSubmit=${submitted(() => join({ url, name: called }))}>
    <label>${say("hall.address")}
    <input value=${url} required maxlength="200" autocomplete="off" autocapitalize="none" spellcheck=${false}
    placeholder="nats://CODE@HUB:4222" onInput=${typed(setUrl)} /></label>
    <label>${say("hall.name")}<input value=${called} required maxlength="40" onInput=${typed(setCalled)} /></label>
    <button class="go" disabled=${busy}>${say(busy ? "hall.joining" : "hall.join")}</button></form>`;
}

/** @param {{status: number, data: unknown}} answer */
function why(answer) {
  const { reason: name, facts } = whyNot(answer) ?? {};
  return name && wordOrNull(`hall.no.${name}`) ? say(`hall.no.${name}`, facts ?? {}) : reason(answer);
}

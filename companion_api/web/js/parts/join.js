import { html, submitted, typed } from "../html.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { notice } from "../state.js";
import { join } from "../join.js";
import { entered, requestAdmission } from "../admit_screen.js";
import { say } from "../words.js";

export function Join() {
  const [code, setCode] = useState("");
  const [name, setName] = useState(localStorage.getItem("name") ?? "");
  const [role, setRole] = useState("player");
  return html`<main class="wait"><h1>Piecepack Companion</h1><p>${say("join.how")}</p>
    <form onSubmit=${submitted(() => join(code, name, role))}>
      <label>${say("join.code")}
      <input required maxlength="12" autocapitalize="characters" autocomplete="off" value=${code}
        onInput=${typed((text) => setCode(text.toUpperCase()))} /></label>
      <label>${say("join.name")}
      <input maxlength="40" autocomplete="nickname" value=${name} onInput=${typed(setName)} /></label>
      <label>${say("join.role")}<select value=${role} onChange=${typed(setRole)}>
        ${["player", "screen"].map((r) => html`<option key=${r} value=${r}>${say(`role.${r}`)}</option>`)}</select>
        </label>
      <button class="go">${say("join.go")}</button>
    </form>
    ${(role === "screen" || innerWidth >= WIDE_PX) && html`<${ScreenCode} />`}
    ${notice.value && html`<p class="bad" role="alert">${notice.value.text()}</p>`}</main>`;
}

const EVERY_MS = 2000;
/** So wide are big screens, and not phones. */
const WIDE_PX = 1200;

/** A big screen has no keyboard: the host scans its code. */
function ScreenCode() {
  const [knocked, setKnocked] = useState(/** @type {import("../answers").ScreenRequest | null} */ (null));
  useEffect(() => {
    if (!knocked) {
      requestAdmission().then(setKnocked);
      return;
    }
    const timer = setInterval(async () => (await entered(knocked)) === "gone" && setKnocked(null), EVERY_MS);
    return () => clearInterval(timer);
  }, [knocked]);
  return (
    knocked && html`<section class="knock"><p>${say("screen.scan")}</p>
      <img class="qr" src=${`api/knock/${knocked.id}/qr.svg`} alt=${say("screen.scan")} /></section>`
  );
}

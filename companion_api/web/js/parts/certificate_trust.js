// How to trust this table's certificate, as pictures of the screens that a phone shows. Drawn here, so every language
// has its own words in them.
import { html } from "../html.js";
import { useState } from "../../vendor/hooks.js";
import { useFetched } from "../fetched.js";
import { say } from "../words.js";

/** The screens of a system in order: its rows, which one is tapped, and whether that one is a switch or a button. */
const SCREENS = {
  ios: [
    { rows: ["allow"], tap: 0, as: "button" },
    { rows: ["wifi", "loaded", "general"], tap: 1, as: "row" },
    { rows: ["profile", "install"], tap: 1, as: "button" },
    { rows: ["about", "trust"], tap: 1, as: "row" },
    { rows: ["full", "ours"], tap: 1, as: "switch" },
  ],
  android: [
    { rows: ["privacy", "more"], tap: 1, as: "row" },
    { rows: ["credentials", "install"], tap: 1, as: "row" },
    { rows: ["vpn", "ca"], tap: 1, as: "row" },
    { rows: ["warning", "anyway"], tap: 1, as: "button" },
    { rows: ["downloads", "file"], tap: 1, as: "row" },
  ],
};

/** Live video needs https once: trust this table's own certificate, then open the secure address. */
export function HowToTrust() {
  const port = useFetched("cameras")[0]?.secure_port;
  const [system, setSystem] = useState(/iPhone|iPad|Mac/.test(navigator.userAgent) ? "ios" : "android");
  if (!port) return null;
  const screens = SCREENS[/** @type {keyof typeof SCREENS} */ (system)];
  return html`<details class="trust"><summary>${say("phone.how")}</summary><ol>
    <li><p>${say("trust.load")}</p><a class="button" href="api/ca.crt" download="companion-ca.crt">
    ${say("trust.certificate")}</a></li>
    <li><p>${say("trust.then")}</p><div class="row" role="group" aria-label=${say("trust.then")}>
    ${Object.keys(SCREENS).map((name) => html`<button key=${name} aria-pressed=${system === name}
    onClick=${() => setSystem(name)}>${say(`trust.${name}`)}</button>`)}</div>
      <div class="screens">
      ${screens.map((screen, i) => html`<${Screen} key=${`${system}${i}`} system=${system} screen=${screen}
      number=${i + 1} />`)}</div></li>
    <li><p>${say("trust.open")}</p><a class="button" href=${`https://${location.hostname}:${port}/`}>
    ${say("trust.secure")}</a></li></ol></details>`;
}

const [LEFT, WIDTH, ROW] = [8, 164, 46];

/** One screen: what stands there, and a finger where to tap.
 * @param {{system: string, screen: {rows: string[], tap: number, as: string}, number: number}} props */
function Screen({ system, screen, number }) {
  const words = say(`trust.${system}.${number}`);
  const y = 44 + screen.tap * (ROW + 10);
  return html`<figure><svg viewBox="0 0 180 214" role="img" aria-label=${words}>
      <rect x="2" y="2" width="176" height="210" rx="18" class="phone" />
      <rect x="66" y="10" width="48" height="5" rx="2.5" class="speaker" />
      ${screen.rows.map((row, i) => html`<${Row} key=${row} label=${say(`trust.${system}.${row}`)}
      y=${44 + i * (ROW + 10)} as=${i === screen.tap ? screen.as : "dull"} />`)}
      <g transform=${`translate(${LEFT + WIDTH - 20} ${y + 42})`}><circle r="13" class="ring" />
      <path d="M-3 0V-9a3 3 0 0 1 6 0V2l6 2a6 6 0 0 1 4 7l-2 11h-15l-8-12a3 3 0 0 1 5-3Z" class="finger" /></g></svg>
    <figcaption>${number}. ${words}</figcaption></figure>`;
}

/** @param {{label: string, y: number, as: string}} props */
function Row({ label, y, as }) {
  const lines = folded(label);
  const middle = y + ROW / 2 + 4;
  return html`<g class="item ${as}"><rect x=${LEFT} y=${y} width=${WIDTH} height=${ROW} rx="9" />
    ${lines.map((line, i) => html`<text key=${line} x=${LEFT + 10} y=${middle + (i - (lines.length - 1) / 2) * 14}>
    ${line}</text>`)}
    ${as === "switch" && html`<rect x=${LEFT + WIDTH - 44} y=${y + 12} width="36" height="20" rx="10" class="on" />
    <circle cx=${LEFT + WIDTH - 18} cy=${y + 22} r="8" class="knob" />`}
    ${as === "row" && html`<path d=${`M${LEFT + WIDTH - 12} ${y + 17}l6 6l-6 6`} class="onward" />`}</g>`;
}

const MOST = 20;

/** Text in a picture does not break its lines by itself. @param {string} text @returns {string[]} */
function folded(text) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines[lines.length - 1];
    if (last && last.length + word.length >= MOST) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines;
}

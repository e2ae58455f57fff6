// A game as one file: every board as a drawing, a slider, the names, and small pictures; nothing is fetched by it.
import { render } from "../vendor/preact.js";
import { html } from "./html.js";
import { actionsOfEvent, evidenceOf, openEffects } from "./state.js";
import { MiniBoard } from "./parts/board.js";
import { say } from "./words.js";

/** @import { Replay } from "./answers" */
/** @typedef {{captions: {who: string, what: string}[], end: string, people: string}} Told */

/** So many bytes of pictures go into a file at most, and so wide they are. */
const [MOST_PICTURES, WIDE] = [1_200_000, 320];

/** To friends by the share sheet of the phone, or else as a download. @param {Replay} game @param {Told} told */
export async function share(game, told) {
  const file = new File([await written(game, told)], `${game.game.id}-${game.table}.html`, { type: "text/html" });
  if (navigator.canShare?.({ files: [file] })) {
    const shared = await navigator.share({ files: [file], title: game.game.name }).then(
      () => true,
      (error) => error.name === "AbortError",
    );
    if (shared) return;
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** What a board is made of again and again: the drawing of each piece once, and each board as their numbers and places.
 * @param {Replay} game */
function boardsOf(game) {
  const room = document.createElement("div");
  const parts = /** @type {string[]} */ ([]);
  const known = /** @type {Map<string, number>} */ (new Map());
  const number = (/** @type {string} */ part) => {
    const found = known.get(part) ?? parts.push(part) - 1;
    known.set(part, found);
    return found;
  };
  const boards = game.steps.map(({ event, layout }) => {
    const effects = event ? openEffects(actionsOfEvent(event)) : [];
    render(html`<${MiniBoard} layout=${layout} effects=${effects} label="" />`, room);
    const svg = /** @type {SVGElement} */ (room.firstElementChild);
    const drawn = [...svg.children].map((child) => {
      const place = child.classList.contains("piece") ? child.getAttribute("transform") : null;
      if (place === null) return child.outerHTML;
      const plain = /** @type {Element} */ (child.cloneNode(true));
      plain.removeAttribute("transform");
      return [number(plain.outerHTML), place];
    });
    return [svg.getAttribute("viewBox"), drawn];
  });
  render(null, room);
  return { parts, boards };
}

/** The evidence pictures of a game, small. @param {Replay} game @returns {Promise<(string | null)[]>} */
async function picturesOf(game) {
  let left = MOST_PICTURES;
  const found = /** @type {(string | null)[]} */ ([]);
  for (const { event } of game.steps) {
    const name = event && left > 0 ? evidenceOf(event) : null;
    const picture = name ? await small(`api/evidence/${name}`).catch(() => null) : null;
    left -= picture?.length ?? 0;
    found.push(left > 0 ? picture : null);
  }
  return found;
}

/** @param {string} address */
async function small(address) {
  const picture = await createImageBitmap(await (await fetch(address)).blob());
  const canvas = document.createElement("canvas");
  canvas.width = WIDE;
  canvas.height = Math.round((WIDE * picture.height) / picture.width);
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/jpeg", 0.6);
}

/** The rules of the style sheet that draw a board. */
function style() {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const drawing = rules.filter(
    (rule) =>
      /:root|\.(piece|suit|fill|value|tile|coin|cross|lean|border|tick|spiral|edge|arrow|mark|trail)\b/.test(
        rule.cssText.split("{")[0],
      ) ||
      (rule instanceof CSSMediaRule && /:root/.test(rule.cssText)),
  );
  return drawing.map((rule) => rule.cssText).join("\n");
}

/** @param {string} text */
const plain = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Data inside a script must not end it. @param {unknown} value */
const data = (value) => JSON.stringify(value).replaceAll("<", "\\u003c");

/** @param {Replay} game @param {Told} told */
async function written(game, told) {
  const { parts, boards } = boardsOf(game);
  const captions = told.captions.map(({ who, what }, i) => [
    who,
    i === boards.length - 1 && told.end ? `${what} – ${told.end}` : what,
  ]);
  const all = { parts, boards, captions, pictures: await picturesOf(game) };
  const title = `${game.game.name} · ${told.people}`;
  return `<!doctype html><html lang="${document.documentElement.lang}">
<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${plain(title)}</title>
<style>${style()}
body{margin:0 auto;max-width:60rem;padding:1rem;font:16px/1.45 system-ui,sans-serif;background:var(--paper);
color:var(--ink)}
svg{width:100%;max-height:68vh}img{max-width:320px;width:100%;border-radius:8px}
.row{display:flex;gap:.5rem}.row input{flex:1}
button{font:inherit;min-height:44px;min-width:44px}p{min-height:3em}</style>
<h1>${plain(title)}</h1><div id="board"></div><p id="told" aria-live="polite"></p>
<div class="row"><button id="back">‹</button>
<input id="at" type="range" min="0" max="${boards.length - 1}" value="0"
aria-label="${plain(say("scrub"))}">
<button id="on">›</button><button id="play">▶</button></div><div id="picture"></div>
<script>const G=${data(all)};const $=i=>document.getElementById(i);let t=0;
function show(n){n=Math.max(0,Math.min(G.boards.length-1,n));$("at").value=n;const[b,d]=G.boards[n];
$("board").innerHTML='<svg viewBox="'+b+'">'+d.map(e=>
typeof e==="string"?e:'<g transform="'+e[1]+'">'+G.parts[e[0]]+"</g>").join("")+"</svg>";
$("told").textContent=(G.captions[n][0]?G.captions[n][0]+": ":"")+G.captions[n][1];
$("picture").innerHTML=G.pictures[n]?'<img alt="" src="'+G.pictures[n]+'">':"";}
const at=()=>Number($("at").value);$("at").oninput=()=>show(at());
$("back").onclick=()=>show(at()-1);$("on").onclick=()=>show(at()+1);
$("play").onclick=()=>{if(t){clearInterval(t);t=0;return}
if(at()===G.boards.length-1)show(0);
t=setInterval(()=>{if(at()===G.boards.length-1){clearInterval(t);t=0}else show(at()+1)},1200)};
onkeydown=e=>{const by={ArrowLeft:-1,ArrowRight:1}[e.key];if(by&&e.target.id!=="at")show(at()+by)};
show(0)</script></html>`;
}

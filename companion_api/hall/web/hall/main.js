// @ts-check
// The hall's page: who comes in, and which view is shown; the address says which.
import { alone } from "./alone.js";
import { desk } from "./desk.js";
import { language, languages, loadWords, partOfWords, say as said, setLanguage } from "../js/words.js";
import { ask, el, send, typed } from "./dom.js";
import { league, results } from "./lists.js";
import { openQuestions, current, listen, start } from "./live.js";
import { tournaments } from "./tournaments.js";
import { umpire } from "./umpire.js";
import { list, screen } from "./wall.js";
import { say } from "./words.js";

/** @type {Record<string, (main: HTMLElement, detail: string) => () => void>} */
const VIEWS = { wall: list, screen, table: alone, results, league, tournament: tournaments, umpire, desk };
const FOR = { umpire: ["umpire", "director"], desk: ["director"] };
const view = { leave: () => {}, role: "", hall: "" };
const header = el("header", {});
let main = el("main", { tabindex: -1 });
document.body.append(header, main);

async function begin() {
  await allWords();
  const { handed, view: shown } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  if (handed) {
    history.replaceState(null, "", `#${shown ?? "wall"}`);
    await send("join", { handed }).catch(() => {});
  }
  try {
    await enter(await ask("me"));
  } catch {
    door();
  }
}

/** The words of the hall, and those that the table's page says things with. */
async function allWords() {
  await loadWords();
  await Promise.all([partOfWords("rest"), partOfWords("wall")]);
}

/** Any language that there is a catalogue for. */
function languageChoice() {
  const change = async (/** @type {string} */ name) => {
    await setLanguage(name);
    await allWords();
    show();
  };
  const choice = el("select", { class: "language", "aria-label": said("language"), onchange: typed((name) => void change(name)) });
  void languages().then((all) => choice.append(...Object.entries(all).map(([id, name]) => el("option", { value: id, lang: id, selected: id === language.value }, name))));
  return choice;
}

/** @param {{role: string, name: string, hall: string}} me */
async function enter(me) {
  view.role = me.role;
  view.hall = me.hall;
  await start();
  listen(count);
  window.addEventListener("hashchange", show);
  if (location.hash.startsWith("#let=")) letIn();
  if (location.hash.startsWith("#join")) history.replaceState(null, "", "#wall");
  show();
}

function door() {
  const code = el("input", { autocomplete: "off", autocapitalize: "characters", required: true, value: new URLSearchParams(location.hash.slice(1)).get("join") ?? "" });
  const name = el("input", { maxlength: 40, autocomplete: "name" });
  const problem = el("p", { class: "bad", role: "alert" });
  const come = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      await send("join", { code: code.value, name: name.value });
      await enter(await ask("me"));
    } catch (error) {
      problem.textContent = /** @type {Error} */ (error).message;
    }
  };
  const scan = el("div", { class: "knock" });
  void knock(scan);
  main.className = "wait";
  main.replaceChildren(el("form", { onsubmit: come }, el("h1", {}, document.title), el("p", {}, say("how")), el("label", {}, say("code"), code), el("label", {}, say("name"), name),
    el("small", {}, say("umpire_name")), el("p", {}, el("button", { class: "go" }, say("come_in"))), problem), scan);
}

const EVERY_MS = 2000;

/** Whoever is inside scans it and lets this screen in; a new code is shown when the old one is forgotten. @param {HTMLElement} scan */
async function knock(scan) {
  const knocked = await send("knock", {}).catch(() => null);
  if (!knocked) return;
  scan.replaceChildren(el("p", {}, say("scan")), el("img", { class: "qr", src: `api/knock/${knocked.id}/qr.svg`, alt: say("scan") }));
  const timer = setInterval(async () => {
    if (!scan.isConnected) return clearInterval(timer);
    const answer = await send("knock/enter", knocked).catch((error) => error);
    const gone = "status" in answer && answer.status === 404;
    if (!gone && !answer.open) return;
    clearInterval(timer);
    if (gone) return void knock(scan);
    location.hash = "#screen";
    await enter(await ask("me"));
  }, EVERY_MS);
}

/** Somebody inside has scanned what a screen shows. */
function letIn() {
  const shown = location.hash.slice("#let=".length);
  history.replaceState(null, "", "#wall");
  const told = el("p", { class: "knocking", role: "status" }, say("asks_in"), " ");
  const open = async () => {
    const problem = await send("knock/open", { id: shown }).then(() => "", (error) => error.message);
    told.replaceChildren(problem || say("is_in"));
  };
  told.append(el("button", { class: "go", onclick: open }, say("let_in")));
  header.after(told);
}

/** Each view has a `main` of its own: an answer that comes after the view was left changes nothing that is seen. */
function show() {
  document.title = view.hall || `Piecepack Companion: ${say("hall")}`;
  const [name, detail] = location.hash.slice(1).split(/=(.*)/s);
  const shown = name in VIEWS ? name : "wall";
  view.leave();
  const before = main;
  main = el("main", { tabindex: -1 });
  before.replaceWith(main);
  const links = Object.keys(VIEWS).filter((each) => each !== "table" && may(each)).map((each) => el("a", { href: `#${each}`, "aria-current": each === shown ? "page" : null, "data-view": each }, say(each)));
  header.replaceChildren(el("h1", {}, document.title), el("nav", { class: "links" }, links), languageChoice());
  view.leave = VIEWS[shown](main, detail ?? "") ?? (() => {});
  count();
}

/** @param {string} name */
const may = (name) => FOR[/** @type {keyof typeof FOR} */ (name)]?.includes(view.role) ?? true;

/** How many tables wait, beside the umpire's door. */
function count() {
  const link = header.querySelector("[data-view=umpire]");
  if (!link) return;
  const waiting = current().reduce((sum, row) => sum + openQuestions(row), 0);
  link.querySelector(".count")?.remove();
  if (waiting) link.append(el("span", { class: "count" }, String(waiting)));
}

void begin();

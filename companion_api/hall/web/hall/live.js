// @ts-check
// All tables as the hub tells them, kept up to date; whoever listens is told what has changed.
import { ask } from "./dom.js";

/** @import { RowTold, WallTold } from "./answers" */

/** @type {Map<string, RowTold>} */
export const tables = new Map();
export const live = { ahead: 0, connected: true, version: 0 };
/** @type {Set<() => void>} */
const listeners = new Set();

/** @param {() => void} listener */
export function listen(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const notifyListeners = () => listeners.forEach((listener) => listener());

/** @param {WallTold} news */
function applyNews(news) {
  live.version = news.version;
  live.ahead = news.now - Date.now() / 1000;
  for (const row of news.tables) tables.set(`${row.station}/${row.table}`, row);
}

export async function start() {
  applyNews(await ask("wall"));
  const stream = new EventSource(`api/stream?after=${live.version}`);
  stream.addEventListener("tables", (event) => {
    applyNews(JSON.parse(event.data));
    notifyListeners();
  });
  stream.onopen = async () => {
    if (live.connected) return;
    live.connected = true;
    applyNews(await ask("wall"));
    notifyListeners();
  };
  stream.onerror = () => {
    live.connected = false;
    notifyListeners();
    change.soon ||= window.setTimeout(elsewhere, PATIENCE_MS);
  };
  void otherHubs();
  setInterval(otherHubs, 20_000);
}

// Another hub of the same hall shows the same. It is asked for while all is well, and gone to when this one is silent.
const PATIENCE_MS = 2000;
const change = { soon: 0, hubs: /** @type {string[]} */ ([]), handed: "" };

async function otherHubs() {
  Object.assign(change, await ask("hubs").catch(() => ({})));
}

async function elsewhere() {
  change.soon = 0;
  for (const hub of live.connected ? [] : change.hubs) {
    if (!(await awake(hub))) continue;
    const back = new URLSearchParams({ handed: change.handed, view: location.hash.slice(1) });
    location.replace(`${hub}/#${back}`);
    return;
  }
  if (!live.connected) change.soon = window.setTimeout(elsewhere, PATIENCE_MS);
}

/** Nothing can be read of another origin's answer, but that there is one. @param {string} hub */
const awake = (hub) => fetch(`${hub}/health`, { mode: "no-cors", signal: AbortSignal.timeout(PATIENCE_MS) }).then(() => true, () => false);

/** The game that each table is at now, by the name of the table. */
export function current() {
  /** @type {Map<string, RowTold>} */
  const latest = new Map();
  for (const row of tables.values()) {
    const known = latest.get(row.station);
    if (!known || row.began > known.began || (row.began === known.began && row.at > known.at)) latest.set(row.station, row);
  }
  return [...latest.values()].sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
}

/** What waits for an umpire. @param {RowTold} row @returns {number} */
export const openQuestions = (row) => row.standing.claims.length + (row.standing.question === null ? 0 : 1);

/** Seconds since the last move. @param {{at: number}} row */
export const secondsSince = (row) => Math.max(0, Date.now() / 1000 + live.ahead - row.at);

/** @param {number} seconds */
export function clock(seconds) {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60];
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

// The event stream. The browser itself resumes with the last sequence number; a phone that slept catches up.
import { board, events, online, past, status, tell, view } from "./state.js";
import { changed, refresh } from "./table.js";
import { post } from "./api.js";
import { redo } from "./actions.js";
import { say } from "./words.js";

export const AGAIN_MS = 2000;
/** What is told is worked out once there is something to tell: nobody needs it in the first second.
 * @param {(m: typeof import("./announce.js")) => void} go */
const withAnnounce = (go) => void import("./announce.js").then(go, () => null);
let source = /** @type {EventSource | null} */ (null);
let pending = 0;
/** What has been heard of a table, here or in the snapshot that the phone came in with: whatever comes later is news,
 * and stays so when the stream is opened anew in between. */
let heard = { table: "", seq: 0 };

export function listen() {
  source?.close();
  events.value = [];
  if (heard.table !== board.value.table) heard = { table: board.value.table, seq: board.value.seq };
  mine = isMine();
  source = new EventSource("api/events");
  source.addEventListener("event", (message) => applyEvent(JSON.parse(message.data)));
  source.addEventListener("board", (message) => boardShown(changed(JSON.parse(message.data))));
  source.addEventListener("status", (message) => (status.value = JSON.parse(message.data).status));
  source.onopen = () => (online.value = true);
  source.onerror = () => (online.value = false);
}

/** A phone that slept, or a server that was away for long: the browser may have given up. */
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && source?.readyState === EventSource.CLOSED) listen();
});
setInterval(() => source?.readyState === EventSource.CLOSED && board.value && listen(), 4000);

/** @param {import("./answers").EventTold} event */
function applyEvent(event) {
  const known = events.value;
  if (known.length && event.seq <= known[known.length - 1].seq) return;
  events.value = [...known, event];
  const isNews = event.seq > heard.seq;
  if (event.kind === "moved") follow();
  if (isNews) {
    heard.seq = event.seq;
    withAnnounce((m) => m.announce(event));
    answered(event);
    if (event.kind === "undo") tookBack(event);
  }
  if (!isNews && event.seq <= board.value.seq) return;
  // The board follows at once; where the line broke it is asked for: no event may come for long.
  clearTimeout(pending);
  pending = window.setTimeout(catchUp, AGAIN_MS);
}

async function catchUp() {
  if (board.value && board.value.seq < (events.value.at(-1)?.seq ?? 0)) boardShown(refresh());
}

/** Whether people waited for this phone when the last board was shown. */
let mine = false;

/** A board was asked for: whoever's turn it is now hears of it; where there was none, it is asked for again.
 * @param {boolean | Promise<boolean>} taken */
async function boardShown(taken) {
  if (!(await taken)) return void (board.value && (pending = window.setTimeout(catchUp, AGAIN_MS)));
  const before = mine;
  mine = isMine();
  if (mine && !before) withAnnounce((m) => m.myTurn());
}

/** Whether people wait for this phone. */
function isMine() {
  const { turn, you, outcome } = board.value ?? {};
  return Boolean(turn && !outcome.over && turn.kind !== "chance" && turn.seats.some((seat) => seat === you.seat));
}

/** Somebody has answered this phone, which had asked to share a seat. @param {import("./answers").EventTold} event */
async function answered(event) {
  const { you } = board.value;
  if (event.kind === "note" && event.code === "seat_refused" && event.facts.phone === you.phone)
    return tell(() => say("seat.refused"), true);
  if (
    event.kind !== "joined" ||
    event.phone !== you.phone ||
    !you.phone ||
    event.seat === you.seat ||
    typeof event.seat !== "number"
  )
    return;
  if ((await post("seat", { seat: event.seat, name: event.name })).ok) await refresh();
}

/** A step is gone: whoever may put it back is told so. @param {import("./answers").EventTold} event */
function tookBack(event) {
  const { you } = board.value;
  if (event.kind !== "undo" || !(you.role === "host" || event.seats?.some((seat) => seat === you.seat))) return;
  withAnnounce((m) => tell(() => m.sentence(event), false, { words: "redo", act: redo }));
}

/** The host plays on at another table; this phone goes along, in its role and seat. */
async function follow() {
  const from = board.value.table;
  const answer = await post("follow", {});
  if (answer.status === 0 || answer.status === 503) return void setTimeout(follow, AGAIN_MS);
  if (!(await refresh())) return;
  if (board.value.table === from) return; // it was the one that opened the table, and may look at something else by now
  past.value = null;
  if (view.value !== "camera") view.value = "board";
  listen();
}

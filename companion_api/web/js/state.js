// @ts-check
// What the page knows: one place, signals only. It knows no rules; all of this came from the server.
import { computed, signal } from "../vendor/signals.js";
import { get } from "./api.js";

/** The snapshot of the table, or null before somebody has joined. */
export const board = signal(/** @type {any} */ (null));
/** All events as this seat may read them. */
export const events = signal(/** @type {any[]} */ ([]));
export const status = signal("no_camera");
export const online = signal(true);
/** What is shown: board, camera, hand (entry by hand), log, score, settings, lobby, setup. */
export const view = signal("board");
/** The place or piece that was tapped. */
export const picked = signal(/** @type {string | null} */ (null));
/** An action that waits for "do it", with what it would do or why it is forbidden. */
export const asked = signal(/** @type {any} */ (null));
/** What a tap on a free spot may mean, where it may mean several things. */
export const meant = signal(/** @type {{id: string, text: string}[]} */ ([]));
export const notice = signal(/** @type {{text: string, bad: boolean} | null} */ (null));
/** An earlier board that is looked at, or null for now. */
export const past = signal(/** @type {any} */ (null));
/** The page that is shown when there is nothing else: join, or safe mode with its reason. */
export const problem = signal(/** @type {string | null} */ (null));

export const hints = signal(localStorage.getItem("hints") === "yes");
export const sound = signal(localStorage.getItem("sound") === "yes");
export const voice = signal(localStorage.getItem("voice") === "yes");

export const legal = computed(() => board.value?.legal ?? []);
export const myTurn = computed(() => legal.value.length > 0);
export const shown = computed(() => past.value?.layout ?? board.value?.layout);
export const legalHere = computed(() =>
  picked.value === null ? [] : legal.value.filter((/** @type {any} */ item) => item.touches.includes(picked.value)),
);
export const targets = computed(() => {
  const names = legalHere.value.flatMap((/** @type {any} */ item) => item.touches);
  return new Set(names.filter((/** @type {string} */ name) => name !== picked.value));
});

/** Fetch the snapshot anew. */
export const refresh = async () => take(await get("board"));

/** Show a snapshot; whether it is one. @param {import("./api.js").Answer} answer */
export function take(answer) {
  if (answer.ok) {
    board.value = answer.data;
    status.value = answer.data.status;
    problem.value = null;
    return true;
  }
  if (answer.status === 503) problem.value = answer.data?.detail ?? "503";
  if (answer.status === 401) board.value = null;
  return false;
}

/** @param {string} text @param {boolean} [bad] */
export function tell(text, bad = false) {
  notice.value = { text, bad };
}

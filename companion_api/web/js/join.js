import { get, post } from "./api.js";
import { joined, snapshot } from "./first_requests.js";
import { showReason } from "./phrasebook.js";
import { isJoining, board, onboardingStep, problem, tell } from "./state.js";
import { refresh, applySnapshot } from "./table.js";
import { AGAIN_MS, listen } from "./stream.js";
import { say } from "./words.js";

/** Whoever comes by the QR's address has been joined by now; whoever was here before is known by the cookie. */
export async function joinOnLoad() {
  const answer = await joined;
  if (answer && !answer.ok && answer.status) showReason(answer);
  if (applySnapshot(await snapshot)) {
    isJoining.value =
      Boolean(answer?.ok) && board.value.you.seat === null && board.value.you.role !== "screen" && !settled();
    if (isJoining.value && board.value.you.role === "host") startOnboarding();
    listen();
  } else if (problem.value) setTimeout(retryJoin, AGAIN_MS);
}

/** Where nothing was ever played, the host is led step by step. */
async function startOnboarding() {
  if (localStorage.getItem("led") === "no") return;
  const answer = await get("first");
  if (answer.ok && answer.data.first && isJoining.value) onboardingStep.value = 0;
}

/** The server is away or in safe mode: the page waits for it. */
async function retryJoin() {
  if (board.value) return;
  if (await refresh()) listen();
  else if (problem.value) setTimeout(retryJoin, AGAIN_MS);
}

/** Whether this phone has said before that it only looks on here. */
const settled = () => localStorage.getItem("settled") === `${board.value.table} ${board.value.you.phone}`;

/** Stay as one is: looking on, or the host without a seat. */
export function lookOn() {
  localStorage.setItem("settled", `${board.value.table} ${board.value.you.phone}`);
  isJoining.value = false;
}

/** @param {string} code @param {string} name @param {string} role */
export async function join(code, name, role) {
  if (name) localStorage.setItem("name", name);
  const wanted = role === "screen" ? { code, name, role, seat: null } : { code, name, arriving: true };
  const answer = await post("join", /** @type {import("./answers").JoinTable} */ (wanted));
  if (!answer.ok) {
    showReason(answer);
    return false;
  }
  applySnapshot({ ...answer, data: answer.data.board });
  isJoining.value = role !== "screen" && board.value.you.seat === null;
  listen();
  return true;
}

/** Sit down, stand up, or ask whoever sits there. @param {number | null} seat @param {string} name */
export async function takeSeat(seat, name) {
  if (name) localStorage.setItem("name", name);
  const answer = await post("seat", { seat, name });
  if (!answer.ok) showReason(answer);
  else if (answer.data.asked) tell(() => say("seat.asked"));
  else isJoining.value = false;
  await refresh();
  listen();
}

/** The answer to a phone that would share a seat.
 * @param {import("./answers").ShareRequest} guest @param {boolean} agree */
export async function shareSeat(guest, agree) {
  const answer = await post("seat/share", { phone: guest.phone, seat: guest.seat, agree });
  if (!answer.ok) showReason(answer);
  await refresh();
}

/** To another table that was opened, or what is in the way; whether it is shown now.
 * @param {import("./api.js").Answer<unknown>} answer */
export async function moved(answer) {
  if (!answer.ok) showReason(answer);
  else await refresh().then(listen);
  return answer.ok;
}

// @ts-check
import { post } from "./api.js";
import { joined, snapshot } from "./early.js";
import { reason } from "./sentences.js";
import { refresh, take, tell } from "./state.js";
import { listen } from "./stream.js";

/** Whoever comes by the QR's address has been joined by now; whoever was here before is known by the cookie. */
export async function arrive() {
  const answer = await joined;
  if (answer && !answer.ok) tell(reason(answer), true);
  if (take(await snapshot)) listen();
}

/** @param {string} code @param {string} name @param {string} role @param {number | null} seat */
export async function join(code, name, role, seat) {
  if (name) localStorage.setItem("name", name);
  const answer = await post("join", { code, name, role, seat });
  if (!answer.ok) {
    tell(reason(answer), true);
    return false;
  }
  take({ ...answer, data: answer.data.board });
  listen();
  return true;
}

/** @param {number | null} seat @param {string} name */
export async function takeSeat(seat, name) {
  if (name) localStorage.setItem("name", name);
  const answer = await post("seat", { seat, name });
  if (!answer.ok) tell(reason(answer), true);
  await refresh();
  listen();
}

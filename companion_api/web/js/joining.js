// @ts-check
import { post } from "./api.js";
import { reason } from "./sentences.js";
import { refresh, tell } from "./state.js";
import { listen } from "./stream.js";

/** The QR's address carries the code in its fragment, which never reaches a log. */
export async function joinByAddress() {
  const match = location.hash.match(/^#join=([A-Z0-9]+)$/i);
  if (!match) return false;
  history.replaceState(null, "", location.pathname);
  return join(match[1], localStorage.getItem("name") ?? "", "spectator", null);
}

/** @param {string} code @param {string} name @param {string} role @param {number | null} seat */
export async function join(code, name, role, seat) {
  if (name) localStorage.setItem("name", name);
  const answer = await post("join", { code, name, role, seat });
  if (!answer.ok) {
    tell(reason(answer), true);
    return false;
  }
  await refresh();
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

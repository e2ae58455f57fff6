// What takes its time on the line is asked for before the rest of the page is here: joining by the QR's address, which
// carries the code in its fragment that never reaches a log, and the table as it is.
import { get, post } from "./api.js";

const code = /^#join=([A-Z0-9]+)$/i.exec(location.hash)?.[1];
if (code) history.replaceState(null, "", location.pathname);

/** The answer to joining, or null where the address brings no code. */
export const joined = code ? post("join", { code, name: localStorage.getItem("name") ?? "", arriving: true }) : null;
/** The first snapshot of the table; whoever joins gets it with the answer.
 * @type {Promise<import("./api.js").Answer<import("./answers").Board>>} */
export const snapshot = Promise.resolve(joined).then((answer) =>
  answer?.ok ? { ...answer, data: answer.data.board } : get("board"),
);

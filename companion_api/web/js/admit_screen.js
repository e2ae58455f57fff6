// A big screen comes in without typing: it shows a code, and the host who scans it lets it in.
import { post } from "./api.js";
import { reason } from "./phrasebook.js";
import { board, tell } from "./state.js";
import { refresh } from "./table.js";
import { listen } from "./stream.js";
import { loadLaterWords, say } from "./words.js";

/** @import { ScreenRequest } from "./answers" */

/** The host's phone has scanned what a big screen shows. */
export async function letIn() {
  const shown = location.hash.slice("#let=".length);
  history.replaceState(null, "", location.pathname);
  await loadLaterWords();
  if (board.value?.you.role !== "host") return tell(() => say("screen.host"), true);
  const open = async () => {
    const answer = await post("knock/open", { id: shown });
    tell(() => (answer.ok ? say("screen.open") : reason(answer)), !answer.ok);
  };
  tell(() => say("screen.asks"), true, { words: "screen.let", act: open });
}

/** What a big screen shows, or null where it cannot. @returns {Promise<ScreenRequest | null>} */
export async function requestAdmission() {
  const answer = await post("knock", {});
  return answer.ok ? answer.data : null;
}

/** Whether it has been let in by now; then the table is shown.
 * @param {ScreenRequest} knocked
 * @returns {Promise<"in" | "wait" | "gone">} */
export async function entered(knocked) {
  const answer = await post("knock/enter", knocked);
  if (!answer.ok) return answer.status === 404 ? "gone" : "wait";
  if (!answer.data.open) return "wait";
  await refresh();
  listen();
  return "in";
}

// Games that are solved exactly: a hint for whoever plays alone, and after the game what would have been better.
import { signal } from "../../vendor/signals.js";
import { html } from "../html.js";
import { get } from "../api.js";
import { useFetched } from "../fetched.js";
import { ask } from "../actions.js";
import { showReason } from "../phrasebook.js";
import { board, openReplay, tell } from "../state.js";
import { say } from "../words.js";

/** @import { Solution } from "../answers" */

/** Whether a replay begins with the solution. */
export const solving = signal(false);

/** The best action, shown as a preview. */
export async function hint() {
  const answer = await get("hint");
  if (!answer.ok) return showReason(answer);
  if (answer.data.id) ask(answer.data.id);
  else tell(() => say("study.no_hint"));
}

/** How many moves a puzzle needed and took, or what had to be left. @param {Solution} solution @returns {string} */
export function solutionWords({ counts, needed, taken }) {
  if (needed === null) return say("study.none");
  const key = counts === "left" ? "study.left" : "study";
  if (needed < taken) return say(`${key}.fewer`, { needed, taken });
  return say(needed ? `${key}.fewest` : `${key}.none_left`, { needed });
}

/** At the end of a puzzle: how it could have been done. */
export function Puzzle() {
  const { table } = board.value;
  const found = useFetched(`study/${table}`)[0]?.solution;
  if (!found) return null;
  const show = () => {
    solving.value = true;
    openReplay(table);
  };
  return html`<p class="study">
    ${solutionWords(found)} ${found.steps.length > 0 && html`<button data-show onClick=${show}>${say("study.show")}
    </button>`}</p>`;
}

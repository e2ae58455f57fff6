// @ts-check
// What the game has shown of the set: kept for the next one if the host wants it.
import { html } from "../html.js";
import { post } from "../api.js";
import { useFetched } from "../fetched.js";
import { reason } from "../phrasebook.js";
import { tell } from "../state.js";
import { say } from "../words.js";

export function LearnedSet() {
  const [found, setFound] = useFetched("calibration/teach/learnt");
  if (!found?.offered) return null;
  const keep = async () => {
    const answer = await post("calibration/teach/learnt", { name: found.name ?? say("lesson.my_set") });
    tell(() => (answer.ok ? say("learnt.kept", { name: String(answer.data.name) }) : reason(answer)), !answer.ok);
    if (answer.ok) setFound(null);
  };
  const words = found.name
    ? say("learnt.more", { n: found.new, name: found.name })
    : say("learnt.offer", { n: found.faces });
  return html`<section class="learnt" aria-label=${say("lesson.my_set")}><p>${words}</p>
    <div class="row"><button class="go" onClick=${keep}>${say("learnt.keep")}</button>
    <button onClick=${() => setFound(null)}>${say("learnt.no")}</button></div></section>`;
}

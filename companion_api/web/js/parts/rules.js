// The rulebook of the game that is played, to read and to search on the phone.
import { html, typed } from "../html.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { allClauses, ready } from "../phrasebook.js";
import { board, view } from "../state.js";
import { language, say } from "../words.js";

export function Rules() {
  const [text, setText] = useState("");
  useEffect(() => void ready(), [board.value.game.id, language.value]);
  const wanted = text.trim().toLowerCase().split(/\s+/);
  const found = allClauses().filter(([id, words]) =>
    wanted.every((word) => `${id} ${words}`.toLowerCase().includes(word)),
  );
  return html`<section class="rulebook"><h2>${say("rulebook", { game: board.value.game.name })}</h2>
    <div class="row"><label>${say("rulebook.search")}<input type="search" value=${text} onInput=${typed(setText)} />
    </label><button onClick=${() => (view.value = "settings")}>${say("back")}</button></div>
    <p role="status">${text && html`<small>${say("rulebook.found", { n: found.length })}</small>`}</p>
    ${found.map(([id, words]) => html`<p key=${id} class="rule" id=${id}><span class="clause">${id}</span> ${words}
    </p>`)}</section>`;
}

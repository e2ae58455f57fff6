// @ts-check
// Several things that are decided together, dice that are rolled or coins that are drawn: each is chosen by itself, drawn,
// and what they make is asked when the last one is chosen.
import { html } from "../html.js";
import { useState } from "../../vendor/hooks.js";
import { argsWords } from "../acts.js";
import { board } from "../state.js";
import { markWords } from "../things.js";
import { coin, die, Picture } from "./choices.js";

/** @import { Listed, Suit } from "../answers" */
/** @import { Pictured } from "./choices.js" */

const FACES = ["0", "1", "2", "3", "4", "5"];

/** @typedef {{verb: string, between: string[], first: string[]}} Pattern its verb, what stands before each thing and at the end, and the things of the first */

/** Its things, where all of them are made alike. @param {Listed[]} items @returns {Pattern | null} */
function patternOf(items) {
  const read = items.map(({ id }) => /^([a-z_]+)\((.*)\)$/.exec(id));
  const parts = read.map((found) => found?.[2].split(/([+,])/) ?? []);
  const alike = parts.every((one, i) => one.length === parts[0].length && read[i]?.[1] === read[0]?.[1]);
  if (!alike || parts[0].length < 3) return null;
  return { verb: read[0]?.[1] ?? "", between: parts[0].filter((_, i) => i % 2), first: parts[0].filter((_, i) => i % 2 === 0) };
}

/** All that each of the things may be. A list that is cut short names all sides of the last one only, which the others have too.
 * @param {Listed[]} items @param {Pattern} pattern */
function waysOf(items, { verb, first }) {
  if (["roll", "dice"].includes(verb)) return first.map((code) => FACES.map((face) => `${code.slice(0, -1)}${face}`));
  const found = items.map(({ id }) => id.slice(verb.length + 1, -1).split(/[+,]/));
  const every = [...new Set(found.flatMap((one) => [...one].reverse()))];
  return first.map(() => every);
}

/** @param {string} code @param {Suit | undefined} of whose die it is, where the code tells only what it shows @returns {Pictured | null} */
function pictureOf(code, of) {
  const [, suit, shows] = /^([SMCA])?([0-5])$/.exec(code) ?? [];
  if (shows) return suit || of ? die(suit ?? of ?? "", shows) : null;
  const [, own, value] = /^c([SMCA?])([0-5na?])$/.exec(code) ?? [];
  return own ? coin(own === "?" ? null : own, value === "?" ? null : value) : null;
}

/** What was chosen before something was asked and not done, so that one die can be set right. */
let kept = { of: "", chosen: /** @type {(string | null)[]} */ ([]) };

/** @param {{items: Listed[], go: (item: Listed) => void}} props */
export function Together({ items, go }) {
  const pattern = patternOf(items);
  const of = `${board.value.table} ${board.value.state}`;
  const [chosen, setChosen] = useState(kept.of === of ? kept.chosen : (pattern?.first.map(() => null) ?? []));
  if (!pattern) return null;
  const dice = board.value.dice[pattern.verb];
  const choose = (/** @type {number} */ n, /** @type {string} */ code) => {
    const now = chosen.map((one, i) => (i === n ? code : one));
    kept = { of, chosen: now };
    setChosen(now);
    if (now.every(Boolean)) go({ ...items[0], id: `${pattern.verb}(${now.map((one, i) => `${i ? pattern.between[i - 1] : ""}${one}`).join("")})` });
  };
  return html`${waysOf(items, pattern).map((ways, n) => html`<div class="faces together" key=${n} role="group" aria-label=${`${n + 1}.`}>${ways.map((code) => {
    const piece = pictureOf(code, dice?.[n]);
    const words = piece ? markWords(piece) : argsWords(code);
    return html`<button key=${code} class="face" data-part=${code} aria-pressed=${chosen[n] === code} onClick=${() => choose(n, code)}>${piece ? html`<${Picture} piece=${piece} /><span class="unseen">${words}</span>` : words}</button>`;
  })}</div>`)}`;
}

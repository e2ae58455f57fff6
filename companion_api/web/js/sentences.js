// @ts-check
// Sentences of the rules and the referee in the language of the page. They come in English, whole; the phrasebook of a
// game has a pattern for each, and what fills its gaps is told by the same means. It is fetched when it is needed first.
import { signal } from "../vendor/signals.js";
import { filled } from "./codes.js";
import { named } from "./seats.js";
import { board } from "./state.js";
import { known, language, say } from "./words.js";

/** @typedef {{clauses: Record<string, string>, whole: Record<string, string>, patterns: [RegExp, string][]}} Book */
const books = signal(/** @type {Record<string, Book>} */ ({}));
const loading = /** @type {Map<string, Promise<void>>} */ (new Map());

/** Before a table is joined there is only what every game says. */
const bookName = (/** @type {string} */ book = board.value?.game.id ?? "common") => `${language.value}/${book}`;

/** Resolves when sentences of this book, or else of this game, can be told. @param {string} [book] @returns {Promise<void>} */
export function ready(book) {
  const name = bookName(book);
  if (!loading.has(name)) loading.set(name, load(name).catch(() => void loading.delete(name)));
  return loading.get(name) ?? Promise.resolve();
}

/** @param {string} name */
async function load(name) {
  books.value = { ...books.value, [name]: opened(await (await fetch(`words/rules/${name}.json`)).json()) };
}

/** A phrasebook as it was fetched, made ready. @param {{clauses: Record<string, string>, sentences: Record<string, string>}} fetched @returns {Book} */
export function opened({ clauses, sentences }) {
  const open = Object.keys(sentences).filter((english) => english.includes("{}"));
  open.sort((a, b) => literal(b) - literal(a));
  return { clauses, whole: sentences, patterns: open.map((english) => [fitting(english), sentences[english]]) };
}

/** The more of a pattern is said, the less it fits by chance. @param {string} pattern */
const literal = (pattern) => pattern.replaceAll("{}", "").length;

/** @param {string} english */
const fitting = (english) => new RegExp(`^${english.split("{}").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("(.*?)")}$`, "s");

/** @param {string} [name] @returns {Book | null} */
function book(name) {
  const found = books.value[bookName(name)];
  if (!found) ready(name);
  return found ?? null;
}

/** The words of a clause, or nothing before they are here. @param {string} clause @returns {string} */
export const clauseWords = (clause) => named(book()?.clauses[clause] ?? "").replaceAll("`", "");

/** The whole rulebook of the game, clause by clause. @returns {[string, string][]} */
export const allClauses = () => Object.entries(book()?.clauses ?? {}).map(([id, words]) => [id, words.replaceAll("`", "").replaceAll("**", "")]);

/** A sentence in the language of the page, people named. Until its words are here, and where they are lacking, in
 * English: `lang` says so. @param {string} text @param {string} [from] another book than that of the game @returns {{words: string, lang: string | null}} */
export function told(text, from) {
  if (language.value === "en") return { words: begun(named(text)), lang: null };
  const found = book(from);
  const words = found && translated(text, found);
  return { words: begun(named(words ?? text)), lang: words === null ? "en" : null };
}

/** The same as a plain text. @param {string} text @param {string} [from] */
export const toldText = (text, from) => told(text, from).words;

/** Nothing where no pattern fits. @param {string} text @param {Book} found @returns {string | null} */
export function translated(text, found) {
  if (found.whole[text]) return found.whole[text];
  const several = text.split(/\. (?=[A-Z“])/);
  if (several.length > 1) return several.map((one, i) => translated(i < several.length - 1 ? `${one}.` : one, found) ?? one).join(" ");
  for (const [pattern, words] of found.patterns) {
    const facts = pattern.exec(text);
    if (facts?.slice(1).every(balanced)) return filled(words, (n) => facts[n + 1], (one) => fact(one, found));
  }
  return null;
}

/** A gap that ends within brackets has swallowed too much. @param {string} text */
const balanced = (text) => !/[()]/.test(text.replace(/\([^()]*\)/g, ""));

const JOINTS = /(, | and | or |; |\. )/;

/** A word of the pieces, a sentence in the sentence, several of them, or something that has no words, like a place.
 * @param {string} text @param {Book} found @returns {string} */
function fact(text, found) {
  const word = known(`suit.${text}`) ?? known(`value.${text}`) ?? known(`size.${text}`) ?? translated(text, found);
  if (word !== null) return word;
  const parts = text.split(JOINTS);
  if (parts.length === 1) return text;
  return parts.map((part, i) => (i % 2 ? part.replace(/\w+/, (joint) => known(`joint.${joint}`) ?? joint) : fact(part, found))).join("");
}

/** A sentence begins with a capital letter, unless it begins with a place. @param {string} text */
const begun = (text) => (/^\p{Ll}{2}/u.test(text) ? text[0].toUpperCase() + text.slice(1) : text);

/** Why an answer was refused. @param {import("./api.js").Answer} answer @param {string} [from] */
export function reason(answer, from) {
  const detail = answer.data?.detail;
  if (answer.status === 0) return say("status.offline");
  if (detail?.refusal) return `${toldText(detail.refusal.text)} (${detail.refusal.clause})`;
  if (Array.isArray(detail)) return detail.map((item) => item.msg).join("; ");
  return toldText(detail?.text ?? (typeof detail === "string" ? detail : `${answer.status}`), from);
}

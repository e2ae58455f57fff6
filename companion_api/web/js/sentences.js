// @ts-check
// Sentences of the rules and the referee in the language of the page. They come as values: a key, which is the English
// template, and the facts in it; the phrasebook of a game, fetched when it is needed first, has the words for the key.
// Games in the older form say English sentences; for those the phrasebook has patterns.
import { signal } from "../vendor/signals.js";
import { actionWords } from "./acts.js";
import { filled } from "./codes.js";
import { named, seatName } from "./seats.js";
import { board } from "./state.js";
import { known, language, say } from "./words.js";

/** @typedef {{key: string, many?: string, facts?: Record<string, Fact>}} Sentence what is said, and of what */
/** @typedef {Sentence | {several: Fact[], joint: string} | {seat: number} | {action: string, words: string}} Telling */
/** @typedef {string | number | null | Telling} Fact a name or a number as it stands, or what has words of its own */
/** @typedef {{clauses: Record<string, string>, said: Record<string, string | string[]>, plural: string, whole: Record<string, string>, patterns: [RegExp, string][]}} Book */
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

/** A phrasebook as it was fetched, made ready. @param {{clauses: Record<string, string>, said: Book["said"], plural: string, sentences: Record<string, string>}} fetched @returns {Book} */
export function opened({ clauses, said, plural, sentences }) {
  const open = Object.keys(sentences).filter((english) => english.includes("{}"));
  open.sort((a, b) => literal(b) - literal(a));
  return { clauses, said, plural, whole: sentences, patterns: open.map((english) => [fitting(english), sentences[english]]) };
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
 * English: `lang` says so. @param {Telling | string} text @param {string} [from] another book than that of the game @returns {{words: string, lang: string | null}} */
export function told(text, from) {
  if (typeof text !== "string") return toldValue(text, from);
  if (language.value === "en") return { words: begun(named(text)), lang: null };
  const found = book(from);
  const words = found && translated(text, found);
  return { words: begun(named(words ?? text)), lang: words === null ? "en" : null };
}

/** @param {Telling} said @param {string} [from] @returns {{words: string, lang: string | null}} */
function toldValue(said, from) {
  const found = language.value === "en" ? null : book(from);
  const lacking = language.value !== "en" && !(found && "key" in said ? found.said[said.key] : found);
  return { words: begun(inWords(said, lacking ? null : found)), lang: lacking ? "en" : null };
}

/** A fact as it stands in a sentence. @param {Fact | undefined} fact @param {Book | null} found none: in English @param {string} [form] of the phrase @returns {string} */
export function inWords(fact, found, form) {
  if (fact === null || fact === undefined) return "";
  if (typeof fact !== "object") return String(fact);
  if ("seat" in fact) return seatName(fact.seat);
  if ("action" in fact) return actionWords({ id: fact.action, text: fact.words });
  if ("several" in fact) return fact.several.reduceRight((/** @type {string} */ rest, first) => (rest ? filledIn(words({ key: fact.joint }, found), { first, rest }, found) : inWords(first, found)), "");
  return filledIn(words(fact, found, form), fact.facts ?? {}, found);
}

/** The template of a sentence, for its number. @param {Sentence} said @param {Book | null} found @param {string} [form] @returns {string} */
function words({ key, many, facts }, found, form) {
  const own = (form && found?.said[`${form}\u0004${key}`]) || found?.said[key] || (many ? [key, many] : key);
  if (typeof own === "string") return own;
  const n = Number(facts?.count ?? 1);
  const which = found?.said[key] ? Number(found.plural[n < 100 ? n : 100 + (n % 100)]) : Number(n !== 1);
  return own[which] ?? own[0];
}

/** @param {string} template @param {Record<string, Fact>} facts @param {Book | null} found */
const filledIn = (template, facts, found) => template.replace(/\{(\w+)(?::(\w+))?\}/g, (_, name, form) => inWords(facts[name], found, form));

/** The same as a plain text. @param {Telling | string} text @param {string} [from] */
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
  if (detail?.refusal) return `${toldText(detail.refusal.said ?? detail.refusal.text)} (${detail.refusal.clause})`;
  if (Array.isArray(detail)) return detail.map((item) => item.msg).join("; ");
  return toldText(detail?.said ?? detail?.text ?? (typeof detail === "string" ? detail : `${answer.status}`), from);
}

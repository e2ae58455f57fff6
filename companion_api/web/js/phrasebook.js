// What the rules, the referee and the server say, in the language of the page. Sentences come as values: a key, which
// is the English template, and the facts in it. The phrasebook of a game, fetched when it is needed first, has the
// words for the key; what may be wrong with what was asked for has a book of its own.
import { signal } from "../vendor/signals.js";
import { actWords, valueWords } from "./action_args.js";
import { named } from "./seats.js";
import { board, tell } from "./state.js";
import { language, say } from "./words.js";

/** @import { SeveralFacts, MentionTold, NotDone, PersonTold, SentenceTold, ValueTold, Why } from "./answers" */
/** @typedef {SentenceTold | SeveralFacts | PersonTold | MentionTold | ValueTold} Statement what is said, as a value */
/** @typedef {string | number | null | Statement} Fact a name or a number as it stands, or what has words of its own */
/** @typedef {{clauses: Record<string, string>, said: Record<string, string | string[]>, plural: string}} Book */
const books = signal(/** @type {Record<string, Book>} */ ({}));
const loading = /** @type {Map<string, Promise<void>>} */ (new Map());
const PROBLEMS = "problems";

/** Before a table is joined there is only what every game says. */
const bookName = (/** @type {string} */ book = board.value?.game.id ?? "common") => `${language.value}/${book}`;

/** Resolves when sentences of this book, or else of this game, can be told.
 * @param {string} [book]
 * @returns {Promise<void>} */
export function ready(book) {
  const name = bookName(book);
  if (!loading.has(name))
    loading.set(name, load(name).catch(() => void loading.delete(name)));
  return loading.get(name) ?? Promise.resolve();
}

/** What is wrong can be told at once; nobody who asks in English waits for it. */
export const readyForProblems = () => (language.value === "en" ? null : Promise.all([ready(), ready(PROBLEMS)]));

/** @param {string} name */
async function load(name) {
  const answer = await fetch(`words/rules/${name}.json`);
  if (!answer.ok) throw new Error(answer.statusText);
  const fetched = await answer.json();
  books.value = { ...books.value, [name]: fetched };
}

/** @param {string} [name] @returns {Book | null} */
function book(name) {
  const found = books.value[bookName(name)];
  if (!found) ready(name);
  return found ?? null;
}

/** The words of a clause, or nothing before they are here. @param {string} clause @returns {string} */
export const clauseWords = (clause) => named(book()?.clauses[clause] ?? "").replaceAll("`", "");

/** The whole rulebook of the game, clause by clause. @returns {[string, string][]} */
export const allClauses = () =>
  Object.entries(book()?.clauses ?? {}).map(([id, words]) => [id, words.replaceAll("`", "").replaceAll("**", "")]);

/** A sentence in the language of the page, people named. Until its words are here, and where there are none (what
 * people wrote, an error of the machine), as it stands: `lang` says so.
 * @param {Statement | string} text
 * @returns {{words: string, lang: string | null}} */
export function translated(text) {
  const english = language.value === "en";
  const lang = english || (typeof text !== "string" && bookOf(text)) ? null : "en";
  return { words: capitalised(translatedPart(text)), lang };
}

/** The same as a part of another sentence. @param {Statement | string} text @returns {string} */
export const translatedPart = (text) =>
  typeof text === "string" ? named(text) : inWords(text, language.value === "en" ? null : bookOf(text));

/** The book that has the words. @param {Statement} said @returns {Book | null} */
function bookOf(said) {
  const own = book();
  if (!("key" in said) || !own || own.said[said.key]) return own;
  const wrong = book(PROBLEMS);
  return wrong?.said[said.key] ? mergedBook(own, wrong) : null;
}

/** What is wrong may be a sentence of the game within one of the server's.
 * @param {Book} own
 * @param {Book} wrong
 * @returns {Book} */
export const mergedBook = (own, wrong) => ({ ...own, said: { ...own.said, ...wrong.said } });

/** A fact as it stands in a sentence.
 * @param {Fact | undefined} fact
 * @param {Book | null} found none: in English
 * @param {string} [form] of the phrase
 * @returns {string} */
export function inWords(fact, found, form) {
  if (fact === null || fact === undefined) return "";
  if (typeof fact !== "object") return String(fact);
  if ("action" in fact) return actWords({ ...fact, text: fact.words });
  if ("several" in fact)
    return fact.several.reduceRight(
      (/** @type {string} */ rest, first) =>
        rest ? filledIn(words({ key: fact.joint }, found), { first, rest }, found) : inWords(first, found),
      "",
    );
  if (!("key" in fact)) return valueWords(fact);
  return filledIn(words(fact, found, form), fact.facts ?? {}, found);
}

/** The template of a sentence, for its number.
 * @param {SentenceTold} said
 * @param {Book | null} found
 * @param {string} [form]
 * @returns {string} */
function words({ key, many, facts }, found, form) {
  const own = (form && found?.said[`${form}\u0004${key}`]) || found?.said[key] || (many ? [key, many] : key);
  if (typeof own === "string") return own;
  const n = Number(facts?.count ?? 1);
  const which = found?.said[key] ? Number(found.plural[n < 100 ? n : 100 + (n % 100)]) : Number(n !== 1);
  return own[which] ?? own[0];
}

/** @param {string} template @param {Record<string, Fact>} facts @param {Book | null} found */
const filledIn = (template, facts, found) =>
  template.replace(/\{(\w+)(?::(\w+))?\}/g, (_, name, form) => inWords(facts[name], found, form));

/** The same as a plain text. @param {Statement | string} text */
export const translatedText = (text) => translated(text).words;

/** A sentence begins with a capital letter, unless it begins with a place. @param {string} text */
export const capitalised = (text) => (/^\p{Ll}[\p{Ll}\s]/u.test(text) ? text[0].toUpperCase() + text.slice(1) : text);

/** Why something was not done, where there is more than a sentence to it.
 * @param {{data: unknown}} answer
 * @returns {Why | null} */
export function whyNot({ data }) {
  const detail = /** @type {NotDone | null} */ (data)?.detail;
  return detail && typeof detail === "object" && !Array.isArray(detail) ? detail : null;
}

/** Why an answer was refused. @param {{status: number, data: unknown}} answer */
export function reason({ status, data }) {
  const { detail, said } = /** @type {Partial<NotDone>} */ (data ?? {});
  const why = whyNot({ data });
  if (status === 0) return say("status.offline");
  if (why?.refusal) return `${translatedText(why.refusal.said ?? why.refusal.text)} (${why.refusal.clause})`;
  if (Array.isArray(detail)) return say("not_understood", { what: detail.map((item) => item.loc.at(-1)).join(", ") });
  return translatedText(said ?? why?.said ?? why?.text ?? (typeof detail === "string" ? detail : `${status}`));
}

/** The same as a notice, in whatever language the page has by then. @param {Parameters<typeof reason>[0]} answer */
export const showReason = (answer) => tell(() => reason(answer), true);

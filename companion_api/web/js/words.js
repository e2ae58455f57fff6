// All words a person reads come from the word files; missing ones fall back to English.
import { signal } from "../vendor/signals.js";

export const language = signal(chosen());
const words = signal(/** @type {Record<string, string>} */ ({}));
let english = /** @type {Record<string, string>} */ ({});

function chosen() {
  return localStorage.getItem("language") || navigator.language.slice(0, 2);
}

/** The languages that there are catalogues for, each in its own words. @returns {Promise<Record<string, string>>} */
export const languages = () => file("languages").then((found) => found ?? {});

export async function loadWords() {
  const [first, own] = await inBothLanguages("first");
  if (!own) language.value = "en";
  english = { ...english, ...first };
  words.value = { ...english, ...own };
  [restOf, whole] = ["", false];
  document.documentElement.lang = language.value;
}

let restOf = "";
/** Whether the words of later views are here too. */
let whole = false;
let rest = Promise.resolve();

/** The words of views that come after the first second. */
export function loadLaterWords() {
  if (restOf !== language.value) {
    restOf = language.value;
    rest = partOfWords("rest");
  }
  return rest;
}

/** @param {"rest" | "wall"} part of later views, or of a hall */
export async function partOfWords(part) {
  const name = language.value;
  const [first, own] = await inBothLanguages(part);
  if (name !== language.value) return;
  if (!first || !own) restOf = ""; // the line is cut: they are asked for again
  english = { ...english, ...first };
  words.value = { ...english, ...words.value, ...own };
  whole ||= part === "rest" && Boolean(first && own);
}

/** English and the chosen language. @param {"first" | "rest" | "wall"} part */
const inBothLanguages = (part) =>
  Promise.all([file(`${part}/en`), language.value === "en" ? {} : file(`${part}/${language.value}`)]);

/** Null where there is none. @param {string} name */
async function file(name) {
  const response = await fetch(`words/${name}.json`).catch(() => null);
  return response?.ok ? response.json() : null;
}

const options = signal(/** @type {Record<string, string>} */ ({}));
let optionsOf = "en";

/** What options mean, for whoever opens a game; in English the rules say it themselves. */
export async function optionWords() {
  if (optionsOf === language.value) return;
  optionsOf = language.value;
  options.value = (optionsOf !== "en" && (await file(`options/${optionsOf}`))) || {};
}

/** @param {string} key @returns {string | null} */
export const optionText = (key) => options.value[key] ?? null;

/** @param {string} name */
export async function setLanguage(name) {
  localStorage.setItem("language", name);
  language.value = name;
  await loadWords();
  await loadLaterWords();
}

/** Keys that were asked for and that no word file has: nobody reads them, and the tests find none. */
export const unknown = /** @type {Set<string>} */ (new Set());

/** The names of values that are counted: where one of them is 1, `KEY.one` is said, if there is one. */
const COUNTS = ["n", "count", "amount", "stops", "needed", "strength"];

/** The words for a key, with {names} filled in; nothing where there are none (yet).
 * @param {string} key @param {Record<string, string | number | boolean | null | undefined>} [values] */
export function say(key, values = {}) {
  const one = COUNTS.some((name) => Number(values[name]) === 1);
  const text = (one && wordOrNull(`${key}.one`)) || wordOrNull(key);
  if (text === null) {
    if (whole) unknown.add(key);
    return "";
  }
  return text.replace(/\{(\w+)\}/g, (/** @type {string} */ _, /** @type {string} */ name) => String(values[name] ?? ""),
  );
}

/** The same, or null where the word files have nothing. @param {string} key */
export const wordOrNull = (key) => words.value[key] ?? english[key] ?? null;

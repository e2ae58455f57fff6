// @ts-check
// The words of the hall: they stand in the catalogues of the table's page, under `wall.`.
import { say as said } from "../js/words.js";

/** @param {string} key @param {Record<string, string | number>} [gaps] @returns {string} */
export const say = (key, gaps) => said(`wall.${key}`, gaps);

// @ts-check
// What a view asks the server for as it opens.
import { useEffect, useState } from "../vendor/hooks.js";
import { get } from "./api.js";

/** What is found under a path, null until it is there; asked for again where the path or `again` changes.
 * @template {string} P
 * @param {P} path
 * @param {unknown} [again]
 * @returns {[import("./api.js").Got<P> | null, (found: import("./api.js").Got<P> | null) => void]} */
export function useFetched(path, again) {
  const [found, setFound] = useState(/** @type {import("./api.js").Got<P> | null} */ (null));
  useEffect(() => {
    get(path).then((answer) => answer.ok && setFound(answer.data));
  }, [path, again]);
  return [found, setFound];
}

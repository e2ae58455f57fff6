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

/** Does it now and every so often while the view is open. @param {() => unknown} look @param {number} ms */
export function useEvery(look, ms) {
  useEffect(() => {
    look();
    const timer = setInterval(look, ms);
    return () => clearInterval(timer);
  }, []);
}

/** What is found under a path, asked for every so often, null until it is there; how to ask at once, and when it came.
 * @template {string} P @param {P} path @param {number} ms
 * @returns {[import("./api.js").Got<P> | null, () => Promise<unknown>, number]} */
export function usePolled(path, ms) {
  const [[found, stamp], setFound] = useState(/** @type {[import("./api.js").Got<P> | null, number]} */ ([null, 0]));
  const load = () => get(path).then((answer) => answer.ok && setFound([answer.data, Date.now()]));
  useEvery(load, ms);
  return [found, load, stamp];
}

/** @typedef {import("./answers").CameraView & {stamp: number}} Seen what the camera sees, and when
 * @returns {Promise<Seen | null>} null where it gives no picture */
export async function cameraView() {
  const answer = await get("camera");
  return answer.ok && answer.data.picture ? { ...answer.data, stamp: Date.now() } : null;
}

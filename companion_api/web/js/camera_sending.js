// @ts-check
// Whether this phone is the camera just now. It stays so while other tabs are looked at, until somebody stops it.
import { signal } from "../vendor/signals.js";

/** @typedef {{video: HTMLVideoElement, told: string, stop: () => void}} Sending */
export const sending = signal(/** @type {Sending | null} */ (null));

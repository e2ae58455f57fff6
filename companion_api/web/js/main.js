// @ts-check
import { h, render } from "../vendor/preact.js";
import { App, warmUp } from "./parts/app.js";
import { joinOnLoad } from "./joining.js";
import { loadWords } from "./words.js";

const root = /** @type {HTMLElement} */ (document.getElementById("app"));
await Promise.all([joinOnLoad(), loadWords()]);
root.replaceChildren();
render(h(App, null), root);
warmUp();
if (location.hash.startsWith("#let=")) import("./admit_screen.js").then((m) => m.letIn());
if ("serviceWorker" in navigator && window.isSecureContext) navigator.serviceWorker.register("sw.js");

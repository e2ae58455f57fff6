import { h, render } from "../vendor/preact.js";
import { App, prefetchViews } from "./parts/app.js";
import { joinOnLoad } from "./join.js";
import { loadWords } from "./words.js";

const root = /** @type {HTMLElement} */ (document.getElementById("app"));
await Promise.all([joinOnLoad(), loadWords()]);
root.replaceChildren();
render(h(App, null), root);
prefetchViews();
if (location.hash.startsWith("#let=")) import("./admit_screen.js").then((m) => m.letIn());
if ("serviceWorker" in navigator && window.isSecureContext) navigator.serviceWorker.register("sw.js");

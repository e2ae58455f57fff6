// @ts-check
import { h, render } from "../vendor/preact.js";
import { App } from "./parts/app.js";
import { refresh } from "./state.js";
import { listen } from "./stream.js";
import { joinByAddress } from "./joining.js";
import { loadWords } from "./words.js";

const root = /** @type {HTMLElement} */ (document.getElementById("app"));
await loadWords();
const joined = (await joinByAddress()) || (await refresh());
if (joined) listen();
root.replaceChildren();
render(h(App, null), root);
if ("serviceWorker" in navigator && window.isSecureContext) navigator.serviceWorker.register("sw.js");

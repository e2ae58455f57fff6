// @ts-check
import { h, render } from "../vendor/preact.js";
import { App, warmUp } from "./parts/app.js";
import { refresh } from "./state.js";
import { listen } from "./stream.js";
import { joinByAddress } from "./joining.js";
import { loadWords } from "./words.js";

const root = /** @type {HTMLElement} */ (document.getElementById("app"));
const [joined] = await Promise.all([joinByAddress().then((done) => done || refresh()), loadWords()]);
if (joined) listen();
root.replaceChildren();
render(h(App, null), root);
warmUp();
if ("serviceWorker" in navigator && window.isSecureContext) navigator.serviceWorker.register("sw.js");

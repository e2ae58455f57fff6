// @ts-check
// The director's desk: the doors of the hall.
import { ask, el } from "./dom.js";
import { say } from "./words.js";

/** @param {HTMLElement} main */
export function desk(main) {
  const doors = el("div", { class: "doors" });
  main.append(doors);
  const draw = async () => {
    const found = await ask("invitations");
    doors.replaceChildren(...["guest", "umpire", "table", "director"].map((role) => door(role, found[role], draw)));
  };
  void draw();
  return () => {};
}

/** @param {string} role @param {{code: string, link: string}} way @param {() => Promise<void>} again */
function door(role, way, again) {
  const renew = async () => {
    await ask(`invitations/${role}/renew`, {});
    await again();
  };
  const qr = el("img", { class: "qr", src: `api/invitations/${role}.svg?${way.code}`, alt: `QR: ${way.link}` });
  const how = role === "table" ? [qr, el("p", {}, say("start_table"), ":"), el("code", {}, `companion serve --hall '${way.link}' --table-name '…'`)] : [qr, el("p", { class: "code" }, way.code), el("code", {}, way.link)];
  return el("section", {}, el("h2", {}, say(`role_${role}`)), how, el("p", {}, el("button", { onclick: renew }, say("renew"))));
}

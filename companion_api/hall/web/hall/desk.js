// @ts-check
// The director's desk: the doors of the hall.
import { ask, el, send } from "./dom.js";
import { say } from "./words.js";

/** @import { Door, Doors, KnownStation } from "./answers" */

/** @param {HTMLElement} main */
export function desk(main) {
  const doors = el("div", { class: "doors" });
  const came = el("section", {});
  main.append(doors, came);
  void inside(came);
  const draw = async () => {
    const found = await ask("invitations");
    doors.replaceChildren(.../** @type {(keyof Doors)[]} */ (["guest", "umpire", "table", "director"]).map((role) => door(role, found[role], draw)));
  };
  void draw();
  return () => {};
}

/** @param {string} role @param {Door} way @param {() => Promise<void>} again */
function door(role, way, again) {
  const renew = async () => {
    await send(`invitations/${role}/renew`, {});
    await again();
  };
  const qr = el("img", { class: "qr", src: `api/invitations/${role}.svg?${way.code}`, alt: `QR: ${way.link}` });
  const how = role === "table" ? [qr, el("p", {}, say("start_table"), ":"), el("code", {}, `companion serve --hall '${way.link}' --table-name '…'`)] : [qr, el("p", { class: "code" }, way.code), el("code", {}, way.link)];
  return el("section", {}, el("h2", {}, say(`role_${role}`)), how, el("p", {}, el("button", { onclick: renew }, say("renew"))));
}

/** The tables that have come in, and how one is shut out. @param {HTMLElement} place */
async function inside(place) {
  const found = await ask("stations");
  const shut = (/** @type {KnownStation} */ table) => async () => {
    if (!confirm(say("shut_out_sure", { who: table.name }))) return;
    await send(`stations/${table.station}/shut_out`, {});
    await inside(place);
  };
  place.replaceChildren(el("h2", {}, say("came_in")), el("ul", { class: "stations" }, found.map((table) =>
    el("li", {}, el("span", {}, table.name), " ", table.shut_out ? el("em", {}, say("is_shut_out")) : el("button", { onclick: shut(table) }, say("shut_out"))))));
}

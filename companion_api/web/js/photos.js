// Photographs of people's own pieces on the boards, where there are enough of them and somebody wants them.
import { get } from "./api.js";
import { board, photos } from "./state.js";

const EVERY_MS = 10_000;
/** What the server said last: whether there are enough, and which there are.
 * @type {import("./answers").OwnPieces | null} */
let found = null;

/** By what its visible side shows. @param {import("./parts/piece.js").Laid} p */
function lookOf(p) {
  const [suit, value] = [p.kind === "tile" ? p.face === "front" : p.face === "back", p.face === "front"];
  return [p.kind, (suit && p.suit) || "-", (value && p.value) || "-", p.face ?? "-"].join(".");
}

/** Whether the switch does anything at this table. */
export async function lookForPhotos() {
  const answer = await get("pieces");
  if (!answer.ok) return false;
  const same = JSON.stringify(answer.data) === JSON.stringify(found);
  found = answer.data;
  if (!same || !photos.value) show();
  return Boolean(found?.enough);
}

/** Boards are drawn with them, or as ever. */
function show() {
  const { enough, known } = found ?? { enough: false, known: {} };
  const wanted = localStorage.getItem("photos") === "yes" && enough;
  photos.value = wanted ? (p) => (known[lookOf(p)] ? `api/pieces/${lookOf(p)}?${known[lookOf(p)]}` : "") : null;
}

/** @param {boolean} on */
export function switchPhotos(on) {
  localStorage.setItem("photos", on ? "yes" : "no");
  show();
}

setInterval(() => board.value && localStorage.getItem("photos") === "yes" && lookForPhotos(), EVERY_MS);

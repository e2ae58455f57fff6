// What lies beside the board: hands, spent heaps and supplies, and the players with what they have.
import { html } from "../html.js";
import { board, openActions, shownLayout } from "../state.js";
import { tap } from "../actions.js";
import { Sign } from "../glyphs.js";
import { personName, seatName } from "../seats.js";
import { say } from "../words.js";
import { pieceWords } from "../piece_names.js";
import { grip, lift, marks } from "./cells.js";
import { Piece } from "./piece.js";

/** Everybody with suit, points and coins; whose turn it is, and who is out. */
export function Players() {
  const { seats, turn, outcome, scores } = board.value;
  if (seats.length < 2) return null;
  const rich = seats.some(({ seat }) => coinsOf(seat));
  return html`<ul class="players" aria-label=${say("players.all")}>${seats.map((seat) => {
    const active = turn.seats.includes(seat.seat) && !outcome.over;
    const coins = coinsOf(seat.seat);
    return html`<li key=${seat.seat}
      class="${active ? "active" : ""} ${seat.out ? "out" : ""} ${outcome.winners.includes(seat.seat) ? "won" : ""}">
      ${Sign(seat.suit)}<span class="name">${personName(seat)}${outcome.winners.includes(seat.seat) ? " ★" : ""}</span>
      ${scores.length ? html`<b aria-label=${say("player.points", { n: scores[seat.seat] })}>${scores[seat.seat]}
      </b>` : rich ? html`<b aria-label=${say("player.coins", { n: coins })}>${coins}
      <svg class="sign" viewBox="-.5 -.5 1 1" aria-hidden="true"><circle r=".4" class="money" /></svg></b>` : null}
      ${seat.out ? html`<small>${say("player.out")}</small>` : active ? html`<span class="live">
      ${say("player.to_play")}</span>` : null}</li>`;
  })}</ul>`;
}

/** How many coins a player has in hand. @param {number} seat */
export const coinsOf = (seat) =>
  shownLayout.value.pieces.filter((p) => p.kind === "coin" && p.zone === "hand" && p.seat === seat).length;

/** Hands, spent heaps and supplies as rows below the board. @param {import("../answers").LaidPiece[]} pieces */
export function Zones(pieces) {
  const { you } = board.value;
  const keys = [...new Set(pieces.filter((p) => p.zone !== "board").map((p) => `${p.zone}|${p.seat ?? ""}`))].sort(
    (a, b) => first(b, you.seat) - first(a, you.seat),
  );
  return html`<div class="zones">${keys.map((key) => {
    const [zone, seat] = key.split("|");
    const own = pieces.filter((p) => p.zone === zone && String(p.seat ?? "") === seat);
    const title = `${say(`zone.${zone}`)}${seat === "" ? "" : ` · ${seatName(Number(seat))}`}`;
    return html`<figure key=${key}><figcaption>${title}</figcaption>${own.map(Small)}</figure>`;
  })}</div>`;
}

/** What is one's own comes first, a hand before a supply. @param {string} key @param {number | null} seat */
const first = (key, seat) => Number(key.endsWith(`|${seat}`)) + Number(key === `hand|${seat}`);

/** @param {import("../answers").LaidPiece} piece */
function Small(piece) {
  const half =
    { tile: 1.05, card: 1.8, coin: 0.42, die: 0.3, pawn: 0.52, pyramid: 0.75 }[/** @type {string} */ (piece.kind)] ??
    1;
  const flat = { ...piece, position: /** @type {[number, number]} */ ([0, 0]), level: 0, angle_deg: 0 };
  const touchable = openActions.value.some((item) => item.touches.includes(piece.code));
  return html`<button key=${piece.key} class="small ${marks(piece.code)} ${grip(piece.code) ? "grip" : ""}"
    onPointerDown=${grip(piece.code) ? (/** @type {PointerEvent} */ event) => lift(piece.code, piece, event) : null}
      disabled=${!touchable} aria-label=${pieceWords(piece)}
    onClick=${() => (document.querySelector(".pan")?.scrollIntoView({ block: "nearest" }), tap(piece.code))}>
      <svg viewBox="${-half} ${-half} ${2 * half} ${2 * half}" aria-hidden="true">${Piece(flat)}</svg></button>`;
}

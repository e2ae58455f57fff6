// @ts-check
// Tournaments: pairings and tables, the standings with their ties, and the director's corrections.
import { ask, el, send, typed } from "./dom.js";
import { grid } from "./lists.js";
import { keptFresh } from "./wall.js";
import { say } from "./words.js";

/** @param {HTMLElement} main */
export function tournaments(main) {
  let writing = false;
  let asked = 0;
  /** An answer that comes late takes away neither what was drawn since nor what is being written. */
  const draw = async () => {
    if (writing) return;
    const own = ++asked;
    const { tournaments: found, director, games } = await ask("tournaments");
    if (writing || own !== asked) return;
    const made = found.map((t) => one(t, director, draw));
    main.replaceChildren(...(made.length ? made : [el("p", { class: "empty" }, say("no_tournament"))]), ...(director ? [fresh(games, draw, (on) => (writing = on))] : []));
  };
  return keptFresh(main, () => void draw().catch(() => {}), 10_000);
}

/** @import { GameForMany, TournamentStanding, PairingTold, TournamentShown } from "./answers" */

/** @param {TournamentShown} t @param {boolean} director @param {() => Promise<void>} again */
function one(t, director, again) {
  const rows = t.standings.map((s) => [s.place, s.name, s.points, ...s.ties, s.played]);
  const next = async () => {
    try {
      await send(`tournaments/${t.id}/rounds`, { version: t.version });
    } catch (error) {
      problem.textContent = /** @type {Error} */ (error).message;
      return;
    }
    await again();
  };
  const problem = el("p", { class: "bad", role: "alert" });
  return el("section", {}, el("h2", {}, `${t.name} · ${t.game} · ${say(`kind_${t.kind}`)}`),
    [...t.rounds].reverse().map((round) => el("section", {}, el("h3", {}, say("round", { n: round.number })), round.pairings.map((p) => pairing(t, round.number, p, director, again)))),
    director && t.may_pair && el("p", {}, el("button", { class: "go", onclick: next }, say("next_round"))), problem,
    grid([say("place"), say("player"), say("points"), ...t.ties.map((tie) => say(`tie_${tie}`)), say("games")], rows, 2), el("small", {}, `${say("ties")}: ${t.ties.map((tie) => say(`tie_${tie}`)).join(", ")}`), t.unmet > 0 && el("p", {}, el("small", {}, say("unmet", { n: t.unmet }))));
}

/** @param {TournamentShown} t @param {number} round @param {PairingTold} p @param {boolean} director @param {() => Promise<void>} again */
function pairing(t, round, p, director, again) {
  const [first, ...others] = p.players;
  if (!others.length) return el("div", { class: "pairing" }, el("span", {}, first), el("span", {}, say("bye")), el("span", {}));
  const written = p.result ?? say("open");
  const set = typed((value) => {
    sending = sending.then(() => correct(t, round, first, value || null)).then(again);
  });
  const choice = () => el("select", { "aria-label": `${say("correct")}: ${p.players.join(", ")}`, onchange: set }, ["", ...p.results].map((r) => el("option", { value: r, selected: (p.corrected ?? "") === r }, r || `${written}`)));
  const where = el("span", { class: "where" }, director ? choice() : written, el("br"), p.table ?? "");
  if (others.length === 1) return el("div", { class: "pairing" }, el("span", {}, first), where, el("span", {}, others[0]));
  return el("div", { class: "pairing many" }, el("span", {}, p.players.join(" · ")), where);
}

let sending = Promise.resolve();

/** One after the other: each says which version it has seen. @param {TournamentShown} t @param {number} round @param {string} first @param {string | null} result */
async function correct(t, round, first, result) {
  try {
    t.version = (await send(`tournaments/${t.id}/results`, { version: t.version, round, first, result })).version;
  } catch (error) {
    alert(/** @type {Error} */ (error).message);
  }
}

/** @param {GameForMany[]} games @param {() => Promise<void>} again @param {(on: boolean) => void} writing */
function fresh(games, again, writing) {
  const [name, people, rounds] = [el("input", { required: true, maxlength: 60 }), el("textarea", { rows: 6, required: true }), el("input", { type: "number", min: 1, max: 30, value: 5 })];
  const kind = el("select", {}, ["swiss", "round_robin"].map((k) => el("option", { value: k }, say(`kind_${k}`))));
  const seats = el("select", {});
  const fill = () => seats.replaceChildren(...(games.find((g) => g.id === game.value) ?? games[0]).seats.map((n) => el("option", { value: n }, String(n))));
  const game = el("select", { onchange: fill }, games.map((g) => el("option", { value: g.id }, g.name)));
  fill();
  const problem = el("p", { class: "bad", role: "alert" });
  const begin = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      await send("tournaments", { name: name.value, kind: /** @type {TournamentShown["kind"]} */ (kind.value), game: game.value, rounds: Number(rounds.value), seats: Number(seats.value), players: people.value.split("\n").map((l) => l.trim()).filter(Boolean) });
      writing(false);
      await again();
    } catch (error) {
      problem.textContent = /** @type {Error} */ (error).message;
    }
  };
  return el("details", { ontoggle: (/** @type {Event} */ e) => writing(/** @type {HTMLDetailsElement} */ (e.currentTarget).open) }, el("summary", {}, say("new_tournament")), el("form", { onsubmit: begin },
    el("label", {}, say("title"), name), el("label", {}, say("game"), game), el("label", {}, say("at_a_table"), seats), el("label", {}, kind), el("label", {}, say("rounds"), rounds), el("label", {}, say("people"), people), el("button", { class: "go" }, say("begin")), problem));
}

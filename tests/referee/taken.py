"""How often `fit_position` finds the position of a table, over all games and all kinds of illegal acts:
`python -m tests.referee.taken [SEEDS [GAME ...]]`.

Exact: the layout of the position found is the table. Near: it is except for pieces that are named, to be corrected by
hand (an extra piece, a tile turned over: no position of the game has such a table).
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

from companion_api.simulated.incidents import KINDS, staged_at
from companion_api.simulated.synthetic import Noise, Onlooker
from rules.engine.history import History
from rules.games import IDS, game
from rules.pieces import Kind
from rules.referee.position_fit import UnclearTableError, fit_position
from rules.referee.referee import Referee
from rules.table.layout import Layout


@dataclass(frozen=True, slots=True)
class FitTrial:
    """An act, the result ("exact", "near" or "unclear"), and the thread time it took."""

    kind: str
    found: str
    left: int
    seconds: float


def piece_poses(layout: Layout) -> list[str]:
    """Appearance and place of each piece on the board; pieces on a named place may be anywhere on it."""
    sheets = (Kind.TILE, Kind.CARD)
    named = [(p, p.place if p.place and p.piece.kind not in sheets else "") for p in layout.board]
    return sorted(
        f"{p.shown.code} {p.face} {p.pose} {place or (round(p.x * 2) / 2, round(p.y * 2) / 2)}" for p, place in named
    )


def played_history(name: str, plies: int, seed: int) -> tuple[History, random.Random]:
    history, rng = History.begin(game(name)), random.Random(seed)
    for _ in range(plies):
        if not history.game.turn(history.state).is_over:
            history = history.play(history.game.sample(history.state, rng))
    return history, rng


def fit_trial(name: str, kind: str, plies: int, seed: int) -> FitTrial | None:
    """None where the act is not possible."""
    history, rng = played_history(name, plies, seed)
    act = None if history.game.turn(history.state).is_over else staged_at(history.game, history.state, kind, rng)
    if act is None:
        return None
    onlooker = Onlooker(seed, Noise(jitter=0.02))
    referee = Referee(history.game, history, pose=onlooker.board)
    before = onlooker.see(history.game.layout(history.state))
    referee.begin(before.table)
    referee.look(before)
    seen = onlooker.see(act.layout)
    since = time.thread_time()
    try:
        position = fit_position(history, referee.memory, seen.table)
    except UnclearTableError:
        return FitTrial(kind, "unclear", 0, time.thread_time() - since)
    same = piece_poses(history.game.layout(position.state)) == piece_poses(act.layout)
    exact = same and not position.remaining
    return FitTrial(kind, "exact" if exact else "near", len(position.remaining), time.thread_time() - since)


def fit_trials(name: str, seeds: int) -> Iterator[FitTrial]:
    for seed in range(seeds):
        for kind in KINDS:
            found = fit_trial(name, kind, (30 if name == "decay" else 6) + 5 * seed, seed)
            if found is not None:
                yield found


def main() -> None:
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    print("| game | acts | exact | near | unclear | p50 | longest |\n|---|---|---|---|---|---|---|")
    for name in sys.argv[2:] or IDS:
        found = list(fit_trials(name, seeds))
        counts = [sum(one.found == what for one in found) for what in ("exact", "near", "unclear")]
        spent = sorted(one.seconds for one in found) or [0.0]
        times = f"{spent[len(spent) // 2]:.1f} s | {spent[-1]:.1f} s"
        print(f"| {name} | {len(found)} | {' | '.join(map(str, counts))} | {times} |", flush=True)
        print("\n".join(f"  {one}" for one in found if one.found != "exact"), file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()

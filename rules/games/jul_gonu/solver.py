"""Perfect play for Jul-Gonu: all positions solved backwards once (seven seconds and 80 MB from
four coins each, half a second once each has lost one; kept), then looked up.

The shuttle, ko and repetition rules are left out of the solution, because they look at the past; a hint never runs
into them where it can be helped.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from rules.engine import Action
from rules.engine.coin_steps import best_move, number
from rules.engine.retrograde import WON, Values, solve
from rules.games.jul_gonu.deeds import captured_by
from rules.games.jul_gonu.game import GAME
from rules.games.jul_gonu.opening import BOARD, COINS, GOAL, State

_FEWEST = COINS - GOAL + 1


def hint(state: State) -> Action | None:
    def repeats(after: State) -> int:
        return after.seen.count(number(after.coins, after.to_act)) + len(after.trails[state.to_act])

    return best_move(GAME, state, value, repeats)


def value(state: State) -> int | None:
    """n > 0: the side to move wins in n plies; n <= 0: it has lost in -n; None: neither side can win."""
    own, other = state.coins[state.to_act], state.coins[1 - state.to_act]
    most = max(own.bit_count(), other.bit_count())
    return solution(most, state.options.stalemate).get(BOARD.key(own, other))


@cache
def solution(most: int = COINS, stalemate: str = "pass") -> Values:
    """The value of every position with two to `most` coins on either side, one for eight that look alike."""
    passes = stalemate == "pass"
    return solve(_positions(most), lambda position: _moves(position >> 16, position & BOARD.full, passes))


def _positions(most: int) -> Iterator[int]:
    counts = range(_FEWEST, most + 1)
    everything = [spaces for count in counts for spaces in BOARD.sets(count)]
    for own in everything:
        if BOARD.canonical(own, 0)[0] != own:
            continue
        for other in everything:
            if not own & other and BOARD.canonical(own, other)[1] == other:
                yield own << 16 | other


def _moves(own: int, other: int, passes: bool) -> Iterator[int]:
    stuck = True
    for source, target in BOARD.steps(own, BOARD.full & ~(own | other)):
        stuck = False
        after = own ^ source ^ target
        taken = captured_by(after, other, target)
        left = other & ~taken
        yield WON if left.bit_count() < _FEWEST else BOARD.key(left, after)
    if stuck and passes:
        yield BOARD.key(other, own)

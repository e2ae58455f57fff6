"""Perfect play for Quatri: all positions solved backwards once (about a second, 35 MB; kept), then looked up.

The repetition rule is left out of the solution: it can only turn what neither side can win into a draw.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from rules.engine import Action
from rules.engine.coin_steps import best_move, number
from rules.engine.retrograde import WON, Values, solve
from rules.games.quatri.game import GAME
from rules.games.quatri.opening import BOARD, State, line_in


def hint(state: State) -> Action | None:
    return best_move(GAME, state, value, lambda after: after.seen.count(number(after.coins, after.to_act)))


def value(state: State) -> int | None:
    """n > 0: the side to move wins in n plies; n <= 0: it has lost in -n; None: neither side can win."""
    own, other = state.coins[state.to_act], state.coins[1 - state.to_act]
    return solution(own.bit_count(), other.bit_count(), state.options.stalemate).get(BOARD.key(own, other))


@cache
def solution(own: int, other: int, stalemate: str) -> Values:
    """Values of the positions with these numbers of coins for the side to move and for the other."""
    passes = stalemate == "pass"
    return solve(_positions(own, other), lambda position: _moves(position >> 16, position & BOARD.full, passes))


def _positions(own: int, other: int) -> Iterator[int]:
    """Positions without a line, one of each eight that are symmetric; with both counts if they differ."""
    for mine, theirs in {(own, other), (other, own)}:
        second = [spaces for spaces in BOARD.sets(theirs) if not line_in(spaces)]
        for first in BOARD.sets(mine):
            if line_in(first) or BOARD.canonical(first, 0)[0] != first:
                continue
            for spaces in second:
                if not first & spaces and BOARD.canonical(first, spaces)[1] == spaces:
                    yield first << 16 | spaces


def _moves(own: int, other: int, passes: bool) -> Iterator[int]:
    stuck = True
    for source, target in BOARD.steps(own, BOARD.full & ~(own | other)):
        stuck = False
        after = own ^ source ^ target
        yield WON if line_in(after) else BOARD.key(other, after)
    if stuck and passes:
        yield BOARD.key(other, own)

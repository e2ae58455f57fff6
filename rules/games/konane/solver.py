"""Perfect play for Konane by search on demand: half a second and 160,000 positions for a hint at the opening, less
later on; positions are cached.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from rules.engine import Action
from rules.games.konane.deeds import LINES
from rules.games.konane.game import GAME
from rules.games.konane.opening import BIT, SPACES, State

KEPT = 500_000
"""Size of the cache in positions, at about 150 bytes each; the first turn `anywhere` leads to 360,000."""


def hint(state: State) -> Action | None:
    """A winning turn; without one, the turn with the fewest winning answers."""
    return min(GAME.legal(state), key=lambda action: _winning_answers(GAME.advance(state, action)), default=None)


def value(state: State) -> int | None:
    """1: the side to move wins; 0: it has lost. Turns are not counted."""
    if state.removing:
        return int(any(not value(GAME.advance(state, action)) for action in GAME.legal(state)))
    return int(_wins(state.board, state.to_act))


def _winning_answers(state: State) -> int:
    return sum(not value(GAME.advance(state, action)) for action in GAME.legal(state))


@lru_cache(maxsize=KEPT)
def _wins(board: int, seat: int) -> bool:
    """Whether the side to move wins. The owner of a coin follows from its space, so the full spaces are the whole
    position.
    """
    return any(not _wins(after, 1 - seat) for after in _after(board, seat))


def _after(board: int, seat: int) -> Iterator[int]:
    for start, lines in _LINES[seat]:
        if board & start:
            for line in lines:
                left = board ^ start
                for over, behind in line:
                    if not left & over or left & behind:
                        break
                    left ^= over
                    yield left | behind


def _jump_lines(name: str) -> tuple[tuple[tuple[int, int], ...], ...]:
    """By direction: the spaces jumped over and landed on, jump after jump."""
    lines = [[BIT[place] for place in line] for line in LINES[name]]
    return tuple(tuple(zip(bits[::2], bits[1::2], strict=False)) for bits in lines)


_LINES = tuple(tuple((bit, _jump_lines(name)) for name, bit in BIT.items() if bit & spaces) for spaces in SPACES)
"""The jumps from the spaces of each player."""

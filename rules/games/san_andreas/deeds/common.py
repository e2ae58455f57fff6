"""What several deeds say and tell: suits and values that there are not, spaces that cannot be named."""

from __future__ import annotations

from rules.engine import Code, Refusal
from rules.engine.open_grid import cell_of
from rules.games.san_andreas.opening import State
from rules.pieces import SUITS, Rank, Suit, parse_rank
from rules.sentence import Sentence


def bad(clause: str, text: Sentence, given: str) -> Refusal:
    return Refusal(Code.BAD_ARGUMENT, clause, text, {"given": given[:20]})


def suit_named(text: str) -> Suit | None:
    return next((suit for suit in SUITS if suit.value == text), None)


def rank_named(text: str) -> Rank | None:
    try:
        return parse_rank(text)
    except ValueError:
        return None


def city_on(state: State, place: str) -> int:
    """Which city stands there; only asked where there is one."""
    index = state.city_at(cell_of(place) or (0, 0))
    assert index is not None, "only legal actions are applied"
    return index

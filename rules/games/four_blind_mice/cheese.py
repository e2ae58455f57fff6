"""The cheeses and the mice by their names: what waits, what lies covered, which suits a turned coin can be."""

from __future__ import annotations

from rules.games.four_blind_mice.opening import Cheese, State, Where
from rules.pieces import SUITS, Piece, Rank, Suit, coin, parse_rank, pawn

MOUSE_OF: dict[str, int] = {pawn(suit).code: number for number, suit in enumerate(SUITS)}


def cheese_value(text: str) -> Rank | None:
    """What a cheese is worth, by its digit or word, also as the coin that shows it (c?0)."""
    try:
        rank = parse_rank(text[-1:] if text.startswith("c") else text)
    except ValueError:
        return None
    return rank if rank in (Rank.NULL, Rank.ACE) else None


def waiting_values(state: State) -> list[Rank]:
    return sorted({cheese.rank for cheese in state.cheeses if cheese.where is Where.SUPPLY})


def waiting_mice(state: State) -> list[Suit]:
    return [suit for suit, cell in zip(SUITS, state.mice, strict=True) if cell is None]


def covered(state: State) -> list[int]:
    return [
        number for number, cheese in enumerate(state.cheeses) if cheese.where is Where.BOARD and number != state.target
    ]


def open_to_choice(state: State) -> list[int]:
    """The cheeses that may be uncovered; the bar falls if there is no other (MICE-9.1)."""
    found = covered(state)
    return [number for number in found if number != state.barred] or found


def possible_suits(state: State) -> list[Suit]:
    """What the uncovered coin can be: of each suit there is one null and one ace."""
    assert state.target is not None
    rank = state.cheeses[state.target].rank
    seen = {cheese.suit for cheese in state.cheeses if cheese.rank is rank}
    return [suit for suit in SUITS if suit not in seen]


def with_cheese(state: State, number: int, cheese: Cheese) -> tuple[Cheese, ...]:
    return (*state.cheeses[:number], cheese, *state.cheeses[number + 1 :])


def shown(state: State, number: int) -> Piece:
    """What may be told of a cheese: its suit only when it is public."""
    cheese = state.cheeses[number]
    return coin(cheese.suit if cheese.public else None, cheese.rank)

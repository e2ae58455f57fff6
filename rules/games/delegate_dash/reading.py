"""Names in actions and positions: candidates, states, markers, regions. None for what is no name."""

from __future__ import annotations

from rules.games.delegate_dash.chart import (
    BY_NAME,
    CANDIDATES,
    COINS,
    LETTERS,
    REGION_OF,
    REGION_SUITS,
    region_of_marker,
)
from rules.games.delegate_dash.opening import State
from rules.pieces import parse_rank, parse_suit


def candidate_of(text: str) -> int | None:
    """north, or N."""
    word = text.strip().lower()
    for candidate, name in enumerate(CANDIDATES):
        if word in (name, name[0]):
            return candidate
    return None


def region_of(text: str) -> int | None:
    """suns, or S."""
    try:
        return REGION_SUITS.index(parse_suit(text))
    except ValueError:
        return None


def place_of(state: State, text: str) -> int | None:
    """A state by its place (d5) or by its tile (An, S4)."""
    if text in BY_NAME:
        return BY_NAME[text]
    if len(text) != 2 or text[0] not in LETTERS or text[1] not in "na012345":
        return None
    value, region = int(parse_rank(text[1])), LETTERS.index(text[0])
    cells = (cell for cell, own in enumerate(REGION_OF) if own == region and state.tiles[cell] == value)
    return next(cells, None)


def marker_of(state: State, text: str) -> int | None:
    """A coin of which the value has been seen (cA5), or a pawn (pA)."""
    if len(text) == 2 and text[0] == "p" and text[1] in LETTERS:
        return COINS + LETTERS.index(text[1])
    if len(text) != 3 or text[0] != "c" or text[1] not in LETTERS or text[2] not in "012345":
        return None
    region, value = LETTERS.index(text[1]), int(text[2])
    coins = (coin for coin in range(COINS) if region_of_marker(coin) == region and state.ranks[coin] == value)
    return next(coins, None)

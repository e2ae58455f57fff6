"""Names in actions and positions: candidates, states, markers, regions. None for what is no name."""

from __future__ import annotations

from rules.games.delegate_dash.chart import (
    BY_NAME,
    CANDIDATES,
    COINS,
    LETTERS,
    REGION_OF,
    REGION_SUITS,
    WORTHS,
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
    """A coin of which the value has been seen, by its value (cA5) or its delegates (A50), or a pawn (pA)."""
    if len(text) == 2 and text[0] == "p" and text[1] in LETTERS:
        return COINS + LETTERS.index(text[1])
    found = coin_of(text)
    if found is None:
        return None
    region, value = found
    coins = (coin for coin in range(COINS) if region_of_marker(coin) == region and state.ranks[coin] == value)
    return next(coins, None)


def coin_of(text: str) -> tuple[int, int] | None:
    """Region and value: cS1 is the ace of suns, and so is S10; S1 is worth one delegate, the null."""
    if len(text) == 3 and text[0] == "c" and text[1] in LETTERS and text[2] in "012345":
        return LETTERS.index(text[1]), int(text[2])
    if text[:1] in tuple(LETTERS) and text[1:] in WORTHS:
        return LETTERS.index(text[0]), WORTHS[text[1:]]
    return None

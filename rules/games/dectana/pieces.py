"""The pieces of Dectana and where they lie, as layout and effects name them."""

from __future__ import annotations

from rules.engine import Spot
from rules.engine.open_grid import Cell, name_of
from rules.games.dectana.ground import PITCH, UNKNOWN
from rules.games.dectana.opening import State
from rules.pieces import Piece, card, pyramid
from rules.pieces.piece import LOONEY_SIZES
from rules.table.layout import Zone

FIFTH = "white"  # the colour of a fifth player, who has no suit


PILE = Spot("draw pile", zone=Zone.SUPPLY)


DISCARD = Spot("discard pile", zone=Zone.SPENT)


def card_piece(mark: str) -> Piece:
    return card(None if mark == UNKNOWN else mark)


def pyramid_piece(state: State, seat: int, size: int) -> Piece:
    suit = state.suits[seat]
    return pyramid(suit, LOONEY_SIZES[size - 1], None if suit else FIFTH)


def spot(cell: Cell) -> Spot:
    return Spot(name_of(cell), cell[0] * PITCH, cell[1] * PITCH)


def hand(seat: int) -> Spot:
    return Spot(zone=Zone.HAND, seat=seat)


def stash(seat: int) -> Spot:
    return Spot(zone=Zone.SUPPLY, seat=seat)

"""Dice and values in actions: one form is written, and the forms of earlier records are read."""

from __future__ import annotations

from typing import Any

import pytest

from rules.engine.action import parse_action
from rules.engine.card import read_options, read_seats
from rules.engine.dice import all_throws, dice_of, read_dice, write_dice
from rules.engine.playout import walk
from rules.games import game
from rules.pieces import Rank, Suit
from tests.games.delegate_dash.positions import GAME as DASH
from tests.games.delegate_dash.positions import position

SUNS_MOONS = (Suit.SUNS, Suit.MOONS)


def test_what_is_written_is_read() -> None:
    for throw in all_throws(SUNS_MOONS):
        assert write_dice(read_dice(throw)) == throw
    assert len(set(all_throws(SUNS_MOONS))) == 36


@pytest.mark.parametrize("text", ["S0+M1", "Sn+Ma", "Snull+Mace", "0+1"])
def test_letters_words_and_bare_values_are_read(text: str) -> None:
    assert dice_of(SUNS_MOONS, text) == ((Suit.SUNS, Rank.NULL), (Suit.MOONS, Rank.ACE))


@pytest.mark.parametrize("text", ["", "S0", "M1+S0", "S0+M1+C2", "S6+M1", "S0+M", "0+6", "7", "S0+M1+", "+", "X0+M1"])
def test_other_dice_are_none(text: str) -> None:
    assert dice_of(SUNS_MOONS, text) is None


def _started(name: str, options: dict[str, object], phase: str = "") -> tuple[Any, Any]:
    """The first state of a random game that is in this phase."""
    room = game(name)
    states = (state for state, _ in walk(room, 1, options))
    return room, next(state for state in states if not phase or room.turn(state).phase == phase)


def _votes(told: str = "") -> tuple[Any, Any]:
    """A vote on the number in IceFloe, in which these votes have been told."""
    room = game("ice_floe")
    fields = {"pyramids": {"S-A": "a1", "M-A": "e1", "C-A": "a5", "A-A": "e5"}, "phase": "number"}
    seats = read_seats(room.card, None)
    state = room.position(fields, read_options(room.card.options_type, None), seats)
    return room, room.advance(state, parse_action(told)) if told else state


def _caucus(place: str) -> tuple[Any, Any]:
    """North and East roll for the coins of a state."""
    fields = {"tiles": {"A": "12345"}, "stake": {place: "50 1"}, "round": 1, "phase": "caucus"}
    return DASH, position(pawns={"N": place, "E": place}, **fields)


@pytest.mark.parametrize(
    ("where", "old", "new"),
    [
        (_started("ice_floe", {}), "roll(Sn+Ma+C3+A2)", "roll(S0+M1+C3+A2)"),
        (_started("ice_floe", {"choose_sets": True}), "take_set(n)", "take_set(0)"),
        (_votes(), "0:commit_number(n)", "0:commit_number(0)"),
        (_votes(), "reveal_number(Sn+Ma+C3+An)", "reveal_number(S0+M1+C3+A0)"),
        (_votes("reveal_number(S0+M1+C3+A0)"), "add_coin(a,n)", "add_coin(1,0)"),
        (_started("global_warming", {}, "select"), "0:commit(S,n)", "0:commit(S,0)"),
        (_started("global_warming", {}, "select"), "reveal(Sn+Ma+C-+A5)", "reveal(S0+M1+C-+A5)"),
        (_started("penguin", {"start_player": "roll"}, "roll"), "roll(3+0)", "roll(S3+M0)"),
        (_started("four_blind_mice", {"start_player": "roll"}, "roll"), "roll(3+0)", "roll(S3+M0)"),
        (_started("four_blind_mice", {}, "place_cheese"), "place_cheese(null,b2)", "place_cheese(0,b2)"),
        (_started("zombie", {}, "event"), "roll(Sn+Ma+A5)", "roll(S0+M1+A5)"),
        (_started("san_andreas", {}, "roll"), "roll(Sn+Ma+C2+A5)", "roll(S0+M1+C2+A5)"),
        (_started("delegate_dash", {}, "scatter"), "roll(3,5,0,2)", "roll(A3+S5+C0+M2)"),
        (_caucus("d7"), "dice(2,5)", "dice(A2+S5)"),
        (_started("fuji_san", {"layout": "2nnna244naa5/335a45235432"}, "roll"), "roll(1,2,0,5)", "roll(S1+M2+C0+A5)"),
    ],
    ids=lambda what: what if isinstance(what, str) else "",
)
def test_the_forms_of_earlier_records_do_the_same(where: tuple[Any, Any], old: str, new: str) -> None:
    room, state = where
    told, written = parse_action(old), parse_action(new)
    assert room.refusal(state, told) is None
    assert room.refusal(state, written) is None
    assert room.apply(state, told) == room.apply(state, written)
    assert room.advance(state, told) == room.advance(state, written)

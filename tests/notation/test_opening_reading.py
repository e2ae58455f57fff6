"""The opening that a record begins with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rules.engine import Action, Deed, Game, GameCard, Outcome, Refusal, Seat, Step, Turn, TurnKind, Verb
from rules.engine.action import DICE, Luck
from rules.engine.dice import all_throws, dice_of
from rules.engine.history import History
from rules.engine.turn import OVER, chance
from rules.notation.reader import read_games
from rules.notation.record_reading import opening_reading
from rules.notation.writer import write_game
from rules.pieces import RANKS, Suit, die
from rules.table.build import LayoutBuilder
from rules.table.layout import Layout, Zone


@dataclass(frozen=True, slots=True)
class Options:
    pass


@dataclass(frozen=True, slots=True)
class Thrown:
    shows: int | None = None


class Throw(Deed[Thrown]):
    verb = Verb.of("roll", "the die shows {dice}", "DICE-1.1", luck=Luck.ROLL, dice=DICE)

    def legal(self, state: Thrown) -> Iterable[Action]:
        return (Action("roll", (throw,)) for throw in all_throws((Suit.SUNS,)))

    def check(self, state: Thrown, action: Action) -> Refusal | None:
        return None

    def do(self, state: Thrown, action: Action) -> Step[Thrown]:
        ((_, rank),) = dice_of((Suit.SUNS,), action[0]) or ()
        return Step(Thrown(RANKS.index(rank)))


def layout_of(state: Thrown) -> Layout:
    build = LayoutBuilder()
    build.grid_of_backs(4, 4)
    build.aside(Zone.SUPPLY, die(Suit.SUNS, None if state.shows is None else RANKS[state.shows]), key="die")
    return build.layout()


def turn_of(state: Thrown) -> Turn:
    return chance() if state.shows is None else OVER


def opening_of(_options: Options, _seats: tuple[Seat, ...]) -> Thrown:
    return Thrown()


def read_position(_data: Any, _options: Options, _seats: tuple[Seat, ...]) -> Thrown:
    return Thrown()


GAME = Game(
    card=GameCard("dice", "Dice", (1,), Options, "DICE-1.1", "DICE-1.1", default_seats=1, turns=(TurnKind.CHANCE,)),
    state_type=Thrown,
    opening=opening_of,
    turn=turn_of,
    layout=layout_of,
    outcome=lambda state: Outcome(state.shows is not None),
    position=read_position,
    deeds=(Throw(),),
)


def test_a_die_that_waits_to_be_rolled_is_no_roll_in_our_own_records() -> None:
    """PPN writes a die whose face says nothing like a null."""
    history = History.begin(GAME).play(Action("roll", ("S3",)))
    (record,) = read_games(write_game(history))
    setup = next(played for played in record.play() if played.move.label == "setup.")
    found = opening_reading(record, GAME, setup.table)
    assert found is not None
    assert (found.state, found.trail) == (Thrown(), ())

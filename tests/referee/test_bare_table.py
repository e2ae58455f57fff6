"""Before any board lies there, dice are compared with the picture of the table."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import replace

import pytest

from rules.engine.history import History
from rules.engine.turn import TurnKind
from rules.games import game
from rules.pieces import SUITS, Kind, Rank, die
from rules.referee.dice import DiceState
from rules.referee.memory import Memory
from rules.referee.register import Registration
from rules.referee.step import after_correction, initial_memory, look
from rules.referee.tuning import TUNING
from rules.referee.verdict import Verdict, VerdictKind
from rules.table.evidence import ReferencePicture, TableEvidence
from rules.table.layout import Layout, Placed, Zone
from rules.table.observed import Beliefs, ObservedTable, Sighting
from tests.bench.trials.witness import PictureErrors, ToldDiff, ToldEvidence
from tests.referee.sightings import seen

DECAY = game("decay")
HERE = Registration()
SPOTS = ((5.0, -9.0), (-9.0, 5.0), (-5.0, 9.0), (9.0, -5.0))
"""Where the dice of suns, moons, crowns and arms lie, each in its owner's hand."""
LYING = (Rank.TWO, Rank.FIVE, Rank.FIVE, Rank.NULL)
"""What they show before anybody throws them."""

Die = tuple[int, Rank, float]
"""Whose it is, what it shows, and how far it has rolled."""


def dice_showing(*faces: Rank) -> list[Die]:
    return [(nth, face, 0.0) for nth, face in enumerate(faces)]


class ReplacedDice(ToldEvidence):
    """The eyes lay the table elsewhere at every look; the picture knows better."""

    def __init__(self, truth: Layout, shift: float) -> None:
        super().__init__(truth, HERE, PictureErrors(), random.Random(1))
        self._shift = shift

    def compared(self, with_: ReferencePicture, table: ObservedTable) -> ToldDiff | None:
        back = tuple(replace(seen, x=seen.x - self._shift) for seen in table.sightings)
        return super().compared(with_, replace(table, sightings=back))


def hands() -> list[Sighting]:
    """Everybody's tiles, coins and pawns."""
    layout = DECAY.layout(History.begin(DECAY).state)
    return [
        Sighting(
            p.piece.kind,
            p.x,
            p.y,
            p.face,
            identities={(p.shown.suit, p.shown.rank): 1.0},
            zone=p.zone,
            seat=p.seat,
        )
        for p in layout
        if p.piece.kind is not Kind.DIE
    ]


def shown(dice: list[Die], missed: tuple[int, ...] = (), shift: float = 0.0, picture: bool = True) -> TableEvidence:
    there, seen = list[Placed](), [replace(one, x=one.x + shift) for one in hands()]
    for nth, face, rolled in dice:
        x, y = SPOTS[nth][0] + rolled, SPOTS[nth][1]
        there.append(Placed(die(SUITS[nth], face), f"die-{nth}", x, y))
        if nth not in missed:
            names: Beliefs = {(SUITS[nth], face): 1.0}
            seen.append(Sighting(Kind.DIE, x + shift, y, identities=names, zone=Zone.HAND, seat=nth))
    return TableEvidence(ObservedTable(tuple(seen)), ReplacedDice(Layout(tuple(there)), shift) if picture else None)


def action_ids(verdict: Verdict) -> list[str]:
    return [action.id for action in verdict.actions]


def test_a_die_that_was_missed_and_lies_still_was_not_thrown() -> None:
    history = History.begin(DECAY)
    opening = shown(dice_showing(*LYING), missed=(1, 2))
    settled, memory = look(history, initial_memory(history, Memory(), opening.table), opening)
    assert settled.kind is VerdictKind.SETTLED
    thrown = [*dice_showing(*LYING)[:2], (2, Rank.THREE, 1.0), *dice_showing(*LYING)[3:]]
    assert action_ids(look(history, memory, shown(thrown))[0]) == ["roll(C,3)"]
    by_eyes_alone = look(history, memory, shown(thrown, picture=False))[0]
    assert action_ids(by_eyes_alone) != ["roll(C,3)"], "else the picture is not needed"


@pytest.mark.parametrize("missed", [2, 6])
def test_coins_of_all_hands_that_are_missed_now_hide_no_throw(missed: int) -> None:
    """Of fifty things beside the board some are easily missed; of a throw that is seen it tells nothing."""
    history = History.begin(DECAY)
    opening = shown(dice_showing(*LYING))
    _, memory = look(history, initial_memory(history, Memory(), opening.table), opening)
    thrown = shown([(0, Rank.FOUR, -1.0), *dice_showing(*LYING)[1:]])
    coins = [seen for seen in thrown.table.sightings if seen.kind is Kind.COIN]
    seen = tuple(one for one in thrown.table.sightings if one not in coins[:missed])
    table = replace(thrown.table, sightings=seen)
    assert action_ids(look(history, memory, replace(thrown, table=table))[0]) == ["roll(S,4)"]


def test_dice_that_lie_still_do_not_move_because_the_table_is_laid_anew() -> None:
    history = History.begin(DECAY)
    opening = shown(dice_showing(*LYING))
    _, memory = look(history, initial_memory(history, Memory(), opening.table), opening)
    assert look(history, memory, shown(dice_showing(*LYING), shift=1.0))[0].kind is VerdictKind.SETTLED
    thrown = [(0, Rank.FOUR, -1.0), *dice_showing(*LYING)[1:]]
    assert look(history, memory, shown(thrown, shift=0.8))[0].action_id == "roll(S,4)"


def test_what_dice_show_when_people_tell_what_was_thrown_is_no_throw() -> None:
    """At the first look every die may have been thrown. Once people have said which, the others lay there."""
    before = History.begin(DECAY)
    first = [(0, Rank.FOUR, 0.0), *dice_showing(*LYING)[1:]]
    question, memory = look(before, Memory(), shown(first))
    assert question.action_id != "roll(S,4)"
    now = before.play(DECAY.read(before.state, "roll(S,4)"))
    memory = after_correction(before, now, memory, shown(first))
    assert look(now, memory, shown(first))[0].kind is VerdictKind.SETTLED
    second = [*first[:3], (3, Rank.ACE, 1.0)]
    assert look(now, memory, shown(second))[0].action_id == "roll(A,1)"


def test_a_die_is_not_thrown_by_being_read_otherwise_where_nothing_has_changed() -> None:
    places, five = TUNING.places, Sighting(Kind.DIE, 0.0, 0.0, identities={(SUITS[0], Rank.FIVE): 1.0})
    lay, now = DiceState(((((0.0, 0.0)), five),)), replace(five, identities={(SUITS[0], Rank.ACE): 0.19})
    lies = DiceState.of(ObservedTable((now,)), HERE)
    assert lay.thrown(lies, places)
    assert not lay.with_unmoved(lies, places, lambda _: True).thrown(lies, places)
    assert lay.with_unmoved(lies, places, lambda _: False) is lay


def opening_histories() -> tuple[History, History]:
    """The game once everybody has thrown, before and after the first tile is drawn."""
    before, rng = History.begin(DECAY), random.Random(1)
    while DECAY.turn(before.state).kind is TurnKind.CHANCE:
        before = before.play(DECAY.sample(before.state, rng))
    return before, before.play(DECAY.sample(before.state, rng))


def tiles(history: History, at: Registration = HERE, missed: Collection[int] = ()) -> ObservedTable:
    """All tiles on ground that nobody marked out, but for some that are missed: in their rows, and the first one."""
    rows = [p for p in DECAY.layout(history.state) if p.piece.kind is Kind.TILE and p.zone is not Zone.BOARD]
    laid = [replace(p, x=at.dx, y=at.dy, angle=at.turn) for p in DECAY.layout(history.state).board]
    there = [tile for nth, tile in enumerate([*rows, *laid]) if nth not in missed]
    return ObservedTable(tuple(seen(tile, edges=tile.angle) for tile in there))


def test_a_tile_of_a_row_is_not_the_first_one_because_its_neighbours_are_missed() -> None:
    before, after = opening_histories()
    neighbours = (1, 2, 3, 4)
    _, memory = look(before, Memory(), TableEvidence(tiles(before)))
    lonely, _ = look(before, memory, TableEvidence(tiles(before, missed=neighbours)))
    assert lonely.kind is VerdictKind.SETTLED
    drawn, _ = look(before, memory, TableEvidence(tiles(after, missed=neighbours)))
    assert drawn.actions == after.actions[len(before.actions) :]


def test_a_first_tile_lies_as_it_was_seen_to_lie_when_people_tell_of_it() -> None:
    """Where no board lay before, none keeps its turn."""
    (before, after), at = opening_histories(), Registration(11.0, 1.0, 2.0)
    _, memory = look(before, Memory(), TableEvidence(tiles(before)))
    drawn = TableEvidence(tiles(after, at))
    settled, memory = look(after, after_correction(before, after, memory, drawn), drawn)
    assert settled.kind is VerdictKind.SETTLED
    assert memory.registration is not None
    assert memory.registration.turn == pytest.approx(at.turn, abs=0.5)


def test_a_tile_that_the_first_look_missed_is_not_the_first_one_where_the_picture_stays_as_it_was() -> None:
    before, after = opening_histories()
    waiting, laid = DECAY.layout(before.state).pieces, DECAY.layout(after.state).board
    drawn = {placed.key for placed in laid}
    lying = (*(placed for placed in waiting if placed.key not in drawn), *laid)

    def shown(pieces: Sequence[Placed], missed: int = 0) -> TableEvidence:
        there = [seen(placed, edges=placed.angle) for placed in pieces if placed.piece.kind is Kind.TILE]
        picture = ToldEvidence(Layout(tuple(pieces)), HERE, PictureErrors(), random.Random(1))
        return TableEvidence(ObservedTable(tuple(there[missed:])), picture)

    _, memory = look(before, Memory(), shown(waiting, missed=4))
    settled, memory = look(before, memory, shown(waiting, missed=3))
    assert settled.kind is VerdictKind.SETTLED
    told, _ = look(before, memory, shown(lying))
    assert told.actions == after.actions[len(before.actions) :]

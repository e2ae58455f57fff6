"""Hands, heaps and dice: directly, without a whole look."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from rules.pieces import Face, Kind, Pose, Rank, Size, Suit, coin, die, pyramid
from rules.referee.dice import DiceState, off_board_dice
from rules.referee.fit import BoardSighting
from rules.referee.off_board import OffBoard
from rules.referee.register import Registration
from rules.referee.tuning import TUNING
from rules.table.build import LayoutBuilder
from rules.table.layout import Layout, Zone
from rules.table.observed import Beliefs, ObservedTable, Sighting

HERE = Registration()


def dice_state(dice: Iterable[Sighting], pose: Registration = HERE) -> DiceState:
    return DiceState.of(ObservedTable(tuple(dice)), pose)


def layout_with_coins(*coins: tuple[int, Rank], die_shows: Rank | None = None) -> Layout:
    """A board, coins in hands, and the suns' die in the supply."""
    build = LayoutBuilder()
    build.grid_of_backs(2, 2)
    for seat, rank in coins:
        piece = coin(Suit.SUNS, rank)
        build.aside(Zone.HAND, piece, key=f"{seat}-{rank}", seat=seat, face=Face.FRONT)
    build.aside(Zone.SUPPLY, die(Suit.SUNS, die_shows), key="die-suns")
    return build.layout()


def board_sightings(layout: Layout, marked: bool = True) -> list[BoardSighting]:
    seen: list[BoardSighting] = []
    for placed in layout:
        if placed.zone is not Zone.BOARD and (placed.piece.kind is not Kind.DIE or placed.piece.rank):
            shown = placed.shown
            zone = placed.zone if marked else None
            chances: Beliefs = {(shown.suit, shown.rank): 1.0}
            sighting = Sighting(
                shown.kind, placed.x, placed.y, placed.face, identities=chances, zone=zone, seat=placed.seat
            )
            seen.append(BoardSighting(len(seen), sighting, placed.x, placed.y, None))
    return seen


TWO = layout_with_coins((0, Rank.TWO), (1, Rank.THREE))


def test_what_the_dice_show_is_told_apart_from_the_heaps() -> None:
    asides = OffBoard(board_sightings(layout_with_coins((0, Rank.TWO), die_shows=Rank.FIVE)), TWO, TUNING.off_board)
    other = layout_with_coins((0, Rank.TWO), (0, Rank.FOUR), die_shows=Rank.TWO)
    assert asides.dice.surprise(off_board_dice(other)) == TUNING.off_board.max_die_nats


def test_the_change_among_hands_is_told() -> None:
    richer = layout_with_coins((0, Rank.TWO), (0, Rank.FOUR), die_shows=Rank.FIVE)
    asides, other = (
        OffBoard(board_sightings(richer), richer, TUNING.off_board),
        layout_with_coins((0, Rank.TWO), (0, Rank.FIVE)),
    )
    (gone, new), turned = asides.change(other), asides.turned_dice(other)
    assert [p.piece.rank for p in gone] == [Rank.FIVE]
    assert [p.piece.rank for p in new] == [Rank.FOUR]
    assert [(m.before.piece.rank, m.after.piece.rank) for m in turned] == [(None, Rank.FIVE)]


def test_of_pyramids_that_differ_in_size_the_one_that_is_gone_is_told() -> None:
    build = LayoutBuilder()
    build.grid_of_backs(2, 2)
    for size in (Size.B, Size.C, Size.E):
        build.aside(Zone.HAND, pyramid(Suit.ARMS, size), key=size.value, seat=0, pose=Pose.UPRIGHT)
    layout = build.layout()
    seen = [
        replace(one, sighting=replace(one.sighting, size=placed.piece.size.look))
        for one, placed in zip(board_sightings(layout), layout.zone(Zone.HAND), strict=True)
        if placed.piece.size
    ]
    gone, new = OffBoard(seen[1:], layout, TUNING.off_board).change(layout)
    assert [placed.key for placed in gone] == [Size.B.value]
    assert new == []


def die_sighting(suit: Suit, rank: Rank, x: float = 0.0, doubt: tuple[Suit, float] | None = None) -> Sighting:
    chances: dict[tuple[Suit | None, Rank | None], float] = {(suit, rank): 1.0 - (doubt[1] if doubt else 0.0)}
    if doubt:
        chances[doubt[0], rank] = doubt[1]
    return Sighting(Kind.DIE, x, 0.0, identities=chances)


@pytest.mark.parametrize(
    ("later", "was_thrown"),
    [
        (die_sighting(Suit.SUNS, Rank.TWO, 0.2), False),  # pushed a little
        (die_sighting(Suit.SUNS, Rank.TWO, 0.4), True),  # rolled, and shows the same
        (die_sighting(Suit.SUNS, Rank.THREE), True),  # turned where it lay
    ],
)
def test_a_die_was_thrown_if_it_lies_elsewhere_or_shows_something_else(later: Sighting, was_thrown: bool) -> None:
    lay = dice_state([die_sighting(Suit.SUNS, Rank.TWO)])
    assert bool(lay.thrown(dice_state([later]), TUNING.places)) is was_thrown
    shown = lay.without_old_faces(ObservedTable((later,)), HERE, TUNING.places).sightings[0].best
    assert (shown[1] is None) is not was_thrown, "what an unmoved die shows is no news"


def test_a_table_that_is_pushed_throws_no_die() -> None:
    lay = dice_state([die_sighting(Suit.SUNS, Rank.TWO)])
    pushed = dice_state([die_sighting(Suit.SUNS, Rank.TWO, 3.0)], Registration(0.0, 3.0, 0.0))
    assert not lay.thrown(pushed, TUNING.places)


def test_of_a_pile_only_the_top_can_be_missed() -> None:
    layout = layout_with_coins((0, Rank.TWO), (1, Rank.THREE))
    lowest = next(p for p in layout if p.seat == 0)
    pile = [replace(lowest, key=f"pile-{level}", level=level) for level in range(1, 9)]
    heaped = replace(layout, pieces=(*layout.pieces, *pile))
    gone, new = OffBoard(board_sightings(TWO), TWO, TUNING.off_board).change(heaped)
    assert (gone, new) == ([], [])
    taken = OffBoard(
        [s for s in board_sightings(TWO) if s.sighting.seat != 0]
        + [BoardSighting(9, Sighting(Kind.PAWN, 0, 0, zone=Zone.HAND, seat=0), 0, 0, None)],
        TWO,
        TUNING.off_board,
    )
    assert [p.key for p in taken.change(heaped)[0]] == ["pile-8"]


def test_dice_that_all_show_what_they_showed_were_pushed_and_not_thrown() -> None:
    """One throw of 216 falls so; a hand that makes room for a coin comes more often."""
    faces = [(Suit.SUNS, Rank.TWO), (Suit.MOONS, Rank.FOUR), (Suit.ARMS, Rank.ACE)]
    lay = dice_state(die_sighting(*face) for face in faces)
    pushed = [replace(die_sighting(*face), x=3.0 + nth) for nth, face in enumerate(faces)]
    assert not lay.thrown(dice_state(pushed), TUNING.places)
    fallen = [*pushed[:2], replace(die_sighting(Suit.ARMS, Rank.FIVE), x=6.0)]
    assert lay.thrown(dice_state(fallen), TUNING.places)
    two = dice_state(die_sighting(*face) for face in faces[:2])
    assert two.thrown(dice_state(pushed[:2]), TUNING.places), "two dice fall alike more often"

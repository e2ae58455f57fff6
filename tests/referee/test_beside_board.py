"""Hands, heaps and dice (`aside`), dice told apart (`dice`): directly, without a whole look."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from rules.pieces import Face, Kind, Piece, Pose, Rank, Size, Suit, card, coin, die, pyramid
from rules.referee.aside import Asides
from rules.referee.dice import LyingDice
from rules.referee.register import Registration
from rules.referee.throw import dice_beside
from rules.referee.tuning import TUNING
from rules.table.build import LayoutBuilder
from rules.table.layout import Layout, Placed, Zone
from rules.table.observed import Beliefs, ObservedTable, Sighting

HERE = Registration()


def owned(*coins: tuple[int, Rank], die_shows: Rank | None = None) -> Layout:
    """A board, coins in hands, and the suns' die in the supply."""
    build = LayoutBuilder()
    build.grid_of_backs(2, 2)
    for seat, rank in coins:
        piece = coin(Suit.SUNS, rank)
        build.aside(Zone.HAND, piece, key=f"{seat}-{rank}", seat=seat, face=Face.FRONT)
    build.aside(Zone.SUPPLY, die(Suit.SUNS, die_shows), key="die-suns")
    return build.layout()


def lying(layout: Layout, marked: bool = True) -> list[tuple[Sighting, float, float]]:
    seen = []
    for placed in layout:
        if placed.zone is not Zone.BOARD and (placed.piece.kind is not Kind.DIE or placed.piece.rank):
            shown = placed.shown
            zone = placed.zone if marked else None
            chances: Beliefs = {(shown.suit, shown.rank): 1.0}
            sighting = Sighting(
                shown.kind, placed.x, placed.y, placed.face, identities=chances, zone=zone, seat=placed.seat
            )
            seen.append((sighting, placed.x, placed.y))
    return seen


TWO = owned((0, Rank.TWO), (1, Rank.THREE))


def test_hands_as_they_should_be_surprise_nobody() -> None:
    assert Asides(lying(TWO), TWO, TUNING.beside).heaped(TWO) == 0.0


@pytest.mark.parametrize(("marked", "weight"), [(True, TUNING.beside.marked), (False, TUNING.beside.guessed)])
def test_a_coin_too_few_says_more_where_the_table_is_marked_out(marked: bool, weight: dict[Zone, float]) -> None:
    richer = owned((0, Rank.TWO), (0, Rank.FOUR), (1, Rank.THREE))
    assert Asides(lying(TWO, marked), TWO, TUNING.beside).heaped(richer) == weight[Zone.HAND]


def test_a_heap_that_is_not_in_view_says_nothing() -> None:
    only_mine = [seen for seen in lying(TWO) if seen[0].seat == 0]
    assert Asides(only_mine, TWO, TUNING.beside).heaped(TWO) == 0.0


def test_what_the_dice_show_is_told_apart_from_the_heaps() -> None:
    asides = Asides(lying(owned((0, Rank.TWO), die_shows=Rank.FIVE)), TWO, TUNING.beside)
    other = owned((0, Rank.TWO), (0, Rank.FOUR), die_shows=Rank.TWO)
    assert asides.thrown(other) == asides.dice.surprise(dice_beside(other)) == TUNING.beside.worst


def test_the_change_among_hands_is_told() -> None:
    richer = owned((0, Rank.TWO), (0, Rank.FOUR), die_shows=Rank.FIVE)
    asides, other = Asides(lying(richer), richer, TUNING.beside), owned((0, Rank.TWO), (0, Rank.FIVE))
    (gone, new), turned = asides.change(other), asides.turned_dice(other)
    assert [p.piece.rank for p in gone] == [Rank.FIVE]
    assert [p.piece.rank for p in new] == [Rank.FOUR]
    assert [(m.before.piece.rank, m.after.piece.rank) for m in turned] == [(None, Rank.FIVE)]


def read_as(chances: Beliefs) -> tuple[Sighting, float, float]:
    return Sighting(Kind.COIN, 0.0, 0.0, Face.FRONT, identities=chances, zone=Zone.HAND, seat=0), 0.0, 0.0


def test_each_thing_of_a_hand_is_one_sighting_in_the_likeliest_of_all_ways() -> None:
    """The second looks a little more like a two; but it alone may be the three."""
    both = owned((0, Rank.TWO), (0, Rank.THREE))
    first = read_as({(None, Rank.TWO): 0.55, (None, Rank.THREE): 0.05, (None, Rank.FOUR): 0.4})
    second = read_as({(None, Rank.TWO): 0.6, (None, Rank.THREE): 0.4})
    assert Asides([first, second], both, TUNING.beside).heaped(both) == pytest.approx(-math.log(0.4))


def test_a_coin_read_from_its_other_side_is_no_missing_coin_and_another() -> None:
    seen = [(replace(one, face=Face.BACK, identities={(Suit.SUNS, None): 1.0}), x, y) for one, x, y in lying(TWO)]
    assert Asides(seen, TWO, TUNING.beside).heaped(TWO) == 2 * TUNING.beside.wrong


@pytest.mark.parametrize(
    ("certainty", "less"), [(0.3, 0.0), (0.1, math.log(3.0)), (0.01, TUNING.beside.marked[Zone.HAND])]
)
def test_what_is_hardly_seen_in_a_hand_confirms_what_should_lie_there(certainty: float, less: float) -> None:
    three = owned((0, Rank.TWO), (0, Rank.FOUR), (1, Rank.THREE))
    faint = replace(read_as({(None, Rank.FOUR): 1.0})[0], certainty=certainty)
    asides = Asides(lying(TWO), TWO, TUNING.beside, [(faint, 0.0, 0.0)])
    assert asides.heaped(three) == pytest.approx(less)
    assert asides.heaped(TWO) == 0.0, "by itself it says nothing"
    assert bool(asides.change(three)[0]) is False


def test_a_card_known_by_its_drawing_is_none_that_lies_face_down() -> None:
    hands = with_hands(3, 3)
    seen = backs(hands, Face.BACK)
    shown = [(replace(seen[0][0], face=Face.FRONT), *seen[0][1:]), *seen[1:]]
    assert Asides(shown, hands, TUNING.beside).heaped(hands) > TUNING.beside.lone + 0.9 * TUNING.beside.known


def test_of_more_things_more_is_usually_odd() -> None:
    """One of four is too many, two of fifty are not."""
    few, many = (owned(*[(0, Rank.TWO)] * count) for count in (4, 50))
    usual = [Asides(lying(hand), hand, TUNING.beside).usual(hand) for hand in (few, many)]
    one, two = TUNING.beside.marked[Zone.HAND], 2 * TUNING.beside.marked[Zone.HAND]
    assert usual[0] + TUNING.looking.quiet < one
    assert two - TUNING.looking.good < usual[1] < two


# Dice --------------------------------------------------------------------------------------------------------------


def test_of_pyramids_that_differ_in_size_the_one_that_is_gone_is_told() -> None:
    build = LayoutBuilder()
    build.grid_of_backs(2, 2)
    for size in (Size.B, Size.C, Size.E):
        build.aside(Zone.HAND, pyramid(Suit.ARMS, size), key=size.value, seat=0, pose=Pose.UPRIGHT)
    layout = build.layout()
    seen = [
        (replace(one, size=placed.piece.size.look), x, y)
        for (one, x, y), placed in zip(lying(layout), layout.zone(Zone.HAND), strict=True)
        if placed.piece.size
    ]
    gone, new = Asides(seen[1:], layout, TUNING.beside).change(layout)
    assert [placed.key for placed in gone] == [Size.B.value]
    assert new == []


def thrown(suit: Suit, rank: Rank, x: float = 0.0, doubt: tuple[Suit, float] | None = None) -> Sighting:
    chances: dict[tuple[Suit | None, Rank | None], float] = {(suit, rank): 1.0 - (doubt[1] if doubt else 0.0)}
    if doubt:
        chances[doubt[0], rank] = doubt[1]
    return Sighting(Kind.DIE, x, 0.0, identities=chances)


@pytest.mark.parametrize(
    ("later", "was_thrown"),
    [
        (thrown(Suit.SUNS, Rank.TWO, 0.2), False),  # pushed a little
        (thrown(Suit.SUNS, Rank.TWO, 0.4), True),  # rolled, and shows the same
        (thrown(Suit.SUNS, Rank.THREE), True),  # turned where it lay
    ],
)
def test_a_die_was_thrown_if_it_lies_elsewhere_or_shows_something_else(later: Sighting, was_thrown: bool) -> None:
    lay = LyingDice.of(ObservedTable((thrown(Suit.SUNS, Rank.TWO),)), HERE)
    now = ObservedTable((later,))
    assert lay.thrown(now, HERE, TUNING.places) is was_thrown
    shown = lay.blanked(now, HERE, TUNING.places).sightings[0].best
    assert (shown[1] is None) is not was_thrown, "what an unmoved die shows is no news"


def test_a_table_that_is_pushed_throws_no_die() -> None:
    lay = LyingDice.of(ObservedTable((thrown(Suit.SUNS, Rank.TWO),)), HERE)
    assert not lay.thrown(
        ObservedTable((thrown(Suit.SUNS, Rank.TWO, 3.0),)), Registration(0.0, 3.0, 0.0), TUNING.places
    )


def test_of_a_pile_only_the_top_can_be_missed() -> None:
    layout = owned((0, Rank.TWO), (1, Rank.THREE))
    lowest = next(p for p in layout if p.seat == 0)
    pile = [replace(lowest, key=f"pile-{level}", level=level) for level in range(1, 9)]
    heaped = replace(layout, pieces=(*layout.pieces, *pile))
    gone, new = Asides(lying(TWO), TWO, TUNING.beside).change(heaped)
    assert (gone, new) == ([], [])
    taken = Asides(
        [s for s in lying(TWO) if s[0].seat != 0] + [(Sighting(Kind.PAWN, 0, 0, zone=Zone.HAND, seat=0), 0, 0)],
        TWO,
        TUNING.beside,
    )
    assert [p.key for p in taken.change(heaped)[0]] == ["pile-8"]


def test_dice_that_all_show_what_they_showed_were_pushed_and_not_thrown() -> None:
    """One throw of 216 falls so; a hand that makes room for a coin comes more often."""
    faces = [(Suit.SUNS, Rank.TWO), (Suit.MOONS, Rank.FOUR), (Suit.ARMS, Rank.ACE)]
    lay = LyingDice.of(ObservedTable(tuple(thrown(*face) for face in faces)), HERE)
    pushed = [replace(thrown(*face), x=3.0 + nth) for nth, face in enumerate(faces)]
    assert not lay.thrown(ObservedTable(tuple(pushed)), HERE, TUNING.places)
    fallen = [*pushed[:2], replace(thrown(Suit.ARMS, Rank.FIVE), x=6.0)]
    assert lay.thrown(ObservedTable(tuple(fallen)), HERE, TUNING.places)
    two = LyingDice.of(ObservedTable(tuple(thrown(*face) for face in faces[:2])), HERE)
    assert two.thrown(ObservedTable(tuple(pushed[:2])), HERE, TUNING.places), "two dice fall alike more often"


def test_a_card_farther_along_the_row_is_of_the_same_hand() -> None:
    build = LayoutBuilder()
    build.put(card(None), 0.0, 0.0, key="first", face=Face.FRONT)
    hand = [
        replace(Placed(card(None), f"h{n}", -7.0, 3.6 * n, face=Face.BACK), zone=Zone.HAND, seat=1) for n in range(2)
    ]
    layout = replace(build.layout(), pieces=(*build.layout().pieces, *hand))
    back = Sighting(Kind.CARD, 0.0, 0.0, face=Face.BACK, certainty=0.95)
    seen = [(back, -7.0, 3.6 * n) for n in range(4)]
    asides = Asides(seen, layout, TUNING.beside)
    more = [replace(hand[0], key=f"more{n}", y=7.2 + 3.6 * n) for n in range(2)]
    assert asides.heaped(layout) > asides.heaped(replace(layout, pieces=(*layout.pieces, *more))) == 0.0


def with_hands(*counts: int) -> Layout:
    """A card on the board, and so many face down in each hand."""
    build = LayoutBuilder()
    build.put(card(None), 0.0, 0.0, key="first", face=Face.FRONT)
    for seat, count in enumerate(counts):
        for number in range(count):
            build.aside(Zone.HAND, card(None), key=f"{seat}-{number}", seat=seat, face=Face.BACK)
    return build.layout()


def backs(layout: Layout, face: Face | None) -> list[tuple[Sighting, float, float]]:
    hands = layout.zone(Zone.HAND)
    return [(Sighting(Kind.CARD, p.x, p.y, face=face, certainty=0.95), p.x, p.y) for p in hands]


def test_a_card_too_many_that_is_known_by_its_drawing_is_no_fancy() -> None:
    expected, seen = with_hands(3, 3), with_hands(3, 5)
    known, fancied = (Asides(backs(seen, face), expected, TUNING.beside).heaped(expected) for face in (Face.BACK, None))
    assert known > 2 * TUNING.beside.known * 0.9
    assert fancied == TUNING.beside.most_guessed


def test_a_card_too_few_in_a_hand_of_known_cards_tells_whose_turn_it_was() -> None:
    """Both drew one, or only the second, whose hand shows it."""
    both, second = with_hands(4, 4), with_hands(3, 4)
    seen = Asides(backs(second, Face.BACK), with_hands(3, 3), TUNING.beside)
    assert seen.heaped(second) == 0.0
    assert seen.heaped(both) == TUNING.beside.lone > TUNING.beside.guessed[Zone.HAND]


@pytest.mark.parametrize(("kind", "told"), [(Kind.PAWN, True), (Kind.COIN, False)])
def test_which_pawn_waits_in_a_supply_tells_which_one_stands_on_the_board(kind: Kind, told: bool) -> None:
    """A supply is nobody's business, but of pawns each suit has one: even a faint one is the one that is there."""

    def supply(suit: Suit) -> Layout:
        build = LayoutBuilder()
        build.grid_of_backs(2, 2)
        build.aside(Zone.SUPPLY, Piece(kind, suit), key="waits")
        return build.layout()

    there = supply(Suit.MOONS)
    seen = [(replace(s, certainty=0.2), x, y) for s, x, y in lying(there)]
    asides = Asides(seen, there, TUNING.beside)
    assert asides.heaped(there) == 0.0
    assert (asides.heaped(supply(Suit.CROWNS)) >= TUNING.looking.clear) is told

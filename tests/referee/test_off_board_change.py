"""What came and went beside the board since the table was last understood (`beside`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from rules.pieces import Face, Kind, Piece, Rank, Size, Suit, card, coin
from rules.referee.fit import BoardSighting
from rules.referee.off_board_change import OffBoardChange, OffBoardState
from rules.referee.tuning import TUNING
from rules.table.build import LayoutBuilder
from rules.table.layout import Layout, Placed, Zone
from rules.table.observed import Sighting

BESIDE = TUNING.off_board
PAWNS = tuple(
    Placed(Piece(Kind.PAWN, suit), f"pawn {suit.value}", 9.0, 2.0 * i, zone=Zone.SUPPLY) for i, suit in enumerate(Suit)
)


def table(on_board: Suit | None = None) -> Layout:
    return Layout(tuple(Placed(p.piece, p.key, 3.0, 3.0) if p.piece.suit is on_board else p for p in PAWNS))


def board_sighting(placed: Placed, owned: bool = False) -> BoardSighting:
    """`owned`: in ground that was marked out for whose it is."""
    shown = placed.shown
    sighting = Sighting(
        shown.kind,
        placed.x,
        placed.y,
        placed.face,
        identities={(shown.suit, shown.rank): 1.0},
        size=shown.size,
        mark=shown.mark if owned else None,
        certainty=0.95,
        zone=placed.zone if owned else None,
        seat=placed.seat if owned else None,
    )
    return BoardSighting(0, sighting, placed.x, placed.y, None)


def board_sightings(layout: Layout, *but: Suit) -> list[BoardSighting]:
    return [board_sighting(p) for p in layout if p.zone is not Zone.BOARD and p.piece.suit not in but]


def changed(
    now: list[BoardSighting],
    picture: Callable[[Placed], float | None] | None = None,
    previous: list[BoardSighting] | None = None,
) -> OffBoardChange:
    """All four pawns waited there, and were seen clearly if nothing else is told."""
    before = board_sightings(table()) if previous is None else previous
    return OffBoardChange(OffBoardState.of(table(), before), now, table(), picture, TUNING)


def test_the_pawn_that_is_gone_is_the_one_that_was_laid() -> None:
    beside = changed(board_sightings(table(), Suit.MOONS))
    assert beside.surprise(table(on_board=Suit.MOONS)) == 0.0
    assert beside.surprise(table()) == BESIDE.max_flicker_nats
    assert beside.surprise(table(on_board=Suit.SUNS)) == BESIDE.max_mismatch_nats, "it would have been read wrongly"


def test_what_is_gone_was_one_of_those_that_its_owner_had_however_it_was_read() -> None:
    hand = [Placed(Piece(Kind.PAWN, Suit.SUNS), f"pawn {i}", 9.0, 2.0 * i, zone=Zone.HAND, seat=0) for i in range(2)]
    before, after = Layout(tuple(hand)), Layout((Placed(hand[0].piece, hand[0].key, 3.0, 3.0), hand[1]))
    misread: dict[tuple[Suit | None, Rank | None], float] = {(Suit.MOONS, None): 0.9, (Suit.SUNS, None): 0.1}
    was_seen = [replace(s, sighting=replace(s.sighting, identities=misread)) for s in map(board_sighting, hand)]
    beside = OffBoardChange(OffBoardState.of(before, was_seen), was_seen[1:], before, None, TUNING)
    assert beside.surprise(after) == 0.0


def test_what_the_picture_shows_untouched_is_not_gone_though_no_eye_sees_it() -> None:
    beside = changed(board_sightings(table(), Suit.MOONS), lambda _: 0.02)
    assert beside.surprise(table()) == 0.0
    assert beside.surprise(table(on_board=Suit.MOONS)) >= BESIDE.still_there_nats * 0.9


def test_one_that_was_never_seen_there_may_be_the_one_that_was_laid() -> None:
    all_but_moons = board_sightings(table(), Suit.MOONS)
    beside = changed(all_but_moons, previous=all_but_moons)
    assert beside.surprise(table(on_board=Suit.MOONS)) == BESIDE.never_seen_nats
    assert beside.surprise(table(on_board=Suit.SUNS)) >= BESIDE.still_there_nats * 0.9


def test_a_faint_one_that_is_gone_says_less() -> None:
    faint = [replace(s, sighting=replace(s.sighting, certainty=0.3)) for s in board_sightings(table())]
    assert 0.0 < changed(faint[1:], previous=faint).surprise(table()) < BESIDE.max_flicker_nats / 2


def test_what_was_pushed_along_is_neither_gone_nor_new() -> None:
    first, *rest = board_sightings(table())
    near, far = replace(first, y=first.y - 1.0), replace(first, y=first.y - 5.0)
    assert changed([near, *rest]).surprise(table()) < changed([far, *rest]).surprise(table()) == BESIDE.max_flicker_nats


def test_where_most_is_gone_what_lay_where_says_nothing() -> None:
    assert changed(board_sightings(table(), Suit.MOONS, Suit.SUNS)).is_reliable
    assert not changed(board_sightings(table(), Suit.MOONS, Suit.SUNS, Suit.ARMS)).is_reliable


def pyramids(small: int, large: int) -> Layout:
    build = LayoutBuilder()
    build.grid_of_backs(2, 2)
    for size, count in ((Size.SMALL, small), (Size.LARGE, large)):
        for number in range(count):
            build.aside(Zone.SUPPLY, Piece(Kind.PYRAMID, Suit.SUNS, None, size), key=f"{size} {number}", seat=0)
    return build.layout()


def test_of_things_alike_in_a_supply_one_that_went_is_told_by_its_size() -> None:
    before = pyramids(3, 3)
    beside = [p for p in before if p.zone is not Zone.BOARD]
    gone = next(p for p in beside if p.piece.size is Size.SMALL)
    then = OffBoardState.of(before, [board_sighting(p) for p in beside])
    since = OffBoardChange(then, [board_sighting(p) for p in beside if p is not gone], before, None, TUNING)
    assert since.surprise(pyramids(2, 3)) < since.surprise(before) == BESIDE.max_flicker_nats
    assert since.surprise(pyramids(2, 3)) < since.surprise(pyramids(3, 2))


def hand(*cards: str) -> Layout:
    build = LayoutBuilder()
    build.grid_of_backs(2, 2)
    for number, mark in enumerate(cards):
        build.aside(Zone.HAND, card(mark), key=f"{number}", seat=0, face=Face.FRONT)
    return build.layout()


def marked(layout: Layout) -> list[BoardSighting]:
    return [board_sighting(p, owned=True) for p in layout if p.zone is not Zone.BOARD]


def test_a_known_card_that_is_new_is_never_taken_for_a_flicker() -> None:
    since = OffBoardChange(
        OffBoardState.of(hand("2MK"), marked(hand("2MK"))), marked(hand("2MK", "5YK")), hand("2MK"), None, TUNING
    )
    assert since.surprise(hand("2MK", "5YK")) == 0.0
    assert since.surprise(hand("2MK")) == pytest.approx(BESIDE.known_card_nats * 0.95)


def test_what_an_accepted_action_does_not_say_is_news_once_more_and_then_no_more() -> None:
    one, two = hand("2MK"), hand("2MK", "5YK")
    then = OffBoardState.of(one, marked(one))
    first = OffBoardChange(then, marked(two), one, None, TUNING).after(one, accepted=True)
    again = OffBoardChange(first, marked(two), one, None, TUNING)
    assert again.surprise(one) > 0.0
    assert again.after(one, accepted=False) == first, "nothing was done: it still waits for its explanation"
    assert OffBoardChange(again.after(one, accepted=True), marked(two), one, None, TUNING).surprise(one) == 0.0


def test_what_is_gone_and_what_is_new_is_told() -> None:
    build = LayoutBuilder()
    build.grid_of_backs(2, 2)
    for rank in (Rank.TWO, Rank.THREE):
        build.aside(Zone.HAND, coin(Suit.SUNS, rank), key=str(rank), seat=0, face=Face.FRONT)
    before = build.layout()
    two, three = (p for p in before if p.zone is Zone.HAND)
    new = board_sighting(replace(three, y=three.y + 2.0, piece=coin(Suit.SUNS, Rank.FIVE)))
    gone, came = OffBoardChange(
        OffBoardState.of(before, [board_sighting(two), board_sighting(three)]),
        [board_sighting(two), new],
        before,
        None,
        TUNING,
    ).change(before)
    assert gone == [three]
    assert [(p.piece.rank, p.zone, p.seat) for p in came] == [(Rank.FIVE, Zone.HAND, 0)]


def test_a_heap_that_is_not_in_view_says_nothing_of_what_came_there() -> None:
    one, two = hand("2MK"), hand("2MK", "5YK")
    out_of_view = OffBoardChange(OffBoardState.of(one, []), [], one, None, TUNING)
    in_view = OffBoardChange(OffBoardState.of(one, marked(one)), marked(one), one, None, TUNING)
    assert (out_of_view.surprise(two), in_view.surprise(two)) == (0.0, BESIDE.marked_nats[Zone.HAND])


def backs(count: int, far: float = 0.0) -> Layout:
    """So many cards face down in a row; the last lies so much farther along."""
    build = LayoutBuilder()
    build.put(card(None), 0.0, 0.0, key="first", face=Face.FRONT)
    row = [
        Placed(card(None), f"h{n}", -7.0, 3.6 * n + (far if n == count - 1 else 0.0), Face.BACK, zone=Zone.HAND, seat=1)
        for n in range(count)
    ]
    return replace(build.layout(), pieces=(*build.layout().pieces, *row))


@pytest.mark.parametrize(("far", "is_his"), [(0.0, True), (3.0, False)])
def test_a_card_farther_along_the_row_is_of_the_same_hand(far: float, is_his: bool) -> None:
    now = board_sightings(backs(3, far))
    since = OffBoardChange(OffBoardState.of(backs(2), board_sightings(backs(2))), now, backs(2), None, TUNING)
    assert [(p.zone, p.seat) for p in since.change(backs(2))[1]] == [(Zone.HAND, 1)] * is_his


def test_what_people_said_was_done_meanwhile_is_no_news() -> None:
    """The history went on without a look: what it says went from there is gone."""
    now = board_sightings(table(), Suit.MOONS, Suit.SUNS)
    then = OffBoardState.of(table(), board_sightings(table()))
    since = OffBoardChange(then, now, table(on_board=Suit.MOONS), None, TUNING)
    assert since.surprise(table(on_board=Suit.MOONS)) == BESIDE.max_flicker_nats


def hands(first: int, second: int) -> Layout:
    """So many cards face down in the hands of two seats, and a pile of three."""
    build = [
        Placed(card(None), f"hand{seat}-{i}", 4.0 * i, 9.0 * seat, Face.BACK, zone=Zone.HAND, seat=seat)
        for seat, count in enumerate((first, second))
        for i in range(count)
    ]
    pile = [Placed(card(None), f"pile-{i}", 30.0, 0.0, Face.BACK, level=i, zone=Zone.SUPPLY) for i in range(3)]
    return Layout((*build, *pile))


def dealt(first: int, second: int, pile: bool = True) -> list[BoardSighting]:
    """The same as it is seen, the pile as one card."""
    shown = (p for p in hands(first, second) if p.zone is Zone.HAND or (pile and p.key == "pile-2"))
    return [board_sighting(p) for p in shown]


def test_a_card_lies_in_the_hand_of_whoever_drew_it() -> None:
    before = OffBoardState.of(hands(2, 2), dealt(2, 2))
    change = OffBoardChange(before, dealt(2, 3), hands(2, 2), None, TUNING)
    assert change.surprise(hands(2, 3)) == 0.0
    assert change.surprise(hands(3, 2)) == BESIDE.strayed_card_nats


def test_a_pile_that_is_seen_for_the_first_time_is_no_card_that_was_drawn() -> None:
    before = OffBoardState.of(hands(2, 2), dealt(2, 2, pile=False))
    change = OffBoardChange(before, dealt(2, 3), hands(2, 2), None, TUNING)
    assert change.surprise(hands(2, 3)) == 0.0
    assert change.surprise(hands(3, 3)) > 0.0

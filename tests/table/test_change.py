"""What happened on the table, as a person would say it."""

from __future__ import annotations

from dataclasses import replace

from rules.pieces import Face, Pose, Rank, Suit, coin, parse_piece, tile
from rules.table.change import Change, MovedPiece, change_between, changed_layout, where
from rules.table.layout import Layout, Placed, Zone

PAWN = Placed(parse_piece("pS"), "pS", 1, 1, place="a1")
COIN = Placed(coin(Suit.MOONS, Rank.TWO), "cM2", 3, 1, Face.BACK, place="c1")
TILE = Placed(tile(Suit.ARMS, Rank.FIVE), "t1", 2, 2, Face.BACK)
TABLE = Layout((TILE, PAWN, COIN))


def words(change: Change) -> list[str]:
    return [sentence.text for sentence in change.words]


def change_of(old: Placed, moved: Placed) -> Change:
    return change_between(TABLE, Layout(tuple(moved if p is old else p for p in TABLE)))


def test_the_same_table_is_no_change() -> None:
    assert change_between(TABLE, TABLE).is_empty
    assert words(change_between(TABLE, TABLE)) == []


def test_a_piece_that_goes() -> None:
    change = change_of(PAWN, replace(PAWN, x=2, place="b1"))
    assert [(m.before.place, m.after.place) for m in change.moved] == [("a1", "b1")]
    assert words(change) == ["the suns pawn goes from a1 to b1"]
    assert change.places == {"a1", "b1", "pS"}


def test_a_piece_that_is_pushed_within_its_place_is_told_with_the_spot() -> None:
    assert words(change_of(PAWN, replace(PAWN, x=1.3))) == ["the suns pawn goes from a1 to (1.3, 1)"]


def test_a_coin_that_is_turned_over_tells_only_what_shows_now() -> None:
    change = change_of(COIN, replace(COIN, face=Face.FRONT))
    assert len(change.moved) == 1
    (told,) = words(change)
    assert "c1" in told
    assert "moons" not in told


def test_a_tile_turned_up_is_a_change_and_one_seen_again_is_none() -> None:
    assert len(change_of(TILE, replace(TILE, face=Face.FRONT)).moved) == 1
    hidden = change_of(TILE, replace(TILE, piece=tile(Suit.SUNS, Rank.ACE)))
    assert hidden.is_empty


def test_a_lean_a_turn_and_a_fall_are_changes() -> None:
    turned = (replace(TILE, lean=(1, 0)), replace(TILE, angle=90.0), replace(TILE, level=1))
    assert all(len(change_of(TILE, laid).moved) == 1 for laid in turned)
    assert len(change_of(PAWN, replace(PAWN, pose=Pose.FLAT)).moved) == 1


def test_what_is_gone_and_what_is_new() -> None:
    other = Placed(parse_piece("dC3"), "dC", 5, 5)
    change = change_between(TABLE, Layout((TILE, PAWN, other)))
    assert (change.removed, change.added, change.moved) == ((COIN,), (other,), ())
    assert any("gone from c1" in line for line in words(change))
    assert any("new on (5, 5)" in line for line in words(change))


def test_of_pieces_without_names_one_gone_and_one_new_is_one_that_moved() -> None:
    there, here = replace(COIN, key="coin at c1"), replace(COIN, key="coin at d1", x=4, place="d1")
    change = change_between(Layout((there,)), Layout((here,)))
    assert change == Change(moved=(MovedPiece(there, here),))


def test_where_in_a_hand_a_coin_lies_is_nobodys_business() -> None:
    held = replace(COIN, zone=Zone.HAND, seat=1, place="")
    beside = Layout((replace(held, x=9.0),))
    assert change_between(Layout((held,)), beside).is_empty
    given = Layout((replace(held, seat=0),))
    assert len(change_between(Layout((held,)), given).moved) == 1
    turned = Layout((replace(held, face=Face.FRONT),))
    assert len(change_between(Layout((held,)), turned).moved) == 1


def test_a_place_goes_by_its_name_its_owner_or_its_spot() -> None:
    assert where(PAWN) == "a1"
    assert where(TILE) == "(2, 2)"
    (taken,) = words(change_of(COIN, replace(COIN, zone=Zone.HAND, seat=1, place="")))
    assert taken.endswith("to the hand of seat 1")
    (spare,) = words(change_of(COIN, replace(COIN, zone=Zone.SUPPLY, place="")))
    assert spare.endswith("to the supply")


def test_what_differs_is_laid_where_it_was_seen_on_top_of_everything() -> None:
    tilted = replace(TILE, lean=(1, 0))
    before = Layout((tilted, PAWN, COIN), borders=((0, 0, 1, 1),))
    moved, new = replace(tilted, x=4, lean=(0, 0)), Placed(parse_piece("dC3"), "dC", 5, 5)
    seen = changed_layout(before, Change(added=(new,), removed=(COIN,), moved=(MovedPiece(tilted, moved),)))
    assert [p.key for p in seen] == ["pS", "t1", "dC"]
    assert seen.pieces[1] == replace(moved, lean=(1, 0))
    assert seen.borders == before.borders

from itertools import permutations

import numpy as np
import pytest

from rules.pieces import RANKS, SUITS, Face, Kind, Rank, Suit
from tests.tiers import few
from vision.inventory import assign, assign_identities, with_surplus_doubted
from vision.piece import DetectedPiece, Name

AT = np.zeros(2)
BOX = np.zeros((4, 2))


def chances(names: tuple[Name, ...], given: dict[Name, float]) -> dict[Name, float]:
    rest = (1 - sum(given.values())) / (len(names) - len(given))
    return {name: given.get(name, rest) for name in names}


def tile(suit: dict[Suit, float], rank: dict[Rank, float]) -> DetectedPiece:
    return DetectedPiece(
        Kind.TILE, AT, BOX, 1.0, face=Face.FRONT, suits=chances(SUITS, suit), ranks=chances(RANKS, rank)
    )


@pytest.mark.parametrize("seed", few(range(20), range(5)))
@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (3, 3), (4, 6), (6, 4), (5, 7)])
def test_assign_is_as_cheap_as_trying_everything(seed: int, rows: int, columns: int) -> None:
    cost = np.random.default_rng(seed).uniform(0, 1, (rows, columns))
    pairs = assign(cost)
    wide = cost if rows <= columns else cost.T
    best = min(sum(wide[i, p[i]] for i in range(len(wide))) for p in permutations(range(wide.shape[1]), len(wide)))
    assert len(pairs) == min(rows, columns)
    assert sum(cost[pair] for pair in pairs) == pytest.approx(best)


def test_assign_of_nothing_is_nothing() -> None:
    assert assign(np.zeros((0, 24))) == []


def test_a_doubtful_piece_yields_to_a_sure_one() -> None:
    sure = tile({Suit.SUNS: 0.99}, {Rank.THREE: 0.99})
    doubtful = tile({Suit.SUNS: 0.98}, {Rank.THREE: 0.5, Rank.TWO: 0.45})
    settled = assign_identities([doubtful, sure])
    assert [(p.suit, p.value) for p in settled.pieces] == [("suns", "2"), ("suns", "3")]
    assert settled.contradictions == []


def test_two_sure_twins_are_reported_and_not_forced() -> None:
    twins = [tile({Suit.SUNS: 0.9999}, {Rank.THREE: 0.9999}) for _ in range(2)]
    settled = assign_identities(twins)
    assert [(p.suit, p.value) for p in settled.pieces] == [("suns", "3")] * 2
    assert len(settled.contradictions) == 1
    assert "suns 3 tile" in settled.contradictions[0]


def test_four_coins_of_one_value_fit_and_the_fifth_does_not() -> None:
    def coin() -> DetectedPiece:
        return DetectedPiece(Kind.COIN, AT, BOX, 1.0, face=Face.FRONT, ranks=chances(RANKS, {Rank.FIVE: 0.9999}))

    assert assign_identities([coin() for _ in range(4)]).contradictions == []
    assert len(assign_identities([coin() for _ in range(5)]).contradictions) == 1


def test_tile_backs_need_no_identity() -> None:
    back = DetectedPiece(Kind.TILE, AT, BOX, 1.0, face=Face.BACK)
    assert assign_identities([back] * 30).contradictions == []


def test_dice_of_doubtful_colour_are_shared_out() -> None:
    ace = chances(RANKS, {Rank.ACE: 0.9})
    dice = [
        DetectedPiece(Kind.DIE, AT, BOX, 1.0, suits=chances(SUITS, {Suit.SUNS: 0.9}), ranks=ace),
        DetectedPiece(Kind.DIE, AT, BOX, 1.0, suits=chances(SUITS, {Suit.SUNS: 0.5, Suit.CROWNS: 0.4}), ranks=ace),
    ]
    assert [p.suit for p in assign_identities(dice).pieces] == ["suns", "crowns"]


@pytest.mark.parametrize(("kind", "is_counted"), [(Kind.PAWN, True), (Kind.DIE, True), (Kind.COIN, False)])
def test_a_fifth_pawn_or_die_is_less_certain(kind: Kind, is_counted: bool) -> None:
    given = [0.5, 0.9, 0.8, 0.95, 0.7, 0.6]
    doubted = with_surplus_doubted([DetectedPiece(kind, AT, BOX, certainty) for certainty in given])
    lower = [before > after.certainty for before, after in zip(given, doubted, strict=True)]
    assert lower == [is_counted and certainty < 0.7 for certainty in given]


def test_a_fifth_pawn_that_is_sure_stays() -> None:
    doubted = with_surplus_doubted([DetectedPiece(Kind.PAWN, AT, BOX, 0.97) for _ in range(5)])
    assert min(piece.certainty for piece in doubted) > 0.85

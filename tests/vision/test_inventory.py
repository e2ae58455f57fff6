from itertools import permutations

import numpy as np
import pytest

from rules.pieces import Face, Kind
from vision.identify.heads import SUITS, VALUES
from vision.inventory import assign, settle
from vision.piece import Seen

AT = np.zeros(2)
BOX = np.zeros((4, 2))


def chances(names: tuple[str, ...], **given: float) -> dict[str, float]:
    rest = (1 - sum(given.values())) / (len(names) - len(given))
    return {name: given.get(name, rest) for name in names}


def tile(suit: dict[str, float], value: dict[str, float]) -> Seen:
    return Seen(Kind.TILE, AT, BOX, 1.0, face=Face.FRONT, suits=chances(SUITS, **suit), values=chances(VALUES, **value))


@pytest.mark.parametrize("seed", range(20))
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
    sure = tile({"suns": 0.99}, {"3": 0.99})
    doubtful = tile({"suns": 0.98}, {"3": 0.5, "2": 0.45})
    settled = settle([doubtful, sure])
    assert [(p.suit, p.value) for p in settled.pieces] == [("suns", "2"), ("suns", "3")]
    assert settled.contradictions == []


def test_two_sure_twins_are_reported_and_not_forced() -> None:
    twins = [tile({"suns": 0.9999}, {"3": 0.9999}) for _ in range(2)]
    settled = settle(twins)
    assert [(p.suit, p.value) for p in settled.pieces] == [("suns", "3")] * 2
    assert len(settled.contradictions) == 1
    assert "suns 3 tile" in settled.contradictions[0]


def test_four_coins_of_one_value_fit_and_the_fifth_does_not() -> None:
    def coin() -> Seen:
        return Seen(Kind.COIN, AT, BOX, 1.0, face=Face.FRONT, values=chances(VALUES, **{"5": 0.9999}))

    assert settle([coin() for _ in range(4)]).contradictions == []
    assert len(settle([coin() for _ in range(5)]).contradictions) == 1


def test_tile_backs_need_no_identity() -> None:
    back = Seen(Kind.TILE, AT, BOX, 1.0, face=Face.BACK)
    assert settle([back] * 30).contradictions == []


def test_dice_of_doubtful_colour_are_shared_out() -> None:
    dice = [
        Seen(Kind.DIE, AT, BOX, 1.0, suits=chances(SUITS, suns=0.9), values=chances(VALUES, ace=0.9)),
        Seen(Kind.DIE, AT, BOX, 1.0, suits=chances(SUITS, suns=0.5, crowns=0.4), values=chances(VALUES, ace=0.9)),
    ]
    assert [p.suit for p in settle(dice).pieces] == ["suns", "crowns"]

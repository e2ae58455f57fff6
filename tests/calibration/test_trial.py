"""A lesson counts only where it is better, on looks that were kept aside."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from calibration.corner_signs import CornerSigns
from calibration.discriminant import NO_TRUST, Shown
from calibration.trial import LabelledView, Score, Trial, cross_validated
from rules.pieces import RANKS, SUITS, Face
from vision.detect.shape import Floats
from vision.identify.read import Array
from vision.piece import Signs

COINS = (*(Shown(Face.FRONT, None, rank) for rank in RANKS), *(Shown(Face.BACK, suit, None) for suit in SUITS))
NUMBERS = 12


def looks(telling: float, right: float, seed: int = 0, faces: tuple[Shown, ...] = COINS) -> list[LabelledView]:
    """Of every face twelve looks in groups of three. `telling`: how far the numbers of the faces lie apart; `right`:
    what chance the reader gives to what is true."""
    middles = np.random.default_rng(5).normal(0, telling, (len(faces), NUMBERS))
    rng = np.random.default_rng(seed)
    out = []
    for face, middle in zip(faces, middles, strict=True):
        for number in range(12):
            numbers = (middle + rng.normal(0, 0.5, NUMBERS)).astype(np.float32)
            sides = {side: right if side is face.face else 1 - right for side in Face}
            suits = {suit: right if suit is face.suit else (1 - right) / 3 for suit in SUITS}
            ranks = {rank: right if rank is face.rank else (1 - right) / 5 for rank in RANKS}
            out.append(LabelledView(face, Signs(numbers, sides, suits, ranks), number // 3))
    return out


def test_it_is_trusted_where_it_tells_what_the_reader_does_not() -> None:
    learnt, trial = cross_validated(COINS, looks(3.0, 0.1), looks(3.0, 0.1, seed=1))
    assert learnt.trusted
    for score in (trial.own, trial.drawn):
        assert score.looks == 120
        assert score.read < 60
        assert score.taught > 110
    assert trial.total == Score(240, trial.own.read + trial.drawn.read, trial.own.taught + trial.drawn.taught)


def test_a_colour_may_count_more_than_print() -> None:
    """The reader is sure, and wrong: what counts no more than it cannot overrule it."""
    pawns = tuple(Shown(None, suit, None) for suit in SUITS)
    learnt, trial = cross_validated(pawns, looks(3.0, 0.001, faces=pawns), looks(3.0, 0.001, seed=1, faces=pawns))
    assert learnt.trust.suit > 1
    assert trial.drawn == (48, 0, 48)


def test_the_shipped_reading_stays_where_it_is_better() -> None:
    learnt, trial = cross_validated(COINS, looks(0.0, 0.9), looks(0.0, 0.9, seed=1))
    assert learnt.trust == NO_TRUST
    assert trial.own == (120, 120, 120)


def test_it_must_be_worse_nowhere() -> None:
    """Better on the lesson's own pieces, but on the drawn tables the same numbers are of other faces."""
    own, drawn = looks(1.0, 0.4), looks(1.0, 0.95, seed=1, faces=(*COINS[1:], COINS[0]))
    _, trial = cross_validated(COINS, own, drawn)
    assert trial.drawn.taught >= trial.drawn.read == 120


def test_one_table_does_not_decide() -> None:
    """All looks of a table are alike: what it tells better there may be chance."""
    one_table = [look._replace(group=0) for look in looks(3.0, 0.1, seed=1)]
    learnt, trial = cross_validated(COINS, looks(3.0, 0.1), one_table)
    assert learnt.trust == NO_TRUST
    assert trial.drawn.taught == trial.drawn.read


def test_looks_are_told_by_what_was_learnt_from_others() -> None:
    """One look is twice there, in one group: kept aside together, the one does not tell the other."""
    twins = [look for look in looks(0.0, 0.3) for _ in range(2)]
    learnt, trial = cross_validated(COINS, twins, [])
    assert trial.own.taught < 240 / 2
    assert trial.drawn == (0, 0, 0)
    assert learnt.faces == COINS


def test_of_dice_whose_values_were_not_taught_the_suit_is_asked() -> None:
    suits = tuple(Shown(None, suit, None) for suit in SUITS)
    dice = tuple(Shown(None, suit, RANKS[1]) for suit in SUITS)
    _, trial = cross_validated(suits, looks(1.0, 0.1, faces=suits), looks(1.0, 0.1, seed=1, faces=dice))
    assert trial.drawn.looks == 48


class Told(CornerSigns):
    """Says of a picture the suit that is written in its first pixel."""

    def votes(self, picture: Array) -> Floats:
        out: Floats = np.where(np.arange(4) == round(float(picture[0, 0, 0]) * 255), 2.0, -2.0)
        return out


def pictured(all_looks: list[LabelledView], wrong: int = 0) -> list[LabelledView]:
    """With a picture that tells the true suit, or one `wrong` places on."""
    return [
        look._replace(
            signs=replace(
                look.signs,
                picture=None
                if look.shown.suit is None
                else np.full((1, 1, 3), (SUITS.index(look.shown.suit) + wrong) % 4, np.uint8),
            )
        )
        for look in all_looks
    ]


def test_corners_are_heard_only_where_drawn_tables_are_told_better_with_them() -> None:
    corners, own, drawn = Told(np.zeros((0, 5))), looks(0.0, 0.2), looks(0.0, 0.2, seed=1)
    without, before = cross_validated(COINS, own, drawn)
    helped, trial = cross_validated(COINS, own, pictured(drawn), corners)
    assert helped.corners is corners
    assert trial.drawn.taught > before.drawn.taught
    assert helped.trust == without.trust
    deceived, trial = cross_validated(COINS, own, pictured(drawn, wrong=1), corners)
    assert deceived.corners is None
    assert trial == before
    untried, _ = cross_validated(COINS, own, [], corners)
    assert untried.corners is None, "nothing shows that they help"


def test_it_is_written_down_and_read_back() -> None:
    trial = Trial(Score(24, 21, 24), Score(40, 30, 36))
    assert Trial.from_json(trial.to_json()) == trial

"""The figures in the cards are only as good as the counting."""

import json
from pathlib import Path

import numpy as np
import pytest

from models.training import calibrate as calibrating
from models.training.calibrate import LabelledAnswers, best_temperature, fit_certainty
from models.training.evaluate import ALL, Tally, calibration_error, comparison_table, judge_by_kind, judge_piece
from models.training.truth import Labelled, match
from rules.pieces import Face, Kind, Suit
from vision.detect.channels import KINDS
from vision.frame import Frame
from vision.piece import DetectedPiece
from vision.table_reader import FrameResult

SQUARE = 10 * np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])


def true(kind: str, x: float, visible: float = 1.0, suit: str | None = None) -> Labelled:
    at = np.array([x, 0.0])
    return Labelled(kind, SQUARE + at, at, visible, suit, None, "back", None, None, None)


def seen(kind: str, x: float, suit: Suit | None = None) -> DetectedPiece:
    return DetectedPiece(
        Kind(kind), np.array([x, 0.0]), SQUARE + np.array([x, 0.0]), 1.0, Face.BACK, suits={suit: 1.0} if suit else {}
    )


def test_a_sighting_counts_once_and_only_near() -> None:
    matched = match([true("coin", 0), true("coin", 100)], [seen("coin", 3), seen("coin", 4), seen("coin", 109)])
    assert matched.pairs == [(0, 0)]
    assert matched.missed == [1]
    assert matched.false_alarms == [1, 2]


def test_another_kind_is_no_match() -> None:
    matched = match([true("coin", 0)], [seen("die", 0)])
    assert (matched.pairs, matched.missed, matched.false_alarms) == ([], [0], [0])


def test_hardly_visible_pieces_count_neither_way() -> None:
    hidden = [true("coin", 0, visible=0.2)]
    assert match(hidden, []).missed == []
    assert match(hidden, [seen("coin", 0)]).false_alarms == []


def test_identity_needs_every_part_right() -> None:
    tally = Tally()
    assert judge_piece(true("coin", 0, suit="suns"), seen("coin", 0, Suit.SUNS), tally)
    assert not judge_piece(true("coin", 0, suit="suns"), seen("coin", 0, Suit.ARMS), tally)
    assert tally.figures()["coin suit"] == 0.5


def test_honest_claims_have_no_calibration_error() -> None:
    honest = [(0.9, True)] * 9 + [(0.9, False)]
    boastful = [(0.9, True)] * 5 + [(0.9, False)] * 5
    assert calibration_error(honest) == pytest.approx(0)
    assert calibration_error(boastful) == pytest.approx(0.4)


def test_boastful_logits_are_cooled() -> None:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 4, 2000)
    said = np.where(rng.random(2000) < 0.7, labels, rng.integers(0, 4, 2000))
    rows = 8.0 * np.eye(4)[said]
    assert best_temperature(rows, labels.tolist()) > 2.5


def test_certainty_learns_whom_to_trust() -> None:
    rng = np.random.default_rng(1)
    there = rng.random(3000) < 0.5
    reader = np.where(there, 0.95, 0.05)
    finder = rng.uniform(0.3, 0.9, 3000)
    weights = fit_certainty(list(zip(finder, finder, reader, ["coin"] * 3000, there.tolist(), strict=True)))
    assert weights["certainty coin agree"] > 3 * abs(weights["certainty coin score"])


def test_certainty_is_fitted_for_the_kinds_that_are_asked_for_and_the_rest_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [(0.9, 0.9, 0.9, kind, True) for kind in ("coin", "die")] * 30
    evidence = LabelledAnswers({"class": [np.eye(9)[0]] * 60}, {"class": [0] * 60}, rows)
    monkeypatch.setattr(calibrating, "collect", lambda *_: evidence)
    before = {"class": 9.0, "certainty coin level": 9.0, "value die, small": 1.0}
    listing = tmp_path / "registry.json"

    def fitted(*kinds: str) -> dict[str, float]:
        listing.write_text(json.dumps({"reader": {"temperatures": before}}))
        found = calibrating.calibrate([], [], tmp_path, kinds)
        now: dict[str, float] = json.loads(listing.read_text())["reader"]["temperatures"]
        assert now == before | found
        return found

    assert set(fitted("die")) == {f"certainty die {witness}" for witness in calibrating.TERMS}
    everything = fitted()
    assert {"class", "certainty coin level", "certainty card agree"} < set(everything)
    assert "value die, small" not in everything, "`dice_fusion` fits that"


def test_trust_never_runs_away() -> None:
    rng = np.random.default_rng(2)
    there = rng.random(60) < 0.5
    sure = np.where(there, 0.9999, 0.0001)
    weights = fit_certainty(list(zip(sure, sure, sure, ["pawn"] * 60, there.tolist(), strict=True)))
    assert all(abs(weight) < 20 for weight in weights.values())


def test_folders_are_compared_kind_by_kind(tmp_path: Path) -> None:
    square = (SQUARE + 50).tolist()
    pieces = [
        {"kind": kind, "outline_px": square, "center_px": [x, 0], "visible": 1.0, "suit": "suns"}
        for kind, x in (("pawn", 50), ("pawn", 90), ("die", 20))
    ]
    (tmp_path / "0.json").write_text(json.dumps({"pieces": pieces}))
    found = [seen("pawn", 50, Suit.SUNS), seen("coin", 20, Suit.SUNS)]
    look = FrameResult(Frame(np.zeros((99, 99, 3), np.uint8)), found, None, 0.0, [], {})
    tallies = {kind: {"here": Tally()} for kind in (ALL, *KINDS)}
    judge_by_kind(tmp_path / "0.json", look, {kind: row["here"] for kind, row in tallies.items()})
    rows = {line.split("|")[1].strip(): line for line in comparison_table(tallies).splitlines()}
    assert rows["all"] == "| all | 3 | 0.500 | 0.333 | 1.000 |"
    assert rows["pawn"] == "| pawn | 2 | 1.000 | 0.500 | 1.000 |"
    assert rows["coin"] == "| coin | 0 | 0.000 | nan | nan |"

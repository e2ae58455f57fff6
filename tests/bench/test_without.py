"""A sense that is left out is gone, and the others are as they were."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rules.pieces import Face, Kind, Rank, Suit
from rules.table.evidence import TableEvidence
from rules.table.observed import ObservedTable
from tests.bench.__main__ import main
from tests.bench.trials.without import ALL_SENSES, Sense, Senses
from tests.vision.test_witness import BEFORE, BOARD, shot
from vision.eyes import Look
from vision.frame import Frame
from vision.piece import Seen
from vision.witness.witness import FrameEvidence

TILE = Seen(
    Kind.TILE,
    np.zeros(2),
    np.zeros((4, 2)),
    0.9,
    Face.FRONT,
    {Suit.SUNS: 1.0},
    {Rank.THREE: 1.0},
    embedding=np.ones(3, np.float32),
)
DIE = replace(TILE, kind=Kind.DIE, face=None)


class Eyes:
    def look(self, frame: Frame) -> Look:
        return Look(frame, [TILE, DIE], None, 0.0, [], {}, closer=lambda *_: [TILE])


def seen(*without: Sense) -> Look:
    return Senses(frozenset(without)).seeing(Eyes()).look(Frame(np.zeros((90, 160, 3), np.uint8)))


def test_names_are_forgotten_but_those_of_dice() -> None:
    look = seen(Sense.NAMES)
    assert [piece.suit for piece in look.pieces] == [None, Suit.SUNS]
    assert look.pieces[0].embedding is not None
    assert look.closer is not None
    assert look.closer((0, 0, 9, 9), 2.0)[0].suit is None, "also from nearer"


def test_the_nearer_look_is_left_out_by_itself() -> None:
    assert seen(Sense.NEARER).closer is None
    assert seen(Sense.NEARER).pieces[0].suit is Suit.SUNS


def test_without_change_the_board_is_tracked_and_no_place_tells_anything() -> None:
    (before, plane), (after, _) = shot(False), shot(True)
    kept = FrameEvidence(Frame(before), plane).remember(BEFORE, BOARD, ObservedTable(()), None)
    assert kept is not None

    def told(senses: Senses) -> TableEvidence:
        return senses.told(TableEvidence(ObservedTable(()), FrameEvidence(Frame(after), plane)))

    whole, less = (told(senses).picture for senses in (ALL_SENSES, Senses(frozenset({Sense.CHANGE}))))
    assert whole is not None
    assert less is not None
    seen, blind = whole.compared(kept, ObservedTable(())), less.compared(kept, ObservedTable(()))
    assert seen is not None
    assert blind is not None
    assert seen.traces
    assert not blind.traces
    assert {blind.changed(placed) for placed in BEFORE} == {None}
    assert told(Senses(frozenset({Sense.WITNESS}))).picture is None


def test_an_unknown_sense_is_said_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stills", "--without", "smell"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "smell" in line

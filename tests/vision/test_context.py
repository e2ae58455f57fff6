"""Company speaks for a thing: others like it near it, and cards for what is played with cards."""

from __future__ import annotations

import numpy as np
import pytest

from rules.pieces import Kind, Suit
from vision import context
from vision.piece import DetectedPiece
from vision.rectify import Layers

LAYERS = Layers(np.full((400, 600, 3), 120, np.uint8))


def standing(x: float, y: float, certainty: float, suit: Suit = Suit.SUNS) -> DetectedPiece:
    outline = np.array([[x - 10, y - 10], [x + 10, y - 10], [x + 10, y + 10], [x - 10, y + 10.0]])
    return DetectedPiece(Kind.PYRAMID, np.array([x, y]), outline, certainty, suits={suit: 0.95})


def card(x: float) -> DetectedPiece:
    outline = np.array([[x, 300.0], [x + 50, 300], [x + 50, 370], [x, 370]])
    return DetectedPiece(Kind.CARD, outline.mean(axis=0), outline, 0.99)


def likes(*pieces: DetectedPiece) -> list[float]:
    return [each.like for each in context.neighbours_of(pieces)]


def test_a_row_of_one_colour_is_company_and_what_lies_far_off_or_looks_otherwise_is_not() -> None:
    row = [standing(100 + 30.0 * n, 100, 0.9) for n in range(4)]
    assert min(likes(*row)) > 0.8
    assert likes(*row, standing(500, 300, 0.9))[-1] == 0.0
    assert likes(*row, standing(220, 100, 0.9, Suit.ARMS))[-1] == 0.0


def test_what_is_seen_twice_is_no_company_for_itself() -> None:
    assert likes(standing(100, 100, 0.9), standing(104, 101, 0.8)) == [0.0, 0.0]


def test_cards_speak_for_a_table_of_cards_as_far_as_there_are_some() -> None:
    shares = [
        context.neighbours_of([standing(100, 100, 0.5), *map(card, range(0, 60 * n, 60))])[0].cards
        for n in (0, 2, 4, 9)
    ]
    assert shares == pytest.approx([0.0, 0.5, 1.0, 1.0], abs=0.02)


def test_company_makes_as_much_certainer_as_it_was_found_to_be_worth() -> None:
    weights = {"certainty pyramid like": 1.0, "certainty pyramid cards": 1.5}
    pieces = [standing(100 + 30.0 * n, 100, 0.3) for n in range(3)] + [card(60.0 * n) for n in range(5)]
    alone, company = (context.reweighted(pieces, each, LAYERS)[1].certainty for each in ({}, weights))
    assert company > 0.5 > 0.4 > alone

"""Cards are found by what is drawn on them: wherever they lie, any lamp, either way up, partly covered, two alike; what
is like none is none, and what is drawn on a card is nothing that lies there."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.render.cards import random_back, random_face
from rules.pieces import Face, Kind, Pose
from rules.pieces.decktet import BASIC
from vision.assemble import table_plane, upright_quad
from vision.detect.shape import Floats
from vision.frame import Picture
from vision.identify.deck import BACK, Deck, FoundCard, cards_in, decktet
from vision.identify.found_cards import PRINT_SIMILARITY, shows_cards, with_found_cards
from vision.piece import CERTAIN, DetectedPiece

MARKS = [card.mark for card in BASIC]


def face(mark: str) -> Picture:
    return random_face(8, mark, 200, 280)


@pytest.fixture(scope="module")
def deck() -> Deck:
    return Deck.of({BACK: random_back(8, 200, 280), **{mark: face(mark) for mark in MARKS}})


def quad(x: float, y: float, turn: float, width: float = 70.0) -> Floats:
    c, s = np.cos(turn), np.sin(turn)
    box: Floats = np.array([[-1, -1.4], [1, -1.4], [1, 1.4], [-1, 1.4]]) * width / 2
    out: Floats = box @ np.array([[c, s], [-s, c]]) * (1.0, 0.85) + (x, y)
    return out


def laid(table: Picture, picture: Picture, corners: Floats) -> None:
    high, wide = picture.shape[:2]
    own = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    matrix = cv2.getPerspectiveTransform(own, corners.astype(np.float32))
    small = cv2.GaussianBlur(picture, (0, 0), 1.2)
    cv2.warpPerspective(small, matrix, table.shape[1::-1], dst=table, borderMode=cv2.BORDER_TRANSPARENT)


def bare(light: float = 1.0) -> Picture:
    return np.full((480, 640, 3), np.array((60, 90, 70)) * light, np.uint8)


def photographed(table: Picture, light: float = 1.0) -> Picture:
    noise = np.random.default_rng(1).normal(0, 3, table.shape)
    lit = np.clip(cv2.GaussianBlur(table, (0, 0), 0.6) * light + noise, 0, 255).astype(np.uint8)
    return np.asarray(cv2.cvtColor(lit, cv2.COLOR_BGR2GRAY), np.uint8)


PLACES = [(90.0 + 115 * column, 100.0 + 130 * row) for row in range(3) for column in range(5)]


@pytest.mark.parametrize("light", [0.4, 1.0, 1.3])
def test_every_card_is_found_to_the_pixel(deck: Deck, light: float) -> None:
    right = asked = 0
    for first in range(0, len(MARKS), len(PLACES)):
        table, quads = bare(), {}
        for number, (mark, (x, y)) in enumerate(zip(MARKS[first : first + len(PLACES)], PLACES, strict=False)):
            quads[mark] = quad(x, y, 0.9 * number)
            laid(table, face(mark), quads[mark])
        cards = {card.mark: card for card in cards_in(deck, photographed(table, light))}
        asked += len(quads)
        right += sum(
            mark in cards and float(np.abs(cards[mark].corners - corners).max()) < 4 for mark, corners in quads.items()
        )
        assert set(cards) <= set(quads)
    assert right >= 0.95 * asked


def test_two_alike_and_a_hand_of_backs_are_as_many_as_they_are(deck: Deck) -> None:
    table = bare()
    for mark, (x, y) in zip(("2MK", "2MK", BACK, BACK, BACK), PLACES, strict=False):
        laid(table, face(mark) if mark else random_back(8, 200, 280), quad(x, y, 0.1))
    cards = cards_in(deck, photographed(table))
    assert sorted(card.mark for card in cards) == [BACK, BACK, BACK, "2MK", "2MK"]


def test_a_third_may_be_covered(deck: Deck) -> None:
    right = 0
    for mark in MARKS[:12]:
        covered, table = face(mark).copy(), bare()
        covered[2 * covered.shape[0] // 3 :] = (40, 40, 200)
        laid(table, covered, quad(300, 240, 0.4, 90))
        right += [card.mark for card in cards_in(deck, photographed(table))] == [mark]
    assert right >= 11


def test_where_small_dim_cards_are_seen_fewer_details_tell_them(deck: Deck) -> None:
    """Once it is known from others how large they are; and never wrongly."""
    asked = told = alone = 0
    for first in range(0, len(MARKS), len(PLACES)):
        table, quads = bare(), {}
        for number, (mark, (x, y)) in enumerate(zip(MARKS[first : first + len(PLACES)], PLACES, strict=False)):
            quads[mark] = quad(x, y, 0.9 * number, 36)
            laid(table, face(mark), quads[mark])
        picture = photographed(table, 0.3)
        outlines = [*(corners + 2.0 for corners in quads.values()), quad(30, 30, 0.3, 36)]
        cards = cards_in(deck, picture, [DetectedPiece(Kind.CARD, each.mean(axis=0), each, 0.8) for each in outlines])
        assert all(float(np.abs(card.corners - quads[card.mark]).max()) < 10 for card in cards)
        asked += len(quads)
        told += len(cards)
        alone += len(cards_in(deck, picture))
    assert alone < told
    assert told >= 0.7 * asked


def test_cards_of_another_deck_and_a_bare_table_are_none(deck: Deck) -> None:
    table = bare()
    for number, (mark, (x, y)) in enumerate(zip(MARKS, PLACES, strict=False)):
        laid(table, random_face(77, mark, 200, 280), quad(x, y, 0.3 * number))
    assert cards_in(deck, photographed(table)) == []
    assert cards_in(deck, photographed(bare())) == []


def test_the_decktet_is_known_as_it_is_printed() -> None:
    deck = decktet()
    assert set(MARKS) <= set(deck.marks)
    assert BACK in deck.marks
    assert deck.descriptors.shape == (len(deck.owner), 128)
    assert np.bincount(deck.owner).min() >= 25


BOX = np.array([[100.0, 100], [170, 100], [170, 198], [100, 198]])
DETAILS = np.array([[110.0 + 5 * i, 110 + 7 * i] for i in range(11)])
COVERED = DETAILS + (42.0, -14.0)
KNOWN = FoundCard("XS", BOX, DETAILS, np.concatenate([DETAILS, COVERED]), np.repeat([0.9, 0.5], len(DETAILS)))


def seen(kind: Kind, x: float, y: float, half: float, certainty: float = 0.8) -> DetectedPiece:
    outline = np.array([[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]])
    return DetectedPiece(
        kind, np.array([x, y]), outline, certainty, pose=Pose.UPRIGHT if kind is Kind.PYRAMID else None
    )


def test_a_card_that_is_known_takes_the_place_of_what_was_made_of_it() -> None:
    half_seen = seen(Kind.CARD, 130, 150, 30)
    (card,) = with_found_cards([half_seen, seen(Kind.TILE, 135, 160, 20)], [KNOWN])
    assert (card.kind, card.mark, card.face) == (Kind.CARD, "XS", Face.FRONT)
    assert np.allclose(card.outline, BOX)
    (back,) = with_found_cards([], [replace(KNOWN, mark=BACK)])
    assert (back.mark, back.face) == (None, Face.BACK)


def test_what_is_drawn_on_a_card_is_doubted_and_what_stands_on_it_is_not() -> None:
    sun, pyramid = seen(Kind.COIN, 125, 131, 12, 0.7), seen(Kind.PYRAMID, 160, 110, 9)
    drawn, standing, _ = with_found_cards([sun, pyramid], [KNOWN])
    assert standing == pyramid
    assert drawn.certainty < CERTAIN


def test_the_print_of_a_card_is_seen_where_nothing_lies_on_it(deck: Deck) -> None:
    table = bare()
    corners = quad(300, 240, 0.4, 90)
    covered = face("2MK").copy()
    covered[2 * covered.shape[0] // 3 :] = (40, 40, 200)
    laid(table, covered, corners)
    (card,) = cards_in(deck, photographed(table))
    down = (card.expected - corners[0]) @ (corners[3] - corners[0]) / np.sum((corners[3] - corners[0]) ** 2)
    assert card.similarity[down < 0.55].mean() > PRINT_SIMILARITY + 0.05
    assert card.similarity[down > 0.75].mean() < PRINT_SIMILARITY


def test_what_is_larger_than_the_cards_of_its_table_is_no_card() -> None:
    other, shadow = seen(Kind.CARD, 300, 150, 42), seen(Kind.CARD, 300, 300, 80)
    assert [piece.certainty for piece in with_found_cards([other, shadow], [KNOWN])][:-1] == [other.certainty]
    assert with_found_cards([other, shadow], []) == [other, shadow]


def test_cards_are_looked_for_where_there_are_some() -> None:
    assert shows_cards([seen(Kind.CARD, 0, 0, 9, 0.6), seen(Kind.CARD, 50, 0, 9, 0.6)])
    assert not shows_cards([seen(Kind.CARD, 0, 0, 9, 0.6), seen(Kind.TILE, 50, 0, 9, 0.9)])


def test_a_card_begins_with_a_short_side() -> None:
    assert np.allclose(upright_quad(quad(0, 0, 0.0)), quad(0, 0, 0.0))
    assert np.allclose(upright_quad(np.roll(quad(0, 0, 0.0), 1, axis=0)), quad(0, 0, 0.0))


def test_cards_tell_the_plane_where_no_tiles_lie() -> None:
    card = np.array([[100.0, 100], [200, 100], [200, 240], [100, 240]])
    plane = table_plane(
        [DetectedPiece(Kind.CARD, card.mean(axis=0), card + (150 * step, 0), 0.9) for step in range(3)], (800, 600)
    )
    assert plane is not None
    across = plane.to_table(np.array([[100.0, 100], [200, 100]]))
    down = plane.to_table(np.array([[100.0, 100], [100, 240]]))
    assert np.linalg.norm(across[1] - across[0]) == pytest.approx(2.5, abs=0.02)
    assert np.linalg.norm(down[1] - down[0]) == pytest.approx(3.5, abs=0.02)


def test_what_is_taken_for_a_tile_among_cards_tells_no_plane() -> None:
    card = np.array([[100.0, 100], [200, 100], [200, 240], [100, 240]])
    cards = [DetectedPiece(Kind.CARD, card.mean(axis=0), card + (150 * step, 0), 0.9) for step in range(3)]
    square = np.array([[110.0, 120], [150, 125], [148, 170], [108, 165]])
    drawn_one = DetectedPiece(Kind.TILE, square.mean(axis=0), square, 0.55)
    among, alone = table_plane([*cards, drawn_one], (800, 600)), table_plane(cards, (800, 600))
    assert among is not None
    assert alone is not None
    assert np.allclose(among.homography, alone.homography)

"""Cards are told by their drawings: any lamp, either way up, partly covered; what is like none stays unnamed."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.render import cards as drawn
from rules.pieces import Kind
from rules.pieces.decktet import BASIC
from vision.assemble import table_plane
from vision.detect.shape import Floats
from vision.frame import Picture
from vision.identify.cards import HIGH, LENGTH, WIDE, Gallery, descriptor, picture_of, upright_quad
from vision.piece import Seen
from vision.rectify import Layers

MARKS = [card.mark for card in BASIC]


def face(mark: str) -> Picture:
    return drawn.face(mark, 60.0, np.random.default_rng(0)).colours


@pytest.fixture(scope="module")
def gallery() -> Gallery:
    return Gallery.of({mark: face(mark) for mark in MARKS})


def on_table(picture: Picture, quad: Floats, light: float = 1.0) -> Picture:
    table = np.full((420, 420, 3), (60, 90, 70), np.uint8)
    high, wide = picture.shape[:2]
    corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, quad.astype(np.float32))
    cv2.warpPerspective(picture, matrix, (420, 420), dst=table, borderMode=cv2.BORDER_TRANSPARENT)
    noise = np.random.default_rng(1).normal(0, 4, table.shape)
    return np.clip(cv2.GaussianBlur(table, (0, 0), 0.7) * light + noise, 0, 255).astype(np.uint8)


def quad(turn: float, width: float = 110.0) -> Floats:
    c, s = np.cos(turn), np.sin(turn)
    box: Floats = np.array([[-1, -1.4], [1, -1.4], [1, 1.4], [-1, 1.4]]) * width / 2
    out: Floats = box @ np.array([[c, s], [-s, c]]) * (1.0, 0.85) + 210
    return out


def shown(picture: Picture, corners: Floats) -> np.ndarray:
    return descriptor(picture_of(Layers(picture), corners)).ravel()


@pytest.mark.parametrize("light", [0.45, 1.0, 1.3])
def test_every_face_is_known_in_any_light_and_turn(gallery: Gallery, light: float) -> None:
    right = 0
    for number, mark in enumerate(MARKS):
        corners = quad(0.9 * number)
        chances, _ = gallery.chances(shown(on_table(face(mark), corners, light), np.roll(corners, number, axis=0)))
        right += max(chances, key=lambda each: chances[each]) == mark
    assert right >= len(MARKS) - 1


def test_upside_down_is_said(gallery: Gallery) -> None:
    corners = quad(0.2)
    picture = on_table(face("2MK"), corners)
    assert not gallery.chances(shown(picture, corners))[1]
    assert gallery.chances(shown(picture, np.roll(corners, 2, axis=0)))[1]


def test_a_third_may_be_covered(gallery: Gallery) -> None:
    right = 0
    for mark in MARKS:
        covered = face(mark).copy()
        covered[2 * covered.shape[0] // 3 :] = (40, 40, 200)
        corners = quad(0.4)
        chances, _ = gallery.chances(shown(on_table(covered, corners), corners))
        right += max(chances, key=lambda each: chances[each]) == mark
    assert right >= 0.9 * len(MARKS)


def test_a_back_and_a_bare_table_are_no_face(gallery: Gallery) -> None:
    back = drawn.back(60.0, np.random.default_rng(3)).colours
    bare = np.full((HIGH, WIDE, 3), 128, np.uint8)
    for picture in (back, bare):
        chances, _ = gallery.chances(descriptor(picture).ravel())
        assert max(chances.values()) < 0.5


def test_a_description_has_its_length() -> None:
    assert descriptor(face("5YK")).size == LENGTH
    assert np.allclose(upright_quad(quad(0.0)), quad(0.0))


def test_cards_tell_the_plane_where_no_tiles_lie() -> None:
    card = np.array([[100.0, 100], [200, 100], [200, 240], [100, 240]])
    plane = table_plane(
        [Seen(Kind.CARD, card.mean(axis=0), card + (150 * step, 0), 0.9) for step in range(3)], (800, 600)
    )
    assert plane is not None
    across = plane.to_table(np.array([[100.0, 100], [200, 100]]))
    down = plane.to_table(np.array([[100.0, 100], [100, 240]]))
    assert np.linalg.norm(across[1] - across[0]) == pytest.approx(2.5, abs=0.02)
    assert np.linalg.norm(down[1] - down[0]) == pytest.approx(3.5, abs=0.02)


def test_what_is_taken_for_a_tile_among_cards_tells_no_plane() -> None:
    card = np.array([[100.0, 100], [200, 100], [200, 240], [100, 240]])
    cards = [Seen(Kind.CARD, card.mean(axis=0), card + (150 * step, 0), 0.9) for step in range(3)]
    square = np.array([[110.0, 120], [150, 125], [148, 170], [108, 165]])
    drawn = Seen(Kind.TILE, square.mean(axis=0), square, 0.55)
    among, alone = table_plane([*cards, drawn], (800, 600)), table_plane(cards, (800, 600))
    assert among is not None
    assert alone is not None
    assert np.allclose(among.homography, alone.homography)

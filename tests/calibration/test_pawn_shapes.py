"""Pawns that no usual set has, coins and dice of other sizes: the double has them as the lesson shows them."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from calibration.double import double_of
from calibration.lesson_task import STEPS, Named, NamedPage
from calibration.pawn_shapes import TurnedBody
from models.render import Body, Viewpoint, render
from models.render.edition import SUITS, PaintedSet
from models.render.pawns import figure, given, given_sawn
from models.render.styles import plain_edition
from rules.pieces import Kind, Suit
from tests.calibration.pictures import grid, scene
from tests.tiers import first
from vision.frame import Frame
from vision.piece import DetectedPiece

HIGH = 1.3
STEP = {"pawn": "pawns", "coin": "coin-suits", "die": "dice"}


def lesson(edition: PaintedSet, kind: str) -> tuple[Frame, NamedPage]:
    """Twelve pieces and a tile from aslant, outlined as they are."""
    rng = np.random.default_rng(5)
    pose, face, value = {"pawn": ("upright", None, None), "coin": (None, "back", None), "die": (None, None, "ace")}[
        kind
    ]
    bodies = [Body(kind, 0, 0, suit=suit, value=value, face=face, pose=pose, seed=2) for suit in SUITS * 3]
    bodies.append(Body("tile", 0, 0, suit="suns", value="3", face="front", seed=3))
    drawn = render(scene(edition, grid(rng, bodies, 2.2), Viewpoint(tilt_deg=32.0, turn_deg=40.0), 7))
    named, beside = [], []
    for each in drawn.truth["pieces"]:
        outline = np.array(each["outline_px"], np.float64)
        if each["kind"] == "tile":
            beside.append(outline)
            continue
        piece = DetectedPiece(Kind(kind), np.array(each["center_px"]), outline, 1.0)
        named.append(Named(piece, (Suit(each["suit"]), None), 9.0))
    return Frame(drawn.image), NamedPage(STEPS[STEP[kind]], named, beside=tuple(beside))


def pawns(pawn_shape: str, pawn_shapes: Mapping[str, str] | None = None) -> PaintedSet:
    edition = replace(plain_edition("other", 4), pawn_shape=pawn_shape, pawn_shapes=dict(pawn_shapes or {}))
    edition.sizes = replace(edition.sizes, pawn_high=HIGH)
    return edition


def body(edition: PaintedSet, suit: str) -> TurnedBody:
    return TurnedBody(np.asarray(figure(edition.pawn_shapes[suit]).profile) * edition.sizes.pawn_high)


@pytest.mark.parametrize("shape", first(["skittle:2", "rod:2", "chesspawn:2"]))
def test_a_turned_pawn_has_the_shape_that_its_pictures_show(shape: str) -> None:
    true = TurnedBody(np.asarray(figure(shape).profile) * HIGH)
    found = body(double_of("mine", [lesson(pawns(pawn_shape=shape), "pawn")]), "moons")
    assert abs(found.height / true.height - 1) < 0.15
    assert abs(found.width / true.width - 1) < 0.08
    assert found.difference(true) < 0.2


def test_a_suit_with_a_shape_of_its_own_keeps_it() -> None:
    slim, squat = (
        given(np.array([[0, 0], [wide, 0], [wide, high], [0, high]])) for wide, high in ((0.2, 1), (0.3, 0.4))
    )
    edition = double_of("mine", [lesson(pawns(pawn_shape=slim, pawn_shapes={"crowns": squat}), "pawn")])
    assert body(edition, "crowns").height < 0.7 * HIGH < 0.8 * HIGH < body(edition, "arms").height
    assert edition.pawn_shapes["suns"] == edition.pawn_shapes["arms"]


@pytest.mark.parametrize(("wide", "top", "thick"), first([(0.6, 0.6, 0.3), (0.7, 0.3, 0.15), (0.5, 0.7, 0.4)]))
def test_a_flat_pawn_has_the_widths_height_and_thickness_that_its_pictures_show(
    wide: float, top: float, thick: float
) -> None:
    outline = np.array([[wide / 2, 0], [top / 2, 1], [-top / 2, 1], [-wide / 2, 0]])
    edition = double_of("mine", [lesson(pawns(pawn_shape=given_sawn(outline, thick)), "pawn")])
    found = figure(edition.pawn_shapes["moons"])
    assert found.outline is not None
    front = found.outline * edition.sizes.pawn_high
    for height, true in ((0, wide), (1, top)):
        level = front[np.isclose(front[:, 1], height * front[:, 1].max()), 0]
        assert np.ptp(level) == pytest.approx(true * HIGH, rel=0.12)
    assert front[:, 1].max() == pytest.approx(HIGH, rel=0.1)
    assert found.thick * edition.sizes.pawn_high == pytest.approx(thick * HIGH, rel=0.15)


def test_a_sawn_pawn_is_not_taken_for_a_turned_one() -> None:
    found = double_of("mine", [lesson(pawns(pawn_shape="crest:1"), "pawn")])
    assert set(found.pawn_shapes) == set(SUITS)
    assert all(figure(each).outline is not None for each in found.pawn_shapes.values())


@pytest.mark.full
def test_a_figure_with_arms_and_legs_is_neither() -> None:
    assert not double_of("mine", [lesson(pawns(pawn_shape="man:1"), "pawn")]).pawn_shapes


def test_without_a_tile_nothing_is_measured() -> None:
    frame, page = lesson(pawns(pawn_shape="rod:2"), "pawn")
    edition = double_of("mine", [(frame, replace(page, beside=()))])
    assert not edition.pawn_shapes
    assert edition.sizes == plain_edition("usual", 4).sizes


@pytest.mark.parametrize(("kind", "wide"), first([("coin", 0.95), ("die", 0.8)]))
def test_coins_and_dice_are_as_large_as_beside_a_tile(kind: str, wide: float) -> None:
    edition = plain_edition("other", 4)
    edition.sizes = replace(edition.sizes, **{kind: wide})
    found = double_of("mine", [lesson(edition, kind)])
    assert getattr(found.sizes, kind) == pytest.approx(wide, rel=0.05)

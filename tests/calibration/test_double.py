"""The double of a set: its sides are those of the lesson's pictures, in even light."""

import numpy as np

from calibration.double import double_of, sample_tables, without_shading
from calibration.lesson_task import STEPS, Named, NamedPage
from models.render import art
from models.render.edition import PaintedSet
from rules.pieces import Face, Kind, Rank, Suit
from vision.detect.shape import Floats
from vision.frame import Frame
from vision.identify.read import Array
from vision.piece import DetectedPiece

TILE = np.array([[40.0, 30], [100, 30], [100, 90], [40, 90]])
PAWN = np.array([[150.0, 40], [170, 40], [170, 90], [150, 90]])
GROUND, INK, BLUE = (200, 210, 220), (20, 20, 180), (190, 60, 30)


def lesson() -> list[tuple[Frame, NamedPage]]:
    """A pale tile with a red square in its upper left, and a blue pawn."""
    image = np.full((120, 200, 3), 90, np.uint8)
    image[30:90, 40:100] = GROUND
    image[36:50, 46:60] = INK
    image[40:90, 150:170] = BLUE
    frame = Frame(image)
    return [
        (frame, page("tiles", Kind.TILE, TILE, (Suit.SUNS, Rank.THREE))),
        (frame, page("pawns", Kind.PAWN, PAWN, (Suit.ARMS, None))),
    ]


def page(step: str, kind: Kind, outline: Floats, name: tuple[Suit, Rank | None]) -> NamedPage:
    face = Face.FRONT if kind is Kind.TILE else None
    return NamedPage(STEPS[step], [Named(DetectedPiece(kind, outline.mean(axis=0), outline, 0.9, face), name, 9.0)])


def face_of(edition: PaintedSet, value: str) -> Array:
    sheets = art.Sheets(edition, 1)
    return art.tile_front(sheets, "suns", value, 60, np.random.default_rng(0)).colours.astype(np.float32)


def test_a_side_is_what_the_lesson_shows() -> None:
    edition = double_of("mine", lesson())
    face = face_of(edition, "3")
    assert np.abs(face[10:16, 10:16] - INK).max() < 12
    assert np.abs(face[30:50, 30:50] - GROUND).max() < 8
    assert np.abs(np.array(edition.body) - GROUND).max() < 8
    assert np.abs(np.array(edition.pawn_colours["arms"]) - BLUE).max() < 8
    assert np.abs(face_of(edition, "4")[10:16, 10:16] - INK).max() > 60, "what was not shown is drawn"


def test_pyramids_have_their_own_colours_where_they_are_shown() -> None:
    image = np.full((120, 200, 3), 90, np.uint8)
    image[40:90, 150:170] = INK
    pyramids = (Frame(image), page("pyramids", Kind.PYRAMID, PAWN, (Suit.ARMS, None)))
    edition = double_of("mine", [*lesson(), pyramids])
    assert np.abs(np.array(edition.pyramid_colours["arms"]) - INK).max() < 8
    assert np.abs(np.array(edition.pawn_colours["arms"]) - BLUE).max() < 8
    assert double_of("mine", lesson()).pyramid_colours["arms"] == edition.pawn_colours["arms"]


def test_the_light_of_the_lesson_is_taken_out() -> None:
    """Half as bright at the right edge as at the left one; the print stays dark."""
    flat = np.full((90, 90, 3), 160.0)
    flat[30:60, 30:60] = 30
    lit = (flat * np.linspace(1.3, 0.7, 90)[None, :, None]).astype(np.uint8)
    even = without_shading(lit).astype(float)
    ground = np.concatenate([even[:25].ravel(), even[65:].ravel()])
    assert ground.std() < 3
    assert even[35:55, 35:55].mean() < 45


def test_tables_are_drawn_with_it() -> None:
    """The first table of a set of which every tile is green shows much green."""
    edition = double_of("mine", lesson())
    green = np.zeros((16, 16, 3), np.uint8)
    green[..., 1] = 200
    shown = [("front", suit.value, rank.word) for suit in Suit for rank in Rank] + [("back", None, None)]
    edition.pictures = {("tile", *side): [green] for side in shown}
    [table] = sample_tables(edition, 1)
    most = table.image[..., 1].astype(int) - np.maximum(table.image[..., 0], table.image[..., 2])
    tiles = [piece for piece in table.truth["pieces"] if piece["kind"] == "tile" and piece["visible"] > 0.8]
    assert tiles
    centres = [most[int(y), int(x)] for x, y in (piece["center_px"] for piece in tiles)]
    assert np.median(centres) > 30

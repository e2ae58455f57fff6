"""The profile behind the eyes: places through a bent lens, a bump in the middle of a game, taught names."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from calibration import lens, plane
from calibration.check import positions_of
from calibration.custom_set import TaughtSet, reader_now
from calibration.discriminant import Discriminant, Shown, VoteWeight
from calibration.profile import Profile
from calibration.runtime import CalibrationKeeper, reader_plane, usable_set
from models.render import random_scene, render
from models.render.camera import PinholeCamera
from rules.pieces import SUITS, Face, Kind, Rank, Suit
from tests.calibration.scenes import INCH, THICK, random_camera
from tests.calibration.test_check import bumped, table
from vision.detect import shape
from vision.frame import Frame
from vision.look import report
from vision.nets import WEIGHTS
from vision.piece import DetectedPiece, Signs
from vision.sightings import observed_table
from vision.table_reader import FrameResult, TableReader


def seen_tiles(quads: list[np.ndarray]) -> list[DetectedPiece]:
    return [DetectedPiece(Kind.TILE, shape.crossing(quad), quad, 0.95) for quad in quads]


def known_table(seed: int = 2) -> tuple[CalibrationKeeper, PinholeCamera]:
    camera = random_camera(seed, 25.0)
    seen = table(seed, camera)
    fitted = plane.from_tiles(seen.quads, lens.assumed(seen.size), height=THICK * INCH)
    return CalibrationKeeper(Profile(plane=fitted, resting=positions_of(fitted, seen.quads))), camera


def test_a_bump_in_a_game_is_put_right_by_the_second_still_picture() -> None:
    known, camera = known_table()
    first = table(2, camera)
    before = known.plane(seen_tiles(first.quads), first.size)
    assert before is not None
    rest = before.to_table(np.array([shape.crossing(quad) for quad in first.quads]))
    knocked = bumped(camera, 2)
    for look in (1, 2, 3):
        seen = table(2, knocked, look)
        after = known.plane(seen_tiles(seen.quads), seen.size)
    assert after is not None
    now = after.to_table(np.array([shape.crossing(quad) for quad in seen.quads]))
    away = np.linalg.norm(now[:, None] - rest[None], axis=2).min(axis=1)
    assert np.median(away) * INCH < 1.0
    assert len(known.notes) == 1
    assert "calibrated again" in known.notes[0]


def test_nothing_is_said_where_nothing_happened() -> None:
    known, camera = known_table()
    for look in range(4):
        seen = table(2, camera, look)
        assert known.plane(seen_tiles(seen.quads), seen.size) is not None
    assert known.notes == []


def test_pictures_of_another_shape_are_left_to_the_eyes() -> None:
    known, _ = known_table()
    assert known.plane([], (640, 640)) is None


def test_the_plane_of_the_eyes_agrees_with_the_profile() -> None:
    known, _ = known_table()
    assert known.profile.plane is not None
    points = np.array([[400.0, 300.0], [800.0, 200.0]])
    got = reader_plane(known.profile.plane)
    assert np.abs(got.to_table(points) * INCH - known.profile.plane.to_table(points)).max() < 1e-6
    assert np.abs(got.to_picture(got.to_table(points)) - points).max() < 0.05


def test_what_a_taught_set_knows_of_whole_faces_reaches_the_look_and_the_referee() -> None:
    """Suns 2 or moons 3, and neither suns 3 nor moons 2: no chances of suits and of values one by one say that."""
    faces = tuple(Shown(Face.FRONT, suit, rank) for suit in (Suit.SUNS, Suit.MOONS) for rank in (Rank.TWO, Rank.THREE))
    known = Discriminant(faces, np.vstack([np.zeros((64, 4)), [200.0, 0.0, 0.0, 200.0]]), VoteWeight(1.0, 1.0, 1.0))
    taught = TaughtSet("mine", reader_now(), {"tile": known}, 24)
    quad = np.array([[0.0, 0], [9, 0], [9, 9], [0, 9]])
    suits, ranks = {Suit.SUNS: 0.5, Suit.MOONS: 0.5}, {Rank.TWO: 0.5, Rank.THREE: 0.5}
    signs = Signs(np.zeros(64, np.float32), {Face.FRONT: 1.0}, suits, ranks)
    tile = DetectedPiece(Kind.TILE, quad.mean(axis=0), quad, 0.95, Face.FRONT, signs.suits, signs.ranks, signs=signs)
    tile = replace(tile, position=(0.0, 0.0))
    [now] = CalibrationKeeper(Profile().with_set(taught)).reweight([tile])
    look = FrameResult(Frame(np.zeros((90, 160, 3), np.uint8)), [now], None, 0.0, [], {})
    [told] = report(look)["pieces"]
    first = (told["suit"], told["value"])
    assert first in {("suns", "2"), ("moons", "3")}
    [other] = told["alternatives"]
    assert {first, (other["suit"], other["value"])} == {("suns", "2"), ("moons", "3")}
    assert other["p"] == pytest.approx(0.5, abs=0.01)
    [sighting] = observed_table(look).sightings
    assert set(sighting.identities) == {(Suit.SUNS, Rank.TWO), (Suit.MOONS, Rank.THREE)}


def another_reader() -> bytes:
    """The shipped one with some of its weights put to nought: it answers the same questions otherwise."""
    whole = bytearray((WEIGHTS / "reader.onnx").read_bytes())
    middle = len(whole) // 2
    whole[middle : middle + 20_000] = bytes(20_000)
    return bytes(whole)


@pytest.mark.full
def test_a_set_is_read_with_the_reader_that_was_tuned_on_it_and_others_as_before(eyes: TableReader) -> None:
    frame = Frame(render(random_scene(3)).image)
    taught = TaughtSet("mine", reader_now(), net=another_reader())
    known = CalibrationKeeper(Profile().with_set(taught))

    def read(known: CalibrationKeeper | None) -> list[dict[str, Any]]:
        return list(report(eyes.look(frame, known))["pieces"])

    before = read(None)
    assert before
    assert read(known) != before
    assert read(None) == before
    other = CalibrationKeeper(Profile().with_set(replace(taught, reader="another")))
    assert other.reader is None, "it was tuned from other weights"


def test_taught_names_are_used_only_with_the_weights_they_were_taught_to() -> None:
    suits = tuple(Shown(None, suit, None) for suit in SUITS)
    known = Discriminant(suits, np.vstack([np.zeros((64, 4)), [0.0, 90.0, 0.0, 0.0]]))
    taught = TaughtSet("mine", reader_now(), {"pawn": known}, 24)
    chances = dict(zip(SUITS, (0.4, 0.3, 0.2, 0.1), strict=True))
    quad = np.array([[0.0, 0], [9, 0], [9, 9], [0, 9]])
    signs = Signs(np.zeros(64, np.float32), suits=chances)
    pawn = DetectedPiece(Kind.PAWN, quad.mean(axis=0), quad, 0.95, suits=chances, signs=signs)
    assert CalibrationKeeper(Profile().with_set(taught)).reweight([pawn])[0].suit == "moons"
    other = CalibrationKeeper(Profile().with_set(replace(taught, reader="another")))
    assert other.reweight([pawn])[0].suit == "suns"
    assert "teach it again" in other.notes[0]


def test_a_tuned_reader_that_cannot_be_opened_is_said_and_its_set_left_out() -> None:
    notes: list[str] = []
    assert usable_set(TaughtSet("mine", reader_now(), net=b"no net"), notes) is None
    assert notes == ["the reader tuned on the set 'mine' cannot be opened: teach it again"]

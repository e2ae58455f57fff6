"""The printed sheet: what the printer gets, and what a camera makes of it."""

import re

import numpy as np
import pytest

from calibration import lens, plane, sheet
from calibration.check import CalibrationState, check, positions_of
from calibration.sheet import SheetError
from models.render.camera import PinholeCamera
from tests.calibration.scenes import apart, grid, random_camera, sheet_picture
from tests.calibration.test_check import table
from tests.tiers import full
from vision.frame import Picture


def rectangles(data: bytes) -> np.ndarray:
    found = re.findall(rb"([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re f", data)
    return np.array(found, dtype=np.float64) * 25.4 / 72


@pytest.mark.parametrize(("paper", "page"), [("a4", (210.0, 297.0)), ("letter", (215.9, 279.4))])
def test_the_sheet_prints_in_true_size(paper: str, page: tuple[float, float]) -> None:
    data = sheet.as_pdf(paper)
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", data)
    assert box is not None
    assert [float(v) * 25.4 / 72 for v in box.groups()] == pytest.approx(page, abs=0.01)
    marks = rectangles(data)
    assert (marks[:, :2] > 5).all()
    assert (marks[:, 0] + marks[:, 2] < page[0] - 5).all()
    first = marks[0]
    assert first[2] == pytest.approx(sheet.SQUARE_MM, abs=0.01)
    assert marks[:, 2].max() == pytest.approx(100.2, abs=0.01)
    assert b"/PrintScaling /None" in data


def test_the_file_is_a_pdf_whose_table_of_places_is_right() -> None:
    data = sheet.as_pdf()
    start = int(data.rsplit(b"startxref\n", 1)[1].split()[0])
    assert data[start:].startswith(b"xref")
    for number, line in enumerate(data[start:].splitlines()[3:8], 1):
        assert data[int(line.split()[0]) :].startswith(b"%d 0 obj" % number)


VIEWS = ((10.0, 0.1), (35.0, 0.8), (50.0, 2.0))
"""The tilt of one camera and how the sheet lies: pictures that the tests of the default tier share."""


def view(tilt: float, turn: float, seed: int = 6) -> tuple[PinholeCamera, Picture]:
    camera = random_camera(seed, tilt)
    return camera, sheet_picture(camera, 1, turn=turn)


@pytest.mark.parametrize(
    ("seed", "tilt", "turn"), [full((0, 5.0, 0.1)), full((4, 35.0, 0.1)), full((2, 55.0, 0.1)), (6, *VIEWS[2])]
)
def test_the_sheet_gives_the_plane_to_half_a_millimetre(seed: int, tilt: float, turn: float) -> None:
    camera, picture = view(tilt, turn, seed)
    seen = sheet.find(picture)
    fitted = plane.from_grid(seen.points, seen.seen, lens.assumed((camera.width, camera.height)))
    places, pixels = grid(camera)
    error = float(np.median(apart(fitted.to_table(pixels - 0.5, 0.0), places)))
    assert error < 0.5
    assert error < 2 * fitted.accuracy.typical


@pytest.mark.parametrize(
    ("seed", "tilt", "turn"), [full((1, 5.0, 0.1)), full((1, 30.0, 0.1)), full((1, 50.0, 0.1)), (6, *VIEWS[1])]
)
def test_tiles_lie_rightly_on_a_plane_that_was_found_from_the_sheet(seed: int, tilt: float, turn: float) -> None:
    """The sheet lies on the bare table, the tiles' upper sides a quarter inch above it: that is no bump."""
    camera, picture = view(tilt, turn, seed)
    seen = sheet.find(picture)
    fitted = plane.from_grid(seen.points, seen.seen, lens.assumed((camera.width, camera.height)))
    first, second = (table(1, camera, look) for look in (0, 1))
    resting = positions_of(fitted, [quad - 0.5 for quad in first.quads])
    assert np.median(apart(resting, first.places)) < 0.6
    found = check(fitted, [quad - 0.5 for quad in second.quads], resting)
    assert found.state is CalibrationState.TRUE
    assert found.deviation < 0.005


def test_the_lens_from_several_views() -> None:
    views = [view(tilt, turn) for tilt, turn in VIEWS]
    camera = views[0][0]
    learnt = sheet.lens_from([sheet.find(picture) for _, picture in views], lens.assumed((camera.width, camera.height)))
    assert learnt.focal == pytest.approx(camera.focal, rel=0.005)
    assert learnt.numbers[3] == pytest.approx(camera.distortion[0], abs=0.02)
    assert learnt.source == "sheet"


def test_a_sheet_printed_too_small_is_put_right_by_its_ruler() -> None:
    _, picture = view(*VIEWS[0])
    usual, small = sheet.find(picture), sheet.find(picture, measured_mm=96.0)
    assert small.points == pytest.approx(usual.points * 0.96)
    with pytest.raises(SheetError, match="measure the line"):
        sheet.find(picture, measured_mm=3.0)


def test_no_sheet_is_said() -> None:
    with pytest.raises(SheetError, match="not found"):
        sheet.find(np.full((480, 640, 3), 90, np.uint8))
    with pytest.raises(SheetError, match="no picture"):
        sheet.lens_from([], lens.assumed((640, 480)))
    with pytest.raises(SheetError, match="a4 or letter"):
        sheet.as_pdf("a5")

"""The shipped models at work. What they reach in numbers is in models/cards; here: that the whole holds together."""

import json
import threading
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.render import Rendered
from models.render.layout_scene import render_layout
from models.training.truth import labelled, match
from rules.games import game
from rules.table.observed import ObservedTable
from vision.frame import Frame, PictureError
from vision.look import look_at, report
from vision.piece import FAINT, DetectedPiece
from vision.sightings import observed_table
from vision.table_reader import FrameResult, TableReader

SEED = 5
"""A training-like scene, near enough to be easy."""


@pytest.fixture(scope="module")
def rendered() -> Rendered:
    """A named set on a named table: the same picture on every machine, whatever fonts it has."""
    rules = game("ice_floe")
    return render_layout(rules.layout(rules.start()), "classic", SEED)


@pytest.fixture(scope="module")
def look(eyes: TableReader, rendered: Rendered) -> FrameResult:
    return eyes.look(Frame(rendered.image, source="table.jpg"))


@pytest.mark.full
def test_most_of_a_rendered_table_is_found(look: FrameResult, rendered: Rendered) -> None:
    truth = [labelled(piece) for piece in rendered.truth["pieces"]]
    matched = match(truth, look.pieces)
    asked = len(matched.pairs) + len(matched.missed)
    assert asked >= 10
    assert len(matched.pairs) >= 0.4 * asked
    assert len(matched.false_alarms) <= 0.5 * asked


def test_the_report_keeps_to_the_contract(look: FrameResult) -> None:
    out = json.loads(json.dumps(report(look)))
    assert (out["image"], out["width"], out["height"]) == ("table.jpg", 1280, 720)
    assert out["table"]["unit"] == "inch"
    assert np.array(out["table"]["homography"]).shape == (3, 3)
    for piece in out["pieces"]:
        assert piece["kind"] in ("tile", "coin", "die", "pawn", "pyramid", "card")
        assert len(piece["outline_px"]) == 4 or piece["kind"] not in ("tile", "die", "card")
        assert 0 <= piece["confidence"] <= 1
        assert piece["level"] >= 0
        assert (piece["face"] is not None) == (piece["kind"] in ("tile", "coin"))
        assert piece["suit"] is None or piece["face"] != "front" or piece["kind"] != "coin"


def test_timings_name_every_stage(look: FrameResult) -> None:
    stages = ("prepare", "find (inference)", "decode", "rectify", "read (inference)", "assign", "place", "total")
    assert all(look.timings_ms[stage] >= 0 for stage in stages)
    assert 0 < look.timings_ms["inference_share"] < 1


def test_the_referee_can_read_it(look: FrameResult) -> None:
    table = observed_table(look, 2.0)
    assert len(table.sightings) == len(look.pieces)
    assert table.time == 2.0


def test_a_printed_look_is_read_with_all_its_doubts(look: FrameResult) -> None:
    """Somebody who hears of a table by `companion look` knows as much as whoever sees it."""
    live, told = observed_table(look).sightings, ObservedTable.from_look(report(look)["pieces"]).sightings
    assert min(s.certainty for s in live) < 0.99
    for here, there in zip(live, told, strict=True):
        assert there.certainty == pytest.approx(here.certainty, abs=1e-3)
        assert there.angle == (None if here.angle is None else pytest.approx(here.angle, abs=0.01))
        assert there.best == here.best
        assert there.chance_of(*there.best) == pytest.approx(here.chance_of(*here.best), abs=0.01)


@pytest.mark.parametrize("tone", [0, 90, 255])
def test_an_even_table_shows_nothing(eyes: TableReader, tone: int) -> None:
    assert eyes.look(Frame(np.full((720, 1280, 3), tone, np.uint8))).pieces == []


@pytest.mark.parametrize("size", [(33, 47), (480, 640), (1080, 1920), (900, 200)])
def test_any_size_will_do(eyes: TableReader, size: tuple[int, int]) -> None:
    image = np.random.default_rng(0).integers(0, 255, (*size, 3)).astype(np.uint8)
    assert eyes.look(Frame(image)).frame.size == (size[1], size[0])


def test_one_picture_in_one_object_out(tmp_path: Path, rendered: Rendered) -> None:
    path = tmp_path / "table.jpg"
    cv2.imwrite(str(path), cv2.resize(rendered.image, (480, 270)))
    out = look_at(path, timings=True, overlay_dir=tmp_path / "over")
    assert out["timings_ms"]["total"] > 0
    assert (tmp_path / "over" / "table.jpg").exists()
    assert "timings_ms" not in look_at(path)


def test_a_bad_picture_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="no such file"):
        look_at(tmp_path / "none.jpg")


def test_two_looks_are_made_one_after_the_other(
    eyes: TableReader, rendered: Rendered, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ruling looks at a stored picture beside the table's own eyes: both at once took 40 MB more at the peak."""
    inside, most = 0, 0

    def counted(*_: object) -> list[DetectedPiece]:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        time.sleep(0.2)
        inside -= 1
        return []

    monkeypatch.setattr(eyes, "_candidates", counted)
    frame = Frame(rendered.image)
    looks = [threading.Thread(target=eyes.look, args=(frame,)) for _ in range(3)]
    for one in looks:
        one.start()
    for one in looks:
        one.join(60)
    assert most == 1


def test_what_is_too_uncertain_to_be_told_is_kept_for_who_knows_what_should_lie_there(
    look: FrameResult, rendered: Rendered
) -> None:
    plain, look = look, TableReader(1, certain=0.6).look(Frame(rendered.image))
    assert all(piece.certainty >= 0.6 for piece in look.pieces)
    assert all(FAINT <= piece.certainty < 0.6 for piece in look.faint)
    assert {piece.kind for piece in look.faint} <= {piece.kind for piece in (*plain.pieces, *plain.faint)}
    assert len(observed_table(look).faint) == sum(piece.position is not None for piece in look.faint)

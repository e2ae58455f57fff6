"""A lesson from the board of a game: what lies open there has its name, and what is not known teaches nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from calibration.lesson import Lesson, own_views
from calibration.lesson_task import LessonError, NamedPage, name_text
from companion_api.setting_up.learnt import pages_of
from models.render.camera import Viewpoint
from models.render.simulated import Act, FilmSettings, SimulatedCamera, SimulatedTable
from rules.games import game
from tests.bench.truth_reader import Errors, TruthReader
from tests.companion_api.phones import Server
from vision.table_reader import FrameResult, TableReader

EXACT = Errors(0.0, 0.0, 0.0)


@cache
def filmed(name: str, **options: object) -> tuple[FrameResult, list[Mapping[str, Any]]]:
    """The opening of a game as eyes see it that err nowhere, and what truly lies in the picture."""
    rules = game(name)
    opening = [Act(rules.layout(rules.start(options)), kind="wait", pause=0.3)]
    camera = SimulatedCamera(SimulatedTable(opening, FilmSettings(view=Viewpoint(640, 360))))
    frame = camera.read()
    assert frame is not None
    assert camera.shot is not None
    return TruthReader.at(camera, 1, EXACT).look(frame), camera.shot.truth()["pieces"]


def learnt(name: str, seen: FrameResult | None = None, **options: object) -> list[NamedPage]:
    rules = game(name)
    return pages_of(rules, rules.start(options), seen or filmed(name, **options)[0])


def sides(pages: list[NamedPage]) -> Counter[str]:
    return Counter({page.step.id: len({name_text(each.name) for each in page.named}) for page in pages})


def test_every_tile_of_ice_floe_has_its_name() -> None:
    look, truth = filmed("ice_floe")
    [page] = learnt("ice_floe", seen=look)
    assert (page.step.id, page.game, len(page.named), page.doubts) == ("tiles", "ice_floe", 24, [])
    for each in page.named:
        [there] = [true for true in truth if abs(each.piece.center - true["center_px"]).max() < 1]
        assert name_text(each.name) == f"{there['suit']} {there['value']}"


def test_only_what_is_known_and_open_teaches() -> None:
    """Before the deal the coins of Fuji-San show suits, which the rules lay; after it, values. The tiles' other sides
    and what lies beneath are told by neither."""
    before, after = learnt("fuji_san"), learnt("fuji_san", layout="easy")
    assert sides(before)["coin-suits"] == 4
    assert sides(after)["coin-values"] == 6
    for pages in (before, after):
        assert "tiles" not in sides(pages)
        assert all(name_text(each.name) == "" for page in pages if page.step.id == "tile-backs" for each in page.named)


def test_another_game_on_the_table_teaches_nothing() -> None:
    with pytest.raises(LessonError, match="board of"):
        learnt("ice_floe", seen=filmed("fuji_san")[0])
    with pytest.raises(LessonError, match="board of"):
        learnt("dodgem", seen=filmed("ice_floe")[0])


def test_what_the_eyes_would_call_otherwise_is_to_be_looked_at() -> None:
    look, _ = filmed("ice_floe")
    first, other = look.pieces[0], look.pieces[1]
    swapped = [first, *look.pieces[1:]]
    swapped[0] = type(first)(
        **{name: getattr(first, name) for name in ("kind", "center", "outline", "certainty", "face", "position")},
        suits=other.suits,
        ranks=other.ranks,
    )
    [page] = learnt("ice_floe", seen=FrameResult(look.frame, swapped, None, 0.0, [], {}))
    [doubt] = [page.named[number - 1] for number in page.doubts]
    assert (doubt.piece.center == first.center).all()


def test_whole_sides_make_a_lesson_and_parts_of_them_do_not(eyes: TableReader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calibration.lesson.VIEWS", 4)
    lesson = Lesson("oak", eyes)
    for name, missing in (("dodgem", 3), ("ice_floe", 0)):
        look = filmed(name)[0]
        lesson.add_pages(look.frame, learnt(name, seen=look))
        assert len(lesson.missing) == missing, name
    assert set(own_views(lesson.pages, eyes.reader)) == {"tile"}


def test_without_a_picture_the_board_teaches_nothing(server: Server) -> None:
    assert server.host().send("calibration/teach/board").status_code == 409
    assert server.phone(seat=0).send("calibration/teach/board").status_code == 403

"""Films of real games through a server: what counts as standing, and the measurement itself."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest

from companion_api.watching.camera_manager import reader_problem
from models.render.camera import Viewpoint
from models.render.layout_scene import render_layout
from rules.engine.action import parse_action
from rules.engine.history import History
from rules.games import game
from tests.bench.served_films import FilmedGame, main, served, standing
from tests.needed import missing

DODGEM = game("dodgem")
TRUE = ["move(a1,b1)", "move(f2,e2)", "move(a2,b2)"]


@pytest.mark.parametrize(
    ("stood", "count"),
    [
        (TRUE, 3),
        (TRUE[:1], 1),
        ([], 0),
        (["move(a2,b2)", "move(f2,e2)", "move(a1,b1)"], 2),  # after the third the table is the true one
        (["move(a3,b3)", "move(f3,e3)"], 0),
        (["move(a3,b3)", "move(f2,e2)", "move(a2,b2)"], 2),
    ],
)
def test_true_actions_stand_in_order(stood: list[str], count: int) -> None:
    assert standing(History.begin(DODGEM), list(map(parse_action, TRUE)), list(map(parse_action, stood))) == count


def filmed(folder: Path, *actions: str, **more: object) -> FilmedGame:
    """A folder of stills: the opening, and the table after each action."""
    state, stills = DODGEM.start(), []
    for number, action in enumerate(("", *actions)):
        state = DODGEM.advance(state, DODGEM.read(state, action)) if action else state
        name = f"{number:02}.jpg"
        assert cv2.imwrite(str(folder / name), render_layout(DODGEM.layout(state), "classic", 3, Viewpoint()).image)
        stills.append({"image": name, "actions": [action] if action else []})
    (folder / "script.json").write_text(json.dumps({"game": "dodgem", "stills": stills, **more}), encoding="utf-8")
    return FilmedGame.read(folder)


def test_a_film_shows_every_still_for_so_long(tmp_path: Path) -> None:
    made, path = filmed(tmp_path, TRUE[0], options={"direction": "facing"}, seats=["Ann", "Bo"]), tmp_path / "film.mp4"
    made.film(path, seconds=2.0, fps=5.0)
    assert cv2.VideoCapture(str(path)).get(cv2.CAP_PROP_FRAME_COUNT) == 2 * 10
    assert made.arguments == ["--game=dodgem", '--options={"direction": "facing"}', '--seats=["Ann", "Bo"]']
    assert [action.id for action in made.done] == TRUE[:1]


def test_what_is_no_folder_of_films_is_said_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder, more in ((tmp_path / "nowhere", []), (tmp_path, []), (tmp_path, ["--films", "dodgem"])):
        assert main([str(folder), *more]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert "script.json" in line


@pytest.mark.full
def test_a_film_is_served_and_what_stands_is_counted(tmp_path: Path) -> None:
    if reader_problem():
        missing(str(reader_problem()))
    made, path = filmed(tmp_path, *TRUE), tmp_path / "film.mp4"
    made.film(path, seconds=2.0, fps=5.0)
    result = served(made, path, posts=True)
    assert len(result.posts_ms) >= 3, "a phone posted while it ran"
    assert (result.standing, result.true, result.stood) == (3, 3, tuple(TRUE))

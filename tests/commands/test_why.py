"""`companion why` and `watch --explain`: the explanation of what was judged, from pictures."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest

from companion_api.__main__ import main
from models.render.layout_scene import render_layout
from rules.games import game

DODGEM = game("dodgem")


@pytest.fixture(scope="module")
def stills(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Dodg'em: the opening, and after the first move."""
    folder, start = tmp_path_factory.mktemp("stills"), DODGEM.start()
    for number, state in enumerate((start, DODGEM.advance(start, DODGEM.read(start, "a1-b1")))):
        cv2.imwrite(str(folder / f"{number}.jpg"), render_layout(DODGEM.layout(state), seed=4).image)
    return folder


@pytest.mark.full
def test_the_last_still_is_explained_and_its_terms_add_up(stills: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why", str(stills), "--game", "dodgem", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["look"], told["picture"], told["actions"]) == (2, "1.jpg", ["move(a1,b1)"])
    first = told["steps"][0]
    for explanation in first["explanations"]:
        assert sum(term["nats"] for term in explanation["terms"]) == pytest.approx(explanation["nats"], abs=0.02)
    assert first["explanations"][0]["actions"] == ["move(a1,b1)"]
    assert first["decided"][-1].startswith("accepted: ")


@pytest.mark.full
def test_a_watched_game_is_explained_with_each_verdict(stills: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", str(stills), "--game", "dodgem", "--json", "--explain"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["verdict"] for line in told] == ["settled", "accepted"]
    assert all(line["explanation"]["steps"] for line in told)
    assert all(line["scores"] == {"suns": 0, "crowns": 0} for line in told), "by seat, as the judge tells them"
    assert main(["watch", str(stills), "--game", "dodgem", "--explain"]) == 0
    assert "nothing was done leaves" in capsys.readouterr().out


def test_a_picture_that_is_not_there_is_said_in_one_line(stills: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why", str(stills), "--game", "dodgem", "--look", "3"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "there are only 2 pictures" in line
    assert main(["why", str(stills / "9.jpg"), "--game", "dodgem"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "9.jpg" in line
    assert main(["why", str(stills.parent), "--game", "dodgem"]) == 2
    assert "no pictures in this folder" in capsys.readouterr().err

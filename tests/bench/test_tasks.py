"""The measuring commands: what they answer, and that a slip is one line."""

from __future__ import annotations

import json

import pytest

from tests.bench.__main__ import app, main
from tests.bench.tasks.numbers import counted

TASKS = ["hall", "numbers", "soak", "synthetic"]


def test_every_task_has_its_own_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert {command.name for command in app.registered_commands} >= set(TASKS)
    for task in TASKS:
        assert main([task, "--help"]) == 0
        assert "--json" in capsys.readouterr().out


@pytest.mark.full
def test_the_referee_is_tried_by_one_command(capsys: pytest.CaptureFixture[str]) -> None:
    args = ["synthetic", "--games", "quatri"]
    assert main([*args, "--turns", "2", "--illegal", "1", "--json"]) == 0
    (journey,) = json.loads(capsys.readouterr().out)["journeys"]
    assert journey["game"] == "quatri"
    assert journey["turns"] >= journey["right"] >= 2
    assert journey["false_accusations"] == 0
    assert journey["illegal"] == journey["illegal_flagged"] == 1
    assert main([*args, "--turns", "1", "--illegal", "1"]) == 0
    table = capsys.readouterr().out.splitlines()
    assert [line.split("|")[1].strip() for line in table[:4:3]] == ["game", "all"]


@pytest.mark.full
def test_numbers_with_and_without_a_name_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert counted("NEAR = (0.3, 7)\n\nclass C:\n    far: float = 9.5\n\ndef f(x):\n    return 2 * x + 0.25\n") == (
        3,
        1,
    )
    assert main(["numbers", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["modules"]["rules/referee/tuning.py"][0] > 50
    assert main(["numbers"]) == 0
    assert "together" in capsys.readouterr().out


@pytest.mark.parametrize(
    "args",
    [
        ("synthetic", "--without", "luck"),
        ("synthetic", "--games", "chess"),
        ("hall", "--tables", "0"),
        ("juggle",),
    ],
    ids=" ".join,
)
def test_a_slip_of_a_task_is_one_line_and_exit_2(args: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*args]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.strip().splitlines()) == 1


def test_a_report_that_has_no_place_is_told_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["soak", "--out", f"/tmp/{'x' * 300}/report"]) == 1
    assert "too long" in capsys.readouterr().err

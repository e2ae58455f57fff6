"""The command line: what it prints, how it exits, how it complains."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from companion_api.__main__ import main
from companion_api.commands.console import UsageError
from companion_api.commands.watch import after_told
from rules.engine.history import History
from rules.games import game
from tests.commands.running import Done, companion, companion_process


@pytest.mark.parametrize(
    "args",
    [
        ("nope",),
        ("judge",),
        ("judge", "chess"),
        ("judge", "dodgem", "--options", "{"),
        ("judge", "dodgem", "--options", '{"direction": "up"}'),
        ("judge", "dodgem", "--seats", "9"),
        ("perft", "dodgem", "--depth", "x"),
        ("playout", "dodgem", "--seeds", "5..1"),
        ("rules", "dodgem", "DODG-99"),
        ("render", "x.jpg"),
        ("watch", "no-such-file.mp4", "--game", "dodgem"),
        ("watch", "0", "--game", "dodgem", "--stage", "lamp"),
        ("watch", "no-such-file.mp4", "--game", "dodgem", "--told", "move(a1,a1)"),
        ("watch", "no-such-file.mp4", "--game", "dodgem", "--told", "fly away"),
        ("demo", "dodgem", "--stage", "theft"),
        ("look", "no-such-file.jpg", "--json"),
        ("solve",),
        ("solve", "fuji_san", "--coins", "123"),
        ("solve", "fuji_san", "--coins", "554344221335/311400512201"),
        ("solve", "tula", "--tiles", "variant9: S0"),
        ("replay", os.devnull),
        ("bench", "--games", "chess"),
        ("render", "--game", "dodgem", "picture.xyz"),
        ("render", "--game", "dodgem", "picture"),
        ("judge", "fuji_san", "--seats", "3"),
    ],
    ids=" ".join,
)
def test_a_slip_is_one_line_and_exit_2(args: tuple[str, ...]) -> None:
    assert_one_line(companion(*args))


@pytest.mark.parametrize(
    "args",
    [("nope",), ("look", "no-such-file.jpg", "--json"), ("watch", "no-such-file.mp4", "--game", "dodgem")],
    ids=" ".join,
)
def test_a_process_says_no_more_than_that_line(args: tuple[str, ...]) -> None:
    """Not OpenCV, either, which writes past Python."""
    assert_one_line(companion_process(*args))


def assert_one_line(done: Done) -> None:
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr


def test_games_and_rules() -> None:
    cards = json.loads(companion("games", "--json").stdout)
    assert "dodgem" in {card["id"] for card in cards}
    assert companion("rules", "dodgem", "dodg-4.1").stdout.startswith("DODG-4.1  Move one of your coins")


@pytest.mark.full
def test_bench_tells_what_this_machine_can_do() -> None:
    told = json.loads(companion("bench", "--games", "quatri", "--json").stdout)
    assert set(told) == {"machine", "seeing", "games"}
    assert told["machine"]["cores"] >= 1
    assert all(figures["stages_ms"]["total"] > 0 for figures in told["seeing"].values())
    assert told["games"]["quatri"]["plies_per_s"] > 0
    assert told["games"]["quatri"]["look_ms"]["p95"] >= told["games"]["quatri"]["look_ms"]["p50"] > 0


def test_a_deal_that_only_people_know_is_told_before_the_first_look() -> None:
    first = History.begin(game("delegate_dash"))
    told = after_told(first, ["deal(52431,52134,32145,21354)", "roll(3,4,3,0)"])
    assert [entry.action.verb for entry in told.entries] == ["deal", "roll"]
    with pytest.raises(UsageError, match="--told"):
        after_told(first, ["roll(3,4,3,0)"])


def test_judge_survives_its_input() -> None:
    lines = ['{"legal": "count"}', "\x00\x01", "[" * 5000, "x" * 1_500_000, '{"action": "a1-b1"}', '{"undo": 1}']
    done = companion("judge", "dodgem", text="\n".join(lines) + "\n")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["ok"] for answer in answers] == [True, False, False, False, True, True]
    assert done.returncode == 0


def test_perft_and_playout() -> None:
    assert json.loads(companion("perft", "dodgem", "--depth", "3", "--json").stdout)["nodes"] == 300
    report = json.loads(companion("playout", "quatri", "--seeds", "0..19", "--jobs", "2", "--json").stdout)
    assert (report["games"], report["unfinished"]) == (20, 0)


def test_solve() -> None:
    found = json.loads(companion("solve", "fuji_san", "--coins", "554344221335/311400512200", "--json").stdout)
    assert (found["solvable"], found["moves"]) == (True, 12)


def test_render_draws_a_picture_with_its_truth(tmp_path: Path) -> None:
    picture, truth = tmp_path / "t.jpg", tmp_path / "t.json"
    done = companion("render", "--game", "dodgem", "--seed", "2", "--plies", "6", str(picture), "--truth", str(truth))
    assert done.returncode == 0, done.stderr
    assert picture.stat().st_size > 20_000
    kinds = [piece["kind"] for piece in json.loads(truth.read_text())["pieces"]]
    assert (kinds.count("tile"), kinds.count("coin")) == (9, 10)


def test_positions_to_learn_from_are_drawn_once(tmp_path: Path) -> None:
    args = ("render", "--positions", "2", "--game", "quatri", "--seed", "11", str(tmp_path))
    assert companion(*args).returncode == 0
    truths = sorted(tmp_path.glob("*.json"))
    assert [path.name for path in truths] == ["0000011.json", "0000012.json"]
    drawn = [path.with_suffix(".jpg").stat().st_mtime_ns for path in truths]
    assert all({piece["kind"] for piece in json.loads(path.read_text())["pieces"]} >= {"tile"} for path in truths)
    assert companion(*args).returncode == 0
    assert [path.with_suffix(".jpg").stat().st_mtime_ns for path in truths] == drawn


def test_a_path_that_is_too_long_is_said_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    long = f"/tmp/{'x' * 300}"
    assert main(["doctor", "--profile", long, "--json"]) in (0, 1)
    profile = json.loads(capsys.readouterr().out)["findings"][-1]
    assert profile["what"] == "profile"
    assert "too long" in profile["words"]

"""The command line: what it prints, how it exits, how it complains."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion_api.__main__ import main
from companion_api.commands import look
from companion_api.commands.console import UsageError
from companion_api.commands.watch import history_after
from companion_api.log.databases import SqliteLog
from companion_api.session import Session
from rules.engine.history import History
from rules.games import game
from tests.commands.running import Done, companion, companion_process
from tests.tiers import first


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
        ("serve", "--game", "dodgem", "--options", '{"direction": "up"}'),
        ("serve", "--game", "dodgem", "--told", "move(a1,a1)"),
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
        ("render", "--game", "dodgem", "--style", "nosuch", "picture.jpg"),
        ("export", "latest", "game.png", "--format", "json"),
        ("export", "latest", "game.xyz"),
        ("export", "latest", "tests"),
        ("solve", "dodgem"),
        ("teach", "out.jpg"),
        ("games", "nosuch"),
        ("games", "--new", "class"),
        ("serve", "--seats", "9"),
        ("serve", "--database", "mysql://x"),
        ("hall", "leaf"),
    ],
    ids=" ".join,
)
def test_a_slip_is_one_line_and_exit_2(args: tuple[str, ...]) -> None:
    assert_one_line(companion(*args))


@pytest.mark.parametrize("command", ["serve", "doctor"])
def test_a_bad_setting_is_named_as_people_set_it(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_PORT", "many")
    done = companion(command)
    assert_one_line(done)
    assert "COMPANION_PORT" in done.stderr
    assert "'many'" in done.stderr


@pytest.mark.parametrize(
    "line", first(["watch no-such-file.mp4 --game dodgem", "look no-such-file.jpg --json", "nope"])
)
def test_a_process_says_no_more_than_that_line(line: str) -> None:
    """Not OpenCV, either, which writes past Python."""
    assert_one_line(companion_process(*line.split()))


def assert_one_line(done: Done) -> None:
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["import", "replay"])
@pytest.mark.parametrize(
    ("name", "held", "words"),
    [
        ("none", None, "o such file"),
        ("a.ppn", b"A hello", "no game in PPN"),
        ("a.png", b"\x89PNG", "text"),
        ("empty", b"", "game"),
    ],
)
def test_a_file_that_is_no_game_is_told_in_plain_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, name: str, held: bytes | None, words: str
) -> None:
    if held is not None:
        (tmp_path / name).write_bytes(held)
    assert main([command, str(tmp_path / name), *(["--data", str(tmp_path)] if command == "import" else [])]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert "Errno" not in said
    assert "codec" not in said


def test_a_slip_points_to_the_help_of_its_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "fuji_san"]) == 2
    assert "see `companion solve fuji_san --help`" in capsys.readouterr().err
    assert main(["solve", "dodgem"]) == 2
    assert "fuji_san and tula" in capsys.readouterr().err


def test_version_and_one_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"companion {version('piecepack-companion')}\n"
    assert main(["games", "dodgem"]) == 0
    assert "direction" in capsys.readouterr().out
    assert main(["games", "decay", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["id"] == "decay"


def test_a_table_is_listed_and_exported_as_its_file_ends(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = ["--data", str(tmp_path)]
    log = SqliteLog(tmp_path / "companion.db")
    session = Session.begin(log, "abc", game("dodgem"), {}, ["Ann", "Ben"])
    session.act("host", "a1-b1", expected=None, key=None)
    log.close()
    assert main(["tables", "--json", *data]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["table"], told["seats"], told["actions"], told["over"]) == ("abc", ["Ann", "Ben"], 1, False)
    for name, begins in [("g.png", b"\x89PNG"), ("g.gif", b"GIF8"), ("g.JSON", b"{"), ("g", b"{")]:
        assert main(["export", "latest", str(tmp_path / name), *data]) == 0
        assert (tmp_path / name).read_bytes().startswith(begins)
    assert "1 action\n" in capsys.readouterr().out
    assert main(["export", "latest", str(tmp_path / "plain"), "--format", "gif", *data]) == 0
    assert (tmp_path / "plain").read_bytes().startswith(b"GIF8")


def test_a_name_that_is_no_utf_8_makes_json_all_the_same(tmp_path: Path) -> None:
    picture = os.path.join(os.fsencode(tmp_path), b"\xff.png")
    assert cv2.imwrite(str(tmp_path / "a.png"), np.full((300, 400, 3), 90, np.uint8))
    os.rename(tmp_path / "a.png", picture)
    command = [sys.executable.encode(), b"-m", b"companion_api", b"look", picture, b"--json"]
    done = subprocess.run(command, capture_output=True, timeout=120, check=False)
    assert json.loads(done.stdout.decode("utf-8"))["pieces"] == []


def test_winners_are_named_and_not_numbered(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["playout", "quatri", "--seeds", "0..9", "--seats", '["Ann", "Ben"]', "--json"]) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    assert {"won by Ann", "won by Ben"} & set(results)
    assert not any("seat" in result for result in results)


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
    told = history_after(first, ["deal(52431,52134,32145,21354)", "roll(3,4,3,0)"])
    assert [entry.action.verb for entry in told.entries] == ["deal", "roll"]
    with pytest.raises(UsageError, match="--told"):
        history_after(first, ["roll(3,4,3,0)"])


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


@pytest.mark.full
def test_every_game_is_drawn_on_one_sheet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In rows of three, however many there are."""
    monkeypatch.setattr(look, "available", lambda: ("dodgem", "quatri", "konane", "tula"))
    assert main(["render", "--game", "all", "--plies", "4", str(tmp_path / "all.png")]) == 0
    sheet = cv2.imread(str(tmp_path / "all.png"))
    assert sheet is not None
    assert sheet.shape == (2 * 270, 3 * 480, 3)
    corners = [sheet[270 * row + 20, 480 * column + 20].tolist() for row in (0, 1) for column in (0, 1, 2)]
    assert [corner == [255, 255, 255] for corner in corners] == [False] * 4 + [True] * 2


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

"""Games leave the table as files and come back."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion_api.folded_table import RequestError
from companion_api.log.databases import SqliteLog
from companion_api.records.board_picture import MOVED, PAPER, draw
from companion_api.records.export import FORMATS, GIF_SIDE, captions_of, export, pictures, summary_page
from companion_api.records.restore import read_history, restore_game
from companion_api.session import Session
from rules.engine.action import parse_action
from rules.engine.history import History
from rules.games import game
from rules.notation.errors import NotationError
from rules.notation.reader import read_game
from rules.notation.record import read_record
from rules.notation.writer import write_game
from tests.commands.running import companion
from tests.tiers import GAMES, full


def random_history(name: str, plies: int, seed: int = 2) -> History:
    rules = game(name)
    history, rng = History.begin(rules), random.Random(seed)
    for _ in range(plies):
        if rules.turn(history.state).is_over:
            break
        history = history.play(rules.sample(history.state, rng))
    return history


@pytest.mark.parametrize("name", GAMES)
def test_every_board_can_be_drawn(name: str) -> None:
    picture = draw(game(name).layout(random_history(name, 25).state), longest=500)
    assert max(picture.shape[:2]) <= 502
    assert np.any(picture != np.array(PAPER, np.uint8))


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_every_format_is_written_and_can_be_read(form: str, tmp_path: Path) -> None:
    history = random_history("dodgem", 6)
    path = tmp_path / f"game.{form}"
    export(history, form, path)
    assert READS[form](path, history)


def _frames(path: Path) -> int:
    capture = cv2.VideoCapture(str(path))
    count = 0
    while capture.read()[0]:
        count += 1
    return count


READS: dict[str, Callable[[Path, History], bool]] = {
    "ppn": lambda path, history: len(read_game(path.read_text()).moves) >= len(history.entries),
    "json": lambda path, history: read_record(path.read_text()).state == history.state,
    "csv": lambda path, history: len(path.read_text().splitlines()) == len(history.entries) + 1,
    "html": lambda path, history: path.read_text().count("<li>") == len(history.entries),
    "png": lambda path, history: cv2.imread(str(path)) is not None,
    "gif": lambda path, history: _frames(path) == len(history.entries) + 1,
    "mp4": lambda path, history: _frames(path) == len(history.entries) + 1,
}


@pytest.mark.parametrize("name", ["dodgem", full("decay")])
def test_a_film_to_send_is_small_and_shows_what_was_drawn(name: str, tmp_path: Path) -> None:
    """Thirty moves as a GIF stay under 300 kB; read back, each picture is what was drawn, but for shades at edges."""
    history = random_history(name, 30)
    file = tmp_path / "game.gif"
    export(history, "gif", file)
    assert file.stat().st_size < 300_000
    capture = cv2.VideoCapture(str(file))
    for drawn in pictures(history, GIF_SIDE):
        good, read = capture.read()
        assert good
        apart = np.abs(read.astype(int) - drawn.astype(int)).max(2)
        assert (apart > 80).mean() < 0.001


def test_a_film_says_who_plays_and_marks_what_moved() -> None:
    history = random_history("dodgem", 1)
    captions = captions_of(replace(history, seats=[{"name": "Ann"}, {"name": "Ben"}]))
    assert captions[0].endswith(": Ann, Ben")
    assert captions[1].startswith("Ann: ")
    first, second = (history.game.layout(state) for state in (history.first, history.state))
    marked = (draw(second, None, 480, first) == MOVED).all(2)
    assert marked.any()
    assert not (draw(second, None, 480) == MOVED).all(2).any()


def test_a_record_becomes_a_table_again(tmp_path: Path) -> None:
    history = random_history("fuji_san", 9)
    log = SqliteLog(tmp_path / "companion.db")
    assert restore_game(log, "again", history).state == history.state
    assert Session(log, "again").state == history.state
    with pytest.raises(RequestError, match="already"):
        restore_game(log, "again", history)


@pytest.mark.parametrize("form", ["json", "ppn"])
def test_the_commands_go_round(form: str, tmp_path: Path) -> None:
    record, notation = tmp_path / f"g.{form}", tmp_path / "again.ppn"
    export(random_history("dodgem", 8), form, record)
    data = ("--data", str(tmp_path / "data"))
    assert companion("import", str(record), *data).returncode == 0
    assert companion("export", "latest", str(notation), "--format", "ppn", *data).returncode == 0
    replayed = companion("replay", str(notation), "--json")
    assert replayed.returncode == 0
    assert replayed.stdout.count('"verdict": "accepted"') == 8


def test_a_game_in_the_notation_becomes_the_same_history() -> None:
    history = random_history("four_blind_mice", 25)
    again = read_history(write_game(history))
    assert (again.state, again.actions) == (history.state, history.actions)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("---\nGameType: Japan\n...\n", "Japan is not one of our games"),
        ("---\nGameType: Quatri\nCompanion: {rules: quatri@9}\n...\n", "quatri@9"),
        ("---\nGameType: Dodgem\n...\n1. a2-b4", "move 1. a2-b4"),
        ("---\nGameType: Dodgem\nSetUp: None\n...\n1. S@a2", "no table of the record is an opening"),
        ('{"format": "something else"}', "this is not one of our records"),
    ],
    ids=["another game", "other rules", "a false move", "no opening", "other JSON"],
)
def test_what_cannot_go_on_says_why(text: str, why: str) -> None:
    with pytest.raises(NotationError, match=why):
        read_history(text)


@pytest.mark.parametrize(
    "args",
    [
        ("export", "nothing", "x.json"),
        ("export", "latest", "x.doc", "--format", "doc"),
        ("import", "no-such.json"),
        ("replay", "no-such.ppn"),
    ],
    ids=" ".join,
)
def test_slips_are_one_line(args: tuple[str, ...], tmp_path: Path) -> None:
    more = () if args[0] == "replay" else ("--data", str(tmp_path))
    done = companion(*args, *more)
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1


def test_the_page_about_a_game_calls_people_by_their_names() -> None:
    begun = History.begin(game("san_andreas"), None, ["Ada", "Ben"])
    page = summary_page(begun.play(parse_action("begin(1)")))
    assert "<li>Ben begins</li>" in page

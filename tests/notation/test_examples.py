"""The example files of the format's own project play to the tables that they end with."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from rules.notation.reader import read_file
from rules.notation.replay import replay_file
from tests.notation.tables import table_text

HERE = Path(__file__).parent / "examples"
ELSEWHERE = Path(os.environ.get("PPN_EXAMPLES", HERE))

# Labelled moves, pieces at the end, and the last table (the start of the SHA-256 of its text).
ENDS = {
    "alien-city": (36, 62, "83e9f6a9fdd7f388"),
    "american-checkers": (74, 19, "704ca10b3bff5f6c"),
    "desfases": (157, 56, "9f9549b0df3bd784"),
    "four-field-kono": (32, 10, "c82a203043e27c19"),
    "fujisan": (27, 52, "7634aa3ec7e96446"),
    "ice-floe": (77, 27, "ac647164c8380217"),
    "international-chess": (46, 39, "e9257e207cf2dfc9"),
    "japan": (77, 80, "253b46bd527c7c9b"),
    "plans-of-action": (60, 40, "8f9eec661bd014b6"),
    "relativity": (30, 35, "a8b1a9bf9f8ddee8"),
    "spaiji": (15, 31, "fc13f191b36db5c7"),
    "spoff": (23, 1, "ddb02b326d1adf7e"),
    "tablut": (39, 32, "317b53fc33d740bf"),
    "tic-tac-toe": (8, 8, "c9a5d418dc170d86"),
    "xiangqi": (50, 39, "7525b5d016b4ea9c"),
}


# Full games of ours: the score that the record itself names, or the length that its project gives.
SCORES = {"fujisan": {"Player 1": 27}, "ice-floe": {"Suns": 3, "Moons": 2, "Crowns": 3, "Arms": 0}}


def example(name: str) -> Path:
    path = next((folder / f"{name}.ppn" for folder in (HERE, ELSEWHERE) if (folder / f"{name}.ppn").exists()), None)
    if path is None:
        pytest.skip("not kept here, see examples/README.md")
    return path


@pytest.mark.parametrize("name", SCORES)
def test_a_full_game_of_ours_is_refereed_to_its_score(name: str) -> None:
    *moves, end = [result for result in replay_file(example(name)) if result["type"] in ("move", "end")]
    assert {move["verdict"] for move in moves} <= {"setup", "opening", "accepted", "ambiguous", "between", "unchanged"}
    assert end["ok"]
    assert end["scores"] == SCORES[name]


@pytest.mark.parametrize("name", ENDS)
def test_an_example_plays_to_its_end(name: str) -> None:
    (game,) = read_file(example(name))
    table = list(game.play())[-1].table
    digest = hashlib.sha256(table_text(table).encode()).hexdigest()
    assert (len(game.moves), len(table), digest[:16]) == ENDS[name]


def test_spaiji_ends_as_printed_by_the_project() -> None:
    (game,) = read_file(HERE / "spaiji.ppn")
    table = list(game.play())[-1].table
    top = {(lying.y, lying.x): lying for lying in table if lying.kind == "bit"}
    rows: dict[float, list[str]] = {}
    for y, x in sorted(top, key=lambda place: (-place[0], place[1])):
        rows.setdefault(y, []).append({2: "K", 6: "W"}[top[y, x].suit or 0])
    assert ["".join(row) for row in rows.values()] == ["WWWW", "KKK", "KKWK", "KKK", "KWWW", "WKW", "KWKW"]


def test_spoff_clears_the_board() -> None:
    (game,) = read_file(HERE / "spoff.ppn")
    assert [lying.kind for lying in list(game.play())[-1].table] == ["board"]

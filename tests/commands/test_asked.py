"""CI runs the full tier of the tests that the last commits ask for."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ASKED = Path(__file__).parents[2] / ".ci" / "asked"
FOLDERS = ("companion_api", "games", "hall", "vision")


def git(folder: Path, *args: str) -> None:
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    subprocess.run(["git", *who, *args], cwd=folder, check=True, capture_output=True)


def commit(folder: Path, path: str) -> None:
    written = folder / path
    written.parent.mkdir(parents=True, exist_ok=True)
    written.write_text(path)
    git(folder, "add", ".")
    git(folder, "commit", "-m", path)


@pytest.mark.parametrize(
    ("changed", "since", "asked"),
    [
        ("vision/table_reader.py", "HEAD~1", {"tests/vision", "tests/companion_api"}),
        ("companion_api/app.py", "HEAD~1", {"tests/companion_api", "tests/hall"}),
        ("rules/games/dodgem/deeds.py", "HEAD~1", {"tests/companion_api", "tests/games"}),
        ("tests/hall/test_wall.py", "HEAD~1", {"tests/hall"}),
        ("pyproject.toml", "HEAD~1", {"tests"}),
        ("docs/ADD_A_GAME.md", "HEAD~1", set()),
        ("docs/ADD_A_GAME.md", "HEAD~20", {"tests"}),
    ],
)
def test_what_changed_says_which_folders(tmp_path: Path, changed: str, since: str, asked: set[str]) -> None:
    git(tmp_path, "init", "--quiet")
    for name in FOLDERS:
        commit(tmp_path, f"tests/{name}/test_it.py")
    commit(tmp_path, changed)
    environment = {"PATH": "/usr/bin:/bin", "COMPANION_SINCE": since}
    done = subprocess.run([ASKED], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == asked

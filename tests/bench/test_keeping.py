"""What takes hours is kept as it comes."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion_api.commands.console import UsageError
from tests.bench.keeping import KeptFigures


def test_what_is_done_is_found_again_and_what_was_broken_off_is_not(tmp_path: Path) -> None:
    file = tmp_path / "figures.jsonl"
    kept = KeptFigures(file)
    assert kept.done("dodgem") is None
    kept.keep("dodgem", {"right": 1}, done=False)
    kept.keep("quatri", {"right": 4}, done=True)
    again = KeptFigures(file)
    assert again.done("dodgem") is None
    assert again.done("quatri") == {"right": 4}
    again.keep("dodgem", {"right": 3}, done=True)
    assert KeptFigures(file).done("dodgem") == {"right": 3}
    assert [path.name for path in tmp_path.iterdir()] == ["figures.jsonl"]


def test_without_a_file_nothing_is_written() -> None:
    KeptFigures(None).keep("dodgem", {"right": 1}, done=True)


@pytest.mark.parametrize("text", ["no json", '{"figures": {}}', "[1]"])
def test_a_file_of_something_else_is_said_and_left_as_it_is(tmp_path: Path, text: str) -> None:
    file = tmp_path / "notes.txt"
    file.write_text(text)
    with pytest.raises(UsageError, match=r"notes\.txt"):
        KeptFigures(file)
    assert file.read_text() == text


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="figures"):
        KeptFigures(tmp_path / "gone" / "figures.jsonl").keep("dodgem", {}, done=True)

"""Every number of the referee's judgement, and of the witness's, stands in one frozen value and says where it comes
from."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import rules.referee.tuning as tuning
import vision.witness.tuning as witness
from rules.table.layout import Zone

ROOM = Path(tuning.__file__).parent
WITNESS_ROOM = Path(witness.__file__).parent
ORIGIN = re.compile(r"\((set|odds|trials|pictures|people|budget|measured|light|the usual)\b")
ELSEWHERE = {
    "judge.py": "how long a line of a conversation may be is no judgement",
    "tuning.py": "the numbers themselves",
}


def said_of_fields() -> Iterator[tuple[str, str, str]]:
    """Group, field and what stands below it."""
    parts = [part for room in (ROOM, WITNESS_ROOM) for part in ast.parse((room / "tuning.py").read_text()).body]
    for group in parts:
        if isinstance(group, ast.ClassDef) and not group.name.endswith("Tuning"):
            for field, below in zip(group.body, [*group.body[1:], ast.Pass()], strict=True):
                if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                    said = below.value if isinstance(below, ast.Expr) else None
                    text = str(said.value) if isinstance(said, ast.Constant) else ""
                    yield group.name, field.target.id, text


@pytest.mark.parametrize(("group", "field", "said"), list(said_of_fields()))
def test_a_number_says_where_it_comes_from(group: str, field: str, said: str) -> None:
    assert ORIGIN.search(said), f"{group}.{field}: {said!r}"


def test_all_fields_are_found() -> None:
    values = (tuning.TUNING, witness.WITNESS)
    groups = [getattr(value, group.name) for value in values for group in dataclasses.fields(value)]
    assert len(list(said_of_fields())) == sum(len(dataclasses.fields(group)) for group in groups)


def test_nothing_of_it_can_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        tuning.TUNING.looking.good = 5.0  # type: ignore[misc]
    with pytest.raises(TypeError):
        tuning.TUNING.beside.marked[Zone.HAND] = 0.0  # type: ignore[index]


ROOMS = [path for room in (ROOM, WITNESS_ROOM) for path in sorted(room.glob("*.py")) if path.name not in ELSEWHERE]


@pytest.mark.parametrize("room", ROOMS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_no_other_file_keeps_numbers_of_its_own(room: Path) -> None:
    """Beyond what is no choice: the least value against the logarithm of nought."""
    for line in ast.parse(room.read_text()).body:
        if isinstance(line, (ast.Assign, ast.AnnAssign)):
            value = line.value.value if isinstance(line.value, ast.Constant) else None
            assert not isinstance(value, (int, float)) or value <= 1e-4, f"{room}: {ast.unparse(line)}"

"""Every number of the referee's judgement stands in one frozen value and says where it comes from."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import rules.referee.tuning as tuning
from rules.table.layout import Zone

ROOM = Path(tuning.__file__).parent
ORIGIN = re.compile(r"\((set|odds|trials|pictures|people|budget|the usual)\b")
ELSEWHERE = {
    "judge.py": "how long a line of a conversation may be is no judgement",
    "tuning.py": "the numbers themselves",
}


def said_of_fields() -> Iterator[tuple[str, str, str]]:
    """Group, field and what stands below it."""
    for group in ast.parse((ROOM / "tuning.py").read_text()).body:
        if isinstance(group, ast.ClassDef) and group.name != "Tuning":
            for field, below in zip(group.body, [*group.body[1:], ast.Pass()], strict=True):
                if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                    said = below.value if isinstance(below, ast.Expr) else None
                    text = str(said.value) if isinstance(said, ast.Constant) else ""
                    yield group.name, field.target.id, text


@pytest.mark.parametrize(("group", "field", "said"), list(said_of_fields()))
def test_a_number_says_where_it_comes_from(group: str, field: str, said: str) -> None:
    assert ORIGIN.search(said), f"{group}.{field}: {said!r}"


def test_all_fields_are_found() -> None:
    groups = [getattr(tuning.TUNING, group.name) for group in dataclasses.fields(tuning.TUNING)]
    assert len(list(said_of_fields())) == sum(len(dataclasses.fields(group)) for group in groups)


def test_nothing_of_it_can_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        tuning.TUNING.looking.good = 5.0  # type: ignore[misc]
    with pytest.raises(TypeError):
        tuning.TUNING.beside.marked[Zone.HAND] = 0.0  # type: ignore[index]


@pytest.mark.parametrize("room", sorted(path.name for path in ROOM.glob("*.py") if path.name not in ELSEWHERE))
def test_no_other_room_keeps_numbers_of_its_own(room: str) -> None:
    """Beyond what is no choice: the least value against the logarithm of nought, the half widths of pieces."""
    for line in ast.parse((ROOM / room).read_text()).body:
        if isinstance(line, ast.Assign):
            value = line.value
            number = isinstance(value, ast.Constant) and isinstance(value.value, (int, float))
            assert not number or float(value.value) <= 1e-4, f"{room}: {ast.unparse(line)}"  # type: ignore[attr-defined]

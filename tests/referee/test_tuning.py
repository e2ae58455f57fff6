"""Every number of the referee's judgement, and of the witness's, stands in one frozen value and says where it comes
from."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import rules.referee.tuning as tuning
import vision.witness.tuning as witness
from rules.engine.history import History
from rules.games import game
from rules.pieces import Kind, Rank, Suit
from rules.referee.memory import Memory
from rules.referee.step import look
from rules.referee.tuning import TUNING
from rules.referee.verdict import VerdictKind
from rules.table.evidence import TableEvidence
from rules.table.layout import Placed, Zone
from rules.table.observed import ObservedTable, Sighting

ROOM = Path(tuning.__file__).parent
WITNESS_ROOM = Path(witness.__file__).parent
ORIGIN = re.compile(r"\((set|odds|trials|pictures|people|budget|measured|light|the usual)\b")
ELSEWHERE = {"tuning.py": "the numbers themselves"}


def field_docs() -> Iterator[tuple[str, str, str]]:
    """Group, field and what is said of it: in the comment above or beside it, or below it."""
    for path in (ROOM / "tuning.py", WITNESS_ROOM / "tuning.py"):
        source = path.read_text()
        lines = source.splitlines()
        for group in ast.parse(source).body:
            if isinstance(group, ast.ClassDef) and not group.name.endswith("Tuning"):
                for before, field, below in zip(
                    group.body, group.body[1:], [*group.body[2:], ast.Pass()], strict=False
                ):
                    if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                        doc = below.value if isinstance(below, ast.Expr) else None
                        comments = (line.partition("# ")[2] for line in lines[before.end_lineno : field.end_lineno])
                        text = " ".join([*comments, str(doc.value) if isinstance(doc, ast.Constant) else ""])
                        yield group.name, field.target.id, text


def test_every_number_says_where_it_comes_from() -> None:
    assert [f"{group}.{field}: {doc!r}" for group, field, doc in field_docs() if not ORIGIN.search(doc)] == []


def test_all_fields_are_found() -> None:
    values = (tuning.TUNING, witness.WITNESS)
    groups = [getattr(value, group.name) for value in values for group in dataclasses.fields(value)]
    assert len(list(field_docs())) == sum(len(dataclasses.fields(group)) for group in groups)


def test_nothing_of_it_can_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        tuning.TUNING.decision.explained_nats = 5.0  # type: ignore[misc]
    with pytest.raises(TypeError):
        tuning.TUNING.off_board.marked_nats[Zone.HAND] = 0.0  # type: ignore[index]


ROOMS = [path for room in (ROOM, WITNESS_ROOM) for path in sorted(room.glob("*.py")) if path.name not in ELSEWHERE]


def test_no_other_file_keeps_numbers_of_its_own() -> None:
    """Beyond what is no choice: the least value against the logarithm of nought."""
    lines = [(room, line) for room in ROOMS for line in ast.parse(room.read_text()).body]
    for room, line in lines:
        if isinstance(line, (ast.Assign, ast.AnnAssign)):
            value = line.value.value if isinstance(line.value, ast.Constant) else None
            assert not isinstance(value, (int, float)) or value <= 1e-4, f"{room}: {ast.unparse(line)}"


# Handing it down ----------------------------------------------------------------------------------------------------


def trees() -> dict[str, ast.Module]:
    return {path.name: ast.parse(path.read_text()) for path in sorted(ROOM.glob("*.py")) if path.name != "tuning.py"}


def functions_with_tuning() -> dict[str, tuple[int, str]]:
    """Functions and classes that may be called without it, with the place and the name of the parameter."""
    found: dict[str, tuple[int, str]] = {}
    for tree in trees().values():
        for part in ast.walk(tree):
            if isinstance(part, ast.ClassDef):
                for one in part.body:
                    if isinstance(one, ast.FunctionDef) and one.name == "__init__" and (place := _defaulted(one, 1)):
                        found[part.name] = place
            elif isinstance(part, ast.FunctionDef) and (place := _defaulted(part)):
                found[part.name] = place
    return found


def _defaulted(function: ast.FunctionDef, skipped: int = 0) -> tuple[int, str] | None:
    parameters = function.args.args
    for index, default in enumerate(function.args.defaults, len(parameters) - len(function.args.defaults)):
        if "TUNING" in ast.unparse(default):
            return index - skipped, parameters[index].arg
    return None


def test_the_value_is_nobodys_but_whoever_calls_says_otherwise() -> None:
    """It stands nowhere but as what a parameter is if nobody says anything."""
    for name, tree in trees().items():
        defaults = {
            id(node)
            for function in ast.walk(tree)
            if isinstance(function, ast.FunctionDef)
            for default in function.args.defaults
            for node in ast.walk(default)
        }
        used = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == "TUNING"]
        assert all(id(node) in defaults for node in used), name


def test_inside_the_room_it_is_always_handed_on() -> None:
    known = functions_with_tuning()
    assert {"look", "register", "exposed", "TableLikelihood", "Referee"} <= set(known)
    for name, tree in trees().items():
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            assert isinstance(call.func, ast.Name)
            if call.func.id in known:
                place, parameter = known[call.func.id]
                doc = len(call.args) > place or any(word.arg == parameter for word in call.keywords)
                assert doc, f"{name}:{call.lineno}: {ast.unparse(call)}"


def test_a_number_is_turned_by_handing_in_another() -> None:
    """A referee that thinks nothing of a missing piece is told of none."""
    dodgem = game("dodgem")
    history = History.begin(dodgem)
    lying = [placed for placed in dodgem.layout(history.state).board if placed.piece.kind in (Kind.TILE, Kind.COIN)]
    seen = [Sighting(p.piece.kind, p.x, p.y, p.face, p.angle, identities={_shown(p): 1.0}) for p in lying[:-1]]
    careless = replace(TUNING, likelihood=replace(TUNING.likelihood, missing_nats=0.1))
    kinds = [
        look(history, Memory(), TableEvidence(ObservedTable(tuple(seen))), tuning=one)[0].kind
        for one in (TUNING, careless)
    ]
    assert kinds == [VerdictKind.IMPOSSIBLE, VerdictKind.SETTLED]


def _shown(placed: Placed) -> tuple[Suit | None, Rank | None]:
    return placed.shown.suit, placed.shown.rank

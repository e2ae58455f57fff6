"""One name for one thing: no two classes of the program have one name."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("rules", "vision", "companion_api", "calibration", "models")
OWN_WORDS = {"submove.py", "address.py", "lookup.py"}
"""Of the notation: the format's vocabulary has a class for each of its words, as the standard names them."""
FLOOR_PLAN = {"Options", "State", "Phase"}
"""What every game's room has, under the name that the floor plan gives it."""


def classes() -> Iterator[tuple[str, str, ast.ClassDef]]:
    """All classes, inner and private ones too, with the place where they stand."""
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.ClassDef):
                    yield node.name, str(path.relative_to(ROOT)), node


def is_deed(place: str, node: ast.ClassDef) -> bool:
    """A deed is called as its verb, which is the rulebook's word: what is done may have any name, also `Move`."""
    in_deeds = place.startswith("rules/games/") and ("/deeds/" in place or place.endswith("/deeds.py"))
    return in_deeds and any(
        isinstance(line, ast.Assign) and any(isinstance(to, ast.Name) and to.id == "verb" for to in line.targets)
        for line in node.body
    )


def is_given(name: str, place: str) -> bool:
    """Whether somebody else chose the name: the standard of the notation, or the plan of a game's room."""
    if place.startswith("rules/games/"):
        return name in FLOOR_PLAN
    return place.startswith("rules/notation/") and Path(place).name in OWN_WORDS


def test_no_two_classes_have_one_name() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for name, place, node in classes():
        if not is_deed(place, node) and not is_given(name, place):
            places[name].append(f"{place}:{node.lineno}")
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_within_a_room_of_a_game_every_name_is_given_once() -> None:
    places: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name, place, node in classes():
        if place.startswith("rules/games/"):
            places[place.split("/")[2], name].append(f"{place}:{node.lineno}")
    assert {key: found for key, found in places.items() if len(found) > 1} == {}

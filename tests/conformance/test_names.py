"""One name for one thing: below the games and the front door no two classes have one name."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
FLOORS = ("rules/pieces", "rules/table", "rules/engine", "rules/referee", "rules/notation", "vision")
OWN_WORDS = ("rules/notation/submove.py", "rules/notation/address.py", "rules/notation/lookup.py")
"""The format's vocabulary has a class for each of its words, as the standard names them."""
SINGLE = ("Seen", "LyingDice", "Case", "Judge", "Hypothesis", "VerdictKind", "Verdict", "TournamentKind", "RoomKind")
"""And these there are only once anywhere, games and front door included."""


def places(*rooms: str) -> dict[str, list[str]]:
    found = defaultdict(list)
    for room in rooms:
        for path in sorted((ROOT / room).rglob("*.py")):
            for node in ast.parse(path.read_text()).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    found[node.name].append(str(path.relative_to(ROOT)))
    return found


def test_no_two_classes_of_the_floors_have_one_name() -> None:
    known = {name: [p for p in paths if p not in OWN_WORDS] for name, paths in places(*FLOORS).items()}
    assert {name: paths for name, paths in known.items() if len(paths) > 1} == {}


def test_what_everybody_speaks_of_has_one_name_anywhere() -> None:
    everywhere = places("rules", "vision", "companion_api", "calibration", "models")
    assert {name: everywhere[name] for name in SINGLE if len(everywhere[name]) != 1} == {}

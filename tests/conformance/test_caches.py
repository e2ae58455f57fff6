"""No cache grows with what strangers ask for: it has a bound, or its keys are few and known."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import calibration
import companion_api
import rules
import vision

FEW = {
    "companion_api/phrasebook.py:phrasebook": "a language and a game that there are; others raise",
    "companion_api/phrasebook.py:catalogue": "called by phrasebook after its check",
    "companion_api/projections/board.py:sample_layout": "called with one of available()",
    "rules/engine/codec.py:_fields": "classes",
    "rules/engine/codec.py:_hints": "classes",
    "rules/referee/edits.py:_hints": "classes",
    "rules/engine/rulebook.py:text_of": "a game that there is; others raise",
    "rules/engine/rulebook.py:clauses_of": "a game that there is; others raise",
    "rules/engine/turn.py:of_seat": "seats and phases of the rules",
    "rules/engine/turn.py:chance": "seats and phases of the rules",
    "rules/engine/turn.py:of_all": "seats and phases of the rules",
    "rules/games/__init__.py:_loaded": "one of IDS",
    "rules/games/dectana/opening.py:suits_of": "a card that there is; others raise",
    "rules/games/dectana/opening.py:value_of": "a card that there is; others raise",
    "rules/games/dodgem/deeds.py:_paths": "checked options",
    "rules/games/fuji_san/climbs.py:movable": "phases of the rules",
    "rules/games/fuji_san/climbs.py:action": "places of the board",
    "rules/games/jul_gonu/solver.py:solution": "counts of coins, a checked option",
    "rules/games/quatri/solver.py:solution": "counts of coins, a checked option",
    "rules/games/tula/temple.py:_affected": "the temples that there are",
    "rules/games/tula/temple.py:temple": "a temple that there is; others raise",
    "rules/pieces/piece.py:tile": "suits and values",
    "rules/pieces/piece.py:coin": "suits and values",
    "rules/pieces/piece.py:die": "suits and values",
    "rules/pieces/piece.py:pawn": "suits",
    "rules/pieces/piece.py:pyramid": "suits and sizes",
    "rules/pieces/piece.py:card": "cards of a deck",
}
"""Caches without a bound, and what their keys are."""
SMALL = ("int", "Suit | None", "Suit", "Rank | None", "Rank", "Phase", "bool")
"""Types of arguments of a game's cache that the game itself counts."""


def unbounded() -> Iterator[tuple[str, ast.FunctionDef]]:
    """Every function under `@cache` that takes an argument."""
    for room in (rules, companion_api, calibration, vision):
        folder = Path(str(room.__file__)).parent
        for path in sorted(folder.rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            for node in ast.walk(ast.parse(text)) if "cache" in text else ():
                if isinstance(node, ast.FunctionDef) and node.args.args and _is_cached(node):
                    yield f"{folder.name}/{path.relative_to(folder)}:{node.name}", node


def _is_cached(node: ast.FunctionDef) -> bool:
    return any(ast.unparse(decorator) in ("cache", "functools.cache") for decorator in node.decorator_list)


def test_every_cache_without_a_bound_has_few_keys() -> None:
    found = {name: node for name, node in unbounded() if not {"trials", "soak", "bench"} & set(name.split("/"))}
    assert len(found) > 20
    loose = {
        name
        for name, node in found.items()
        if name not in FEW
        and not all(arg.annotation and ast.unparse(arg.annotation) in SMALL for arg in node.args.args)
    }
    assert loose == set()
    assert set(FEW) <= set(found)

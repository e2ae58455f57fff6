"""`numbers`: how many numbers somebody chose stand between a picture and a verdict, by folder and by module."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable
from pathlib import Path

import vision
from companion_api.commands.games import Json

ROOT = Path(str(vision.__file__)).parent.parent
FOLDERS = ("vision", "rules/referee")
PLAIN = frozenset((0, 1, 2, 0.5, 90, 180, 255, 360))
"""No choice: nothing, one, a pair, half, turns, the range of a pixel; their negatives too."""
MOST = 12


def numbers(as_json: Json = False) -> None:
    """Count the numbers by which the eyes and the referee judge.

    Named: in a constant of a module, or the default of a field. Unnamed: anywhere else in the code. Nets and what is
    fitted and read from a file do not count, nor do 0, 1, 2, half, quarter turns and the range of a pixel.
    """
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
    counts = {str(path.relative_to(ROOT)): counted(path.read_text(encoding="utf-8")) for path in paths}
    whole = {folder: totals(count for path, count in counts.items() if path.startswith(folder)) for folder in FOLDERS}
    if as_json:
        print(json.dumps({"named_and_unnamed": whole, "modules": counts}))
        return
    for folder, (named, unnamed) in {**whole, "together": totals(whole.values())}.items():
        print(f"{folder:16} {named:4} named {unnamed:4} unnamed")
    for path in sorted(counts, key=lambda path: -sum(counts[path]))[:MOST]:
        print(f"  {path:38} {sum(counts[path]):4}")


def counted(source: str) -> tuple[int, int]:
    """The numbers that have a name in a module, and the others."""
    tree = ast.parse(source)
    bodies = [tree.body, *(node.body for node in ast.walk(tree) if isinstance(node, ast.ClassDef))]
    assigned = (node for body in bodies for node in body if isinstance(node, ast.Assign | ast.AnnAssign))
    named = sum(_numbers(node.value) for node in assigned if node.value is not None)
    return named, _numbers(tree) - named


def totals(counts: Iterable[tuple[int, int]]) -> tuple[int, int]:
    named, unnamed = zip(*counts, strict=True)
    return sum(named), sum(unnamed)


def _numbers(tree: ast.AST) -> int:
    values = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return sum(type(value) in (int, float) and value not in PLAIN for value in values)

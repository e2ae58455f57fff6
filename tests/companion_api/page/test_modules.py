"""The modules of the page: none imports itself in a circle, none knows a game, none takes a code apart."""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from pathlib import Path

import companion_api
from rules.engine.effects import EffectKind
from rules.games import available, game

ROOM = Path(companion_api.__file__).parent
JS = ROOM / "web" / "js"
MODULES = [*JS.rglob("*.js"), *(ROOM / "hall" / "web" / "hall").glob("*.js")]
REMARK = re.compile(r"/\*.*?\*/|^\s*//.*?$", re.DOTALL | re.MULTILINE)
IMPORT = re.compile(r'(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]+\.js)"')
TEXT = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'|`([^`]*)`")
ALSO = {
    *EffectKind,
    "open",
    "draw",
    "deal",
    "begin",
    "side",
    "share",
    "clock",
    "done",
    "keep",
    "pass",
    "search",
    "dice",
}
"""Verbs that are words of the page's own too: kinds of effects, attributes, views."""


def source(path: Path) -> str:
    return REMARK.sub("", path.read_text(encoding="utf-8"))


def imported(path: Path) -> set[Path]:
    """The modules that one imports, at once or when they are wanted."""
    return {(path.parent / name).resolve() for name in IMPORT.findall(source(path)) if "vendor/" not in name}


def test_no_module_imports_itself_in_a_circle() -> None:
    graph = {path.resolve(): imported(path) for path in JS.rglob("*.js")}
    assert any(len(found) > 5 for found in graph.values())
    list(TopologicalSorter(graph).static_order())  # CycleError names the circle


def test_no_module_names_a_game_or_a_verb_of_a_game() -> None:
    """A name of its own has an underscore or is a game's; a short verb is one where it stands as a text by itself."""
    verbs = {verb.name for name in available() for verb in game(name).card.verbs}
    named = re.compile(rf"\b(?:{'|'.join([*available(), *(verb for verb in verbs if '_' in verb)])})\b")
    plain = {verb for verb in verbs if "_" not in verb} - {str(word) for word in ALSO}
    found = [f"{path.name}: {hit[0]}" for path in MODULES for hit in named.finditer(source(path))]
    for path in MODULES:
        texts = {text for groups in TEXT.findall(source(path)) for text in groups if text}
        found += [f"{path.name}: {text}" for text in texts if text in plain]
    assert found == []


def test_no_module_takes_a_code_apart() -> None:
    """Suits by their letter, coordinates and arguments stand in no pattern of the page."""
    codes = re.compile(r"\[SMCA\]|\[tcpd\]|\[tcdp\]|\[na0-5\]|\[0-5|x\(?-\?|split\(\"[+,]\"\)|split\(/\[[(+]")
    found = [f"{path.name}: {hit[0]}" for path in JS.rglob("*.js") for hit in codes.finditer(source(path))]
    assert found == []

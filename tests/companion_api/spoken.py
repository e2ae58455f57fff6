"""What the rules and the referee say: the sentences in their source, and those heard when anything is tried."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterable, Iterator
from itertools import islice, product
from pathlib import Path
from typing import Any

import rules
from rules.engine.action import Action, parse_action
from rules.engine.contract import AnyGame
from rules.engine.playout import walk
from rules.games import game
from tests.conformance.laws import ABSURD

ROOM = Path(rules.__file__).parent
TEXT = 2
"""Which argument of `Refusal` is the sentence."""


def refusals_of(folder: str) -> set[str]:
    """Every sentence that a refusal of this room is written with, facts as gaps: `there is no {} coin on {}`."""
    found: set[str] = set()
    modules = [ast.parse(path.read_text(encoding="utf-8")) for path in sorted((ROOM / folder).rglob("*.py"))]
    sayers = {"Refusal": TEXT} | {name: index for module in modules for name, index in _passing_on(module)}
    for module in modules:
        for function in _functions(module):
            found |= set(_said(function, sayers))
        said = (text for call in _calls(module, {"Now": 1}) for text in _patterns(call.args[1]))
        found |= {re.sub(r"\{\w+\}", "{}", text) for text in said}
    return found


def errors_of(folder: str) -> set[str]:
    """Every sentence that an error of this room is raised with, facts as gaps."""
    found: set[str] = set()
    for path in sorted((ROOM / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id.endswith("Error"):
                found |= {pattern for arg in node.args[:1] for pattern in _patterns(arg)}
    return found


def _functions(module: ast.Module) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(module) if isinstance(node, ast.FunctionDef))


def _passing_on(module: ast.Module) -> Iterator[tuple[str, int]]:
    """Functions that hand a sentence they were given to `Refusal`, and which of their arguments it is."""
    for function in _functions(module):
        names = [arg.arg for arg in function.args.args]
        for call in _calls(function, {"Refusal": TEXT}):
            text = call.args[TEXT]
            if isinstance(text, ast.Name) and text.id in names:
                yield function.name, names.index(text.id)


def _calls(function: ast.AST, sayers: dict[str, int]) -> Iterator[ast.Call]:
    for node in ast.walk(function):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        if len(node.args) > sayers.get(node.func.id, len(node.args)):
            yield node


def _said(function: ast.FunctionDef, sayers: dict[str, int]) -> Iterator[str]:
    """What is put together in several steps is left to `heard`."""
    assigned: dict[str, list[ast.expr]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            assigned.setdefault(node.targets[0].id, []).append(node.value)
    for node in ast.walk(function):
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            assigned.pop(node.target.id, None)
    for call in _calls(function, sayers):
        assert isinstance(call.func, ast.Name)
        text = call.args[sayers[call.func.id]]
        for value in assigned.get(text.id, []) if isinstance(text, ast.Name) else [text]:
            yield from _patterns(value)


def _patterns(text: ast.expr) -> Iterator[str]:
    if isinstance(text, ast.IfExp):
        yield from _patterns(text.body)
        yield from _patterns(text.orelse)
    elif isinstance(text, ast.BinOp):
        yield from ("".join(parts) for parts in product(_patterns(text.left), _patterns(text.right)))
    elif isinstance(text, ast.Constant) and isinstance(text.value, str):
        yield text.value
    elif isinstance(text, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in text.values)


def texts_of(folder: str) -> str:
    """All that stands in quotes in this room, one after the other."""
    lines = []
    for path in sorted((ROOM / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            lines += list(_patterns(node)) if isinstance(node, ast.Constant | ast.JoinedStr) else []
    return "\n".join(lines)


def heard(name: str, seeds: Iterable[int], states: int, seats: Any = None, **options: object) -> set[str]:
    """What is said when all sorts of things are tried in random games, and how they end."""
    played, found = game(name), set()
    for seed in seeds:
        rng, words = random.Random(seed), {"a1", "tS4", "cM2", "x", "0", "S"}
        for state, _ in islice(walk(played, seed, options, seats), 4 * states):
            if rng.random() < 0.25:
                found |= set(_answers(played, state, rng, words))
            if reason := played.outcome(state).reason:
                found.add(reason)
    return found


def _answers(played: AnyGame, state: Any, rng: random.Random, words: set[str]) -> Iterator[str]:
    legal = list(islice(played.legal(state), 40))
    words |= {arg for action in legal for arg in action.args}
    pool = sorted(words)
    tried = [*map(parse_action, ABSURD), *(action for action in rng.sample(legal, min(len(legal), 5)))]
    for verb in played.card.verbs:
        for _ in range(6):
            args = tuple(rng.choice(pool) for _ in range(rng.randint(verb.required, len(verb.params))))
            tried.append(Action(verb.name, args))
    almost = (Action(action.verb, (*action.args[:-1], rng.choice(pool))) for action in legal[:8] if action.args)
    for action in (*tried, *almost):
        if refusal := played.refusal(state, action):
            yield refusal.text

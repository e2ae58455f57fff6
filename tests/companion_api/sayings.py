"""What the rules, the referee and the server say: the sentences in their source, and those heard in games."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from string import Formatter
from typing import Any

import calibration
import companion_api
import rules
import vision
from companion_api.phrasebook import COMMON, PROBLEMS
from rules.engine.action import Action, parse_action
from rules.engine.contract import AnyGame
from rules.engine.playout import walk
from rules.games import game
from rules.sentence import Joint, Sentence
from tests.conformance.laws import ABSURD

ROOMS = tuple(Path(str(room.__file__)).parent for room in (rules, companion_api, calibration, vision))
TROUBLED = (
    "rules/notation/",
    "rules/engine/card.py",
    "calibration/",
    "vision/",
    "companion_api/app.py",
    "companion_api/guard.py",
    "companion_api/hall/",
    "companion_api/log/",
    "companion_api/routes/",
    "companion_api/setting_up/",
)
"""Here nothing is said but what is wrong."""
SAYERS = {"say": 0, "PhaseText": 1}
"""What makes a sentence of a template, and which of its arguments that is."""


@dataclass(frozen=True, slots=True)
class Saying:
    """A sentence as it stands in the source. `facts` is None where they come from elsewhere."""

    where: str
    book: str
    key: str | None
    many: str | None
    facts: frozenset[str] | None

    @property
    def gaps(self) -> frozenset[str]:
        return gaps_of(self.key or "") | gaps_of(self.many or "")


def gaps_of(template: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in Formatter().parse(template) if name is not None)


def sayings() -> list[Saying]:
    found = [saying for room in ROOMS for path in sorted(room.rglob("*.py")) for saying in _said_in(room, path)]
    joints = (Saying("rules/sentence.py", COMMON, joint.value, None, None) for joint in Joint)
    return [*found, *joints]


def _said_in(room: Path, path: Path) -> Iterator[Saying]:
    name = f"{room.name}/{path.relative_to(room)}"
    tree = _parsed(path)
    wrong = _wrong(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SAYERS and node.args:
            book = PROBLEMS if node in wrong or name.startswith(TROUBLED) else _book(name)
            yield _saying(f"{name}:{node.lineno}", book, node, SAYERS[node.func.id])


@cache
def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _wrong(tree: ast.Module) -> set[ast.AST]:
    """What stands in a `raise`, or in what makes an error."""
    return {inner for node in ast.walk(tree) if _is_wrong(node) for inner in ast.walk(node)}


def plainly_raised() -> list[str]:
    """Where a ValueError or an answer of the web is raised with a text that no catalogue can know."""
    return [
        f"{room.name}/{path.relative_to(room)}:{node.lineno}"
        for room in ROOMS
        for path in sorted(room.rglob("*.py"))
        if not {"training", "render", "commands", "simulated"} & set(path.parts)
        for node in ast.walk(_parsed(path))
        if isinstance(node, ast.Raise) and _is_plain(node.exc)
    ]


def _is_plain(raised: ast.expr | None) -> bool:
    if not (isinstance(raised, ast.Call) and isinstance(raised.func, ast.Name) and raised.args):
        return False
    words = raised.args[-1]
    plain = isinstance(words, ast.JoinedStr) or _text(words) is not None
    return plain and raised.func.id in ("ValueError", "HTTPException")


def _is_wrong(node: ast.AST) -> bool:
    if isinstance(node, ast.FunctionDef) and node.returns is not None:
        return ast.unparse(node.returns).endswith("Error")
    return isinstance(node, ast.Raise) or (isinstance(node, ast.ClassDef) and node.name.endswith("Error"))


def _saying(where: str, book: str, call: ast.Call, index: int) -> Saying:
    key = _text(call.args[index]) if len(call.args) > index else None
    many = _text(call.args[1]) if index == 0 and len(call.args) > 1 else None
    facts = frozenset(keyword.arg or "**" for keyword in call.keywords) if index == 0 else None
    return Saying(where, book, key, many, facts)


def _text(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _book(name: str) -> str:
    parts = name.split("/")
    return parts[2] if parts[1] == "games" and len(parts) > 3 else COMMON


def heard(name: str, seeds: Iterable[int], states: int, seats: Any = None, **options: object) -> list[Sentence]:
    """What is said when all sorts of things are tried in random games, and how they end."""
    played = game(name)
    found: dict[str, Sentence] = {}
    for seed in seeds:
        rng, words = random.Random(seed), {"a1", "tS4", "cM2", "x", "0", "S"}
        for state, _ in islice(walk(played, seed, options, seats), 4 * states):
            if rng.random() < 0.25:
                found |= {said.text: said for said in _answers(played, state, rng, words)}
            if ended := played.outcome(state).sentence:
                found[ended.text] = ended
    return [found[text] for text in sorted(found)]


def _answers(played: AnyGame, state: Any, rng: random.Random, words: set[str]) -> Iterator[Sentence]:
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
            yield refusal.sentence

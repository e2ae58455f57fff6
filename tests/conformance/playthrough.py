"""A game as a text that a person reads: the golden play-through of every game. A difference in it is the review.

To write them anew after a wanted change: PLAYTHROUGH=write pytest tests/games
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from rules.engine import Action, Effect
from rules.engine.action import parse_action
from rules.engine.contract import AnyGame
from rules.engine.effects import Spot
from rules.engine.playout import walk


def by_luck(
    game: AnyGame,
    seed: int,
    options: Mapping[str, object] | None = None,
    seats: object = None,
    limit: int = 200,
) -> list[Action]:
    """The actions of a random game."""
    steps = walk(game, seed, options, seats)
    return [action for _, (_, action) in zip(range(limit), steps, strict=False)]


def by_script(text: str) -> list[Action]:
    """The actions of a played game, ids apart by blanks."""
    return [parse_action(word) for word in text.split()]


def transcript(
    game: AnyGame,
    actions: Iterable[Action],
    options: Mapping[str, object] | None = None,
    seats: object = None,
    every: int = 8,
) -> str:
    return "\n".join(_lines(game, actions, options, seats, every)) + "\n"


def check_playthrough(path: Path, text: str) -> None:
    """The file says the same as the game today."""
    if os.environ.get("PLAYTHROUGH") == "write":
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, f"{path.name} differs; see tests/conformance/playthrough.py"


def _lines(
    game: AnyGame, actions: Iterable[Action], options: Mapping[str, object] | None, seats: object, every: int
) -> Iterator[str]:
    state = game.start(options, seats)
    yield f"{game.card.name}, rules version {game.card.version}, options {dict(options or {})}"
    yield from ("", game.diagram(state), "")
    number = 0
    for number, action in enumerate(actions, start=1):
        turn = game.turn(state)
        refusal = game.refusal(state, action)
        assert refusal is None, f"{number}. {action}: {refusal}"
        legal = len(list(game.legal(state)))
        who = " ".join([turn.kind.value, *map(str, turn.seats), turn.phase]).strip()
        yield f"{number}. [{who}; {legal} choices] {action.id} : {game.describe(action)}"
        step = game.apply(state, action)
        yield from (f"    {words(effect)}" for effect in step.effects)
        state = step.state
        if number % every == 0:
            yield from ("", game.diagram(state), "")
    if number % every:
        yield from ("", game.diagram(state), "")
    yield f"outcome: {game.outcome(state).to_json()}"


def words(effect: Effect) -> str:
    """One effect in one line."""
    parts = [effect.kind.value]
    if effect.piece is not None:
        parts.append(effect.piece.words)
    parts += [f"{name} {_where(spot)}" for name, spot in (("from", effect.source), ("to", effect.target)) if spot]
    numbers = {"seat": effect.seat, "other": effect.other, "amount": effect.amount}
    parts += [f"{name} {value}" for name, value in numbers.items() if value is not None]
    if effect.facts:
        parts.append(", ".join(f"{name}={_fact(value)}" for name, value in effect.facts.items()))
    return " ".join(parts) + (f" ({effect.clause})" if effect.clause else "")


def _where(spot: Spot) -> str:
    owner = "" if spot.seat is None else f" of seat {spot.seat}"
    return spot.name or f"{spot.zone.value}{owner}"


def _fact(value: object) -> str:
    return "+".join(map(str, value)) if isinstance(value, list) else str(value)

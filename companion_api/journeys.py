"""Whole journeys, measured: a simulated table plays legal games before a camera, and the referee judges what is seen.

Every act that a camera can see is one turn; it counts by what the referee said until the next act.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from companion_api.script import Script
from companion_api.simulation import ground_of, people_of
from companion_api.watching import Told, follow
from models.render.simulated import Filming, SimulatedCamera, SimulatedTable
from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.history import History
from rules.referee.patience import Patience
from rules.referee.referee import Referee
from rules.referee.verdict import Kind
from vision.pipeline import Looking, Pipeline

MakeEyes = Callable[[SimulatedCamera, int], Looking]


@dataclass
class Journey:
    """`turns` counts right, asked, refused, look (please look), silent (nothing said), wrong."""

    game: str
    turns: Counter[str] = field(default_factory=Counter)
    latency_ms: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, object]:
        waits = sorted(self.latency_ms)
        return {
            "game": self.game,
            "turns": sum(self.turns.values()),
            **{name: self.turns[name] for name in ("right", "asked", "look", "refused", "wrong", "silent")},
            "verdict_ms_p50": round(waits[len(waits) // 2]) if waits else None,
            "verdict_ms_p95": round(waits[int(len(waits) * 0.95)]) if waits else None,
            "notes": self.notes,
        }


_SAID = {Kind.AMBIGUOUS: "asked", Kind.REFUSED: "refused", Kind.IMPOSSIBLE: "look"}


def travel(game: AnyGame, seed: int, turns: int, eyes: MakeEyes, style: str = "classic", fps: float = 5.0) -> Journey:
    """Play `turns` acts of a random game before the camera."""
    journey = Journey(game.card.id)
    referee = Referee(game, History.begin(game))
    said: list[Told] = []

    def understood(after: Any, action: Action) -> bool:
        right = referee.history.state == after or game.layout(referee.history.state) == game.layout(after)
        result = _result(right, said)
        journey.turns[result] += 1
        if result != "right":
            told = "; then ".join(f"{one.verdict.kind.value} {one.verdict.text[:120]}" for one in said) or "nothing"
            journey.notes.append(f"{action.id}: {result}: {told}")
        said.clear()
        return right

    people = replace(people_of(referee), understood=understood)
    script = Script(game, referee.history.state, seed, people, pause=1.2)
    filming = Filming(style=style, seed=seed, fps=fps, ground=ground_of(game, referee.history.state, seed, turns))
    camera = SimulatedCamera(SimulatedTable(script.acts(turns), filming))
    for told in follow(Pipeline(camera, eyes(camera, seed)), Patience(referee)):
        if isinstance(told, Told) and told.verdict.kind is not Kind.SETTLED:
            said.append(told)
            if told.verdict.kind is Kind.ACCEPTED:
                journey.latency_ms.append(told.latency_ms)
    return journey


def _result(right: bool, said: list[Told]) -> str:
    """The worst thing that was said counts, however it ended."""
    kinds = [told.verdict.kind for told in said]
    for kind in (Kind.REFUSED, Kind.IMPOSSIBLE, Kind.AMBIGUOUS):
        if kind in kinds:
            return _SAID[kind]
    if right:
        return "right"
    return "wrong" if Kind.ACCEPTED in kinds else "silent"

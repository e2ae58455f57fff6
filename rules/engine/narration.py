"""A state on its way through an action, with the story so far. Lives only while one action is done."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from rules.engine.deed import Step
from rules.engine.effects import Effect, EffectKind
from rules.engine.values import replace

S = TypeVar("S")


class Narration(Generic[S]):
    """What a deed of many steps changes and tells, in turn; each game adds what its own steps have in common."""

    def __init__(self, state: S) -> None:
        self.state = state
        self.effects: list[Effect] = []

    def set(self, **changes: Any) -> None:
        self.state = replace(self.state, **changes)

    def tell(self, kind: EffectKind, **fields: Any) -> None:
        self.effects.append(Effect(kind, **fields))

    def step(self) -> Step[S]:
        """All of it, done and told."""
        return Step(self.state, tuple(self.effects))

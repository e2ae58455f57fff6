"""Mutable state and effects while one action is carried out."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from rules.engine.deed import Step
from rules.engine.effects import Effect, EffectKind
from rules.engine.values import replace

S = TypeVar("S")


class Narration(Generic[S]):
    """Collects the changes and effects of a deed with several steps; games derive from it."""

    def __init__(self, state: S) -> None:
        self.state = state
        self.effects: list[Effect] = []

    def set(self, **changes: Any) -> None:
        self.state = replace(self.state, **changes)

    def tell(self, kind: EffectKind, **fields: Any) -> None:
        self.effects.append(Effect(kind, **fields))

    def step(self) -> Step[S]:
        """The state and effects collected."""
        return Step(self.state, tuple(self.effects))

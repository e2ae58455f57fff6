"""One thing that could be better, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Advice:
    """The words are English; pages in other languages have their own for each code and fill the facts in."""

    code: str
    words: str
    facts: Mapping[str, float | str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {"code": self.code, "words": self.words, "facts": dict(self.facts)}

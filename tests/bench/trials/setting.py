"""Under which conditions the referee is tried."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from companion_api.simulated.synthetic import Noise
from tests.bench.trials.witness import PictureErrors

LOOKS = 3


class Part(StrEnum):
    """A part of the machine that can be left out, to see what it is good for."""

    LEGAL = "legal"  # that what was done is legal is taken for more probable
    HISTORY = "history"  # where the board and the dice lay at the last look is remembered
    FUSION = "fusion"  # several looks at the same still table are read together


@dataclass(frozen=True, slots=True)
class Setting:
    """`zones`: the table has been marked out, so the camera knows whose hand a piece lies in. `picture`: how well a
    picture would tell what changed; None where there is no picture to be asked."""

    noise: Noise = field(default_factory=Noise)
    zones: bool = True
    picture: PictureErrors | None = None
    without: frozenset[Part] = frozenset()

    @property
    def looks(self) -> int:
        return 1 if Part.FUSION in self.without else LOOKS

"""Under which conditions the referee is tried."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from companion_api.simulated.synthetic import Noise, Onlooker
from tests.bench.trials.witness import PictureErrors

LOOKS = 3


class Part(StrEnum):
    """A part of the machine that can be left out, to see what it is good for."""

    LEGAL = "legal"  # that what was done is legal is taken for more probable
    HISTORY = "history"  # where the board and the dice lay at the last look is remembered
    FUSION = "fusion"  # several looks at the same still table are read together


@dataclass(frozen=True, slots=True)
class Setting:
    """`picture`: how well a picture would tell what changed; None where there is no picture to be asked."""

    noise: Noise = field(default_factory=Noise)
    picture: PictureErrors | None = None
    without: frozenset[Part] = frozenset()

    def onlooker(self, seed: int) -> Onlooker:
        return Onlooker(seed, self.noise, looks=1 if Part.FUSION in self.without else LOOKS, picture=self.picture)

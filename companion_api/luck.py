"""Dice, shuffles and draws for tables without dice: everything follows from a seed that everybody can check.

Before the first draw the log tells the SHA-256 of a secret seed. The n-th draw is what the game's rules sample with a
generator made of seed and n. When the game is over the seed is told: its hash is the one that was told, and every draw
can be made again. A seed that has been told is used no more.
"""

from __future__ import annotations

import random
import secrets
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

SEED_BYTES = 16


@dataclass(frozen=True, slots=True)
class Luck:
    """`seq`: the event that told the hash; `draws`: how many were made; `told`: the seed is known to everybody."""

    seq: int
    seed: str
    draws: int = 0
    told: bool = False

    @property
    def hash(self) -> str:
        return hash_of(self.seed)

    def next(self) -> random.Random:
        """What the next draw is made with."""
        return generator(self.seed, self.draws)

    def drawn(self) -> Luck:
        return replace(self, draws=self.draws + 1)

    def over(self) -> Luck:
        return replace(self, told=True)

    def to_json(self) -> dict[str, Any]:
        return {"hash": self.hash, "seed": self.seed if self.told else None, "draws": self.draws}


def new_seed() -> str:
    return secrets.token_hex(SEED_BYTES)


def hash_of(seed: str) -> str:
    return sha256(seed.encode()).hexdigest()


def generator(seed: str, number: int) -> random.Random:
    """The generator of the n-th draw, the first is 0."""
    return random.Random(sha256(f"{seed}:{number}".encode()).hexdigest())

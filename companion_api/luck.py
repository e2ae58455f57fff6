"""Server-made chance for tables without dice, from a verifiable seed.

Before the first draw the log publishes the SHA-256 of a secret seed. The n-th draw samples the game's chance with a
generator seeded by seed and n. After the game the seed is published, so everybody can repeat all draws; a published
seed is not used again.
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
    """`seq`: the event of the hash; `draws`: draws made; `told`: the seed is published."""

    seq: int
    seed: str
    draws: int = 0
    told: bool = False

    @property
    def hash(self) -> str:
        return hash_of(self.seed)

    def next(self) -> random.Random:
        """The generator of the next draw."""
        return generator(self.seed, self.draws)

    def after_draw(self) -> Luck:
        return replace(self, draws=self.draws + 1)

    def published(self) -> Luck:
        return replace(self, told=True)

    def to_json(self) -> dict[str, Any]:
        return {"hash": self.hash, "seed": self.seed if self.told else None, "draws": self.draws}


def new_seed() -> str:
    return secrets.token_hex(SEED_BYTES)


def hash_of(seed: str) -> str:
    return sha256(seed.encode()).hexdigest()


def generator(seed: str, number: int) -> random.Random:
    """The generator of the n-th draw, from 0."""
    return random.Random(sha256(f"{seed}:{number}".encode()).hexdigest())

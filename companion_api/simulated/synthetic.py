"""Observed tables without a camera: a layout seen through a noise model, in milliseconds of computing."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol

from companion_api.simulated.rolled_dice import RolledDice
from rules.engine.effects import Effect
from rules.pieces import RANKS, SUITS, Face, Kind, Piece, Rank, Suit
from rules.referee.exposure import exposed
from rules.referee.register import Registration
from rules.table.evidence import PictureEvidence, TableEvidence
from rules.table.layout import Layout, Placed, Zone
from rules.table.observed import ObservedTable, Sighting
from vision.sightings import fuse


@dataclass(frozen=True)
class Noise:
    """`jitter` in spaces; `misread`: chance that the best identity is wrong as long as nobody touches the table;
    `flicker`: the same for a single look; `miss`: chance of no detection in a look."""

    jitter: float = 0.05
    misread: float = 0.0
    flicker: float = 0.0
    miss: float = 0.0
    doubt: float = 0.02


class PictureModel(Protocol):
    def evidence(self, truth: Layout, board: Registration, rng: random.Random) -> PictureEvidence: ...


class Onlooker:
    """Observes one table repeatedly, in any board position; dice stay as thrown."""

    def __init__(
        self, seed: int, noise: Noise, zones: bool = True, looks: int = 1, picture: PictureModel | None = None
    ) -> None:
        """`picture`: the evidence model of a picture, None without pictures."""
        self._rng = random.Random(seed)
        self._picture = picture
        self._noise, self._zones, self._looks = noise, zones, looks
        self._dice = RolledDice(random.Random(seed))
        self.board = anywhere(self._rng)

    def throw(self, effects: Iterable[Effect]) -> None:
        self._dice.throw_all(effects)

    def see(self, layout: Layout) -> TableEvidence:
        """A still moment: the board is nudged, then observed as often as a camera would."""
        self.board = nudge(self.board, self._rng)
        stubborn = self._rng.random()
        looks = [
            observe(layout, self.board, self._rng, self._noise, self._zones, self._dice, random.Random(stubborn))
            for _ in range(self._looks)
        ]
        table = fuse(looks)
        if self._picture is None:
            return TableEvidence(table)
        return TableEvidence(table, self._picture.evidence(layout, self.board, self._rng))

    def reads(self, seen: ObservedTable, layout: Layout) -> bool:
        """Whether every visible piece was read correctly and nothing else was seen."""
        plain = observe(layout, self.board, self._rng, Noise(jitter=0.0), self._zones, self._dice)
        return Counter((s.kind, s.best) for s in seen.sightings) == Counter((s.kind, s.best) for s in plain.sightings)


def observe(
    layout: Layout,
    registration: Registration,
    rng: random.Random,
    noise: Noise,
    zones: bool = True,
    dice: RolledDice | None = None,
    stubborn: random.Random | None = None,
) -> ObservedTable:
    """One look. `zones`: hands are marked, so owners are known. `stubborn`: generator of persistent misreadings; an
    equal state misreads the same pieces."""
    visible = [placed for placed, share in exposed(layout) if share >= 0.3]
    visible += [p for p in (dice.with_dice(layout) if dice else layout) if p.zone is not Zone.BOARD]
    seen = [_sighting(placed, registration, rng, noise, stubborn or rng) for placed in visible]
    if not zones:
        seen = [replace(s, zone=None, seat=None) for s in seen]
    return ObservedTable(tuple(s for s in seen if rng.random() >= noise.miss))


def _sighting(
    placed: Placed, registration: Registration, rng: random.Random, noise: Noise, stubborn: random.Random
) -> Sighting:
    x, y = registration.to_table(placed.x, placed.y)
    shown = placed.shown
    blank = shown.kind is Kind.TILE and placed.face is Face.BACK
    angle = placed.angle + registration.turn + rng.gauss(0, 1.0)
    return Sighting(
        kind=shown.kind,
        x=x + rng.gauss(0, noise.jitter),
        y=y + rng.gauss(0, noise.jitter),
        face=placed.face,
        angle=angle % 90 if blank else angle % 360,
        identities=_identities(shown, rng, noise, stubborn),
        size=shown.size.look if shown.size else None,
        pose=placed.pose,
        mark=shown.mark,
        certainty=0.99,
        zone=placed.zone if placed.zone is not Zone.BOARD else None,
        seat=placed.seat if placed.zone is not Zone.BOARD else None,
    )


def _identities(
    shown: Piece, rng: random.Random, noise: Noise, stubborn: random.Random
) -> dict[tuple[Suit | None, Rank | None], float]:
    truth = (shown.suit, shown.rank)
    other, wrong = _confused(shown, stubborn), stubborn.random() < noise.misread
    if not wrong and rng.random() < noise.flicker:
        other, wrong = _confused(shown, rng), True
    if other == truth:
        return {truth: 1.0}
    return {other: 0.6, truth: 0.4} if wrong else {truth: 1 - noise.doubt, other: noise.doubt}


def _confused(shown: Piece, rng: random.Random) -> tuple[Suit | None, Rank | None]:
    """A confusable identity: another suit or value, as far as shown."""
    suits = [s for s in SUITS if s is not shown.suit] if shown.suit else [None]
    ranks = [r for r in RANKS if r is not shown.rank] if shown.rank is not None else [None]
    suit, rank, of_suit = rng.choice(suits), rng.choice(ranks), rng.random() < 0.5
    return (suit, shown.rank) if shown.suit and of_suit else (shown.suit, rank)


def anywhere(rng: random.Random) -> Registration:
    return Registration(rng.uniform(-180, 180), rng.uniform(-20, 20), rng.uniform(-20, 20))


def nudge(registration: Registration, rng: random.Random) -> Registration:
    return Registration(
        registration.turn + rng.gauss(0, 0.15),
        registration.dx + rng.gauss(0, 0.03),
        registration.dy + rng.gauss(0, 0.03),
    )

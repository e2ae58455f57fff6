"""Sightings without a camera: a layout seen through a noise model. It exercises the referee alone, in milliseconds;
whole journeys through rendered pictures and the real eyes are in tests/journeys."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from companion_api.lying_dice import LyingDice
from rules.pieces import RANKS, SUITS, Face, Kind, Piece, Rank, Suit
from rules.referee.likelihood import exposed
from rules.referee.register import Registration
from rules.table.layout import Layout, Placed, Zone
from rules.table.observed import ObservedTable, Sighting


@dataclass(frozen=True)
class Noise:
    """`jitter` in spaces, `misread` the chance that the most probable identity is wrong, `miss` that a piece is not
    seen at all."""

    jitter: float = 0.05
    misread: float = 0.0
    miss: float = 0.0
    doubt: float = 0.02


def observe(
    layout: Layout,
    registration: Registration,
    rng: random.Random,
    noise: Noise,
    aside: bool = True,
    zones: bool = True,
    dice: LyingDice | None = None,
) -> ObservedTable:
    """`zones`: the table has been marked out, so the camera knows whose hand a piece lies in."""
    seen = [_sight(placed, registration, rng, noise) for placed, share in exposed(layout) if share >= 0.3]
    if aside:
        lying = [dice.lay(p) if dice else p for p in layout if p.zone is not Zone.BOARD]
        seen += [_sight(p, registration, rng, noise) for p in lying]
    if not zones:
        seen = [replace(s, zone=None, seat=None) for s in seen]
    return ObservedTable(tuple(s for s in seen if rng.random() >= noise.miss))


def _sight(placed: Placed, registration: Registration, rng: random.Random, noise: Noise) -> Sighting:
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
        identities=_identities(shown, rng, noise),
        size=shown.size.look if shown.size else None,
        pose=placed.pose,
        mark=shown.mark,
        certainty=0.99,
        zone=placed.zone if placed.zone is not Zone.BOARD else None,
        seat=placed.seat if placed.zone is not Zone.BOARD else None,
    )


def _identities(shown: Piece, rng: random.Random, noise: Noise) -> dict[tuple[Suit | None, Rank | None], float]:
    suits = [s for s in SUITS if s is not shown.suit] if shown.suit else [None]
    ranks = [r for r in RANKS if r is not shown.rank] if shown.rank is not None else [None]
    truth = (shown.suit, shown.rank)
    other = (rng.choice(suits), shown.rank) if shown.suit and rng.random() < 0.5 else (shown.suit, rng.choice(ranks))
    if other == truth:
        return {truth: 1.0}
    if rng.random() < noise.misread:
        return {other: 0.6, truth: 0.4}
    return {truth: 1 - noise.doubt, other: noise.doubt}


def anywhere(rng: random.Random) -> Registration:
    """A board that lies any way on the table."""
    return Registration(rng.uniform(-180, 180), rng.uniform(-20, 20), rng.uniform(-20, 20))


def nudge(registration: Registration, rng: random.Random) -> Registration:
    return Registration(
        registration.turn + rng.gauss(0, 0.15),
        registration.dx + rng.gauss(0, 0.03),
        registration.dy + rng.gauss(0, 0.03),
    )

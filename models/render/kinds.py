"""Sets of one kind: dark card printed in white, one plastic with sunk figures, plain white, engraved plywood. Their
figures, colours and sizes are random; of each kind others see well or badly, so each is measured by itself."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

import numpy as np

from models.render.edition import SUITS, PaintedSet
from models.render.glyphs import Random
from models.render.random_edition import (
    CONVENTION,
    LIGHT_BODIES,
    apart,
    darkened,
    near,
    pawn_colour,
    random_edition,
    random_inks,
)


def edition_of(kind: str, seed: int, stratum: str) -> PaintedSet:
    """A random set, made into one of this kind."""
    edition = random_edition(seed, stratum)
    _KINDS[kind](np.random.default_rng([seed, 4711]), edition)
    edition.inverted = False
    return edition


def _dark(rng: Random, edition: PaintedSet) -> None:
    darkened(rng, edition)
    edition.inks = dict.fromkeys(SUITS, edition.neutral_ink)
    edition.pawn_colours = {suit: pawn_colour(rng, near(rng, CONVENTION[suit])) for suit in SUITS}
    _printed_flat(edition, "card")


def _print(rng: Random, edition: PaintedSet) -> None:
    edition.material = "printed"
    edition.body = near(rng, LIGHT_BODIES[int(rng.integers(len(LIGHT_BODIES)))], 0.8)
    _inked(rng, edition)
    edition.engraved, edition.ink_strength = 0.8, 0.7


def _white(rng: Random, edition: PaintedSet) -> None:
    material = str(rng.choice(["card", "plastic"]))
    edition.body = near(rng, (0, 0, 0.97), 0.3)
    _inked(rng, edition)
    _printed_flat(edition, material)


def _plywood(rng: Random, edition: PaintedSet) -> None:
    edition.material, edition.body = "wood", near(rng, (0.09, 0.4, 0.8), 0.5)
    _inked(rng, edition)
    edition.engraved, edition.ink_strength = 0.6, 0.8
    edition.coin_art.suit_bodies = False


def _inked(rng: Random, edition: PaintedSet) -> None:
    """One body for both sides, and figures that can be read on it."""
    edition.back_body = edition.body
    edition.inks = random_inks(rng, edition.body)
    edition.neutral_ink = apart(near(rng, (0, 0, 0.08)), edition.body, 90)


def _printed_flat(edition: PaintedSet, material: str) -> None:
    edition.material, edition.engraved, edition.ink_strength = material, 0.0, 1.0
    edition.coin_art.suit_bodies = False


_KINDS: MappingProxyType[str, Callable[[Random, PaintedSet], None]] = MappingProxyType(
    {"dark": _dark, "print": _print, "white": _white, "plywood": _plywood}
)
KINDS = tuple(_KINDS)

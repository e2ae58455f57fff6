"""The cards of simulated tables, which are no Decktet, as the eyes know a deck."""

from __future__ import annotations

from functools import cache

import numpy as np

from models.render import cards
from rules.pieces.decktet import DECKTET
from vision.identify.deck import BACK, Deck

DENSITY = 70.0
"""Pixels an inch: a scan of each card."""


@cache
def drawn_deck() -> Deck:
    rng = np.random.default_rng(0)
    return Deck.of({mark: cards.face(mark, DENSITY, rng).colours for mark in (BACK, *DECKTET)})

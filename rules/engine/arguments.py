"""Arguments as games write them: what they name, and how their codes are read as values."""

from __future__ import annotations

from rules.engine.action import ParamKind, Reads
from rules.engine.argument_value import card_of, die_of, each, mark_of, price_of, thing_of, tile_of, way_of

TILE = Reads(ParamKind.PIECE, tile_of)
"""A tile by its short code, S3."""
TILE_PLACE = Reads(ParamKind.PLACE, tile_of)
"""A tile that is a place."""
PIECES = Reads(ParamKind.LIST, each(thing_of))
DICE = Reads(ParamKind.LIST, each(die_of))
"""What dice show, S3+M0."""
PRICE = Reads(ParamKind.LIST, price_of)
MARK = Reads(ParamKind.WORD, mark_of)
"""A suit or a value by its letter."""
WAY = Reads(ParamKind.WORD, way_of)
CARD = Reads(ParamKind.WORD, card_of)
CARDS = Reads(ParamKind.LIST, each(card_of))


def optional(how: Reads) -> Reads:
    return Reads(f"{how.kind}?", how.reader)

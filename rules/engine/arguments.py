"""Parameter types shared by games: what an argument names and how its code is parsed."""

from __future__ import annotations

from rules.engine.action import ParamKind, ParamType
from rules.engine.argument_value import card_of, die_of, each, mark_of, price_of, thing_of, tile_of, way_of

TILE = ParamType(ParamKind.PIECE, tile_of)
"""A tile by its short code, S3."""
TILE_PLACE = ParamType(ParamKind.PLACE, tile_of)
"""A tile that is a place."""
PIECES = ParamType(ParamKind.LIST, each(thing_of))
DICE = ParamType(ParamKind.LIST, each(die_of))
"""Values of dice: S3+M0."""
PRICE = ParamType(ParamKind.LIST, price_of)
MARK = ParamType(ParamKind.WORD, mark_of)
"""A suit or a value by its letter."""
WAY = ParamType(ParamKind.WORD, way_of)
CARD = ParamType(ParamKind.WORD, card_of)
CARDS = ParamType(ParamKind.LIST, each(card_of))


def optional(how: ParamType) -> ParamType:
    return ParamType(f"{how.kind}?", how.reader)

"""An effect as the page gets it: its piece taken apart and its sentence with it, so that any language can tell them."""

from __future__ import annotations

from typing import Any

from companion_api.projections.choices import valued
from rules.engine.contract import AnyGame
from rules.engine.effects import Effect
from rules.table.layout import Zone


def effect_for(game: AnyGame, effect: Effect) -> dict[str, Any]:
    plain: dict[str, Any] = effect.to_json()
    for end in ("from", "to"):
        if (spot := plain.get(end)) and spot["zone"] == Zone.BOARD and spot["place"]:
            spot["value"] = game.place_value(spot["place"]).to_json()
    if values := game.fact_values(effect.facts):
        plain["values"] = values
    piece = effect.piece
    if piece is not None:
        plain["thing"] = {
            "kind": piece.kind.value,
            "suit": piece.suit.value if piece.suit else None,
            "value": piece.rank.word if piece.rank is not None else None,
            "size": piece.size.value if piece.size else None,
            "mark": piece.mark,
        }
    if effect.sentence is not None:
        plain["said"] = valued(game, effect.sentence.to_json())
    return plain

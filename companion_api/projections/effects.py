"""An effect as the page gets it: its piece taken apart and its sentence with it, so that any language can tell them."""

from __future__ import annotations

from typing import Any

from rules.engine.effects import Effect


def effect_for(effect: Effect) -> dict[str, Any]:
    plain: dict[str, Any] = effect.to_json()
    piece = effect.piece
    if piece is not None:
        plain["thing"] = {
            "kind": piece.kind.value,
            "suit": piece.suit.value if piece.suit else None,
            "value": piece.rank.word if piece.rank is not None else None,
            "size": piece.size.value if piece.size else None,
            "mark": piece.mark,
        }
    if effect.said is not None:
        plain["said"] = effect.said.to_json()
    return plain

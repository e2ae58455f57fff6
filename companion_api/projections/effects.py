"""An effect as the page gets it: with its piece taken apart, so that it can be named in any language."""

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
    return plain

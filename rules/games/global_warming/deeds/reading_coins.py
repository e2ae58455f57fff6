"""Whether coins can be what somebody says they show (GW-7.3)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rules.engine import Code, Refusal
from rules.games.global_warming.coins import SIDES, is_possible, shown


def wrong_side(side: str) -> Refusal | None:
    if side in SIDES:
        return None
    text = f"{side[:20]!r} is no side of a coin; write cS? for a suit and c?3 for a value"
    return Refusal(Code.NO_SUCH_PIECE, "GW-1.4", text, {"given": side[:20]})


def wrong_line(line: Sequence[str], gone: Collection[int]) -> Refusal | None:
    if is_possible(line, gone):
        return None
    words = ", ".join(shown(side).words for side in line)
    text = f"the coins that are left cannot show {words} all at once; please read them again"
    return Refusal(Code.CONTRADICTS, "GW-7.3", text, {"line": list(line)})

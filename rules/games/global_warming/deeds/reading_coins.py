"""Whether coins can be what somebody says they show (GW-7.3)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rules.engine import Code, Refusal
from rules.games.global_warming.coins import SIDES, is_possible, shown
from rules.sentence import Joint, enumerated, say


def wrong_side(side: str) -> Refusal | None:
    if side in SIDES:
        return None
    text = say("“{given}” is not a side of a coin; write cS? for a suit and c?3 for a value", given=side[:20])
    return Refusal(Code.NO_SUCH_PIECE, "GW-1.4", text, {"given": side[:20]})


def wrong_line(line: Sequence[str], gone: Collection[int]) -> Refusal | None:
    if is_possible(line, gone):
        return None
    words = enumerated((shown(side) for side in line), Joint.AND)
    text = say(
        "no {number} coins that are left can show {sides}; please read them again", number=len(line), sides=words
    )
    return Refusal(Code.CONTRADICTS, "GW-7.3", text, {"line": list(line)})

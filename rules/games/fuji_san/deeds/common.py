"""What several deeds tell: a priest that walks, and what follows."""

from __future__ import annotations

from rules.engine import Effect, EffectKind, Spot
from rules.engine.refusal import Fact
from rules.games.fuji_san.ending import END_CLAUSES, reason
from rules.games.fuji_san.layout import spot
from rules.games.fuji_san.opening import State
from rules.pieces import SUITS, pawn


def walk(seat: int, source: str, target: str, clause: str, facts: dict[str, Fact]) -> Effect:
    suit = SUITS[seat]
    ends = (spot_of(source), spot_of(target))
    return Effect(EffectKind.MOVE, pawn(suit), f"priest-{suit}", *ends, 0, clause=clause, facts=facts)


def spot_of(place: str) -> Spot:
    return Spot(place, *spot(place))


def what_follows(state: State, after: State) -> Effect:
    if after.end:
        facts: dict[str, Fact] = {"reason": reason(after).text, "moves": after.moves}
        return Effect(EffectKind.END, seat=0, clause=END_CLAUSES[after.end], facts=facts, said=reason(after))
    if after.phase != state.phase:
        return Effect(EffectKind.PHASE, clause=_BEGINS[after.phase], facts={"phase": after.phase})
    return Effect(EffectKind.TURN, seat=0, facts={"moves": after.moves})


_BEGINS = {"ascent": "FUJI-4.7", "roll": "FUJI-3.6", "rescue": "FUJI-3.6", "carry": "FUJI-9.4", "descent": "FUJI-9.4"}

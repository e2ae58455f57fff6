"""Effects that several deeds share."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine import Action, Effect, EffectKind, NarratedDeed, Outcome, Spot
from rules.engine.refusal import Fact
from rules.games.fuji_san.layout import spot
from rules.games.fuji_san.opening import State
from rules.pieces import SUITS, pawn
from rules.sentence import Sentence, say

END_CLAUSES = {"summit": "FUJI-5.1", "down": "FUJI-9.4", "failed": "FUJI-3.6", "stuck": "FUJI-5.2", "lost": "FUJI-5.2"}


def reason(state: State) -> Sentence:
    if state.end == "summit":
        return say(
            "all four priests are on the summit after one move",
            "all four priests are on the summit after {count} moves",
            count=state.moves,
        )
    if state.end == "down":
        return say(
            "all four priests are down again after one move",
            "all four priests are down again after {count} moves",
            count=state.moves,
        )
    if state.end == "failed":
        return say("foul weather: no priest can move, even with the dice")
    if state.end == "stuck":
        return say("no priest can move any more")
    return say("the goal is out of reach: no sequence of moves leads there")


def outcome_of(state: State) -> Outcome:
    if not state.end:
        return Outcome(scores=(state.moves,))
    winners = (0,) if state.end in ("summit", "down") else ()
    return Outcome(True, winners, (state.moves,), reason(state), END_CLAUSES[state.end])


class FujiDeed(NarratedDeed[State]):
    def next_effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        if after.end:
            facts: dict[str, Fact] = {"reason": reason(after).text, "moves": after.moves}
            clause = END_CLAUSES[after.end]
            yield Effect(EffectKind.END, seat=0, clause=clause, facts=facts, sentence=reason(after))
        elif after.phase != before.phase:
            yield Effect(EffectKind.PHASE, clause=_BEGINS[after.phase], facts={"phase": after.phase})
        else:
            yield Effect(EffectKind.TURN, seat=0, facts={"moves": after.moves})


_BEGINS = {"ascent": "FUJI-4.7", "roll": "FUJI-3.6", "rescue": "FUJI-3.6", "carry": "FUJI-9.4", "descent": "FUJI-9.4"}


def walk_effect(seat: int, source: str, target: str, clause: str, facts: dict[str, Fact]) -> Effect:
    suit = SUITS[seat]
    ends = (spot_of(source), spot_of(target))
    return Effect(EffectKind.MOVE, pawn(suit), f"priest-{suit}", *ends, 0, clause=clause, facts=facts)


def spot_of(place: str) -> Spot:
    return Spot(place, *spot(place))

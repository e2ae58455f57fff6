"""Base of the deeds, common effects and refusals, consistency of coins (GW-7.3), winner (GW-5)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from rules.engine import Action, Code, Effect, EffectKind, NarratedDeed, Outcome, Refusal, Spot
from rules.games.global_warming.coins import SIDES, is_possible, shows_suit, visible_piece
from rules.games.global_warming.layout import describe, line_spot, spot
from rules.games.global_warming.opening import Phase, State
from rules.pieces import pawn
from rules.sentence import Joint, enumerated, say, several
from rules.table.layout import Zone


def wrong_side(side: str) -> Refusal | None:
    if side in SIDES:
        return None
    text = say("“{given}” is not a side of a coin; write cS? for a suit and c?3 for a value", given=side[:20])
    return Refusal(Code.NO_SUCH_PIECE, "GW-1.4", text)


def wrong_line(line: Sequence[str], gone: Collection[int]) -> Refusal | None:
    if is_possible(line, gone):
        return None
    words = enumerated((visible_piece(side) for side in line), Joint.AND)
    text = say(
        "no {number} coins that are left can show {sides}; please read them again", number=len(line), sides=words
    )
    return Refusal(Code.CONTRADICTS, "GW-7.3", text, {"line": list(line)})


def outcome_of(state: State) -> Outcome:
    if state.phase != Phase.ENDED:
        return Outcome()
    winners = tuple(state.survivors)
    left = several(state.suits[index] for index in state.alive) if state.alive else say("nobody")
    return Outcome(True, winners, (), say("only {left} is left on the island", left=left), "GW-5.3")


class WarmingDeed(NarratedDeed[State]):
    """Base of the deeds: adds the effects of skipped actors, and of the next actor or the end."""

    def next_effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        if before.phase == Phase.ACTIONS:
            yield from lapse_effects(before.order[1:], after)
        if after.phase == Phase.ENDED:
            yield Effect(EffectKind.END, seat=next(iter(after.survivors), None), clause="GW-5.3")
        elif after.phase == Phase.ACTIONS and after.order != before.order:
            index = after.order[0]
            facts = {"pawn": after.suits[index].value, "face": after.faces[index]}
            yield Effect(EffectKind.TURN, seat=after.owners[index], clause="GW-4.4", facts=facts)
        elif after.phase != before.phase:
            yield Effect(EffectKind.PHASE, facts={"phase": after.phase, "turn": after.turn})

    def describe(self, action: Action) -> str:
        return describe(action) or super().describe(action)


def new_coin(side: str, drawn: int, drawer: int, left: int, clause: str) -> Effect:
    ends = Spot(zone=Zone.SUPPLY), line_spot(drawn)
    facts = {"shows": "suit" if shows_suit(side) else "value", "bag": left}
    return Effect(EffectKind.PLACE, visible_piece(side), f"coin{drawn}", *ends, seat=drawer, clause=clause, facts=facts)


def lapse_effects(expected: tuple[int, ...], after: State) -> Iterator[Effect]:
    """Effects of skipped actors, who cannot act."""
    for index in expected[: len(expected) - len(after.order)]:
        suit, face = after.suits[index], after.faces[index]
        clause = "GW-4.11" if face == "n" else "GW-4.7"
        facts = {"pawn": suit.value, "face": face, "what": "the action lapses: nothing can be moved"}
        yield Effect(EffectKind.CHOOSE, seat=after.owners[index], clause=clause, facts=facts)


def drowning_effects(before: State, index: int, clause: str) -> Iterator[Effect]:
    suit, seat, place = before.suits[index], before.owners[index], before.pawns[index]
    target = Spot(zone=Zone.SPENT, seat=seat)
    yield Effect(EffectKind.REMOVE, pawn(suit), f"p{suit.letter}", spot(place), target, seat=seat, clause=clause)
    others = [other for other in before.alive if other != index and before.owners[other] == seat]
    why = "resigned" if clause == "GW-R14" else "drowned"
    facts = {"why": why, "pawn": suit.value, "pawns_left": len(others)}
    if not others or clause == "GW-R14":
        yield Effect(EffectKind.ELIMINATE, pawn(suit), f"p{suit.letter}", seat=seat, clause=clause, facts=facts)

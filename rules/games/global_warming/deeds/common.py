"""What is told after every deed, and of dice and pawns in several; whether coins can be what somebody says they show
(GW-7.3); who has won (GW-5)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterator, Sequence

from rules.engine import Action, Code, Effect, EffectKind, NarratedDeed, Outcome, Refusal, Spot
from rules.games.global_warming.coins import SIDES, is_possible, shown, shows_suit
from rules.games.global_warming.layout import line_spot, spot
from rules.games.global_warming.opening import ACTIONS, ENDED, State
from rules.pieces import pawn
from rules.sentence import Joint, enumerated, say, several
from rules.table.layout import Zone


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


def outcome_of(state: State) -> Outcome:
    if state.phase != ENDED:
        return Outcome()
    winners = tuple(state.survivors)
    left = several(state.suits[index] for index in state.alive) if state.alive else say("nobody")
    return Outcome(True, winners, (), say("only {left} is left on the island", left=left), "GW-5.3")


class WarmingDeed(NarratedDeed[State]):
    """A deed that is followed by whoever acts next, or by the end."""

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        yield from self.happens(before, action, after)
        yield from _what_next(before, after)

    @abstractmethod
    def happens(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        """What it does itself."""


def _what_next(before: State, after: State) -> Iterator[Effect]:
    if after.phase == ENDED:
        yield Effect(EffectKind.END, seat=next(iter(after.survivors), None), clause="GW-5.3")
    elif after.phase == ACTIONS and after.order != before.order:
        index = after.order[0]
        facts = {"pawn": after.suits[index].value, "face": after.faces[index]}
        yield Effect(EffectKind.TURN, seat=after.owners[index], clause="GW-4.4", facts=facts)
    elif after.phase != before.phase:
        yield Effect(EffectKind.PHASE, facts={"phase": after.phase, "turn": after.turn})


def new_coin(side: str, drawn: int, drawer: int, left: int, clause: str) -> Effect:
    source = Spot(zone=Zone.SUPPLY)
    facts = {"shows": "suit" if shows_suit(side) else "value", "bag": left}
    return Effect(
        EffectKind.PLACE, shown(side), f"coin{drawn}", source, line_spot(drawn), seat=drawer, clause=clause, facts=facts
    )


def lapsed(expected: tuple[int, ...], after: State) -> Iterator[Effect]:
    """Whoever should have acted but could not."""
    for index in expected[: len(expected) - len(after.order)]:
        suit, face = after.suits[index], after.faces[index]
        clause = "GW-4.11" if face == "n" else "GW-4.7"
        facts = {"pawn": suit.value, "face": face, "what": "the action lapses: nothing can be moved"}
        yield Effect(EffectKind.CHOOSE, seat=after.owners[index], clause=clause, facts=facts)


def drowns(before: State, index: int, clause: str) -> Iterator[Effect]:
    suit, seat, place = before.suits[index], before.owners[index], before.pawns[index]
    target = Spot(zone=Zone.SPENT, seat=seat)
    yield Effect(EffectKind.REMOVE, pawn(suit), f"p{suit.letter}", spot(place), target, seat=seat, clause=clause)
    others = [other for other in before.alive if other != index and before.owners[other] == seat]
    why = "resigned" if clause == "GW-R14" else "drowned"
    facts = {"why": why, "pawn": suit.value, "pawns_left": len(others)}
    if not others or clause == "GW-R14":
        yield Effect(EffectKind.ELIMINATE, pawn(suit), f"p{suit.letter}", seat=seat, clause=clause, facts=facts)

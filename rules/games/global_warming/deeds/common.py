"""What is told after every deed, and of dice and pawns in several."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

from rules.engine import Action, Effect, EffectKind, Spot, ToldDeed
from rules.games.global_warming.coins import shown, shows_suit
from rules.games.global_warming.layout import line_spot, spot
from rules.games.global_warming.opening import ACTIONS, ENDED, State
from rules.pieces import pawn
from rules.table.layout import Zone


class WarmingDeed(ToldDeed[State]):
    """A deed that is followed by whoever acts next, or by the end."""

    def tell(self, before: State, action: Action, after: State) -> Iterator[Effect]:
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

"""Refusals and effects that several deeds share."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine import Action, Code, Effect, EffectKind, NarratedDeed, Refusal, Spot
from rules.engine.effects import end_effect
from rules.engine.refusal import Facts
from rules.games.four_blind_mice.opening import CELL_OF, INNER, NAMES, NEXT_TO, Phase, State, position_of
from rules.games.four_blind_mice.rounds import MOUSE_OF, outcome_of, visible_piece
from rules.games.four_blind_mice.slides import occupied
from rules.pieces import SUITS, pawn
from rules.sentence import Joint, enumerated, say
from rules.table.layout import Zone

MAX_ECHO = 20
SUPPLY = Spot(zone=Zone.SUPPLY)


class MouseDeed(NarratedDeed[State]):
    def next_effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        if after.phase is Phase.OVER:
            yield end_effect(outcome_of(after))
        elif after.phase is Phase.BID:
            facts: Facts = {"phase": "think" if after.first_bid is None else "bid"}
            yield Effect(EffectKind.PHASE, clause="MICE-4.2", facts=facts)
        elif after.phase is Phase.REVEAL:
            yield Effect(EffectKind.PHASE, clause="MICE-4.1", facts={"phase": "reveal"})
        else:
            yield Effect(EffectKind.TURN, seat=after.to_act, facts={"phase": after.phase.value})


def no_such_space(name: str) -> Refusal | None:
    if name in CELL_OF:
        return None
    text = say("there is no space “{place}”; the board goes from a1 to h8", place=name[:MAX_ECHO])
    return Refusal(Code.NO_SUCH_PLACE, "MICE-2.2", text)


def no_such_mouse(text: str) -> Refusal | None:
    if text in MOUSE_OF:
        return None
    words = say("there is no mouse “{mouse}”; the mice are pS, pM, pC and pA", mouse=text[:MAX_ECHO])
    return Refusal(Code.NO_SUCH_PIECE, "MICE-1.1", words)


def no_room(state: State, name: str, allowed: list[int]) -> Refusal | None:
    if refusal := no_such_space(name):
        return refusal
    cell = CELL_OF[name]
    if cell in allowed:
        return None
    if cell not in INNER:
        text = say("{place} is on the edge; cheese and mice are placed from b2 to g7", place=name)
        return Refusal(Code.NOT_ALLOWED, "MICE-3.5a", text)
    taken = occupied(state)
    if cell in taken:
        return Refusal(Code.OCCUPIED, "MICE-3.5b", say("{place} is occupied", place=name))
    beside = [NAMES[other] for other in NEXT_TO[cell] if other in taken]
    text = say(
        "{place} is next to {places}, where a piece lies; only diagonal contact is allowed",
        "{place} is next to {places}, and a piece lies on each; only diagonal contact is allowed",
        count=len(beside),
        place=name,
        places=enumerated(beside, Joint.AND),
    )
    return Refusal(Code.NOT_ALLOWED, "MICE-3.5c", text, {"place": name, "next_to": beside})


def spot(cell: int) -> Spot:
    return Spot(NAMES[cell], *position_of(cell))


def return_effects(before: State) -> Iterator[Effect]:
    for suit, cell, home in zip(SUITS, before.mice, before.home, strict=True):
        if cell != home and cell is not None and home is not None:
            yield Effect(EffectKind.MOVE, pawn(suit), f"mouse-{suit}", spot(cell), spot(home), clause="MICE-4.10")


def loss_effects(before: State) -> Iterator[Effect]:
    number = before.target
    cell = before.uncovered.cell
    assert number is not None
    assert cell is not None
    piece = visible_piece(before, number)
    yield Effect(EffectKind.REMOVE, piece, f"cheese{number}", spot(cell), Spot(zone=Zone.SPENT), clause="MICE-4.11")

"""Base of the deeds, common refusals and effects, outcome (PENG-5)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine import Action, Code, Effect, EffectKind, NarratedDeed, Outcome, Refusal, Spot
from rules.engine.effects import end_effect
from rules.games.penguin.opening import COINS, LAYING, SUIT_OF, UNKNOWN, Phase, State
from rules.pieces import SUITS, Piece, pawn
from rules.sentence import Sentence, say, several
from rules.table.layout import Zone


def outcome_of(state: State) -> Outcome:
    if len(state.pawns) == 1:
        left = COINS if state.phase in LAYING else sum(map(len, state.stacks))
        if state.phase is not Phase.OVER:
            return Outcome(scores=(left,))
        if left > 1:
            return Outcome(True, (), (left,), say("the penguin cannot move; coins left: {left}", left=left), "PENG-9.1")
        suit = next((state.suits[stack[-1]] for stack in state.stacks if stack), UNKNOWN)
        if state.options.match_first_suit and suit != state.first_suit:
            last, wanted = SUIT_OF[suit], SUIT_OF.get(state.first_suit) or say("unknown")
            reason = say("one coin is left, but of {suit}; the first coin was of {wanted}", suit=last, wanted=wanted)
            return Outcome(True, (), (left,), reason, "PENG-9.1")
        return Outcome(True, (0,), (left,), say("only one coin is left"), "PENG-9.1")
    if state.phase is not Phase.OVER:
        return Outcome()
    winner = next(seat for seat, cell in enumerate(state.penguins) if cell is not None)
    reason = say("the {pawn} penguin is the last on the ice", pawn=state.pawns[winner])
    return Outcome(True, (winner,), (), reason, "PENG-5.1")


MAX_ECHO = 20


def no_such_space(state: State, name: str) -> Refusal | None:
    if name in state.board.cells:
        return None
    cells = several(sorted(state.board.cells))
    text = say("there is no space “{place}” on this ice; it has {cells}", place=name[:MAX_ECHO], cells=cells)
    return Refusal(Code.NO_SUCH_PLACE, "PENG-2.1", text)


def no_such_suit(name: str, clause: str) -> Refusal | None:
    if name in SUITS:
        return None
    text = say("no suit is called “{suit}”; use suns, moons, crowns or arms", suit=name[:MAX_ECHO])
    return Refusal(Code.NO_SUCH_PIECE, clause, text)


def occupied(state: State, name: str) -> Refusal:
    seat = state.penguins.index(state.board.cells[name])
    text = say("the {pawn} penguin stands on {place} already", pawn=state.pawns[seat], place=name)
    return Refusal(Code.OCCUPIED, "PENG-8.1", text, {"place": name, "seat": seat})


def spot(state: State, cell: int) -> Spot:
    where = state.board.spots[cell]
    assert where is not None
    return Spot(state.board.names[cell], where[0] + 1, where[1] + 1)


def penguin_of(state: State, seat: int) -> tuple[Piece, str]:
    return pawn(state.pawns[seat]), f"penguin{seat}"


def removal_effects(before: State, seat: int, why: Sentence, clause: str) -> Iterator[Effect]:
    """Effects of a penguin that leaves the ice for good."""
    piece, key = penguin_of(before, seat)
    cell = before.penguins[seat]
    source = None if cell is None else spot(before, cell)
    yield Effect(EffectKind.REMOVE, piece, key, source, Spot(zone=Zone.SPENT, seat=seat), seat=seat, clause=clause)
    yield Effect(EffectKind.ELIMINATE, piece, key, seat=seat, clause=clause, facts={"why": why.text}, sentence=why)


class PenguinDeed(NarratedDeed[State]):
    def next_effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        if after.phase is Phase.OVER:
            yield end_effect(outcome_of(after))
        elif (after.phase, after.to_act) == (before.phase, before.to_act):
            yield Effect(EffectKind.TURN, seat=after.to_act)
        else:
            new_turn = after.to_act != before.to_act or after.phase is Phase.MOVE
            kind = EffectKind.TURN if new_turn else EffectKind.PHASE
            yield Effect(kind, seat=after.to_act, facts={"phase": after.phase.value})

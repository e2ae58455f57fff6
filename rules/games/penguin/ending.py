"""How the game stands and ends (PENG-5, PENG-9.1)."""

from __future__ import annotations

from rules.engine import Outcome
from rules.games.penguin.opening import COINS, SUIT_OF, UNKNOWN, Phase, State
from rules.sentence import say


def outcome_of(state: State) -> Outcome:
    if len(state.pawns) == 1:
        return _solo_outcome(state)
    if state.phase is not Phase.OVER:
        return Outcome()
    last = next(seat for seat, cell in enumerate(state.penguins) if cell is not None)
    return Outcome(
        True, (last,), (), say("the {pawn} penguin is the last on the ice", pawn=state.pawns[last]), "PENG-5.1"
    )


def _solo_outcome(state: State) -> Outcome:
    """The fewer coins are left the better; one is a win, if it must be only of the first suit (PENG-9.1)."""
    laid = state.phase not in (Phase.ROLL, Phase.DEAL, Phase.PLACE_COINS)
    left = sum(map(len, state.stacks)) if laid else COINS
    if state.phase is not Phase.OVER:
        return Outcome(scores=(left,))
    if left > 1:
        return Outcome(True, (), (left,), say("the penguin cannot move; coins left: {left}", left=left), "PENG-9.1")
    suit = _last_suit(state)
    if state.options.match_first_suit and suit != state.first_suit:
        wanted = SUIT_OF.get(state.first_suit) or say("unknown")
        reason = say(
            "one coin is left, but of {suit}; the first coin was of {wanted}", suit=SUIT_OF[suit], wanted=wanted
        )
        return Outcome(True, (), (left,), reason, "PENG-9.1")
    return Outcome(True, (0,), (left,), say("only one coin is left"), "PENG-9.1")


def _last_suit(state: State) -> str:
    return next((state.suits[stack[-1]] for stack in state.stacks if stack), UNKNOWN)

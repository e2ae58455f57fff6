"""Draws by agreement, and resignation (DECAY-5.20, 8.17)."""

from __future__ import annotations

from rules.engine import Action, Code, EffectKind, Refusal, Verb
from rules.games.decay.deeds.narration import (
    DOING,
    OWN_TURN,
    DecayDeed,
    DecayNarration,
    answering_seat,
    may_offer_draw,
    next_seat,
    start_turn,
)
from rules.games.decay.opening import Phase, State
from rules.sentence import say


class OfferDraw(DecayDeed):
    verb = Verb.of("offer_draw", "offer a draw", "DECAY-5.20")

    def check(self, state: State, action: Action) -> Refusal | None:
        if may_offer_draw(state):
            return None
        if state.offered:
            return Refusal(Code.REPEATS, "DECAY-5.20", say("a draw has already been offered in this turn"))
        if state.options.draw != "by_agreement":
            text = say("draws are not agreed in this game; a position that comes a third time makes one")
            return Refusal(Code.NOT_ALLOWED, "DECAY-8.12", text)
        if state.phase not in OWN_TURN:
            text = say("a draw is offered only in one's own turn; now {doing}", doing=DOING[state.phase])
            return Refusal(Code.NOT_ALLOWED, "DECAY-5.20", text)
        left = len(state.persons_left)
        text = say("a draw is for the last two; {left} are still in the game", left=left)
        return Refusal(Code.NOT_ALLOWED, "DECAY-5.20", text)

    def play(self, narration: DecayNarration, action: Action) -> None:
        state = narration.state
        narration.set(phase=Phase.DRAW, resume=state.phase, offered=True)
        narration.tell_choice("DECAY-5.20", "draw?")
        narration.tell(EffectKind.TURN, seat=answering_seat(state), clause="DECAY-5.20")


class AcceptDraw(DecayDeed):
    verb = Verb.of("accept_draw", "agree on a draw", "DECAY-5.20")
    phases = (Phase.DRAW,)

    def play(self, narration: DecayNarration, action: Action) -> None:
        narration.end(narration.state.seats_left, "DECAY-5.20")


class DeclineDraw(DecayDeed):
    verb = Verb.of("decline_draw", "refuse the draw", "DECAY-5.20")
    phases = (Phase.DRAW,)

    def play(self, narration: DecayNarration, action: Action) -> None:
        state = narration.state
        narration.set(phase=state.resume, resume=None)
        narration.tell(EffectKind.CHOOSE, seat=answering_seat(state), clause="DECAY-5.20", facts={"choice": "no draw"})
        narration.tell(EffectKind.TURN, seat=state.to_act, clause="DECAY-5.20")


class Resign(DecayDeed):
    verb = Verb.of("resign", "give up", "DECAY-8.17")

    def check(self, state: State, action: Action) -> Refusal | None:
        if state.options.allow_resign and state.phase in OWN_TURN:
            return None
        text = say("the options of this game do not allow giving up")
        if state.options.allow_resign:
            text = say("one gives up only in one's own turn; now {doing}", doing=DOING[state.phase])
        return Refusal(Code.NOT_ALLOWED, "DECAY-8.17", text)

    def play(self, narration: DecayNarration, action: Action) -> None:
        if not narration.kill((narration.state.to_act,), "DECAY-8.17", say("gave up")):
            start_turn(narration, next_seat(narration.state))


OFFER, ACCEPT, DECLINE = Action("offer_draw"), Action("accept_draw"), Action("decline_draw")

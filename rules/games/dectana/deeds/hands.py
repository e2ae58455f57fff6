"""Deeds with a hand: discarding down to the limit, showing three aces, entering known cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rules.engine import Action, Code, EffectKind, PhaseText, Refusal, Verb
from rules.engine.action import CARD, CARDS, PieceIcon
from rules.engine.refusal import Facts
from rules.games.dectana.deeds.common import (
    CLAIM_STAGES,
    DectanaDeed,
    DectanaNarration,
    claims,
    no_such_card,
    not_in_hand,
)
from rules.games.dectana.opening import ACES, UNKNOWN, Held, Phase, State
from rules.pieces import Kind
from rules.sentence import Joint, say, several


class Discard(DectanaDeed):
    verb = Verb.of("discard", "discard {card}", "DEC-4.10", drawn=PieceIcon(Kind.CARD, piece="card"), card=CARD)
    phases = (Phase.DISCARD,)

    def legal(self, state: State) -> Iterator[Action]:
        unknown = [UNKNOWN] if any(held.mark == UNKNOWN for held in state.hand) else []
        return (Action("discard", (card,)) for card in state.showable(state.to_act) + unknown)

    def check(self, state: State, action: Action) -> Refusal | None:
        if action[0] == UNKNOWN and any(held.mark == UNKNOWN for held in state.hand):
            return None
        if refusal := no_such_card(state, (action[0],), "DEC-4.10"):
            return refusal
        return not_in_hand(state, state.to_act, (action[0],), "DEC-4.10")

    def play(self, narration: DectanaNarration, action: Action) -> None:
        narration.discard_cards(narration.state.to_act, (action[0],), "DEC-4.10")
        narration.continue_turn()


class EndGame(DectanaDeed):
    verb = Verb.of("end_game", "end the game with {aces}", "DEC-5.1", aces=CARDS)
    phases = CLAIM_STAGES
    wrong_phase = PhaseText("DEC-5.1", "three aces end the game between steps, not within one")
    is_open_to_all = True

    def legal(self, state: State) -> Iterator[Action]:
        return claims(state, state.to_act)

    def check(self, state: State, action: Action) -> Refusal | None:
        seat = _seat(state, action)
        cards = tuple(action[0].split("+"))
        if len(cards) != 3 or any(card not in ACES for card in cards):
            text = say("the game ends with three aces; {cards} are not", cards=several(card[:12] for card in cards[:4]))
            return Refusal(Code.NOT_ALLOWED, "DEC-5.1", text, {"cards": [card[:8] for card in cards[:9]]})
        if not state.may_end_now:
            text = say("the draw pile has not been renewed by a shuffle yet")
            return Refusal(Code.NOT_ALLOWED, "DEC-5.1", text, {"reshuffles": state.reshuffles})
        return not_in_hand(state, seat, cards, "DEC-5.1")

    def play(self, narration: DectanaNarration, action: Action) -> None:
        seat = _seat(narration.state, action)
        narration.discard_cards(seat, tuple(action[0].split("+")), "DEC-5.1")
        narration.end(f"seat {seat}")


class Tell(DectanaDeed):
    verb = Verb.of("tell", "note the cards {cards}", "DEC-6.2", cards=CARDS)
    is_open_to_all = True

    def legal(self, state: State) -> tuple[Action, ...]:
        """No listing: only the owner knows the hand."""
        return ()

    def check(self, state: State, action: Action) -> Refusal | None:
        cards = tuple(action[0].split("+"))
        if refusal := no_such_card(state, cards, "DEC-6.2"):
            return refusal
        unknown = sum(held.mark == UNKNOWN for held in state.hands[_seat(state, action)])
        if len(cards) > unknown:
            text = say(
                "one card was entered; unknown in this hand: {unknown}",
                "{count} cards were entered; unknown in this hand: {unknown}",
                count=len(cards),
                unknown=unknown,
            )
            return Refusal(Code.LIMIT, "DEC-6.2", text, {"unknown": unknown, "given": len(cards)})
        unseen = state.unseen()
        many = sorted(card for card, count in Counter(cards).items() if count > unseen[card])
        if not many:
            return None
        text = say("both copies of {cards} are known to be elsewhere", cards=several(many, Joint.AND))
        return Refusal(Code.CONTRADICTS, "DEC-6.1", text, {"cards": many})

    def play(self, narration: DectanaNarration, action: Action) -> None:
        """The owner enters cards; the effect tells only their number."""
        seat = _seat(narration.state, action)
        cards = action[0].split("+")
        hand_now = list(narration.state.hands[seat])
        for card in cards:
            hand_now.remove(Held())
            hand_now.append(Held(card))
        facts: Facts = {"choice": "cards entered", "cards": len(cards)}
        narration.tell(EffectKind.CHOOSE, seat=seat, clause="DEC-6.2", facts=facts)
        narration.state = narration.state.with_hand(seat, hand_now)


def _seat(state: State, action: Action) -> int:
    return state.to_act if action.seat is None else action.seat

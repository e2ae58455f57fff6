"""Powers of the suits over cards (DEC-4.21, 4.23, 4.27, 4.31, 4.34, 4.36)."""

from __future__ import annotations

import random
from collections.abc import Iterator

from rules.engine import Action, Code, EffectKind, Refusal, Verb
from rules.engine.action import CARD, PieceIcon
from rules.engine.open_grid import name_of
from rules.engine.refusal import Facts
from rules.engine.values import replace
from rules.games.dectana.deeds.common import PYRAMID, DectanaDeed, DectanaNarration, no_such_card
from rules.games.dectana.deeds.powers_used import Power
from rules.games.dectana.layout import DISCARD, PILE, hand, spot
from rules.games.dectana.opening import Held, Phase, Pyramid, State, deck, lift_cards, put_card, value_of
from rules.pieces import Kind
from rules.sentence import say


class CreateCard(Power):
    verb = Verb.of("create_card", "suns: a new card where {pyramid} points", "DEC-4.21", pyramid=PYRAMID)

    def why_not(self, state: State, actor: Pyramid, action: Action) -> Refusal | None:
        cell, place = actor.target, name_of(actor.target)
        if cell not in state.ground.wasteland:
            text = say(
                "{pyramid} points at {place}, which is {what}; it must be wasteland",
                pyramid=actor.ref,
                place=place,
                what=state.ground.what(cell),
            )
            return Refusal(Code.NO_SUCH_PLACE, "DEC-4.21", text, {"place": place})
        if state.is_occupied(cell):
            return Refusal(
                Code.OCCUPIED, "DEC-4.21", say("there are pyramids on {place}; it must be empty", place=place)
            )
        if not (state.pile or state.discard):
            return Refusal(Code.NO_SUCH_PIECE, "DEC-4.21", say("there is no card left to draw"), {"pile": 0})
        return None

    def use(self, narration: DectanaNarration, actor: Pyramid, action: Action) -> None:
        """The card is revealed on the table: the stage is REVEAL until then."""
        narration.refill()
        target = spot(actor.target)
        facts: Facts = {"phase": Phase.REVEAL.value, "place": target.name}
        narration.tell(EffectKind.PHASE, source=PILE, target=target, clause="DEC-4.21", facts=facts)
        narration.set(stage=Phase.REVEAL, reveal_at=actor.target)


class Reveal(DectanaDeed):
    verb = Verb.of(
        "reveal", "the card drawn is {card}", "DEC-4.21", drawn=PieceIcon(Kind.CARD, piece="card"), card=CARD
    )
    phases = (Phase.REVEAL,)

    def legal(self, state: State) -> Iterator[Action]:
        return (Action("reveal", (card,)) for card, count in state.unseen().items() if count > 0)

    def sample(self, state: State, rng: random.Random) -> Action:
        unseen = {card: count for card, count in state.unseen().items() if count > 0}
        return Action("reveal", (rng.choices(list(unseen), list(unseen.values()))[0],))

    def check(self, state: State, action: Action) -> Refusal | None:
        if refusal := no_such_card(state, (action[0],), "DEC-4.21"):
            return refusal
        if state.unseen()[action[0]] > 0:
            return None
        text = say("both copies of {cards} are known to be elsewhere", cards=action[0])
        return Refusal(Code.CONTRADICTS, "DEC-6.1", text, {"card": action[0]})

    def play(self, narration: DectanaNarration, action: Action) -> None:
        state, card = narration.state, action[0]
        cell = state.reveal_at
        assert cell is not None, "a card is being turned"
        for kind in (EffectKind.REVEAL, EffectKind.PLACE):
            narration.tell_card(kind, card, PILE, spot(cell), state.to_act, "DEC-4.21")
        narration.set(pile=state.pile - 1, piles=put_card(state.piles, cell, card), reveal_at=None)
        narration.clear_void()
        narration.continue_turn()


class GrowCard(Power):
    verb = Verb.of("grow_card", "leaves: {card} where {pyramid} points", "DEC-4.23", pyramid=PYRAMID, card=CARD)

    def why_not(self, state: State, actor: Pyramid, action: Action) -> Refusal | None:
        card = action[1]
        if card not in deck(state.options):
            text = say("there is no card “{card}” in this deck; write for example 2MK, AM or XL", card=card[:12])
            return Refusal(Code.BAD_ARGUMENT, "DEC-4.23", text, {"given": card[:12]})
        if not state.can_show(state.to_act, (card,)):
            text = say("there is no {card} left in this hand", card=card)
            clause = "DEC-R12" if state.use and state.use.card == card else "DEC-4.23"
            return Refusal(Code.NO_SUCH_PIECE, clause, text)
        old = state.ground.cards[actor.target][-1]
        if value_of(card) > value_of(old):
            return None
        text = say(
            "{card} (value {value}) is not larger than {old} (value {old_value})",
            card=card,
            value=value_of(card),
            old=old,
            old_value=value_of(old),
        )
        return Refusal(Code.TOO_LOW, "DEC-4.24", text, {"card": card, "covers": old})

    def use(self, narration: DectanaNarration, actor: Pyramid, action: Action) -> None:
        state, card, cell = narration.state, action[1], actor.target
        covered = state.ground.cards[cell][-1]
        facts: Facts = {"covers": covered, "value": value_of(card), "covered_value": value_of(covered)}
        narration.tell_card(EffectKind.PLACE, card, hand(actor.seat), spot(cell), actor.seat, "DEC-4.23", facts)
        narration.state = replace(state.without(actor.seat, card), piles=put_card(state.piles, cell, card))


class MoveCard(Power):
    verb = Verb.of("move_card", "waves: the card where {pyramid} points flies on", "DEC-4.27", pyramid=PYRAMID)

    def use(self, narration: DectanaNarration, actor: Pyramid, action: Action) -> None:
        state, cell = narration.state, actor.target
        card = state.ground.cards[cell][-1]
        landing = state.ground.landing(cell, actor.orient)
        narration.tell_card(EffectKind.MOVE, card, spot(cell), spot(landing), actor.seat, "DEC-4.27")
        narration.set(piles=put_card(lift_cards(state.piles, cell), landing, card))


class Steal(Power):
    verb = Verb.of("steal", "moons: take the card where {pyramid} points", "DEC-4.31", pyramid=PYRAMID)

    def use(self, narration: DectanaNarration, actor: Pyramid, action: Action) -> None:
        state, seat = narration.state, actor.seat
        card = state.ground.cards[actor.target][-1]
        narration.tell_card(EffectKind.TAKE, card, spot(actor.target), hand(seat), seat, "DEC-4.31")
        taken = replace(state, piles=lift_cards(state.piles, actor.target))
        narration.state = taken.with_hand(seat, (*state.hands[seat], Held(card, public=True)))


class Destroy(Power):
    verb = Verb.of("destroy", "wyrms: destroy the card where {pyramid} points", "DEC-4.34", pyramid=PYRAMID)

    def use(self, narration: DectanaNarration, actor: Pyramid, action: Action) -> None:
        discard_top(narration, actor, 1, "DEC-4.34")


class DrawCard(Power):
    verb = Verb.of("draw_card", "knots: draw the value of the card where {pyramid} points", "DEC-4.36", pyramid=PYRAMID)

    def use(self, narration: DectanaNarration, actor: Pyramid, action: Action) -> None:
        pile = narration.state.ground.cards[actor.target]
        narration.draw_cards(actor.seat, max(0, value_of(pile[-1])), "DEC-4.36")
        narration.remove_pyramid(actor, "DEC-4.36", "the price of knots")
        count = len(pile) if narration.state.options.knots_card_destroys == "whole_stack" else 1
        discard_top(narration, actor, count, "DEC-4.36")


def discard_top(narration: DectanaNarration, actor: Pyramid, count: int, clause: str) -> None:
    state, cell = narration.state, actor.target
    gone = state.ground.cards[cell][-count:][::-1]
    for card in gone:
        narration.tell_card(EffectKind.REMOVE, card, spot(cell), DISCARD, actor.seat, clause)
    narration.set(piles=lift_cards(state.piles, cell, count), discard=(*state.discard, *gone))

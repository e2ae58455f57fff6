"""Base of the deeds that use a suit (DEC-4.3 to 4.5)."""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Iterator

from rules.engine import Action, Code, Refusal, Verb
from rules.engine.open_grid import name_of
from rules.engine.refusal import Facts
from rules.engine.values import replace
from rules.games.dectana.deeds.common import DectanaDeed, DectanaNarration, actor_of, claims
from rules.games.dectana.opening import Phase, Pyramid, State
from rules.games.dectana.powers import ON_CARD, POWERS, SUIT_OF, UPRIGHT, Plan, is_allowed_actor, read_plan, uses, ways
from rules.sentence import Sentence, say


class Power(DectanaDeed):
    """A power of a suit, used by one of the own pyramids."""

    phases = (Phase.USE,)

    def legal(self, state: State) -> Iterator[Action]:
        assert state.use is not None, "a suit is being used"
        return ways(state, self.verb.name) if SUIT_OF[self.verb.name] == state.use.suit else iter(())

    def check(self, state: State, action: Action) -> Refusal | None:
        assert state.use is not None, "a suit is being used"
        suit = state.use.suit
        if SUIT_OF[action.verb] != suit:
            text = say(
                "the card is used for {suit}; this action needs {needs}",
                suit=POWERS[suit],
                needs=POWERS[SUIT_OF[action.verb]],
            )
            return Refusal(Code.NOT_ALLOWED, "DEC-4.3", text, {"suit": suit, "needs": SUIT_OF[action.verb]})
        actor = actor_of(state, action[0])
        if actor is None:
            text = say(
                "you have no pyramid “{pyramid}”; one is written like 2E@x0y1: size, orientation, space",
                pyramid=action[0][:24],
            )
            return Refusal(Code.NO_SUCH_PIECE, "DEC-4.4", text)
        return (
            _actor(state, action.verb, actor) or _target(state, self.verb, actor) or self.why_not(state, actor, action)
        )

    def play(self, narration: DectanaNarration, action: Action) -> None:
        actor, use = actor_of(narration.state, action[0]), narration.state.use
        assert actor is not None, "only legal uses are done"
        assert use is not None, "a suit is being used"
        self.use(narration, actor, action)
        narration.set(use=replace(use, left=use.left - 1, made=use.made + 1))
        if narration.state.stage is not Phase.REVEAL:
            narration.clear_void()
            narration.continue_turn()

    def why_not(self, state: State, actor: Pyramid, action: Action) -> Refusal | None:
        """Refusal for reasons other than suit, pyramid and target."""
        return None

    @abstractmethod
    def use(self, narration: DectanaNarration, actor: Pyramid, action: Action) -> None:
        """Apply the power to the table; `play` continues the turn."""


class EndUse(DectanaDeed):
    verb = Verb.of("end_use", "make no further use", "DEC-4.5")
    phases = (Phase.USE,)

    def sample(self, state: State, rng: random.Random) -> Action:
        """Samples the whole phase, since only two of the twelve powers belong to a suit."""
        return rng.choice([*uses(state), *self.legal(state), *claims(state, state.to_act)])

    def check(self, state: State, action: Action) -> Refusal | None:
        if state.use and state.use.made:
            return None
        return Refusal(Code.MUST_MOVE, "DEC-4.5", say("at least one use of the card must be made"), {"made": 0})

    def play(self, narration: DectanaNarration, action: Action) -> None:
        narration.tell_choice("DEC-4.5", "no further use")
        narration.end_turn()


def _actor(state: State, verb: str, actor: Pyramid) -> Refusal | None:
    facts: Facts = {"pyramid": actor.ref, "power": verb}
    if verb in UPRIGHT and actor.is_flat:
        return Refusal(
            Code.NOT_ALLOWED,
            "DEC-4.39",
            say("this action needs an upright pyramid; {pyramid} lies flat", pyramid=actor.ref),
            facts,
        )
    if verb not in UPRIGHT and not actor.is_flat:
        return Refusal(
            Code.NOT_ALLOWED,
            "DEC-4.39",
            say("this action needs a flat pyramid; {pyramid} stands upright", pyramid=actor.ref),
            facts,
        )
    if not is_allowed_actor(state, actor):
        text = say("{pyramid} is not on the card that was activated", pyramid=actor.ref)
        return Refusal(Code.NOT_ALLOWED, "DEC-R1", text, facts)
    return None


def _target(state: State, verb: Verb, actor: Pyramid) -> Refusal | None:
    """Target of the power; powers over cards need an empty territory."""
    if verb.name not in ON_CARD:
        return None
    cell, place = actor.target, name_of(actor.target)
    if cell not in state.ground.cards:
        text = say(
            "{pyramid} points at {place}, which is {what}; it must be a territory",
            pyramid=actor.ref,
            place=place,
            what=state.ground.what(cell),
        )
        return Refusal(Code.NO_SUCH_PLACE, verb.clause, text, {"pyramid": actor.ref, "place": place})
    there = state.at(cell)
    if there:
        facts: Facts = {"place": place, "pyramids": [p.group for p in there]}
        text = say(
            "the card on {place} is protected: a pyramid is on it",
            "the card on {place} is protected: {count} pyramids are on it",
            place=place,
            count=len(there),
        )
        return Refusal(Code.PROTECTED, "DEC-4.11", text, facts)
    return None


def unspent(state: State, cost: int, best: int) -> Refusal | None:
    if not state.options.spend_all_points or cost >= best:
        return None
    text = say("all points that can be used must be used: {most}, not {cost}", most=best, cost=cost)
    return Refusal(Code.WRONG_PAYMENT, "DEC-R6", text, {"cost": cost, "most": best})


def plan_of(state: State, actor: Pyramid, text: str) -> Plan:
    plan = read_plan(state, actor, text)
    assert not isinstance(plan, Sentence), "only legal uses are done"
    return plan

"""The dice are rolled, and shift their tiles one by one (SAND-5.1 to 5.15)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from rules.engine import Action, Code, Deed, Effect, EffectKind, ParamKind, Refusal, Step, Verb
from rules.engine.action import Luck
from rules.engine.arguments import DICE
from rules.engine.dice import all_throws, dice_of, write_dice
from rules.engine.refusal import Facts
from rules.games.san_andreas.deeds.aftermath import begin_scoring
from rules.games.san_andreas.deeds.common import bad, suit_named
from rules.games.san_andreas.deeds.quake import remove_islands, resolve, roll
from rules.games.san_andreas.opening import Phase, State
from rules.pieces import RANKS, SUITS, Rank, Suit
from rules.sentence import say, several

_ALL_ROLLS = tuple(Action("roll", (throw,)) for throw in all_throws(SUITS))


class Roll(Deed[State]):
    verb = Verb.of("roll", "the dice show {dice}", "SAND-5.1", luck=Luck.ROLL, dice=DICE)
    phases = (Phase.ROLL,)

    def legal(self, state: State) -> Iterable[Action]:
        return _ALL_ROLLS

    def sample(self, state: State, rng: random.Random) -> Action | None:
        return Action("roll", (write_dice((suit, rng.choice(RANKS)) for suit in SUITS),))

    def check(self, state: State, action: Action) -> Refusal | None:
        if dice_of(SUITS, action[0]) is not None:
            return None
        return bad("SAND-5.1", say("say what all four dice show, as in S1+M0+C3+A5"), action[0])

    def do(self, state: State, action: Action) -> Step[State]:
        dice = dice_of(SUITS, action[0])
        assert dice is not None, "only legal actions are applied"
        story: list[Effect] = []
        suns, moons, crowns, arms = (rank for _, rank in dice)
        return Step(roll(state, (suns, moons, crowns, arms), story), tuple(story))


class Resolve(Deed[State]):
    verb = Verb.of("resolve", "the {die} die shifts its tile", "SAND-5.2", die=ParamKind.SUIT)
    phases = (Phase.QUAKE,)

    def legal(self, state: State) -> Iterator[Action]:
        return (Action("resolve", (suit.value,)) for suit in state.remaining)

    def check(self, state: State, action: Action) -> Refusal | None:
        suit = suit_named(action[0])
        if suit is None:
            return bad("SAND-5.2", say("a die has a suit: suns, moons, crowns or arms"), action[0])
        if suit in state.remaining:
            return None
        top = state.dice[SUITS.index(suit)]
        left = [other.value for other in state.remaining]
        if top is Rank.NULL:
            text = say(
                "the {die} die shows null: no shift, its pawn stays; left to resolve: {left}",
                die=suit,
                left=several(left),
            )
            return Refusal(Code.NOT_ALLOWED, "SAND-5.3", text, {"die": suit.value, "left": left})
        text = say("the {die} die has been resolved; left: {left}", die=suit, left=several(left))
        return Refusal(Code.REPEATS, "SAND-5.2", text, {"die": suit.value, "left": left})

    def do(self, state: State, action: Action) -> Step[State]:
        story: list[Effect] = []
        return Step(_resolved(state, Suit(action[0]), story), tuple(story))


def _resolved(state: State, suit: Suit, story: list[Effect]) -> State:
    state = resolve(state, suit, story)
    if state.remaining:
        left = [suit.value for suit in state.remaining]
        facts: Facts = {"phase": Phase.QUAKE.value, "dice": left}
        story.append(Effect(EffectKind.PHASE, seat=state.to_act, clause="SAND-5.2", facts=facts))
        return state
    if state.options.islands_before_scoring:
        state = remove_islands(state, story)
    return begin_scoring(state, story)

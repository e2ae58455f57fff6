"""Deeds of the dice and of attacks (ZOMB-4.6, ZOMB-4.7)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from rules.engine import Action, Code, Effect, EffectKind, Refusal, Verb
from rules.engine.action import DICE as SHOWN
from rules.engine.action import PIECE, Luck
from rules.engine.dice import write_dice
from rules.engine.refusal import Facts
from rules.engine.throws import ThrowDeed
from rules.games.zombie import house, night
from rules.games.zombie.deeds.common import REASONS, YOU, ZombieDeed, move_effects, name_of, no_such_room
from rules.games.zombie.opening import LARDER, Phase, State
from rules.pieces import RANKS, Rank, Suit, die
from rules.sentence import Sentence, say, several


class Roll(ThrowDeed[State], ZombieDeed):
    verb = Verb.of("roll", "the dice show {dice}", "ZOMB-4.6", luck=Luck.ROLL, dice=SHOWN)
    phases = (Phase.MOON, Phase.EVENT, Phase.SEARCH, Phase.COWER)

    def dice(self, state: State) -> tuple[Suit, ...]:
        return night.DICE[state.phase]

    def sample(self, state: State, rng: random.Random) -> Action | None:
        return Action("roll", (write_dice((suit, RANKS[int(rng.random() * 6)]) for suit in night.DICE[state.phase]),))

    def unreadable(self, state: State, action: Action) -> Refusal:
        letters = [suit.letter for suit in night.DICE[state.phase]]
        example = "+".join(f"{letter}{number}" for letter, number in zip(letters, "240", strict=False))
        text = say("write the dice as {example}: a suit letter and 0 to 5 for each", example=example)
        return Refusal(Code.BAD_ARGUMENT, REASONS[state.phase], text, {"dice": letters})

    def advance(self, state: State, action: Action) -> State:
        rolled = night.faces(action[0])
        suns, moons, arms = (rolled.get(letter, before) for letter, before in zip("SMA", state.dice, strict=True))
        state = replace(state, dice=(suns, moons, arms))
        if state.phase is Phase.MOON:
            return replace(state, phase=Phase.ATTACK, moon=rolled["M"])
        if state.phase is Phase.SEARCH:
            better = rolled["A"] > state.weapon
            return replace(state, phase=Phase.SPECIAL, weapon=min(LARDER, state.weapon + better))
        if state.phase is Phase.COWER:
            better = rolled["S"] > state.health
            return night.turn_over(replace(state, health=min(LARDER, state.health + better)))
        return night.with_event(state, rolled)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        rolled = night.faces(action[0])
        clause = REASONS[before.phase]
        for suit in Suit:
            if (number := rolled.get(suit.letter)) is not None:
                shown = die(suit, Rank(number)), f"die-{suit}"
                yield Effect(EffectKind.ROLL, *shown, seat=YOU, amount=number, clause=clause)
        if before.phase is Phase.EVENT:
            facts: Facts = {"choice": night.event_of(rolled), "health": after.health, "weapon": after.weapon}
            yield Effect(EffectKind.CHOOSE, clause="ZOMB-4.6", facts=facts)
        if after.phase is Phase.ATTACK:
            yield attack(after)


class Fight(ZombieDeed):
    verb = Verb.of("fight", "fight", "ZOMB-4.7")
    phases = (Phase.ATTACK,)

    def offer(self, state: State, action: Action) -> Sentence | None:
        return say("fight: lose {damage} health", damage=night.damage(state))

    def advance(self, state: State, action: Action) -> State:
        return night.after_attack(replace(state, health=max(0, state.health - night.damage(state))))

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        facts: Facts = {"choice": "fight", "damage": night.damage(before), "health": after.health}
        yield Effect(EffectKind.CHOOSE, seat=YOU, clause="ZOMB-4.7", facts=facts)


class Retreat(ZombieDeed):
    verb = Verb.of("retreat", "retreat to {room}", "ZOMB-4.7", room=PIECE)
    phases = (Phase.ATTACK,)

    def legal(self, state: State) -> Iterator[Action]:
        return (Action("retreat", (f"t{code}",)) for code in house.retreats(state))

    def check(self, state: State, action: Action) -> Refusal | None:
        if refusal := no_such_room(action[0], "ZOMB-8.9"):
            return refusal
        code, found = night.code_of(action[0]), house.retreats(state)
        if code in found:
            return None
        facts: Facts = {"room": code, "possible": found}
        if not found:
            text = say("there is no room to retreat to: none that you have been in is connected")
            return Refusal(Code.NOT_ALLOWED, "ZOMB-8.9", text, facts)
        rooms = several(map(name_of, found))
        text = say("you can retreat to {rooms}, not to {place}", rooms=rooms, place=name_of(code))
        return Refusal(Code.NOT_ALLOWED, "ZOMB-8.9", text, facts)

    def advance(self, state: State, action: Action) -> State:
        hurt = replace(state, health=state.health - 1, retreated=True)
        return night.after_attack(night.after_entering(hurt, night.code_of(action[0])))

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        facts: Facts = {"choice": "retreat", "damage": 1, "health": after.health}
        yield Effect(EffectKind.CHOOSE, seat=YOU, clause="ZOMB-4.7", facts=facts)
        yield from move_effects(before, after, "ZOMB-8.9")


def attack(state: State) -> Effect:
    """The attack effect, with the cost of a fight; the zombies have no seat."""
    facts: Facts = {
        "moons_die": state.moon, "intensity": state.intensity[0], "zombies": night.zombies(state),
        "weapon": state.weapon, "damage": night.damage(state),
    }  # fmt: skip
    return Effect(EffectKind.ATTACK, other=YOU, amount=night.zombies(state), clause="ZOMB-4.7", facts=facts)

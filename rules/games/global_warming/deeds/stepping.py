"""Deeds of a number: pawns move, given as single steps or as the resulting arrangement (GW-4.5 to GW-4.8)."""

from __future__ import annotations

import random
from collections.abc import Iterator

from rules.engine import Action, Code, Effect, EffectKind, Refusal, Verb
from rules.engine.action import LIST, ParamType
from rules.engine.argument_value import Value, each, of_suit, place, way_of
from rules.engine.refusal import Fact
from rules.engine.values import with_item
from rules.games.global_warming import turns
from rules.games.global_warming.cells import COMPASS, is_cell, near
from rules.games.global_warming.deeds.common import WarmingDeed
from rules.games.global_warming.deeds.sinking import random_tile_move
from rules.games.global_warming.layout import spot
from rules.games.global_warming.opening import Phase, State
from rules.pieces import parse_suit, pawn
from rules.sentence import say, several


def _goal(code: str) -> Value:
    """>3/4: the space to which the pawn goes."""
    return place(code.removeprefix(">"))


class _PawnDeed(WarmingDeed):
    phases = (Phase.ACTIONS,)

    def touches(self, action: Action) -> tuple[str, ...]:
        """The pawns and cells of a list of steps or targets."""
        items = turns.split(action[0]) if action.args else []
        pawns = {f"p{item[0]}" for item in items if item}
        return (*sorted(pawns), *(item[2:] for item in items if ">" in item))


class MovePawns(_PawnDeed):
    verb = Verb.of("move_pawns", "move pawns: {steps}", "GW-4.5", steps=ParamType(LIST, each(of_suit(way_of))))
    exhaustive = False

    def legal(self, state: State) -> tuple[Action, ...]:
        """Every reachable arrangement once, not every way to it."""
        return ()

    def sample(self, state: State, rng: random.Random) -> Action:
        face = state.faces[state.order[0]]
        return random_tile_move(state, rng) if face == "n" else _random_steps(state, rng, turns.quota(face))

    def check(self, state: State, action: Action) -> Refusal | None:
        return _needs_number(state) or _check_steps(state, action[0])

    def advance(self, state: State, action: Action) -> State:
        pawns = state.pawns
        for item in turns.split(action[0]):
            index = turns.pawn_of(state, item[0])
            pawns = with_item(pawns, index, near(pawns[index])[COMPASS.index(item[1])])
        return turns.after_action(state, pawns=pawns)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        pawns = list(before.pawns)
        for number, item in enumerate(turns.split(action[0]), 1):
            index = turns.pawn_of(before, item[0])
            source = pawns[index]
            pawns[index] = near(source)[COMPASS.index(item[1])]
            yield _pawn_move(before, index, source, pawns[index], {"step": number})


class Arrange(_PawnDeed):
    verb = Verb.of("arrange", "move pawns to {targets}", "GW-4.5", targets=ParamType(LIST, each(of_suit(_goal))))

    def legal(self, state: State) -> Iterator[Action]:
        face = state.faces[state.order[0]]
        if face != "n":
            for goal in turns.reachable(frozenset(state.tiles), state.pawns, turns.quota(face)):
                yield turns.arrange(state, goal)

    def check(self, state: State, action: Action) -> Refusal | None:
        return _needs_number(state) or _check_arrangement(state, action[0])

    def advance(self, state: State, action: Action) -> State:
        return turns.after_action(state, pawns=_arrangement(state, action[0]))

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        steps = _current_quota(before)
        for index, (source, target) in enumerate(zip(before.pawns, after.pawns, strict=True)):
            if source != target:
                yield _pawn_move(before, index, source, target, {"steps_in_all": steps})
        if before.pawns == after.pawns:
            facts: dict[str, Fact] = {"choice": "back and forth", "steps_in_all": steps}
            yield Effect(EffectKind.CHOOSE, seat=before.owners[before.order[0]], clause="GW-4.8", facts=facts)


def _needs_number(state: State) -> Refusal | None:
    if state.faces[state.order[0]] != "n":
        return None
    text = say("the die shows the blank: it moves a tile, not pawns")
    return Refusal(Code.NOT_ALLOWED, "GW-4.9", text, {"face": "n"})


def _random_steps(state: State, rng: random.Random, count: int) -> Action:
    land, pawns, made = frozenset(state.tiles), state.pawns, []
    letters = [suit.letter for suit in state.suits]
    for _ in range(count):
        possible = turns.steps(land, pawns)
        index, direction, target = possible[int(rng.random() * len(possible))]
        pawns = with_item(pawns, index, target)
        made.append(letters[index] + COMPASS[direction])
    return Action("move_pawns", ("+".join(made),))


def _arrangement(state: State, argument: str) -> turns.Pawns:
    pawns = list(state.pawns)
    for item in turns.split(argument):
        suit, place = item.split(">")
        pawns[turns.pawn_of(state, suit)] = place
    return tuple(pawns)


def _pawn_move(before: State, index: int, source: str, target: str, facts: dict[str, int]) -> Effect:
    suit = before.suits[index]
    mover = before.owners[before.order[0]]
    who: dict[str, Fact] = {"pawn": suit.value, **facts}
    key = f"p{suit.letter}"
    return Effect(EffectKind.MOVE, pawn(suit), key, spot(source), spot(target), seat=mover, clause="GW-4.5", facts=who)


_COMPASS_WORDS = dict(zip(COMPASS, (say("north"), say("east"), say("south"), say("west")), strict=True))


def _current_quota(state: State) -> int:
    return turns.quota(state.faces[state.order[0]])


def _check_steps(state: State, argument: str) -> Refusal | None:
    items = turns.split(argument)
    pawns = state.pawns
    for number, item in enumerate(items, 1):
        if refusal := _check_step(state, pawns, item, number):
            return refusal
        index = turns.pawn_of(state, item[0])
        pawns = with_item(pawns, index, near(pawns[index])[COMPASS.index(item[1])])
    return _check_count(state, pawns, len(items))


def _check_count(state: State, pawns: turns.Pawns, made: int) -> Refusal | None:
    wanted = _current_quota(state)
    facts = {"made": made, "quota": wanted}
    if made > wanted:
        text = say(
            "one step was made; the die allows {quota}",
            "{count} steps were made; the die allows {quota}",
            count=made,
            quota=wanted,
        )
        return Refusal(Code.LIMIT, "GW-4.5", text, facts)
    if made < wanted and turns.can_step(state.tiles, pawns):
        text = say(
            "only {made} of one step was made; it must be made while a pawn can move",
            "only {made} of {count} steps were made; all must be made while a pawn can move",
            made=made,
            count=wanted,
        )
        return Refusal(Code.MUST_MOVE, "GW-4.7", text, facts)
    return None


def _check_step(state: State, pawns: turns.Pawns, item: str, number: int) -> Refusal | None:
    if len(item) != 2 or item[1] not in COMPASS:
        text = say(
            "“{given}” is not a step; write a pawn and a direction N, E, S or W, for example SN", given=item[:20]
        )
        return Refusal(Code.BAD_ARGUMENT, "GW-4.6", text, {"given": item[:20], "step": number})
    if refusal := _check_pawn(state, item[0]):
        return refusal
    index = turns.pawn_of(state, item[0])
    suit, place = state.suits[index], pawns[index]
    target = near(place)[COMPASS.index(item[1])]
    facts = {"step": number, "pawn": suit.value, "from": place, "to": target}
    where = say("{direction} from {place}", direction=_COMPASS_WORDS[item[1]], place=place)
    if target not in state.tiles:
        text = say(
            "step {step}: the {pawn} pawn cannot go {where}; there is no tile on {target}",
            step=number,
            pawn=suit,
            where=where,
            target=target,
        )
        return Refusal(Code.NO_SUCH_PLACE, "GW-4.6", text, facts)
    if target in pawns:
        other = state.suits[pawns.index(target)]
        text = say(
            "step {step}: the {pawn} pawn cannot go {where}; the {other} pawn stands on {target}",
            step=number,
            pawn=suit,
            where=where,
            other=other,
            target=target,
        )
        return Refusal(Code.OCCUPIED, "GW-4.6", text, {**facts, "occupied_by": other.value})
    return None


def _check_pawn(state: State, letter: str) -> Refusal | None:
    letters = [suit.letter for suit in state.suits]
    if letter not in letters:
        text = say(
            "no pawn in this game is called “{given}”; they are {letters}", given=letter, letters=several(letters)
        )
        return Refusal(Code.NO_SUCH_PIECE, "GW-1.5", text, {"given": letter})
    if not state.pawns[letters.index(letter)]:
        suit = parse_suit(letter)
        text = say("the {pawn} pawn has left the island", pawn=suit)
        return Refusal(Code.NO_SUCH_PIECE, "GW-5.2", text, {"pawn": suit.value})
    return None


def _check_arrangement(state: State, argument: str) -> Refusal | None:
    pawns = list(state.pawns)
    for item in turns.split(argument):
        if refusal := _check_target(state, item):
            return refusal
        pawns[turns.pawn_of(state, item[0])] = item[2:]
    goal = tuple(pawns)
    standing = [place for place in goal if place]
    steps = _current_quota(state)
    facts: dict[str, Fact] = {"quota": steps, "pawns": standing}
    if len(set(standing)) != len(standing):
        return Refusal(Code.OCCUPIED, "GW-2.6", say("two pawns would stand on the same tile"), facts)
    if (turns.parity(goal) - turns.parity(state.pawns) - steps) % 2:
        return _wrong_parity(state, goal, steps)
    if turns.shortest_way(state.tiles, state.pawns, goal, steps) is None:
        text = say("no single step leads there", "no {count} single steps lead there", count=steps)
        return Refusal(Code.WRONG_DISTANCE, "GW-4.5", text, facts)
    return None


def _check_target(state: State, item: str) -> Refusal | None:
    letter, arrow, place = item[:1], item[1:2], item[2:]
    if arrow != ">" or not is_cell(place):
        text = say("“{given}” is not a target; write a pawn and a cell, for example S>2/1", given=item[:20])
        return Refusal(Code.BAD_ARGUMENT, "GW-4.5", text)
    if refusal := _check_pawn(state, letter):
        return refusal
    if place not in state.tiles:
        text = say("there is no tile on {place}; a pawn is always on a tile", place=place)
        return Refusal(Code.NO_SUCH_PLACE, "GW-4.6", text)
    return None


def _wrong_parity(state: State, goal: turns.Pawns, steps: int) -> Refusal:
    """Refusal of an unreachable parity: every step changes the parity of the sum of all coordinates."""
    unchanged = goal == state.pawns
    apart = say("an even") if steps % 2 else say("an odd")
    text = say(
        "one step cannot lead there: the pawns would be {apart} number of steps from where they were",
        "{count} steps cannot lead there: the pawns would be {apart} number of steps from where they were",
        count=steps,
        apart=apart,
    )
    if unchanged:
        text = say(
            "after {count} step some pawn must stand elsewhere",
            "after {count} steps some pawn must stand elsewhere",
            count=steps,
        )
    return Refusal(Code.CONTRADICTS, "GW-4.8", text, {"quota": steps, "unchanged": unchanged})

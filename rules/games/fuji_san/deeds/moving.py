"""Deeds of priests: climbs, sidesteps and crossings of the summit, also in the descent (FUJI-4, FUJI-9.4)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import permutations

from rules.engine import Action, Code, Effect, EffectKind, Refusal, Spot, Verb
from rules.engine.action import PLACE
from rules.engine.refusal import Fact
from rules.games.fuji_san.climbs import (
    after_move,
    climbing_moves,
    climbs,
    crosses,
    crossings,
    free_spaces,
    movable,
    occupied,
    rows,
    settle,
    sidesteps,
)
from rules.games.fuji_san.deeds.common import FujiDeed, spot_of, walk_effect
from rules.games.fuji_san.mountain import GROUND, INDEX, NAMES, ROW_MASK, STEP_SUITS, SUMMIT, WIDTH, coin_at
from rules.games.fuji_san.opening import State
from rules.pieces import SUITS, Rank, coin, pawn
from rules.sentence import say, several
from rules.table.layout import Zone


class Carry(FujiDeed):
    verb = Verb.of(
        "carry", "carry the summit coins down: g2 to {g2}, g1 to {g1}, h2 to {h2}, h1 to {h1}", "FUJI-9.4",
        g2=PLACE, g1=PLACE, h2=PLACE, h1=PLACE,
    )  # fmt: skip
    phases = ("carry",)

    def legal(self, state: State) -> Iterable[Action]:
        return (Action("carry", places) for places in permutations(GROUND))

    def check(self, state: State, action: Action) -> Refusal | None:
        if sorted(action.args) == sorted(GROUND):
            return None
        text = say("each ground place gets one of the summit coins; the places are {places}", places=several(GROUND))
        return Refusal(Code.BAD_ARGUMENT, "FUJI-9.4", text, {"places": list(GROUND)})

    def advance(self, state: State, action: Action) -> State:
        return settle(replace(state, phase="descent", foot=action.args))

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        for summit, ground in zip(SUMMIT, action.args, strict=True):
            number = coin_at(summit) or 0
            rank = Rank(before.values[number])
            facts: dict[str, Fact] = {"counts": max(1, 0 if rank == 1 and before.options.aces_null else int(rank))}
            piece, ends = coin(STEP_SUITS[number % 12], rank), (spot_of(summit), spot_of(ground))
            yield Effect(EffectKind.MOVE, piece, f"coin-{summit}", *ends, clause="FUJI-9.4", facts=facts)


class _PriestMove(FujiDeed):
    phases = ("ascent", "descent")

    @abstractmethod
    def target(self, action: Action) -> str:
        """The place where the priest arrives."""

    def advance(self, state: State, action: Action) -> State:
        return after_move(state, INDEX[action[0]], INDEX[self.target(action)])

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        source, target = action[0], self.target(action)
        seat = before.priests.index(INDEX[source])
        facts: dict[str, Fact] = {"how": self.verb.name, "moves": after.moves, **self.facts(before, action)}
        yield walk_effect(seat, source, target, self.verb.clause, facts)
        if after.priests[seat] < 0:
            off, suit = Spot(zone=Zone.SPENT, seat=0), SUITS[seat]
            yield Effect(EffectKind.REMOVE, pawn(suit), f"priest-{suit}", spot_of(target), off, clause="FUJI-9.4")

    def facts(self, state: State, action: Action) -> dict[str, Fact]:
        """Further facts of the move."""
        return {}


class Climb(_PriestMove):
    verb = Verb.of("climb", "{from_} to {to}", "FUJI-4.1", from_=PLACE, to=PLACE)

    def legal(self, state: State) -> Iterable[Action]:
        return climbing_moves(state, occupied(state))

    def check(self, state: State, action: Action) -> Refusal | None:
        source, target = action.args
        return (
            _no_priest(state, action)
            or _not_along_the_row(state, source, target)
            or _no_landing(state, source, target)
            or _wrong_count(state, source, target)
        )

    def target(self, action: Action) -> str:
        return action[1]

    def facts(self, state: State, action: Action) -> dict[str, Fact]:
        return {"spaces": _free_spaces(state, *action.args)}


class Side(_PriestMove):
    verb = Verb.of("side", "{from_} sideways to {to}", "FUJI-4.2", from_=PLACE, to=f"{PLACE}?")

    def legal(self, state: State) -> Iterable[Action]:
        return sidesteps(occupied(state))

    def check(self, state: State, action: Action) -> Refusal | None:
        if refusal := _no_priest(state, action):
            return refusal
        if action[0] in GROUND:
            text = say("{place} is on the ground; there a priest can only climb in its own row", place=action[0])
            return Refusal(Code.NOT_ALLOWED, "FUJI-4.5", text)
        return _not_free(state, action, self.target(action), "FUJI-4.2")

    def target(self, action: Action) -> str:
        """The place beside it in the other row."""
        return action[0][0] + ("1" if action[0][1] == "2" else "2")


class Cross(_PriestMove):
    verb = Verb.of("cross", "{from_} across the summit to {to}", "FUJI-4.3", from_=PLACE, to=f"{PLACE}?")

    def legal(self, state: State) -> Iterable[Action]:
        return crossings(occupied(state)) if crosses(state) else ()

    def check(self, state: State, action: Action) -> Refusal | None:
        if refusal := _no_priest(state, action):
            return refusal
        if action[0] not in SUMMIT:
            text = say("{place} is not on the summit; a priest can cross only there", place=action[0])
            return Refusal(Code.NOT_ALLOWED, "FUJI-4.3", text)
        if not crosses(state):
            clause = "FUJI-8.3" if state.phase == "ascent" else "FUJI-9.4"
            return Refusal(
                Code.NOT_ALLOWED, clause, say("crossing on the summit is switched off"), {"place": action[0]}
            )
        return _not_free(state, action, self.target(action), "FUJI-4.3")

    def target(self, action: Action) -> str:
        """The other place of the summit in its row."""
        return ("h" if action[0][0] == "g" else "g") + action[0][1]


def _free_spaces(state: State, source: str, target: str) -> int:
    """The number of free spaces that a climb in one row passes."""
    row, start = divmod(INDEX[source], WIDTH)
    return free_spaces(occupied(state) >> row * WIDTH & ROW_MASK, start, INDEX[target] % WIDTH)


def _no_priest(state: State, action: Action) -> Refusal | None:
    """Refusals common to all moves of a priest."""
    for place in action.args:
        if place not in INDEX:
            text = say("there is no place “{place}”; places go from a to n in rows 1 and 2", place=place[:20])
            return Refusal(Code.NO_SUCH_PLACE, "FUJI-2.1", text)
    if INDEX[action[0]] not in state.priests:
        return Refusal(Code.EMPTY, "FUJI-4.7", say("no priest stands on {place}", place=action[0]))
    if state.phase == "descent" and action[0] in GROUND:
        text = say("the priest on {place} has left the mountain and does not step back on", place=action[0])
        return Refusal(Code.STUCK, "FUJI-9.4", text)
    return None


def _not_free(state: State, action: Action, target: str, clause: str) -> Refusal | None:
    """Refusal of a wrong or occupied target of a sidestep or crossing."""
    if action.args[1:] == action.args[:1]:
        text = say(
            "the priest on {source} stays where it is; this way leads to {target}", source=action[0], target=target
        )
        return Refusal(Code.WRONG_DISTANCE, clause, text, {"from": action[0], "to": action[0]})
    if action.args[1:] not in ((), (target,)):
        text = say(
            "from {source} this way leads to {target}, not to {other}", source=action[0], target=target, other=action[1]
        )
        return Refusal(Code.WRONG_DIRECTION, clause, text, {"to": target})
    if INDEX[target] in state.priests:
        return Refusal(Code.OCCUPIED, clause, say("a priest stands on {target}", target=target), {"place": target})
    return None


def _not_along_the_row(state: State, source: str, target: str) -> Refusal | None:
    if source == target:
        text = say("the priest on {source} stays where it is; a climb leads to another step", source=source)
        return Refusal(Code.WRONG_DISTANCE, "FUJI-4.1", text, {"from": source, "to": target})
    if source[1] != target[1]:
        text = say(
            "{target} is not in the row of {source}; a priest climbs along its own row", target=target, source=source
        )
        return Refusal(Code.WRONG_DIRECTION, "FUJI-4.1", text, {"from": source, "to": target})
    if state.phase == "ascent" and source in SUMMIT:
        text = say("the priest on {source} has reached the summit and does not leave it", source=source)
        return Refusal(Code.STUCK, "FUJI-4.4", text, {"from": source})
    return None


def _no_landing(state: State, source: str, target: str) -> Refusal | None:
    if INDEX[target] in state.priests:
        return Refusal(Code.OCCUPIED, "FUJI-4.1", say("a priest stands on {target}", target=target), {"place": target})
    if state.phase == "ascent" and target in GROUND:
        text = say("{place} is on the ground; on the way up nobody goes back there", place=target)
        return Refusal(Code.NOT_ALLOWED, "FUJI-4.5", text, {"to": target})
    if _required_spaces(state, target) == 0:
        text = say("{place} counts as null; a priest gets there only by a sidestep", place=target)
        return Refusal(Code.NOT_ALLOWED, "FUJI-8.5", text, {"from": source, "to": target, "value": 0})
    return None


def _required_spaces(state: State, place: str) -> int:
    row, file = divmod(INDEX[place], WIDTH)
    return rows(state)[row][file]


def _wrong_count(state: State, source: str, target: str) -> Refusal | None:
    free, asked = _free_spaces(state, source, target), _required_spaces(state, target)
    if free == asked:
        return None
    row, start = divmod(INDEX[source], WIDTH)
    here = occupied(state) >> row * WIDTH & ROW_MASK
    reach = [NAMES[row * WIDTH + b] for a, b in climbs(here, rows(state)[row], movable(state.phase)) if a == start]
    text = say(
        "the coin on {target} shows {value}; free spaces on the way from {source}: {spaces}",
        target=target,
        value=asked,
        source=source,
        spaces=free,
    )
    facts: dict[str, Fact] = {"from": source, "to": target, "value": asked, "spaces": free, "reach": reach}
    return Refusal(Code.WRONG_DISTANCE, "FUJI-4.1", text, facts)

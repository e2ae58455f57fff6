"""A priest climbs, steps aside or crosses the summit, on the way up and on the way down (FUJI-4, FUJI-9.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import permutations

from rules.engine import Action, Code, Deed, Effect, EffectKind, Refusal, Spot, Step, Verb
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
from rules.games.fuji_san.deeds.common import spot_of, walk_effect, what_follows
from rules.games.fuji_san.mountain import GROUND, INDEX, NAMES, ROW_MASK, STEP_SUITS, SUMMIT, WIDTH, coin_at
from rules.games.fuji_san.opening import State
from rules.pieces import SUITS, Rank, coin, pawn
from rules.sentence import say, several
from rules.table.layout import Zone


class Carry(Deed[State]):
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

    def do(self, state: State, action: Action) -> Step[State]:
        after = settle(replace(state, phase="descent", foot=action.args))
        return Step(after, (*_carried(state, action), what_follows(state, after)))


def _carried(state: State, action: Action) -> Iterator[Effect]:
    for summit, ground in zip(SUMMIT, action.args, strict=True):
        number = coin_at(summit) or 0
        rank = Rank(state.values[number])
        facts: dict[str, Fact] = {"counts": max(1, 0 if rank == 1 and state.options.aces_null else int(rank))}
        piece, ends = coin(STEP_SUITS[number % 12], rank), (spot_of(summit), spot_of(ground))
        yield Effect(EffectKind.MOVE, piece, f"coin-{summit}", *ends, clause="FUJI-9.4", facts=facts)


_ON_THE_WAY = ("ascent", "descent")


class Climb(Deed[State]):
    verb = Verb.of("climb", "{from_} to {to}", "FUJI-4.1", from_=PLACE, to=PLACE)
    phases = _ON_THE_WAY

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

    def advance(self, state: State, action: Action) -> State:
        return after_move(state, INDEX[action[0]], INDEX[action[1]])

    def do(self, state: State, action: Action) -> Step[State]:
        source, target = action.args
        row, start = divmod(INDEX[source], WIDTH)
        here = occupied(state) >> row * WIDTH & ROW_MASK
        return _walked(self, state, source, target, {"spaces": free_spaces(here, start, INDEX[target] % WIDTH)})


class Side(Deed[State]):
    verb = Verb.of("side", "{from_} sideways to {to}", "FUJI-4.2", from_=PLACE, to=f"{PLACE}?")
    phases = _ON_THE_WAY

    def legal(self, state: State) -> Iterable[Action]:
        return sidesteps(occupied(state))

    def check(self, state: State, action: Action) -> Refusal | None:
        if refusal := _no_priest(state, action):
            return refusal
        if action[0] in GROUND:
            text = say("{place} is on the ground; there a priest can only climb in its own row", place=action[0])
            return Refusal(Code.NOT_ALLOWED, "FUJI-4.5", text)
        return _not_free(state, action, _across(action[0]), "FUJI-4.2")

    def advance(self, state: State, action: Action) -> State:
        return after_move(state, INDEX[action[0]], INDEX[_across(action[0])])

    def do(self, state: State, action: Action) -> Step[State]:
        return _walked(self, state, action[0], _across(action[0]), {})


class Cross(Deed[State]):
    verb = Verb.of("cross", "{from_} across the summit to {to}", "FUJI-4.3", from_=PLACE, to=f"{PLACE}?")
    phases = _ON_THE_WAY

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
        return _not_free(state, action, _beyond(action[0]), "FUJI-4.3")

    def advance(self, state: State, action: Action) -> State:
        return after_move(state, INDEX[action[0]], INDEX[_beyond(action[0])])

    def do(self, state: State, action: Action) -> Step[State]:
        return _walked(self, state, action[0], _beyond(action[0]), {})


def _across(place: str) -> str:
    """The place beside it in the other row."""
    return place[0] + ("1" if place[1] == "2" else "2")


def _beyond(place: str) -> str:
    """The other place of the summit in its row."""
    return ("h" if place[0] == "g" else "g") + place[1]


def _walked(deed: Deed[State], state: State, source: str, target: str, more: dict[str, Fact]) -> Step[State]:
    seat = state.priests.index(INDEX[source])
    after = after_move(state, INDEX[source], INDEX[target])
    facts: dict[str, Fact] = {"how": deed.verb.name, "moves": after.moves, **more}
    walked = walk_effect(seat, source, target, deed.verb.clause, facts)
    return Step(after, (walked, *_gone(after, seat, target), what_follows(state, after)))


def _gone(after: State, seat: int, place: str) -> Iterator[Effect]:
    """Effect of a priest that leaves the mountain for good."""
    if after.priests[seat] < 0:
        off, suit = Spot(zone=Zone.SPENT, seat=0), SUITS[seat]
        yield Effect(EffectKind.REMOVE, pawn(suit), f"priest-{suit}", spot_of(place), off, clause="FUJI-9.4")


# Why not ----------------------------------------------------------------------------------------------------


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
    if _asked(state, target) == 0:
        text = say("{place} counts as null; a priest gets there only by a sidestep", place=target)
        return Refusal(Code.NOT_ALLOWED, "FUJI-8.5", text, {"from": source, "to": target, "value": 0})
    return None


def _asked(state: State, place: str) -> int:
    row, file = divmod(INDEX[place], WIDTH)
    return rows(state)[row][file]


def _wrong_count(state: State, source: str, target: str) -> Refusal | None:
    row, start = divmod(INDEX[source], WIDTH)
    here = occupied(state) >> row * WIDTH & ROW_MASK
    free = free_spaces(here, start, INDEX[target] % WIDTH)
    asked = _asked(state, target)
    if free == asked:
        return None
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

"""Deeds and outcome of Dodg'em (DODG-4, DODG-5): steps, exits from the board, passes of a blocked side.

Every step and exit is computed once for each way to read "forward".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

from rules.engine import Action, Code, Effect, EffectKind, NarratedDeed, Outcome, Refusal, Spot, Verb
from rules.engine.action import PLACE
from rules.engine.coin_steps import check_pass, not_own, occupied
from rules.engine.effects import next_turn_effect
from rules.engine.refusal import Fact
from rules.games.dodgem.opening import BOARDS, SUITS, SUNS, State
from rules.pieces import coin
from rules.sentence import Person, say
from rules.table.layout import Zone

_DIRECTIONS = {
    # forward and sideways steps as (file, rank), per player
    "literal": (((0, 1), (-1, 0), (1, 0)), ((0, -1), (-1, 0), (1, 0))),
    "facing": (((1, 0), (0, -1), (0, 1)), ((-1, 0), (0, -1), (0, 1))),
    "vout": (((1, 0), (0, -1), (0, 1)), ((0, 1), (-1, 0), (1, 0))),
}


@dataclass(frozen=True, slots=True)
class Paths:
    """All steps and exits of one player by space (bit), forward ones first. `exits` is set on the spaces of the last
    line.
    """

    steps: tuple[tuple[tuple[int, Action], ...], ...]
    exits: tuple[Action | None, ...]
    changes: Mapping[tuple[str, ...], tuple[int, bool]]
    """By the arguments of a step: the spaces that change, and whether the step is forward and irreversible."""


def paths(state: State) -> Paths:
    """Steps and exits of the side to move."""
    return _paths(state.options.direction, state.options.size, state.to_act)


def moves(state: State) -> list[Action]:
    """Steps and exits by coin: the hot path of random games."""
    own_paths = paths(state)
    taken = state.coins[0] | state.coins[1]
    own = state.coins[state.to_act]
    found = []
    while own:
        bit = (own & -own).bit_length() - 1
        own &= own - 1
        found += [action for target, action in own_paths.steps[bit] if not taken >> target & 1]
        leave = own_paths.exits[bit]
        if leave:
            found.append(leave)
    return found


@cache
def _paths(direction: str, size: int, player: int) -> Paths:
    found = tuple(tuple(_steps_from(direction, size, player, bit)) for bit in range(size * size))
    changes = {
        action.args: (1 << bit | 1 << target, ahead)
        for bit, from_here in enumerate(found)
        for target, action, ahead in from_here
    }
    steps = tuple(tuple((target, action) for target, action, _ in from_here) for from_here in found)
    return Paths(steps, tuple(_exit_from(direction, size, player, bit) for bit in range(size * size)), changes)


def _steps_from(direction: str, size: int, player: int, bit: int) -> Iterator[tuple[int, Action, bool]]:
    names = BOARDS[size].names
    for index, (across, up) in enumerate(_DIRECTIONS[direction][player]):
        file, rank = bit % size + across, bit // size + up
        if 0 <= file < size and 0 <= rank < size:
            target = rank * size + file
            yield target, Action("move", (names[bit], names[target])), index == 0


def _exit_from(direction: str, size: int, player: int, bit: int) -> Action | None:
    across, up = _DIRECTIONS[direction][player][0]
    inside = 0 <= bit % size + across < size and 0 <= bit // size + up < size
    return None if inside else Action("exit", (BOARDS[size].names[bit],))


def is_over(state: State) -> bool:
    goal = state.options.size - 1
    return goal in state.off or state.passes >= 2 or state.blocked_loser is not None or _repeats(state)


def _repeats(state: State) -> bool:
    limit = state.options.repetition_draw
    return limit > 0 and len(state.seen) > limit and state.seen.count(state.seen[-1]) >= limit


def outcome_of(state: State) -> Outcome:
    goal = state.options.size - 1
    for player, off in enumerate(state.off):
        if off == goal:
            return Outcome(
                True, (player,), state.off, say("{who} has all coins off the board", who=Person(player)), "DODG-5.1"
            )
    if state.blocked_loser is not None:
        return Outcome(True, (1 - state.blocked_loser,), state.off, say("the other side blocked all moves"), "DODG-8.3")
    if state.passes >= 2:
        return Outcome(True, (), state.off, say("both sides are blocked"), "DODG-5.3", drawn=True)
    if _repeats(state):
        return Outcome(True, (), state.off, say("the same position has occurred three times"), "DODG-5.2", drawn=True)
    return Outcome(scores=state.off)


class DodgemDeed(NarratedDeed[State]):
    def next_effects(self, before: State, action: Action, after: State) -> tuple[Effect, ...]:
        return (next_turn_effect(outcome_of(after), after.to_act),)


class Move(DodgemDeed):
    verb = Verb.of("move", "{from_} to {to}", "DODG-4.1", from_=PLACE, to=PLACE)

    def legal(self, state: State) -> Iterable[Action]:
        return (action for action in moves(state) if action.verb == "move")

    def check(self, state: State, action: Action) -> Refusal | None:
        source, target = action.args
        return (
            _no_such_place(state, source, target)
            or _not_own(state, source)
            or _no_step(state, source, target)
            or occupied(state, state.board.bit[target], target, "DODG-4.1")
        )

    def advance(self, state: State, action: Action) -> State:
        flipped, forward = paths(state).changes[action.args]
        return _after_turn(state, state.coins[state.to_act] ^ flipped, state.off, forget=forward)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        yield before.board.moved(before, action[0], action[1], "DODG-4.1")


class Exit(DodgemDeed):
    verb = Verb.of("exit", "leave the board from {from_}", "DODG-4.2", from_=PLACE)

    def legal(self, state: State) -> Iterable[Action]:
        return (action for action in moves(state) if action.verb == "exit")

    def check(self, state: State, action: Action) -> Refusal | None:
        place = action[0]
        return _no_such_place(state, place) or _not_own(state, place) or _not_on_last_line(state, place)

    def advance(self, state: State, action: Action) -> State:
        player = state.to_act
        own = state.coins[player] & ~state.board.bit[action[0]]
        off = (state.off[0] + 1, state.off[1]) if player == SUNS else (state.off[0], state.off[1] + 1)
        return _after_turn(state, own, off, forget=True)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        player, suit = before.to_act, SUITS[before.to_act]
        ends = before.board.spot(action[0]), Spot(zone=Zone.SPENT, seat=player)
        yield Effect(EffectKind.REMOVE, coin(suit), f"{suit}@{action[0]}", *ends, player, clause="DODG-4.2")
        yield Effect(EffectKind.SCORE, seat=player, amount=1, clause="DODG-4.2", facts={"off": after.off[player]})


class Pass(DodgemDeed):
    verb = Verb.of("pass", "pass, because nothing can move", "DODG-4.3")
    is_last_resort = True

    def check(self, state: State, action: Action) -> Refusal | None:
        return check_pass(moves(state), "DODG-4.5")

    def advance(self, state: State, action: Action) -> State:
        following = 1 - state.to_act
        seen = (*state.seen, (*state.coins, following))
        return replace(state, to_act=following, passes=state.passes + 1, seen=seen)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        yield Effect(EffectKind.CHOOSE, seat=before.to_act, clause="DODG-4.3", facts={"choice": "pass"})


DEEDS = (Move(), Exit(), Pass())


def _after_turn(state: State, own: int, off: tuple[int, int], *, forget: bool) -> State:
    """The state with the other side to move. `forget`: earlier positions cannot recur."""
    player = state.to_act
    coins = (own, state.coins[1]) if player == SUNS else (state.coins[0], own)
    here = (*coins, 1 - player)
    seen = (here,) if forget else (*state.seen, here)
    after = State(state.options, coins, off, 1 - player, 0, seen)
    if state.options.block_loses and coins[1 - player] and not moves(after):
        return replace(after, blocked_loser=player)
    return after


def _no_such_place(state: State, *places: str) -> Refusal | None:
    known = state.board.names
    for place in places:
        if place not in known:
            text = say(
                "there is no space “{place}” on this board; it goes from a1 to {last}", place=place[:20], last=known[-1]
            )
            return Refusal(Code.NO_SUCH_PLACE, "DODG-2.1", text)
    return None


def _not_own(state: State, place: str) -> Refusal | None:
    return not_own(state, state.board.bit[place], place, "DODG-4.1", "DODG-4.1")


def _not_on_last_line(state: State, place: str) -> Refusal | None:
    last = [action[0] for action in paths(state).exits if action]
    if place in last:
        return None
    text = say(
        "{place} is not on the last line; {who} leaves the board from {first} to {last}",
        place=place,
        who=Person(state.to_act),
        first=last[0],
        last=last[-1],
    )
    return Refusal(Code.WRONG_DIRECTION, "DODG-4.2", text, {"place": place, "from": last})


def _no_step(state: State, source: str, target: str) -> Refusal | None:
    if (source, target) in paths(state).changes:
        return None
    if refusal := state.board.not_one_step(source, target, "DODG-4.4", "DODG-4.4", far=Code.WRONG_DISTANCE):
        return refusal
    files, ranks = state.board.apart(source, target)
    text = say(
        "{source} to {target} is backwards; {who} moves forward or sideways",
        source=source,
        target=target,
        who=Person(state.to_act),
    )
    facts: dict[str, Fact] = {"from": source, "to": target, "files": files, "ranks": ranks}
    return Refusal(Code.WRONG_DIRECTION, "DODG-4.4", text, facts)

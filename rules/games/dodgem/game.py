"""Piecepack Dodg'em: two armies of coins that want to leave over the far edge (rulebook.md)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

from rules.engine import (
    Action,
    Code,
    Effect,
    EffectKind,
    Game,
    GameCard,
    Outcome,
    ParamKind,
    Refusal,
    Seat,
    Spot,
    Step,
    Turn,
    TurnKind,
)
from rules.engine.action import verb
from rules.engine.refusal import Fact
from rules.engine.turn import OVER, of_seat
from rules.games.dodgem.opening import SUNS, Options, State, names, opening_state
from rules.pieces import Face, Suit, coin
from rules.table.build import LayoutBuilder
from rules.table.layout import Layout, Zone

SUITS = (Suit.SUNS, Suit.CROWNS)
CARD = GameCard(
    id="dodgem",
    name="Piecepack Dodg'em",
    version=2,
    seats=(2,),
    options_type=Options,
    verbs=(
        verb("move", "{from_} to {to}", "DODG-4.1", from_=ParamKind.PLACE, to=ParamKind.PLACE),
        verb("exit", "leave the board from {from_}", "DODG-4.2", from_=ParamKind.PLACE),
        verb("pass", "pass, because nothing can move", "DODG-4.3"),
    ),
    turn_clause="DODG-4.4",
    end_clause="DODG-5.1",
    action_clause="DODG-4.4",
    seat_suits=SUITS,
    turns=(TurnKind.SEAT,),
    needs="nine tiles, five coins of two suits",
    designer="Colin Vout, adapted by Michael Schoessow",
    minutes="15",
    summary="Bring all your coins off the far edge of the board before the opponent does.",
)

_DIRECTIONS = {
    # forward and sideways steps as (file, rank), per player
    "literal": (((0, 1), (-1, 0), (1, 0)), ((0, -1), (-1, 0), (1, 0))),
    "facing": (((1, 0), (0, -1), (0, 1)), ((-1, 0), (0, -1), (0, 1))),
    "vout": (((1, 0), (0, -1), (0, 1)), ((0, 1), (-1, 0), (1, 0))),
}
_PASS = Action("pass")
_TURNS = (of_seat(0), of_seat(1))


@dataclass(frozen=True, slots=True)
class Paths:
    """Everything one player can ever do, per space (bit), forward first. `exits` marks the spaces of the last line."""

    steps: tuple[tuple[tuple[int, Action, bool], ...], ...]
    exits: tuple[Action | None, ...]
    changes: Mapping[tuple[str, tuple[str, ...]], tuple[int, bool]]
    """For verb and arguments: the spaces that change, and whether it can never be taken back."""


@cache
def _paths(direction: str, size: int, player: int) -> Paths:
    steps = []
    exits: list[Action | None] = []
    forward = _DIRECTIONS[direction][player][0]
    for bit, name in enumerate(names(size)):
        file, rank = bit % size, bit // size
        steps.append(tuple(_steps_from(direction, size, player, file, rank)))
        leaves = not (0 <= file + forward[0] < size and 0 <= rank + forward[1] < size)
        exits.append(Action("exit", (name,)) if leaves else None)
    changes = {
        ("move", action.args): (1 << bit | 1 << target, ahead)
        for bit, from_here in enumerate(steps)
        for target, action, ahead in from_here
    }
    changes |= {("exit", action.args): (1 << bit, True) for bit, action in enumerate(exits) if action}
    return Paths(tuple(steps), tuple(exits), changes)


def _steps_from(direction: str, size: int, player: int, file: int, rank: int) -> Iterator[tuple[int, Action, bool]]:
    name = names(size)[rank * size + file]
    for index, (dx, dy) in enumerate(_DIRECTIONS[direction][player]):
        x, y = file + dx, rank + dy
        if 0 <= x < size and 0 <= y < size:
            target = y * size + x
            yield target, Action("move", (name, names(size)[target])), index == 0


class Dodgem(Game[State, Options]):
    card = CARD
    state_type = State

    def opening(self, options: Options, seats: tuple[Seat, ...]) -> State:
        return opening_state(options)

    def turn(self, state: State) -> Turn:
        return OVER if _ended(state) else _TURNS[state.to_act]

    def legal(self, state: State, seat: int | None = None) -> Iterable[Action]:
        if _ended(state) or seat not in (None, state.to_act):
            return []
        return _moves(state) or [_PASS]

    def sample(self, state: State, rng: random.Random) -> Action:
        moves = _moves(state)
        return moves[int(rng.random() * len(moves))] if moves else _PASS

    def check(self, state: State, action: Action) -> Refusal | None:
        if action.verb == "pass":
            return _check_pass(state)
        places = names(state.options.size)
        for place in action.args:
            if place not in places:
                text = f"there is no space {place[:20]!r} on this board; it goes from a1 to {places[-1]}"
                return Refusal(Code.NO_SUCH_PLACE, "DODG-2.1", text, {"place": place[:20], "last": places[-1]})
        if refusal := _check_own(state, action[0]):
            return refusal
        return _check_exit(state, action[0]) if action.verb == "exit" else _check_step(state, *action.args)

    def advance(self, state: State, action: Action) -> State:
        player = state.to_act
        if action.verb == "pass":
            seen = (*state.seen, (*state.coins, 1 - player))
            return replace(state, to_act=1 - player, passes=state.passes + 1, seen=seen)
        flipped, forward = _player_paths(state).changes[action.verb, action.args]
        own = state.coins[player] ^ flipped
        if action.verb == "exit":
            off = tuple(n + (p == player) for p, n in enumerate(state.off))
            return _next(state, own, off, forget=True)
        return _next(state, own, state.off, forget=forward)

    def apply(self, state: State, action: Action) -> Step[State]:
        after = self.advance(state, action)
        return Step(after, tuple(_story(state, action.anonymous, after)))

    def layout(self, state: State) -> Layout:
        build = LayoutBuilder()
        size = state.options.size
        build.grid_of_backs(size + size % 2, size + size % 2)
        for player, suit in enumerate(SUITS):
            for bit, name in enumerate(names(size)):
                if state.coins[player] >> bit & 1:
                    build.put(
                        coin(suit),
                        bit % size + 1,
                        bit // size + 1,
                        key=f"{suit}@{name}",
                        face=Face.BACK,
                        place=name,
                    )
            for index in range(state.off[player]):
                build.aside(Zone.SPENT, coin(suit), key=f"{suit}-off{index}", seat=player, face=Face.BACK)
        return build.layout()

    def outcome(self, state: State) -> Outcome:
        goal = state.options.size - 1
        for player, suit in enumerate(SUITS):
            if state.off[player] == goal:
                return Outcome(True, (player,), state.off, f"all coins of {suit} have left the board", "DODG-5.1")
        if state.blocked_loser is not None:
            return Outcome(True, (1 - state.blocked_loser,), state.off, "the other side blocked all moves", "DODG-8.3")
        if state.passes >= 2:
            return Outcome(True, (), state.off, "both sides are blocked", "DODG-5.3")
        if _repeats(state):
            return Outcome(True, (), state.off, "the same position came for the third time", "DODG-5.2")
        return Outcome(scores=state.off)

    def position(self, data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
        """Fields: suns, crowns (lists of spaces), off ([n, n]), to_act ("suns" or "crowns")."""
        unknown = set(data) - {"suns", "crowns", "off", "to_act"}
        if unknown:
            raise ValueError(f"a position of dodgem has suns, crowns, off and to_act, no {sorted(unknown)[0]!r}")
        start = opening_state(options)
        coins = tuple(
            _mask(data[suit], options.size) if suit in data else start.coins[p] for p, suit in enumerate(SUITS)
        )
        off = tuple(options.size - 1 - mask.bit_count() for mask in coins) if "off" not in data else _pair(data["off"])
        if coins[0] & coins[1]:
            raise ValueError("a suns coin and a crowns coin are on the same space")
        to_act = [suit.value for suit in SUITS].index(str(data.get("to_act", "suns")))
        return State(options, (coins[0], coins[1]), (off[0], off[1]), to_act, seen=((coins[0], coins[1], to_act),))

    def shorthand(self, state: State, text: str) -> Action | None:
        """ "a1-b1" is a move, "exit a6" leaves the board."""
        words = text.replace("-", " ").split()
        if len(words) == 2 and words[0] == "exit":
            return Action("exit", (words[1],))
        if len(words) == 2 and all(word in names(state.options.size) for word in words):
            return Action("move", tuple(words))
        return None


def _player_paths(state: State) -> Paths:
    return _paths(state.options.direction, state.options.size, state.to_act)


def _moves(state: State) -> list[Action]:
    paths = _player_paths(state)
    taken = state.coins[0] | state.coins[1]
    own = state.coins[state.to_act]
    found = []
    while own:
        bit = (own & -own).bit_length() - 1
        own &= own - 1
        found += [action for target, action, _ in paths.steps[bit] if not taken >> target & 1]
        leave = paths.exits[bit]
        if leave:
            found.append(leave)
    return found


def _next(state: State, own: int, off: tuple[int, ...], *, forget: bool) -> State:
    player = state.to_act
    coins = (own, state.coins[1]) if player == SUNS else (state.coins[0], own)
    here = (*coins, 1 - player)
    seen = (here,) if forget else (*state.seen, here)
    after = State(state.options, coins, (off[0], off[1]), 1 - player, 0, seen)
    if state.options.block_loses and coins[1 - player] and not _moves(after):
        return replace(after, blocked_loser=player)
    return after


def _repeats(state: State) -> bool:
    limit = state.options.repetition_draw
    return limit > 0 and len(state.seen) > limit and state.seen.count(state.seen[-1]) >= limit


def _ended(state: State) -> bool:
    goal = state.options.size - 1
    return goal in state.off or state.passes >= 2 or state.blocked_loser is not None or _repeats(state)


def _check_pass(state: State) -> Refusal | None:
    moves = _moves(state)
    if not moves:
        return None
    text = f"a side that can move must move; for example {moves[0].id}"
    return Refusal(Code.MUST_MOVE, "DODG-4.5", text, {"moves": [move.id for move in moves]})


def _check_own(state: State, place: str) -> Refusal | None:
    bit = names(state.options.size).index(place)
    suit = SUITS[state.to_act]
    if state.coins[state.to_act] >> bit & 1:
        return None
    if state.coins[1 - state.to_act] >> bit & 1:
        other = SUITS[1 - state.to_act]
        text = f"the coin on {place} belongs to {other}; {suit} is to move"
        return Refusal(Code.NOT_YOURS, "DODG-4.1", text, {"place": place, "owner": other.value})
    return Refusal(Code.EMPTY, "DODG-4.1", f"there is no {suit} coin on {place}", {"place": place, "suit": suit.value})


def _check_exit(state: State, place: str) -> Refusal | None:
    exits = _player_paths(state).exits
    bit = names(state.options.size).index(place)
    if exits[bit]:
        return None
    last = [name for name, action in zip(names(state.options.size), exits, strict=True) if action]
    text = f"{place} is not on the last line; {SUITS[state.to_act]} leaves the board from {last[0]} to {last[-1]}"
    return Refusal(Code.WRONG_DIRECTION, "DODG-4.2", text, {"place": place, "from": last})


def _check_step(state: State, source: str, target: str) -> Refusal | None:
    size = state.options.size
    start, goal = names(size).index(source), names(size).index(target)
    if all(step[0] != goal for step in _player_paths(state).steps[start]):
        return _why_no_step(state, source, target)
    if (state.coins[0] | state.coins[1]) >> goal & 1:
        text = f"{target} is occupied; a coin moves to an empty space"
        return Refusal(Code.OCCUPIED, "DODG-4.1", text, {"place": target})
    return None


def _why_no_step(state: State, source: str, target: str) -> Refusal:
    size = state.options.size
    start, goal = names(size).index(source), names(size).index(target)
    across, up = goal % size - start % size, goal // size - start // size
    facts: dict[str, Fact] = {"from": source, "to": target, "files": abs(across), "ranks": abs(up)}
    if abs(across) + abs(up) == 1:
        text = f"{source} to {target} is backwards; {SUITS[state.to_act]} moves forward or sideways"
        return Refusal(Code.WRONG_DIRECTION, "DODG-4.4", text, facts)
    if across and up:
        text = f"{target} is not in line with {source}; a coin never moves diagonally"
        return Refusal(Code.WRONG_DIRECTION, "DODG-4.4", text, facts)
    text = f"{target} is {abs(across) + abs(up)} spaces from {source}; a coin moves exactly one space"
    return Refusal(Code.WRONG_DISTANCE, "DODG-4.4", text, facts)


def _spot(name: str) -> Spot:
    return Spot(name, ord(name[0]) - 96, int(name[1:]))


def _story(state: State, action: Action, after: State) -> Iterator[Effect]:
    player = state.to_act
    suit = SUITS[player]
    if action.verb == "pass":
        yield Effect(EffectKind.CHOOSE, seat=player, clause="DODG-4.3", facts={"choice": "pass"})
    elif action.verb == "exit":
        target = Spot(zone=Zone.SPENT, seat=player)
        yield Effect(
            EffectKind.REMOVE,
            coin(suit),
            f"{suit}@{action[0]}",
            _spot(action[0]),
            target,
            seat=player,
            clause="DODG-4.2",
        )
        yield Effect(EffectKind.SCORE, seat=player, amount=1, clause="DODG-4.2", facts={"off": after.off[player]})
    else:
        source, target = _spot(action[0]), _spot(action[1])
        yield Effect(EffectKind.MOVE, coin(suit), f"{suit}@{action[0]}", source, target, seat=player, clause="DODG-4.1")
    yield Effect(EffectKind.END) if _ended(after) else Effect(EffectKind.TURN, seat=after.to_act)


def _mask(places: object, size: int) -> int:
    if not isinstance(places, (list, tuple)):
        raise ValueError("suns and crowns must be lists of spaces")
    known = names(size)
    for place in places:
        if place not in known:
            raise ValueError(f"there is no space {str(place)[:20]!r} on a board of {size} by {size}")
    return sum(1 << known.index(place) for place in set(places))


def _pair(value: object) -> tuple[int, int]:
    if not isinstance(value, (list, tuple)) or len(value) != 2 or not all(type(n) is int for n in value):
        raise ValueError("off must be two numbers, for example [1, 0]")
    return value[0], value[1]


GAME = Dodgem()

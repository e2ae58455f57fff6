"""Deeds and outcome of Konane (KONA-4, KONA-5): each player first removes a coin, then the players jump."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules.engine import Action, Code, Effect, NarratedDeed, Outcome, PhaseText, Refusal, Verb
from rules.engine.action import PLACE
from rules.engine.effects import next_turn_effect
from rules.games.konane.opening import BIT, BOARD, FILES, FIRST_PLACES, NAMES, RANKS, SPACES, State
from rules.sentence import Joint, Person, enumerated, say

_DIRECTIONS = ((0, 1), (1, 0), (0, -1), (-1, 0))
Landing = tuple[int, int, Action]
"""The bit of the coin jumped over, that of the space behind it, and the action."""


def _line(name: str, right: int, up: int) -> tuple[str, ...]:
    """The spaces from a space to the edge of the board."""
    file, rank = ord(name[0]) - 97, int(name[1]) - 1
    found = []
    while 0 <= (file := file + right) < FILES and 0 <= (rank := rank + up) < RANKS:
        found.append(NAMES[rank * FILES + file])
    return tuple(found)


LINES = {name: tuple(line for right, up in _DIRECTIONS if (line := _line(name, right, up))) for name in NAMES}
"""By space: the spaces ahead, right, behind and left up to the edge of the board."""
BESIDE = {name: tuple(line[0] for line in LINES[name]) for name in NAMES}
JUMPS = {
    name: {line[step]: line[: step + 1] for line in LINES[name] for step in range(1, len(line), 2)} for name in NAMES
}
"""Targets of jumps, each with the spaces on the way: those jumped over and those landed on."""
_STEPS: dict[str, tuple[tuple[Landing, ...], ...]] = {
    name: tuple(
        tuple(
            (BIT[line[step - 1]], BIT[line[step]], Action("jump", (name, line[step])))
            for step in range(1, len(line), 2)
        )
        for line in LINES[name]
    )
    for name in NAMES
}


def removals(state: State) -> Iterator[Action]:
    """Coins that may be removed in a first turn (KONA-4.1, KONA-4.2)."""
    own = state.army(state.to_act)
    if gap := gap_of(state):
        places: tuple[str, ...] = BESIDE[gap]
    else:
        places = FIRST_PLACES if is_bound(state) else NAMES
    yield from (Action("remove", (place,)) for place in places if BIT[place] & own)


def gap_of(state: State) -> str:
    """The space left by the first coin, in the second turn."""
    empty = SPACES[1 - state.to_act] & ~state.board
    return NAMES[empty.bit_length() - 1] if empty else ""


def is_bound(state: State) -> bool:
    """Whether the first coin came from the middle or a corner, which are spaces of Suns."""
    return state.options.first == "middle_or_corner" and state.to_act == 0


def jumps(state: State) -> Iterator[Action]:
    """Jumps of one coin in one direction, of every length (KONA-4.3, KONA-4.4)."""
    own, board = state.army(state.to_act), state.board
    for name, bit in BIT.items():
        if own & bit:
            for line in _STEPS[name]:
                for over, behind, action in line:
                    if not over & board or behind & board:
                        break
                    yield action


def is_over(state: State) -> bool:
    return not state.removing and not any(True for _ in jumps(state))


def outcome_of(state: State) -> Outcome:
    if not is_over(state):
        return Outcome()
    loser = state.to_act
    return Outcome(True, (1 - loser,), (), say("{who} cannot jump", who=Person(loser)), "KONA-5.1")


REMOVING, JUMPING = "removing", "jumping"
PHASES = {
    REMOVING: PhaseText("KONA-4.1", "a coin is taken off the board first"),
    JUMPING: PhaseText("KONA-4.3", "only the first turn of each player takes an own coin off; now a coin jumps"),
}


class KonaneDeed(NarratedDeed[State]):
    def next_effects(self, before: State, action: Action, after: State) -> tuple[Effect, ...]:
        return (next_turn_effect(outcome_of(after), after.to_act),)


class Remove(KonaneDeed):
    verb = Verb.of("remove", "take off the coin on {place}", "KONA-4.1", place=PLACE)
    phases = (REMOVING,)

    def legal(self, state: State) -> Iterable[Action]:
        return removals(state)

    def check(self, state: State, action: Action) -> Refusal | None:
        place = action[0]
        return BOARD.no_such_space(place, "KONA-2.1") or BOARD.not_own(state, place) or _not_from_there(state, place)

    def advance(self, state: State, action: Action) -> State:
        gone = BIT[action[0]]
        suns, moons, crowns, arms = (mask & ~gone for mask in state.coins)
        return State(state.options, (suns, moons, crowns, arms), 1 - state.to_act)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        yield BOARD.removed(before, action[0], "KONA-4.2" if gap_of(before) else "KONA-4.1")


class Jump(KonaneDeed):
    verb = Verb.of("jump", "{from_} jumps to {to}", "KONA-4.3", from_=PLACE, to=PLACE)
    phases = (JUMPING,)

    def legal(self, state: State) -> Iterable[Action]:
        return jumps(state)

    def check(self, state: State, action: Action) -> Refusal | None:
        source, target = action.args
        return (
            BOARD.no_such_space(source, "KONA-2.1")
            or BOARD.no_such_space(target, "KONA-2.1")
            or BOARD.not_own(state, source)
            or _no_jump(source, target)
            or _blocked_jump(state, source, target)
        )

    def advance(self, state: State, action: Action) -> State:
        source, target = action.args
        over = sum(BIT[place] for place in JUMPS[source][target][::2])
        return State(state.options, BOARD.coins_after(state.coins, source, target, over), 1 - state.to_act)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        source, target = action.args
        over = JUMPS[source][target][::2]
        clause = "KONA-4.3" if len(over) == 1 else "KONA-4.4"
        yield BOARD.moved(before, source, target, clause)
        yield from (BOARD.removed(before, place, clause) for place in over)


DEEDS = (Remove(), Jump())


def phase_of(state: State) -> str:
    return REMOVING if state.removing else JUMPING


def _not_from_there(state: State, place: str) -> Refusal | None:
    if gap := gap_of(state):
        if place in BESIDE[gap]:
            return None
        text = say("{place} is not beside the gap on {gap}", place=place, gap=gap)
        return Refusal(Code.NOT_ADJACENT, "KONA-4.2", text)
    if place in FIRST_PLACES or not is_bound(state):
        return None
    places = enumerated(FIRST_PLACES, Joint.OR)
    text = say("the first coin comes from the middle or a corner: {places}", places=places)
    return Refusal(Code.NOT_ALLOWED, "KONA-4.1", text, {"place": place, "places": list(FIRST_PLACES)})


def _no_jump(source: str, target: str) -> Refusal | None:
    if target in JUMPS[source]:
        return None
    facts = {"from": source, "to": target}
    if source[0] != target[0] and source[1] != target[1]:
        text = say("{source} to {target} is not straight; a jump never turns", source=source, target=target)
        return Refusal(Code.WRONG_DIRECTION, "KONA-4.4", text, facts)
    text = say("{target} is not two or four spaces from {source}, where a jump could end", target=target, source=source)
    return Refusal(Code.WRONG_DISTANCE, "KONA-4.3", text, facts)


def _blocked_jump(state: State, source: str, target: str) -> Refusal | None:
    """The first space that blocks the jump: an empty one to jump over, or a full one to land on."""
    for step, place in enumerate(JUMPS[source][target]):
        full = bool(state.board & BIT[place])
        if full and step % 2:
            text = say("a coin lies on {place}, where the jump would land", place=place)
            return Refusal(Code.OCCUPIED, "KONA-4.3", text)
        if not full and not step % 2:
            return Refusal(Code.EMPTY, "KONA-4.3", say("there is no coin on {place} to jump over", place=place))
    return None

"""Why something is refused."""

from __future__ import annotations

from collections.abc import Callable

from rules.engine import Action, Code, Refusal
from rules.engine.refusal import Fact
from rules.games.fuji_san.climbing import climbs, crosses, free_spaces, movable, occupied, rows
from rules.games.fuji_san.mountain import (
    GROUND,
    INDEX,
    NAMES,
    ROW_MASK,
    SUMMIT,
    WIDTH,
    read_layout,
    wrong_suit,
)
from rules.games.fuji_san.opening import State
from rules.games.fuji_san.turning import target_of
from rules.pieces import SUITS, parse_suit

_DOING = {
    "deal": ("FUJI-3.2", "the coins have still to be dealt and turned"),
    "roll": ("FUJI-3.6", "no priest can move; the dice have to be rolled"),
    "rescue": ("FUJI-3.6", "one of the dice has to be chosen"),
    "carry": ("FUJI-9.4", "the summit is reached; the four summit coins have to be carried down"),
    "ascent": ("FUJI-4.7", "the priests are on their way up"),
    "descent": ("FUJI-9.4", "the priests are on their way down"),
}


def _phase(state: State, *wanted: str) -> Refusal | None:
    if state.phase in wanted:
        return None
    clause, text = _DOING[state.phase]
    return Refusal(Code.WRONG_PHASE, clause, text, {"phase": state.phase})


def _check_deal(state: State, action: Action) -> Refusal | None:
    if refusal := _phase(state, "deal"):
        return refusal
    try:
        values = read_layout(action[0])
    except ValueError as error:
        return Refusal(Code.BAD_ARGUMENT, "FUJI-3.5", str(error), {"layout": action[0][:60]})
    wrong = wrong_suit(values)
    if wrong is None:
        return None
    suit, shown = wrong
    text = f"the three steps of {suit} show {', '.join(map(str, shown))}; each value 0 to 5 must come exactly once"
    return Refusal(Code.CONTRADICTS, "FUJI-3.3", text, {"suit": suit.value, "shown": [str(value) for value in shown]})


def _check_roll(state: State, action: Action) -> Refusal | None:
    if refusal := _phase(state, "roll"):
        return refusal
    wrong = next((number for number in action.args if number not in "012345" or len(number) != 1), None)
    if wrong is None:
        return None
    return Refusal(Code.BAD_ARGUMENT, "FUJI-3.6", f"a die shows 0 to 5, not {wrong[:20]!r}", {"die": wrong[:20]})


def _check_rescue(state: State, action: Action) -> Refusal | None:
    if refusal := _phase(state, "rescue"):
        return refusal
    if action[0] in [suit.value for suit in SUITS]:
        return None
    try:
        text = f"write the suit as {parse_suit(action[0][:20])}"
    except ValueError as error:
        text = str(error)
    return Refusal(Code.BAD_ARGUMENT, "FUJI-3.6", text, {"suit": action[0][:20]})


def _check_carry(state: State, action: Action) -> Refusal | None:
    if refusal := _phase(state, "carry"):
        return refusal
    if sorted(action.args) == sorted(GROUND):
        return None
    text = f"each ground place gets one of the summit coins; the places are {', '.join(GROUND)}"
    return Refusal(Code.BAD_ARGUMENT, "FUJI-9.4", text, {"places": list(GROUND)})


def _check_priest(state: State, action: Action) -> Refusal | None:
    """What holds for every move of a priest."""
    if refusal := _phase(state, "ascent", "descent"):
        return refusal
    for place in action.args:
        if place not in INDEX:
            text = f"there is no place {place[:20]!r}; they go from a to n in the rows 1 and 2"
            return Refusal(Code.NO_SUCH_PLACE, "FUJI-2.1", text, {"place": place[:20]})
    if INDEX[action[0]] not in state.priests:
        return Refusal(Code.EMPTY, "FUJI-4.7", f"no priest stands on {action[0]}", {"place": action[0]})
    if state.phase == "descent" and action[0] in GROUND:
        text = f"the priest on {action[0]} has left the mountain and does not step back on"
        return Refusal(Code.STUCK, "FUJI-9.4", text, {"place": action[0]})
    return None


def _check_free(state: State, action: Action, clause: str) -> Refusal | None:
    """The only target of a sidestep or a crossing, rightly named and empty."""
    target = target_of(Action(action.verb, action.args[:1]))
    if target_of(action) != target:
        text = f"from {action[0]} this way leads to {target}, not to {action[1]}"
        return Refusal(Code.WRONG_DIRECTION, clause, text, {"to": target})
    if INDEX[target] in state.priests:
        return Refusal(Code.OCCUPIED, clause, f"a priest stands on {target}", {"place": target})
    return None


def _check_side(state: State, action: Action) -> Refusal | None:
    if refusal := _check_priest(state, action):
        return refusal
    if action[0] in GROUND:
        text = f"{action[0]} is on the ground; there a priest can only climb in its own row"
        return Refusal(Code.NOT_ALLOWED, "FUJI-4.5", text, {"place": action[0]})
    return _check_free(state, action, "FUJI-4.2")


def _check_cross(state: State, action: Action) -> Refusal | None:
    if refusal := _check_priest(state, action):
        return refusal
    if action[0] not in SUMMIT:
        text = f"{action[0]} is not on the summit; only there a priest can cross"
        return Refusal(Code.NOT_ALLOWED, "FUJI-4.3", text, {"place": action[0]})
    if not crosses(state):
        clause = "FUJI-8.3" if state.phase == "ascent" else "FUJI-9.4"
        return Refusal(Code.NOT_ALLOWED, clause, "crossing on the summit is switched off", {"place": action[0]})
    return _check_free(state, action, "FUJI-4.3")


def _check_climb(state: State, action: Action) -> Refusal | None:
    if refusal := _check_priest(state, action):
        return refusal
    source, target = action.args
    if source[1] != target[1]:
        text = f"{target} is not in the row of {source}; a priest climbs along its own row"
        return Refusal(Code.WRONG_DIRECTION, "FUJI-4.1", text, {"from": source, "to": target})
    if state.phase == "ascent" and source in SUMMIT:
        text = f"the priest on {source} has reached the summit and does not leave it"
        return Refusal(Code.STUCK, "FUJI-4.4", text, {"from": source})
    return _check_landing(state, source, target) or _check_count(state, source, target)


def _check_landing(state: State, source: str, target: str) -> Refusal | None:
    if INDEX[target] in state.priests:
        return Refusal(Code.OCCUPIED, "FUJI-4.1", f"a priest stands on {target}", {"place": target})
    if state.phase == "ascent" and target in GROUND:
        text = f"{target} is on the ground; on the way up nobody goes back there"
        return Refusal(Code.NOT_ALLOWED, "FUJI-4.5", text, {"to": target})
    if _asked(state, target) == 0:
        text = f"{target} counts as null; a priest gets there only by a sidestep"
        return Refusal(Code.NOT_ALLOWED, "FUJI-8.5", text, {"from": source, "to": target, "value": 0})
    return None


def _asked(state: State, place: str) -> int:
    row, file = divmod(INDEX[place], WIDTH)
    return rows(state)[row][file]


def _check_count(state: State, source: str, target: str) -> Refusal | None:
    row, start = divmod(INDEX[source], WIDTH)
    here = occupied(state) >> row * WIDTH & ROW_MASK
    free = free_spaces(here, start, INDEX[target] % WIDTH)
    asked = _asked(state, target)
    if free == asked:
        return None
    reach = [NAMES[row * WIDTH + b] for a, b in climbs(here, rows(state)[row], movable(state.phase)) if a == start]
    text = f"the coin on {target} asks for {asked} free spaces; from {source} there are {free}"
    facts: dict[str, Fact] = {"from": source, "to": target, "value": asked, "spaces": free, "reach": reach}
    return Refusal(Code.WRONG_DISTANCE, "FUJI-4.1", text, facts)


CHECKS: dict[str, Callable[[State, Action], Refusal | None]] = {
    "deal": _check_deal,
    "roll": _check_roll,
    "rescue": _check_rescue,
    "climb": _check_climb,
    "side": _check_side,
    "cross": _check_cross,
    "carry": _check_carry,
}

"""Why a move is refused."""

from __future__ import annotations

from rules.engine import Action, Code, Refusal
from rules.engine.refusal import Fact
from rules.games.jul_gonu.moves import moves, restores
from rules.games.jul_gonu.opening import BOARD, State


def check_pass(state: State) -> Refusal | None:
    found = moves(state)
    if not found:
        return None
    text = f"a side that can move must move; for example {found[0].id}"
    return Refusal(Code.MUST_MOVE, "JULG-4.3", text, {"moves": [move.id for move in found]})


def check_move(state: State, source: str, target: str) -> Refusal | None:
    for place in (source, target):
        if place not in BOARD.bit:
            text = f"there is no space {place[:20]!r} on this board; it goes from a1 to d4"
            return Refusal(Code.NO_SUCH_PLACE, "JULG-2.1", text, {"place": place[:20]})
    return _check_own(state, source) or _check_step(state, source, target) or _check_ko(state, source, target)


def _check_own(state: State, place: str) -> Refusal | None:
    bit = BOARD.bit[place]
    suit = state.suits[state.to_act]
    if state.coins[state.to_act] & bit:
        return None
    if state.coins[1 - state.to_act] & bit:
        other = state.suits[1 - state.to_act]
        text = f"the coin on {place} belongs to {other}; {suit} is to move"
        return Refusal(Code.NOT_YOURS, "JULG-3.3", text, {"place": place, "owner": other.value})
    text = f"there is no {suit} coin on {place}"
    return Refusal(Code.EMPTY, "JULG-4.1", text, {"place": place, "suit": suit.value})


def _check_step(state: State, source: str, target: str) -> Refusal | None:
    (x1, y1), (x2, y2) = BOARD.xy(source), BOARD.xy(target)
    files, ranks = abs(x2 - x1), abs(y2 - y1)
    facts: dict[str, Fact] = {"from": source, "to": target, "files": files, "ranks": ranks}
    if files + ranks == 0:
        return Refusal(Code.WRONG_DISTANCE, "JULG-4.1", f"the coin on {source} stays where it is", facts)
    if files and ranks:
        text = f"{target} is not in line with {source}; a coin never moves diagonally"
        return Refusal(Code.WRONG_DIRECTION, "JULG-4.1", text, facts)
    if files + ranks > 1:
        text = f"{target} is {files + ranks} spaces from {source}; a coin moves exactly one space"
        return Refusal(Code.NOT_ADJACENT, "JULG-4.1", text, facts)
    if (state.coins[0] | state.coins[1]) & BOARD.bit[target]:
        text = f"{target} is occupied; a coin moves to an empty space"
        return Refusal(Code.OCCUPIED, "JULG-4.1", text, {"place": target})
    return None


def _check_ko(state: State, source: str, target: str) -> Refusal | None:
    if not (state.options.ko and restores(state, Action("move", (source, target)))):
        return None
    text = f"{source} to {target} would restore a position of a moment ago"
    return Refusal(Code.REPEATS, "JULG-8.6", text, {"from": source, "to": target})

"""Whether the coins can be what somebody says they show (GW-7.3)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rules.engine import Action, Code, Refusal
from rules.games.global_warming.coins import FITS, SIDES, identity, is_possible, shown
from rules.games.global_warming.opening import COINS, LINE_LENGTH, TILES, State
from rules.games.global_warming.play import NO_COIN, split


def _check_side(side: str) -> Refusal | None:
    if side in SIDES:
        return None
    text = f"{side[:20]!r} is no side of a coin; write cS? for a suit and c?3 for a value"
    return Refusal(Code.NO_SUCH_PIECE, "GW-1.4", text, {"given": side[:20]})


def check_open(state: State, action: Action, _seat: int | None) -> Refusal | None:
    line = split(action[0])
    for side in line:
        if refusal := _check_side(side):
            return refusal
    if len(line) != LINE_LENGTH:
        text = f"the line begins with {LINE_LENGTH} coins, not {len(line)}"
        return Refusal(Code.BAD_ARGUMENT, "GW-3.6", text, {"given": len(line), "wanted": LINE_LENGTH})
    return _check_line(line, state.sunk)


def _check_line(line: Sequence[str], gone: Collection[int]) -> Refusal | None:
    if is_possible(line, gone):
        return None
    words = ", ".join(shown(side).words for side in line)
    text = f"the coins that are left cannot show {words} all at once; please read them again"
    return Refusal(Code.CONTRADICTS, "GW-7.3", text, {"line": list(line)})


def check_sink(state: State, action: Action, _seat: int | None) -> Refusal | None:
    new, revealed = action.args
    if refusal := _check_side(revealed):
        return refusal
    return _check_new(state, new) or _check_left(state, revealed) or _check_rest(state, new, revealed)


def _check_new(state: State, new: str) -> Refusal | None:
    if new in NO_COIN:
        if state.bag == 0:
            return None
        text = f"a new coin comes to the right end first; there are {state.bag} in the bag"
        return Refusal(Code.OUT_OF_ORDER, "GW-4.12", text, {"bag": state.bag})
    if state.bag == 0:
        return Refusal(Code.EMPTY, "GW-4.14", "the bag is empty; no coin can be added", {"bag": 0})
    return _check_side(new)


def _check_left(state: State, revealed: str) -> Refusal | None:
    left = state.line[0]
    index = identity(left, revealed)
    facts = {"left": left, "revealed": revealed}
    if index is None:
        text = f"the leftmost coin showed {shown(left).words}; its other side cannot be {shown(revealed).words}"
        return Refusal(Code.CONTRADICTS, "GW-7.3", text, facts)
    if index in state.sunk:
        text = f"{COINS[index].words} was retired before, so it cannot lie at the left; please read it again"
        return Refusal(Code.CONTRADICTS, "GW-7.3", text, {**facts, "tile": TILES[index].code})
    return None


def _check_rest(state: State, new: str, revealed: str) -> Refusal | None:
    """The other coins of the line must be possible without the one that sinks."""
    index = identity(state.line[0], revealed)
    gone = {*state.sunk, -1 if index is None else index}
    rest = state.line[1:] if new in NO_COIN else (*state.line[1:], new)
    return _check_line(rest, gone)


def other_sides(left: str, gone: Collection[int]) -> list[str]:
    """What the leftmost coin may show when it is turned over."""
    return [side for side in SIDES if (index := identity(left, side)) is not None and index in FITS[left] - set(gone)]

"""Whether a tile may lie somewhere, and where else it may (DECAY-2.9 to 2.12, 2.23)."""

from __future__ import annotations

import random

from rules.engine import Code, Refusal
from rules.games.decay.deeds.common import WHOLE
from rules.games.decay.geometry import (
    SIDE_WORDS,
    Fault,
    Forbidden,
    Position,
    beside,
    free_offsets,
    nearest,
    offsets_in,
    on_table,
    placement_fault,
    placements,
    spots_of,
)
from rules.games.decay.opening import NAMES, State


def wrong_place(state: State, tile: int, x: str, y: str, forbidden: Forbidden) -> Refusal | None:
    if not (WHOLE.match(x) and WHOLE.match(y)):
        text = f"a position is two whole numbers of u (16 to a tile side), not ({x[:12]}, {y[:12]})"
        return Refusal(Code.BAD_ARGUMENT, "DECAY-2.23", text, {"x": x[:12], "y": y[:12]})
    place = int(x), int(y)
    fault = placement_fault(state.tiles, tile, *place, state.touch, forbidden)
    return _refused_place(state, tile, place, fault, forbidden) if fault else None


def _refused_place(state: State, tile: int, place: tuple[int, int], fault: Fault, forbidden: Forbidden) -> Refusal:
    close = nearest(state.tiles, tile, *place, state.touch, forbidden)
    facts: dict[str, str | int | float | bool | list[str] | None] = {
        "tile": NAMES[tile],
        "position": f"{place[0]},{place[1]}",
        "tiles": [NAMES[other] for other in fault.tiles],
        "amount_u": fault.amount,
    }
    text = f"{NAMES[tile]} at ({place[0]}, {place[1]}) {_place_words(fault)}"
    if close is not None:
        (low, high), base, side = close.span, NAMES[close.base], SIDE_WORDS[close.side]
        facts |= {
            "nearest": f"{close.spot[0]},{close.spot[1]}",
            "nearest_base": base,
            "nearest_side": side,
            "low": low,
            "high": high,
        }
        where = f"({close.spot[0]}, {close.spot[1]}), on the {side} side of {base} shifted "
        where += f"{low} u" if low == high else f"{low} to {high} u"
        text += f"; the nearest legal place is {where}"
    return Refusal(fault.code, fault.clause, text, facts)


def _place_words(fault: Fault) -> str:
    names = [NAMES[other] for other in fault.tiles]
    if fault.clause == "DECAY-2.11":
        return f"would overlap {names[0]} by {fault.amount} u"
    if fault.clause == "DECAY-2.12":
        return f"would touch the {SIDE_WORDS[fault.side]} side of {names[0]} again, as before it was lifted"
    if fault.clause == "DECAY-2.10":
        return f"is offset from {names[0]} by {fault.amount} u only; a quarter of a side (4 u) is the least"
    if fault.clause == "DECAY-2.9":
        return f"would touch both {names[0]} and {names[1]}, which touch each other"
    return "would touch no tile (a corner is no contact)"


_TRIES = 40


def spot_by_luck(state: State, tile: int, forbidden: Forbidden, rng: random.Random) -> Position | None:
    """A free place flush at a random side of a random tile."""
    bases = [(index, (x, y)) for index, x, y in on_table(state.tiles) if index != tile]
    for _ in range(_TRIES):
        base, spot = rng.choice(bases)
        side = rng.randrange(4)
        if mask := free_offsets(state.tiles, tile, base, side, state.touch, forbidden):
            return beside(spot, side, rng.choice(list(offsets_in(mask))))
    edges = placements(state.tiles, tile, state.touch, forbidden)
    return next(iter(spots_of(state.tiles, edges)), None)

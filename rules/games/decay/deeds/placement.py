"""Whether a tile may lie somewhere, and where else it may (DECAY-2.9 to 2.12, 2.23)."""

from __future__ import annotations

import random

from rules.engine import Code, Refusal
from rules.games.decay.deeds.common import WHOLE, say_shift, say_side
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
from rules.sentence import Sentence, say


def wrong_place(state: State, tile: int, x: str, y: str, forbidden: Forbidden) -> Refusal | None:
    if not (WHOLE.match(x) and WHOLE.match(y)):
        text = say("a position is two whole numbers of u (16 to a tile side), not ({x}, {y})", x=x[:12], y=y[:12])
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
    text = say("{tile} at ({x}, {y}) {fault}", tile=NAMES[tile], x=place[0], y=place[1], fault=_place_words(fault))
    if close is not None:
        (low, high), base, side = close.span, NAMES[close.base], SIDE_WORDS[close.side]
        least, most = sorted((abs(low), abs(high)))
        facts |= {
            "nearest": f"{close.spot[0]},{close.spot[1]}",
            "nearest_base": base,
            "nearest_side": side,
            "low": low,
            "high": high,
        }
        text = say(
            "{tile} at ({x}, {y}) {fault}; the nearest legal place is ({x_near}, {y_near}), "
            "on the {side} side of {base}, shifted {way} by {shift} u (16 u are a tile side)",
            tile=NAMES[tile],
            x=place[0],
            y=place[1],
            fault=_place_words(fault),
            x_near=close.spot[0],
            y_near=close.spot[1],
            side=say_side(close.side),
            base=base,
            way=say_shift(close.side, low + high),
            shift=least if least == most else say("{low} to {high}", low=least, high=most),
        )
    return Refusal(fault.code, fault.clause, text, facts)


def _place_words(fault: Fault) -> Sentence:
    names = [NAMES[other] for other in fault.tiles]
    if fault.clause == "DECAY-2.11":
        return say("would overlap {name} by {amount} u", name=names[0], amount=fault.amount)
    if fault.clause == "DECAY-2.12":
        return say(
            "would touch the {side} side of {name} again, as before it was lifted",
            side=say_side(fault.side),
            name=names[0],
        )
    if fault.clause == "DECAY-2.10":
        return say(
            "is offset from {name} by only {amount} u; a quarter of a side (4 u) is the least",
            name=names[0],
            amount=fault.amount,
        )
    if fault.clause == "DECAY-2.9":
        return say("would touch both {name} and {other}, which touch each other", name=names[0], other=names[1])
    return say("would touch no tile (a corner is not enough)")


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

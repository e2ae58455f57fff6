"""Why a tile may not slide (DECAY-2.17 to 2.20, 4.22 to 4.24)."""

from __future__ import annotations

import re

from rules.engine import Code, Refusal
from rules.engine.refusal import Fact
from rules.games.decay.choices import slide_rule, slides_of
from rules.games.decay.geometry import SIDE_WORDS, Fault, contacts, touched_sides
from rules.games.decay.opening import LETTERS, NAMES, State, suit_name, suit_of, value_of
from rules.games.decay.sliding import free_side, slide_fault

_WHOLE = re.compile(r"-?\d{1,6}\Z")


def check_slide(state: State, tile: int, distance: str, pay: str) -> Refusal | None:
    if not _WHOLE.match(distance):
        text = f"a slide is a whole number of u, not {distance[:20]!r}"
        return Refusal(Code.BAD_ARGUMENT, "DECAY-2.19", text, {"distance": distance[:20]})
    return _check_protected(state, tile) or _check_way(state, tile, int(distance)) or _check_coin(state, pay)


def _check_protected(state: State, tile: int) -> Refusal | None:
    name = NAMES[tile]
    what = ""
    if tile in state.pawns:
        what = f"a pawn stands on {name}"
    elif tile in state.dice:
        what = f"a die lies on {name}"
    elif value_of(tile) == 1 and suit_of(tile) != state.active_suit:
        what = f"{name} is the ace of {suit_name(suit_of(tile))}"
    if what:
        return Refusal(Code.PROTECTED, "DECAY-2.18", f"{what}; it cannot slide", {"tile": name})
    if tile in state.slid and not state.options.slide_same_tile_again:
        return Refusal(Code.REPEATS, "DECAY-8.8", f"{name} has already slid in this turn", {"tile": name})
    return None


def _check_way(state: State, tile: int, distance: int) -> Refusal | None:
    near = contacts(state.tiles, state.touch)
    name, side = NAMES[tile], free_side(near, tile)
    if side is None:
        sides = sorted(SIDE_WORDS[one] for one in touched_sides(near, tile))
        where = ", ".join(sides)
        text = f"{name} is touched on {len(sides)} sides ({where}); only a tile touched on exactly three can slide"
        return Refusal(Code.STUCK, "DECAY-2.17", text, {"tile": name, "sides": sides})
    fault = slide_fault(state.tiles, tile, distance, slide_rule(state))
    if fault is None:
        return None
    legal = [str(k) for k in slides_of(state, tile)]
    possible = f"it may slide {_span(legal)} u to the {SIDE_WORDS[side]}" if legal else "it cannot slide at all"
    text = f"{name} by {distance} u: {_fault_words(fault)}; {possible}"
    facts: dict[str, Fact] = {
        "tile": name,
        "distance": distance,
        "legal": legal,
        "direction": SIDE_WORDS[side],
    }
    return Refusal(fault.code, fault.clause, text, facts)


def _span(legal: list[str]) -> str:
    whole = int(legal[-1]) - int(legal[0]) == len(legal) - 1
    return f"{legal[0]} to {legal[-1]}" if whole else ", ".join(legal)


def _fault_words(fault: Fault) -> str:
    names = "+".join(NAMES[tile] for tile in fault.tiles)
    if fault.code is Code.TOO_LOW:
        return f"a slide is at least {fault.amount} u, or it could not be told from jostling"
    if fault.code is Code.BLOCKED:
        return f"{names} is in the way after {fault.amount} u"
    if fault.code is Code.NO_CONTACT and fault.clause == "DECAY-2.19":
        return "it would keep contact with fewer than two of the tiles it touched"
    if fault.code is Code.LIMIT:
        return f"it meets {names} after {fault.amount} u and must stop there"
    if fault.code is Code.SPLITS:
        return f"{names} would be cut off from the board"
    return f"its end would break the rules for placing tiles ({fault.clause})"


def _check_coin(state: State, pay: str) -> Refusal | None:
    hand = state.hand(state.to_act)
    held = [letter for letter, count in zip(LETTERS, hand, strict=False) if count]
    if pay in held:
        return None
    if not held:
        return Refusal(Code.CANNOT_PAY, "DECAY-4.22", "a slide costs one coin, and the hand is empty")
    text = f"a slide costs one coin of the hand ({' or '.join(held)}), not {pay[:20]!r}"
    return Refusal(Code.WRONG_PAYMENT, "DECAY-4.22", text, {"hand": held})

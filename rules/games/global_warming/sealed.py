"""Whether a die may be set so: one at a time on a phone, or all together as the camera sees them uncovered."""

from __future__ import annotations

from rules.engine import Action, Code, Refusal
from rules.games.global_warming.opening import MISSING, State
from rules.games.global_warming.play import split
from rules.pieces import parse_rank, parse_suit


def check_commit(state: State, action: Action, seat: int | None) -> Refusal | None:
    if refusal := _check_die(state, action[0]):
        return refusal
    if refusal := _check_face(action[1]):
        return refusal
    index = state.suits.index(parse_suit(action[0]))
    suit = state.suits[index]
    if seat is not None and state.owners[index] != seat:
        text = f"the {suit} die belongs to seat {state.owners[index]}"
        return Refusal(Code.NOT_YOURS, "GW-1.5", text, {"die": suit.value, "owner": state.owners[index]})
    if state.faces[index]:
        text = f"the {suit} die is set and covered already"
        return Refusal(Code.REPEATS, "GW-4.1", text, {"die": suit.value})
    return None


def _check_die(state: State, name: str) -> Refusal | None:
    try:
        suit = parse_suit(name)
    except ValueError:
        return Refusal(Code.NO_SUCH_PIECE, "GW-1.5", f"{name[:20]!r} is no suit of a die", {"given": name[:20]})
    if suit not in state.suits:
        return Refusal(Code.NO_SUCH_PIECE, "GW-1.2", f"nobody plays {suit}", {"die": suit.value})
    if not state.pawns[state.suits.index(suit)]:
        text = f"{suit} has drowned; its die is not used any more"
        return Refusal(Code.NO_SUCH_PIECE, "GW-5.2", text, {"die": suit.value})
    return None


def _check_face(face: str) -> Refusal | None:
    try:
        parse_rank(face)
    except ValueError:
        text = f"a die has no face {face[:20]!r}; it has n (blank), a, 2, 3, 4 and 5"
        return Refusal(Code.BAD_ARGUMENT, "GW-4.1", text, {"given": face[:20]})
    return None


def check_reveal(state: State, action: Action, _seat: int | None) -> Refusal | None:
    named = set()
    for item in split(action[0]):
        refusal = _check_die(state, item[:1]) or (None if item[1:] == MISSING else _check_face(item[1:]))
        if refusal:
            return refusal
        index = state.suits.index(parse_suit(item[0]))
        if index in named:
            text = f"the {state.suits[index]} die is named twice"
            return Refusal(Code.REPEATS, "GW-4.3", text, {"die": state.suits[index].value})
        if refusal := _check_agrees(state, index, item[1:]):
            return refusal
        named.add(index)
    return _check_complete(state, named)


def _check_agrees(state: State, index: int, seen: str) -> Refusal | None:
    """What a player has chosen on the phone must be what the die shows."""
    chosen = state.faces[index]
    if not chosen or (seen != MISSING and parse_rank(seen).letter == chosen):
        return None
    text = f"{state.suits[index]} chose another face before than the die shows now"
    return Refusal(Code.CONTRADICTS, "GW-6.1", text, {"die": state.suits[index].value, "seen": seen})


def _check_complete(state: State, named: set[int]) -> Refusal | None:
    open_dice = [state.suits[index].value for index in state.alive if not state.faces[index] and index not in named]
    if not open_dice:
        return None
    names, first = ", ".join(open_dice), open_dice[0][0].upper()
    text = f"all dice are uncovered at once; {names} is not named (write {first}- for a die that was not set)"
    return Refusal(Code.BAD_ARGUMENT, "GW-4.3", text, {"missing": open_dice})

"""Reveals and removals that are possible, and their consequences (TULA-4, TULA-9)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rules.engine import Action
from rules.games.tula.opening import State
from rules.games.tula.temple import accessible, bits, matches, temple, uncovered
from rules.pieces import Piece
from rules.sentence import Sentence, say

LEFT = "left"
MERCIFUL = ("original", "variant4")


def tile_on(state: State, place: int) -> Piece | None:
    """The known tile on a place, None if unknown."""
    return state.tiles[state.lies[place]]


def revealable(state: State) -> int:
    return accessible(state.options.setup, state.present) & ~state.face_up


def ends(state: State) -> tuple[Piece | None, ...]:
    """Tiles that the next one must match: the top of the stack, or both ends of the line."""
    if not state.stack:
        return ()
    top = state.tiles[state.stack[-1]]
    return (top, state.tiles[state.stack[0]]) if state.options.line and len(state.stack) > 1 else (top,)


def fits(piece: Piece | None, end: Piece | None) -> bool:
    return piece is not None and end is not None and matches(piece, end)


def removals(state: State) -> Iterator[Action]:
    names = temple(state.options.setup).names
    ready = state.face_up & uncovered(state.options.setup, state.present)
    last = ends(state)
    for place in bits(ready):
        piece = tile_on(state, place)
        if not last or fits(piece, last[0]):
            yield Action("remove", (names[place],))
        if len(last) > 1 and fits(piece, last[1]):
            yield Action("remove", (names[place], LEFT))


def is_fresh(state: State) -> bool:
    built = temple(state.options.setup)
    return state.options.setup == "original" and not state.face_up and state.present == built.full


def chances(state: State) -> int:
    """Places whose tile is being turned, by choice or automatically (TULA-8.8)."""
    if state.pending is not None:
        return 1 << state.pending
    return revealable(state) if state.options.auto_reveal else 0


def plain_actions(state: State) -> Iterator[Action]:
    """Actions of the player except the demerit."""
    names = temple(state.options.setup).names
    if is_fresh(state):
        yield Action("start")
    yield from (Action("reveal", (names[place],)) for place in bits(revealable(state)))
    yield from removals(state)
    yield from exchanges(state)


def exchanges(state: State) -> Iterator[Action]:
    names = temple(state.options.setup).names
    if no_mercy(state) is None:
        yield from (Action("exchange", (names[place],)) for place in bits(second_layer(state)))


def second_layer(state: State) -> int:
    """The face-up tiles of the layer below the top."""
    built = temple(state.options.setup)
    return built.layer(built.layers - 1) & state.face_up & uncovered(state.options.setup, state.present)


def no_mercy(state: State) -> Sentence | None:
    """Reason against an exchange (TULA-9.1) in words; None if it is possible."""
    built = temple(state.options.setup)
    if not state.options.mercy or state.options.setup not in MERCIFUL:
        return say("this game is played without mercy")
    if state.mercy_used:
        return say("mercy has been used")
    if len(state.stack) != 1 or not built.layer(built.layers) & 1 << state.stack[0]:
        return say("mercy is for the moment after the top tile alone has started the stack")
    if revealable(state) & built.layer(built.layers - 1):
        return say("first all tiles of the next layer have to be revealed")
    for place in bits(second_layer(state)):
        if fits(tile_on(state, place), state.tiles[state.stack[0]]):
            return say("the tile on {place} matches the stack", place=built.names[place])
    return None


def can_demerit(state: State) -> bool:
    """Whether a demerit is possible: no other action, and a tile of the stack that would help (TULA-9.4)."""
    if not state.options.demerit or len(state.stack) < 2 or next(plain_actions(state), None):
        return False
    ready = bits(state.face_up & uncovered(state.options.setup, state.present))
    open_tiles = [tile_on(state, place) for place in ready]
    return any(fits(piece, state.tiles[number]) for piece in open_tiles for number in state.stack)


def settle(state: State) -> State:
    """The state with its outcome, if the game is over."""
    if not state.present:
        return replace(state, end="won")
    if chances(state) or next(plain_actions(state), None) or can_demerit(state):
        return state
    return replace(state, end="lost")


def place_of(state: State, name: str) -> int:
    return temple(state.options.setup).names.index(name)


def after_taking(state: State, place: int, *, left: bool) -> State:
    """The state after a tile has been taken onto the stack."""
    number = state.lies[place]
    return State(
        state.options,
        state.deal,
        state.tiles,
        state.lies,
        state.present & ~(1 << place),
        state.face_up & ~(1 << place),
        (number, *state.stack) if left else (*state.stack, number),
        state.left + left,
        mercy_used=state.mercy_used,
        demerits=state.demerits,
    )

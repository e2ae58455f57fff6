"""Why something is refused."""

from __future__ import annotations

from collections.abc import Callable

from rules.engine import Action, Code, Refusal
from rules.games.tula import taking
from rules.games.tula.opening import State, read_tile
from rules.games.tula.temple import accessible, bits, temple, uncovered
from rules.pieces import Piece


def _refuse(code: Code, clause: str, text: str, **facts: str | int | list[str]) -> Refusal:
    return Refusal(code, clause, text, facts)


def _players_turn(state: State) -> Refusal | None:
    places = [temple(state.options.setup).names[place] for place in bits(taking.chances(state))]
    if not places:
        return None
    text = f"first the tile on {' or '.join(places)} has to be turned up"
    return _refuse(Code.WRONG_PHASE, "TULA-4.2", text, places=places)


def _place(state: State, name: str) -> Refusal | None:
    """Whether there is such a place, with a tile on it."""
    names = temple(state.options.setup).names
    if name not in names:
        text = f"this temple has no place {name[:20]!r}; places are written like {names[-1]} (layer:x-y)"
        return _refuse(Code.NO_SUCH_PLACE, "TULA-2.1", text, place=name[:20])
    if not state.present >> names.index(name) & 1:
        return _refuse(Code.EMPTY, "TULA-2.1", f"the tile on {name} has already been taken", place=name)
    return None


def _covered(state: State, name: str, clause: str) -> Refusal | None:
    place = taking.place_of(state, name)
    if uncovered(state.options.setup, state.present) >> place & 1:
        return None
    built = temple(state.options.setup)
    above = [built.names[other] for other in bits(built.above[place] & state.present)]
    text = f"the tile on {name} is covered by {', '.join(above)}"
    return _refuse(Code.BLOCKED, clause, text, place=name, covered_by=above)


def _check_start(state: State, _: Action) -> Refusal | None:
    if refusal := _players_turn(state):
        return refusal
    if taking.is_fresh(state):
        return None
    if state.options.setup != "original":
        text = "here the stack starts empty; any tile that can be removed may be the first"
        return _refuse(Code.NOT_ALLOWED, "TULA-3.4", text, setup=state.options.setup)
    return _refuse(Code.WRONG_PHASE, "TULA-4.1", "the temple has already been begun")


def _check_reveal(state: State, action: Action) -> Refusal | None:
    if refusal := _players_turn(state) or _place(state, action[0]):
        return refusal
    name, place = action[0], taking.place_of(state, action[0])
    if state.face_up >> place & 1:
        return _refuse(Code.REPEATS, "TULA-4.6", f"the tile on {name} already lies face up", place=name)
    if refusal := _covered(state, name, "TULA-4.2"):
        return refusal
    if accessible(state.options.setup, state.present) >> place & 1:
        return None
    sides = temple(state.options.setup).blocked_sides(place, state.present)
    text = f"the tile on {name} has no free corner: tiles of its layer stand at its {', '.join(sides)} edges"
    return _refuse(Code.BLOCKED, "TULA-2.5", text, place=name, edges=sides)


def _check_show(state: State, action: Action) -> Refusal | None:
    if refusal := _place(state, action[0]):
        return refusal
    name, code = action.args
    if not taking.chances(state) >> taking.place_of(state, name) & 1:
        return _refuse(Code.WRONG_PHASE, "TULA-4.2", f"the tile on {name} is not being turned now", place=name)
    try:
        piece = read_tile(code)
    except ValueError as error:
        return _refuse(Code.NO_SUCH_PIECE, "TULA-1.1", str(error), tile=code[:20])
    if piece.code != code:
        return _refuse(Code.BAD_ARGUMENT, "TULA-1.1", f"write this tile as {piece.code}", tile=code)
    return _check_identity(state, name, piece)


def _check_identity(state: State, name: str, piece: Piece) -> Refusal | None:
    seen = state.tiles.count(piece)
    if seen >= temple(state.options.setup).packs:
        text = f"{piece.words} has already been seen elsewhere"
        return _refuse(Code.CONTRADICTS, "TULA-1.1", text, tile=piece.code, seen=seen)
    expected = state.deal[state.lies[taking.place_of(state, name)]] if state.deal else piece
    if piece is expected or piece == expected:
        return None
    text = f"this prepared deal has {expected.words} on {name}"
    return _refuse(Code.CONTRADICTS, "TULA-3.1", text, tile=piece.code)


def _check_remove(state: State, action: Action) -> Refusal | None:
    if refusal := _players_turn(state) or _place(state, action[0]):
        return refusal
    name, place = action[0], taking.place_of(state, action[0])
    if not state.face_up >> place & 1:
        text = f"the tile on {name} lies face down; it has to be revealed first"
        return _refuse(Code.NOT_ALLOWED, "TULA-8.4", text, place=name)
    return _covered(state, name, "TULA-4.3") or _check_match(state, action, place)


def _check_match(state: State, action: Action, place: int) -> Refusal | None:
    last = taking.ends(state)
    if len(action.args) > 1 and (action[1] != taking.LEFT or len(last) < 2):
        text = f"a tile goes on the stack; {action[1][:20]!r} means nothing here"
        return _refuse(Code.BAD_ARGUMENT, "TULA-9.4", text, end=action[1][:20])
    end = last[len(action.args) - 1] if last else None
    piece = taking.tile_on(state, place)
    if not last or taking.fits(piece, end) or piece is None or end is None:
        return None
    text = f"{piece.words} on {action[0]} matches {end.words} neither in suit nor in value"
    return _refuse(Code.NOT_ALLOWED, "TULA-4.7", text, place=action[0], tile=piece.code, stack=end.code)


def _check_exchange(state: State, action: Action) -> Refusal | None:
    if refusal := _players_turn(state) or _place(state, action[0]):
        return refusal
    if why := taking.no_mercy(state):
        return _refuse(Code.NOT_ALLOWED, "TULA-9.1", f"no exchange: {why}", place=action[0])
    if taking.second_layer(state) >> taking.place_of(state, action[0]) & 1:
        return None
    text = f"{action[0]} is none of the face-up tiles of the layer below the top"
    return _refuse(Code.NOT_ALLOWED, "TULA-9.1", text, place=action[0])


def _check_demerit(state: State, _: Action) -> Refusal | None:
    if refusal := _players_turn(state):
        return refusal
    if taking.can_demerit(state):
        return None
    text = "bringing the bottom tile up is for who is stuck, with that option, and where it helps"
    return _refuse(Code.NOT_ALLOWED, "TULA-9.4", text)


CHECKS: dict[str, Callable[[State, Action], Refusal | None]] = {
    "start": _check_start,
    "reveal": _check_reveal,
    "show": _check_show,
    "remove": _check_remove,
    "exchange": _check_exchange,
    "demerit": _check_demerit,
}

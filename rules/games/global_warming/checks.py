"""Why an action may not be done, with the facts in words. Arguments may be absurd."""

from __future__ import annotations

from collections.abc import Callable

from rules.engine import Action, Code, Refusal
from rules.games.global_warming import sealed, sinking, stepping
from rules.games.global_warming.cells import is_cell, island, near
from rules.games.global_warming.opening import (
    ACTIONS,
    COIN_INDEX,
    DEAL,
    ENDED,
    LINE,
    SELECT,
    SINK,
    START,
    TILE_INDEX,
    State,
)
from rules.games.global_warming.play import free_tiles, split
from rules.pieces import parse_piece

_PHASES = {
    "deal_island": (DEAL,),
    "draw_start": (START,),
    "open_line": (LINE,),
    "commit": (SELECT,),
    "reveal": (SELECT,),
    "resign": (SELECT,),
    "set_handler": (START, LINE, SELECT),
    "move_pawns": (ACTIONS,),
    "arrange": (ACTIONS,),
    "move_tile": (ACTIONS,),
    "decline": (ACTIONS,),
    "sink": (SINK,),
}
_PHASE_WORDS = {
    DEAL: ("the tiles are being laid", "GW-3.1"),
    START: ("the starting coins are being drawn", "GW-3.3"),
    LINE: ("the line of coins is being laid", "GW-3.6"),
    SELECT: ("the dice are being set in secret", "GW-4.1"),
    ACTIONS: ("the uncovered dice are acting one after the other", "GW-4.4"),
    SINK: ("a tile is sinking", "GW-4.12"),
    ENDED: ("the game is over", "GW-5.3"),
}


def check(state: State, action: Action, seat: int | None) -> Refusal | None:
    if state.phase not in _PHASES[action.verb]:
        words, clause = _PHASE_WORDS[state.phase]
        text = f"{action.verb} is not possible now: {words}"
        return Refusal(Code.WRONG_PHASE, clause, text, {"phase": state.phase})
    return _CHECKS[action.verb](state, action, seat)


def _deal(state: State, action: Action, _seat: int | None) -> Refusal | None:
    codes = split(action[0])
    unknown = next((code for code in codes if code not in TILE_INDEX), None)
    if unknown is not None:
        text = f"{unknown[:20]!r} is no tile; write for example tS4"
        return Refusal(Code.NO_SUCH_PIECE, "GW-3.1", text, {"given": unknown[:20]})
    if len(codes) != len(set(codes)):
        return Refusal(Code.REPEATS, "GW-3.1", "a tile is named twice; each of the 24 tiles exists once", {})
    cells = island(state.options.setup)
    if len(codes) != len(cells):
        text = f"{len(codes)} tiles are named; the island has {len(cells)}"
        return Refusal(Code.BAD_ARGUMENT, "GW-3.1", text, {"given": len(codes), "wanted": len(cells)})
    return None


def _start(state: State, action: Action, _seat: int | None) -> Refusal | None:
    codes = split(action[0])
    waiting = state.pawns.count("")
    if not 1 <= len(codes) <= waiting:
        text = f"{len(codes)} coins are named; {waiting} pawns are waiting for one each"
        return Refusal(Code.LIMIT, "GW-3.3", text, {"given": len(codes), "waiting": waiting})
    taken = set(state.pawns)
    for code in codes:
        if code not in COIN_INDEX:
            text = f"{code[:20]!r} is no coin; write for example cS4"
            return Refusal(Code.NO_SUCH_PIECE, "GW-3.3", text, {"given": code[:20]})
        if state.tiles[COIN_INDEX[code]] in taken:
            text = f"{parse_piece(code).words} has been drawn already; drawn coins stay out until all pawns stand"
            return Refusal(Code.REPEATS, "GW-3.3", text, {"coin": code})
        taken.add(state.tiles[COIN_INDEX[code]])
    return None


def _handler(state: State, action: Action, _seat: int | None) -> Refusal | None:
    seats = [str(seat) for seat in sorted(set(state.owners))]
    if action[0] not in seats:
        text = f"there is no seat {action[0][:20]!r}; seats are {', '.join(seats)}"
        return Refusal(Code.BAD_ARGUMENT, "GW-3.5", text, {"seats": seats})
    if int(action[0]) == state.handler:
        return Refusal(Code.REPEATS, "GW-3.5", f"seat {action[0]} draws the coins already", {"seat": action[0]})
    if state.options.handler == "fixed" and state.phase == SELECT:
        text = "who draws the coins was chosen before the line was laid, and stays so"
        return Refusal(Code.NOT_ALLOWED, "GW-R8", text, {"handler": state.handler})
    return None


def _resign(state: State, _action: Action, seat: int | None) -> Refusal | None:
    if not state.options.resign:
        return Refusal(Code.NOT_ALLOWED, "GW-R14", "giving up is not among the options of this game", {})
    if seat not in state.survivors:
        return Refusal(Code.NOT_YOURS, "GW-R14", f"seat {seat} has no pawn on the island", {"seat": seat})
    return None


def _face(state: State) -> str:
    return state.faces[state.order[0]]


def _needs_number(state: State) -> Refusal | None:
    if _face(state) != "n":
        return None
    text = "the die shows the blank: it moves a tile, not pawns"
    return Refusal(Code.NOT_ALLOWED, "GW-4.9", text, {"face": "n"})


def _move_pawns(state: State, action: Action, _seat: int | None) -> Refusal | None:
    return _needs_number(state) or stepping.check_steps(state, action[0])


def _arrange(state: State, action: Action, _seat: int | None) -> Refusal | None:
    return _needs_number(state) or stepping.check_arrangement(state, action[0])


def _needs_blank(state: State) -> Refusal | None:
    if _face(state) == "n":
        return None
    text = f"the die shows {_face(state)}: it moves pawns, not tiles"
    return Refusal(Code.NOT_ALLOWED, "GW-4.5", text, {"face": _face(state)})


def _decline(state: State, _action: Action, _seat: int | None) -> Refusal | None:
    if _face(state) != "n":
        text = f"the die shows {_face(state)}: the full number of steps is compulsory"
        return Refusal(Code.MUST_MOVE, "GW-4.7", text, {"face": _face(state)})
    if not state.options.blank_optional:
        return Refusal(Code.MUST_MOVE, "GW-R2", "in this game the blank must move a tile", {})
    return None


def _move_tile(state: State, action: Action, _seat: int | None) -> Refusal | None:
    return _needs_blank(state) or _lift(state, action[0]) or _lay(state, *action.args)


def _lift(state: State, source: str) -> Refusal | None:
    if source in free_tiles(state.tiles, state.pawns):
        return None
    if source in state.pawns:
        owner = state.suits[state.pawns.index(source)]
        text = f"the {owner} pawn stands on {source}; only a tile without a pawn can be moved"
        return Refusal(Code.PROTECTED, "GW-4.9", text, {"place": source, "pawn": owner.value})
    return Refusal(Code.EMPTY, "GW-4.9", f"there is no tile on {source[:20]!r}", {"place": source[:20]})


def _lay(state: State, source: str, target: str) -> Refusal | None:
    facts = {"from": source, "to": target[:20]}
    if not is_cell(target):
        return Refusal(Code.NO_SUCH_PLACE, "GW-2.3", f"{target[:20]!r} is no cell; write for example 2/1", facts)
    if target == source:
        return Refusal(Code.REPEATS, "GW-R4", f"the tile must go to another cell than {source}", facts)
    if target in state.tiles:
        return Refusal(Code.OCCUPIED, "GW-4.9", f"there is a tile on {target} already", facts)
    neighbours = [place for place in near(target) if place in state.tiles]
    if neighbours == [source]:
        text = f"{target} touches only {source}, where the tile comes from; without it there is no neighbour"
        return Refusal(Code.NO_CONTACT, "GW-4.10", text, facts)
    if not neighbours:
        text = f"{target} shares no edge with another tile; a corner is not enough"
        return Refusal(Code.NO_CONTACT, "GW-4.9", text, facts)
    return None


_CHECKS: dict[str, Callable[[State, Action, int | None], Refusal | None]] = {
    "deal_island": _deal,
    "draw_start": _start,
    "open_line": sinking.check_open,
    "commit": sealed.check_commit,
    "reveal": sealed.check_reveal,
    "resign": _resign,
    "set_handler": _handler,
    "move_pawns": _move_pawns,
    "arrange": _arrange,
    "move_tile": _move_tile,
    "decline": _decline,
    "sink": sinking.check_sink,
}

"""Described positions and shorthands (last section of rulebook.md)."""

from __future__ import annotations

from collections.abc import Mapping

from rules.engine import Action, Seat
from rules.engine.fields import a_list, a_number, a_seat, an_object, apart, no_such, one_of, refuse_unknown, unfit
from rules.engine.values import replace
from rules.games.global_warming.cells import COMPASS, island, read_cell
from rules.games.global_warming.coins import SIDES, is_possible, side_of
from rules.games.global_warming.opening import (
    COINS,
    LINE_LENGTH,
    MISSING,
    TILE_INDEX,
    TILES,
    Options,
    Phase,
    State,
    opening_state,
)
from rules.games.global_warming.turns import acting_order, next_actor
from rules.pieces import coin, parse_rank, parse_suit

FIELDS = ("island", "pawns", "line", "retired", "faces", "phase", "handler", "turn", "bag")


def read_position(data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
    refuse_unknown("global_warming", data, FIELDS)
    if "faces" not in data:
        one_of("phase", data.get("phase", Phase.SELECT), (Phase.SELECT, Phase.SINK, Phase.ENDED))
    start = opening_state(options, seats)
    tiles = _read_island(data.get("island"), options)
    for code in a_list("retired", data.get("retired", []), '["S4"]'):
        tiles[_index(code)] = ""
    sunk = tuple(index for index, place in enumerate(tiles) if not place)
    state = replace(
        start,
        tiles=tuple(tiles),
        sunk=sunk,
        pawns=_read_pawns(data.get("pawns", {}), start),
        line=_read_line(data.get("line"), sunk),
        handler=a_number("handler", data.get("handler", 0), 0, len(seats) - 1),
        turn=a_number("turn", data.get("turn", len(sunk) + 1), 0, 24),
        phase=Phase.SELECT,
    )
    _check(state, data.get("bag"))
    return _in_phase(state, data)


def _index(code: object) -> int:
    """The tile or coin S4, tS4 or cS4."""
    name = "t" + str(code).strip().lstrip("tc")
    name = name[:2] + str(int(parse_rank(name[2:]))) if len(name) > 2 else name
    if name not in TILE_INDEX:
        raise no_such("tile", code, "S4")
    return TILE_INDEX[name]


def _read_island(value: object, options: Options) -> list[str]:
    """A mapping of tiles to cells, or a list of cells, which are given to the tiles Sn, Sa, S2, ... in this order."""
    if value is None:
        return list(island(options.setup))
    tiles = [""] * len(TILES)
    if isinstance(value, Mapping):
        for code, place in value.items():
            tiles[_index(code)] = read_cell(place)
    else:
        for index, place in enumerate(a_list("island", value, "[[0, 0], [1, 0]]")[: len(TILES)]):
            tiles[index] = read_cell(place)
    cells = [place for place in tiles if place]
    apart("tiles of the island", cells)
    if not cells:
        raise ValueError("island must have a tile")
    return tiles


def _read_pawns(value: object, start: State) -> tuple[str, ...]:
    pawns = an_object("pawns", value, '{"S": [0, 2], "M": [2, 4]}')
    given = {a_seat("pawns", suit, start.suits): read_cell(at) for suit, at in pawns.items() if at is not None}
    return tuple(given.get(seat, "") for seat in range(len(start.suits)))


def _read_side(value: object) -> str:
    """S or cS? shows a suit; 3, n, a or c?3 shows a value."""
    text = str(value).strip()
    if text in SIDES:
        return text
    if text in ("S", "M", "C", "A") or len(text) > 4:
        return coin(parse_suit(text)).code
    return coin(None, parse_rank(text)).code


def _read_line(value: object, sunk: tuple[int, ...]) -> tuple[str, ...]:
    left = [index for index in range(len(COINS)) if index not in sunk]
    if value is None:
        return tuple(side_of(index, True) for index in left[:LINE_LENGTH])
    return tuple(_read_side(item) for item in a_list("line", value, '["S", "3"]'))


def _check(state: State, bag: object) -> None:
    standing = [place for place in state.pawns if place]
    apart("pawns", standing)
    for suit, place in zip(state.suits, state.pawns, strict=True):
        if place and place not in state.tiles:
            raise ValueError(f"the {suit} pawn cannot stand on {place}: there is no tile any more")
    if not standing:
        raise ValueError("at least one pawn must be on the island")
    wanted = min(LINE_LENGTH, len(COINS) - len(state.sunk))
    if len(state.line) != wanted:
        raise unfit("line", f"a list of {wanted}", state.line)
    if not is_possible(state.line, state.sunk):
        raise ValueError("the coins that have not been retired cannot show this line")
    if bag is not None and bag != state.bag:
        raise unfit("bag", str(state.bag), bag)


def _in_phase(state: State, data: Mapping[str, object]) -> State:
    """The state in its phase: won by a single pawn, unless the position names another."""
    if "faces" in data:
        value = an_object("faces", data["faces"], '{"S": "n", "M": "5"}')
        given = {parse_suit(str(suit)): parse_rank(str(face)).letter for suit, face in value.items()}
        alive = state.alive
        faces = tuple(given.get(s, MISSING) if index in alive else "" for index, s in enumerate(state.suits))
        shown = tuple(face if face != MISSING else "" for face in faces)
        return next_actor(replace(state, shown=shown, order=acting_order(faces), faces=faces))
    phase = data.get("phase", Phase.SELECT if len(state.survivors) > 1 else Phase.ENDED)
    if phase == Phase.ENDED and len(state.survivors) <= 1:
        return replace(state, phase=Phase.ENDED)
    return replace(state, phase=one_of("phase", phase, (Phase.SELECT, Phase.SINK)))


def read_shorthand(state: State, text: str) -> Action | None:
    """ "0/0-2/2" moves a tile, "SE SN" moves pawns; a face alone is no action, since it needs its die."""
    words = text.replace(" - ", " ").split()
    if len(words) == 1 and text.count("-") and "/" in text:
        words = _two_cells(text)
    if len(words) == 2 and all("/" in word for word in words):
        try:
            return Action("move_tile", (read_cell(words[0]), read_cell(words[1])))
        except ValueError:
            return None
    letters = {suit.letter for suit in state.suits}
    if words and all(len(w) == 2 and w[0] in letters and w[1] in COMPASS for w in words):
        return Action("move_pawns", ("+".join(words),))
    return None


def _two_cells(text: str) -> list[str]:
    """Both cells of a move; in "0/0--1/1" the second - is a minus."""
    middle = text.find("-", text.find("/") + 2)
    return [text[:middle], text[middle + 1 :]] if middle > 0 else [text]

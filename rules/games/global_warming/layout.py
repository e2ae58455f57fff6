"""Layout, its text diagram, and the texts of actions.

A cell is two spaces wide; the line of coins lies to the south of the island.
"""

from __future__ import annotations

from rules.engine import Action, Spot
from rules.engine.action import with_articles
from rules.games.global_warming.cells import COMPASS, cell, island, point, shore
from rules.games.global_warming.coins import SIDES, shows_suit, visible_piece
from rules.games.global_warming.opening import COINS, IDENTITIES, LINE_LENGTH, MISSING, TILES, Phase, State
from rules.games.global_warming.turns import FACES, NO_COIN, split
from rules.pieces import RANKS, SUITS, Face, coin, die, parse_rank, pawn, tile
from rules.table.build import LayoutBuilder
from rules.table.layout import Layout, Zone

_WAYS = dict(zip(COMPASS, ("north", "east", "south", "west"), strict=True))
_NAMES = {suit.letter: suit.value for suit in SUITS}
_WIDE = 7


def describe(action: Action) -> str | None:
    """A sentence for an action whose arguments are lists of codes; None for other actions and unreadable arguments."""
    items = split(action.args[0]) if action.args else []
    if not all(item[:1] in _NAMES and len(item) > 1 for item in items):
        return None
    if action.verb == "move_pawns":
        return "move " + ", ".join(f"the {_NAMES[item[0]]} pawn {_WAYS.get(item[1], '?')}" for item in items)
    if action.verb == "arrange":
        return "move " + (", ".join(f"the {_NAMES[i[0]]} pawn to {i[2:]}" for i in items) or "back and forth")
    if action.verb == "reveal":
        return "the dice show " + ", ".join(f"{_NAMES[i[0]]} {_face_word(i[1:])}" for i in items)
    return None


def _face_word(face: str) -> str:
    try:
        return "nothing" if face == MISSING else parse_rank(face).word
    except ValueError:
        return face


def side_word(side: str) -> str:
    """Visible side of a coin as people say it: suns, or a 3; empty where there is no coin."""
    if side not in SIDES:
        return "none" if side in NO_COIN else side
    piece = visible_piece(side)
    return piece.suit.value if piece.suit else with_articles(f"a {piece.rank.word if piece.rank is not None else '?'}")


def picture(state: State) -> str:
    """One line for every row of cells, the northern first; then the coins and the dice."""
    rows = ["all tiles face down"] if state.phase == Phase.DEAL else _rows(state)
    dice = [f"{suit.letter} {face or '.'}" for suit, face in zip(state.suits, state.faces, strict=True)]
    line = " ".join(f"({_side(side)})" for side in state.line) or "none"
    rows.append(f"line from the left: {line}; in the bag: {state.bag}; dice: {', '.join(dice)}")
    if state.sunk:
        rows.append("sunk: " + " ".join(_tile(index) for index in state.sunk))
    return "\n".join(rows)


def _side(side: str) -> str:
    piece = visible_piece(side)
    if piece.suit:
        return piece.suit.value
    return piece.rank.letter if piece.rank is not None else "?"


def _tile(index: int) -> str:
    suit, rank = IDENTITIES[index]
    return suit.letter + rank.letter


def _rows(state: State) -> list[str]:
    cells = {point(place): _cell(state, index, place) for index, place in enumerate(state.tiles) if place}
    columns = range(min(x for x, _ in cells), max(x for x, _ in cells) + 1)
    levels = range(max(y for _, y in cells), min(y for _, y in cells) - 1, -1)
    found = [_row(f"y={y}", [cells.get((x, y), ".") for x in columns]) for y in levels]
    return [*found, _row("", [f"x={x}" for x in columns])]


def _row(name: str, items: list[str]) -> str:
    return f"{name:<{_WIDE}}" + "".join(f"{item:<{_WIDE}}" for item in items).rstrip()


def _cell(state: State, index: int, place: str) -> str:
    """The tile and its pawns."""
    name = _tile(index)
    return f"{name}@{state.suits[state.pawns.index(place)].letter}" if place in state.pawns else name


LINE_Y = -5.0


def centre(place: str) -> tuple[float, float]:
    x, y = point(place)
    return 2.0 * x + 1, 2.0 * y + 1


def cell_at(x: float, y: float) -> str:
    """Cell that contains a point of the table."""
    return cell(round((x - 1) / 2), round((y - 1) / 2))


def spot(place: str) -> Spot:
    return Spot(place, *centre(place))


def line_spot(drawn: int) -> Spot:
    """Spot of the coin with this number. The line is not closed up after a coin sinks: it moves to the right."""
    return Spot(f"line{drawn + 1}", 1.0 + drawn, LINE_Y)


def layout_of(state: State) -> Layout:
    build = LayoutBuilder()
    _put_tiles(build, state)
    playing = set(state.alive)
    for index, (suit, place) in enumerate(zip(state.suits, state.pawns, strict=True)):
        piece, owner = pawn(suit), state.owners[index]
        if place:
            build.put(piece, *centre(place), key=piece.code, level=1, place=place, seat=owner)
        else:
            zone = Zone.HAND if index in playing else Zone.SPENT
            build.aside(zone, piece, key=piece.code, seat=owner)
    for index, (suit, face) in enumerate(zip(state.suits, state.shown, strict=True)):
        top = RANKS[FACES.index(face)] if face else None
        zone = Zone.HAND if index in playing else Zone.SPENT
        build.aside(zone, die(suit, top), key=f"d{suit.letter}", seat=state.owners[index])
    _put_coins(build, state)
    return build.layout()


def _put_tiles(build: LayoutBuilder, state: State) -> None:
    if not state.tiles:
        for number, place in enumerate(island(state.options.setup)):
            build.put(tile(), *centre(place), key=f"tile{number}", face=Face.BACK, place=place)
            build.place(place, *centre(place), 2.0, 2.0)
        return
    for piece, place in zip(TILES, state.tiles, strict=True):
        if place:
            build.put(piece, *centre(place), key=piece.code, face=Face.FRONT, place=place)
            build.place(place, *centre(place), 2.0, 2.0)
    for index in state.sunk:
        build.aside(Zone.SPENT, TILES[index], key=TILES[index].code, face=Face.FRONT)
    for place in shore([place for place in state.tiles if place]):
        build.place(place, *centre(place), 2.0, 2.0)


def _put_coins(build: LayoutBuilder, state: State) -> None:
    """Coins of the line, keyed by the order in which they were drawn, which reveals nothing."""
    for number, index in enumerate(state.sunk):
        build.aside(Zone.SPENT, COINS[index], key=f"coin{number}", face=Face.FRONT)
    first, end = len(state.sunk), len(state.sunk) + len(state.line)
    for number in range(first, max(end, LINE_LENGTH) + (1 if state.bag else 0)):
        build.place(line_spot(number).name, 1.0 + number, LINE_Y)
    for number, side in enumerate(state.line, first):
        face = Face.BACK if shows_suit(side) else Face.FRONT
        where = line_spot(number)
        build.put(visible_piece(side), 1.0 + number, LINE_Y, key=f"coin{number}", face=face, place=where.name)
    for number in range(end, len(COINS)):
        build.aside(Zone.SUPPLY, coin(), key=f"coin{number}")

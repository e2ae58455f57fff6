"""Actions as sentences, and the island as text."""

from __future__ import annotations

from rules.engine import Action
from rules.engine.action import articled
from rules.games.global_warming.cells import COMPASS, point
from rules.games.global_warming.coins import SIDES, shown
from rules.games.global_warming.opening import DEAL, MISSING, TILES, State
from rules.games.global_warming.turns import NO_COIN, split
from rules.pieces import SUITS, parse_rank

_WAYS = dict(zip(COMPASS, ("north", "east", "south", "west"), strict=True))
_NAMES = {suit.letter: suit.value for suit in SUITS}
_WIDE = 7


def describe(action: Action) -> str | None:
    """A sentence for the actions whose arguments are lists of codes; None for the others, also for odd ones."""
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
    """The side of a coin as people say it: suns, or a 3; nothing where there is no coin."""
    if side not in SIDES:
        return "none" if side in NO_COIN else side
    piece = shown(side)
    return piece.suit.value if piece.suit else articled(f"a {piece.rank.word if piece.rank is not None else '?'}")


def picture(state: State) -> str:
    """One line for every row of cells, the northern first; then the coins and the dice."""
    rows = ["all tiles face down"] if state.phase == DEAL else _rows(state)
    dice = [f"{suit.letter} {face or '.'}" for suit, face in zip(state.suits, state.faces, strict=True)]
    line = " ".join(f"({_side(side)})" for side in state.line) or "none"
    rows.append(f"line from the left: {line}; in the bag: {state.bag}; dice: {', '.join(dice)}")
    if state.sunk:
        rows.append("sunk: " + " ".join(_tile(index) for index in state.sunk))
    return "\n".join(rows)


def _side(side: str) -> str:
    piece = shown(side)
    if piece.suit:
        return piece.suit.value
    return piece.rank.letter if piece.rank is not None else "?"


def _tile(index: int) -> str:
    suit, rank = TILES[index].suit, TILES[index].rank
    return f"{suit.letter if suit else '?'}{rank.letter if rank is not None else '?'}"


def _rows(state: State) -> list[str]:
    cells = {point(place): _cell(state, index, place) for index, place in enumerate(state.tiles) if place}
    columns = range(min(x for x, _ in cells), max(x for x, _ in cells) + 1)
    levels = range(max(y for _, y in cells), min(y for _, y in cells) - 1, -1)
    found = [_row(f"y={y}", [cells.get((x, y), ".") for x in columns]) for y in levels]
    return [*found, _row("", [f"x={x}" for x in columns])]


def _row(name: str, items: list[str]) -> str:
    return f"{name:<{_WIDE}}" + "".join(f"{item:<{_WIDE}}" for item in items).rstrip()


def _cell(state: State, index: int, place: str) -> str:
    """The tile and who stands on it."""
    name = _tile(index)
    return f"{name}@{state.suits[state.pawns.index(place)].letter}" if place in state.pawns else name

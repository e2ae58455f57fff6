"""Layout of Dectana, also as text, and the names of its pieces in layout and effects."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from rules.engine import Spot
from rules.engine.open_grid import Cell, name_of
from rules.engine.values import replace
from rules.games.dectana.opening import PITCH, SIZES, UNKNOWN, Phase, Pyramid, State, pyramid_key
from rules.pieces import Face, Piece, Pose, card, pyramid
from rules.pieces.piece import LOONEY_SIZES
from rules.table.build import LayoutBuilder
from rules.table.layout import Layout, Placed, Zone, bounds

FIFTH = "white"  # the colour of a fifth player, who has no suit
PILE = Spot("draw pile", zone=Zone.SUPPLY)
DISCARD = Spot("discard pile", zone=Zone.SPENT)


def card_piece(mark: str) -> Piece:
    return card(None if mark == UNKNOWN else mark)


def pyramid_piece(state: State, seat: int, size: int) -> Piece:
    suit = state.suits[seat]
    return pyramid(suit, LOONEY_SIZES[size - 1], None if suit else FIFTH)


def spot(cell: Cell) -> Spot:
    return Spot(name_of(cell), cell[0] * PITCH, cell[1] * PITCH)


def hand(seat: int) -> Spot:
    return Spot(zone=Zone.HAND, seat=seat)


def stash(seat: int) -> Spot:
    return Spot(zone=Zone.SUPPLY, seat=seat)


_ANGLES = {"U": 0.0, "N": 0.0, "W": 90.0, "S": 180.0, "E": 270.0}
_STEP = 0.9  # between pyramids that share a space


def layout_of(state: State) -> Layout:
    build = LayoutBuilder()
    ground = state.ground
    for (x, y), cards in sorted(ground.cards.items()):
        for level, mark in enumerate(cards):
            angle = 90.0 * ((x + y) % 2)  # portrait and landscape like a chessboard (DEC-2.7)
            name = name_of((x, y))
            piece, key = card_piece(mark), f"card-{name}-{level}"
            build.put(piece, x * PITCH, y * PITCH, key=key, face=Face.FRONT, angle=angle, level=level, place=name)
    standing: dict[Cell, list[Pyramid]] = defaultdict(list)
    for each in state.pyramids:
        standing[each.cell].append(each)
    for cell in [*sorted(ground.cards), *sorted(ground.wasteland)]:
        build.place(name_of(cell), cell[0] * PITCH, cell[1] * PITCH, PITCH, PITCH)
        _put_pyramids(build, state, cell, standing[cell], level=len(ground.cards.get(cell, ())))
    _put_stashes(build, state)
    for seat, hand in enumerate(state.hands):
        for index, held in enumerate(hand):
            key = f"hand{seat}-{index}"
            build.aside(Zone.HAND, card_piece(held.mark), key=key, seat=seat, face=Face.BACK)
    if state.use and state.use.card:
        build.aside(Zone.HAND, card_piece(state.use.card), key="in-use", seat=state.to_act, face=Face.FRONT)
    layout = build.layout()
    return replace(layout, pieces=(*layout.pieces, *_heaps(state, layout)))


def _put_pyramids(build: LayoutBuilder, state: State, cell: Cell, pyramids: list[Pyramid], level: int) -> None:
    """Pyramids of a space in three rows of three: their places within the space do not matter (DEC-2.6)."""
    for index, standing in enumerate(pyramids):
        column, row = (index + 1) % 3 - 1, (index // 3 + 1) % 3 - 1
        build.put(
            pyramid_piece(state, standing.seat, standing.size),
            cell[0] * PITCH + column * _STEP,
            cell[1] * PITCH + row * _STEP,
            key=standing.key,
            angle=_ANGLES[standing.orient],
            level=level,
            pose=Pose.FLAT if standing.is_flat else Pose.UPRIGHT,
            place=name_of(cell),
            seat=standing.seat,
        )


def _put_stashes(build: LayoutBuilder, state: State) -> None:
    for seat, size in product(range(state.seats), SIZES):
        for number in state.stash(seat, size):
            piece, key = pyramid_piece(state, seat, size), pyramid_key(seat, size, number)
            build.aside(Zone.SUPPLY, piece, key=key, seat=seat, pose=Pose.UPRIGHT)


def _heaps(state: State, layout: Layout) -> tuple[Placed, ...]:
    """The draw pile and the discard pile, north-east of the board, each card on the one before."""
    _, _, east, north = bounds(layout.board)
    x = east + 3 * PITCH
    drawn = _heap("pile", (UNKNOWN,) * state.pile, x, north, Face.BACK, Zone.SUPPLY)
    return drawn + _heap("discard", state.discard, x + PITCH, north, Face.FRONT, Zone.SPENT)


@lru_cache(maxsize=64)
def _heap(name: str, marks: tuple[str, ...], x: float, y: float, face: Face, zone: Zone) -> tuple[Placed, ...]:
    """A heap from its lowest card upwards; cached, since most positions of a game share it."""
    return tuple(
        Placed(card_piece(mark), f"{name}-{level}", x, y, face, level=level, zone=zone)
        for level, mark in enumerate(marks)
    )


_WIDE = 17


def diagram_of(state: State) -> str:
    """The spaces as a table, north at the top: cards, then pyramids; below it the pieces beside the board in words."""
    lines = list(_table_lines(state)) if state.piles else []
    lines += list(_aside_lines(state))
    return "\n".join(lines)


def _table_lines(state: State) -> Iterator[str]:
    cells = [*state.ground.cards, *state.ground.wasteland]
    columns = range(min(x for x, _ in cells), max(x for x, _ in cells) + 1)
    rows = range(min(y for _, y in cells), max(y for _, y in cells) + 1)
    rule = "     +" + "+".join("-" * _WIDE for _ in columns) + "+"
    for y in reversed(rows):
        yield rule
        blocks = [_block(state, (x, y)) for x in columns]
        height = max(map(len, blocks))
        for line in range(height):
            head = f"y={y:<2} " if line == 0 else "     "
            texts = (block[line] if line < len(block) else "" for block in blocks)
            yield head + "|" + "|".join(f" {text:<{_WIDE - 1}}" for text in texts) + "|"
    yield rule
    yield "      " + " ".join(f"{f'x={x}':^{_WIDE}}" for x in columns).rstrip()


def _block(state: State, cell: Cell) -> list[str]:
    """One space: its cards, the top one first, then its pyramids, up to three in a line."""
    cards = state.ground.cards.get(cell)
    if cards:
        below = f" over {' '.join(reversed(cards[:-1]))}" if len(cards) > 1 else ""
        lines = [f"{cards[-1]}{below}"[: _WIDE - 1]]
    else:
        lines = ["wasteland" if cell in state.ground.wasteland else ""]
    tokens = [token(pyramid) for pyramid in state.at(cell)]
    lines += [" ".join(tokens[i : i + 3]) for i in range(0, len(tokens), 3)] or [""]
    return lines


_ARROWS = {"U": "▲", "N": "^", "E": ">", "S": "v", "W": "<"}


def token(pyramid: Pyramid) -> str:
    """p0▲3 is a large upright pyramid of seat 0, p1>1 a small one pointing east."""
    return f"p{pyramid.seat}{_ARROWS[pyramid.orient]}{pyramid.size}"


def _aside_lines(state: State) -> Iterator[str]:
    for seat, hand in enumerate(state.hands):
        cards = " ".join(held.mark + ("!" if held.public else "") for held in hand) or "none"
        stash = " ".join(f"{len(list(state.stash(seat, size)))}x{size}" for size in SIZES)
        suit = state.suits[seat]
        yield f"seat {seat} {suit or 'white'}: {state.scores()[seat]} points; hand {cards}; stash {stash}"
    top = state.discard[-1] if state.discard else "empty"
    yield f"draw pile {state.pile}, discard pile {len(state.discard)} ({top}), reshuffles {state.reshuffles}"
    use = state.use
    doing = f", {use.suit} of {use.card or name_of(use.cell or (0, 0))}, {use.left} left" if use else ""
    yield f"{state.stage.value}{'' if state.stage is Phase.OVER else f', seat {state.to_act}'}{doing}"

"""Layout of San Andreas, also as text."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine.open_grid import Cell, name_of
from rules.games.san_andreas.geometry import TILES, TOP, Terrain, cells_of, east_end
from rules.games.san_andreas.opening import COINS, Phase, State
from rules.pieces import SUITS, Face, coin, die, pawn, tile
from rules.table.build import LayoutBuilder
from rules.table.diagram import Canvas
from rules.table.layout import Layout, Zone


def layout_of(state: State) -> Layout:
    build = LayoutBuilder()
    ground = state.terrain
    for name in bottom_up(ground, state.above):
        x, y = ground.tiles[name]
        level = max(ground.supports(name))
        lean = ground.leans[name]
        build.put(tile(), x + 0.5, y + 0.5, key=name, face=Face.BACK, level=level, lean=lean, place=name)
    for cell in sorted(ground.stacks):
        if ground.top(cell):
            build.place(name_of(cell), *cell)
    for index, city in enumerate(state.cities):
        cell = state.cell(city)
        turned = state.phase is Phase.SWAP and index == state.waiting[0]
        level = len(state.terrain.stacks[cell])
        face = Face.FRONT if turned else Face.BACK
        piece = coin(city.coin.suit, city.coin.value)
        build.put(piece, *cell, key=city.coin.key, face=face, level=level, place=name_of(cell))
    _put_pawns(build, state)
    _put_aside(build, state)
    for line in borders():
        build.border(*line)
    return build.layout()


def bottom_up(ground: Terrain, above: tuple[tuple[str, str], ...]) -> list[str]:
    """Tiles in an order in which each lies on those before it, as far as they overlap."""
    lower: dict[str, set[str]] = {name: set() for name in ground.tiles}
    for upper, beneath in above:
        lower.setdefault(upper, set()).add(beneath)
    order: list[str] = []
    done: set[str] = set()

    def lay(plate: str) -> None:
        if plate not in done:
            done.add(plate)
            for beneath in sorted(lower.get(plate, ())):
                lay(beneath)
            order.append(plate)

    for name in list(lower):
        lay(name)
    return [plate for plate in order if plate in ground.tiles]


def _put_pawns(build: LayoutBuilder, state: State) -> None:
    for suit, stands in zip(SUITS, state.pawns, strict=True):
        if stands is None:
            build.aside(Zone.SUPPLY, pawn(suit), key=f"pawn-{suit}")
            continue
        cell = state.cell(stands)
        level = len(state.terrain.stacks[cell])
        build.put(pawn(suit), *cell, key=f"pawn-{suit}", level=level, place=name_of(cell))


def _put_aside(build: LayoutBuilder, state: State) -> None:
    for suit, seat, founded in zip(state.suits, state.owners, state.founded, strict=True):
        for number in range(founded, COINS):
            build.aside(Zone.HAND, coin(suit), key=f"{suit}-coin{number}", seat=seat, face=Face.BACK)
    for ruin in state.ruins:
        seat = state.owner(ruin.suit)
        build.aside(Zone.SPENT, coin(ruin.suit, ruin.value), key=ruin.key, seat=seat, face=Face.BACK)
    for suit, top in zip(SUITS, state.dice, strict=True):
        build.aside(Zone.SUPPLY, die(suit, top), key=f"die-{suit}")
    for name, corner in zip(TILES, state.tiles, strict=True):
        if corner is None:
            build.aside(Zone.SPENT, tile(), key=name, face=Face.BACK)


def borders() -> Iterator[tuple[float, float, float, float]]:
    """Lines of the land border: north, the staircase in the east, south."""
    yield 0.5, TOP + 0.5, east_end(TOP) + 0.5, TOP + 0.5
    for y in range(TOP, 0, -1):
        x = east_end(y) + 0.5
        yield x, y + 0.5, x, y - 0.5
        further = east_end(y - 1) + 0.5
        if further != x:
            yield min(x, further), y - 0.5, max(x, further), y - 0.5


def diagram_of(state: State) -> str:
    """The map from above; in words the leaning, covered and stacked tiles that a drawing cannot show."""
    lines = [str(_map(state)), *_words_of_ground(state), *_words_of_seats(state)]
    dice = [f"{suit.letter}{int(top)}" for suit, top in zip(SUITS, state.dice, strict=True) if top is not None]
    if dice:
        left = f", to resolve: {' '.join(suit.letter for suit in state.remaining)}" if state.remaining else ""
        lines.append(f"dice {' '.join(dice)}{left}")
    lines.append(f"{state.phase.value}, seat {state.to_act}")
    return "\n".join(lines)


def _map(state: State) -> Canvas:
    ground = state.terrain
    xs = [x for x, _ in ground.stacks] + [1, 10]
    ys = [y for _, y in ground.stacks] + [1, TOP]
    canvas = Canvas(min(xs) - 2, min(ys) - 2, max(xs) + 1.5, max(ys) + 1.5)
    for x in range(min(xs) - 1, max(xs) + 2):
        for y in range(min(ys) - 1, max(ys) + 2):
            if (x, y) not in ground.stacks:
                canvas.text(canvas.column(x), canvas.row(y), _empty_sign(ground, (x, y)))
    for name in bottom_up(ground, state.above):
        _draw_tile(canvas, ground, name)
    for city in state.cities:
        x, y = state.cell(city)
        canvas.text(canvas.column(x) - 1, canvas.row(y), f"({city.coin.suit.letter.lower()})")
    _draw_pawns(canvas, state)
    for y in range(min(ys), max(ys) + 1):
        canvas.text(0, canvas.row(y), f"{y:>2}")
    for x in range(min(xs), max(xs) + 1):
        canvas.text(canvas.column(x), canvas.height - 1, str(x))
    return canvas


def _empty_sign(ground: Terrain, cell: Cell) -> str:
    if ground.is_ocean(cell):
        return "~"
    inside = 1 <= cell[0] <= east_end(cell[1]) and cell[1] <= TOP
    return " " if inside else "#"


def _draw_tile(canvas: Canvas, ground: Terrain, name: str) -> None:
    x, y = ground.tiles[name]
    canvas.box(x - 0.5, y - 0.5, x + 1.5, y + 1.5)
    canvas.text(canvas.column(x - 0.5) + 2, canvas.row(y + 0.5), f"{name}{_arrows(ground.leans[name])}"[:6])
    for cell in cells_of((x, y)):
        if ground.stacks[cell][-1] == name_of(cell):
            canvas.text(canvas.column(cell[0]) - 1, canvas.row(cell[1]), "###")


def _arrows(lean: tuple[int, int]) -> str:
    """Arrows towards the raised sides."""
    east, north = lean
    return ("→" if east > 0 else "←" if east else "") + ("↑" if north > 0 else "↓" if north else "")


def _draw_pawns(canvas: Canvas, state: State) -> None:
    """Pawns in the right half of their space, so that a marker can lie beside a city."""
    for suit, stands in zip(SUITS, state.pawns, strict=True):
        if stands:
            x, y = state.cell(stands)
            canvas.text(canvas.column(x), canvas.row(y), f"♟{suit.letter}")


def _words_of_ground(state: State) -> Iterator[str]:
    ground = state.terrain
    for name in sorted(ground.tiles):
        stacks = [ground.stacks[cell] for cell in cells_of(ground.tiles[name])]
        under = sorted({plate for stack in stacks for plate in stack[: stack.index(name)]})
        if not under and ground.leans[name] == (0, 0):
            continue
        east, north = ground.leans[name]
        lean = f" leans ({east}, {north})" if (east, north) != (0, 0) else " is flat"
        on = ", ".join(plate if plate in ground.tiles else f"the border at {plate}" for plate in under)
        yield f"{name}{lean}{f' over {on}' if on else ''}{'' if any(ground.shown[name]) else ', wholly covered'}"
    covered = sorted(n for n in ground.tiles if not any(ground.shown[n]) and not max(ground.supports(n)))
    if covered:
        yield f"wholly covered: {' '.join(covered)}"


def _words_of_seats(state: State) -> Iterator[str]:
    for suit, seat, founded in zip(state.suits, state.owners, state.founded, strict=True):
        lost = sum(ruin.suit is suit for ruin in state.ruins)
        points = "1 point" if state.scores[seat] == 1 else f"{state.scores[seat]} points"
        yield f"{suit} (seat {seat}): {points}, {COINS - founded} in hand, {lost} destroyed"

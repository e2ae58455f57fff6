"""Layout: a cell is two spaces wide; a1 has its centre on (1, 1)."""

from __future__ import annotations

from rules.engine import Spot
from rules.games.ice_floe.geometry import NAMES, SIZE
from rules.games.ice_floe.opening import LETTERS, SET_NAMES, TILES, UNPLACED, Phase, State, first_floes
from rules.games.ice_floe.rounds import COIN_WORTH
from rules.pieces import SUITS, Face, Piece, Pose, Size, coin, die, parse_rank, pawn, pyramid
from rules.table.build import LayoutBuilder
from rules.table.layout import Layout, Zone

_OFF = 0.56
SPOT_OFFSETS = ((-_OFF, -_OFF), (_OFF, _OFF), (-_OFF, _OFF), (_OFF, -_OFF), (0.0, 0.0), (0.0, _OFF))


def centre(cell: int) -> tuple[float, float]:
    return 2.0 * (cell % SIZE) + 1, 2.0 * (cell // SIZE) + 1


def spot(cell: int) -> Spot:
    return Spot(NAMES[cell], *centre(cell))


def cell_at(x: float, y: float) -> int | None:
    """Cell that contains a point of the table."""
    file, rank = round((x - 1) / 2), round((y - 1) / 2)
    return rank * SIZE + file if 0 <= file < SIZE and 0 <= rank < SIZE else None


def pyramid_piece(state: State, index: int) -> Piece:
    return pyramid(state.suits[index // 6], Size(LETTERS[index % 6]))


def layout_of(state: State) -> Layout:
    build = LayoutBuilder()
    for cell, name in enumerate(state.floes):
        build.place(NAMES[cell], *centre(cell), 2.0, 2.0)
        if name:
            build.put(TILES[name], *centre(cell), key=TILES[name].code, face=Face.FRONT, place=NAMES[cell])
    for name in first_floes(state.players):
        if name and name not in state.floes:
            build.aside(Zone.SPENT, TILES[name], key=TILES[name].code, face=Face.FRONT)
    _put_pyramids(build, state)
    for seat in range(state.players):
        _put_own_things(build, state, seat)
    votes = state.ballot.votes if state.phase in (Phase.SUIT_COINS, Phase.SUIT_TIE) else ()
    for name in SET_NAMES if state.options.choose_sets else state.sets:
        owner = state.sets.index(name) if name in state.sets else None
        for suit in SUITS:
            piece = coin(suit, parse_rank(name))
            face = Face.BACK if votes and owner is not None and votes[owner] == suit.letter else Face.FRONT
            build.aside(Zone.SUPPLY if owner is None else Zone.HAND, piece, key=piece.code, seat=owner, face=face)
    return build.layout()


def _put_pyramids(build: LayoutBuilder, state: State) -> None:
    for index, cell in enumerate(state.pyramids):
        piece, owner = pyramid_piece(state, index), index // 6
        if cell >= 0:
            x, y = centre(cell)
            dx, dy = SPOT_OFFSETS[state.spots[index]]
            build.put(piece, x + dx, y + dy, key=piece.code, level=1, pose=Pose.UPRIGHT, place=NAMES[cell], seat=owner)
        else:
            zone = Zone.HAND if cell == UNPLACED else Zone.SPENT
            build.aside(zone, piece, key=piece.code, seat=owner, pose=Pose.UPRIGHT)


def _put_own_things(build: LayoutBuilder, state: State, seat: int) -> None:
    """Mascot, die and voting coins of each seat; a used coin has left the game."""
    suit = state.suits[seat]
    build.aside(Zone.HAND, pawn(suit), key=f"p{suit.letter}", seat=seat)
    top = parse_rank(state.dice[seat]) if state.dice[seat] else None
    build.aside(Zone.HAND, die(suit, top), key=f"d{suit.letter}", seat=seat)
    for letter, worth in COIN_WORTH.items():
        piece = coin(suit, parse_rank(letter))
        zone = Zone.HAND if state.coins[seat] & worth else Zone.SPENT
        build.aside(zone, piece, key=piece.code, seat=seat, face=Face.FRONT)

"""Tula: options, state and the temple at the start."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rules.engine import Seat, option
from rules.engine.card import SetupError
from rules.games.tula.temple import SETUPS, Temple, temple, uncovered
from rules.pieces import Piece, parse_rank, parse_suit, tile
from rules.pieces.piece import TILES
from rules.sentence import InputError, say, sentence_of


@dataclass(frozen=True, slots=True)
class Options:
    setup: str = option("original", "which temple is built", choices=SETUPS, clause="TULA-3.2")
    mercy: bool = option(False, "one exchange, if the first tile matches nothing", clause="TULA-9.1")
    demerit: bool = option(
        False, "who is stuck may bring the bottom tile of the stack to its top, for one point", clause="TULA-9.4"
    )
    line: bool = option(False, "a row that grows at both ends instead of a stack", clause="TULA-9.4")
    auto_reveal: bool = option(False, "whatever may be revealed is revealed at once", clause="TULA-8.8")
    tiles: str = option("", "the tiles by place, as in S3Ma..., for a known deal; empty: shuffled", clause="TULA-3.1")


@dataclass(frozen=True, slots=True)
class State:
    """Tiles are numbered by the place where they lay at the start. `tiles` is the known value of each, `deal` the
    values of a prepared deal (empty: the table decides). `lies` is the tile on every place, `present` and `face_up` are
    sets of places as bit masks. `stack` are tile numbers from the bottom to the top (with `line` from left to right,
    `left` of them added on the left). `pending` is the place of a tile that is being turned, `starting` whether it then
    goes straight to the stack. `end` is won or lost."""

    options: Options
    deal: tuple[Piece, ...]
    tiles: tuple[Piece | None, ...]
    lies: tuple[int, ...]
    present: int
    face_up: int = 0
    stack: tuple[int, ...] = ()
    left: int = 0
    pending: int | None = None
    starting: bool = False
    mercy_used: bool = False
    demerits: int = 0
    end: str = ""

    @property
    def temple(self) -> Temple:
        return temple(self.options.setup)

    @property
    def uncovered(self) -> int:
        """The places of tiles that no tile covers."""
        return uncovered(self.options.setup, self.present)


def opening_state(options: Options, _seats: tuple[Seat, ...] = ()) -> State:
    built = temple(options.setup)
    try:
        deal = read_tiles(options.tiles, built) if options.tiles else ()
    except ValueError as error:
        raise SetupError(say("option tiles: {why}", why=sentence_of(error))) from None
    count = len(built.spots)
    return State(options, deal, (None,) * count, tuple(range(count)), built.full)


_CODE = re.compile(r"([SMCA])([0-5na])\Z")
_NOISE = re.compile(r"[\s/:;,|\\<>^]+")


def read_tile(code: str) -> Piece:
    """S3, Ma, tC0."""
    match = _CODE.match(code.removeprefix("t"))
    if not match:
        raise InputError(
            say(
                "“{tile}” is not a tile; write a suit S, M, C or A and a value 0 to 5 (or n and a), as in S3",
                tile=code[:20],
            )
        )
    return tile(parse_suit(match[1]), parse_rank(match[2]))


def read_tiles(text: str, built: Temple) -> tuple[Piece, ...]:
    """All tiles by place: layer by layer from the bottom, rows from the far side, each from left to right."""
    signs = _NOISE.sub("", text)
    pieces = tuple(read_tile(signs[at : at + 2]) for at in range(0, len(signs), 2))
    if len(pieces) != len(built.spots):
        raise InputError(say("this temple has {given} tiles, not {count}", given=len(built.spots), count=len(pieces)))
    check_stock(pieces, built)
    return pieces


def check_stock(pieces: tuple[Piece, ...], built: Temple) -> None:
    """ValueError where a tile occurs more often than in the packs (TULA-1.1)."""
    times = "once" if built.packs == 1 else "twice"
    for piece in pieces:
        if (given := pieces.count(piece)) > built.packs:
            raise InputError(
                say("{piece} comes {given} times; this temple has it {times}", piece=piece, given=given, times=times)
            )


_KINDS = tuple((piece.suit, piece.rank) for piece in TILES)


def hidden(state: State) -> list[Piece]:
    """Unseen tiles, each as often as it is left."""
    left = dict.fromkeys(_KINDS, state.temple.packs)
    for piece in state.tiles:
        if piece is not None:
            left[piece.suit, piece.rank] -= 1
    return [piece for piece, count in zip(TILES, left.values(), strict=True) for _ in range(count)]

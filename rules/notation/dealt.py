"""Openings with arguments: layouts in the metadata, variants, and deals from a seed.

Without a layout or a seed the deal is unknown: the pieces are there without suits and values.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rules.notation.errors import OpeningError, quoted
from rules.notation.shuffled import SeededSample
from rules.notation.spec import ANGLES
from rules.notation.tabletop import PIECEPACK, Table, TablePiece
from rules.sentence import say

Identity = tuple[int | None, int | None, float]
UNKNOWN: Identity = (None, None, 0.0)
SUITS = {"S": 1, "R": 1, "M": 2, "K": 2, "C": 3, "G": 3, "A": 4, "B": 4}
RANKS = {"n": 1, "a": 2} | {str(digit): digit + 1 for digit in range(6)}

_ALL_BY_SUIT: list[Identity] = [(suit, rank, 0.0) for suit in range(1, 5) for rank in range(1, 7)]
_ALL_BY_RANK: list[Identity] = [(suit, rank, 0.0) for rank in range(1, 7) for suit in range(1, 5)]


@dataclass(frozen=True, slots=True)
class Arguments:
    """Arguments of an opening from the metadata, with checks."""

    given: Mapping[str, str]

    @property
    def sample(self) -> SeededSample | None:
        text = self.given.get("seed")
        if text is None:
            return None
        if not text.lstrip("-").isascii() or not text.lstrip("-").isdecimal() or len(text) > 11:
            raise OpeningError(say("Seed must be a whole number, not {text}", text=quoted(text)))
        return SeededSample(int(text))

    def tiles(self, count: int) -> list[Identity] | None:
        text = self.given.get("tiles")
        return None if text is None else read_tiles(text, count)

    def ranks(self, name: str, count: int) -> list[int] | None:
        text = self.given.get(name)
        return None if text is None else _characters(name, text, count, RANKS)

    def suits(self, name: str, count: int) -> list[int] | None:
        text = self.given.get(name)
        return None if text is None else _characters(name, text.upper(), count, SUITS)

    def choice(self, name: str, choices: Sequence[str]) -> str:
        text = self.given.get(name, choices[0])
        for choice in choices:
            if choice.lower() == text.strip().lower():
                return choice
        why = say("{name} must be one of {known}, not {text}", name=name, known=", ".join(choices), text=quoted(text))
        raise OpeningError(why)


def _characters(name: str, text: str, count: int, table: Mapping[str, int]) -> list[int]:
    """One number per letter or digit; other characters only separate rows."""
    letters = [character for character in text if character.isalnum()]
    if len(letters) != count:
        why = say("{name} must name {count} pieces, not {given}", name=name, count=count, given=len(letters))
        raise OpeningError(why)
    for letter in letters:
        if letter not in table:
            known = " ".join(table)
            why = say("{letter} in {name} means nothing; use {known}", letter=repr(letter), name=name, known=known)
            raise OpeningError(why)
    return [table[letter] for letter in letters]


def read_tiles(text: str, count: int) -> list[Identity]:
    """Groups of suit and rank, suit and angle, or suit, rank and angle; / : ; \\ | and blanks separate rows."""
    letters = [character for character in text if character not in "/:;\\|" and not character.isspace()]
    size, rest = divmod(len(letters), count)
    if rest or size not in (2, 3):
        raise OpeningError(say("tiles must name {count} tiles with two or three characters each", count=count))
    return [_tile("".join(letters[i : i + size])) for i in range(0, len(letters), size)]


def _tile(group: str) -> Identity:
    suit = SUITS.get(group[0].upper())
    if suit is None or (group[1] not in RANKS and group[1] not in ANGLES) or (group[2:] and group[2] not in ANGLES):
        raise OpeningError(say("{group} is not a tile; write for example S3 or S3^", group=repr(group)))
    if group[1] in ANGLES:
        return suit, None, ANGLES[group[1]]
    return suit, RANKS[group[1]], ANGLES[group[2]] if group[2:] else 0.0


@dataclass(frozen=True, slots=True)
class DealtOpening:
    """An opening as a function of its arguments; `known`: their names."""

    pieces: Callable[[Arguments], Iterator[TablePiece]]
    known: tuple[str, ...]
    scale: float = 1.0

    def table(self, given: Mapping[str, str]) -> Table:
        for name in given:
            if name not in self.known:
                known = ", ".join(self.known)
                why = say("this opening has no argument {name}; it has {known}", name=quoted(name), known=known)
                raise OpeningError(why)
        pieces = enumerate(self.pieces(Arguments(given)), 1)
        return tuple(replace(table_piece, id=str(number)) for number, table_piece in pieces)


def table_piece(kind: str, side: str, identity: Identity, x: float, y: float, angle: float | None = None) -> TablePiece:
    suit, rank, own_angle = identity
    return TablePiece(kind, side, suit, rank, PIECEPACK, x, y, own_angle if angle is None else angle % 360, "")


def board(files: int, ranks: int) -> Iterator[TablePiece]:
    """Tile backs with spaces from a1. Where 24 tiles are too few, or a side is odd, their corners are the spaces."""
    xs, ys = _BOARDS.get((files, ranks)) or (_squares(files), _squares(ranks))
    for y in ys:
        for x in xs:
            yield table_piece("tile", "back", UNKNOWN, x, y)


def _squares(size: int) -> tuple[float, ...]:
    return tuple(1.5 + 2 * index if size % 2 == 0 else 2.0 + 2 * index for index in range(size // 2))


_BOARDS = {
    (10, 10): ((2.0, 4.0, 7.0, 9.0), (2.0, 4.0, 7.0, 9.0)),
    (11, 11): ((2.0, 5.0, 7.0, 10.0), (2.0, 4.0, 6.0, 8.0, 10.0)),
    (12, 12): ((2.0, 5.0, 8.0, 11.0), (2.0, 4.0, 7.0, 9.0, 11.0)),
}


def random_dice(args: Arguments, sample: SeededSample | None) -> list[int | None]:
    given = args.ranks("dice", 4)
    if given is not None:
        return list(given)
    return [None] * 4 if sample is None else list(sample.drawn(range(1, 7), 4))


def shuffled(sample: SeededSample | None, pieces: list[Identity]) -> list[Identity]:
    return [UNKNOWN] * len(pieces) if sample is None else sample.shuffled(pieces)


def _fujisan(args: Arguments) -> Iterator[TablePiece]:
    sample = args.sample
    coins = args.ranks("coins", 24) or _fujisan_coins(sample)
    offsets = [*range(1, 12, 2), *range(2, 11, 2), *range(3, 10, 2), 4, 6, 8, 5, 7, 5, 7, 6, 6]
    for offset in offsets:
        yield table_piece("tile", "back", UNKNOWN, 1.5 + offset, 1.5)
    for index in range(24):
        row, column = divmod(index, 12)
        rank = coins[column + 12 * (1 - row)]
        yield table_piece("coin", "face", (4 - index % 4, rank, 0.0), 2.0 + column, 1.0 + row)
    for suit, (x, y) in enumerate(((1, 2), (14, 2), (14, 1), (1, 1)), 1):
        yield table_piece("pawn", "face", (suit, 1, 0.0), x, y)
    if None not in coins and not _has_first_move(coins):
        corners = ((1, 16, 2), (2, 17, 2), (4, 16, 1), (3, 17, 1))
        for rank, (suit, x, y) in zip(random_dice(args, sample), corners, strict=True):
            yield table_piece("die", "face", (suit, rank, 0.0), x, y)


def _fujisan_coins(sample: SeededSample | None) -> list[int | None]:
    coins: list[int | None] = [None] * 24
    if sample is not None:
        for first in (3, 0, 1, 2):
            coins[first::4] = sample.shuffled(range(1, 7))
    return coins


def _has_first_move(coins: Sequence[int | None]) -> bool:
    """Whether a coin on the k-th step from either end has the value k."""
    return any(coins[row + edge] == k + 1 for k in range(1, 6) for row in (0, 12) for edge in (k - 1, 12 - k))


def _penguin(args: Arguments) -> Iterator[TablePiece]:
    yield from board(4, 4)
    rows = [4] * 4 + [3] * 4 + [2] * 4 + [1] * 4 + [4, 3, 2, 1, 1, 2, 3, 4]
    for index, identity in enumerate(shuffled(args.sample, _ALL_BY_SUIT)):
        yield table_piece("coin", "back", identity, index % 4 + 1.0, rows[index])


def _dodgem(args: Arguments) -> Iterator[TablePiece]:
    size = args.given.get("nrows", "6")
    if not size.isdecimal() or not 2 <= int(size[:4]) <= 12:
        raise OpeningError(say("nrows must be a number from 2 to 12, not {size}", size=quoted(size)))
    rows, variant = int(size), args.choice("variant", ("vout", "schoessow"))
    yield from board(rows, rows)
    for index in range(rows - 1):
        y = index + (2 if variant == "vout" else 1)
        yield table_piece("coin", "back", (1 + index // 6, index % 6 + 1, 0.0), 1, y, 270)
    for index in range(rows - 1):
        x, y, angle = (index + 2, 1, 0) if variant == "vout" else (rows, index + 2, 90)
        yield table_piece("coin", "back", (4 - index // 6, index % 6 + 1, 0.0), x, y, angle)


def _alien_city(args: Arguments) -> Iterator[TablePiece]:
    tiles = args.tiles(20) or _alien_city_tiles(args.sample)
    for index, identity in enumerate(tiles):
        row, column = divmod(index, 4)
        yield table_piece("tile", "face", identity, 1.5 + 2 * column, 9.5 - 2 * row)


def _alien_city_tiles(sample: SeededSample | None) -> list[Identity]:
    if sample is None:
        return [UNKNOWN] * 20
    angles = sample.drawn((0.0, 90.0, 180.0, 270.0), 20)
    return sample.shuffled([(1 + i // 5, 2 + i % 5, angles[i]) for i in range(20)])


def _plans_of_action(args: Arguments) -> Iterator[TablePiece]:
    yield from board(8, 8)
    given, sample = args.suits("coins", 24), args.sample
    suits: Sequence[int | None] = given or (sample.shuffled([1 + i % 4 for i in range(24)]) if sample else [None] * 24)
    seen: dict[int | None, int] = {}
    for index, suit in enumerate(suits):
        seen[suit] = seen.get(suit, 0) + 1
        rank = None if suit is None or seen[suit] > 6 else seen[suit]
        yield table_piece("coin", "back", (suit, rank, 0.0), 2 + index % 6, 6 - index // 6)


def _relativity(args: Arguments) -> Iterator[TablePiece]:
    yield from board(6, 4)
    ranks: Sequence[int | None] = args.ranks("coins", 24) or _relativity_ranks(args.sample)
    for index, rank in enumerate(ranks):
        suit = (1, 2, 1, 2, 4, 3, 4, 3)[index // 3]
        yield table_piece("coin", "face", (suit, rank, 0.0), 1 + index % 6, 4 - index // 6)


def _relativity_ranks(sample: SeededSample | None) -> Sequence[int | None]:
    if sample is None:
        return [None] * 24
    while True:
        ranks = [rank for _ in range(4) for rank in sample.shuffled(range(1, 7))]
        if not ranks[0] == ranks[2] == ranks[3] == ranks[5]:
            break
    halves = [ranks[start : start + 3] for start in (0, 6, 3, 9, 12, 18, 15, 21)]
    return [rank for half in halves for rank in half]


def _desfases(args: Arguments) -> Iterator[TablePiece]:
    sample = args.sample
    tiles = args.tiles(24) or [_facing(t) for t in shuffled(sample, _ALL_BY_RANK)]
    spots = [(3.0 + 3 * column, 3.0 + 3 * row) for row in range(5) for column in range(5) if (column, row) != (2, 2)]
    for identity, (x, y) in zip(tiles, spots, strict=True):
        yield table_piece("tile", "face", identity, x, y)
    dice = random_dice(args, sample)
    yield from _desfases_coins(dice)
    for suit, (x, y) in enumerate(_DIE_SPOTS):
        yield table_piece("die", "face", (suit + 1, dice[suit], 0.0), x, y, 180 - 90 * suit)
    for suit in range(4):
        x, y = next((s for t, s in zip(tiles, spots, strict=True) if t[:2] == (suit + 1, dice[suit])), _DIE_SPOTS[suit])
        yield table_piece("pawn", "face", (suit + 1, 1, 0.0), x, y, 180 - 90 * suit)


_DIE_SPOTS = ((7.0, 17.0), (17.0, 11.0), (11.0, 1.0), (1.0, 7.0))


def _facing(tile: Identity) -> Identity:
    suit, rank, _ = tile
    return suit, rank, 0.0 if suit is None else (suit + 1) * -90.0 % 360


def _desfases_coins(dice: Sequence[int | None]) -> Iterator[TablePiece]:
    """A ring of coins, values up; the coin of the value of a die lies suit up beneath that die."""
    xs = [*range(14, 8, -1), *[17] * 6, *range(4, 10), *[1] * 6]
    ys = [*[17] * 6, *range(4, 10), *[1] * 6, *range(14, 8, -1)]
    for index, (x, y) in enumerate(zip(xs, ys, strict=True)):
        suit, rank = divmod(index, 6)
        identity = (suit + 1, rank + 1, 0.0)
        if dice[suit] == rank + 1:
            yield table_piece("coin", "back", identity, *_DIE_SPOTS[suit], 180 - 90 * suit)
        else:
            yield table_piece("coin", "face", identity, x, y, 180 - 90 * suit)


def _japan(args: Arguments) -> Iterator[TablePiece]:
    columns = [(1.5 + 4 * c, 2.5 + 2 * r) for c in range(4) for r in range(3)]
    columns += [(3.5 + 4 * c, 1.5 + 2 * r) for c in range(3) for r in range(4)]
    for x, y in columns:
        yield table_piece("tile", "back", UNKNOWN, x, y)
    sample = args.sample
    if sample is not None:
        free = [(x + dx, y + dy) for dx, dy in ((-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)) for x, y in columns]
        for suit, rank, _ in _ALL_BY_SUIT:
            x, y = free[sample.below(len(free))]
            yield table_piece("coin", "face", (suit, rank, 0.0), x, y)
            free = [(a, b) for a, b in free if abs(a - x) + abs(b - y) > 1]


def _tula(args: Arguments) -> Iterator[TablePiece]:
    places = _MOUNTAINS[args.choice("variant", tuple(_MOUNTAINS))]
    dealt = args.tiles(len(places)) or _tula_tiles(args.sample, len(places) // 24)
    for identity, (x, y, is_face_up) in zip(dealt, places, strict=True):
        yield table_piece("tile", "face" if is_face_up else "back", identity, x, y, 0.0)


def _tula_tiles(sample: SeededSample | None, packs: int) -> list[Identity]:
    return [identity for _ in range(packs) for identity in shuffled(sample, _ALL_BY_RANK)]


def _mountain(
    rows: Iterable[tuple[float, tuple[float, ...]]], face_up: Collection[int]
) -> list[tuple[float, float, bool]]:
    """The centre of each tile and whether it lies face up. `rows`: (y, xs) in the order in which the tiles are laid,
    from the lowest layer up; `face_up`: indices of these tiles, counted from the last."""
    places = [(x, y) for y, xs in rows for x in xs]
    return [(x, y, index - len(places) in face_up) for index, (x, y) in enumerate(places)]


def _row(low: int, high: int) -> tuple[float, ...]:
    """Every second number from `low` to `high`."""
    return tuple(float(x) for x in range(low, high + 1, 2))


_SMALL = (
    *((y, _row(1, 7)) for y in (7.0, 5.0, 3.0)),
    (1.0, (4.0,)),
    *((y, _row(2, 6)) for y in (6.0, 4.0)),
    (2.0, (4.0,)),
    (5.0, (3.0, 5.0)),
    (3.0, (4.0,)),
    (4.0, (4.0,)),
)
_ONE = (
    *((y, xs) for y, xs in ((5.0, _row(2, 8)), (3.0, _row(1, 9)), (1.0, _row(2, 8)))),
    *((y, _row(2, 8)) for y in (4.0, 2.0)),
    (3.0, _row(3, 7)),
)
_TWO = (
    *zip((11.0, 9.0, 7.0), (_row(6, 8), _row(3, 11), _row(1, 13)), strict=True),
    *zip((5.0, 3.0, 1.0), (_row(1, 13), _row(3, 11), _row(6, 8)), strict=True),
    *zip((10.0, 8.0, 6.0, 4.0, 2.0), ((7.0,), _row(4, 10), _row(2, 12), _row(4, 10), (7.0,)), strict=True),
    (7.0, (5.0, 9.0)),
    (5.0, (5.0, 9.0)),
)
_THREE = (
    *zip((9.0, 7.0, 5.0, 3.0, 1.0), (_row(5, 7), _row(2, 10), _row(1, 11), _row(2, 10), _row(5, 7)), strict=True),
    *zip((9.0, 7.0, 5.0, 3.0, 1.0), ((6.0,), _row(3, 9), _row(2, 10), _row(3, 9), (6.0,)), strict=True),
    *zip((8.0, 6.0, 4.0, 2.0), ((6.0,), _row(3, 9), _row(3, 9), (6.0,)), strict=True),
    (5.0, _row(4, 8)),
)
_FOUR = (
    *zip((7.0, 5.0, 4.0, 3.0, 1.0), (_row(4, 12), _row(3, 13), (1.0, 15.0), _row(3, 13), _row(4, 12)), strict=True),
    *zip((6.0, 4.0, 2.0), (_row(5, 11), _row(2, 14), _row(5, 11)), strict=True),
    *((y, _row(5, 11)) for y in (5.0, 3.0)),
    (4.0, (8.0,)),
)

_MOUNTAINS = {
    "Original": _mountain(_SMALL, {-1}),
    "Variant 1": _mountain(_ONE, {-1, -3}),
    "Variant 2": _mountain(_TWO, {-1, -2, -3, -4, -5, -10, -15, -20}),
    "Variant 3": _mountain(_THREE, {-1, -3, -4, -13}),
    "Variant 4": _mountain(_FOUR, {-1, -2, -5, -6, -9, -14, -20}),
}

DEALT: dict[str, DealtOpening] = {
    "piecepack_fujisan": DealtOpening(_fujisan, ("coins", "dice", "seed")),
    "piecepack_the_penguin_game": DealtOpening(_penguin, ("seed",)),
    "piecepack_dodgem": DealtOpening(_dodgem, ("nrows", "variant")),
    "piecepack_alien_city": DealtOpening(_alien_city, ("seed", "tiles")),
    "piecepack_plans_of_action": DealtOpening(_plans_of_action, ("coins", "seed")),
    "piecepack_relativity": DealtOpening(_relativity, ("coins", "seed")),
    "piecepack_desfases": DealtOpening(_desfases, ("dice", "seed", "tiles"), scale=3.0),
    "piecepack_japan": DealtOpening(_japan, ("seed",)),
    "piecepack_tula": DealtOpening(_tula, ("seed", "tiles", "variant")),
}

"""Arguments of actions as values: codes parsed into fields, so that pages and texts need no codes. The JSON of a value
omits empty fields; that of a word alone is a text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from enum import StrEnum

from rules.pieces import Kind, Piece, Rank, Size, Suit, parse_piece, parse_rank, parse_suit

PLUS, COMMA, COLON, ARROW = " + ", ", ", ": ", " → "
"""Separators of several values."""


@dataclass(frozen=True, slots=True)
class Value:
    """`kind`, `suit`, `value`, `size` and `mark` describe a piece or a sign; `place` is a name on the board, `called` a
    label where people call it otherwise. `word`: a word of the vocabulary `of`, or a verbatim text. `count`: number of
    pieces. `all`: several values, separated by `joint`."""

    kind: Kind | None = None
    suit: Suit | None = None
    value: str | None = None
    size: Size | None = None
    mark: str | None = None
    place: str | None = None
    called: str | None = None
    way: str | None = None
    seat: int | None = None
    word: str | None = None
    of: str | None = None
    count: int | None = None
    all: tuple[Value, ...] | None = None
    joint: str | None = None

    def to_json(self) -> object:
        found = {name: getattr(self, name) for name in _FIELDS if getattr(self, name) is not None}
        if self.all is not None:
            found["all"] = [each.to_json() for each in self.all]
        return found["word"] if found.keys() == {"word"} else {k: _plain(v) for k, v in found.items()}


Reader = Callable[[str], Value]
"""Parses a code; ValueError where it is invalid."""

_CELL = re.compile(r"x(-?\d+)y(-?\d+)")
_FIELDS = tuple(field.name for field in fields(Value))


def _plain(value: object) -> object:
    return value.value if isinstance(value, StrEnum) else value


def word(text: str, of: str | None = None) -> Value:
    return Value(word=text, of=of)


def place(name: str, called: str | None = None) -> Value:
    return Value(place=name, called=called)


def rank(value: Rank) -> Value:
    return Value(value=value.word)


def in_a_row(values: Iterable[Value], joint: str = COMMA) -> Value:
    return Value(all=tuple(values), joint=joint)


def piece(what: Piece) -> Value:
    value = what.rank.word if what.rank is not None else None
    return Value(what.kind, what.suit, value, what.size, what.mark)


def suit_of(code: str) -> Value:
    return Value(suit=parse_suit(code))


def rank_of(code: str) -> Value:
    return rank(parse_rank(code))


def tile_of(code: str) -> Value:
    """S3: the 3 of suns."""
    return Value(Kind.TILE, parse_suit(code[:1]), parse_rank(code[1:]).word)


def die_of(code: str) -> Value:
    """S3: the suns die shows a 3."""
    return replace(tile_of(code), kind=Kind.DIE)


def pyramid_of(code: str) -> Value:
    """S-A: the smallest of suns."""
    suit, dash, size = code.partition("-")
    if not dash:
        raise ValueError(code)
    return Value(Kind.PYRAMID, parse_suit(suit), size=Size(size))


def mark_of(code: str) -> Value:
    """A suit or a value."""
    return suit_of(code) if code.isupper() else rank_of(code)


def cell_label(name: str) -> str | None:
    """1/-2 for the cell x1y-2; None for another name."""
    found = _CELL.fullmatch(name)
    return f"{found[1]}/{found[2]}" if found else None


def price_of(code: str) -> Value:
    """M+M+C: two coins of moons and one of crowns; "-" is nothing."""
    counts = Counter(parse_suit(each) for each in _parts(code))
    return in_a_row((Value(suit=suit, count=count) for suit, count in counts.items()), PLUS)


def way_of(code: str) -> Value:
    """A point of the compass, or upright."""
    return Value(way=code)


def card_of(code: str) -> Value:
    """A card of the Decktet."""
    return Value(mark=code)


def each(reader: Reader) -> Reader:
    """A reader of lists of such codes."""
    return lambda code: in_a_row(map(reader, _parts(code)))


def of_suit(reader: Reader) -> Reader:
    """A reader of such codes after the letter of a suit: SN."""
    return lambda code: in_a_row((Value(suit=parse_suit(code[:1])), reader(code[1:])), COLON)


def one_of(vocabulary: str) -> Reader:
    """A reader of the words of a vocabulary of the catalogues."""
    return lambda code: word(code, f"code.{vocabulary}")


def _parts(code: str) -> list[str]:
    return [] if code in ("", "-") else code.split("+")


def thing_of(code: str) -> Value:
    """A piece by its code (tS3), or a tile (S3) or pyramid (S-A) by its short code."""
    return _first(code, lambda code: piece(parse_piece(code)), tile_of, pyramid_of)


def sign_of(code: str) -> Value:
    """A suit, a value or a piece."""
    return mark_of(code) if len(code) == 1 else _first(code, suit_of, rank_of, thing_of)


def _first(code: str, *readers: Reader) -> Value:
    """The value of the first reader that accepts the code."""
    for reader in readers:
        try:
            return reader(code)
        except ValueError:
            continue
    raise ValueError(code)

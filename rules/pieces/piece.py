"""A piece: kind, suit, value, size and mark, with its code and its words.

`None` for a suit or a value means that nobody knows it yet: a face-down tile has neither, a coin with its value side
up has no suit. What is hidden from one seat only is a matter of `Game.view`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from functools import cache

from rules.sentence import InputError, Sentence, say


class Suit(StrEnum):
    """In their order of priority (PP-2)."""

    __hash__ = str.__hash__

    SUNS = "suns"
    MOONS = "moons"
    CROWNS = "crowns"
    ARMS = "arms"

    @property
    def letter(self) -> str:
        return self[0].upper()

    @property
    def term(self) -> Sentence:
        return Sentence(self.value)


SUITS: tuple[Suit, ...] = tuple(Suit)
"""The first has the highest priority (PP-2.5)."""

_SUIT_NAMES = {
    **dict.fromkeys(("suns", "sun", "s", "red"), Suit.SUNS),
    **dict.fromkeys(("moons", "moon", "m", "black"), Suit.MOONS),
    **dict.fromkeys(("crowns", "crown", "c", "green", "yellow"), Suit.CROWNS),
    **dict.fromkeys(("arms", "arm", "a", "anchor", "anchors", "shield", "shields", "blue"), Suit.ARMS),
}


def parse_suit(text: str) -> Suit:
    """The suit of a word, letter or colour (PP-2.6, PP-2.7)."""
    try:
        return _SUIT_NAMES[text.strip().lower()]
    except KeyError:
        raise InputError(say("no suit is called “{suit}”; use suns, moons, crowns or arms", suit=text)) from None


class Rank(IntEnum):
    """The values null, ace, 2, 3, 4, 5 (PP-3)."""

    __hash__ = int.__hash__

    NULL = 0
    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5

    @property
    def word(self) -> str:
        """The name in JSON and sentences."""
        return _WORDS[self]

    @property
    def term(self) -> Sentence:
        return Sentence(self.word)

    @property
    def letter(self) -> str:
        return _LETTERS[self]

    @property
    def digit(self) -> str:
        """The digit in actions and piece codes: 0 is the null, 1 the ace."""
        return str(int(self))


RANKS: tuple[Rank, ...] = tuple(Rank)
_WORDS = ("null", "ace", "2", "3", "4", "5")
_LETTERS = "na2345"

_RANK_NAMES: dict[str, Rank] = {
    **dict(zip(_WORDS, RANKS, strict=True)),
    **dict(zip(_LETTERS, RANKS, strict=True)),
    **{str(int(rank)): rank for rank in RANKS},
    "blank": Rank.NULL,
}


def parse_rank(text: str | int) -> Rank:
    """The value of null, ace, 2 to 5; also n, a, 0, 1 and blank."""
    try:
        return _RANK_NAMES[str(text).strip().lower()]
    except KeyError:
        raise InputError(say("no value is called “{value}”; use null, ace, 2, 3, 4 or 5", value=text)) from None


class Kind(StrEnum):
    __hash__ = str.__hash__

    TILE = "tile"
    COIN = "coin"
    DIE = "die"
    PAWN = "pawn"
    PYRAMID = "pyramid"
    CARD = "card"


class Face(StrEnum):
    """A tile's front shows suit and value, its back the cross; a coin's front its value, its back its suit."""

    __hash__ = str.__hash__

    FRONT = "front"
    BACK = "back"

    @property
    def other(self) -> Face:
        return Face.BACK if self is Face.FRONT else Face.FRONT


class Size(StrEnum):
    """Looney pyramids come in three sizes, piecepack pyramids in six, lettered A (smallest) to F (PP-8)."""

    __hash__ = str.__hash__

    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"
    A = "A"
    B = "B"
    C = "C"
    D = "D"
    E = "E"
    F = "F"

    @property
    def look(self) -> Size:
        """The size of three that a camera can tell apart."""
        if self in LOONEY_SIZES:
            return self
        return LOONEY_SIZES["ABCDEF".index(self.value) // 2]


LOONEY_SIZES = (Size.SMALL, Size.MEDIUM, Size.LARGE)
PIECEPACK_SIZES = (Size.A, Size.B, Size.C, Size.D, Size.E, Size.F)


class Pose(StrEnum):
    __hash__ = str.__hash__

    UPRIGHT = "upright"
    FLAT = "flat"


_KIND_LETTER = {Kind.TILE: "t", Kind.COIN: "c", Kind.DIE: "d", Kind.PAWN: "p", Kind.PYRAMID: "y", Kind.CARD: "k"}


@dataclass(frozen=True, slots=True)
class Piece:
    """Identity of a piece. A die's rank is the face on top. `mark` names what suits cannot: a card ("2MK"),
    or the colour of a pyramid beyond the four suits ("white")."""

    kind: Kind
    suit: Suit | None = None
    rank: Rank | None = None
    size: Size | None = None
    mark: str | None = None

    @property
    def code(self) -> str:
        """Short name after PP-9.1: tS3, cM0, dA, pC, t??; yS-E a pyramid, k2MK a card."""
        letter = _KIND_LETTER[self.kind]
        suit = self.suit.letter if self.suit else "?"
        if self.kind is Kind.CARD:
            return letter + (self.mark or "?")
        if self.kind is Kind.PYRAMID:
            return f"{letter}{self.mark or suit}-{self.size.value if self.size else '?'}"
        if self.kind is Kind.PAWN:
            return letter + suit
        if self.kind is Kind.DIE:
            return letter + suit + ("" if self.rank is None else self.rank.digit)
        return letter + suit + ("?" if self.rank is None else self.rank.digit)

    def __str__(self) -> str:
        return self.code

    @property
    def words(self) -> str:
        """In English: "the 3 of suns tile", "the crowns pawn"."""
        return self.term.text

    @property
    def term(self) -> Sentence:
        if self.kind is Kind.CARD:
            return say("the card {mark}", mark=self.mark) if self.mark else say("an unknown card")
        if self.kind is Kind.PYRAMID:
            return _pyramid(self)
        if self.kind is Kind.PAWN:
            return say("the {suit} pawn", suit=self.suit) if self.suit else say("an unknown pawn")
        if self.kind is Kind.DIE:
            return _die(self)
        return _tile(self) if self.kind is Kind.TILE else _coin(self)


def _pyramid(piece: Piece) -> Sentence:
    colour = piece.mark or piece.suit or say("unknown")
    if piece.size is None:
        return say("the {suit} pyramid", suit=colour)
    if piece.size is Size.SMALL:
        return say("the small {suit} pyramid", suit=colour)
    if piece.size is Size.MEDIUM:
        return say("the medium {suit} pyramid", suit=colour)
    if piece.size is Size.LARGE:
        return say("the large {suit} pyramid", suit=colour)
    return say("the {size} {suit} pyramid", size=piece.size.value, suit=colour)


def _die(piece: Piece) -> Sentence:
    suit = piece.suit or say("unknown")
    return (
        say("the {suit} die", suit=suit)
        if piece.rank is None
        else say("the {suit} die showing {value}", suit=suit, value=piece.rank)
    )


def _tile(piece: Piece) -> Sentence:
    if piece.suit and piece.rank is not None:
        return say("the {value} of {suit} tile", value=piece.rank, suit=piece.suit)
    if piece.suit:
        return say("a tile of {suit}", suit=piece.suit)
    return say("an unknown tile") if piece.rank is None else say("a tile of value {value}", value=piece.rank)


def _coin(piece: Piece) -> Sentence:
    if piece.suit and piece.rank is not None:
        return say("the {value} of {suit} coin", value=piece.rank, suit=piece.suit)
    if piece.suit:
        return say("a coin of {suit}", suit=piece.suit)
    return say("an unknown coin") if piece.rank is None else say("a coin of value {value}", value=piece.rank)


@cache
def tile(suit: Suit | None = None, rank: Rank | None = None) -> Piece:
    return Piece(Kind.TILE, suit, rank)


@cache
def coin(suit: Suit | None = None, rank: Rank | None = None) -> Piece:
    return Piece(Kind.COIN, suit, rank)


@cache
def die(suit: Suit | None, top: Rank | None = None) -> Piece:
    return Piece(Kind.DIE, suit, top)


@cache
def pawn(suit: Suit | None) -> Piece:
    return Piece(Kind.PAWN, suit)


@cache
def pyramid(suit: Suit | None, size: Size | None, mark: str | None = None) -> Piece:
    return Piece(Kind.PYRAMID, suit, None, size, mark)


@cache
def card(mark: str | None) -> Piece:
    return Piece(Kind.CARD, mark=mark)


_CODE = re.compile(r"([tcdp])([SMCA?])([0-5na?])?\Z")
_PYRAMID_CODE = re.compile(r"y([SMCA?]|[a-z]+)-(small|medium|large|[A-F?])\Z")


def parse_piece(code: str) -> Piece:
    """The inverse of `Piece.code`."""
    if code.startswith("k"):
        return card(None if code == "k?" else code[1:])
    if match := _PYRAMID_CODE.match(code):
        return _parse_pyramid(*match.groups())
    match = _CODE.match(code)
    if not match:
        raise InputError(
            say("{code} is not a piece; write for example tS3, cM0, dA, pC, yS-E or k2MK", code=repr(code))
        )
    letter, suit_letter, rank_letter = match.groups()
    suit = None if suit_letter == "?" else parse_suit(suit_letter)
    rank = None if rank_letter in (None, "?") else parse_rank(rank_letter)
    kind = next(kind for kind, short in _KIND_LETTER.items() if short == letter)
    return Piece(kind, suit, None if kind is Kind.PAWN else rank)


def _parse_pyramid(who: str, size: str) -> Piece:
    known_size = None if size == "?" else Size(size)
    if who in ("S", "M", "C", "A"):
        return pyramid(parse_suit(who), known_size)
    return pyramid(None, known_size, None if who == "?" else who)


TILES: tuple[Piece, ...] = tuple(tile(suit, rank) for suit in SUITS for rank in RANKS)
COINS: tuple[Piece, ...] = tuple(coin(suit, rank) for suit in SUITS for rank in RANKS)
DICE: tuple[Piece, ...] = tuple(die(suit) for suit in SUITS)
PAWNS: tuple[Piece, ...] = tuple(pawn(suit) for suit in SUITS)
PIECEPACK: tuple[Piece, ...] = TILES + COINS + DICE + PAWNS

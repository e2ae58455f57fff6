"""PieceSpec: the description of a piece in PPN. Characters come in any order, parts with a comma last."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache

from rules.notation.errors import MAX_SPEC, MoveError, quoted
from rules.sentence import say

ONE_BASED_SETS = frozenset(
    {"checkers1", "checkers2", "chess1", "chess2", "go", "dice", "icehouse_pieces"}
    | {"playing_cards", "playing_cards_colored", "playing_cards_tarot"}
)
COLOURS = dict(zip("RKGBYW", ("red", "black", "green", "blue", "yellow", "white"), strict=True))


@dataclass(frozen=True, slots=True)
class PieceSpec:
    """None: not specified. `rank` is as written (null 0, ace 1); `suit` is 1 to 4, of colours 1 to 6. `set` may be
    "chess" or "checkers", whose width the movetext parser decides. `bit`: c, m or s of a coloured bit."""

    kind: str | None = None
    side: str | None = None
    suit: int | None = None
    rank: int | None = None
    angle: float | None = None
    set: str | None = None
    colour: str | None = None
    bit: str | None = None
    small: bool = False


_KINDS = {"t": "tile", "c": "coin", "d": "die", "p": "pawn", "m": "matchstick", "s": "saucer"}
_KINDS |= {"▲": "pyramid", "△": "pyramid", "●": "bit", "🂠": "card", "■": "board"}
_SIDES = {"f": "face", "b": "back", "l": "left", "r": "right", "x": "top"}
_SUITS = {"S": 1, "M": 2, "C": 3, "A": 4, "♥": 1, "♠": 2, "♣": 3, "♦": 4, "♡": 1, "♤": 2, "♧": 3, "♢": 4}
_SUITS |= {letter: index for index, letter in enumerate(COLOURS, 1)}
_RANKS = {"n": 0, "a": 1} | {str(digit): digit for digit in range(10)}
ANGLES = {"^": 0.0, "<": 90.0, "v": 180.0, ">": 270.0}
_SETS = dict.fromkeys("♥♠♣♦", "playing_cards_expansion") | dict.fromkeys("♡♤♧♢", "dual_piecepacks_expansion")
_SETS |= {"⬢": "hexpack"}
_SPELLINGS = (
    *(("/\\", "▲"), ("[]", "🂠"), ("()", "●"), ("[X]", "■"), ("[#]", "▦")),
    *(("○", "W●"), ("µ", "u"), ("μ", "u")),
)
_EXACT = re.compile(r"a(?P<angle>-?\d{1,6}(?:\.\d{1,6})?)|r(?P<rank>\d{1,3})|s(?P<suit>\d{1,3})|(?P<set>[\w-]+)'")


@lru_cache(maxsize=8192)
def parse_spec(text: str) -> PieceSpec:
    if len(text) > MAX_SPEC:
        raise MoveError(say("no piece needs as many words as {text}", text=quoted(text)))
    simple, *exact = text.split(",")
    for written, meant in _SPELLINGS:
        simple = simple.replace(written, meant)
    spec = PieceSpec()
    # Glyphs last: a colour or an angle beside them modifies what they show.
    for character in sorted(simple, key=_is_glyph):
        spec = _with(spec, character, text)
    if spec.colour and spec.kind in ("coin", "matchstick", "saucer"):  # a draughts man, a meeple, a go stone
        spec = replace(spec, kind="bit", bit=spec.kind[0])
    for part in exact:
        spec = _with_exact(spec, part, text)
    return spec


def _is_glyph(character: str) -> bool:
    return not character.isascii() and character not in _KINDS and character not in _SUITS and character not in _SETS


def _with(spec: PieceSpec, character: str, text: str) -> PieceSpec:
    if character == "u":
        return replace(spec, small=True)
    for field, table in (("rank", _RANKS), ("side", _SIDES), ("angle", ANGLES), ("kind", _KINDS), ("suit", _SUITS)):
        if character in table:
            return _with_field(_with_set_or_colour(spec, character), field, table[character], text)
    if character in _SETS:
        return replace(spec, set=_SETS[character])
    return _with_glyph(spec, character, text)


def _with_set_or_colour(spec: PieceSpec, character: str) -> PieceSpec:
    """A suit character may also be a colour or identify the set."""
    if character in COLOURS:
        return replace(spec, colour=character)
    return replace(spec, set=_SETS[character]) if character in _SETS else spec


def _with_field(spec: PieceSpec, field: str, value: object, text: str) -> PieceSpec:
    if getattr(spec, field) not in (None, value):
        why = say("the piece {text} says two different things about its {field}", text=quoted(text), field=field)
        raise MoveError(why)
    return replace(spec, **{field: value})  # type: ignore[arg-type]


def _with_exact(spec: PieceSpec, part: str, text: str) -> PieceSpec:
    match = _EXACT.fullmatch(part)
    if not match:
        raise MoveError(say("{part} is not an exact part of the piece {text}", part=quoted(part), text=quoted(text)))
    if match["angle"]:
        return replace(spec, angle=((spec.angle or 0.0) + float(match["angle"])) % 360)
    if match["rank"]:
        return replace(spec, rank=int(match["rank"]))
    if match["suit"]:
        return replace(spec, suit=int(match["suit"]) + 1)
    return replace(spec, set=match["set"])


# Glyphs of whole pieces, read by their Unicode name.
_CHESS = {"PAWN": 1, "KNIGHT": 2, "BISHOP": 3, "ROOK": 4, "QUEEN": 5, "KING": 6}
_CHESS_SUITS = {"WHITE": 6, "BLACK": 2, "NEUTRAL": 1}
_CARD_RANKS = {"ACE": 1, "TWO": 2, "THREE": 3, "FOUR": 4, "FIVE": 5, "SIX": 6, "SEVEN": 7, "EIGHT": 8, "NINE": 9}
_CARD_RANKS |= {"TEN": 10, "JACK": 11, "KNIGHT": 12, "QUEEN": 13, "KING": 14}
_CARD_SUITS = {"HEARTS": 1, "SPADES": 2, "CLUBS": 3, "DIAMONDS": 4}
_JOKERS = {"RED JOKER": (4, 15), "BLACK JOKER": (2, 15), "WHITE JOKER": (1, 15), "FOOL": (5, 22)}
_TURNS = {"FORTY-FIVE": 45, "NINETY": 90, "ONE HUNDRED THIRTY-FIVE": 135}
_TURNS |= {"TWO HUNDRED TWENTY-FIVE": 225, "TWO HUNDRED SEVENTY": 270, "THREE HUNDRED FIFTEEN": 315}
_DOMINO = re.compile(r"DOMINO TILE (HORIZONTAL|VERTICAL)(?: BACK|-0(\d)-0(\d))")
_CARD = re.compile(r"PLAYING CARD (?:(\w+) OF (\w+)|TRUMP-(\d+)|(RED JOKER|BLACK JOKER|WHITE JOKER|FOOL))")
_CHESSMAN = re.compile(r"(WHITE|BLACK|NEUTRAL) CHESS (TURNED )?(\w+)(?: ROTATED (.+) DEGREES)?")
_DRAUGHTS = re.compile(r"(WHITE|BLACK) DRAUGHTS (MAN|KING)")
_FACE_OF_DIE = re.compile(r"DIE FACE-(\d)")


def _with_glyph(spec: PieceSpec, character: str, text: str) -> PieceSpec:
    name = unicodedata.name(character, "")
    for pattern, reader in _GLYPHS:
        if match := pattern.match(name):
            return reader(spec, match)
    if character == "▦":
        return replace(spec, kind="board", set="go", colour=spec.colour or "K", suit=spec.suit or 2)
    raise MoveError(say("{character} means nothing in the piece {text}", character=repr(character), text=quoted(text)))


def _die(spec: PieceSpec, match: re.Match[str]) -> PieceSpec:
    return replace(spec, kind="die", rank=int(match[1]), colour=spec.colour or "W", suit=spec.suit or 6)


def _draughtsman(spec: PieceSpec, match: re.Match[str]) -> PieceSpec:
    own = "W" if match[1] == "WHITE" else "K"
    side = "face" if match[2] == "KING" else spec.side
    suit = spec.suit or _CHESS_SUITS[match[1]]
    return replace(spec, kind="bit", bit="c", colour=spec.colour or own, suit=suit, side=side)


def _chessman(spec: PieceSpec, match: re.Match[str]) -> PieceSpec:
    clockwise = 180 if match[2] else _TURNS.get(match[4] or "", 0)
    angle = ((spec.angle or 0.0) - clockwise) % 360
    suit, side = spec.suit or _CHESS_SUITS[match[1]], spec.side or "face"
    return replace(spec, kind="bit", set="chess", rank=_CHESS.get(match[3]), suit=suit, side=side, angle=angle)


def _card(spec: PieceSpec, match: re.Match[str]) -> PieceSpec:
    rank, suit, trump, joker = match.groups()
    if joker:
        suit_number, rank_number = _JOKERS[joker]
    elif trump:
        suit_number, rank_number = 5, int(trump)
    else:
        suit_number, rank_number = _CARD_SUITS[suit], _CARD_RANKS[rank]
    return replace(spec, kind="card", suit=suit_number, rank=rank_number)


def _domino(spec: PieceSpec, match: re.Match[str]) -> PieceSpec:
    """At angle 0 the smaller half of a domino is on top; a horizontal one has its top at the left."""
    top, bottom = int(match[2] or 0), int(match[3] or 0)
    turn = (90.0 if match[1] == "HORIZONTAL" else 0.0) + (180.0 if top > bottom else 0.0)
    own_set = f"dominoes_{COLOURS[spec.colour]}" if spec.colour else "dominoes"
    return replace(
        spec,
        kind="tile",
        side="back" if match[2] is None else spec.side,
        rank=min(top, bottom),
        suit=max(top, bottom) + 1,
        angle=((spec.angle or 0.0) + turn) % 360,
        set=own_set,
    )


_GLYPHS = ((_FACE_OF_DIE, _die), (_DRAUGHTS, _draughtsman), (_CHESSMAN, _chessman), (_CARD, _card), (_DOMINO, _domino))


_KIND_LETTERS = {kind: letter for letter, kind in reversed(_KINDS.items())}
_SIDE_LETTERS = {side: letter for letter, side in _SIDES.items()}
_RANK_LETTERS = {rank: letter for letter, rank in reversed(_RANKS.items())}
_ANGLE_LETTERS = {angle: letter for letter, angle in ANGLES.items()}


def number_text(number: float) -> str:
    """Decimal text without an exponent, rounded to a millionth."""
    text = f"{number:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def spec_text(spec: PieceSpec) -> str:
    """Kind, side, suit, rank, angle; parts without a letter follow after commas."""
    kind = spec.bit or _KIND_LETTERS.get(spec.kind or "", "")
    suit = spec.colour or (" SMCA"[spec.suit] if spec.suit in (1, 2, 3, 4) else "")
    rank = "" if spec.rank is None else _RANK_LETTERS.get(spec.rank, "")
    angle = "" if spec.angle is None else _ANGLE_LETTERS.get(spec.angle, "")
    parts = [f"{'u' if spec.small else ''}{kind}{_SIDE_LETTERS.get(spec.side or '', '')}{suit}{rank}{angle}"]
    if spec.angle is not None and not angle:
        parts.append(f"a{number_text(spec.angle)}")
    if spec.rank is not None and not rank:
        parts.append(f"r{spec.rank}")
    if spec.suit is not None and spec.suit != _SUITS.get(suit, 0):
        parts.append(f"s{spec.suit - 1}")
    if spec.set:
        parts.append(f"{spec.set}'")
    return ",".join(parts)

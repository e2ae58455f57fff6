"""Actions as values: a verb with arguments, and an id as in the rulebook: move(a1,b1)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from rules.engine import argument_value as values
from rules.engine.argument_value import Reader, Value
from rules.pieces import Kind, Size, Suit, parse_piece
from rules.sentence import InputError, Mention, say


@dataclass(frozen=True, slots=True)
class Action:
    """`seat` is the actor; None: the seat whose turn it is, or chance. Arguments are short texts without commas or
    brackets: places, piece codes, numbers, words; the items of a list are joined with + (pay=M+M+C)."""

    verb: str
    args: tuple[str, ...] = ()
    seat: int | None = None

    @property
    def id(self) -> str:
        who = "" if self.seat is None else f"{self.seat}:"
        return who + (f"{self.verb}({','.join(self.args)})" if self.args else self.verb)

    def __str__(self) -> str:
        return self.id

    def __getitem__(self, index: int) -> str:
        return self.args[index]

    @property
    def term(self) -> Mention:
        return Mention(self.id)

    @property
    def without_seat(self) -> Action:
        """The action without its actor."""
        return self if self.seat is None else Action(self.verb, self.args)


HIDDEN_ARGUMENT = "?"
"""Replaces an argument that the reader may not know."""


class ParamKind(StrEnum):
    """Type of an argument. Places and pieces can be tapped."""

    PLACE = "place"
    PIECE = "piece"
    SEAT = "seat"
    SUIT = "suit"
    RANK = "rank"
    NUMBER = "number"
    WORD = "word"
    LIST = "list"


@dataclass(frozen=True, slots=True)
class ParamType:
    """Type of an argument with a reader of its own; a `kind` ending in "?" is optional."""

    kind: ParamKind | str
    reader: Reader


PLACE, PIECE, SEAT, SUIT = ParamKind.PLACE, ParamKind.PIECE, ParamKind.SEAT, ParamKind.SUIT
RANK, NUMBER, WORD, LIST = ParamKind.RANK, ParamKind.NUMBER, ParamKind.WORD, ParamKind.LIST
TILE = ParamType(ParamKind.PIECE, values.tile_of)
"""A tile by its short code, S3."""
TILE_PLACE = ParamType(ParamKind.PLACE, values.tile_of)
"""A tile that is a place."""
PIECES = ParamType(ParamKind.LIST, values.each(values.thing_of))
DICE = ParamType(ParamKind.LIST, values.each(values.die_of))
"""Values of dice: S3+M0."""
PRICE = ParamType(ParamKind.LIST, values.price_of)
MARK = ParamType(ParamKind.WORD, values.mark_of)
"""A suit or a value by its letter."""
WAY = ParamType(ParamKind.WORD, values.way_of)
CARD = ParamType(ParamKind.WORD, values.card_of)
CARDS = ParamType(ParamKind.LIST, values.each(values.card_of))


def optional(how: ParamType) -> ParamType:
    return ParamType(f"{how.kind}?", how.reader)


@dataclass(frozen=True, slots=True)
class PieceIcon:
    """The picture of a piece filled from the arguments of an action: `piece`, `suit`, `value` and `mark` (a suit or a
    value) are names of parameters, `onto` that of its place or vote. `own`: the piece has the suit of the actor."""

    kind: Kind
    piece: str = ""
    suit: str = ""
    value: str = ""
    mark: str = ""
    size: Size | None = None
    own: bool = False
    onto: str = ""


class Luck(StrEnum):
    """How a chance event happens on the table."""

    ROLL = "roll"
    DRAW = "draw"
    DEAL = "deal"
    BEGIN = "begin"


@dataclass(frozen=True, slots=True)
class Param:
    name: str
    kind: ParamKind
    optional: bool = False
    reader: Reader | None = None

    def value(self, code: str) -> Value:
        """The value of a code; of an unreadable code the code as a word."""
        try:
            return (self.reader or _READERS[self.kind])(code)
        except ValueError:
            return values.word(code)


@dataclass(frozen=True, slots=True)
class Verb:
    """One kind of action of a game. `text`: its sentence with {param} fields; `drawn`: the picture of a choice; `lays`:
    the piece from beside the board that it lays, where the arguments name only the place, so that it can be dragged on
    a phone; `luck`: how it happens on the table, where chance decides."""

    name: str
    params: tuple[Param, ...]
    text: str
    clause: str
    drawn: PieceIcon | None = None
    lays: PieceIcon | None = None
    luck: Luck = Luck.DRAW

    @classmethod
    def of(
        cls,
        name: str,
        text: str,
        clause: str,
        *,
        drawn: PieceIcon | None = None,
        lays: PieceIcon | None = None,
        luck: Luck = Luck.DRAW,
        **params: ParamKind | str | ParamType,
    ) -> Verb:
        """`Verb.of("move", "{from_} to {to}", "X-4.1", from_=PLACE, to=PLACE)`; a kind ending in "?" is optional."""
        return cls(name, tuple(_param(key, how) for key, how in params.items()), text, clause, drawn, lays, luck)

    def values(self, action: Action) -> tuple[Value, ...]:
        """The arguments of an action as values."""
        return tuple(param.value(code) for param, code in zip(self.params, action.args, strict=False))

    def icon_value(self, icon: PieceIcon, arguments: tuple[Value, ...], own: Suit | None) -> Value:
        """The piece of an icon, filled from argument values; `own`: the suit of the actor."""
        by_name = {param.name: value for param, value in zip(self.params, arguments, strict=False)}
        missing = Value()
        suit, value = by_name.get(icon.suit, missing).suit, by_name.get(icon.value, missing).value
        for name in filter(None, (icon.piece, icon.mark)):
            whole = by_name.get(name, missing)
            suit, value = whole.suit, whole.value
        mark = by_name.get(icon.piece, missing).mark
        return Value(icon.kind, own if icon.own else suit, value, icon.size, mark)

    @property
    def required(self) -> int:
        return sum(not param.optional for param in self.params)

    def with_joined_list(self, action: Action) -> Action:
        """Of a verb whose only parameter is a list: its items, given as arguments as in earlier records, joined.
        roll(3,0) becomes roll(3+0)."""
        if len(action.args) < 2 or len(self.params) != 1 or self.params[0].kind is not ParamKind.LIST:
            return action
        return Action(action.verb, ("+".join(action.args),), action.seat)

    def arguments_by_name(self, action: Action) -> dict[str, str]:
        return {param.name: value for param, value in zip(self.params, action.args, strict=False)}

    @property
    def has_target(self) -> bool:
        """Whether a parameter is a place or a piece."""
        return any(param.kind in (ParamKind.PLACE, ParamKind.PIECE) for param in self.params)

    def touches(self, action: Action) -> tuple[str, ...]:
        """The places and pieces among the arguments."""
        pairs = zip(self.params, action.args, strict=False)
        return tuple(arg for param, arg in pairs if param.kind in (ParamKind.PLACE, ParamKind.PIECE) and arg)

    def describe(self, action: Action) -> str:
        texts = {param.name: "" for param in self.params}
        texts |= {
            param.name: _argument_text(param, code) for param, code in zip(self.params, action.args, strict=False)
        }
        return with_articles(self.text.format(**texts)).strip()


verb = Verb.of


def _argument_text(param: Param, code: str) -> str:
    """Suits, values, coins and dice in words; any other code unchanged."""
    if text := _value_text(param.value(code)):
        return text
    try:
        if param.kind is ParamKind.PIECE and (piece := parse_piece(code)).kind in (Kind.COIN, Kind.TILE, Kind.PAWN):
            return piece.term.text
    except ValueError:
        pass
    return code


def _value_text(value: Value) -> str:
    """Suits, values and dice in words, also several; empty where another value is among them."""
    if value.all is not None:
        parts = [_value_text(each) for each in value.all]
        return (value.joint or values.COMMA).join(parts) if all(parts) else ""
    if value.kind not in (None, Kind.DIE) or value.count is not None:
        return ""
    return " ".join(filter(None, (value.suit, value.value)))


_AN = re.compile(r"\b([Aa]) (?=(?:ace|arms)\b)")


def with_articles(text: str) -> str:
    """English with "an" before "ace" and "arms"."""
    return _AN.sub(r"\1n ", text)


def _param(name: str, how: ParamKind | str | ParamType) -> Param:
    kind, reader = (str(how.kind), how.reader) if isinstance(how, ParamType) else (str(how), None)
    return Param(name, ParamKind(kind.rstrip("?")), kind.endswith("?"), reader)


_READERS: Mapping[ParamKind, Reader] = {
    ParamKind.PLACE: values.place,
    ParamKind.PIECE: values.thing_of,
    ParamKind.SEAT: lambda code: Value(seat=int(code)),
    ParamKind.SUIT: values.suit_of,
    ParamKind.RANK: values.rank_of,
    ParamKind.NUMBER: values.word,
    ParamKind.WORD: values.word,
    ParamKind.LIST: values.each(values.word),
}


_ID = re.compile(r"(?:(?P<seat>\d{1,2}):)?(?P<verb>[a-z_]+)(?:\((?P<args>[^()]*)\))?\Z")
MAX_ID = 4000


def parse_action(text: str) -> Action:
    """The inverse of `Action.id`. Checks the syntax only, not whether a game has the action."""
    if len(text) > MAX_ID:
        raise InputError(say("an action id has at most {most} characters", most=MAX_ID))
    match = _ID.match(text.strip())
    if not match:
        raise InputError(
            say("{text} is not an action; write verb(argument,argument), for example move(a1,b1)", text=repr(text[:60]))
        )
    args = match["args"]
    seat = match["seat"]
    parts = tuple(part.strip() for part in args.split(",")) if args else ()
    return Action(match["verb"], parts, None if seat is None else int(seat))


def action_from_json(data: object, verbs: Mapping[str, Verb]) -> Action:
    """From an id, or from an object: {"id"} | {"verb", "args": [..] or {name: ..}} | {"verb", name: value, ..}."""
    if isinstance(data, str):
        return parse_action(data)
    if not isinstance(data, dict):
        raise InputError(say('an action is an id ("move(a1,b1)") or an object with "verb" and its arguments'))
    if "id" in data:
        return _with_seat(parse_action(str(data["id"])), data.get("seat"))
    name = data.get("verb") or data.get("kind") or data.get("type")
    if not isinstance(name, str):
        raise InputError(say('an action object needs a "verb" (or an "id")'))
    return _with_seat(Action(name, _args(data, verbs.get(name))), data.get("seat"))


def _with_seat(action: Action, seat: object) -> Action:
    if seat is None:
        return action
    if isinstance(seat, bool) or not isinstance(seat, int):
        raise InputError(say("seat must be a number from 0, not {seat}", seat=f"{seat!r:.40}"))
    return Action(action.verb, action.args, seat)


def _args(data: dict[str, object], known: Verb | None) -> tuple[str, ...]:
    given = data.get("args", data)
    if isinstance(given, (list, tuple)):
        return tuple(_text(value) for value in given)
    if not isinstance(given, dict):
        raise InputError(say('"args" must be a list or an object'))
    if known is None:
        return ()
    named = {str(key).rstrip("_"): value for key, value in given.items()}
    values = [_text(named.get(param.name.rstrip("_"), "")) for param in known.params]
    while values and not values[-1]:
        values.pop()
    return tuple(values)


def _text(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return "+".join(_text(item) for item in value)
    if value is None:
        return ""
    if isinstance(value, dict) or len(str(value)) > MAX_ID:
        raise InputError(say("an argument is a short text or a number"))
    return str(value)

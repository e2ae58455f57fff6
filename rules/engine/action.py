"""What somebody does, as a value: a verb with arguments, and an id that reads like the rulebook: move(a1,b1)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from rules.engine import argument_value as values
from rules.engine.argument_value import Reader, Value
from rules.pieces import Kind, Size, Suit, parse_piece
from rules.sentence import Mention, SaidError, say


@dataclass(frozen=True, slots=True)
class Action:
    """`seat` is the actor; None means whoever's turn it is (or chance). Arguments are short texts without commas
    or brackets: places, piece codes, numbers, words; a list inside one argument is written with + (pay=M+M+C)."""

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
    def anonymous(self) -> Action:
        """The same without saying who."""
        return self if self.seat is None else Action(self.verb, self.args)


UNTOLD = "?"
"""Stands in an action for an argument that its reader may not know."""


class ParamKind(StrEnum):
    """What an argument names. Places and pieces can be tapped."""

    PLACE = "place"
    PIECE = "piece"
    SEAT = "seat"
    SUIT = "suit"
    RANK = "rank"
    NUMBER = "number"
    WORD = "word"
    LIST = "list"


@dataclass(frozen=True, slots=True)
class Reads:
    """An argument whose code is not written as its kind usually is; `kind` may end in "?"."""

    kind: ParamKind | str
    reader: Reader


@dataclass(frozen=True, slots=True)
class Drawn:
    """A piece by what stands in the arguments of an action: `piece`, `suit`, `value` and `mark` (a suit or a value) are
    names of parameters, `onto` that of the place or vote to which it goes. `own`: of the suit of whoever acts."""

    kind: Kind
    piece: str = ""
    suit: str = ""
    value: str = ""
    mark: str = ""
    size: Size | None = None
    own: bool = False
    onto: str = ""


class Luck(StrEnum):
    """How the table decides."""

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
        """As a value; a code that is none stands as it is."""
        try:
            return (self.reader or _READERS[self.kind])(code)
        except ValueError:
            return values.word(code)


@dataclass(frozen=True, slots=True)
class Verb:
    """One line of a game's vocabulary. `text` is the sentence shown to people, with {param} in it; `drawn`: the picture
    of a choice; `lays`: which piece from beside the board it lays, where only the place is named, so that a phone lets
    it be carried there; `luck`: how the table decides, where it does."""

    name: str
    params: tuple[Param, ...]
    text: str
    clause: str
    drawn: Drawn | None = None
    lays: Drawn | None = None
    luck: Luck = Luck.DRAW

    @classmethod
    def of(
        cls,
        name: str,
        text: str,
        clause: str,
        *,
        drawn: Drawn | None = None,
        lays: Drawn | None = None,
        luck: Luck = Luck.DRAW,
        **params: ParamKind | str | Reads,
    ) -> Verb:
        """`Verb.of("move", "{from_} to {to}", "X-4.1", from_=PLACE, to=PLACE)`; a kind ending in "?" is optional."""
        return cls(name, tuple(_param(key, how) for key, how in params.items()), text, clause, drawn, lays, luck)

    def values(self, action: Action) -> tuple[Value, ...]:
        """The arguments of an action, each as a value."""
        return tuple(param.value(code) for param, code in zip(self.params, action.args, strict=False))

    def looks(self, drawn: Drawn, arguments: tuple[Value, ...], own: Suit | None) -> Value:
        """The piece that is meant, from the arguments as values; `own`: the suit of whoever acts."""
        named = {param.name: value for param, value in zip(self.params, arguments, strict=False)}
        nothing = Value()
        suit, value = named.get(drawn.suit, nothing).suit, named.get(drawn.value, nothing).value
        for name in filter(None, (drawn.piece, drawn.mark)):
            whole = named.get(name, nothing)
            suit, value = whole.suit, whole.value
        mark = named.get(drawn.piece, nothing).mark
        return Value(drawn.kind, own if drawn.own else suit, value, drawn.size, mark)

    @property
    def required(self) -> int:
        return sum(not param.optional for param in self.params)

    def gathered(self, action: Action) -> Action:
        """The parts of a list may be given one by one where the verb has nothing else, as in earlier records:
        roll(3,0) is roll(3+0)."""
        if len(action.args) < 2 or len(self.params) != 1 or self.params[0].kind is not ParamKind.LIST:
            return action
        return Action(action.verb, ("+".join(action.args),), action.seat)

    def named(self, action: Action) -> dict[str, str]:
        return {param.name: value for param, value in zip(self.params, action.args, strict=False)}

    @property
    def points(self) -> bool:
        """Whether it names a place or a piece."""
        return any(param.kind in (ParamKind.PLACE, ParamKind.PIECE) for param in self.params)

    def touches(self, action: Action) -> tuple[str, ...]:
        """The places and pieces that an action points at."""
        pairs = zip(self.params, action.args, strict=False)
        return tuple(arg for param, arg in pairs if param.kind in (ParamKind.PLACE, ParamKind.PIECE) and arg)

    def describe(self, action: Action) -> str:
        given = zip(self.params, action.args, strict=False)
        values = {param.name: "" for param in self.params} | {
            param.name: _worded(param, value) for param, value in given
        }
        return articled(self.text.format(**values)).strip()


verb = Verb.of


def _worded(param: Param, code: str) -> str:
    """A suit, a value, a coin and dice by their words; anything else, and what is none, as it is written."""
    if told := _told(param.value(code)):
        return told
    try:
        if param.kind is ParamKind.PIECE and (piece := parse_piece(code)).kind in (Kind.COIN, Kind.TILE, Kind.PAWN):
            return piece.term.text
    except ValueError:
        pass
    return code


def _told(value: Value) -> str:
    """Suits, values and dice by their words, also in a row; nothing where something else is among them."""
    if value.all is not None:
        parts = [_told(each) for each in value.all]
        return (value.joint or values.COMMA).join(parts) if all(parts) else ""
    if value.kind not in (None, Kind.DIE) or value.count is not None:
        return ""
    return " ".join(filter(None, (value.suit, value.value)))


_AN = re.compile(r"\b([Aa]) (?=(?:ace|arms)\b)")


def articled(text: str) -> str:
    """English with "an" before the words of pieces that want it."""
    return _AN.sub(r"\1n ", text)


def _param(name: str, how: ParamKind | str | Reads) -> Param:
    kind, reader = (str(how.kind), how.reader) if isinstance(how, Reads) else (str(how), None)
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
    """The inverse of `Action.id`. Says only whether it reads as an action, not whether a game knows it."""
    if len(text) > MAX_ID:
        raise SaidError(say("an action id has at most {most} characters", most=MAX_ID))
    match = _ID.match(text.strip())
    if not match:
        raise SaidError(
            say(
                "{text} is not an action; write verb(argument,argument), for example move(a1,b1)",
                text=repr(text[:60]),
            )
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
        raise SaidError(say('an action is an id ("move(a1,b1)") or an object with "verb" and its arguments'))
    if "id" in data:
        return _with_seat(parse_action(str(data["id"])), data.get("seat"))
    name = data.get("verb") or data.get("kind") or data.get("type")
    if not isinstance(name, str):
        raise SaidError(say('an action object needs a "verb" (or an "id")'))
    return _with_seat(Action(name, _args(data, verbs.get(name))), data.get("seat"))


def _with_seat(action: Action, seat: object) -> Action:
    if seat is None:
        return action
    if isinstance(seat, bool) or not isinstance(seat, int):
        raise SaidError(say("seat must be a number from 0, not {seat}", seat=f"{seat!r:.40}"))
    return Action(action.verb, action.args, seat)


def _args(data: dict[str, object], known: Verb | None) -> tuple[str, ...]:
    given = data.get("args", data)
    if isinstance(given, (list, tuple)):
        return tuple(_text(value) for value in given)
    if not isinstance(given, dict):
        raise SaidError(say('"args" must be a list or an object'))
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
        raise SaidError(say("an argument is a short text or a number"))
    return str(value)

"""A game's card: what it is called, who may play, what may be chosen, what it needs. And reading those choices."""

from __future__ import annotations

import dataclasses
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from rules.engine.action import Verb
from rules.engine.turn import TurnKind
from rules.pieces import SUITS, Suit, parse_suit
from rules.sentence import Joint, Naming, SaidError, Sentence, by_number, say, several

OptionValue = bool | int | str
O = TypeVar("O")


class SetupError(SaidError):
    """Options, seats or a position that a game cannot start from; the text says what and what to do."""


@dataclass(frozen=True, slots=True)
class OptionSpec:
    name: str
    default: OptionValue
    choices: tuple[OptionValue, ...] = ()
    low: int | None = None
    high: int | None = None
    clause: str = ""
    text: str = ""

    def problem(self, value: object) -> Sentence | None:
        """Why this value cannot be taken, or None."""
        if self.choices:
            fits = any(value == choice and type(value) is type(choice) for choice in self.choices)
            return None if fits else say("must be one of {choices}", choices=", ".join(map(_spelled, self.choices)))
        if type(value) is not type(self.default):
            return _TYPE_WORDS[type(self.default)]
        if isinstance(value, int) and not self._within(value):
            return say("must be from {low} to {high}", low=self.low, high=self.high)
        return None

    def _within(self, value: int) -> bool:
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    def to_json(self) -> dict[str, object]:
        return {
            "name": self.name,
            "default": self.default,
            "choices": list(self.choices),
            "low": self.low,
            "high": self.high,
            "clause": self.clause,
            "text": self.text,
        }


_TYPE_WORDS: Mapping[type, Sentence] = {
    bool: say("must be true or false"),
    int: say("must be a whole number"),
    str: say("must be a text"),
}


def _spelled(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def option(
    default: OptionValue,
    text: str = "",
    *,
    choices: tuple[OptionValue, ...] = (),
    low: int | None = None,
    high: int | None = None,
    clause: str = "",
) -> Any:
    """A field of a game's options dataclass."""
    values = (False, True) if isinstance(default, bool) and not choices else choices
    spec = {"choices": values, "low": low, "high": high, "clause": clause, "text": text}
    return dataclasses.field(default=default, metadata=spec)


def option_specs(options_type: type) -> tuple[OptionSpec, ...]:
    return tuple(OptionSpec(f.name, _default(f), **f.metadata) for f in dataclasses.fields(options_type))


def _default(field: dataclasses.Field[Any]) -> OptionValue:
    value: Any = field.default
    assert isinstance(value, (bool, int, str)), "an option needs a plain default"
    return value


def read_options(options_type: type[O], given: Mapping[str, object] | None) -> O:
    """Options as people write them, checked; what is not said has its default."""
    if given is not None and not isinstance(given, Mapping):
        raise SetupError(say("options must be an object, for example {example}", example='{"direction": "facing"}'))
    specs = {spec.name: spec for spec in option_specs(options_type)}
    for name, value in (given or {}).items():
        if name not in specs:
            known = ", ".join(specs) or "none"
            raise SetupError(
                say("there is no option {name}; this game has: {known}", name=repr(str(name)[:40]), known=known)
            )
        if problem := specs[name].problem(value):
            raise SetupError(
                say("option {name} {problem}, not {value}", name=name, problem=problem, value=repr(str(value)[:40]))
            )
    return options_type(**(given or {}))


@dataclass(frozen=True, slots=True)
class Seat:
    """A player. Seats are numbered from 0, clockwise seen from above."""

    name: str
    suit: Suit | None = None

    def to_json(self) -> dict[str, object]:
        return {"name": self.name, "suit": self.suit.value if self.suit else None}


def by_name(seats: Sequence[Seat]) -> Naming:
    """What the people on these seats are called; a number that nobody has stays one."""
    return lambda seat: seats[seat].name if seat < len(seats) else by_number(seat)


FIRST, USUAL, OLD_HANDS, FOR_TWO = "first", "usual", "old", "two"
"""Rules to begin with: for a first game, as the rulebook has them, for old hands, for two persons."""


@dataclass(frozen=True, slots=True)
class GameCard:
    """`version` is of our reading of the rules and grows when behaviour changes. `seat_suits`: whether a seat is
    a suit. `turn_clause` and `action_clause` are cited for the wrong seat and for what is no action at all."""

    id: str
    name: str
    version: int
    seats: tuple[int, ...]
    options_type: type
    turn_clause: str
    action_clause: str
    verbs: tuple[Verb, ...] = ()
    turn_clauses: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """By phase, where another clause than `turn_clause` says who may act."""
    default_seats: int = 2
    seat_suits: tuple[Suit, ...] = SUITS
    turns: tuple[TurnKind, ...] = (TurnKind.SEAT,)
    needs: str = "one piecepack"
    hidden: bool = False
    designer: str = ""
    minutes: str = ""
    summary: str = ""
    pass_clause: str = ""
    """Cited to whoever wants to pass, where the rules say that nobody may."""
    without_words: tuple[str, ...] = ()
    """Languages that the game is not told in yet: English stands in, and no test asks for the words."""
    presets: Mapping[str, Mapping[str, OptionValue]] = dataclasses.field(default_factory=dict)
    """Options that belong together, by one of the names above; the usual rules are always among them."""

    @property
    def options(self) -> tuple[OptionSpec, ...]:
        return option_specs(self.options_type)

    @property
    def easiest(self) -> dict[str, OptionValue]:
        """The options of a first game."""
        return dict(self.presets.get(FIRST, {}))

    @property
    def rule_sets(self) -> list[dict[str, Any]]:
        """The easiest first."""
        told = {USUAL: {}, **self.presets}
        return [{"name": n, "options": dict(told[n])} for n in (FIRST, USUAL, OLD_HANDS, FOR_TWO) if n in told]

    def to_json(self) -> dict[str, object]:
        return {
            "id": self.id,
            "name": self.name,
            "version": self.version,
            "seats": list(self.seats),
            "default_seats": self.default_seats,
            "options": [spec.to_json() for spec in self.options],
            "verbs": [
                {"name": v.name, "params": [p.name.rstrip("_") for p in v.params], "clause": v.clause}
                for v in self.verbs
            ],
            "turns": [kind.value for kind in self.turns],
            "needs": self.needs,
            "hidden": self.hidden,
            "designer": self.designer,
            "minutes": self.minutes,
            "summary": self.summary,
            "presets": self.rule_sets,
        }


_LONGEST_NAME = 40
_TURNING = frozenset(map(chr, (0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))))
"""Marks that change the direction of writing."""


def read_seats(card: GameCard, given: object = None) -> tuple[Seat, ...]:
    """Seats as people write them: a number, a list of names or suits, or a list of {"name", "suit"}."""
    if given is None:
        given = card.default_seats
    if isinstance(given, int) and not isinstance(given, bool):
        given = [None] * min(max(given, 0), 99)
    if not isinstance(given, (list, tuple)):
        raise SetupError(say('seats must be a number or a list, for example 3 or ["suns", "moons", "crowns"]'))
    if len(given) not in card.seats:
        many, given_seats = several(map(str, card.seats), Joint.OR), len(given)
        if card.seats == (1,):
            raise SetupError(say("{game} is for one player, not {given}", game=card.name, given=given_seats))
        raise SetupError(
            say("{game} is for {numbers} players, not {given}", game=card.name, numbers=many, given=given_seats)
        )
    wanted = [_seat(item, index) for index, item in enumerate(given)]
    return _deal_suits(card, wanted)


def _seat(item: object, index: int) -> Seat:
    if item is None:
        return Seat("")
    if isinstance(item, str):
        try:
            return Seat("", parse_suit(item))
        except ValueError:
            return Seat(plain_name(item))
    if isinstance(item, dict):
        suit = item.get("suit")
        return Seat(plain_name(str(item.get("name") or "")), parse_suit(str(suit)) if suit else None)
    raise SetupError(
        say("seat {index} must be a name, a suit or an object, not {item}", index=index, item=repr(str(item)[:40]))
    )


def plain_name(text: str) -> str:
    """A name as it can stand in any sentence: without what nobody sees, and what would turn the words around it."""
    seen = (sign for sign in text if sign not in _TURNING and unicodedata.category(sign) not in ("Cc", "Cs"))
    return " ".join("".join(seen).split())[:_LONGEST_NAME]


def _deal_suits(card: GameCard, wanted: list[Seat]) -> tuple[Seat, ...]:
    """Whoever did not ask for a suit gets the next free one of the game's order."""
    taken = [seat.suit for seat in wanted if seat.suit]
    if len(set(taken)) != len(taken):
        raise SetupError(say("two seats ask for the same suit"))
    free = iter([suit for suit in card.seat_suits if suit not in taken])
    seats = []
    for index, seat in enumerate(wanted):
        suit = seat.suit or next(free, None)
        seats.append(Seat(seat.name or (suit.value.capitalize() if suit else f"Player {index + 1}"), suit))
    return tuple(seats)

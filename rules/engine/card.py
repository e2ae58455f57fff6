"""A game's card: names, seats, options and needs of a game, and the readers of options and seats."""

from __future__ import annotations

import dataclasses
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from rules.engine.action import Verb
from rules.engine.turn import TurnKind
from rules.pieces import SUITS, Suit, parse_suit
from rules.sentence import InputError, Joint, SeatNames, Sentence, by_number, say, several

OptionValue = bool | int | str
O = TypeVar("O")


class SetupError(InputError):
    """Options, seats or a position from which a game cannot start."""


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
        """Why the value is invalid; None if it is valid."""
        if self.choices:
            is_choice = any(value == choice and type(value) is type(choice) for choice in self.choices)
            return (
                None if is_choice else say("must be one of {choices}", choices=", ".join(map(_spelled, self.choices)))
            )
        if type(value) is not type(self.default):
            return _TYPE_WORDS[type(self.default)]
        low, high = self.low, self.high
        if isinstance(value, int) and ((low is not None and value < low) or (high is not None and value > high)):
            return say("must be from {low} to {high}", low=low, high=high)
        return None

    def to_json(self) -> dict[str, object]:
        return {**dataclasses.asdict(self), "choices": list(self.choices)}


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
    """A field of the options dataclass of a game."""
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
    """Checked options; those not given have their defaults."""
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


def by_name(seats: Sequence[Seat]) -> SeatNames:
    """The names of these seats; a number beyond them stays a number."""
    return lambda seat: seats[seat].name if seat < len(seats) else by_number(seat)


FIRST, USUAL, OLD_HANDS, FOR_TWO = "first", "usual", "old", "two"
"""Names of rule sets: for a first game, of the rulebook, for experienced players, for two persons."""


@dataclass(frozen=True, slots=True)
class GameCard:
    """`version`: of our reading of the rules; it grows when behaviour changes. `seat_suits`: suits of the seats, in
    order; empty where seats have none. `turn_clause`, `action_clause`: cited for a wrong seat, an unknown action."""

    id: str
    name: str
    seats: tuple[int, ...]
    options_type: type
    turn_clause: str
    action_clause: str
    version: int = 1
    verbs: tuple[Verb, ...] = ()
    turn_clauses: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """By phase: the clause cited instead of `turn_clause`."""
    default_seats: int = 2
    seat_suits: tuple[Suit, ...] = SUITS
    turns: tuple[TurnKind, ...] = (TurnKind.SEAT,)
    needs: str = "one piecepack"
    hidden: bool = False
    designer: str = ""
    minutes: str = ""
    summary: str = ""
    pass_clause: str = ""
    """Cited for a pass, where the rules forbid passing."""
    untranslated_in: tuple[str, ...] = ()
    """Languages without a translation of the game yet: English is used, and no test asks for the words."""
    presets: Mapping[str, Mapping[str, OptionValue]] = dataclasses.field(default_factory=dict)
    """Options by the name of a rule set; USUAL is always among them, without options."""

    @property
    def options(self) -> tuple[OptionSpec, ...]:
        return option_specs(self.options_type)

    @property
    def easiest(self) -> dict[str, OptionValue]:
        """The options of a first game."""
        return dict(self.presets.get(FIRST, {}))

    @property
    def rule_sets(self) -> list[dict[str, Any]]:
        """Name and options of each rule set, the easiest first."""
        sets = {USUAL: {}, **self.presets}
        return [{"name": n, "options": dict(sets[n])} for n in (FIRST, USUAL, OLD_HANDS, FOR_TWO) if n in sets]

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


_MAX_NAME_LENGTH = 40
_BIDI_CONTROLS = frozenset(map(chr, (0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))))


def read_seats(card: GameCard, given: object = None) -> tuple[Seat, ...]:
    """Seats from a number, a list of names or suits, or a list of {"name", "suit"}."""
    if given is None:
        given = card.default_seats
    if isinstance(given, int) and not isinstance(given, bool):
        given = [None] * min(max(given, 0), 99)
    if not isinstance(given, (list, tuple)):
        raise SetupError(say('seats must be a number or a list, for example 3 or ["suns", "moons", "crowns"]'))
    if len(given) not in card.seats:
        numbers, count = several(map(str, card.seats), Joint.OR), len(given)
        if card.seats == (1,):
            raise SetupError(say("{game} is for one player, not {given}", game=card.name, given=count))
        raise SetupError(
            say("{game} is for {numbers} players, not {given}", game=card.name, numbers=numbers, given=count)
        )
    return _with_suits(card, [_seat(item, index) for index, item in enumerate(given)])


def _seat(item: object, index: int) -> Seat:
    if item is None:
        return Seat("")
    if isinstance(item, str):
        try:
            return Seat("", parse_suit(item))
        except ValueError:
            return Seat(clean_name(item))
    if isinstance(item, dict):
        suit = item.get("suit")
        return Seat(clean_name(str(item.get("name") or "")), parse_suit(str(suit)) if suit else None)
    raise SetupError(
        say("seat {index} must be a name, a suit or an object, not {item}", index=index, item=repr(str(item)[:40]))
    )


def clean_name(text: str) -> str:
    """A name for use in sentences: without control characters and marks of writing direction, shortened."""
    kept = (sign for sign in text if sign not in _BIDI_CONTROLS and unicodedata.category(sign) not in ("Cc", "Cs"))
    return " ".join("".join(kept).split())[:_MAX_NAME_LENGTH]


def _with_suits(card: GameCard, requested: list[Seat]) -> tuple[Seat, ...]:
    """Gives each seat without a suit the next free one in the order of the game, and a name to seats without one."""
    given_suits = [seat.suit for seat in requested if seat.suit]
    if len(set(given_suits)) != len(given_suits):
        raise SetupError(say("two seats ask for the same suit"))
    free = iter([suit for suit in card.seat_suits if suit not in given_suits])
    seats = []
    for index, seat in enumerate(requested):
        suit = seat.suit or next(free, None)
        seats.append(Seat(seat.name or (suit.value.capitalize() if suit else f"Player {index + 1}"), suit))
    return tuple(seats)

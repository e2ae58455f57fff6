"""The game of a PPN record, and the options and seats with which it may have started."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice, permutations, product
from typing import Any

from rules.engine.card import OptionSpec, SetupError
from rules.engine.contract import AnyGame
from rules.games import IDS, available, game
from rules.notation.dealt import read_tiles
from rules.notation.errors import NotationError, shortened
from rules.notation.metadata import Value, snake, squeezed
from rules.notation.reader import PpnGame
from rules.pieces import Suit
from rules.sentence import Sentence, say

_MAX_STARTS = 120
"""Combinations of options and seats tried for a record."""
_OTHER_NAMES = {"penguingame": "penguin", "zombieinmypiecepack": "zombie", "zombiesinmypiecepack": "zombie"}


@dataclass(frozen=True, slots=True)
class StartHypothesis:
    """Options and seats with which the game may have started."""

    options: Mapping[str, Any]
    seats: object


def game_of(record: PpnGame) -> AnyGame | None:
    """The game of the record; None if it is not one of ours."""
    named = _own(record).get("game")
    names = [named] if isinstance(named, str) else []
    for name in [*names, *([record.name] if record.name else [])]:
        found = _known_names().get(squeezed(name))
        if found is not None:
            return game(found)
    return None


@cache
def _known_names() -> dict[str, str]:
    """Id of each game by its squeezed names; no game is loaded."""
    own = {squeezed(id): id for id in IDS} | _OTHER_NAMES
    return {name: id for name, id in own.items() if id in available()}


def _own(record: PpnGame) -> Mapping[str, Value]:
    value = record.metadata.get("Companion", {})
    return value if isinstance(value, dict) else {}


def is_own(record: PpnGame) -> bool:
    """Whether the record was written by this program."""
    return "Companion" in record.metadata


def other_rules(record: PpnGame, found: AnyGame) -> Sentence | None:
    """The reason why the record cannot be judged: it was played under another version of the rules. None: it can."""
    rules = _own(record).get("rules")
    here = f"{found.card.id}@{found.card.version}"
    if rules in (None, "", here):
        return None
    return say(
        "this game of {game} was played under the rules {rules}; this program has {here} and cannot judge it",
        game=found.card.name,
        rules=shortened(str(rules)),
        here=here,
    )


def start_hypotheses(record: PpnGame, found: AnyGame, suits: Sequence[Suit] = ()) -> Iterator[StartHypothesis]:
    """The start named in the record, else all combinations of options and seats, the defaults first. `suits`: of the
    pieces on the table, since people also play with others than the default ones."""
    own = _own(record)
    if own:
        yield StartHypothesis(_typed(found, own.get("options", {})), _seats(own.get("seats")))
        return
    given = _arguments(record, found)
    specs = [spec for spec in found.card.options if spec.choices and spec.name not in given]
    choices = product(_possible_seats(found, suits), *(_ordered(spec) for spec in specs))
    for seats, *values in islice(choices, _MAX_STARTS):
        yield StartHypothesis({**given, **dict(zip((spec.name for spec in specs), values, strict=True))}, seats)


def _possible_seats(found: AnyGame, suits: Sequence[Suit]) -> list[object]:
    """The numbers of seats, then seats with the suits on the table, in any order."""
    card = found.card
    counts: list[object] = sorted(card.seats, key=lambda count: count != card.default_seats)
    if not card.seat_suits or len(suits) not in card.seats:
        return counts
    return counts + [[suit.value for suit in order] for order in permutations(suits)]


def _ordered(spec: OptionSpec) -> list[Any]:
    return sorted(spec.choices, key=lambda choice: choice != spec.default)


def _typed(found: AnyGame, given: Value) -> dict[str, Any]:
    """Options from texts of the metadata, with the types of their defaults."""
    if not isinstance(given, dict):
        return {}
    defaults = {spec.name: spec.default for spec in found.card.options}
    return {name: _value(defaults.get(name, ""), str(text)) for name, text in given.items()}


def _value(default: object, text: str) -> object:
    if isinstance(default, bool):
        return text == "true"
    if isinstance(default, int) and text.lstrip("-").isdecimal():
        return int(text)
    return text


def _seats(given: Value | None) -> object:
    """Seats for `Game.start`, without empty fields."""
    if not isinstance(given, list):
        return None
    return [
        {key: value for key, value in seat.items() if value not in ("", "null")} if isinstance(seat, dict) else seat
        for seat in given
    ]


def _arguments(record: PpnGame, found: AnyGame) -> dict[str, Any]:
    """Arguments of a PPN opening as options of our game."""
    value = record.metadata.get("GameType")
    if not isinstance(value, dict):
        return {}
    texts = {snake(key): text for key, text in value.items() if isinstance(text, str)}
    known = {spec.name for spec in found.card.options}
    options = {
        option: read(texts[name])
        for (id, name), (option, read) in _TRANSLATED.items()
        if id == found.card.id and name in texts and option in known
    }
    return {option: choice for option, choice in options.items() if choice is not None}


def _coins(text: str) -> str | None:
    values = "".join({"n": "0", "a": "1"}.get(letter, letter) for letter in text if letter.isalnum())
    return f"{values[:12]}/{values[12:]}" if len(values) == 24 and values.isdecimal() else None


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) < 4 else None


def _tiles(text: str) -> str | None:
    try:
        tiles = read_tiles(text, 24)
    except NotationError:
        return None
    return "+".join(f"{' SMCA'[suit or 0]}{(rank or 1) - 1}" for suit, rank, _ in tiles)


_TRANSLATED: dict[tuple[str, str], tuple[str, Callable[[str], Any]]] = {
    ("fuji_san", "coins"): ("layout", _coins),
    ("dodgem", "nrows"): ("size", _number),
    ("tula", "tiles"): ("tiles", _tiles),
}


def first_state(found: AnyGame, start: StartHypothesis) -> Any | None:
    """The first state; None if options and seats are not valid together."""
    try:
        return found.start(start.options, start.seats)
    except (SetupError, ValueError):
        return None

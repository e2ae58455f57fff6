"""Which of our games a PPN file is a record of, and with which options and how many players it may have begun."""

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
from rules.notation.metadata import Value
from rules.notation.names import snake, squeezed
from rules.notation.reader import PpnGame
from rules.pieces import Suit
from rules.sentence import Sentence, say

_MAX_CASTS = 120
_OTHER_NAMES = {"penguingame": "penguin", "zombieinmypiecepack": "zombie", "zombiesinmypiecepack": "zombie"}


@dataclass(frozen=True, slots=True)
class StartHypothesis:
    """One way in which the game may have begun."""

    options: Mapping[str, Any]
    seats: object


def game_of(record: PpnGame) -> AnyGame | None:
    """Our game, or None if the record is of another."""
    named = _own(record).get("game")
    names = [named] if isinstance(named, str) else []
    for name in [*names, *([record.name] if record.name else [])]:
        found = _known_names().get(squeezed(name))
        if found is not None:
            return game(found)
    return None


@cache
def _known_names() -> dict[str, str]:
    """Every spelling under which a game of ours goes, squeezed; no game is loaded for it."""
    own = {squeezed(id): id for id in IDS} | _OTHER_NAMES
    return {name: id for name, id in own.items() if id in available()}


def _own(record: PpnGame) -> Mapping[str, Value]:
    value = record.metadata.get("Companion", {})
    return value if isinstance(value, dict) else {}


def is_own(record: PpnGame) -> bool:
    """Whether it was written by this program."""
    return "Companion" in record.metadata


def other_rules(record: PpnGame, found: AnyGame) -> Sentence | None:
    """What to say if the record was made under rules that we do not have: it cannot be judged by others."""
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


def casts(record: PpnGame, found: AnyGame, suits: Sequence[Suit] = ()) -> Iterator[StartHypothesis]:
    """What the record itself says comes first, then every choice of options and seats, the default ones first. `suits`
    are those that lie on the table: people play with others than we propose."""
    own = _own(record)
    if own:
        yield StartHypothesis(_typed(found, own.get("options", {})), _seats(own.get("seats")))
        return
    given = {**_arguments(record, found)}
    specs = [spec for spec in found.card.options if spec.choices and spec.name not in given]
    choices = product(_tables_of_players(found, suits), *(_ordered(spec) for spec in specs))
    for seats, *values in islice(choices, _MAX_CASTS):
        yield StartHypothesis({**given, **dict(zip((spec.name for spec in specs), values, strict=True))}, seats)


def _tables_of_players(found: AnyGame, suits: Sequence[Suit]) -> list[object]:
    """How many there may be; and whoever has the suits on the table, in any order."""
    card = found.card
    counts: list[object] = sorted(card.seats, key=lambda count: count != card.default_seats)
    if not card.seat_suits or len(suits) not in card.seats:
        return counts
    return counts + [[suit.value for suit in order] for order in permutations(suits)]


def _ordered(spec: OptionSpec) -> list[Any]:
    return sorted(spec.choices, key=lambda choice: choice != spec.default)


def _typed(found: AnyGame, given: Value) -> dict[str, Any]:
    """Metadata are texts; options have the type of their defaults."""
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
    """Seats as people write them, for `Game.start`."""
    if not isinstance(given, list):
        return None
    return [_said(seat) if isinstance(seat, dict) else seat for seat in given]


def _said(seat: Mapping[str, Value]) -> dict[str, Value]:
    return {key: value for key, value in seat.items() if value not in ("", "null")}


# Arguments of the format's own openings, as options of ours -----------------------------------------------------


def _arguments(record: PpnGame, found: AnyGame) -> dict[str, Any]:
    value = record.metadata.get("GameType")
    if not isinstance(value, dict):
        return {}
    said = {snake(key): text for key, text in value.items() if isinstance(text, str)}
    known = {spec.name for spec in found.card.options}
    translated = (
        (option, read(said[name]))
        for (id, name), (option, read) in _TRANSLATED.items()
        if id == found.card.id and name in said and option in known
    )
    return {option: wanted for option, wanted in translated if wanted is not None}


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


def begun(found: AnyGame, cast: StartHypothesis) -> Any | None:
    """The first state; None if the options do not go together."""
    try:
        return found.start(cast.options, cast.seats)
    except (SetupError, ValueError):
        return None

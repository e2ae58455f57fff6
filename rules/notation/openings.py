"""What lies on the table when a game begins, by its name in the metadata.

Fixed openings are PPN themselves (openings.ppn); those with arguments are in dealt.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files

from rules.notation.dealt import DEALT
from rules.notation.dialect import DEFAULT, Dialect
from rules.notation.errors import OpeningArgumentError, UnknownOpeningError, shortened
from rules.notation.limits import Allowance
from rules.notation.macros import Macros
from rules.notation.metadata import Metadata, Value, read_metadata
from rules.notation.movetext import parse_movetext
from rules.notation.names import normalised, normalised_system, snake, squeezed
from rules.notation.play import begin, played
from rules.notation.tabletop import Table
from rules.sentence import Joint, say, several


@dataclass(frozen=True, slots=True)
class Opening:
    table: Table = ()
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class OpeningRequest:
    """What a GameType or SetUp asks for."""

    name: str
    system: str
    arguments: Mapping[str, str]


EMPTY = Opening()


def opening_of(metadata: Metadata, dialect: Dialect = DEFAULT, *, forgiving: bool = False) -> Opening:
    """SetUp goes before GameType; neither of them means an empty table."""
    for key in ("SetUp", "GameType"):
        value = metadata.get(key)
        if value is not None and value != "":
            return find_opening(wanted(value, dialect), forgiving=forgiving)
    return EMPTY


def wanted(value: Value, dialect: Dialect = DEFAULT) -> OpeningRequest:
    if isinstance(value, str):
        return OpeningRequest(value, dialect.system, {})
    if not isinstance(value, dict):
        raise UnknownOpeningError(say("GameType and SetUp are a name or a mapping with a Name"))
    given = {snake(key): item for key, item in value.items()}
    name = given.pop("name", "")
    system = given.pop("system", dialect.system)
    if not isinstance(name, str) or not name or not isinstance(system, str):
        raise UnknownOpeningError(say("a GameType or SetUp needs a Name"))
    return OpeningRequest(name, normalised_system(system), {key: _text(key, item) for key, item in given.items()})


def _text(key: str, value: Value) -> str:
    if not isinstance(value, str):
        raise OpeningArgumentError(say("the argument {name} of the opening must be a text", name=repr(shortened(key))))
    return value


def find_opening(wish: OpeningRequest, *, forgiving: bool = False) -> Opening:
    """Looked for under the wished system, then among the piecepack games."""
    name = normalised(wish.name)
    if name == "none":
        return EMPTY
    if forgiving:
        name = _respelled(name)
    for full in dict.fromkeys((f"{wish.system}_{name}", f"piecepack_{name}")):
        if full in DEALT:
            deal = DEALT[full]
            return Opening(deal.table(wish.arguments), deal.scale)
        if full in _fixed():
            _refuse_arguments(wish)
            return _fixed()[full]
    raise _unknown(wish, name)


def _respelled(name: str) -> str:
    return next((known for known in known_openings() if squeezed(known) == squeezed(name)), name)


def _refuse_arguments(wish: OpeningRequest) -> None:
    for key in wish.arguments:
        raise OpeningArgumentError(
            say("the opening of {game} has no argument {name}", game=shortened(wish.name), name=repr(shortened(key)))
        )


def _unknown(wish: OpeningRequest, name: str) -> UnknownOpeningError:
    close = get_close_matches(name, known_openings(), 3, 0.75)
    asked, known = repr(shortened(wish.name)), ", ".join(known_openings())
    if not close:
        return UnknownOpeningError(
            say(
                "no opening is known for {name}: write SetUp: None and drop the pieces in the first move. "
                "Known are {known}",
                name=asked,
                known=known,
            )
        )
    return UnknownOpeningError(
        say(
            "no opening is known for {name}: did you mean {close}? write SetUp: None and drop the pieces in the "
            "first move. Known are {known}",
            name=asked,
            close=several(close, Joint.OR),
            known=known,
        )
    )


@cache
def known_openings() -> tuple[str, ...]:
    """Names of piecepack openings, as they are looked for."""
    found = {name.removeprefix("piecepack_") for name in (*DEALT, *_fixed()) if name.startswith("piecepack_")}
    return ("none", *sorted(found))


@cache
def _fixed() -> dict[str, Opening]:
    text = files("rules.notation").joinpath("openings.ppn").read_text(encoding="utf-8")
    found: dict[str, Opening] = {}
    for part in text.split("---\n")[1:]:
        head, _, body = part.partition("...\n")
        found |= _read(read_metadata(head), body)
    return found


def _read(head: Metadata, body: str) -> dict[str, Opening]:
    allowance = Allowance()
    moves = parse_movetext(body, Macros({}, allowance), allowance)
    position = begin(())
    for move in moves:
        position = played(move, position)
    opening = Opening(position.table, float(str(head.get("Scale", "1"))))
    also = head.get("Also", [])
    names = [head["Opening"], *(also if isinstance(also, list) else [])]
    return {f"{head.get('System', 'piecepack')}_{name}": opening for name in names}

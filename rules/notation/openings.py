"""The table at the start of a game, by its name in the metadata.

Fixed openings are written in PPN (openings.ppn); those with arguments are in dealt.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files

from rules.notation.dealt import DEALT
from rules.notation.dialect import DEFAULT, Dialect
from rules.notation.errors import Allowance, OpeningError, quoted, shortened
from rules.notation.expansion import Macros
from rules.notation.metadata import Metadata, Value, normalised, normalised_system, read_metadata, snake, squeezed
from rules.notation.movetext import parse_movetext
from rules.notation.play import after_move, begin
from rules.notation.tabletop import Table
from rules.sentence import Joint, say, several


@dataclass(frozen=True, slots=True)
class Opening:
    table: Table = ()
    scale: float = 1.0


EMPTY = Opening()


def opening_of(metadata: Metadata, dialect: Dialect = DEFAULT, *, forgiving: bool = False) -> Opening:
    """The opening of SetUp, else of GameType; without both an empty table."""
    for key in ("SetUp", "GameType"):
        value = metadata.get(key)
        if value is not None and value != "":
            return find_opening(value, dialect, forgiving=forgiving)
    return EMPTY


def _request(value: Value, dialect: Dialect) -> tuple[str, str, dict[str, str]]:
    """Name, system and arguments of a GameType or SetUp of the metadata."""
    if isinstance(value, str):
        return value, dialect.system, {}
    if not isinstance(value, dict):
        raise OpeningError(say("GameType and SetUp are a name or a mapping with a Name"))
    given = {snake(key): item for key, item in value.items()}
    name, system = given.pop("name", ""), given.pop("system", dialect.system)
    if not isinstance(name, str) or not name or not isinstance(system, str):
        raise OpeningError(say("a GameType or SetUp needs a Name"))
    for key, item in given.items():
        if not isinstance(item, str):
            raise OpeningError(say("the argument {name} of the opening must be a text", name=quoted(key)))
    return name, normalised_system(system), {key: str(item) for key, item in given.items()}


def find_opening(value: Value, dialect: Dialect = DEFAULT, *, forgiving: bool = False) -> Opening:
    """The opening of this name in the requested system, else of the piecepack."""
    requested, system, arguments = _request(value, dialect)
    name = normalised(requested)
    if name == "none":
        return EMPTY
    if forgiving:
        name = next((known for known in known_openings() if squeezed(known) == squeezed(name)), name)
    for full in dict.fromkeys((f"{system}_{name}", f"piecepack_{name}")):
        if full in DEALT:
            return Opening(DEALT[full].table(arguments), DEALT[full].scale)
        if full in _fixed():
            for key in arguments:
                game = shortened(requested)
                raise OpeningError(say("the opening of {game} has no argument {name}", game=game, name=quoted(key)))
            return _fixed()[full]
    raise _unknown(requested, name)


def _unknown(name: str, normal_name: str) -> OpeningError:
    close = get_close_matches(normal_name, known_openings(), 3, 0.75)
    requested, known = quoted(name), ", ".join(known_openings())
    if not close:
        why = say(
            "no opening is known for {name}: write SetUp: None and drop the pieces in the first move. "
            "Known are {known}",
            name=requested,
            known=known,
        )
    else:
        why = say(
            "no opening is known for {name}: did you mean {close}? write SetUp: None and drop the pieces in the "
            "first move. Known are {known}",
            name=requested,
            close=several(close, Joint.OR),
            known=known,
        )
    return OpeningError(why)


@cache
def known_openings() -> tuple[str, ...]:
    """Normalised names of the piecepack openings."""
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
        position = after_move(move, position)
    opening = Opening(position.table, float(str(head.get("Scale", "1"))))
    also = head.get("Also", [])
    names = [head["Opening"], *(also if isinstance(also, list) else [])]
    return {f"{head.get('System', 'piecepack')}_{name}": opening for name in names}

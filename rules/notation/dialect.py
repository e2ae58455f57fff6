"""The settings of a MovetextParser: game system, kind of coloured pieces without a kind, width of cells, scale."""

from __future__ import annotations

from dataclasses import dataclass

from rules.notation.errors import MetadataError, quoted
from rules.notation.metadata import Metadata, Value, snake
from rules.sentence import say


@dataclass(frozen=True, slots=True)
class Dialect:
    """`scale`: inches per written coordinate; None: that of the opening."""

    system: str = "piecepack"
    bits: str | None = None
    cell_width: int = 2
    scale: float | None = None


DEFAULT = Dialect()
_PARSERS = {
    "default": DEFAULT,
    "piecepack": DEFAULT,
    "alquerque": Dialect("alquerque", "alquerque"),
    "checker": Dialect("checker"),
    "chess": Dialect("chess"),
    "domino": Dialect("domino"),
    "go": Dialect("go", "go"),
    "marble": Dialect("marble", "marbles"),
    "morris": Dialect("morris", "morris"),
    "tarot": Dialect("tarot", "playing_cards_tarot"),
}


def dialect_of(metadata: Metadata) -> Dialect:
    wanted = metadata.get("MovetextParser", "default")
    if isinstance(wanted, str):
        return _named(wanted)
    if not isinstance(wanted, dict):
        raise MetadataError(say("MovetextParser must be a name or a mapping with a Name"))
    given = {snake(key): value for key, value in wanted.items()}
    found = _named(str(given.pop("name", "default")))
    scale = _number(given.pop("scale_factor", ""), "ScaleFactor")
    width = _number(given.pop("cell_width", ""), "CellWidth")
    if given:
        raise MetadataError(say("MovetextParser has no argument {given}", given=quoted(sorted(given)[0])))
    return Dialect(found.system, found.bits, found.cell_width if width is None else int(width), scale)


def _named(name: str) -> Dialect:
    found = _PARSERS.get(snake(name))
    if found is None:
        known = ", ".join(sorted(_PARSERS))
        why = say("there is no movetext parser {name}; known are {known}", name=quoted(name), known=known)
        raise MetadataError(why)
    return found


def _number(value: Value, name: str) -> float | None:
    if value == "":
        return None
    try:
        number = float(str(value))
    except ValueError:
        number = -1.0
    if not 0 < number <= 1000:
        raise MetadataError(say("{name} must be a number above 0, not {value}", name=name, value=quoted(str(value))))
    return number

"""Reads PPN: files of several games, each with metadata and movetext.

Strict reading follows the format and its reference reader. `forgiving=True` also accepts typographic dashes and quotes,
unclosed comments, indented metadata without a closing line, and other spellings of game names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rules.notation.dialect import Dialect, dialect_of
from rules.notation.errors import (
    MAX_FILE,
    MAX_GAMES,
    Allowance,
    FileError,
    LimitError,
    MetadataError,
    NotAMappingError,
    UnknownSubmoveError,
)
from rules.notation.expansion import Macros
from rules.notation.metadata import Metadata, read_metadata
from rules.notation.movetext import OPENING_LABEL, MoveText, parse_movetext, repeated_labels
from rules.notation.openings import Opening, opening_of
from rules.notation.play import PlayedMove, begin, play
from rules.sentence import say

_LABELLED = re.compile(r"^\s*\d\w*\.", re.MULTILINE)
"""A line that begins with the label of a move."""
_GAME_START = re.compile(r"^---", re.MULTILINE)
_CLOSING_LINE = re.compile(r"^\.\.\.[^\n]*\n?", re.MULTILINE)
_FALLBACK_LINE = re.compile(r"^(?:[ \t][^\n]*|)$\n?", re.MULTILINE)
_EMPTY_LINE = re.compile(r"^[ \t]*$\n?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class PpnGame:
    """One parsed game, not yet played. `warnings`: allowed but unusual features."""

    metadata: Metadata
    moves: tuple[MoveText, ...]
    dialect: Dialect
    forgiving: bool = False
    warnings: tuple[str, ...] = ()

    @property
    def name(self) -> str | None:
        """The name of the game in the metadata, as written."""
        value = self.metadata.get("GameType")
        if isinstance(value, dict):
            value = next((item for key, item in value.items() if key.lower() == "name"), None)
        return value if isinstance(value, str) and value else None

    def opening(self) -> Opening:
        """The table before the first move."""
        return opening_of(self.metadata, self.dialect, forgiving=self.forgiving)

    def play(self) -> Iterator[PlayedMove]:
        """The opening and then the table after each move, lazily."""
        opening = self.opening()
        yield PlayedMove(MoveText(OPENING_LABEL, "", "", ()), opening.table)
        scale = self.dialect.scale or opening.scale
        yield from play(self.moves, begin(opening.table, scale, self.dialect))


def read_file(path: str | Path, *, forgiving: bool = False) -> list[PpnGame]:
    try:
        if Path(path).stat().st_size > MAX_FILE:
            raise LimitError(say("{file} is larger than {most} bytes", file=str(path), most=MAX_FILE))
        text = Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise FileError(say("cannot read {file}: {why}", file=str(path), why=error.strerror)) from None
    except UnicodeDecodeError as error:
        raise FileError(say("{file} is not UTF-8 text (byte {start})", file=str(path), start=error.start)) from None
    games = read_games(text, forgiving=forgiving)
    if not any(game.metadata or game.moves for game in games):
        raise FileError(say("there is no game in {file}: neither metadata nor a move", file=str(path)))
    return games


def read_games(text: str, *, forgiving: bool = False) -> list[PpnGame]:
    """All games of a text. The expansion of braces and macros is limited for all of them together."""
    if len(text) > MAX_FILE:
        raise LimitError(say("the text is longer than {most} characters", most=MAX_FILE))
    allowance = Allowance()
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if plain.count("\n---") > MAX_GAMES:
        raise LimitError(say("more than {most} games in one file", most=MAX_GAMES))
    return [_game(part, allowance, forgiving) for part in _parts(plain)]


def read_game(text: str, *, forgiving: bool = False) -> PpnGame:
    """The first game of a text."""
    return read_games(text, forgiving=forgiving)[0]


def _parts(text: str) -> Iterator[str]:
    """The texts of the games without their lines ---; a text without such a line is one game."""
    edges = [match.start() for match in _GAME_START.finditer(text)]
    if not edges or text[: edges[0]].strip():
        edges.insert(0, 0)
    for begins, ends in zip(edges, [*edges[1:], len(text)], strict=True):
        yield _without_first_line(text[begins:ends])


def _without_first_line(part: str) -> str:
    """The text without its first line, if that has only dashes: YAML may begin on it."""
    first, _, rest = part.partition("\n")
    return rest if first.startswith("---") and not first.strip("- \t") else part


def _game(text: str, allowance: Allowance, forgiving: bool) -> PpnGame:
    head, body = _split(text, forgiving)
    try:
        metadata = read_metadata(head)
    except NotAMappingError:
        if _LABELLED.search(body):
            raise
        raise _no_game() from None
    macros = Macros(_own_macros(metadata), allowance)
    try:
        moves = parse_movetext(body, macros, allowance, forgiving=forgiving)
    except UnknownSubmoveError as error:
        if metadata or not error.label.startswith(OPENING_LABEL):
            raise
        raise _no_game() from None
    warnings = tuple(f"the label {label} is used more than once" for label in repeated_labels(moves))
    return PpnGame(metadata, moves, dialect_of(metadata), forgiving, warnings)


def _no_game() -> FileError:
    return FileError(say("this is no game in PPN: it has neither metadata nor numbered moves"))


def _split(text: str, forgiving: bool) -> tuple[str, str]:
    """Metadata and movetext. Without a closing line `...` the metadata end with the first line that is empty or begins
    with a blank, inclusively."""
    closing = _CLOSING_LINE.search(text)
    if closing:
        return text[: closing.start()], text[closing.end() :]
    fallback = (_EMPTY_LINE if forgiving else _FALLBACK_LINE).search(text)
    if fallback is None or fallback.start() >= len(text):
        return "", text
    return text[: fallback.end()], text[fallback.end() :]


def _own_macros(metadata: Metadata) -> dict[str, str]:
    given = metadata.get("Macros", {})
    if given == "":
        return {}
    if not isinstance(given, dict) or not all(isinstance(value, str) for value in given.values()):
        raise MetadataError(say("Macros must be a mapping from names to texts"))
    return {name: str(value) for name, value in given.items()}

"""Errors and limits of PPN files and records."""

from __future__ import annotations

from typing import Self

from rules.sentence import InputError, Sentence, say


class NotationError(InputError):
    """An error in one line."""


class FileError(NotationError):
    """It is not readable as text, or no game."""


class LimitError(NotationError):
    """A limit is exceeded."""


class MetadataError(NotationError): ...


class NotAMappingError(MetadataError): ...


class OpeningError(NotationError): ...


class RecordError(NotationError):
    """A saved record that cannot be restored."""


class MoveError(NotationError):
    """`label` and `raw` (the text of the move) are filled in by the caller that knows the move."""

    def __init__(self, reason: Sentence, label: str = "", raw: str = "") -> None:
        self.reason, self.label, self.raw = reason, label, raw
        placed = say("move {label} {raw}: {reason}", label=label, raw=shortened(raw), reason=reason)
        super().__init__(placed if label or raw else reason)

    def at(self, label: str, raw: str) -> Self:
        """The same error with the move in which it occurred."""
        return type(self)(self.reason, label, raw)


class UnknownSubmoveError(MoveError): ...


def shortened(text: str, length: int = 60) -> str:
    """The text cut to `length` for messages, which must not repeat hostile input in full."""
    return text if len(text) <= length else text[: length - 1] + "…"


def quoted(text: str) -> str:
    """The text cut and in quotes, with what cannot be printed escaped."""
    return repr(shortened(text))


# Limits of one file, far above real games: expansion bombs are refused before they grow.
MAX_FILE = 64_000_000
MAX_METADATA = 65_536
MAX_METADATA_DEPTH = 20
MAX_METADATA_NODES = 5_000
MAX_DEPTH = 20
MAX_EXPANSION = 1_000_000
MAX_LABEL = 300
MAX_SPEC = 200
MAX_GAMES = 50_000
MAX_PIECES = 1_000
MAX_NUMBER = 1_000_000


class Allowance:
    """Characters that braces and macros may still add to a file, shared by all its games."""

    def __init__(self, left: int = MAX_EXPANSION) -> None:
        self.left = left

    def check(self, wanted: int, what: str) -> None:
        if wanted > self.left:
            raise LimitError(say("{what} would grow beyond {most} characters", what=what, most=MAX_EXPANSION))

    def take(self, wanted: int, what: str) -> None:
        self.check(wanted, what)
        self.left -= wanted

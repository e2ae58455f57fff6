"""What can be wrong with a PPN file or a record.

NotationError (ValueError)
├── FileError              it cannot be read as text at all
├── LimitError             it asks for more than anybody honest needs
├── MetadataError
│   ├── YamlError          no YAML, or YAML with anchors, tags or keys said twice
│   └── NotAMappingError
├── OpeningError
│   ├── UnknownOpeningError
│   └── OpeningArgumentError
├── UnknownParserError     a MovetextParser that we do not have
├── RecordError            a saved record that cannot be taken back
│   └── RulesVersionError  ... because we no longer have the rules it was played under
└── MoveError              always with the label and the raw text of the move
    ├── UnclosedCommentError
    ├── UnknownMacroError
    ├── CircularMacroError
    ├── UnknownSubmoveError
    ├── UnknownPieceError  what piece is meant cannot be told
    ├── UnknownPlaceError  where cannot be told
    └── NoSuchPieceError   it is clear what is meant, but it is not there
"""

from __future__ import annotations

from typing import Self

from rules.sentence import InputError, Sentence, say


class NotationError(InputError):
    """One clear line about what is wrong."""


class FileError(NotationError): ...


class LimitError(NotationError): ...


class MetadataError(NotationError): ...


class YamlError(MetadataError): ...


class NotAMappingError(MetadataError): ...


class OpeningError(NotationError): ...


class UnknownOpeningError(OpeningError): ...


class OpeningArgumentError(OpeningError): ...


class UnknownParserError(NotationError): ...


class RecordError(NotationError): ...


class RulesVersionError(RecordError): ...


class MoveError(NotationError):
    """`label` and `raw` are empty only as long as the error has not left the submove it arose in."""

    def __init__(self, reason: Sentence, label: str = "", raw: str = "") -> None:
        self.reason, self.label, self.raw = reason, label, raw
        placed = say("move {label} {raw}: {reason}", label=label, raw=shortened(raw), reason=reason)
        super().__init__(placed if label or raw else reason)

    def at(self, label: str, raw: str) -> Self:
        """The same error, now saying where."""
        return type(self)(self.reason, label, raw)


class UnclosedCommentError(MoveError): ...


class UnknownMacroError(MoveError): ...


class CircularMacroError(MoveError): ...


class UnknownSubmoveError(MoveError): ...


class UnknownPieceError(MoveError): ...


class UnknownPlaceError(MoveError): ...


class NoSuchPieceError(MoveError): ...


def shortened(text: str, length: int = 60) -> str:
    """For messages: hostile input must not come back in full."""
    return text if len(text) <= length else text[: length - 1] + "…"

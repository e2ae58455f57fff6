"""The metadata of a game: one YAML mapping with text values; and names in them, normalised.

Values stay text: coins of "0512" are not an octal number and "no" is not False. Anchors, tags and duplicate keys are
refused; depth and number of nodes are limited against YAML bombs.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from rules.notation.errors import (
    MAX_METADATA,
    MAX_METADATA_DEPTH,
    MAX_METADATA_NODES,
    LimitError,
    MetadataError,
    NotAMappingError,
    quoted,
    shortened,
)
from rules.sentence import say

Value = str | list["Value"] | dict[str, "Value"]
Metadata = Mapping[str, Value]
_Loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def read_metadata(text: str) -> dict[str, Value]:
    if not text.strip():
        return {}
    if len(text) > MAX_METADATA:
        raise LimitError(say("the metadata are longer than {most} characters", most=MAX_METADATA))
    try:
        value = _Builder(yaml.parse(text, Loader=_Loader)).document()
    except yaml.YAMLError as error:
        raise MetadataError(say("the metadata are not valid YAML: {why}", why=_one_line(error))) from None
    except RecursionError:
        raise LimitError(say("the metadata are nested too deeply")) from None
    if value is None or value == "":
        return {}
    if not isinstance(value, dict):
        why = say("the metadata must be a mapping of keys to values, not {value}", value=quoted(str(value)))
        raise NotAMappingError(why)
    return value


def _one_line(error: yaml.YAMLError) -> str:
    return shortened(" ".join(str(error).split()), 160)


class _Builder:
    """Builds values from YAML events without recursing further than allowed."""

    def __init__(self, events: Iterator[Any]) -> None:
        self._events = events
        self._nodes = 0

    def document(self) -> Value | None:
        for event in self._events:
            if isinstance(event, yaml.NodeEvent):
                value = self._node(event, 0)
                if any(isinstance(other, yaml.NodeEvent) for other in self._events):
                    raise MetadataError(say("the metadata of a game are one YAML document, not several"))
                return value
        return None

    def _node(self, event: Any, depth: int) -> Value:
        self._nodes += 1
        if depth > MAX_METADATA_DEPTH or self._nodes > MAX_METADATA_NODES:
            why = say("the metadata are nested deeper than {most} or have too many entries", most=MAX_METADATA_DEPTH)
            raise LimitError(why)
        if isinstance(event, yaml.AliasEvent) or event.anchor:
            raise MetadataError(say("anchors and aliases (& and *) are not allowed in the metadata; quote the text"))
        if event.tag:
            raise MetadataError(say("tags (!) are not allowed in the metadata; quote the text"))
        if isinstance(event, yaml.ScalarEvent):
            return str(event.value)
        return self._list(depth) if isinstance(event, yaml.SequenceStartEvent) else self._mapping(depth)

    def _list(self, depth: int) -> list[Value]:
        return [self._node(event, depth + 1) for event in iter(self._next, None)]

    def _mapping(self, depth: int) -> dict[str, Value]:
        found: dict[str, Value] = {}
        for event in iter(self._next, None):
            key = self._node(event, depth + 1)
            if not isinstance(key, str):
                raise MetadataError(say("a key of the metadata must be a plain text"))
            if key in found:
                raise MetadataError(say("the key {name} appears twice in the metadata", name=quoted(key)))
            found[key] = self._node(next(self._events), depth + 1)
        return found

    def _next(self) -> Any:
        """The next event; None at the end of the collection."""
        event = next(self._events)
        return None if isinstance(event, yaml.CollectionEndEvent) else event


def write_metadata(values: Mapping[str, object]) -> str:
    """YAML with sorted keys, without the lines --- and ... around it."""
    if not values:
        return ""
    return yaml.safe_dump(dict(values), sort_keys=True, allow_unicode=True, default_flow_style=False, width=100_000)


# Names of games, systems and arguments, under which openings are found.
_SYSTEMS = ("checker", "chess", "domino", "icehouse", "go", "piecepack", "stackpack", "reversi", "tarot")
_SYSTEM_ALIASES = {
    "checkers": "checker",
    "draughts": "checker",
    "dominoes": "domino",
    "marbles": "marble",
    "piecepack_stackpack": "stackpack",
    "looney_pyramids": "icehouse",
    "icehouse_pieces": "icehouse",
    "icehouse_pyramids": "icehouse",
}
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def normalised(name: str) -> str:
    """`Dodg'em` is dodgem, `IceFloe` is ice_floe; and so `Fuji-San` becomes fuji_san, which is not fujisan."""
    plain = snake(name).replace("draughts", "checkers")
    for system in _SYSTEMS:
        plain = plain.removeprefix(system + "_")
    return plain


def snake(name: str) -> str:
    ascii_only = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    words: list[str] = []
    for word in _WORD.findall(re.sub(r"[\"'’`-]", "", ascii_only)):
        if word.isdecimal() and words and not words[-1][-1].isdecimal():
            words[-1] += word  # chess960 is one word
        else:
            words.append(word)
    return "_".join(words).lower()


def normalised_system(name: str) -> str:
    plain = snake(name)
    return _SYSTEM_ALIASES.get(plain, plain)


def squeezed(name: str) -> str:
    """Letters and digits only, for a tolerant comparison of names."""
    return normalised(name).replace("_", "").removeprefix("the")

"""The metadata of a game: one YAML mapping with text values.

Values stay text: coins of "0512" are not an octal number and "no" is not False. Anchors, tags and duplicate keys are
refused; depth and number of nodes are limited against YAML bombs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from rules.notation.errors import (
    MAX_METADATA,
    MAX_METADATA_DEPTH,
    MAX_METADATA_NODES,
    LimitError,
    NotAMappingError,
    YamlError,
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
        raise YamlError(say("the metadata are not valid YAML: {why}", why=_one_line(error))) from None
    except RecursionError:
        raise LimitError(say("the metadata are nested too deeply")) from None
    if value is None or value == "":
        return {}
    if not isinstance(value, dict):
        raise NotAMappingError(
            say("the metadata must be a mapping of keys to values, not {value}", value=quoted(str(value)))
        )
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
                    raise YamlError(say("the metadata of a game are one YAML document, not several"))
                return value
        return None

    def _node(self, event: Any, depth: int) -> Value:
        self._nodes += 1
        if depth > MAX_METADATA_DEPTH or self._nodes > MAX_METADATA_NODES:
            raise LimitError(
                say("the metadata are nested deeper than {most} or have too many entries", most=MAX_METADATA_DEPTH)
            )
        if isinstance(event, yaml.AliasEvent) or event.anchor:
            raise YamlError(say("anchors and aliases (& and *) are not allowed in the metadata; quote the text"))
        if event.tag:
            raise YamlError(say("tags (!) are not allowed in the metadata; quote the text"))
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
                raise YamlError(say("a key of the metadata must be a plain text"))
            if key in found:
                raise YamlError(say("the key {name} appears twice in the metadata", name=quoted(key)))
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

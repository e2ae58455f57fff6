"""Values that are never changed: how a state becomes another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from operator import attrgetter
from typing import Any, TypeVar, cast

V = TypeVar("V")

_read: dict[type, tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]] = {}


def replace(value: V, **changes: Any) -> V:
    """dataclasses.replace for plain values, but quicker: it is most of the work of an action."""
    kind = type(value)
    try:
        names, values = _read[kind]
    except KeyError:
        names = tuple(field.name for field in fields(cast("type[Any]", kind)))
        names, values = _read[kind] = names, attrgetter(*names)
    return kind(**(dict(zip(names, values(value), strict=True)) | changes))

"""States to JSON and back by their type annotations: frozen dataclasses, enums, tuples, optional and plain values."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

from rules.pieces.piece import Piece, parse_piece


def encode(value: Any) -> Any:
    """Plain JSON values. A piece becomes its code."""
    if isinstance(value, Piece):
        return value.code
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if dataclasses.is_dataclass(value):
        return {name: encode(getattr(value, name)) for name in _fields(value.__class__)}
    if isinstance(value, tuple):
        return [encode(item) for item in value]
    raise TypeError(f"cannot write {type(value).__name__} as JSON")


@cache
def _fields(cls: Any) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(cls) if field.init)


@cache
def _hints(cls: type) -> dict[str, Any]:
    return get_type_hints(cls)


def decode(wanted: Any, data: Any) -> Any:
    """The inverse of `encode` for an annotated type; ValueError names the value that does not fit."""
    origin = get_origin(wanted)
    if origin is tuple:
        return _decode_tuple(get_args(wanted), data)
    if origin is not None:
        return _decode_union(get_args(wanted), data)
    if wanted is Piece:
        return parse_piece(str(data))
    if dataclasses.is_dataclass(wanted):
        return _decode_dataclass(wanted, data)
    if isinstance(wanted, type) and issubclass(wanted, Enum):
        return wanted(data)
    return _decode_plain(wanted, data)


def _decode_dataclass(wanted: Any, data: Any) -> Any:
    if not isinstance(data, Mapping):
        raise ValueError(f"{wanted.__name__} must be an object, not {data!r:.60}")
    hints = _hints(wanted)
    unknown = set(data) - set(_fields(wanted))
    if unknown:
        raise ValueError(f"{wanted.__name__} has no field {sorted(map(str, unknown))[0]!r}")
    return wanted(**{name: _decode_field(name, hints[name], item) for name, item in data.items()})


def _decode_field(name: str, wanted: Any, data: Any) -> Any:
    try:
        return decode(wanted, data)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{name}: {error}") from None


def _decode_plain(wanted: Any, data: Any) -> Any:
    if wanted is type(None):
        if data is not None:
            raise ValueError(f"must be null, not {data!r:.60}")
        return None
    if type(data) is not wanted:
        raise ValueError(f"must be {wanted.__name__}, not {data!r:.60}")
    return data


def _decode_union(args: tuple[Any, ...], data: Any) -> Any:
    problems = []
    for arg in args:
        try:
            return decode(arg, data)
        except (ValueError, TypeError) as error:
            problems.append(str(error))
    raise ValueError("; ".join(problems))


def _decode_tuple(args: tuple[Any, ...], data: Any) -> tuple[Any, ...]:
    if not isinstance(data, (list, tuple)):
        raise ValueError(f"must be a list, not {data!r:.60}")
    if len(args) == 2 and args[1] is Ellipsis:
        return tuple(decode(args[0], item) for item in data)
    if len(args) != len(data):
        raise ValueError(f"must have {len(args)} items, not {len(data)}")
    return tuple(decode(arg, item) for arg, item in zip(args, data, strict=True))

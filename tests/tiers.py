"""The tiers of the tests (CONTRIBUTING.md): `make test` leaves out what is marked `full` or `long`."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import pytest

from rules.games import available

VARIED = ("dodgem", "decay", "dectana")
"""Coins on a fixed board; tiles that are laid and stacked, dice and hands; cards and pyramids."""


def few(values: Iterable[object], default: Collection[object]) -> list[Any]:
    """The parameters of a test: all `values`, of which those outside `default` belong to the full tier."""
    return [value if value in default else full(value) for value in values]


def first(values: Iterable[object]) -> list[Any]:
    """The parameters of a test of which the first belongs to the default tier and the others to the full one."""
    return [full(value) if number else value for number, value in enumerate(values)]


def full(value: object) -> Any:
    """One parameter, or a tuple of them, of the full tier."""
    return pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.full)


GAMES = few(available(), VARIED)
ON_PAGE = few(available(), ("decay",))
"""Of what costs a page in a real Chromium."""

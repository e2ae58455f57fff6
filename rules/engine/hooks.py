"""Functions with which a game may replace the methods of `Game` of the same name (described in
rules/engine/contract.py)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from typing import Generic, TypedDict, TypeVar

from rules.engine.action import Action
from rules.engine.argument_value import Value
from rules.engine.refusal import Facts, Refusal
from rules.engine.turn import Turn
from rules.sentence import Fact
from rules.table.change import Change

S = TypeVar("S")


class Hooks(TypedDict, Generic[S], total=False):
    choices: Callable[[S, int | None], Iterable[Action]]
    sample: Callable[[S, random.Random], Action]
    exhaustive: Callable[[S], bool]
    phase_facts: Callable[[S], Mapping[str, Fact]]
    seats_of: Callable[[S], int]
    turn_clause: Callable[[S, Turn], str]
    seat_refusal: Callable[[S, int], Refusal | None]

    suggest: Callable[[S, Change], Iterable[Action]]
    attempts: Callable[[S, Change], Iterable[Action]]

    view: Callable[[S, int | None], S]
    redact: Callable[[S, Action, int | None], Action | None]

    shorthand: Callable[[S, str], Action | None]

    called: Callable[[str], str | None]
    describe: Callable[[Action], str]
    diagram: Callable[[S], str]
    place_value: Callable[[str], Value]
    fact_values: Callable[[Facts], dict[str, object]]

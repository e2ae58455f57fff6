"""What a game may do in its own way: functions in the place of the methods of `Game` with the same name
(rules/engine/contract.py says what each is asked)."""

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
    now: Callable[[S], Mapping[str, Fact]]
    seats_of: Callable[[S], int]
    turn_clause: Callable[[S, Turn], str]
    why_not_seat: Callable[[S, int], Refusal | None]

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

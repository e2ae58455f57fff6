"""Refusals: a code of a closed list, a clause of the rulebook of the game, a sentence and its facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from rules.sentence import SeatNames, Sentence, by_number, with_seat_names

Fact = str | int | float | bool | None | list[str]
Facts = Mapping[str, Fact]


def facts_with_names(facts: Facts, seat_names: SeatNames) -> dict[str, Fact]:
    """The facts with seats called by name in all texts."""
    return {name: _with_names(fact, seat_names) for name, fact in facts.items()}


def _with_names(fact: Fact, seat_names: SeatNames) -> Fact:
    if isinstance(fact, list):
        return [with_seat_names(each, seat_names) for each in fact]
    return with_seat_names(fact, seat_names) if isinstance(fact, str) else fact


class Code(StrEnum):
    """Kind of reason; clause and facts make it exact."""

    GAME_OVER = "game_over"
    NOT_YOUR_TURN = "not_your_turn"
    UNKNOWN_ACTION = "unknown_action"
    BAD_ARGUMENT = "bad_argument"
    WRONG_PHASE = "wrong_phase"
    NO_SUCH_PLACE = "no_such_place"
    NO_SUCH_PIECE = "no_such_piece"
    NOT_YOURS = "not_yours"
    EMPTY = "empty"
    OCCUPIED = "occupied"
    BLOCKED = "blocked"
    WRONG_DIRECTION = "wrong_direction"
    WRONG_DISTANCE = "wrong_distance"
    NOT_ADJACENT = "not_adjacent"
    MUST_MOVE = "must_move"
    CANNOT_PAY = "cannot_pay"
    WRONG_PAYMENT = "wrong_payment"
    PROTECTED = "protected"
    STUCK = "stuck"
    LIMIT = "limit"
    TOO_LOW = "too_low"
    REPEATS = "repeats"
    SPLITS = "splits"
    OVERLAP = "overlap"
    NO_CONTACT = "no_contact"
    OUT_OF_ORDER = "out_of_order"
    CONTRADICTS = "contradicts"
    NOT_ALLOWED = "not_allowed"


_FROM_SENTENCE: Final[Facts] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Refusal:
    """`sentence`: for players, without the clause. `facts`: by default the texts and numbers of the sentence."""

    code: Code
    clause: str
    sentence: Sentence
    facts: Facts = field(default_factory=lambda: _FROM_SENTENCE)

    def __post_init__(self) -> None:
        if self.facts is _FROM_SENTENCE:
            facts = {name: fact for name, fact in self.sentence.facts.items() if isinstance(fact, (str, int, float))}
            object.__setattr__(self, "facts", facts)

    @property
    def text(self) -> str:
        return self.sentence.text

    def __str__(self) -> str:
        return self.text

    def to_json(self, seat_names: SeatNames = by_number) -> dict[str, object]:
        return {
            "code": self.code.value,
            "clause": self.clause,
            "text": self.sentence.english(seat_names),
            "facts": facts_with_names(self.facts, seat_names),
            "said": self.sentence.to_json(),
        }

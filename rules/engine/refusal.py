"""Why something may not be done: a code from a closed list, a clause of the game's rulebook, and the facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from rules.sentence import Naming, Sentence, by_number, named

Fact = str | int | float | bool | None | list[str]
Facts = Mapping[str, Fact]


def facts_told(facts: Facts, seat_names: Naming) -> dict[str, Fact]:
    """Some facts are sentences, or several of them."""
    return {name: _fact_told(fact, seat_names) for name, fact in facts.items()}


def _fact_told(fact: Fact, seat_names: Naming) -> Fact:
    if isinstance(fact, list):
        return [named(each, seat_names) for each in fact]
    return named(fact, seat_names) if isinstance(fact, str) else fact


class Code(StrEnum):
    """The closed list of reasons. The clause and the facts make them exact."""

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


@dataclass(frozen=True, slots=True)
class Refusal:
    """`said` is a whole sentence for a player, with its facts; it need not repeat the clause."""

    code: Code
    clause: str
    said: Sentence
    facts: Facts = field(default_factory=dict)

    @property
    def text(self) -> str:
        return self.said.text

    def __str__(self) -> str:
        return self.text

    def to_json(self, seat_names: Naming = by_number) -> dict[str, object]:
        text, said = self.said.told(seat_names), self.said.to_json()
        facts = facts_told(self.facts, seat_names)
        return {"code": self.code.value, "clause": self.clause, "text": text, "facts": facts, "said": said}

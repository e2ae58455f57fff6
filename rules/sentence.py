"""Sentences as values: an English template with named fields, and the facts that fill them.

`say("there is no coin on {place}", place=place)`: the template is the key of the sentence in every catalogue (as with
gettext), so a translation is found by exact look-up. The English `text` is formatted on demand.

A fact is a number or a verbatim text (a place, somebody's input), a value with a term of its own (a suit, a piece,
another sentence, several of them), a person, or an action.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

SeatNames = Callable[[int], str]
"""The name of the person on a seat."""


def by_number(seat: int) -> str:
    return f"seat {seat}"


_BY_NUMBER = re.compile(r"\bseat (\d+)\b")


def with_seat_names(text: str, seat_names: SeatNames) -> str:
    """The text with "seat 0" replaced by the name of the seat; the page does the same."""
    return _BY_NUMBER.sub(lambda found: seat_names(int(found[1])), text)


@runtime_checkable
class Statement(Protocol):
    """A value that can be expressed in every language."""

    def english(self, seat_names: SeatNames) -> str: ...

    def to_json(self) -> object:
        """Template and facts, for translation on the page."""
        ...


class HasTerm(Protocol):
    """A value with a name of its own: a suit, a value, a piece, an action."""

    @property
    def term(self) -> Statement: ...


Fact = str | int | float | Statement | HasTerm | None


class Joint(StrEnum):
    """Pattern that joins several facts."""

    COMMA = "{first}, {rest}"
    AND = "{first} and {rest}"
    OR = "{first} or {rest}"
    SEMICOLON = "{first}; {rest}"
    THEN = "{first}, then {rest}"


@dataclass(frozen=True, slots=True)
class Sentence:
    """`key`: the template; `many`: the template for a number (the fact `count`) other than one, where it differs."""

    key: str
    facts: Mapping[str, Fact] = field(default_factory=dict)
    many: str | None = None

    @property
    def text(self) -> str:
        return self.english(by_number)

    def __str__(self) -> str:
        return self.text

    def __hash__(self) -> int:
        return hash(self.key)

    def english(self, seat_names: SeatNames) -> str:
        if not self.facts:
            return self.key
        template = self.key if self.many is None or self.facts["count"] == 1 else self.many
        return template.format_map({name: english(fact, seat_names) for name, fact in self.facts.items()})

    def to_json(self) -> dict[str, object]:
        found: dict[str, object] = {"key": self.key}
        if self.many is not None:
            found["many"] = self.many
        if self.facts:
            found["facts"] = {name: plain(fact) for name, fact in self.facts.items()}
        return found


def say(key: str, many: str | None = None, /, **facts: Fact) -> Sentence:
    """A sentence. Templates are literals at each call, so that the catalogues can be compared with them."""
    return Sentence(key, facts, many)


class SentenceError(Exception):
    """An error described by a sentence."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence)
        self.sentence = sentence

    def __str__(self) -> str:
        return self.sentence.text


class InputError(SentenceError, ValueError):
    """An input that is invalid."""


def sentence_of(error: Exception) -> Sentence:
    """The sentence of an error; of errors of other libraries their text on one line."""
    sentence = getattr(error, "sentence", None)
    return sentence if isinstance(sentence, Sentence) else Sentence(" ".join(str(error).split()))


@dataclass(frozen=True, slots=True)
class Several:
    """Several facts joined: "a1, b2 and c3"."""

    facts: tuple[Fact, ...]
    joint: Joint = Joint.COMMA

    def english(self, seat_names: SeatNames) -> str:
        between = self.joint.value.removeprefix("{first}").removesuffix("{rest}")
        return between.join(english(fact, seat_names) for fact in self.facts)

    @property
    def text(self) -> str:
        return self.english(by_number)

    def to_json(self) -> dict[str, object]:
        return {"several": [plain(fact) for fact in self.facts], "joint": self.joint.value}


def several(facts: Iterable[Fact], joint: Joint = Joint.COMMA) -> Several:
    return Several(tuple(facts), joint)


def enumerated(facts: Iterable[Fact], last: Joint) -> Several:
    """The facts separated by commas, the last one by `last`."""
    items = tuple(facts)
    return several((several(items[:-1]), items[-1]), last) if len(items) > 2 else several(items, last)


@dataclass(frozen=True, slots=True)
class Person:
    """The person on a seat; None: nobody."""

    seat: int | None

    def english(self, seat_names: SeatNames) -> str:
        return _NOBODY.key if self.seat is None else seat_names(self.seat)

    def to_json(self) -> dict[str, object]:
        return _NOBODY.to_json() if self.seat is None else {"seat": self.seat}


_NOBODY = say("nobody")


@dataclass(frozen=True, slots=True)
class Mention:
    """An action named in a sentence: by `words` or, without them, by its id."""

    action: str
    words: str = ""

    def english(self, seat_names: SeatNames) -> str:
        return with_seat_names(self.words, seat_names) or self.action

    def to_json(self) -> dict[str, object]:
        return {"action": self.action, "words": self.words or self.action}


def english(fact: Fact, seat_names: SeatNames = by_number) -> str:
    """A fact as English text."""
    statement = _statement(fact)
    return str(fact) if statement is None else statement.english(seat_names)


def plain(fact: Fact) -> object:
    """A fact as JSON."""
    statement = _statement(fact)
    return statement.to_json() if statement is not None else fact


def _statement(fact: Any) -> Statement | None:
    if isinstance(fact, Sentence | Several | Person | Mention):
        return fact
    term: Statement | None = getattr(fact, "term", None)
    return term

"""A sentence as a value: what is said, and the facts in it.

What is said is written in English, with named gaps: `say("there is no coin on {place}", place=place)`. The template
is the sentence's key in every catalogue (as gettext has it), so its words are found by exact look-up and nobody
has to guess it from the English. The English `text` is made when somebody reads it and not before.

A fact is a number or a name as it stands (a place, what somebody typed), something that has words of its own (a suit, a
piece, another sentence, several of them), a person, or an action.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

Naming = Callable[[int], str]
"""What the person on a seat is called."""


def by_number(seat: int) -> str:
    return f"seat {seat}"


_BY_NUMBER = re.compile(r"\bseat (\d+)\b")


def named(text: str, seat_names: Naming) -> str:
    """Words that were made before anybody knew the names; the page does the same."""
    return _BY_NUMBER.sub(lambda found: seat_names(int(found[1])), text)


@runtime_checkable
class Statement(Protocol):
    """Something that is told in words which every language has for it."""

    def told(self, seat_names: Naming) -> str:
        """In English."""

    def to_json(self) -> object:
        """For whoever tells it in another language."""


class Termed(Protocol):
    """Something with a name that people know: a suit, a value, a piece, an action."""

    @property
    def term(self) -> Statement: ...


Fact = str | int | float | Statement | Termed | None


class Joint(StrEnum):
    """How several are told in a row."""

    COMMA = "{first}, {rest}"
    AND = "{first} and {rest}"
    OR = "{first} or {rest}"
    SEMICOLON = "{first}; {rest}"
    THEN = "{first}, then {rest}"


@dataclass(frozen=True, slots=True)
class Sentence:
    """`key` speaks of one and `many` of any other number, where the number (the fact `count`) makes a difference."""

    key: str
    facts: Mapping[str, Fact] = field(default_factory=dict)
    many: str | None = None

    @property
    def text(self) -> str:
        return self.told(by_number)

    def __str__(self) -> str:
        return self.text

    def __hash__(self) -> int:
        return hash(self.key)

    def told(self, seat_names: Naming) -> str:
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
    """A sentence; the templates stand here as they are, so that the catalogues can be compared with them."""
    return Sentence(key, facts, many)


class ToldError(Exception):
    """Something is wrong, and a sentence says what."""

    def __init__(self, said: Sentence) -> None:
        super().__init__(said)
        self.said = said

    def __str__(self) -> str:
        return self.said.text


class SaidError(ToldError, ValueError):
    """Something that was given cannot be."""


def said_by(error: Exception) -> Sentence:
    """What an error says; one that comes from elsewhere speaks the machine's English, on one line."""
    said = getattr(error, "said", None)
    return said if isinstance(said, Sentence) else Sentence(" ".join(str(error).split()))


@dataclass(frozen=True, slots=True)
class Several:
    """Facts in a row: "a1, b2 and c3"."""

    facts: tuple[Fact, ...]
    joint: Joint = Joint.COMMA

    def told(self, seat_names: Naming) -> str:
        between = self.joint.value.removeprefix("{first}").removesuffix("{rest}")
        return between.join(english(fact, seat_names) for fact in self.facts)

    @property
    def text(self) -> str:
        return self.told(by_number)

    def to_json(self) -> dict[str, object]:
        return {"several": [plain(fact) for fact in self.facts], "joint": self.joint.value}


def several(facts: Iterable[Fact], joint: Joint = Joint.COMMA) -> Several:
    return Several(tuple(facts), joint)


def enumerated(facts: Iterable[Fact], last: Joint) -> Several:
    """As people list them: commas, and `last` before the last one."""
    every = tuple(facts)
    head = several(every[:-1])
    return several((head, every[-1]), last) if len(every) > 2 else several(every, last)


@dataclass(frozen=True, slots=True)
class Person:
    """Whoever has a seat: called by name where the names are known."""

    seat: int | None

    def told(self, seat_names: Naming) -> str:
        return _NOBODY.key if self.seat is None else seat_names(self.seat)

    def to_json(self) -> dict[str, object]:
        return _NOBODY.to_json() if self.seat is None else {"seat": self.seat}


_NOBODY = say("nobody")


@dataclass(frozen=True, slots=True)
class Mention:
    """An action that a sentence speaks of: in English by its id, or in the words that are given."""

    action: str
    words: str = ""

    def told(self, seat_names: Naming) -> str:
        return named(self.words, seat_names) or self.action

    def to_json(self) -> dict[str, object]:
        return {"action": self.action, "words": self.words or self.action}


def english(fact: Fact, seat_names: Naming = by_number) -> str:
    """What stands in an English sentence for a fact."""
    telling = _telling(fact)
    return str(fact) if telling is None else telling.told(seat_names)


def plain(fact: Fact) -> object:
    """A fact for whoever tells it in another language."""
    telling = _telling(fact)
    return telling.to_json() if telling is not None else fact


def _telling(fact: Any) -> Statement | None:
    if isinstance(fact, Sentence | Several | Person | Mention):
        return fact
    term: Statement | None = getattr(fact, "term", None)
    return term

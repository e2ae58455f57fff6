"""What all answers share: how their shape is told, and what is said."""

from __future__ import annotations

import json
from typing import Any

from fastapi import Response
from pydantic import BaseModel, ConfigDict

from rules.pieces import Kind, Size, Suit

Position = tuple[float, float]
OptionValue = bool | int | str


class Answer(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class SentenceTold(Answer):
    """What is said, as a value: the key is the English template; `many` the one for numbers other than one."""

    key: str
    many: str | None = None
    facts: dict[str, Fact] = {}


class SeveralFacts(Answer):
    """Several facts, told one after the other."""

    several: list[Fact]
    joint: str


class PersonTold(Answer):
    """Whoever has this seat."""

    seat: int


class ValueTold(Answer):
    """What stands in an action or a sentence: a piece or a sign (`kind`, `suit`, `value`, `size`, `mark`), a place
    (`called`: how people call it), a direction, a seat, a word of a vocabulary (`of`), or several values in a row
    (`all`, with `joint` between them); `count`: so many of it."""

    kind: Kind | None = None
    suit: Suit | None = None
    value: str | None = None
    size: Size | None = None
    mark: str | None = None
    place: str | None = None
    called: str | None = None
    way: str | None = None
    seat: int | None = None
    word: str | None = None
    of: str | None = None
    count: int | None = None
    all: list[Argument] | None = None
    joint: str | None = None


Argument = str | ValueTold
"""A value; what is only words is a text."""


class Act(Answer):
    """What is done, for whoever puts it into words: the verb and its arguments."""

    verb: str
    args: list[Argument]


class MentionTold(Answer):
    """An action that a sentence speaks of."""

    action: str
    words: str
    verb: str | None = None
    args: list[Argument] | None = None


Statement = SentenceTold | SeveralFacts | PersonTold | MentionTold | ValueTold
Fact = str | int | float | Statement | None
ValueTold.model_rebuild()
SentenceTold.model_rebuild()
SeveralFacts.model_rebuild()


class Accomplished(Answer):
    """It was done, and there is nothing else to say."""

    ok: bool


class Refused(Answer):
    code: str
    clause: str
    text: str
    facts: dict[str, Any]
    said: Statement


class Misread(Answer):
    """A part of what was sent that could not be understood."""

    type: str
    loc: list[str | int]
    msg: str


class Why(BaseModel):
    """Why it was not done, in full: the rule against it, or that the table has changed meanwhile."""

    model_config = ConfigDict(extra="allow")

    text: str | None = None
    said: Statement | None = None
    code: str | None = None
    reason: str | None = None
    facts: dict[str, str | int] | None = None
    refusal: Refused | None = None
    seq: int | None = None


class NotDone(BaseModel):
    """What comes instead with 4xx and 5xx: `detail` in English, `said` for other languages."""

    detail: str | Why | list[Misread]
    said: SentenceTold | None = None
    safe_mode: bool | None = None


def shaped(model: Any) -> dict[str, Any]:
    """For a route: what its answer looks like, told and not enforced."""
    return {"response_model": None, "responses": {200: {"model": model, "description": "as asked"}}}


def written(answer: Any) -> Response:
    """An answer that is plain values already, as it goes over the line: what phones wait for is not walked through."""
    text = json.dumps(answer, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Response(text, media_type="application/json")


def a_file(*kinds: str, by: type[Response] = Response) -> dict[str, Any]:
    """For a route that answers with a file, or a stream, of one of these kinds."""
    content = {kind: {"schema": {"type": "string", "format": "binary"}} for kind in kinds}
    return {"response_class": by, "responses": {200: {"content": content, "description": "the file"}}}

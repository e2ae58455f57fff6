"""Shared by all answers: their declaration for routes, sentences and values."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict
from starlette.routing import BaseRoute

from rules.pieces import Kind, Size, Suit
from rules.sentence import Sentence, sentence_of

Position = tuple[float, float]
OptionValue = bool | int | str


class Answer(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class SentenceTold(Answer):
    """A sentence as a value: `key` is the English template, `many` its plural form."""

    key: str
    many: str | None = None
    facts: dict[str, Fact] = {}


class SeveralFacts(Answer):
    """A list of facts."""

    several: list[Fact]
    joint: str


class PersonTold(Answer):
    """The person at a seat."""

    seat: int


class ValueTold(Answer):
    """An argument of an action or a sentence: a piece or sign (`kind`, `suit`, `value`, `size`, `mark`), a place
    (`called`: its common name), a direction, a seat, a word of a vocabulary (`of`), or several values (`all`, separated
    by `joint`); `count`: how many of it."""

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
"""A value, or plain text."""


class Act(Answer):
    """An action as a verb with arguments, for wording it in any language."""

    verb: str
    args: list[Argument]


class Named(Act):
    """An action by its id, with its English text."""

    id: str
    text: str


class MentionTold(Answer):
    """An action mentioned in a sentence."""

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
    """Done, without further data."""

    ok: bool


class Refused(Answer):
    code: str
    clause: str
    text: str
    facts: dict[str, Any]
    said: Statement


class Misread(Answer):
    """A part of the request that failed validation."""

    type: str
    loc: list[str | int]
    msg: str


class Why(BaseModel):
    """The reason in full: the rule against it, or an outdated state."""

    model_config = ConfigDict(extra="allow")

    text: str | None = None
    said: Statement | None = None
    code: str | None = None
    reason: str | None = None
    facts: dict[str, str | int] | None = None
    refusal: Refused | None = None
    seq: int | None = None


class NotDone(BaseModel):
    """Body of 4xx and 5xx answers: `detail` in English, `said` for other languages."""

    detail: str | Why | list[Misread]
    said: SentenceTold | None = None
    safe_mode: bool | None = None


def shaped(model: Any) -> dict[str, Any]:
    """Route arguments that document the answer's model without enforcing it."""
    return {"response_model": None, "responses": {200: {"model": model, "description": "as asked"}}}


def written(answer: Any) -> Response:
    """An answer of plain values, serialised without validation, for what phones wait for."""
    text = json.dumps(answer, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Response(text, media_type="application/json")


def a_file(*kinds: str, by: type[Response] = Response) -> dict[str, Any]:
    """Route arguments for an answer that is a file or a stream of one of these media types."""
    content = {kind: {"schema": {"type": "string", "format": "binary"}} for kind in kinds}
    return {"response_class": by, "responses": {200: {"content": content, "description": "the file"}}}


_NOWHERE: Final = {"type": "http", "method": "GET", "path": "/nowhere", "root_path": "", "headers": []}


def included(*routers: APIRouter) -> list[BaseRoute]:
    """The routes of these routers, shared by every app of the process: FastAPI's analysis takes a fifth of a second,
    and happens here instead of at the first request of every server."""
    together = APIRouter(responses={"4XX": {"model": NotDone, "description": "why not"}})
    for router in routers:
        together.include_router(router)
    for route in together.routes:
        route.matches(dict(_NOWHERE))
    return together.routes


class Problem(HTTPException):
    """Refusal of a route: `detail` in English, `said` the sentence as a value for other languages."""

    def __init__(self, status: int, said: Sentence) -> None:
        super().__init__(status, said.text)
        self.sentence = said


def problem_response(status: int, said: Sentence, **more: Any) -> JSONResponse:
    return JSONResponse({"detail": said.text, "said": said.to_json(), **more}, status)


@contextmanager
def problems(status: int, *errors: type[Exception]) -> Iterator[None]:
    """Turns these errors into problems with their own sentence."""
    try:
        yield
    except errors as error:
        raise Problem(status, sentence_of(error)) from None


async def handle_problem(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Problem)
    return problem_response(error.status_code, error.sentence)

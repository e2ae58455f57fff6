"""Refusals of a route: `detail` in English, `said` the sentence as a value for other languages."""

from __future__ import annotations

from typing import Any

from fastapi import HTTPException, Request
from fastapi.responses import JSONResponse

from rules.sentence import Sentence


class Problem(HTTPException):
    def __init__(self, status: int, said: Sentence) -> None:
        super().__init__(status, said.text)
        self.sentence = said


def problem_response(status: int, said: Sentence, **more: Any) -> JSONResponse:
    return JSONResponse({"detail": said.text, "said": said.to_json(), **more}, status)


async def handle_problem(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Problem)
    return problem_response(error.status_code, error.sentence)

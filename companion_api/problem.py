"""What a route refuses with: `detail` in English, and `said`, the sentence as a value, for other languages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import HTTPException, Request
from fastapi.responses import JSONResponse

from rules.sentence import Sentence


class Problem(HTTPException):
    def __init__(self, status: int, said: Sentence) -> None:
        super().__init__(status, said.text)
        self.sentence = said


def answered(status: int, said: Sentence, **more: Any) -> JSONResponse:
    return JSONResponse(told(said, **more), status)


def told(said: Sentence, **more: Any) -> Mapping[str, Any]:
    return {"detail": said.text, "said": said.to_json(), **more}


async def problem(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Problem)
    return answered(error.status_code, error.sentence)

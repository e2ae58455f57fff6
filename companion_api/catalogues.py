"""All words that people read, in every language that there are catalogues for, on their way to a page: the pages of a
table and of a hall ask for them at the same addresses."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.responses import JSONResponse
from starlette.routing import Route, Router

from companion_api.page_files import WordFiles
from companion_api.phrasebook import WORDS, language_names, phrasebook


def mount_words(app: FastAPI) -> None:
    books = Router([Route("/{language}/{game}.json", _phrasebook)])
    app.mount("/words/rules", GZipMiddleware(books), name="phrasebooks")
    app.add_route("/words/languages.json", _languages, include_in_schema=False)
    app.mount("/words", WordFiles(WORDS), name="words")


async def _languages(_: Request) -> JSONResponse:
    return JSONResponse(language_names())


async def _phrasebook(request: Request) -> JSONResponse:
    try:
        return JSONResponse(phrasebook(request.path_params["language"], request.path_params["game"]))
    except LookupError as error:
        return JSONResponse({"detail": str(error)}, 404)

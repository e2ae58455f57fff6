"""Everything through which bytes from outside come in, each as a function that either takes them or refuses them in one
line of words. Anything else is a finding."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from companion_api.access import Role, Token
from companion_api.app import make_app
from companion_api.dialogue import Conversation
from companion_api.records.restore import read_history
from companion_api.settings import Settings
from rules.games import IDS, game
from rules.notation.errors import NotationError
from rules.notation.reader import read_games
from rules.notation.replay import replay_games
from vision.camera import CameraError, open_camera
from vision.frame import PictureError, decode

CORPUS = Path(__file__).with_name("corpus")
LONGEST_LINE = 2000
_RAW = (
    "object is not", "object has no", "unpack", "unhashable", "invalid literal", "could not convert", "out of range",
    "not supported between", "must be str", "takes no", "positional argument", "unexpected keyword", "KeyError",
)  # fmt: skip


class FindingError(AssertionError):
    """An input that was neither taken nor refused as it should be."""


def _one_line(words: str) -> None:
    if not words.strip() or "\n" in words or "Traceback" in words or len(words) > LONGEST_LINE:
        raise FindingError(f"not one clear line: {words[:300]!r}")


def image(data: bytes) -> None:
    try:
        decode("picture", data)
    except PictureError as error:
        _one_line(str(error))


def film(data: bytes) -> None:
    with tempfile.NamedTemporaryFile(suffix=".avi") as file:
        file.write(data)
        file.flush()
        try:
            camera = open_camera(file.name)
        except CameraError as error:
            _one_line(str(error))
            return
        for _ in range(5):
            camera.read()
        camera.close()


def record(data: bytes) -> None:
    try:
        read_history(data.decode("utf-8", "replace"))
    except NotationError as error:
        _one_line(str(error))


def judge(data: bytes) -> None:
    """A conversation: every line is answered by one line of JSON. The first line may name the game."""
    lines = data.decode("utf-8", "replace").splitlines()[:40]
    talk = Conversation(game(lines[0] if lines and lines[0] in IDS else "dodgem"), None, None)
    for line in lines:
        if line.strip():
            answer = talk.answer_line(line)
            json.dumps(answer)
            if "error" in answer:
                _one_line(answer["error"])
                _says_more_than_python(answer["error"])


def _says_more_than_python(words: str) -> None:
    """What an exception says by itself helps nobody."""
    if any(raw in words for raw in _RAW):
        raise FindingError(f"a raw message: {words!r}")


def ppn(data: bytes) -> None:
    """A file of games, replayed and refereed."""
    try:
        for result in replay_games(read_games(data.decode("utf-8", "replace"))[:3]):
            json.dumps(result)
    except NotationError as error:
        _one_line(str(error))


@cache
def _server() -> tuple[TestClient, list[tuple[str, str]]]:
    """One server and its routes that take a body."""
    app = make_app(Settings(data=Path(tempfile.mkdtemp(prefix="companion-fuzz-"))))
    session = app.state.tables.begin("dodgem", {}, None)
    token = app.state.tables.keys.sign(Token(session.table, Role.HOST))
    client = TestClient(app, headers={"authorization": f"Bearer {token}"}, raise_server_exceptions=True)
    posts = [(path, verb) for path, item in app.openapi()["paths"].items() for verb in item if verb == "post"]
    return client, sorted(posts)


def body(data: bytes) -> None:
    """The first byte says which route, the rest is the body."""
    client, posts = _server()
    path, _ = posts[(data[0] if data else 0) % len(posts)]
    # An import, or a new table, opens tables; whatever comes of it, the server answers in its own words.
    answer = client.post(path, content=data[1:], headers={"content-type": "application/json"})
    if answer.status_code >= 500:
        raise FindingError(f"{path}: {answer.status_code} {answer.text[:300]}")
    if answer.status_code >= 400:
        detail: Any = answer.json()["detail"]
        if isinstance(detail, str):
            _one_line(detail)


ENTRANCES: dict[str, Callable[[bytes], None]] = {
    "images": image,
    "films": film,
    "records": record,
    "judge": judge,
    "ppn": ppn,
    "bodies": body,
}

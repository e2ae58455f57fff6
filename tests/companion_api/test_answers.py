"""What is answered is what the models say, in every game: nothing missing, nothing too much; and the page's types are
made of them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from pydantic import TypeAdapter

from companion_api.access import Role
from companion_api.answers.base import ValueTold
from companion_api.answers.events import EventTold
from companion_api.answers.table import Board, Past
from companion_api.session import Pictures
from companion_api.simulated.synthetic import Noise, Onlooker
from rules.engine.action import Action
from rules.engine.argument_value import Value
from rules.games import game as find_game
from rules.referee.referee import Referee
from rules.referee.verdict import VerdictKind
from tests.companion_api.page import answer_types
from tests.companion_api.phones import Server
from tests.tiers import GAMES

PLIES = 12


def strictly(model: Any, answer: object) -> None:
    TypeAdapter(model).validate_json(json.dumps(answer), strict=True)


@pytest.mark.parametrize("name", GAMES)
def test_the_answers_of_every_game_have_their_shape(name: str, tmp_path: Path) -> None:
    with Server(tmp_path, name) as server:
        strictly(Board, server.host().get("board"))
        for action in played(server, name):
            server.session.act("table", action, expected=None, key=None)
        for phone in (server.host(), server.phone(Role.PLAYER, 0), server.phone(Role.SPECTATOR)):
            strictly(Board, phone.get("board"))
            strictly(list[EventTold], phone.get("history"))
        seq = server.host().get("scores")[-1]["seq"]
        strictly(Past, server.host().get(f"at/{seq}"))


def played(server: Server, name: str) -> Iterator[Action]:
    """A random game, from the start that the table has."""
    rules, rng = find_game(name), random.Random(3)
    for _ in range(PLIES):
        if not rules.turn(server.session.state).is_over:
            yield rules.sample(server.session.state, rng)


def test_what_the_referee_refuses_has_its_shape(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        rules, history = server.session.game, server.session.history
        onlooker, start = Onlooker(4, Noise()), rules.layout(server.session.state)
        (at,) = (place for place in start.places if place.name == "c1")
        moved = (replace(p, x=at.x, y=at.y, place="c1") if p.place == "a1" else p for p in start)
        referee = Referee(rules, history)
        referee.look(onlooker.see(start))
        verdict = referee.look(onlooker.see(replace(start, pieces=tuple(moved))))
        assert verdict.kind is VerdictKind.REFUSED
        server.session._record(verdict, Pictures(True))
        board = server.host().get("board")
        assert board["pending"]["refusal"]["clause"].startswith("DODG-")
        strictly(Board, board)


def test_the_document_tells_what_the_board_is(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        paths = server.stranger().get("/openapi.json").json()["paths"]
        told = paths["/api/board"]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
        assert told == {"$ref": "#/components/schemas/Board"}


def test_every_route_tells_what_it_answers(tmp_path: Path) -> None:
    """By a model with a name, or a file of a kind; never just an object."""
    with Server(tmp_path) as server:
        paths = server.stranger().get("/openapi.json").json()["paths"]
    untold = []
    for path, methods in paths.items():
        for method, about in methods.items():
            content = about["responses"]["200"].get("content", {})
            schema = content.get("application/json", {}).get("schema", {"format": "file"} if content else {})
            if not {"$ref", "items", "anyOf", "format"} & set(schema):
                untold.append(f"{method} {path}")
    assert untold == []


TOLD_BY = {
    "text": {"said", "said_reasons", "id", "actions", "code"},
    "words": {"id", "code", "standing", "action"},
    "title": {"id"},
    "reason": {"said", "code", "winners"},
    "blind": {"blind_said"},
    "problem": {"problem_said"},
    "differences": {"said_differences"},
    "back": {"said_back"},
    "reasons": {"said_reasons"},
    "warnings": {"name"},
    "leaks": {"name"},
}
"""English prose in an answer, and what tells it in other languages: a sentence as a value, a key, an action."""
PEOPLE = {"Claimed", "Disputed", "Given", "About", "Choice", "Option"}
"""What people wrote; and what stands in a larger thing that has the value, or in catalogues by the name."""


@pytest.mark.parametrize("document", [answer_types.table_server, answer_types.hub], ids=lambda made: made.__name__)
def test_whatever_is_told_in_english_can_be_told_in_other_languages(document: Callable[[], dict[str, Any]]) -> None:
    found = document()
    sent = {name for name, told in found["components"]["schemas"].items() if asked_for(found, name)}
    untold = [
        f"{name}.{field}"
        for name, schema in found["components"]["schemas"].items()
        if name not in PEOPLE | sent
        for field in TOLD_BY.keys() & schema.get("properties", {}).keys()
        if not TOLD_BY[field] & schema["properties"].keys()
    ]
    assert untold == []


def asked_for(document: dict[str, Any], name: str) -> bool:
    """Whether it is what phones send."""
    bodies = [about.get("requestBody") for methods in document["paths"].values() for about in methods.values()]
    return any(f'/{name}"' in json.dumps(body) for body in bodies if body)


def test_the_types_of_the_pages_are_made_of_the_models() -> None:
    for file, text in answer_types.written().items():
        stale = "an answer has changed: python -m tests.companion_api.page.answer_types"
        assert file.read_text(encoding="utf-8") == text, stale


def test_a_value_is_told_with_all_that_it_has() -> None:
    """The rules know no pydantic, so the answer names the fields again: none is missing or of another kind."""
    told, value = get_type_hints(ValueTold), get_type_hints(Value)
    assert told.keys() == value.keys()
    assert {name for name, kind in told.items() if kind != value[name]} == {"all"}

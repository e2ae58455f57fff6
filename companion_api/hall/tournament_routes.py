"""Tournaments on the wall, and the director's part in them."""

from __future__ import annotations

import re
import secrets
import time
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException
from pydantic import BaseModel, Field

from companion_api.hall.hall import Hall
from companion_api.hall.people import Role
from companion_api.hall.routes import DirectorNeed, HallNeed, Name, PersonNeed
from companion_api.hall.store import Row
from companion_api.hall.tournament import MOST_PLAYERS, Kind, Tournament, TournamentError
from rules.games import available, game

router = APIRouter(prefix="/api/tournaments")


class Wanted(BaseModel):
    name: Annotated[str, Field(max_length=60)]
    kind: Kind
    game: Annotated[str, Field(max_length=40)]
    players: Annotated[list[Name], Field(max_length=MOST_PLAYERS)]
    rounds: Annotated[int, Field(ge=1, le=30)] = 5


class Version(BaseModel):
    """What the director saw; whoever was faster counts."""

    version: int


class Correction(Version):
    round: int
    first: Name
    result: Annotated[str, Field(max_length=10)] | None


@router.get("")
def tournaments(hall: HallNeed, person: PersonNeed) -> dict[str, Any]:
    """All of them, the newest first."""
    found = hall.store.tournaments()
    rows = _rows(hall) if found else []
    stations = sorted(hall.store.stations().values(), key=_as_people_count)
    shown = [_shown(name, version, Tournament.from_json(data), rows, stations) for name, version, data in found]
    director = person.role is Role.DIRECTOR
    games = [game(name).card for name in available()]
    choice = [{"id": card.id, "name": card.name} for card in games if 2 in card.seats]
    return {"tournaments": shown, "director": director, "games": choice if director else []}


@router.post("")
def begin(hall: HallNeed, _: DirectorNeed, wanted: Wanted) -> dict[str, Any]:
    if wanted.game not in available() or 2 not in game(wanted.game).card.seats:
        raise HTTPException(422, "tournaments are for games of two; choose one of the list")
    try:
        made = Tournament.new(wanted.name, wanted.kind, wanted.game, wanted.players, wanted.rounds)
        made.pair(time.time(), [])
    except TournamentError as error:
        raise HTTPException(422, str(error)) from None
    name = secrets.token_hex(4)
    hall.store.put_tournament(name, 0, made.to_json())
    return {"id": name}


@router.post("/{name}/rounds")
def pair(hall: HallNeed, _: DirectorNeed, name: str, seen: Version) -> dict[str, Any]:
    """The next round, when all games of the last one are over."""
    found = _found(hall, name, seen.version)
    try:
        found.pair(time.time(), _rows(hall))
    except TournamentError as error:
        raise HTTPException(409, str(error)) from None
    return _written(hall, name, seen.version, found)


@router.post("/{name}/results")
def correct(hall: HallNeed, _: DirectorNeed, name: str, wanted: Correction) -> dict[str, Any]:
    found = _found(hall, name, wanted.version)
    try:
        found.correct(wanted.round, wanted.first, wanted.result)
    except TournamentError as error:
        raise HTTPException(422, str(error)) from None
    return _written(hall, name, wanted.version, found)


def _found(hall: Hall, name: str, version: int) -> Tournament:
    found = next((each for each in hall.store.tournaments() if each[0] == name), None)
    if found is None:
        raise HTTPException(404, "there is no such tournament")
    if found[1] != version:
        raise HTTPException(409, "somebody was faster; look at it again")
    return Tournament.from_json(found[2])


def _written(hall: Hall, name: str, version: int, changed: Tournament) -> dict[str, Any]:
    if not hall.store.put_tournament(name, version, changed.to_json()):
        raise HTTPException(409, "somebody was faster; look at it again")
    return {"version": version + 1}


def _as_people_count(name: str) -> list[tuple[int, str]]:
    """Table 2 comes before table 10."""
    return [(int(part), "") if part.isdigit() else (0, part.casefold()) for part in re.split(r"(\d+)", name)]


def _rows(hall: Hall) -> list[Row]:
    return hall.store.tables(time.time() - 31 * 86_400)


def _shown(name: str, version: int, of: Tournament, rows: list[Row], stations: list[str]) -> dict[str, Any]:
    rounds = [
        {"number": number, "at": round_.at, "pairings": [
            {
                "first": of.players[p.first],
                "second": None if p.second is None else of.players[p.second],
                "table": stations[i] if i < len(stations) and p.second is not None else None,
                "result": result,
                "corrected": round_.corrected.get(str(p.first)),
            }
            for i, (p, result) in enumerate(zip(round_.pairings, results, strict=True))
        ]}
        for number, (round_, results) in enumerate(zip(of.rounds, of.results(rows), strict=True), 1)
    ]  # fmt: skip
    return {
        "id": name,
        "version": version,
        "name": of.name,
        "kind": of.kind.value,
        "game": game(of.game).card.name,
        "planned": of.planned,
        "rounds": rounds,
        "standings": of.standings(rows),
        "ties": of.tie_names,
        "may_pair": of.may_pair(rows),
    }

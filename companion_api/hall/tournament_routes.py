"""Routes of tournaments: for everybody to look, for the director to pair and correct."""

from __future__ import annotations

import secrets
import time
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from companion_api.answers.base import Problem, problems, shaped
from companion_api.hall.answers import Begun, NewVersion, Tournaments
from companion_api.hall.hall import Hall
from companion_api.hall.names import natural_key
from companion_api.hall.pairing import unmet
from companion_api.hall.people import HallRole
from companion_api.hall.routes import DirectorNeed, HallNeed, Name, PersonNeed
from companion_api.hall.store import Row
from companion_api.hall.tournament import (
    MOST_PLAYERS,
    Tournament,
    TournamentError,
    TournamentKind,
    results_of,
    standings,
)
from rules.games import available, game
from rules.sentence import say

router = APIRouter(prefix="/api/tournaments")


class NewTournament(BaseModel):
    name: Annotated[str, Field(max_length=60)]
    kind: TournamentKind
    game: Annotated[str, Field(max_length=40)]
    players: Annotated[list[Name], Field(max_length=MOST_PLAYERS)]
    rounds: Annotated[int, Field(ge=1, le=30)] = 5
    seats: Annotated[int, Field(ge=2, le=6)] = 2


class Version(BaseModel):
    """The version that the director changes; an outdated one is refused."""

    version: int


class Correction(Version):
    round: int
    first: Name
    result: Annotated[str, Field(max_length=10)] | None


@router.get("", **shaped(Tournaments))
def tournaments(hall: HallNeed, person: PersonNeed) -> dict[str, Any]:
    """All tournaments, the newest first; for the director also the games to choose from."""
    found = hall.store.tournaments()
    rows = _rows(hall) if found else []
    stations = sorted(hall.store.stations().values(), key=natural_key)
    shown = [_tournament_json(id_, version, Tournament.from_json(data), rows, stations) for id_, version, data in found]
    director = person.role is HallRole.DIRECTOR
    games = [
        {"id": card.id, "name": card.name, "seats": seats}
        for card in (game(name).card for name in available() if director)
        if (seats := [number for number in card.seats if number > 1])
    ]
    return {"tournaments": shown, "director": director, "games": games}


@router.post("", **shaped(Begun))
def begin(hall: HallNeed, _: DirectorNeed, wanted: NewTournament) -> dict[str, Any]:
    seats = game(wanted.game).card.seats if wanted.game in available() else ()
    if wanted.seats not in seats:
        raise Problem(422, say("this game is not for so many at a table; choose another number or another game"))
    # Where the number of players does not divide, some tables are one smaller, if the game allows it.
    sizes = [size for size in (wanted.seats, wanted.seats - 1) if size == wanted.seats or (size > 2 and size in seats)]
    with problems(422, TournamentError):
        made = Tournament.new(wanted.name, wanted.kind, wanted.game, wanted.players, wanted.rounds, sizes)
        made.pair(time.time(), [])
    name = secrets.token_hex(4)
    hall.store.put_tournament(name, 0, asdict(made))
    return {"id": name}


@router.post("/{name}/rounds", **shaped(NewVersion))
def pair(hall: HallNeed, _: DirectorNeed, name: str, seen: Version) -> dict[str, Any]:
    """Pair the next round; refused while games of the last one are open."""
    found = _at_version(hall, name, seen.version)
    with problems(409, TournamentError):
        found.pair(time.time(), _rows(hall))
    return _save(hall, name, seen.version, found)


@router.post("/{name}/results", **shaped(NewVersion))
def correct(hall: HallNeed, _: DirectorNeed, name: str, wanted: Correction) -> dict[str, Any]:
    found = _at_version(hall, name, wanted.version)
    with problems(422, TournamentError):
        found.correct(wanted.round, wanted.first, wanted.result)
    return _save(hall, name, wanted.version, found)


def _at_version(hall: Hall, name: str, version: int) -> Tournament:
    found = next((each for each in hall.store.tournaments() if each[0] == name), None)
    if found is None:
        raise Problem(404, say("there is no such tournament"))
    if found[1] != version:
        raise Problem(409, say("somebody else was faster; look at it again"))
    return Tournament.from_json(found[2])


def _save(hall: Hall, name: str, version: int, changed: Tournament) -> dict[str, Any]:
    if not hall.store.put_tournament(name, version, asdict(changed)):
        raise Problem(409, say("somebody else was faster; look at it again"))
    return {"version": version + 1}


def _rows(hall: Hall) -> list[Row]:
    return hall.store.tables(time.time() - 31 * 86_400)


def _tournament_json(name: str, version: int, of: Tournament, rows: list[Row], stations: list[str]) -> dict[str, Any]:
    rounds = [_round_json(of, number, found, stations) for number, found in enumerate(of.results(rows), 1)]
    finished = len(of.rounds) == of.planned and of.kind is TournamentKind.ROUND_ROBIN
    return {
        "id": name,
        "version": version,
        "name": of.name,
        "kind": of.kind.value,
        "game": game(of.game).card.name,
        "planned": of.planned,
        "rounds": rounds,
        "standings": standings(of, rows),
        "ties": of.kind.ties,
        "may_pair": of.may_pair(rows),
        "unmet": unmet(len(of.players), of.records(rows)) if finished else 0,
    }


def _round_json(of: Tournament, number: int, results: list[str | None], stations: list[str]) -> dict[str, Any]:
    round_ = of.rounds[number - 1]
    pairings = [
        {
            "players": [of.players[player] for player in pairing.players],
            "table": stations[i] if i < len(stations) and not pairing.is_bye else None,
            "result": result,
            "corrected": round_.corrected.get(str(pairing.players[0])),
            "results": [] if pairing.is_bye else results_of(len(pairing.players)),
        }
        for i, (pairing, result) in enumerate(zip(round_.pairings, results, strict=True))
    ]
    return {"number": number, "at": round_.at, "pairings": pairings}

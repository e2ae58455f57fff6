"""Results and league table, from the last event of each game.

A win is one point, a win shared by several and a draw between all are half a point; a game of one seat (a solitaire)
does not count. People are identified by their names at the tables, whatever their case.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from companion_api.hall.store import Row

WIN, SHARED = 1.0, 0.5


@dataclass(slots=True)
class LeagueEntry:
    name: str
    games: int = 0
    wins: int = 0
    draws: int = 0
    points: float = 0.0


def is_result(row: Row) -> bool:
    return bool(row.standing.get("over")) and len(row.standing.get("seats", ())) > 1


def result(row: Row, station: str) -> dict[str, Any]:
    """A finished game as JSON; `station`: the table's name."""
    standing = row.standing
    return {
        "station": row.station,
        "name": station,
        "table": row.table,
        "at": row.at,
        "minutes": round((row.at - row.began) / 60, 1),
        "game": standing["game"],
        "seats": standing["seats"],
        "winners": standing["winners"],
        "scores": standing["scores"],
        "reason": standing["reason"],
    }


def points(row: Row) -> list[float]:
    """Points of each seat in a finished game."""
    seats, winners = len(row.standing["seats"]), row.standing["winners"]
    if not winners:
        return [SHARED] * seats
    return [(WIN if len(winners) == 1 else SHARED) if seat in winners else 0.0 for seat in range(seats)]


def league(rows: Iterable[Row]) -> list[LeagueEntry]:
    """Entries by most points, then most wins, then fewest games, then name."""
    entries: dict[str, LeagueEntry] = {}
    for row in filter(is_result, rows):
        for name, score in zip(row.standing["seats"], points(row), strict=True):
            entry = entries.setdefault(name.strip().casefold(), LeagueEntry(name.strip()))
            entry.games += 1
            entry.points += score
            entry.wins += score == WIN
            entry.draws += score == SHARED
    return sorted(entries.values(), key=lambda e: (-e.points, -e.wins, e.games, e.name.casefold()))


def as_csv(entries: Iterable[LeagueEntry]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["place", "name", "points", "wins", "draws", "games"])
    for place, entry in enumerate(entries, 1):
        writer.writerow([place, _without_formula(entry.name), entry.points, entry.wins, entry.draws, entry.games])
    return out.getvalue()


def _without_formula(text: str) -> str:
    """The text quoted where a spreadsheet would take it for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t") else text

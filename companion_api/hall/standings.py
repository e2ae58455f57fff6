"""Standings of a tournament. Ties are broken, in this order, by
- Swiss: Buchholz (the points of all opponents, of each as often as met), Sonneborn-Berger (the points of every opponent
  times what was got at that table: of those beaten all, of those shared with half), wins;
- round robin: Sonneborn-Berger, what was got at tables with somebody of the same points, wins.
Players equal in all of them share the place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion_api.hall.store import Row
from companion_api.hall.tournament import Tournament, TournamentKind, scores_of

Played = list[tuple[tuple[int, ...], float]]
"""A player's games: the opponents at each table, and the points."""


def tie_names(of: Tournament) -> list[str]:
    return ["buchholz", "sonneborn", "wins"] if of.kind is TournamentKind.SWISS else ["sonneborn", "direct", "wins"]


def standings(of: Tournament, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Place, name, points, tie-breaks and number of games of each player as JSON, the best first."""
    games = _games(of, rows)
    total = [record.points for record in of.records(rows)]
    ties = [_ties(of, number, games, total) for number in range(len(of.players))]
    order = sorted(range(len(of.players)), key=lambda n: (-total[n], *(-tie for tie in ties[n]), n))
    found: list[dict[str, Any]] = []
    for position, number in enumerate(order, 1):
        above = order[position - 2] if position > 1 else None
        same = above is not None and (total[above], ties[above]) == (total[number], ties[number])
        place = found[-1]["place"] if same else position
        entry = {"place": place, "name": of.players[number], "points": total[number], "ties": list(ties[number])}
        found.append({**entry, "played": len(games[number])})
    return found


def _games(of: Tournament, rows: Sequence[Row]) -> list[Played]:
    games: list[Played] = [[] for _ in of.players]
    for round_, results in zip(of.rounds, of.results(rows), strict=True):
        for pairing, result in zip(round_.pairings, results, strict=True):
            if result is None:
                continue
            for player, got in zip(pairing.players, scores_of(result), strict=True):
                games[player].append((tuple(n for n in pairing.players if n != player), got))
    return games


def _ties(of: Tournament, number: int, games: Sequence[Played], total: Sequence[float]) -> tuple[float, ...]:
    own = games[number]
    buchholz = sum(total[opponent] for opponents, _ in own for opponent in opponents)
    sonneborn = sum(total[opponent] * got for opponents, got in own for opponent in opponents)
    wins = float(sum(got == 1.0 for _, got in own))
    direct = sum(got for opponents, got in own if any(total[each] == total[number] for each in opponents))
    return (buchholz, sonneborn, wins) if of.kind is TournamentKind.SWISS else (sonneborn, direct, wins)

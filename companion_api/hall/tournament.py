"""League, and tournaments: rounds, results, corrections and standings (`pairing` pairs the next round).

Results come from the logs: of the games that began after the pairing, the first finished one between exactly these
players counts. A correction by the director takes precedence.

A win is one point, a shared win or a draw half a point each. A bye is one point in games of two and half a point in
larger ones; it does not count in tie-breaks. In the league a game of one seat (a solitaire) does not count, and people
are identified by their names at the tables, whatever their case.

Ties are broken, in this order, by
- Swiss: Buchholz (the points of all opponents, of each as often as met), Sonneborn-Berger (the points of every opponent
  times what was got at that table: of those beaten all, of those shared with half), wins;
- round robin: Sonneborn-Berger, what was got at tables with somebody of the same points, wins.
Players equal in all of them share the place.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations, permutations
from math import ceil, comb
from typing import Any

from pydantic import TypeAdapter

from companion_api.hall.pairing import PlayerRecord, pairs, sizes_for, tables
from companion_api.hall.store import Row
from rules.sentence import InputError, say

MOST_PLAYERS = 200
WIN, SHARED = 1.0, 0.5
_TEXT = {0.0: "0", 0.5: "½", 1.0: "1"}
_SCORE = {text: got for got, text in _TEXT.items()}


class TournamentKind(StrEnum):
    SWISS = "swiss"
    ROUND_ROBIN = "round_robin"

    @property
    def ties(self) -> list[str]:
        """How ties are broken, in this order."""
        return ["buchholz", "sonneborn", "wins"] if self is self.SWISS else ["sonneborn", "direct", "wins"]


class TournamentError(InputError):
    """An invalid tournament or correction; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Numbers of the players in the order of the seats; one alone has a bye."""

    players: tuple[int, ...]

    @property
    def is_bye(self) -> bool:
        return len(self.players) == 1


@dataclass(slots=True)
class Round:
    """`corrected`: results entered by the director, by the first player's number."""

    at: float
    pairings: list[Pairing]
    corrected: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Tournament:
    """`sizes`: allowed numbers of players at a table; `planned`: number of rounds."""

    name: str
    kind: TournamentKind
    game: str
    players: list[str]
    planned: int
    sizes: list[int] = field(default_factory=lambda: [2])
    rounds: list[Round] = field(default_factory=list)

    @staticmethod
    def new(
        name: str, kind: TournamentKind, game: str, players: Iterable[str], planned: int, sizes: Sequence[int] = (2,)
    ) -> Tournament:
        named = [" ".join(player.split()) for player in players]
        if len({player.casefold() for player in named}) < len(named):
            raise TournamentError(say("two players have the same name; add a letter, since results are found by names"))
        if not 2 <= len(named) <= MOST_PLAYERS:
            raise TournamentError(
                say("a tournament has 2 to {most} players, not {given}", most=MOST_PLAYERS, given=len(named))
            )
        if not sizes_for(len(named), sizes):
            raise TournamentError(
                say("{given} players do not fill a table of {size}", given=len(named), size=min(sizes))
            )
        rounds = _planned_rounds(kind, len(named), planned, sizes)
        return Tournament(name.strip() or game, kind, game, named, rounds, sorted(sizes, reverse=True))

    @staticmethod
    def from_json(data: Any) -> Tournament:
        return _FROM_JSON.validate_python(data)

    def correct(self, number: int, first: str, result: str | None) -> None:
        """Enter the result of the table whose first player is `first`; None: the log's result counts again."""
        if not 1 <= number <= len(self.rounds):
            raise TournamentError(say("there is no round {number}", number=number))
        pairings = self.rounds[number - 1].pairings
        found = next((p for p in pairings if not p.is_bye and self.players[p.players[0]] == first), None)
        if found is None:
            raise TournamentError(
                say("{who} is not the first player of any game in round {number}", who=first, number=number)
            )
        place = str(found.players[0])
        if result is None:
            self.rounds[number - 1].corrected.pop(place, None)
        elif result in results_of(len(found.players)):
            self.rounds[number - 1].corrected[place] = result
        else:
            possible = ", ".join(results_of(len(found.players)))
            raise TournamentError(
                say("a result is one of {possible}, not {result}", possible=possible, result=repr(result[:20]))
            )

    def results(self, rows: Sequence[Row]) -> list[list[str | None]]:
        """Results of every pairing of every round; None where it is still open, or a bye."""
        own = (row for row in rows if is_result(row) and row.standing["game"]["id"] == self.game)
        games = sorted(own, key=lambda row: row.at)
        return [[self._result(round_, pairing, games) for pairing in round_.pairings] for round_ in self.rounds]

    def played(self, rows: Sequence[Row]) -> Iterator[tuple[Pairing, str | None]]:
        """Every pairing of all rounds in order, with its result."""
        for round_, results in zip(self.rounds, self.results(rows), strict=True):
            yield from zip(round_.pairings, results, strict=True)

    def _result(self, round_: Round, pairing: Pairing, games: Sequence[Row]) -> str | None:
        if pairing.is_bye:
            return None
        if written := round_.corrected.get(str(pairing.players[0])):
            return written
        names = [self.players[player].casefold() for player in pairing.players]
        for row in games:
            seated = [name.strip().casefold() for name in row.standing["seats"]]
            if row.began >= round_.at and sorted(seated) == sorted(names):
                got = points(row)
                return result_text([got[seated.index(name)] for name in names])
        return None

    def may_pair(self, rows: Sequence[Row]) -> bool:
        return len(self.rounds) < self.planned and not self._open_pairings(rows)

    def _open_pairings(self, rows: Sequence[Row]) -> list[Pairing]:
        return [pairing for pairing, result in self.played(rows) if result is None and not pairing.is_bye]

    def pair(self, at: float, rows: Sequence[Row]) -> Round:
        """Pair the next round at this time; TournamentError where there is none or games are open."""
        if len(self.rounds) >= self.planned:
            raise TournamentError(
                say("the one round has been paired", "all {count} rounds have been paired", count=self.planned)
            )
        if waiting := self._open_pairings(rows):
            who = "; ".join(" - ".join(self.players[n] for n in p.players) for p in waiting[:3])
            raise TournamentError(
                say("one game is still open: {who}", "{count} games are still open: {who}", count=len(waiting), who=who)
            )
        made = Round(at, [Pairing(players) for players in self._next_pairings(rows)])
        self.rounds.append(made)
        return made

    def _next_pairings(self, rows: Sequence[Row]) -> list[tuple[int, ...]]:
        number, swiss = len(self.rounds) + 1, self.kind is TournamentKind.SWISS
        if max(self.sizes) > 2:
            return tables(self.records(rows), self.sizes, swiss, number)
        met = {(p.players[0], p.players[1]) for r in self.rounds for p in r.pairings if not p.is_bye}
        found = pairs(self._pairing_records(rows), met, number, self.planned, swiss)
        if sum(len(players) == 1 for players in found) > len(self.players) % 2:
            raise TournamentError(
                say("there is no further round without two players meeting again; the tournament is over")
            )
        return found

    @property
    def bye(self) -> float:
        return WIN if max(self.sizes) == 2 else SHARED

    def records(self, rows: Sequence[Row]) -> list[PlayerRecord]:
        found = [PlayerRecord() for _ in self.players]
        for pairing, result in self.played(rows):
            if pairing.is_bye:
                found[pairing.players[0]].byes += 1
                found[pairing.players[0]].points += self.bye
                continue
            found[pairing.players[0]].first += 1
            for one, two in permutations(pairing.players, 2):
                found[one].met[two] += 1
            if result:
                for player, got in zip(pairing.players, scores_of(result), strict=True):
                    found[player].points += got
        return found

    def _pairing_records(self, rows: Sequence[Row]) -> list[dict[str, Any]]:
        """The players' records as the pairing library wants them."""
        records: list[dict[str, Any]] = [
            {
                "id": number,
                "name": name,
                "score": 0.0,
                "rating": 3000 - number,
                "starting_number": number + 1,
                "color_hist": [],
                "float_history": [],
                "bye_count": 0,
            }
            for number, name in enumerate(self.players)
        ]
        for round_, results in zip(self.rounds, self.results(rows), strict=True):
            before = [record["score"] for record in records]
            for pairing, result in zip(round_.pairings, results, strict=True):
                _add_to_record(records, before, pairing, result, self.bye)
        return records


def _add_to_record(
    records: list[dict[str, Any]], before: Sequence[float], pairing: Pairing, result: str | None, bye: float
) -> None:
    if pairing.is_bye:
        alone = records[pairing.players[0]]
        alone["score"] += bye
        alone["bye_count"] += 1
        alone["color_hist"].append("none")
        alone["float_history"].append("down")
        return
    first, second = pairing.players
    sides = ((first, second, "white"), (second, first, "black"))
    for (own, other, colour), score in zip(sides, scores_of(result or "0-0"), strict=True):
        records[own]["score"] += score
        records[own]["color_hist"].append(colour)
        lower, higher = before[own] < before[other], before[own] > before[other]
        records[own]["float_history"].append("up" if lower else "down" if higher else "none")


_FROM_JSON = TypeAdapter(Tournament)


def _planned_rounds(kind: TournamentKind, players: int, planned: int, sizes: Sequence[int]) -> int:
    if max(sizes) > 2:
        # The least number of rounds in which everybody can meet everybody.
        meetings = sum(comb(size, 2) for size in sizes_for(players, sizes))
        return ceil(comb(players, 2) / meetings) if kind is TournamentKind.ROUND_ROBIN else planned
    even = players + players % 2
    if kind is TournamentKind.ROUND_ROBIN:
        return even - 1
    # A round can surely be paired while everybody has half of the others left to meet (Dirac).
    if planned > even // 2:
        raise TournamentError(
            say(
                "a Swiss tournament of {players} has at most one round, not {planned}; with so few "
                "players choose a round robin",
                "a Swiss tournament of {players} has at most {count} rounds, not {planned}; with so few "
                "players choose a round robin",
                players=players,
                count=even // 2,
                planned=planned,
            )
        )
    return planned


def result_text(got: Iterable[float]) -> str:
    """A result as text from the points of each seat: `1-0`, `½-½-0`."""
    return "-".join(_TEXT[each] for each in got)


def scores_of(text: str) -> tuple[float, ...]:
    return tuple(_SCORE[part] for part in text.split("-"))


def results_of(seats: int) -> list[str]:
    """All results of a table of so many seats: one wins, several share, nobody scores."""
    found = [result_text(float(seat == winner) for seat in range(seats)) for winner in range(seats)]
    for sharing in range(seats, 1, -1):
        ways = combinations(range(seats), sharing)
        found += [result_text(0.5 if seat in shared else 0.0 for seat in range(seats)) for shared in ways]
    return [*found, result_text([0.0] * seats)]


Played = list[tuple[tuple[int, ...], float]]
"""A player's games: the opponents at each table, and the points."""


def standings(of: Tournament, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Place, name, points, tie-breaks and number of games of each player as JSON, the best first."""
    games: list[Played] = [[] for _ in of.players]
    for pairing, result in of.played(rows):
        if result is None:
            continue
        for player, got in zip(pairing.players, scores_of(result), strict=True):
            games[player].append((tuple(n for n in pairing.players if n != player), got))
    total = [record.points for record in of.records(rows)]
    ties: list[list[float]] = []
    for own, points_got in zip(games, total, strict=True):
        breaks = {
            "buchholz": sum(total[opponent] for opponents, _ in own for opponent in opponents),
            "sonneborn": sum(total[opponent] * got for opponents, got in own for opponent in opponents),
            "wins": float(sum(got == WIN for _, got in own)),
            "direct": sum(got for opponents, got in own if any(total[each] == points_got for each in opponents)),
        }
        ties.append([breaks[name] for name in of.kind.ties])
    rank = [(-total[n], *(-tie for tie in ties[n])) for n in range(len(of.players))]
    return [
        {
            "place": 1 + sum(better < rank[n] for better in rank),
            "name": of.players[n],
            "points": total[n],
            "ties": ties[n],
            "played": len(games[n]),
        }
        for n in sorted(range(len(of.players)), key=lambda n: (rank[n], n))
    ]


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
    minutes = round((row.at - row.began) / 60, 1)
    of_row = {"station": row.station, "name": station, "table": row.table, "at": row.at, "minutes": minutes}
    return of_row | {name: row.standing[name] for name in ("game", "seats", "winners", "scores", "reason")}


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

"""Tournaments for games of two: who meets whom, the results, the standings.

Pairing is a library's: the FIDE Dutch system for Swiss tournaments, Berger's tables for round robins. Results come from
the logs: of the tables' games that began after the pairing, the first finished one between the two counts. What the
director writes counts before that.

Ties are broken, in this order, by
- Swiss: Buchholz (the points of all opponents), Sonneborn-Berger (the points of those beaten, half the points of those
  drawn with), wins;
- round robin: Sonneborn-Berger, the points between those who are tied, wins.
Who is equal in all of them shares the place. A bye is a point and counts in no tie-break.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from caissify_pairings import generate_pairings

from companion_api.hall.league import is_result, points
from companion_api.hall.store import Row

MOST_PLAYERS = 200
RESULTS = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), "½-½": (0.5, 0.5), "0-0": (0.0, 0.0)}
BYE = 1.0


class Kind(StrEnum):
    SWISS = "swiss"
    ROUND_ROBIN = "round_robin"


class TournamentError(ValueError):
    """What is wrong with a tournament or a correction, and what to do."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Players by their number; `second` is None for a bye. `first` has the first seat."""

    first: int
    second: int | None


@dataclass(slots=True)
class Round:
    at: float
    pairings: list[Pairing]
    corrected: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Tournament:
    name: str
    kind: Kind
    game: str
    players: list[str]
    planned: int
    rounds: list[Round] = field(default_factory=list)

    @staticmethod
    def new(name: str, kind: Kind, game: str, players: Iterable[str], planned: int) -> Tournament:
        named = [" ".join(player.split()) for player in players]
        if len({player.casefold() for player in named}) < len(named):
            raise TournamentError("two players have the same name; add a letter, since results are found by names")
        if not 2 <= len(named) <= MOST_PLAYERS:
            raise TournamentError(f"a tournament has 2 to {MOST_PLAYERS} players, not {len(named)}")
        even = len(named) + len(named) % 2
        rounds = even - 1 if kind is Kind.ROUND_ROBIN else planned
        # As long as everybody has half of the others left to meet, a round can be paired (Dirac); later perhaps not.
        if kind is Kind.SWISS and rounds > even // 2:
            raise TournamentError(
                f"a Swiss tournament of {len(named)} has {even // 2} rounds at most, not {rounds}; "
                "with so few players choose a round robin"
            )
        return Tournament(name.strip() or game, kind, game, named, rounds)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Tournament:
        rounds = [Round(r["at"], [Pairing(**p) for p in r["pairings"]], dict(r["corrected"])) for r in data["rounds"]]
        return Tournament(
            data["name"], Kind(data["kind"]), data["game"], list(data["players"]), data["planned"], rounds
        )

    # Results ----------------------------------------------------------------------------------------------------

    def correct(self, number: int, first: str, result: str | None) -> None:
        """The director says how a pairing ended; None: what the log says counts again."""
        if not 1 <= number <= len(self.rounds):
            raise TournamentError(f"there is no round {number}")
        found = next((p for p in self.rounds[number - 1].pairings if self.players[p.first] == first), None)
        if found is None or found.second is None:
            raise TournamentError(f"{first} has no game as the first in round {number}")
        if result is None:
            self.rounds[number - 1].corrected.pop(str(found.first), None)
        elif result in RESULTS:
            self.rounds[number - 1].corrected[str(found.first)] = result
        else:
            raise TournamentError(f"a result is one of {', '.join(RESULTS)}, not {result[:10]!r}")

    def results(self, rows: Sequence[Row]) -> list[list[str | None]]:
        """Of every pairing of every round; None where it is still open, or a bye."""
        games = sorted((row for row in rows if self._is_ours(row)), key=lambda row: row.at)
        return [[self._result(round_, pairing, games) for pairing in round_.pairings] for round_ in self.rounds]

    def _is_ours(self, row: Row) -> bool:
        return is_result(row) and row.standing["game"]["id"] == self.game and len(row.standing["seats"]) == 2

    def _result(self, round_: Round, pairing: Pairing, games: Sequence[Row]) -> str | None:
        if pairing.second is None:
            return None
        if written := round_.corrected.get(str(pairing.first)):
            return written
        first, second = self.players[pairing.first].casefold(), self.players[pairing.second].casefold()
        for row in games:
            seated = [name.strip().casefold() for name in row.standing["seats"]]
            if row.began >= round_.at and sorted(seated) == sorted((first, second)):
                got = points(row)
                return _written(got[seated.index(first)], got[seated.index(second)])
        return None

    # Pairing ----------------------------------------------------------------------------------------------------

    def may_pair(self, rows: Sequence[Row]) -> bool:
        return len(self.rounds) < self.planned and not self._open(rows)

    def _open(self, rows: Sequence[Row]) -> list[Pairing]:
        found = self.results(rows)
        return [
            pairing
            for round_, results in zip(self.rounds, found, strict=True)
            for pairing, result in zip(round_.pairings, results, strict=True)
            if result is None and pairing.second is not None
        ]

    def pair(self, at: float, rows: Sequence[Row]) -> Round:
        """The next round."""
        if len(self.rounds) >= self.planned:
            raise TournamentError(f"all {self.planned} rounds have been paired")
        if waiting := self._open(rows):
            pairs = "; ".join(f"{self.players[p.first]} - {self.players[p.second or 0]}" for p in waiting[:3])
            raise TournamentError(f"{len(waiting)} games are still open: {pairs}")
        careers = self._careers(rows)
        met = {(p.first, p.second) for r in self.rounds for p in r.pairings if p.second is not None}
        system = "dutch" if self.kind is Kind.SWISS else "round_robin"
        paired = generate_pairings(system, careers, met, len(self.rounds) + 1, self.planned)
        if sum(each["black_id"] is None for each in paired) > len(self.players) % 2:
            raise TournamentError("no round is left in which nobody meets anybody twice; the tournament is over")
        made = Round(at, [Pairing(each["white_id"], each["black_id"]) for each in paired])
        self.rounds.append(made)
        return made

    def _careers(self, rows: Sequence[Row]) -> list[dict[str, Any]]:
        """Each player as the library wants it: points, who sat first, who was paired up or down, byes."""
        careers: list[dict[str, Any]] = [
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
            before = [career["score"] for career in careers]
            for pairing, result in zip(round_.pairings, results, strict=True):
                _live_through(careers, before, pairing, result)
        return careers

    # Standings --------------------------------------------------------------------------------------------------

    def standings(self, rows: Sequence[Row]) -> list[dict[str, Any]]:
        """Place, name, points, tie-breaks, games; the best first."""
        games = self._games(rows)
        total = [sum(got for _, got in own) + self._byes(number) for number, own in enumerate(games)]
        ties = [self._ties(number, games, total) for number in range(len(self.players))]
        order = sorted(range(len(self.players)), key=lambda n: (-total[n], *(-tie for tie in ties[n]), n))
        found: list[dict[str, Any]] = []
        for position, number in enumerate(order, 1):
            above = order[position - 2] if position > 1 else None
            same = above is not None and (total[above], ties[above]) == (total[number], ties[number])
            place = found[-1]["place"] if same else position
            entry = {"place": place, "name": self.players[number], "points": total[number], "ties": list(ties[number])}
            found.append({**entry, "played": len(games[number])})
        return found

    @property
    def tie_names(self) -> list[str]:
        return ["buchholz", "sonneborn", "wins"] if self.kind is Kind.SWISS else ["sonneborn", "direct", "wins"]

    def _games(self, rows: Sequence[Row]) -> list[list[tuple[int, float]]]:
        """For every player: against whom, and how many points."""
        games: list[list[tuple[int, float]]] = [[] for _ in self.players]
        for round_, results in zip(self.rounds, self.results(rows), strict=True):
            for pairing, result in zip(round_.pairings, results, strict=True):
                if pairing.second is not None and result is not None:
                    first, second = RESULTS[result]
                    games[pairing.first].append((pairing.second, first))
                    games[pairing.second].append((pairing.first, second))
        return games

    def _byes(self, number: int) -> float:
        return sum(BYE for r in self.rounds for p in r.pairings if p.second is None and p.first == number)

    def _ties(self, number: int, games: list[list[tuple[int, float]]], total: list[float]) -> tuple[float, ...]:
        own = games[number]
        buchholz = sum(total[opponent] for opponent, _ in own)
        sonneborn = sum(total[opponent] * got for opponent, got in own)
        wins = float(sum(got == 1.0 for _, got in own))
        direct = sum(got for opponent, got in own if total[opponent] == total[number])
        return (buchholz, sonneborn, wins) if self.kind is Kind.SWISS else (sonneborn, direct, wins)


def _written(first: float, second: float) -> str:
    return next(text for text, got in RESULTS.items() if got == (first, second))


def _live_through(careers: list[dict[str, Any]], before: Sequence[float], pairing: Pairing, result: str | None) -> None:
    if pairing.second is None:
        alone = careers[pairing.first]
        alone["score"] += BYE
        alone["bye_count"] += 1
        alone["color_hist"].append("none")
        alone["float_history"].append("down")
        return
    got = RESULTS[result or "0-0"]
    sides = ((pairing.first, pairing.second, "white"), (pairing.second, pairing.first, "black"))
    for (own, other, colour), score in zip(sides, got, strict=True):
        careers[own]["score"] += score
        careers[own]["color_hist"].append(colour)
        lower, higher = before[own] < before[other], before[own] > before[other]
        careers[own]["float_history"].append("up" if lower else "down" if higher else "none")

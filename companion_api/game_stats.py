"""Statistics of the finished games on this server."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import asdict, dataclass
from typing import Any
from weakref import WeakKeyDictionary

from companion_api.folded_table import RequestError
from companion_api.log.event import EventKind
from companion_api.log.store import Log
from companion_api.session import Session
from companion_api.simulated.incidents import STAGED

MAX_TABLES = 200
_cache: WeakKeyDictionary[Log, dict[str, tuple[int, Finished | None]]] = WeakKeyDictionary()
"""Result by table, with the sequence number it was computed at."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished game; `people` and `winners` are those who gave a name."""

    table: str
    at: float
    game: str
    people: tuple[str, ...]
    winners: tuple[str, ...]


def game_stats_of(log: Log) -> dict[str, Any]:
    """The finished games, newest first, and for every name: games, wins, and wins by game."""
    heads = sorted(log.heads().items(), key=lambda head: -head[1][1])[:MAX_TABLES]
    found = [one for table, (seq, _) in heads if (one := _finished(log, table, seq)) is not None]
    games = Counter(name for one in found for name in one.people)
    won: dict[str, Counter[str]] = defaultdict(Counter)
    for one in found:
        for name in one.winners:
            won[name][one.game] += 1
    order = sorted(games, key=lambda name: (-won[name].total(), -games[name], name))
    people = [{"name": n, "games": games[n], "won": won[n].total(), "by_game": dict(won[n])} for n in order]
    return {"people": people, "games": [asdict(one) for one in found]}


def _finished(log: Log, table: str, seq: int) -> Finished | None:
    """Computed once per state of a table."""
    known = _cache.setdefault(log, {})
    if table not in known or known[table][0] != seq:
        known[table] = seq, _result(log, table)
    return known[table][1]


def _result(log: Log, table: str) -> Finished | None:
    try:
        session = Session(log, table)
    except RequestError:
        return None  # played under older rules, so its end is unknown
    outcome = session.game.outcome(session.state)
    if not outcome.over:
        return None
    names = {seat: _name(session, seat) for seat in range(len(session.seats))}
    people = tuple(name for name in names.values() if name)
    if not people and any(
        event.kind is EventKind.NOTE and event.data.get("code") == STAGED for event in session.events
    ):
        return None  # a demonstration
    won = tuple(name for seat in (() if outcome.drawn else outcome.winners) if (name := names[seat]))
    return Finished(table, session.events[-1].at, session.game.card.name, people, won)


def _name(session: Session, seat: int) -> str | None:
    """The name people gave; None for the game's name of a seat."""
    own = session.seats[seat]
    name = session.roster.name_of(seat) or own.name
    called = {own.suit.value if own.suit else "", f"player {seat + 1}"}
    return None if name.lower() in called else name

"""Statistics over the evenings: the games that were finished on this server, and how often who has won."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import islice
from typing import Any
from weakref import WeakKeyDictionary

from companion_api.folded_table import RequestError
from companion_api.log.event import EventKind
from companion_api.log.store import Log
from companion_api.session import Session
from companion_api.simulated.incidents import STAGED

MOST_TABLES = 200
_known: WeakKeyDictionary[Log, dict[str, tuple[int, Finished | None]]] = WeakKeyDictionary()
"""For each log and table what is known, and up to which event."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A game that was played to its end; `people` and `winners` are those who gave a name, and may be nobody."""

    table: str
    at: float
    game: str
    people: tuple[str, ...]
    winners: tuple[str, ...]


@dataclass(slots=True)
class _Person:
    games: int = 0
    won: int = 0
    by_game: dict[str, int] = field(default_factory=lambda: defaultdict(int))


def game_stats_of(log: Log) -> dict[str, Any]:
    """The last finished games, newest first, and everybody with a name: games, wins, the game won most."""
    found = [one for one in (_finished(log, *head) for head in _newest(log)) if one is not None]
    people: dict[str, _Person] = defaultdict(_Person)
    for one in found:
        for name in one.people:
            people[name].games += 1
        for name in one.winners:
            people[name].won += 1
            people[name].by_game[one.game] += 1
    order = sorted(people.items(), key=lambda each: (-each[1].won, -each[1].games, each[0]))
    return {
        "people": [{"name": name, "games": p.games, "won": p.won, "by_game": dict(p.by_game)} for name, p in order],
        "games": [
            {"table": o.table, "at": o.at, "game": o.game, "people": list(o.people), "winners": list(o.winners)}
            for o in found
        ],
    }


def _newest(log: Log) -> list[tuple[str, int]]:
    heads = sorted(log.heads().items(), key=lambda head: -head[1][1])
    return [(table, seq) for table, (seq, _) in islice(heads, MOST_TABLES)]


def _finished(log: Log, table: str, seq: int) -> Finished | None:
    """Worked out once for every state of a table."""
    known = _known.setdefault(log, {})
    if table not in known or known[table][0] != seq:
        known[table] = seq, _read(log, table)
    return known[table][1]


def _read(log: Log, table: str) -> Finished | None:
    try:
        session = Session(log, table)
    except RequestError:
        return None  # played under older rules: its end is not known any more
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
    """What somebody calls himself; what the game calls a seat is nobody's name."""
    own = session.seats[seat]
    name = session.roster.name_of(seat) or own.name
    called = {own.suit.value if own.suit else "", f"player {seat + 1}"}
    return None if name.lower() in called else name

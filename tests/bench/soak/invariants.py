"""What must hold after a soak, whatever happened in it. Each check gives sentences about what does not hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from companion_api.log.event import Event, EventKind
from companion_api.log.store import Log
from companion_api.projections.choices import events_for
from companion_api.session import Session
from tests.bench.soak.phones import Acknowledged, Heard
from tests.bench.soak.served import Sample

FLAT_MB = 40.0
FLAT_SHARE = 0.12
FLAT_HANDLES = 12
LEAST_S = 240.0
"""In a shorter life the process still opens what it will need (the eyes, the first drawn picture)."""
_EVERYBODYS = (EventKind.STARTED, EventKind.MOVED, EventKind.JOINED, EventKind.UNDO, EventKind.REDO)


def log_is_whole(log: Log, table: str) -> Iterator[str]:
    """Numbered without a gap, and the same game however often it is folded."""
    events = log.read(table)
    if [event.seq for event in events] != list(range(1, len(events) + 1)):
        yield f"table {table}: the events are not numbered one after the other"
        return
    if Session(log, table).state != Session(log, table).state:
        yield f"table {table}: two foldings of one log differ"
    keys = Counter(event.key for event in events if event.key)
    yield from (f"table {table}: the key {key} stands {n} times" for key, n in keys.items() if n > 1)


def nothing_is_lost(log: Log, acknowledged: Iterable[Acknowledged]) -> Iterator[str]:
    """What a phone was told to be done stands in the log, under the number that it was told."""
    kept: dict[str, dict[str, Event]] = {}
    for told in acknowledged:
        events = kept.setdefault(told.table, {e.key: e for e in log.read(told.table) if e.key})
        event = events.get(told.key)
        if event is None:
            yield f"table {told.table}: event {told.seq} was acknowledged and is lost"
        elif event.seq != told.seq:
            yield f"table {told.table}: event {event.seq} was acknowledged as {told.seq}"


def phones_heard_all(log: Log, heard: Iterable[Heard]) -> Iterator[str]:
    """Every event once, in order, and word for word what everybody may know: no secret is in it."""
    public: dict[str, list[dict[str, Any]]] = {}
    for one in heard:
        if one.table not in public:
            public[one.table] = list(events_for(Session(log, one.table).known(None)))
        seqs = [event["seq"] for event in one.events]
        if seqs != list(range(1, len(seqs) + 1)):
            yield f"table {one.table}: a phone heard {seqs[:60]}"
            continue
        for event, known in zip(one.events, public[one.table], strict=False):
            if _told(event) - _told(known) and event["kind"] == EventKind.ACTION:
                yield from _unless_undone(one.table, event, known)
            elif event["kind"] in _EVERYBODYS and event != known:
                yield f"table {one.table}: event {event['seq']} was told otherwise than it stands in the log"


def _told(event: dict[str, Any]) -> set[str]:
    return {str(action["id"]) for action in event.get("actions", ()) if action["id"] is not None}


def _unless_undone(table: str, event: dict[str, Any], known: dict[str, Any]) -> Iterator[str]:
    """What was undone since is told without its actions now; what is told now must not have been told with more."""
    if known["actions"]:
        yield f"table {table}: event {event['seq']} was told with more than everybody may know"


def no_secret_was_told(log: Log, heard: Iterable[Heard]) -> Iterator[str]:
    """No phone of a looker-on ever heard a choice that was sealed then, undone since or not."""
    secret: dict[str, set[str]] = {}
    for one in heard:
        if one.table not in secret:
            verbs = Session(log, one.table).game.card.verbs
            secret[one.table] = {verb.name for verb in verbs if verb.name.startswith(("commit", "tell"))}
        hidden = secret[one.table]
        for event in one.events:
            for text in _told(event):
                name = text.split(":")[-1].split("(")[0]
                if name in hidden and "?" not in text:
                    yield f"table {one.table}: event {event['seq']} told {text} to everybody"


def only_green(log: Log, tables: Iterable[str], staged: int) -> Iterator[str]:
    """Nobody is accused at a table that plays by the rules, except of what was staged."""
    events = [event for table in tables for event in log.read(table)]
    red = [e for e in events if e.kind is EventKind.VERDICT and e.data.get("verdict") in ("refused", "impossible")]
    # A staged act may be accused of once more when the table is opened again after a kill.
    if len(red) > 2 * staged:
        yield f"{len(red)} accusations, but only {staged} illegal acts were staged"


def flat(samples: list[Sample]) -> Iterator[str]:
    """In its longest life the process stops growing: its last quarter holds hardly more than its second one."""
    lives = Counter(sample.life for sample in samples)
    if not lives:
        return
    longest = [sample for sample in samples if sample.life == lives.most_common(1)[0][0]]
    if longest[-1].at - longest[0].at < LEAST_S:
        return
    quarter = len(longest) // 4
    then, now = longest[quarter : 2 * quarter], longest[-quarter:]
    was, is_ = _middle(s.memory_mb for s in then), _middle(s.memory_mb for s in now)
    if is_ > was * (1 + FLAT_SHARE) + FLAT_MB:
        yield f"memory grew from {was:.0f} to {is_:.0f} MB"
    had, has = _middle(s.handles for s in then), _middle(s.handles for s in now)
    if has > had + FLAT_HANDLES:
        yield f"file handles grew from {had:.0f} to {has:.0f}"


def _middle(values: Iterable[float]) -> float:
    ordered = sorted(values)
    return ordered[len(ordered) // 2]

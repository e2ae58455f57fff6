"""What streams, subjects and messages are called. One subject a table; who may write where is decided by subjects."""

from __future__ import annotations

import re

EVENTS, LOOKS, RULINGS = "HALL_EVENTS", "HALL_LOOKS", "HALL_RULINGS"
DOMAIN = "hall"
"""Of JetStream: by it the hub's streams are reached through the broker of another room."""
STORED = "hall.stored"
"""Hubs tell each other here what they have stored."""
DELIVER = "hall.deliver"
SHUT_OUT = "hall.shut_out"
"""Hubs tell each other here that a table has been shut out."""
INBOXES = "hall.inbox"
_TABLE = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")


def is_table(text: str) -> bool:
    return bool(_TABLE.match(text))


def station_of(name: str) -> str:
    """What a table is called in subjects: `Window 3` is `window-3`."""
    return "-".join(re.findall(r"[a-z0-9]+", name.lower()))[:24].strip("-") or "table"


def event_subject(station: str, table: str) -> str:
    return f"hall.event.{station}.{table}"


def look_subject(station: str, table: str) -> str:
    return f"hall.look.{station}.{table}"


def ruling_subject(station: str, table: str) -> str:
    return f"hall.ruling.{station}.{table}"


def message_id(station: str, table: str, seq: int) -> str:
    return f"{station}.{table}.{seq}"


def parts(subject: str) -> tuple[str, str]:
    """Station and table of a subject."""
    _, _, station, table = subject.split(".")
    return station, table


def bucket(station: str) -> str:
    """The object store of a table's evidence pictures."""
    return f"evidence-{station}"


def inbox(station: str) -> str:
    return f"{INBOXES}.{station}"


def as_people_count(name: str) -> list[tuple[int, str]]:
    """Table 2 comes before table 10."""
    return [(int(part), "") if part.isdecimal() else (0, part.casefold()) for part in re.split(r"(\d+)", name)]

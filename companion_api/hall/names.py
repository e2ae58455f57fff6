"""Names of streams, subjects and messages. Each table has a subject of its own, by which permissions are given."""

from __future__ import annotations

import re

EVENTS, LOOKS, RULINGS = "HALL_EVENTS", "HALL_LOOKS", "HALL_RULINGS"
DOMAIN = "hall"
"""JetStream domain: by it the hub's streams are reached through the broker of another room."""
STORED = "hall.stored"
"""Subject on which hubs publish the rows they have stored."""
DELIVER = "hall.deliver"
SHUT_OUT = "hall.shut_out"
"""Subject on which hubs publish a station that was shut out."""
INBOXES = "hall.inbox"
_TABLE = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")


def is_table(text: str) -> bool:
    return bool(_TABLE.match(text))


def station_of(name: str) -> str:
    """A table's name in subjects: `Window 3` becomes `window-3`."""
    return "-".join(re.findall(r"[a-z0-9]+", name.lower()))[:24].strip("-") or "table"


def subject(what: str, station: str, table: str) -> str:
    """The subject of a table's `event`, `look` or `ruling`; `*` stands for any station or table."""
    return f"hall.{what}.{station}.{table}"


def message_id(station: str, table: str, seq: int) -> str:
    return f"{station}.{table}.{seq}"


def parts(subject: str) -> tuple[str, str]:
    """Station and table of a subject."""
    _, _, station, table = subject.split(".")
    return station, table


def bucket(station: str) -> str:
    """Name of the object store of a station's evidence pictures."""
    return f"evidence-{station}"


def inbox(station: str) -> str:
    return f"{INBOXES}.{station}"


def natural_key(name: str) -> list[tuple[int, str]]:
    """Sort key that puts table 2 before table 10."""
    return [(int(part), "") if part.isdecimal() else (0, part.casefold()) for part in re.split(r"(\d+)", name)]

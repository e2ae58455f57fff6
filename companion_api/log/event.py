"""Events of a table, as stored."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class EventKind(StrEnum):
    STARTED = "started"  # game, rules version, options, seats, position
    JOINED = "joined"  # somebody took a seat or looks on
    MOVED = "moved"  # the host opened another table; everybody may follow
    ACTION = "action"  # somebody did something legal
    VERDICT = "verdict"  # the camera saw something that needs a person: ambiguous, refused, impossible
    UNDO = "undo"  # the last actions are taken back
    REDO = "redo"  # and put back
    LUCK = "luck"  # the hash of the seed that dice and draws are made with from now on
    LAID = "laid"  # people took the table as the camera saw it: the position that the game goes on from
    CORRECTED = "corrected"  # an earlier action was another one
    CLAIM = "claim"  # a player disputes something; evidence is frozen
    RULING = "ruling"  # the referee's answer to a claim
    OVERRULED = "overruled"  # overruled by a person
    CLOCK = "clock"  # set, stopped or going again: everybody's time
    NOTE = "note"  # the camera has something to say that is no move: it was pushed and has calibrated itself again


@dataclass(frozen=True, slots=True)
class Event:
    """`by`: "camera", "host", "seat:0" ...; `at`: seconds since 1970; `key` makes a repeated post harmless."""

    table: str
    seq: int
    at: float
    kind: EventKind
    by: str
    data: dict[str, Any] = field(default_factory=dict)
    key: str | None = None

"""Events of a table, as stored."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class EventKind(StrEnum):
    STARTED = "started"  # game, rules version, options, seats, position
    JOINED = "joined"  # a player took a seat, or a spectator joined
    MOVED = "moved"  # the host opened another table; everybody may follow
    ACTION = "action"  # a legal action
    VERDICT = "verdict"  # of the camera, for people to resolve: ambiguous, refused, impossible
    UNDO = "undo"  # the last actions are taken back
    REDO = "redo"  # the actions taken back last are restored
    LUCK = "luck"  # hash of the seed of all later dice and draws
    LAID = "laid"  # a position observed by the camera and confirmed by people
    CORRECTED = "corrected"  # an earlier action is replaced
    CLAIM = "claim"  # a dispute, with its evidence
    RULING = "ruling"  # the referee's answer to a claim
    OVERRULED = "overruled"  # overruled by a person
    CLOCK = "clock"  # clocks set, stopped or started
    NOTE = "note"  # information that changes nothing, such as a calibration repeated after a bump


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

"""The numbers by which records are judged. Where they come from is in brackets, as in `rules/referee/tuning.py`."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from rules.referee.tuning import TUNING


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordLimits:
    """How a record with several readings is followed."""

    max_readings: int = 256
    """Readings followed together (budget)."""
    max_choices: int = 8
    """Readings named (people)."""
    max_between: int = 4
    """Tables of one turn between two that the rules know (people: a floe breaks after the move)."""
    max_suggested: int = 600
    """Tables compared along suggestions, for all readings together (budget)..."""
    min_suggested: int = 40
    """... and for each at least (budget)."""
    max_searched: int = 1_200
    """Tables compared where everything legal is tried (budget)."""
    max_tried: int = 200
    """Actions tried for what an unexplained table was meant as (budget)."""
    max_payments: int = 8
    """Pieces paid one after another (people: two rounds of four players)..."""
    max_payment_readings: int = 64
    """... and readings of them continued (budget)."""


LIMITS = RecordLimits()

EXACT = replace(
    TUNING,
    decision=replace(TUNING.decision, quiet_nats=0.0, explained_nats=0.0),
    search=replace(
        TUNING.search,
        satisfied_nats=0.0,
        max_worse_nats=math.inf,
        max_tables=math.inf,
        max_first=1_000,
        max_later=1_000,
        kept_values=20,
    ),
)
"""The numbers for a recorded table: every difference counts."""

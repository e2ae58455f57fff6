"""Why the referee judged as it did."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from companion_api.answers.base import shaped
from companion_api.answers.reasons import WhyJudged
from companion_api.problem import Problem
from companion_api.routes.needs import HostNeed, SeqNeed, SessionNeed
from rules.sentence import say

router = APIRouter(prefix="/api", tags=["table"])


@router.get("/reasons/{seq}", **shaped(WhyJudged))
def reasons(session: SessionNeed, _: HostNeed, seq: SeqNeed) -> dict[str, Any]:
    """For the host: what was compared at the look that brought this event, what each explanation costs, and what
    decided. Only of the last few looks; nothing that is secret."""
    found = session.reasons.of(seq)
    if found is None:
        raise Problem(404, say("what was compared at that look is not known any more"))
    return found.to_json()

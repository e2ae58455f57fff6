"""Who is to do something, and how everybody and everything is called."""

from __future__ import annotations

from rules.engine import Code, ParamKind, Refusal
from rules.engine.action import Reads
from rules.engine.argument_value import one_of
from rules.games.delegate_dash.chart import CANDIDATES, TITLES
from rules.games.delegate_dash.names import candidate_of
from rules.games.delegate_dash.opening import State
from rules.sentence import Fact, say

CANDIDATE = Reads(ParamKind.WORD, one_of("side"))


def called(who: str) -> Fact:
    """A candidate as players say it; words that name none as they were said."""
    return TITLES[CANDIDATES.index(who)] if who in CANDIDATES else f"“{who[:20]}”"


def wrong_candidate(state: State, who: str) -> Refusal | None:
    candidate = candidate_of(who)
    if candidate == state.order[0]:
        return None
    text = say("{candidate} is to move, not {other}", candidate=TITLES[state.order[0]], other=called(who))
    return Refusal(Code.NOT_YOUR_TURN, "DASH-4.3", text, {"to_move": CANDIDATES[state.order[0]]})


def known(value: int | None) -> int:
    """A legal action names what there is."""
    assert value is not None
    return value

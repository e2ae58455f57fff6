"""How it stands, and how it ended (DASH-5)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine import Outcome
from rules.games.delegate_dash.chart import REGION_SUITS, TITLES
from rules.games.delegate_dash.opening import State
from rules.sentence import say


def outcome_of(state: State) -> Outcome:
    seats = [candidate for candidate in range(4) if state.players[candidate] is not None]
    seats.sort(key=lambda candidate: state.players[candidate] or 0)
    scores = tuple(state.total(candidate) for candidate in seats)
    alone = [candidate for candidate in range(4) if state.is_automatic(candidate)]
    others = tuple((REGION_SUITS[candidate].value, state.total(candidate)) for candidate in alone)
    if state.winner is None:
        return Outcome(scores=scores, others=others)
    player = state.players[state.winner]
    title, total = TITLES[state.winner], state.total(state.winner)
    if player is None:
        lost = say(
            "{candidate} has {total} of 608 delegates and no player: all players lose", candidate=title, total=total
        )
        return Outcome(True, (), scores, lost, state.ending, others=others)
    reason = say("{candidate} has {total} of 608 delegates", candidate=title, total=total)
    even = [other for other in range(4) if other != state.winner and state.total(other) == total]
    if even:
        reason = say(
            "{candidate} and {other} have {total} delegates each; the dice decided for {candidate}",
            candidate=title,
            other=TITLES[even[0]],
            total=total,
        )
    return Outcome(True, (player,), scores, reason, state.ending, others=others)


def holdings(state: State) -> Iterator[str]:
    """What every candidate holds, by name and in delegates."""
    for candidate, title in enumerate(TITLES):
        names = [state.name_of(marker) for marker in state.markers_of(candidate)]
        yield f"{title}: {state.total(candidate)} {' '.join(names)}".rstrip()

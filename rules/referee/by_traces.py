"""What the picture tells by itself: where it changed, and nowhere else, somebody did something.

Eyes may miss most of what was laid, green coins on green tiles, say. But one throw of four dice lays four coins on four
tiles, and where exactly these look otherwise no other throw was."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rules.engine.contract import AnyGame
from rules.referee.hypothesis import Hypothesis
from rules.referee.likelihood import View
from rules.table.change import change_between
from rules.table.layout import Layout, Zone


def told_by_traces(game: AnyGame, view: View, found: Sequence[Hypothesis]) -> bool:
    """Whether the best explanation accounts for every trace on the board, lays nothing but where something is new, and
    leaves nothing else to wonder at; and every other one leaves much. What the eyes miss of it is no news then."""
    best, still = found[0], next(one for one in found if not one.actions)
    fit = best.fit
    if not best.actions or not still.fit.traces or fit.traces or fit.extra or fit.odd:
        return False
    if fit.cost - fit.overlooked > view.tuning.looking.good:
        return False
    laid = _laid(game.layout(still.state), game.layout(best.state), view.tuning.comparing.drawn_aside)
    if any(placed.key in laid and not view.shows_news(placed) for placed in fit.missing):
        return False
    enough = best.cost + view.tuning.looking.most * view.tuning.looking.clear
    return all(other.cost >= enough for other in found if other.state != best.state)


def _laid(before: Layout, now: Layout, aside: float) -> set[str]:
    """What came to lie on the board. What shares a place with that is only drawn a little aside."""
    change = change_between(before, now)
    moved = (
        move.after
        for move in change.moved
        if move.before.zone is not Zone.BOARD
        or math.hypot(move.before.x - move.after.x, move.before.y - move.after.y) >= aside
    )
    return {placed.key for placed in (*change.added, *moved) if placed.zone is Zone.BOARD}

"""What the picture tells by itself: where it changed, and nowhere else, somebody did something.

Eyes may miss most of what was laid, green coins on green tiles, say. But one throw of four dice lays four coins on four
tiles, and where exactly these look otherwise no other throw was."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rules.engine.contract import AnyGame
from rules.referee.fit import Located, shows_its_other_side
from rules.referee.hypothesis import Hypothesis
from rules.referee.likelihood import View
from rules.referee.throw import dice_beside
from rules.table.change import Change, change_between
from rules.table.layout import Placed, Zone


def told_by_traces(game: AnyGame, view: View, found: Sequence[Hypothesis]) -> bool:
    """Whether the best explanation accounts for every trace on the board, lays nothing but where something is new, and
    leaves nothing else to wonder at; and every other one leaves much. What the eyes miss of it is no news then, nor
    that they doubt what each of many things is that were touched at once, nor that one of so many seems to be another
    or to show its other side."""
    best, still = found[0], next(one for one in found if not one.actions)
    fit, judging = best.fit, view.tuning.looking
    if not best.actions or not still.fit.traces or fit.traces or fit.extra or dice_deny(game, view, best):
        return False
    change = change_between(game.layout(still.state), game.layout(best.state))
    if fit.cost - fit.overlooked > judging.good + judging.doubted * (change.count - 1):
        return False
    touched = {placed.key for placed in (*change.added, *(move.after for move in change.moved))}
    unlike = [placed for placed, seen in fit.odd if not _may_be(placed, seen, judging.hardly)]
    if not all(placed.key in touched for placed, _ in fit.odd) or len(unlike) > change.count // judging.misread_in:
        return False
    laid = _newly_laid(change, view.tuning.comparing.drawn_aside)
    if any(placed.key in laid and not view.shows_news(placed) for placed in fit.missing):
        return False
    enough = best.cost + judging.most * judging.clear
    return all(other.cost >= enough for other in found if other.state != best.state)


def dice_deny(game: AnyGame, view: View, best: Hypothesis) -> bool:
    """Whether dice were thrown and surely show something else: they are what tells, whatever was laid by them."""
    dice = dice_beside(game.layout(best.state))
    return bool(best.thrown) and view.thrown(dice) > view.tuning.looking.good


def _may_be(placed: Placed, seen: Located, hardly: float) -> bool:
    """Whether it shows the right side, and may be that piece though it looks more like another."""
    likely = seen.sighting.chance_of(placed.shown.suit, placed.shown.rank) >= hardly
    return likely and not shows_its_other_side(placed, seen)


def _newly_laid(change: Change, aside: float) -> set[str]:
    """What came to lie on the board. What shares a place with that is only drawn a little aside."""
    moved = (
        move.after
        for move in change.moved
        if move.before.zone is not Zone.BOARD
        or math.hypot(move.before.x - move.after.x, move.before.y - move.after.y) >= aside
    )
    return {placed.key for placed in (*change.added, *moved) if placed.zone is Zone.BOARD}

"""Before people are asked which of several things was done, the picture is asked: only where the tables differ that
they would leave, and from nearer."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules.engine.action import Action
from rules.pieces import Kind
from rules.referee.exposure import exposed
from rules.referee.fit import placed_from
from rules.referee.likelihood import View
from rules.referee.throw import dice_beside
from rules.referee.tuning import Tuning
from rules.table.layout import Layout, Placed


@dataclass(frozen=True, slots=True)
class PossibleAnswer:
    """What may have been done, the table that it leaves, and how surprising it is."""

    actions: tuple[Action, ...]
    layout: Layout
    cost: float


def where_they_differ(layouts: Sequence[Layout], view: View) -> list[Placed]:
    """The pieces that lie open to view in some of these tables and not in all. Dice lie wherever they came to rest."""
    shown = [{_look(placed): placed for placed, _ in exposed(layout, view.tuning)} for layout in layouts]
    found = [one for each in shown for look, one in each.items() if not all(look in other for other in shown)]
    return list({_look(placed): placed for placed in found}.values()) + list(_dice(layouts, view))


def answered(answers: Sequence[PossibleAnswer], wide: View, nearer: View) -> list[PossibleAnswer]:
    """The same answers after another look, the likeliest first: each is as much more or less surprising as what was
    seen from nearer makes it."""
    weighed = [PossibleAnswer(one.actions, one.layout, one.cost + _more(one.layout, wide, nearer)) for one in answers]
    return sorted(weighed, key=lambda one: one.cost)


def margin_of(answers: Sequence[PossibleAnswer], wide: View, nearer: View, tuning: Tuning) -> float | None:
    """By how much the first answer beats every other; None where that is not clear, or only so because the others look
    still worse than before, or where nothing was done, or what not all of them have lie there is not seen from nearer
    either."""
    best = answers[0]
    own = {_look(placed) for placed in where_they_differ([answer.layout for answer in answers], nearer)}
    if any(_look(placed) in own for placed in nearer.fit(best.layout).missing):
        return None
    margin = min((one.cost for one in answers[1:]), default=math.inf) - best.cost
    no_worse = _more(best.layout, wide, nearer) <= tuning.looking.quiet
    return margin if best.actions and no_worse and margin >= tuning.looking.clear else None


def _more(layout: Layout, wide: View, nearer: View) -> float:
    return nearer.fit(layout).cost - wide.fit(layout).cost


def _look(placed: Placed) -> tuple[object, ...]:
    return placed.shown, placed.face, placed.pose, placed.x, placed.y, placed.angle, placed.level


def _dice(layouts: Sequence[Layout], view: View) -> Iterator[Placed]:
    """Where the dice are seen of which these tables say different things."""
    aside = [{die.piece for die in dice_beside(layout)} for layout in layouts]
    doubtful = {die.suit for die in set().union(*aside) if not all(die in each for each in aside)}
    for seen in view.seen:
        if seen.sighting.kind is Kind.DIE and seen.sighting.best[0] in doubtful | {None}:
            yield placed_from(seen, f"seen{seen.index}")

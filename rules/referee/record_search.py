"""All readings of a recorded table. Explanations that leave nothing over and are equally short cannot be told apart:
one is kept for each state until a later table decides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.referee.hypothesis import Hypothesis, HypothesisSearch, Outcome
from rules.referee.payments import Payment, all_left_hands, payment_change, payments_between
from rules.referee.record_evidence import RecordEvidence
from rules.referee.tuning import Tuning


def explain(
    game: AnyGame, state: Any, table: RecordEvidence, tables: float, recorded: Iterable[Action] = ()
) -> list[Hypothesis]:
    """The shortest readings from suggestions; `recorded`: the actions that the record itself names."""
    seeker = HypothesisSearch(game, table.with_tuning(_bounded(table.tuning, tables)))
    null = seeker.null_hypothesis(state)
    if table_told := _as_recorded(game, null, table, recorded):
        return [table_told]
    if _is_complete(null):
        learnt = [one for one in seeker.values(null) if _is_complete(one) and not one.fit.unstated]
        return _distinct(learnt) or _payments(game, null, table) or [null]
    return _shortest(seeker.suggested(state))


def alternatives(game: AnyGame, state: Any, table: RecordEvidence, tables: float) -> list[Hypothesis]:
    """All readings from suggestions, also longer ones."""
    tuning = _bounded(table.tuning, tables)
    insatiable = replace(tuning, search=replace(tuning.search, satisfied_nats=-1.0))
    return _distinct(filter(_is_complete, HypothesisSearch(game, table.with_tuning(insatiable)).suggested(state)))


def search(
    game: AnyGame, state: Any, table: RecordEvidence, tables: float, depth: int | None = None
) -> list[Hypothesis]:
    """The shortest readings among all legal actions, within `depth` and the number of `tables`."""
    tuning = _bounded(table.tuning, tables)
    if depth is not None:
        tuning = replace(tuning, search=replace(tuning.search, max_actions=depth))
    return _shortest(HypothesisSearch(game, table.with_tuning(tuning)).search(state).found)


def _bounded(tuning: Tuning, tables: float) -> Tuning:
    return replace(tuning, search=replace(tuning.search, max_tables=tables))


def _is_complete(one: Hypothesis) -> bool:
    return one.fit.cost == 0.0


def _shortest(found: Iterable[Hypothesis]) -> list[Hypothesis]:
    complete = [one for one in found if one.actions and _is_complete(one)]
    least = min((len(one.actions) for one in complete), default=0)
    return _distinct(one for one in complete if len(one.actions) == least)


def _distinct(found: Iterable[Hypothesis]) -> list[Hypothesis]:
    """The first of each state."""
    each: dict[Any, Hypothesis] = {}
    for one in found:
        each.setdefault(one.state, one)
    return list(each.values())


def _as_recorded(
    game: AnyGame, null: Hypothesis, table: RecordEvidence, recorded: Iterable[Action]
) -> Hypothesis | None:
    """The recorded actions, if they are legal and lead to this very table."""
    table_told, hypothesis = table.as_written_down(), null
    for action in recorded:
        if game.refusal(hypothesis.state, action) is not None:
            return None
        hypothesis = _extend(game, hypothesis, table_told, action)
    return hypothesis if hypothesis.actions and _is_complete(hypothesis) else None


def _extend(game: AnyGame, start: Hypothesis, table: RecordEvidence, action: Action) -> Hypothesis:
    state = game.advance(start.state, action)
    return start.with_action(action, Outcome(state, table.fit(game.layout(state))), is_value=False)


# Payments -----------------------------------------------------------------------------------------------------------


def _payments(game: AnyGame, null: Hypothesis, table: RecordEvidence) -> list[Hypothesis]:
    """Pieces laid down from a hand as payments; for what, the table need not show."""
    layout = game.layout(null.state)
    payments = payments_between(layout, table.agreement(layout), table.known_ids)
    frontier = [null] if payments else []
    for _ in range(table.tuning.payments.max_pieces):
        expanded = [one for start in frontier for one in _payment_steps(game, start, table, payments)]
        complete = [one for one in expanded if _is_complete(one) and all_left_hands(payments, game.layout(one.state))]
        if complete or not expanded:
            return complete
        frontier = _distinct(expanded)[: table.tuning.payments.max_readings]
    return []


def _payment_steps(
    game: AnyGame, start: Hypothesis, table: RecordEvidence, payments: list[Payment]
) -> Iterator[Hypothesis]:
    if game.turn(start.state).is_over:
        return
    layout = game.layout(start.state)
    left = [piece for piece in payments if piece.is_still_in(layout)]
    for action in game.suggest(start.state, payment_change(left)):
        if game.refusal(start.state, action) is None:
            yield _extend(game, start, table, action)

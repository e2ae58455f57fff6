"""Every reading of a table that is told: nothing chooses between explanations that leave nothing over and are equally
short, so all of them are kept, one for each state, until a later table decides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.referee.hypothesis import Hypothesis, Seeker, Tried
from rules.referee.payments import Payment, handed_over, left_hands, payments_between
from rules.referee.record_evidence import RecordEvidence
from rules.referee.tuning import Tuning


def explain(
    game: AnyGame, state: Any, table: RecordEvidence, tables: float, said: Iterable[Action] = ()
) -> list[Hypothesis]:
    """The shortest readings along what the game suggests; `said`: what the record itself says was done."""
    seeker = Seeker(game, table.with_tuning(_bounded(table.tuning, tables)))
    still = seeker.still(state)
    if told := _as_said(game, still, table, said):
        return [told]
    if _is_full(still):
        learnt = [one for one in seeker.values(still) if _is_full(one) and not one.fit.unstated]
        return _distinct(learnt) or _payments(game, still, table) or [still]
    return _shortest(seeker.suggested(state))


def alternatives(game: AnyGame, state: Any, table: RecordEvidence, tables: float) -> list[Hypothesis]:
    """Every reading along suggestions, also those that are longer than the shortest."""
    tuning = _bounded(table.tuning, tables)
    insatiable = replace(tuning, search=replace(tuning.search, satisfied_nats=-1.0))
    return _distinct(filter(_is_full, Seeker(game, table.with_tuning(insatiable)).suggested(state)))


def search(
    game: AnyGame, state: Any, table: RecordEvidence, tables: float, depth: int | None = None
) -> list[Hypothesis]:
    """The shortest readings among everything legal, as far as `depth` and the number of `tables` reach."""
    tuning = _bounded(table.tuning, tables)
    if depth is not None:
        tuning = replace(tuning, search=replace(tuning.search, max_actions=depth))
    return _shortest(Seeker(game, table.with_tuning(tuning)).search(state).found)


def _bounded(tuning: Tuning, tables: float) -> Tuning:
    return replace(tuning, search=replace(tuning.search, max_tables=tables))


def _is_full(one: Hypothesis) -> bool:
    return one.fit.cost == 0.0


def _shortest(found: Iterable[Hypothesis]) -> list[Hypothesis]:
    full = [one for one in found if one.actions and _is_full(one)]
    least = min((len(one.actions) for one in full), default=0)
    return _distinct(one for one in full if len(one.actions) == least)


def _distinct(found: Iterable[Hypothesis]) -> list[Hypothesis]:
    """One for each state: the first."""
    each: dict[Any, Hypothesis] = {}
    for one in found:
        each.setdefault(one.state, one)
    return list(each.values())


def _as_said(game: AnyGame, still: Hypothesis, table: RecordEvidence, said: Iterable[Action]) -> Hypothesis | None:
    """What is written down, if it is legal and leads to this very table."""
    told, line = table.as_written_down(), still
    for action in said:
        if game.refusal(line.state, action) is not None:
            return None
        line = _then(game, line, told, action)
    return line if line.actions and _is_full(line) else None


def _then(game: AnyGame, start: Hypothesis, table: RecordEvidence, action: Action) -> Hypothesis:
    state = game.advance(start.state, action)
    return start.then(action, Tried(state, table.fit(game.layout(state))), is_value=False)


# Payments -----------------------------------------------------------------------------------------------------------


def _payments(game: AnyGame, still: Hypothesis, table: RecordEvidence) -> list[Hypothesis]:
    """Pieces that somebody laid down from the hand may be a payment; which one, the table need not say."""
    layout = game.layout(still.state)
    laid = payments_between(layout, table.agreement(layout), table.settled)
    frontier = [still] if laid else []
    for _ in range(table.tuning.payments.max_pieces):
        grown = [one for start in frontier for one in _paid(game, start, table, laid)]
        full = [one for one in grown if _is_full(one) and left_hands(laid, game.layout(one.state))]
        if full or not grown:
            return full
        frontier = _distinct(grown)[: table.tuning.payments.max_readings]
    return []


def _paid(game: AnyGame, start: Hypothesis, table: RecordEvidence, laid: list[Payment]) -> Iterator[Hypothesis]:
    if game.turn(start.state).is_over:
        return
    layout = game.layout(start.state)
    left = [piece for piece in laid if piece.is_still_in(layout)]
    for action in game.suggest(start.state, handed_over(left)):
        if game.refusal(start.state, action) is None:
            yield _then(game, start, table, action)

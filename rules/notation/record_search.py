"""All readings of a recorded table. Explanations that leave nothing over and are equally short cannot be told apart:
one is kept for each state until a later table decides.

A coin that is paid, or a vote that is supported, leaves its owner's hand and lies before somebody. The table shows
the coin, seldom the purpose: the game is asked for all that it may have meant.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.notation.record_evidence import Agreement, RecordedPiece, RecordEvidence, placed_as
from rules.pieces import Kind
from rules.referee.hypothesis import Hypothesis, HypothesisSearch
from rules.referee.observed_change import with_known_identity
from rules.table.change import Change, MovedPiece
from rules.table.layout import Layout, Placed, Zone, appearance_of

_MAX_PAYMENTS, _MAX_PAYMENT_READINGS = 8, 64
"""Pieces paid one after another (people: two rounds of four players), and readings of them continued (budget)."""
_PERSONAL_KINDS = (Kind.PAWN, Kind.DIE)
"""Pieces that show who sits where."""


def explain(
    game: AnyGame, state: Any, table: RecordEvidence, tables: float, recorded: Iterable[Action] = ()
) -> list[Hypothesis]:
    """The shortest readings from suggestions; `recorded`: the actions that the record itself names."""
    seeker = HypothesisSearch(game, table, tables=tables)
    null = seeker.null_hypothesis(state)
    if table_told := _as_recorded(game, null, table, recorded):
        return [table_told]
    if _is_complete(null):
        learnt = [one for one in seeker.values(null) if _is_complete(one) and not one.fit.unstated]
        return _distinct(learnt) or _payments(game, null, table) or [null]
    return _shortest(seeker.suggested(state))


def alternatives(game: AnyGame, state: Any, table: RecordEvidence, tables: float) -> list[Hypothesis]:
    """All readings from suggestions, also longer ones."""
    seeker = HypothesisSearch(game, table.limited(satisfied_nats=-1.0), tables=tables)
    return _distinct(filter(_is_complete, seeker.suggested(state)))


def search(
    game: AnyGame, state: Any, table: RecordEvidence, tables: float, depth: int | None = None
) -> list[Hypothesis]:
    """The shortest readings among all legal actions, within `depth` and the number of `tables`."""
    limited = table if depth is None else table.limited(max_actions=depth)
    return _shortest(HypothesisSearch(game, limited, tables=tables).search(state).found)


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
    return start.with_action(action, state, table.fit(game.layout(state)))


def _payments(game: AnyGame, null: Hypothesis, table: RecordEvidence) -> list[Hypothesis]:
    """Pieces laid down from a hand as payments; for what, the table need not show."""
    layout = game.layout(null.state)
    payments = _payments_between(layout, table.agreement(layout), table.known_ids)
    frontier = [null] if payments else []
    for _ in range(_MAX_PAYMENTS):
        expanded = [one for start in frontier for one in _payment_steps(game, start, table, payments)]
        complete = [one for one in expanded if _is_complete(one) and _all_left_hands(payments, game.layout(one.state))]
        if complete or not expanded:
            return complete
        frontier = _distinct(expanded)[:_MAX_PAYMENT_READINGS]
    return []


def _payment_steps(
    game: AnyGame, start: Hypothesis, table: RecordEvidence, payments: list[_Payment]
) -> Iterator[Hypothesis]:
    if game.turn(start.state).is_over:
        return
    layout = game.layout(start.state)
    left = [piece for piece in payments if piece.is_still_in(layout)]
    for action in game.suggest(start.state, _payment_change(left)):
        if game.refusal(start.state, action) is None:
            yield _extend(game, start, table, action)


@dataclass(frozen=True, slots=True)
class _Payment:
    """A piece that is new beside the board, and the pieces in hands that it may be."""

    seen: RecordedPiece
    owned: tuple[Placed, ...]

    @property
    def keys(self) -> frozenset[str]:
        return frozenset(placed.key for placed in self.owned)

    def is_still_in(self, layout: Layout) -> bool:
        return self.keys <= _in_hands(layout)


def _payments_between(layout: Layout, agreement: Agreement, known_ids: frozenset[str]) -> list[_Payment]:
    """What is new beside the board and was in a hand; nothing if the whole table is new."""
    if not known_ids:
        return []
    hands, known_base_ids = layout.zone(Zone.HAND), {_base_id(id) for id in known_ids}
    seats = [
        (placed.seat, seen.x, seen.y)
        for seen, placed in agreement.off_board
        if placed and placed.piece.kind in _PERSONAL_KINDS and placed.seat is not None
    ]
    return [
        _Payment(seen, owned)
        for seen, placed in agreement.off_board
        if placed is not None and placed.zone is Zone.HAND and _base_id(seen.id) not in known_base_ids
        if (owned := _nearest_owner(seen, [p for p in hands if appearance_of(p).may_be(seen.look)], seats))
    ]


def _base_id(id: str) -> str:
    """The id without the suffix that a turned or rolled piece gets: it is no new piece."""
    return id.partition(".")[0]


def _nearest_owner(
    seen: RecordedPiece, candidates: list[Placed], seats: list[tuple[int, float, float]]
) -> tuple[Placed, ...]:
    """The candidates of the nearest player, where the table shows who sits where; else all of them."""
    near = sorted(seats, key=lambda side: math.dist((seen.x, seen.y), side[1:]))
    for seat, _, _ in near:
        if own := tuple(placed for placed in candidates if placed.seat == seat):
            return own
    return tuple(candidates)


def _payment_change(payments: Iterable[_Payment]) -> Change:
    """The change that the game is asked about: every piece that it may be has left its hand."""
    empty = Layout()
    moves = (
        MovedPiece(of, with_known_identity(of, placed_as(piece.seen, of.key, empty)))
        for piece in payments
        for of in piece.owned
    )
    return Change(moved=tuple(moves))


def _all_left_hands(payments: Iterable[_Payment], layout: Layout) -> bool:
    """Whether as many pieces have left the hands as lie there."""
    hands = _in_hands(layout)
    wanted = Counter(piece.keys for piece in payments)
    return all(len(keys - hands) >= count for keys, count in wanted.items())


def _in_hands(layout: Layout) -> frozenset[str]:
    return frozenset(placed.key for placed in layout.zone(Zone.HAND))

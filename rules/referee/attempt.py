"""Where nothing legal explains the table: which action was attempted, and which rule forbids it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.refusal import Code, Refusal
from rules.pieces import Kind
from rules.referee.hypothesis import Hypothesis
from rules.referee.likelihood import TableLikelihood
from rules.referee.tuning import Tuning
from rules.referee.wording import attempts
from rules.sentence import Joint, say, several
from rules.table.change import Change, MovedPiece, change_between, changed_layout
from rules.table.layout import Layout, Placed, Zone

_MALFORMED = (Code.BAD_ARGUMENT, Code.UNKNOWN_ACTION)
_NO_CHANGE = Change()
_GAME_ERRORS = (ValueError, LookupError, TypeError, AttributeError, AssertionError, ArithmeticError, StopIteration)
"""What a game may raise when it is made to apply an illegal action."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A refused action. `cost`: nats of the table under it; `action` is None where the game has no action for it.
    `explains_all`: had it been legal, this very table would lie there."""

    action: Action | None
    refusal: Refusal
    cost: float
    explains_all: bool = False


def likeliest(game: AnyGame, view: TableLikelihood, starts: Iterable[tuple[Hypothesis, Change]]) -> Attempt | None:
    """The refused action with the lowest cost. An action that explains the whole table is preferred to two. Where a
    piece was moved and no action of the game does so, the rule that lists the actions; None where nothing is
    certain."""
    known = list(starts)
    tried = [one for start, change in known for one in _refused(game, view, start, change)]
    null, change = known[0]
    if change.count > 1 and not any(attempt.explains_all for attempt in tried):
        for move in change.moved:  # of two moves at once each may be forbidden
            rest = replace(change, moved=tuple(m for m in change.moved if m is not move))
            tried += _refused(game, view, null, Change(moved=(move,)), rest)
    unnamed = _unnamed_attempt(game, null.state, change, view.tuning)
    return min((*tried, *unnamed), key=lambda attempt: attempt.cost, default=None)


def _refused(
    game: AnyGame, view: TableLikelihood, start: Hypothesis, change: Change, rest: Change = _NO_CHANGE
) -> Iterator[Attempt]:
    """Refused actions that explain the change; the `rest` is taken as it lies."""
    if game.turn(start.state).is_over:
        return
    limits, before = view.tuning.attempt, game.layout(start.state)
    own, laid = set(game.attempts(start.state, change)), changed_layout(before, rest)
    literal = limits.unshown_nats + limits.other_piece_nats * (change.count - 1)
    literal += view.fit(changed_layout(laid, change)).cost
    prior = limits.legal_first_nats * len(start.actions) + limits.other_piece_nats * rest.count
    for action in islice(dict.fromkeys(attempts(game, start.state, change, limits)), limits.most_tried):
        refusal = game.refusal(start.state, action)
        if refusal is None or refusal.code in _MALFORMED:
            continue
        after = _applied(game, start.state, before, action)
        left = _applied_cost(view, before, after, change, rest)
        misfit = min(left, literal) if action in own else left
        if after is None or not _kinds(change_between(before, after)).isdisjoint(_kinds(change)):
            # Where a coin was laid, no pawn went, as far as it is known what the action moves.
            misfit = min(misfit, _named_cost(game, view, laid, action, change))
        if misfit <= view.tuning.decision.explained_nats:
            explains_all = not (start.actions or rest.count) and left <= view.tuning.accusation.max_unexplained_nats
            formal = limits.formal_nats.get(refusal.code, 0.0)
            yield Attempt(action, refusal, formal + prior + misfit, explains_all)


def _applied(game: AnyGame, state: Any, before: Layout, action: Action) -> Layout | None:
    """The layout had the game applied it; None where the game fails or changes nothing."""
    try:
        after = game.layout(game.advance(state, action))
    except _GAME_ERRORS:
        return None
    return None if after == before else after


def _applied_cost(view: TableLikelihood, before: Layout, after: Layout | None, change: Change, rest: Change) -> float:
    """Nats of the table that it would have led to; infinite where it leads to none."""
    if after is None:
        return math.inf
    # Pieces that it brings onto the board beyond those that came: hidden ones explain nothing.
    came, brought = (Counter(p.piece.kind for p in layout.board) for layout in (changed_layout(before, change), after))
    return view.tuning.attempt.conjured_nats * (brought - came).total() + view.fit(changed_layout(after, rest)).cost


def _kinds(change: Change) -> set[Kind]:
    return {p.piece.kind for p in (*change.placed, *change.removed)}


def _named_cost(game: AnyGame, view: TableLikelihood, before: Layout, action: Action, change: Change) -> float:
    """Nats left once the pieces that the action names lie as they are seen."""
    named = set(game.touches(action)) or set(action.args)
    part = Change(
        tuple(p for p in change.added if named & _names(p)),
        tuple(p for p in change.removed if named & _names(p)),
        tuple(m for m in change.moved if _names_move(named, m, view.tuning.decision.hand_spaces)),
    )
    if part.is_empty:
        return math.inf
    known = {name for p in (*part.added, *part.removed) for name in _names(p)}
    known |= {name for m in part.moved for name in (*_names(m.before), m.after.place)}
    limits = view.tuning.attempt
    prior = limits.named_nats + limits.unchanged_named_nats * len(named - known)
    return prior + view.fit(changed_layout(before, part)).cost


def _names_move(named: set[str], move: MovedPiece, within: float) -> bool:
    """Whether an action names this move: piece and target, if it went elsewhere on the board; else the piece.
    `within`: no action moves a piece farther within its place."""
    if move.after.place != move.before.place and move.after.zone is Zone.BOARD:
        which = move.before.zone is not Zone.BOARD or not named.isdisjoint(_names(move.before))
        return which and move.after.place in named
    if move.distance > within and move.before.zone is move.after.zone is Zone.BOARD:
        return False
    return bool(named & _names(move.before))


def _names(placed: Placed) -> set[str]:
    return {placed.place, placed.piece.code, placed.key} - {""}


def _unnamed_attempt(game: AnyGame, state: Any, change: Change, tuning: Tuning) -> Iterator[Attempt]:
    """The attempt of moving a piece on the board as no action of the game does."""
    has_moved = change.moved and all(
        m.before.zone is m.after.zone is Zone.BOARD and m.distance > tuning.places.elsewhere for m in change.moved
    )
    if has_moved and not (game.turn(state).is_over or change.added or change.removed):
        words = change.words
        text = say(
            "no action in {game} does this: {changes}", game=game.card.name, changes=several(words, Joint.SEMICOLON)
        )
        refusal = Refusal(Code.NOT_ALLOWED, game.card.action_clause, text, {"moved": [one.text for one in words]})
        yield Attempt(
            None, refusal, tuning.attempt.wordless_nats + tuning.attempt.other_piece_nats * (change.count - 1)
        )

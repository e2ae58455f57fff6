"""When nothing legal explains the table: what did somebody try, and which rule forbids it?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

from rules.engine.action import Action, ParamKind, Verb
from rules.engine.contract import AnyGame
from rules.engine.refusal import Code, Refusal
from rules.referee.hypothesis import Hypothesis
from rules.referee.likelihood import View
from rules.table.change import Change

_MAX_TRIED = 60
# Reasons that speak of the form of a question and not of what happened on the table come last.
_FORMAL = (
    Code.OUT_OF_ORDER,
    Code.WRONG_PHASE,
    Code.NO_SUCH_PLACE,
    Code.NO_SUCH_PIECE,
    Code.BAD_ARGUMENT,
    Code.UNKNOWN_ACTION,
)
_FORM = 4.0
_BEFORE = 2.0  # for believing that something legal was done first
_UNIMAGINED = 4.0  # for an attempt that leads to no table that could be compared
_UNTOUCHED = 3.0  # for every changed piece that an attempt does not speak of
# What a game may stumble over when it is made to do what it would refuse.
_STUMBLES = (ValueError, LookupError, TypeError, AttributeError, AssertionError, ArithmeticError, StopIteration)


@dataclass(frozen=True, slots=True)
class Attempt:
    """`cost` tells how badly it explains the table."""

    action: Action
    refusal: Refusal
    cost: float


def likeliest(game: AnyGame, view: View, starts: Iterable[tuple[Hypothesis, Change]]) -> Attempt | None:
    """The refused action that explains the table best, if one does at all."""
    tried = [one for start, change in starts for one in _refused(game, view, start, change)]
    best = min(tried, key=lambda attempt: attempt.cost, default=None)
    return best if best is not None and best.cost < _FORM * len(_FORMAL) else None


def _refused(game: AnyGame, view: View, start: Hypothesis, change: Change) -> Iterator[Attempt]:
    if game.turn(start.state).is_over:
        return
    for action in islice(dict.fromkeys(attempts(game, start.state, change)), _MAX_TRIED):
        refusal = game.refusal(start.state, action)
        if refusal is not None:
            formal = _FORM * (_FORMAL.index(refusal.code) + 1) if refusal.code in _FORMAL else 0.0
            cost = formal + _BEFORE * len(start.actions) + _misfit(game, view, start.state, action, change)
            yield Attempt(action, refusal, cost)


def _misfit(game: AnyGame, view: View, state: Any, action: Action, change: Change) -> float:
    """How badly the table would be explained if the game let it pass."""
    left = _UNIMAGINED + _UNTOUCHED * _untouched(game, action, change)
    try:
        return min(left, view.fit(game.layout(game.advance(state, action))).cost)
    except _STUMBLES:
        return left


def _untouched(game: AnyGame, action: Action, change: Change) -> int:
    """The changed pieces that the action does not name, by themselves or by where they lay or lie."""
    touched = set(game.touches(action)) or set(action.args)
    ends = [{m.before.place, m.after.place, m.before.piece.code, m.before.key} for m in change.moved]
    ends += [{p.place, p.piece.code, p.key} for p in (*change.added, *change.removed)]
    return sum(not touched & (names - {""}) for names in ends)


def attempts(game: AnyGame, state: Any, change: Change) -> Iterator[Action]:
    """Every verb with arguments taken from what changed."""
    own = getattr(game, "attempts", None)
    if own is not None:
        yield from own(state, change)
    turn = game.turn(state)
    for verb in sorted(game.card.verbs, key=lambda v: -_pointing(v)):
        for args in _fillings(verb, change):
            yield Action(verb.name, args)
            for seat in turn.seats if len(turn.seats) > 1 else ():
                yield Action(verb.name, args, seat)


def _pointing(verb: Verb) -> int:
    """A verb that names from where and to where says more than one that names nothing."""
    return sum(param.kind in (ParamKind.PLACE, ParamKind.PIECE) for param in verb.params)


def _fillings(verb: Verb, change: Change) -> Iterator[tuple[str, ...]]:
    params = [param for param in verb.params if not param.optional]
    if not params:
        return
    for moved, source, target in _subjects(change):
        pools = []
        places = [place for place in (source, target) if place]
        wanted = sum(param.kind is ParamKind.PLACE for param in params)
        order = iter(places if wanted >= 2 else places[::-1] if target else places)
        for param in params:
            if param.kind is ParamKind.PLACE:
                pools.append([next(order, "")])
            elif param.kind is ParamKind.PIECE:
                pools.append([moved])
            elif param.kind is ParamKind.SUIT:
                pools.append(["suns", "moons", "crowns", "arms"])
            else:
                pools.append([""])
        if all(pool != [""] for pool in pools):
            yield from product(*pools)


def _subjects(change: Change) -> Iterator[tuple[str, str, str]]:
    """Piece, from, to; for every piece that came, went or moved."""
    for move in change.moved:
        yield move.before.piece.code, move.before.place, move.after.place
    for gone, new in product(change.removed, change.added):
        yield gone.piece.code, gone.place, new.place
    for new in change.added:
        yield new.piece.code, "", new.place
    for gone in change.removed:
        yield gone.piece.code, gone.place, ""

"""What was done between two tables: the shortest legal sequence whose table is the one that lies there.

First only what the game itself suggests for the change is followed (`explain`): that is quick, and enough for most
turns. Where it leads nowhere, everything legal is tried as far as patience goes (`search`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from rules.engine.action import Action, parse_action
from rules.engine.contract import AnyGame
from rules.notation.agreement import Agreement, Care, Lain, compare
from rules.notation.difference import change_of
from rules.notation.laying import handed_over, has_left_hands, laid_down
from rules.table.layout import Layout

MAX_DEPTH = 3
BEAM = 8
# Coins that are laid down one after the other, with everybody in between keeping theirs.
MAX_LAYING, MAX_LAID = 8, 64
# Tables that are compared before a change is given up: along suggestions (for all readings together, and for each
# at least); first actions; and all of them together.
MAX_SUGGESTED, MIN_SUGGESTED = 600, 40
MAX_FIRST = 1_000
MAX_TABLES = 1_200

Proposals = Callable[[AnyGame, "Line"], Iterator[Action]]


@dataclass(frozen=True, slots=True)
class Target:
    """The table to be explained, and how closely to look at it. `settled` lay there before and needs no reason."""

    seen: list[Lain]
    care: Care = Care.STRICT
    settled: frozenset[str] = frozenset()

    def line(self, game: AnyGame, actions: tuple[Action, ...], state: Any) -> Line:
        layout = game.layout(state)
        return Line(actions, state, layout, compare(layout, self.seen, self.care, self.settled))


@dataclass(frozen=True, slots=True)
class Line:
    """Actions and the state they lead to; `agreement` compares its layout with the table to be explained."""

    actions: tuple[Action, ...]
    state: Any
    layout: Layout
    agreement: Agreement

    @property
    def faults(self) -> int:
        return len(self.agreement.missing) + len(self.agreement.extra)


def explain(
    game: AnyGame, state: Any, target: Target, hints: Iterable[Action] = (), tables: int = MAX_SUGGESTED
) -> list[Line]:
    """The shortest explanations along what the game suggests, one for each state they lead to."""
    still = target.line(game, (), state)
    hinted = _hinted(game, still, target, hints)
    if hinted is not None:
        return [hinted]
    if still.agreement.is_full:
        return _learned(game, still, target) or _laid(game, still, target) or [still]
    return _grown(game, still, target, _suggested, MAX_DEPTH, max(tables, MIN_SUGGESTED))


def alternatives(game: AnyGame, state: Any, target: Target, tables: int) -> list[Line]:
    """Every explanation along suggestions, also those that are longer than the shortest."""
    still = target.line(game, (), state)
    levels = _levels(game, still, target, _suggested, MAX_DEPTH, max(tables, MIN_SUGGESTED))
    found = [still] if still.agreement.is_full else []
    return found + [line for full in levels for line in full]


def search(game: AnyGame, state: Any, target: Target, depth: int, tables: int) -> list[Line]:
    """The shortest explanations among everything legal, as far as `depth` and the number of `tables` reach."""
    still = target.line(game, (), state)
    return _grown(game, still, target, _proposals, depth, tables)


def hints_in(comment: str) -> list[Action]:
    """The action that our own records name at the beginning of a comment."""
    try:
        return [parse_action(comment.split(";", 1)[0].strip())]
    except ValueError:
        return []


def _hinted(game: AnyGame, still: Line, target: Target, hints: Iterable[Action]) -> Line | None:
    """The written action, if it is legal and leads to this very table."""
    told, line = Target(target.seen, Care.TOLD), None
    for action in hints:
        state = still.state if line is None else line.state
        if game.refusal(state, action) is not None:
            return None
        line = told.line(game, (*(line.actions if line else ()), action), game.advance(state, action))
    return line if line is not None and line.agreement.is_full else None


# Tables that agree already, but tell more ------------------------------------------------------------------------


def _learned(game: AnyGame, still: Line, target: Target) -> list[Line]:
    """Dice that show what the game does not know yet may be the roll it waits for."""
    if not still.agreement.news or game.turn(still.state).is_over:
        return []
    change = change_of(still.layout, replace(still.agreement, extra=still.agreement.news))
    rolls = [action for action in game.suggest(still.state, change) if game.refusal(still.state, action) is None]
    lines = [target.line(game, (action,), game.advance(still.state, action)) for action in rolls[:20]]
    return _distinct([line for line in lines if line.agreement.is_full and not line.agreement.news])


def _laid(game: AnyGame, still: Line, target: Target) -> list[Line]:
    """Pieces that somebody laid down from the hand may be a payment; which one, the table need not say."""
    laid = laid_down(still.layout, still.agreement, target.settled)
    if not laid:
        return []
    frontier = [still]
    for _ in range(MAX_LAYING):
        grown: list[Line] = []
        for line in frontier:
            left = [piece for piece in laid if piece.is_still_in(line.layout)]
            grown += _follow(game, line, target, game.suggest(line.state, handed_over(left)))
        full = [line for line in grown if line.agreement.is_full and has_left_hands(laid, line.layout)]
        if full or not grown:
            return full
        frontier = _distinct(grown)[:MAX_LAID]
    return []


def _follow(game: AnyGame, line: Line, target: Target, actions: Iterable[Action]) -> Iterator[Line]:
    if game.turn(line.state).is_over:
        return
    for action in actions:
        if game.refusal(line.state, action) is None:
            yield target.line(game, (*line.actions, action), game.advance(line.state, action))


# Growing lines ---------------------------------------------------------------------------------------------------


def _grown(game: AnyGame, still: Line, target: Target, propose: Proposals, depth: int, tables: int) -> list[Line]:
    return next((full for full in _levels(game, still, target, propose, depth, tables) if full), [])


def _levels(
    game: AnyGame, still: Line, target: Target, propose: Proposals, depth: int, tables: int
) -> Iterator[list[Line]]:
    """For one action more each time, the lines that end with this table."""
    frontier, known = [still], {still.state}
    for _ in range(depth):
        share = min(MAX_FIRST, tables // max(len(frontier), 1))
        proposed = ((base, islice(propose(game, base), share)) for base in frontier)
        grown = [line for base, actions in proposed for line in _grow(game, base, target, actions, known)]
        tables -= len(grown)
        yield [line for line in grown if line.agreement.is_full]
        frontier = _kept(grown, still)


def _grow(game: AnyGame, line: Line, target: Target, actions: Iterable[Action], known: set[Any]) -> Iterator[Line]:
    """One action more, where it leads to a state that no shorter or earlier line has led to."""
    for action in actions:
        state = game.advance(line.state, action)
        if state not in known:
            known.add(state)
            yield target.line(game, (*line.actions, action), state)


def _suggested(game: AnyGame, line: Line) -> Iterator[Action]:
    """What the game suggests for what is not explained yet."""
    if game.turn(line.state).is_over:
        return
    for action in game.suggest(line.state, change_of(line.layout, line.agreement)):
        if game.refusal(line.state, action) is None:
            yield action


def _proposals(game: AnyGame, line: Line) -> Iterator[Action]:
    """What the game suggests for this change, then whatever else is legal."""
    yield from _suggested(game, line)
    yield from game.legal(line.state)


def _kept(grown: list[Line], still: Line) -> list[Line]:
    """The best few, and a few that changed nothing one sees: a vote may stand between two moves."""
    ranked = sorted(grown, key=lambda line: line.faults)
    quiet = [line for line in ranked[BEAM:] if line.faults == still.faults]
    return ranked[:BEAM] + quiet[:BEAM]


def _distinct(lines: list[Line]) -> list[Line]:
    return list({line.state: line for line in reversed(lines)}.values())[::-1]

"""One way to understand a record so far, and the first one: the opening that its table is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.turn import TurnKind
from rules.notation.evidence import BoardOffset, evidence, seen_on
from rules.notation.game_match import StartHypothesis, begun, casts, is_own
from rules.notation.reader import PpnGame
from rules.notation.tabletop import Table
from rules.pieces import SUITS, Kind, Suit
from rules.referee.hypothesis import Hypothesis
from rules.referee.record_evidence import RecordedPiece
from rules.referee.record_search import explain, search
from rules.referee.tuning import EXACT
from rules.table.layout import Layout, Placed

# Openings whose first roll or deal is looked for on the table, and the tables that are tried for each.
_MAX_DEALT = 4
_DEALT_DEPTH, _DEALT_TABLES = 2, 300
_TABLES = EXACT.record.max_suggested
_SIDES = 2


@dataclass(frozen=True, slots=True)
class Reading:
    """What was done so far (`trail`), beginning with `first`, and the state it led to."""

    cast: StartHypothesis
    shift: BoardOffset
    first: Any
    state: Any
    trail: tuple[Action, ...] = ()

    def after(self, then: Hypothesis) -> Reading:
        return Reading(self.cast, self.shift, self.first, then.state, (*self.trail, *then.actions))


def opening_reading(record: PpnGame, game: AnyGame, table: Table) -> Reading | None:
    """The first way to begin whose table is this one; else one that a deal or a roll leads to it."""
    suits = _suits_shown(seen_on(table))
    begun_so = [(cast, state) for cast in casts(record, game, suits) if (state := begun(game, cast))]
    for cast, state in begun_so:
        for shift in _shifts(game.layout(state), table, suits):
            told = evidence(record, table, shift, frozenset())
            if not told.agreement(game.layout(state)).is_complete:
                continue
            if is_own(record):  # every roll and deal has a move of its own there
                return Reading(cast, shift, state, state)
            if lines := explain(game, state, told, _TABLES):
                return Reading(cast, shift, state, state).after(lines[0])
    waiting = [(cast, state) for cast, state in begun_so if game.turn(state).kind is TurnKind.CHANCE]
    for cast, state in waiting[:_MAX_DEALT]:
        shift = _shift(game.layout(state), seen_on(table))
        told = evidence(record, table, shift, frozenset())
        # An empty table explains only a game that begins with one.
        lines = explain(game, state, told, _TABLES) or search(game, state, told, _DEALT_TABLES, _DEALT_DEPTH)
        if told.pieces and lines:
            return Reading(cast, shift, state, state).after(lines[0])
    return None


def _suits_shown(seen: Iterable[RecordedPiece | Placed]) -> list[Suit]:
    """By the coins and pawns that lie there."""
    pieces = [thing.shown if isinstance(thing, Placed) else thing.look.piece for thing in seen]
    shown = {piece.suit for piece in pieces if piece.kind in (Kind.COIN, Kind.PAWN)}
    return [suit for suit in SUITS if suit in shown]


def _shifts(layout: Layout, table: Table, suits: list[Suit]) -> Iterator[BoardOffset]:
    """As the board lies; and where two sides play with other suits than ours, those stand for ours."""
    shift = _shift(layout, seen_on(table))
    yield shift
    ours = _suits_shown(layout.board)
    if len(ours) == len(suits) == _SIDES and ours != suits:
        for order in permutations(suits):
            yield replace(shift, suits=tuple(zip(order, ours, strict=True)))


def _shift(layout: Layout, seen: list[RecordedPiece]) -> BoardOffset:
    """Lays the board of the record on ours by the south-west corner of their tiles."""
    ours = [(p.x, p.y) for p in layout.board if p.piece.kind is Kind.TILE]
    theirs = [(s.x, s.y) for s in seen if s.look.piece.kind is Kind.TILE]
    if not ours or not theirs:
        return BoardOffset()
    (left, low), (west, south) = (tuple(map(min, zip(*spots, strict=True))) for spots in (ours, theirs))
    return BoardOffset(round(left - west, 3), round(low - south, 3))

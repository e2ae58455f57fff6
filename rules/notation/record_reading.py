"""Evidence of the tables of a record, and the readings (explanations) of a record from its opening on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.turn import TurnKind
from rules.notation.game_match import StartHypothesis, first_state, is_own, start_hypotheses
from rules.notation.piece_spec import nth, visible_appearance
from rules.notation.reader import PpnGame
from rules.notation.record_evidence import RecordedPiece, RecordEvidence, Strictness
from rules.notation.record_search import explain, search
from rules.notation.tabletop import Table
from rules.pieces import RANKS, SUITS, Kind, Suit
from rules.referee.hypothesis import Hypothesis
from rules.table.layout import Appearance, Layout, Placed

_MAX_DEALT = 4
"""Openings whose first roll or deal is searched for."""
_DEALT_DEPTH, _DEALT_TABLES = 2, 300
"""Actions in sequence and tables compared in that search."""
MAX_SUGGESTED = 600
"""Tables compared along suggestions, for all readings together (budget)."""


@dataclass(frozen=True, slots=True)
class BoardOffset:
    """Offset of the board of a record from ours in spaces, and the suits of its pieces with those of ours."""

    dx: float = 0.0
    dy: float = 0.0
    suits: tuple[tuple[Suit, Suit], ...] = ()

    def with_our_suit(self, look: Appearance) -> Appearance:
        suit = dict(self.suits).get(look.piece.suit) if look.piece.suit and look.piece.kind is not Kind.TILE else None
        return look if suit is None else replace(look, piece=replace(look.piece, suit=suit))


def evidence(record: PpnGame, table: Table, offset: BoardOffset, settled: frozenset[str]) -> RecordEvidence:
    """Strict for records of this program, which show exactly the layout; other tables may have more pieces."""
    pieces = recorded_pieces(table, offset)
    return RecordEvidence(pieces, Strictness.STRICT if is_own(record) else Strictness.LOOSE, settled)


def recorded_pieces(table: Table, offset: BoardOffset = BoardOffset()) -> list[RecordedPiece]:
    """The pieces of a table that exist in our sets, in coordinates of our board."""
    found = []
    for piece in table:
        if look := visible_appearance(piece):
            x, y, look = piece.x + offset.dx, piece.y + offset.dy, offset.with_our_suit(look)
            under = nth(RANKS, piece.rank) if piece.kind == "coin" else None
            found.append(RecordedPiece(look, x, y, piece.id, under, piece.angle))
    return found


@dataclass(frozen=True, slots=True)
class Reading:
    """An explanation of the record so far: the start, the actions done (`trail`) and the state they led to."""

    start: StartHypothesis
    offset: BoardOffset
    first: Any
    state: Any
    trail: tuple[Action, ...] = ()

    def after(self, hypothesis: Hypothesis) -> Reading:
        trail = (*self.trail, *hypothesis.actions)
        return Reading(self.start, self.offset, self.first, hypothesis.state, trail)


def opening_reading(record: PpnGame, game: AnyGame, table: Table) -> Reading | None:
    """The first start whose layout is this table; else one from which a deal or a roll leads to it."""
    suits = _visible_suits(recorded_pieces(table))
    hypotheses = start_hypotheses(record, game, suits)
    starts = [(start, state) for start in hypotheses if (state := first_state(game, start))]
    for start, state in starts:
        for offset in _offsets(game.layout(state), table, suits):
            observed = evidence(record, table, offset, frozenset())
            if not observed.agreement(game.layout(state)).is_complete:
                continue
            if is_own(record):  # every roll and deal has a move of its own there
                return Reading(start, offset, state, state)
            if lines := explain(game, state, observed, MAX_SUGGESTED):
                return Reading(start, offset, state, state).after(lines[0])
    by_chance = [(start, state) for start, state in starts if game.turn(state).kind is TurnKind.CHANCE]
    for start, state in by_chance[:_MAX_DEALT]:
        offset = _offset(game.layout(state), recorded_pieces(table))
        observed = evidence(record, table, offset, frozenset())
        # An empty table explains only a game that begins with one.
        lines = explain(game, state, observed, MAX_SUGGESTED) or search(
            game, state, observed, _DEALT_TABLES, _DEALT_DEPTH
        )
        if observed.pieces and lines:
            return Reading(start, offset, state, state).after(lines[0])
    return None


def _visible_suits(pieces: Iterable[RecordedPiece | Placed]) -> list[Suit]:
    """The suits of coins and pawns."""
    shown = [each.shown if isinstance(each, Placed) else each.look.piece for each in pieces]
    suits = {piece.suit for piece in shown if piece.kind in (Kind.COIN, Kind.PAWN)}
    return [suit for suit in SUITS if suit in suits]


def _offsets(layout: Layout, table: Table, suits: list[Suit]) -> Iterator[BoardOffset]:
    """The offset of the board; where two sides play with other suits than ours, also with these mapped to ours."""
    offset = _offset(layout, recorded_pieces(table))
    yield offset
    ours = _visible_suits(layout.board)
    if len(ours) == len(suits) == 2 and ours != suits:
        for order in permutations(suits):
            yield replace(offset, suits=tuple(zip(order, ours, strict=True)))


def _offset(layout: Layout, pieces: list[RecordedPiece]) -> BoardOffset:
    """The offset between the south-west corners of the tiles."""
    ours = [(p.x, p.y) for p in layout.board if p.piece.kind is Kind.TILE]
    theirs = [(p.x, p.y) for p in pieces if p.look.piece.kind is Kind.TILE]
    if not ours or not theirs:
        return BoardOffset()
    (left, low), (west, south) = (tuple(map(min, zip(*spots, strict=True))) for spots in (ours, theirs))
    return BoardOffset(round(left - west, 3), round(low - south, 3))

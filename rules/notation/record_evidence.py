"""Exact evidence: a record gives every piece with its place in the board's frame. One unexplained piece refutes a
layout, where detections only make it less likely."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from rules.pieces import Kind, Piece, Pose, Rank
from rules.pieces.sizes import half_extent
from rules.referee.fit import BoardSighting, Residual
from rules.referee.observed_change import nearest_place, paired, with_known_identity
from rules.referee.tuning import TUNING, Tuning
from rules.table.change import Change, MovedPiece
from rules.table.layout import Appearance, Layout, Place, Placed, Zone, appearance_of, bounds, on_table
from rules.table.observed import Sighting

EXACT = replace(
    TUNING,
    decision=replace(TUNING.decision, quiet_nats=0.0, explained_nats=0.0),
    search=replace(
        TUNING.search,
        satisfied_nats=0.0,
        max_worse_nats=math.inf,
        max_tables=math.inf,
        max_first=1_000,
        max_later=1_000,
        kept_values=20,
    ),
)
"""The numbers for a recorded table: every difference counts."""
_OPTIONAL_KINDS = {Kind.PAWN, Kind.DIE, Kind.COIN}


class Strictness(Enum):
    """How closely a recorded table is compared. STRICT: whatever lies within the board must belong there. LOOSE: in
    a record made by hand there are also pawns, dice and coins that the game does not ask for. TOLD: the action is
    written down, and a hand may lie where the board has grown to."""

    STRICT = 1
    LOOSE = 2
    TOLD = 3


@dataclass(frozen=True, slots=True, eq=False)
class RecordedPiece:
    """A piece of a record, compared by identity, as two may look alike."""

    look: Appearance
    x: float
    y: float
    id: str
    # The record's value of the hidden side: no evidence, but it may help to guess.
    under: Rank | None = None
    angle: float = 0.0


@dataclass(frozen=True, slots=True)
class Agreement:
    """A layout compared with a recorded table. `pairs` agree, `missing` pieces are not on the table, `extra` pieces
    are not in the layout. `off_board`: pieces that may lie beside the board, each with the piece of a hand or supply
    that it may be."""

    pairs: tuple[tuple[Placed, RecordedPiece], ...]
    missing: tuple[Placed, ...]
    extra: tuple[RecordedPiece, ...]
    off_board: tuple[tuple[RecordedPiece, Placed | None], ...] = ()

    @property
    def is_complete(self) -> bool:
        return not self.missing and not self.extra

    @property
    def informative_dice(self) -> tuple[RecordedPiece, ...]:
        """Dice that agree and show more than the game knows yet."""
        known = ((seen, placed.piece) for seen, placed in self.off_board if placed is not None)
        return tuple(seen for seen, piece in known if piece.kind is Kind.DIE and piece.rank is None)


class RecordEvidence:
    """One recorded table. `known_ids`: pieces that lay there before and need no explanation."""

    dice_are_doubtful = False

    def count_at_rest(self, dice: Collection[Piece]) -> int:
        return 0

    def __init__(
        self,
        pieces: Sequence[RecordedPiece],
        strictness: Strictness = Strictness.STRICT,
        known_ids: frozenset[str] = frozenset(),
        tuning: Tuning = EXACT,
    ) -> None:
        self.pieces, self.strictness, self.known_ids, self.tuning = pieces, strictness, known_ids, tuning
        self._located = {id(piece): _located(index, piece) for index, piece in enumerate(pieces)}

    def limited(self, **limits: float) -> RecordEvidence:
        """The same table with other limits of the search."""
        tuning = replace(self.tuning, search=replace(self.tuning.search, **limits))  # type: ignore[arg-type]
        return RecordEvidence(self.pieces, self.strictness, self.known_ids, tuning)

    def as_written_down(self) -> RecordEvidence:
        """The same table when its action is written down."""
        return RecordEvidence(self.pieces, Strictness.TOLD, frozenset(), self.tuning)

    def agreement(self, layout: Layout) -> Agreement:
        """Matches each piece of the board with the nearest one like it; any other must be in somebody's hand, or have
        lain beside the board before (`known_ids`)."""
        unmatched, named = _Unmatched(self.pieces, self.tuning.places.elsewhere), {at.name: at for at in layout.places}
        pairs: list[tuple[Placed, RecordedPiece]] = []
        missing: list[Placed] = []
        for placed in layout.board:
            found = unmatched.take(placed, named)
            if found is None:
                missing.append(placed)
            else:
                pairs.append((placed, found))
        return Agreement(tuple(pairs), tuple(missing), *self._unexpected_and_off_board(layout, unmatched.rest()))

    def _unexpected_and_off_board(
        self, layout: Layout, unmatched: list[RecordedPiece]
    ) -> tuple[tuple[RecordedPiece, ...], tuple[tuple[RecordedPiece, Placed | None], ...]]:
        """The pieces that the game does not know, and those that may lie beside the board."""
        west, south, east, north = bounds(layout.board)
        is_loose = self.strictness is Strictness.LOOSE
        sheets = [placed for placed in layout.board if placed.piece.kind in (Kind.TILE, Kind.CARD)]
        spare = [placed for placed in layout if placed.zone is not Zone.BOARD and on_table(placed)]
        spent = [placed for placed in layout if placed.zone is Zone.SPENT] if is_loose else []
        optional = _OPTIONAL_KINDS - {placed.piece.kind for placed in spare}
        unexpected: list[RecordedPiece] = []
        off_board: list[tuple[RecordedPiece, Placed | None]] = []
        # New pieces choose first: an old one may have left its hand long ago.
        for piece in sorted(unmatched, key=lambda piece: piece.id in self.known_ids):
            inside = west < piece.x < east and south < piece.y < north
            # A hand may lie in a corner that the board leaves free.
            is_on_board = inside and self.strictness is not Strictness.TOLD and any(_lies_on(g, piece) for g in sheets)
            match = None if is_on_board else _take(spare, piece.look)
            is_optional = is_loose and (piece.id in self.known_ids or piece.look.piece.kind in optional)
            if match is not None or (not inside and (is_optional or _take(spent, piece.look))):
                off_board.append((piece, match))
            else:
                unexpected.append(piece)
        return tuple(unexpected), tuple(off_board)

    def fit(self, layout: Layout) -> Residual:
        """Each missing or extra piece refutes; a die that shows more than the layout names is unstated."""
        found, fitting = self.agreement(layout), self.tuning.likelihood
        cost = fitting.missing_nats * len(found.missing) + fitting.extra_nats * len(found.extra)
        extra = tuple(self._located[id(piece)] for piece in found.extra)
        return Residual(cost, math.log(6) * len(found.informative_dice), found.missing, extra)

    def change(self, layout: Layout, fit: Residual) -> Change:
        """The difference: missing pieces matched with like ones elsewhere, or turned at their very place."""
        found, within = self.agreement(layout), self.tuning.places.elsewhere
        if found.is_complete:
            found = replace(found, extra=found.informative_dice)
        gone, extra = list(found.missing), [*found.extra, *_turned_together(found)]
        turned: list[MovedPiece] = []
        for placed in found.missing:
            here = next((seen for seen in extra if _lies_there(placed, seen, within)), None)
            if here is not None:
                extra.remove(here)
                gone.remove(placed)
                turned.append(MovedPiece(placed, with_known_identity(placed, placed_as(here, placed.key, layout))))
        added = [placed_as(seen, f"seen{index}", layout) for index, seen in enumerate(extra)]
        return paired(added, gone, turned)

    def alternative_changes(self, layout: Layout, fit: Residual) -> Iterable[Change]:
        """None: a record is certain."""
        return ()

    def dice_nats(self, dice: Sequence[Placed]) -> float:
        """Number of these dice that show nothing that lies there."""
        return float(sum(not any(appearance_of(die).may_be(piece.look) for piece in self.pieces) for die in dice))


def _located(index: int, recorded: RecordedPiece) -> BoardSighting:
    piece, look, x, y, angle = recorded.look.piece, recorded.look, recorded.x, recorded.y, recorded.angle
    shown = {(piece.suit, piece.rank): 1.0}
    seen = Sighting(piece.kind, x, y, look.face, angle, None, shown, piece.size, pose=look.pose, mark=piece.mark)
    return BoardSighting(index, seen, x, y, angle)


class _Unmatched:
    """Recorded pieces without a match. Most lie exactly where they should and are found by position."""

    def __init__(self, seen: Iterable[RecordedPiece], within: float) -> None:
        self._within = within
        self._kinds: dict[Kind, list[RecordedPiece]] = {}
        self._spots: dict[tuple[Kind, float, float], list[RecordedPiece]] = {}
        for piece in seen:
            kind = piece.look.piece.kind
            self._kinds.setdefault(kind, []).append(piece)
            self._spots.setdefault((kind, round(piece.x, 1), round(piece.y, 1)), []).append(piece)

    def take(self, placed: Placed, places: dict[str, Place]) -> RecordedPiece | None:
        look, kind = appearance_of(placed), placed.piece.kind
        exact = self._spots.get((kind, round(placed.x, 1), round(placed.y, 1)), [])
        found = next((seen for seen in exact if _looks_like(placed, look, seen)), None)
        if found is None:
            near_place = [seen for seen in self._kinds.get(kind, []) if _is_there(placed, seen, places, self._within)]
            near = [seen for seen in near_place if _looks_like(placed, look, seen)]
            found = min(near, key=lambda seen: math.dist((seen.x, seen.y), (placed.x, placed.y)), default=None)
        if found is not None:
            self._kinds[kind].remove(found)
            self._spots[kind, round(found.x, 1), round(found.y, 1)].remove(found)
        return found

    def rest(self) -> list[RecordedPiece]:
        return [seen for pieces in self._kinds.values() for seen in pieces]


def _looks_like(placed: Placed, wanted: Appearance, seen: RecordedPiece) -> bool:
    """Whether it may be that piece; a pyramid on its side must also point the same way."""
    points = placed.pose is Pose.FLAT and seen.look.pose is Pose.FLAT
    return seen.look.may_be(wanted) and not (points and abs((seen.angle - placed.angle + 180) % 360 - 180) > 45)


def _is_there(placed: Placed, seen: RecordedPiece, places: dict[str, Place], within: float) -> bool:
    """Whether it lies on its place; a pyramid anywhere on its tile."""
    if abs(seen.x - placed.x) <= within and abs(seen.y - placed.y) <= within:
        return True
    place = places.get(placed.place) if placed.piece.kind is Kind.PYRAMID else None
    return place is not None and 2 * abs(seen.x - place.x) < place.width and 2 * abs(seen.y - place.y) < place.height


def _lies_on(sheet: Placed, piece: RecordedPiece) -> bool:
    return max(abs(sheet.x - piece.x), abs(sheet.y - piece.y)) < half_extent(sheet.piece)


def _take(spare: list[Placed], look: Appearance) -> Placed | None:
    """Removes and returns the first that may look like this."""
    found = next((placed for placed in spare if appearance_of(placed).may_be(look)), None)
    if found is not None:
        spare.remove(found)
    return found


def _lies_there(placed: Placed, seen: RecordedPiece, within: float) -> bool:
    same = seen.look.piece.kind is placed.piece.kind
    return same and max(abs(seen.x - placed.x), abs(seen.y - placed.y)) < within


def _turned_together(agreement: Agreement) -> list[RecordedPiece]:
    """Where a die or a vote shows something new, the others beside the board that were shown with it."""
    kinds = {seen.look.piece.kind for seen in agreement.extra}
    return [
        seen
        for seen, placed in agreement.off_board
        if (kind := seen.look.piece.kind) in kinds and (kind is Kind.DIE or (kind is Kind.COIN and placed is None))
    ]


def placed_as(seen: RecordedPiece, key: str, layout: Layout) -> Placed:
    """A recorded piece on the board. The record's value of a hidden side may help to guess."""
    piece, look = seen.look.piece, seen.look
    if piece.kind is Kind.COIN and piece.rank is None:
        piece = replace(piece, rank=seen.under)
    place = nearest_place(layout, seen.x, seen.y)
    return Placed(piece, key, seen.x, seen.y, look.face, seen.angle, pose=look.pose, place=place)

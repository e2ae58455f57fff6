"""Pieces beside the board: hands, spent heaps, supply. They have no exact place, so what counts is who has how many
of what; dice count by the face on top, wherever they lie."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from rules.assignment import assigned
from rules.pieces import Face, Kind, Piece, Rank
from rules.referee.dice import DiceLikelihood, off_board_dice
from rules.referee.fit import BoardSighting, likeliest_piece
from rules.referee.tuning import OffBoardCosts
from rules.table.change import MovedPiece
from rules.table.layout import Layout, Placed, Zone
from rules.table.observed import Sighting

Owner = tuple[Zone, int | None]
OffBoardDifference = tuple[list[Placed], list[Placed], list[MovedPiece]]
"""Pieces gone, new and turned."""

_MISSED_NATS, _OTHER_SIZE_NATS = 9.0, 2.0
"""Costs of the pairing for a reported change. The first exceeds every mismatch, so that as many pieces as possible are
matched; by the second the right size is preferred."""


class OffBoard:
    """The detections beside the board by owner, to be compared with many layouts."""

    def __init__(
        self,
        sightings: Iterable[BoardSighting],
        layout: Layout,
        costs: OffBoardCosts,
        faint: Iterable[BoardSighting] = (),
    ) -> None:
        """`faint`: detections too uncertain to count alone; in a hand or a heap each may be an expected piece."""
        self._costs = costs
        dice: list[tuple[Sighting, int | None]] = []
        self._owned: dict[Owner, list[Sighting]] = defaultdict(list)
        self._faint: dict[Owner, list[Sighting]] = defaultdict(list)
        # Before anything lies on the board its sides are unknown.
        rows = [p for p in layout.pieces if p.zone is not Zone.BOARD] if layout.board else []
        unowned_cards: list[BoardSighting] = []
        for seen in sightings:
            owner, sighting = owner_of(seen, rows, costs), seen.sighting
            if sighting.kind is Kind.DIE:
                dice.append((sighting, owner[1] if owner is not None else None))
            elif owner is not None:
                self._owned[owner].append(sighting)
            elif sighting.zone is None and sighting.kind is Kind.CARD:
                unowned_cards.append(seen)
        self._assign_to_rows(unowned_cards, rows)
        for seen in faint:
            owner = owner_of(seen, rows, costs)
            if owner is not None and owner[0] is not Zone.SUPPLY and seen.sighting.kind is not Kind.DIE:
                self._faint[owner].append(seen.sighting)
        previous_faces = {die.key: die.piece.rank for die in off_board_dice(layout)}
        self.dice = DiceLikelihood([die for die, _ in dice], previous_faces, costs, [seat for _, seat in dice])

    def _assign_to_rows(self, cards: list[BoardSighting], rows: list[Placed]) -> None:
        """Gives unowned cards to the row that they continue: the next card of a hand lies far from the last."""
        ends = [(p.x, p.y, (p.zone, p.seat)) for p in rows if p.piece.kind is Kind.CARD]
        while cards and ends:
            pairs = ((math.hypot(x - one.x, y - one.y), one, owner) for one in cards for x, y, owner in ends)
            distance, nearest, owner = min(pairs, key=lambda pair: pair[0])
            if distance > self._costs.next_card_spaces:
                break
            self._owned[owner].append(nearest.sighting)
            ends.append((nearest.x, nearest.y, owner))
            cards.remove(nearest)

    def change(self, layout: Layout) -> tuple[list[Placed], list[Placed]]:
        """Pieces gone from and new in hands and heaps."""
        missing_pieces: list[Placed] = []
        new_pieces: list[Placed] = []
        expected: dict[Owner, list[Placed]] = defaultdict(list)
        for placed in layout.pieces:
            if placed.zone is not Zone.BOARD and placed.piece.kind is not Kind.DIE:
                expected[placed.zone, placed.seat].append(placed)
        for owner in {*expected, *self._owned}:
            if seen := self._owned.get(owner):
                missing, extra = _unmatched(expected[owner], seen, self._faint[owner], self._costs)
                missing_pieces += missing
                new_pieces += [off_board_piece(s, owner) for s in extra]
        return missing_pieces, new_pieces

    def readable(self, dice: Sequence[Placed]) -> list[Placed]:
        """Those of these dice beside the board that have a readable face."""
        return [placed for placed, _ in self._shown(dice)]

    def turned_dice(self, layout: Layout) -> list[MovedPiece]:
        """The dice that show another face than this layout names."""
        return [
            MovedPiece(placed, replace(placed, piece=replace(placed.piece, rank=rank)))
            for placed, rank in self._shown(off_board_dice(layout))
            if rank is not placed.piece.rank
        ]

    def _shown(self, dice: Sequence[Placed]) -> list[tuple[Placed, Rank]]:
        shown = self.dice.shown(dice) if dice else {}
        return [(placed, shown[placed.key]) for placed in dice if placed.key in shown]


def owner_of(seen: BoardSighting, pieces: Sequence[Placed], costs: OffBoardCosts) -> Owner | None:
    """The owner of a detection: that of its marked zone, else that of the nearest piece."""
    if seen.sighting.zone is not None:
        return None if seen.sighting.zone is Zone.BOARD else (seen.sighting.zone, seen.sighting.seat)
    nearest = min(pieces, key=lambda p: math.hypot(p.x - seen.x, p.y - seen.y), default=None)
    if nearest is None or math.hypot(nearest.x - seen.x, nearest.y - seen.y) > costs.near_spaces:
        return None
    return nearest.zone, nearest.seat


def is_known_card(sighting: Sighting) -> bool:
    """Whether the card was recognised by its drawing: no net tells a card's side."""
    return sighting.kind is Kind.CARD and sighting.face is not None


def match_probability(shown: Piece, face: Face | None, sighting: Sighting, costs: OffBoardCosts) -> float:
    """Probability that the detection is a piece that shows this."""
    if shown.mark and sighting.mark and shown.mark != sighting.mark:
        return 0.0
    if not shown.mark and sighting.mark and face is Face.FRONT:
        return costs.unnamed_chance
    return sighting.chance_of(shown.suit, shown.rank)


def open_and_covered(heap: Iterable[Placed]) -> tuple[list[Placed], list[Placed]]:
    """The open pieces of a heap, and those in a pile beneath: not missed, and no news where they are detected."""
    tops: dict[tuple[float, float], Placed] = {}
    covered: list[Placed] = []
    for placed in heap:
        top = tops.get((placed.x, placed.y))
        if top is not None:
            covered.append(min(top, placed, key=lambda one: one.level))
        if top is None or top.level < placed.level:
            tops[placed.x, placed.y] = placed
    return list(tops.values()), covered


def _unmatched(
    heap: Iterable[Placed], seen: Sequence[Sighting], faint: Sequence[Sighting], costs: OffBoardCosts
) -> tuple[list[Placed], list[Sighting]]:
    """The open pieces of a heap without a detection, even a faint one, and the detections without a piece."""
    uncovered, covered = open_and_covered(heap)
    rows = [[_mismatch_nats(placed, one, costs) for one in (*seen, *faint)] for placed in (*uncovered, *covered)]
    found = assigned(rows, [_MISSED_NATS] * len(uncovered) + [_MISSED_NATS / 2] * len(covered))
    missing = [placed for placed, column in zip(uncovered, found, strict=False) if column is None]
    return missing, [one for index, one in enumerate(seen) if index not in found]


def _mismatch_nats(placed: Placed, seen: Sighting, costs: OffBoardCosts) -> float:
    """Nats of a detection as this piece; infinite if it is another. The right size is preferred."""
    if seen.kind is not placed.piece.kind or (seen.face is not None and placed.face not in (None, seen.face)):
        return math.inf
    chance = match_probability(placed.shown, placed.face, seen, costs)
    if chance < costs.other_chance:
        return math.inf
    is_other_size = placed.piece.size and seen.size and placed.piece.size.look is not seen.size.look
    return -math.log(chance) + (_OTHER_SIZE_NATS if is_other_size else 0.0)


def off_board_piece(sighting: Sighting, owner: Owner) -> Placed:
    piece = likeliest_piece(sighting)
    return Placed(piece, f"aside {piece.code}", face=sighting.face, pose=sighting.pose, zone=owner[0], seat=owner[1])

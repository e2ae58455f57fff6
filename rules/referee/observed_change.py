"""The difference between a layout and the table as a `Change`: pieces that came, went, moved, turned."""

from __future__ import annotations

import math
from dataclasses import replace

from rules.pieces.sizes import half_extent
from rules.referee.exposure import exposed
from rules.referee.fit import BoardSighting, Residual, level_of, placed_from
from rules.referee.off_board import OffBoardDifference
from rules.referee.tuning import Tuning
from rules.table.change import Change, MovedPiece
from rules.table.layout import Layout, Placed, Zone


def observed_change(off_board: OffBoardDifference, layout: Layout, fit: Residual, tuning: Tuning) -> Change:
    """The difference of what is seen from the layout."""
    off_board_gone, off_board_new, dice = off_board
    others = [(placed, seen) for placed, seen in fit.mismatched if _is_other_piece(placed, seen, tuning)]
    turned = [pair for pair in fit.mismatched if pair not in others]
    unexplained = [*fit.extra, *(seen for _, seen in others)]
    gone = [*fit.missing, *(placed for placed, _ in others), *off_board_gone]
    added = [_identified(_new_piece(layout, seen), seen, gone, tuning) for seen in unexplained]
    moved = [
        MovedPiece(placed, with_known_identity(placed, placed_from(seen, placed.key, placed.place, placed.level)))
        for placed, seen in turned
    ]
    added = _without_uncovered(added, gone, layout, tuning)
    return _without_covered(paired(added + off_board_new, gone, moved + dice), tuning)


def _new_piece(layout: Layout, seen: BoardSighting) -> Placed:
    place = nearest_place(layout, seen.x, seen.y)
    return placed_from(seen, f"seen{seen.index}", place, level_of(seen, layout.board))


def _identified(new: Placed, seen: BoardSighting, gone: list[Placed], tuning: Tuning) -> Placed:
    """A new piece is read as one that is gone elsewhere, if it can be: each piece exists once."""
    if any(may_be_same(old, new) for old in gone):
        return new
    old = max((g for g in gone if g.piece.kind is new.piece.kind), key=lambda g: _chance(g, seen), default=None)
    if old is None or _chance(old, seen) < tuning.search.maybe_chance:
        return new
    return replace(new, piece=replace(new.piece, suit=old.piece.suit, rank=old.piece.rank))


def _chance(placed: Placed, seen: BoardSighting) -> float:
    return seen.sighting.chance_of(placed.piece.suit, placed.piece.rank)


def _is_other_piece(placed: Placed, seen: BoardSighting, tuning: Tuning) -> bool:
    """Whether it is another piece and not this one turned: it lies elsewhere, or shows another suit or value."""
    if _is_elsewhere(placed, seen.x, seen.y, tuning):
        return True
    suit, rank = placed.shown.suit, placed.shown.rank
    same_side = placed.face is seen.sighting.face or placed.face is None
    return same_side and seen.sighting.chance_of(suit, rank) < tuning.places.misread


def _without_covered(change: Change, tuning: Tuning) -> Change:
    """The change without pieces that are gone from view because another was put on them."""
    above = change.placed
    gone = (p for p in change.removed if not any(_lies_on(top, p, tuning) for top in above))
    return Change(change.added, tuple(gone), change.moved)


def _without_uncovered(added: list[Placed], gone: list[Placed], layout: Layout, tuning: Tuning) -> list[Placed]:
    """The new pieces without those that came to view when something was taken off them."""
    removed = [placed for placed in gone if placed.zone is Zone.BOARD]
    if not (added and removed):
        return added
    exposed_keys = {placed.key for placed, _ in exposed(layout, tuning)}
    hidden = [p for p in layout.board if p.key not in exposed_keys and any(_overlaps(p, above) for above in removed)]
    return [new for new in added if not any(_is_revealed(new, p, tuning) for p in hidden)]


def _overlaps(below: Placed, above: Placed) -> bool:
    reach = half_extent(below.piece) + half_extent(above.piece)
    return max(abs(below.x - above.x), abs(below.y - above.y)) < reach


def _is_revealed(new: Placed, below: Placed, tuning: Tuning) -> bool:
    same = new.shown == below.shown and new.face is below.face
    return same and new.zone is below.zone and not _is_elsewhere(below, new.x, new.y, tuning)


def _lies_on(top: Placed, below: Placed, tuning: Tuning) -> bool:
    return top.zone is below.zone is Zone.BOARD and not _is_elsewhere(below, top.x, top.y, tuning)


def _is_elsewhere(placed: Placed, x: float, y: float, tuning: Tuning) -> bool:
    return math.hypot(placed.x - x, placed.y - y) > tuning.places.elsewhere


def paired(added: list[Placed], gone: list[Placed], moved: list[MovedPiece]) -> Change:
    """Pieces gone and alike pieces new are one that moved, nearest first."""
    pairs = (
        (math.hypot(after.x - before.x, after.y - before.y), i, j)
        for i, before in enumerate(gone)
        for j, after in enumerate(added)
        if may_be_same(before, after)
    )
    target: dict[int, int] = {}
    for _, i, j in sorted(pairs):
        if i not in target and j not in target.values():
            target[i] = j
    went = [MovedPiece(gone[i], with_known_identity(gone[i], added[j])) for i, j in target.items()]
    return Change(
        tuple(after for j, after in enumerate(added) if j not in target.values()),
        tuple(before for i, before in enumerate(gone) if i not in target),
        (*moved, *went),
    )


def with_known_identity(before: Placed, after: Placed) -> Placed:
    """The piece as it is seen, with what is known of it from before."""
    old, new = before.piece, after.piece
    suit = new.suit if new.suit is not None else old.suit
    rank = new.rank if new.rank is not None else old.rank
    return replace(after, piece=replace(old, suit=suit, rank=rank, mark=old.mark or new.mark), key=before.key)


def may_be_same(before: Placed, after: Placed) -> bool:
    """Whether both may show the same piece."""
    old, new = before.shown, after.shown
    if old.kind is not new.kind or (old.size and new.size and old.size.look is not new.size.look):
        return False
    return all(
        a is None or b is None or a == b for a, b in ((old.suit, new.suit), (old.rank, new.rank), (old.mark, new.mark))
    )


def nearest_place(layout: Layout, x: float, y: float) -> str:
    """The named place that contains the point; empty if none does."""
    for place in layout.places:
        if abs(place.x - x) <= place.width / 2 and abs(place.y - y) <= place.height / 2:
            return place.name
    return ""

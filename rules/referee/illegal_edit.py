"""Which pieces were moved by hand, where nothing legal explains the table: the likeliest edit of a layout.

The detections alone do not tell it: a piece taken from a pile leaves one that looks alike, a pushed tile covers others,
a size or a suit is misread. So the observed difference is only the first edit; every edit that differs from it in one
piece is weighed by the same likelihood and the same priors.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import TypeVar

from rules.referee.exposure import exposed
from rules.referee.fit import Residual
from rules.referee.likelihood import TableLikelihood
from rules.referee.observed_change import may_be_same
from rules.table.change import Change, MovedPiece, changed_layout
from rules.table.layout import Layout, Placed, Zone

_Each = TypeVar("_Each", Placed, MovedPiece)


def likeliest_edit(view: TableLikelihood, layout: Layout, fit: Residual) -> Change:
    """The edit of the layout that explains the table best; the observed difference where no other is better."""
    limits = view.tuning.accusation
    best = view.change(layout, fit)
    cost = edit_nats(view, layout, best)
    for _ in range(limits.max_edits if best.count <= limits.max_revised else 0):
        others = [one for one in islice(_revised(view, layout, best), limits.max_revisions) if one.count]
        revised = min(others, key=lambda one: edit_nats(view, layout, one), default=best)
        gain = cost - edit_nats(view, layout, revised)
        if gain <= limits.min_gain_nats:
            break
        cost, best = cost - gain, revised
    return best


def edit_nats(view: TableLikelihood, layout: Layout, edit: Change) -> float:
    """Nats of the table once it is edited so, with the prior of the edit."""
    limits = view.tuning.accusation
    prior = limits.edit_nats * edit.count + limits.nowhere_nats * len(edit.added)
    prior += limits.twice_nats * has_duplicate(layout, edit)
    return view.fit(changed_layout(layout, edit)).cost + prior


def has_duplicate(layout: Layout, edit: Change) -> bool:
    """Whether a new piece shows what is on the table already: each piece with suit and value exists once, so one
    detection is wrong. Hidden pieces are not asked, as nobody may learn of them."""
    expected = {placed.shown for placed in layout if placed not in edit.removed}
    new = [placed.piece for placed in edit.added if None not in (placed.piece.suit, placed.piece.rank)]
    return any(piece in expected or new.count(piece) > 1 for piece in new)


def _revised(view: TableLikelihood, layout: Layout, edit: Change) -> Iterator[Change]:
    """The edits that differ in one piece."""
    for new in edit.added:
        if new.zone is Zone.BOARD:
            yield from _with_origin(view, layout, edit, new)
    for gone in edit.removed:
        if gone.zone is Zone.BOARD:  # it is only not seen
            yield replace(edit, removed=_without(edit.removed, gone))
            yield from _with_other_origins(edit, gone)
    for move in edit.moved:
        if _is_on_board(move) and move.distance <= view.tuning.places.elsewhere:  # it is only misread
            yield replace(edit, moved=_without(edit.moved, move))


def _with_origin(view: TableLikelihood, layout: Layout, edit: Change, new: Placed) -> Iterator[Change]:
    """The edits in which a piece that came is one that is gone, or one where the picture has changed, or only the
    piece of that place misread."""
    rest = replace(edit, added=_without(edit.added, new))
    for gone in edit.removed:
        if gone.piece.kind is new.piece.kind:
            yield replace(rest, removed=_without(edit.removed, gone), moved=(*edit.moved, _as_moved(gone, new)))
    for source in _vacated(view, layout, edit, new):
        yield replace(rest, moved=(*edit.moved, _as_moved(source, new)))
    within = view.tuning.places.elsewhere
    if any(p.piece.kind is new.piece.kind and math.hypot(p.x - new.x, p.y - new.y) <= within for p in layout.board):
        yield rest


def _with_other_origins(edit: Change, gone: Placed) -> Iterator[Change]:
    """The edits in which a piece that moved is this one that is gone, while the other is gone instead or covered."""
    for move in edit.moved:
        if _is_on_board(move) and move.before.piece.kind is gone.piece.kind:
            moved = (*_without(edit.moved, move), _as_moved(gone, move.after))
            left = _without(edit.removed, gone)
            yield replace(edit, removed=left, moved=moved)
            yield replace(edit, removed=(*left, move.before), moved=moved)


def _is_on_board(move: MovedPiece) -> bool:
    return move.before.zone is move.after.zone is Zone.BOARD


def _without(pieces: tuple[_Each, ...], left_out: _Each) -> tuple[_Each, ...]:
    return tuple(each for each in pieces if each is not left_out)


def _vacated(view: TableLikelihood, layout: Layout, edit: Change, new: Placed) -> Iterator[Placed]:
    """The visible pieces that may be the new one and where the picture has changed: the one beneath may look alike."""
    for placed, share in exposed(layout, view.tuning):
        is_open = share >= view.tuning.heights.partly and placed.key not in edit.keys
        if is_open and may_be_same(placed, new) and view.shows_removal(placed):
            yield placed


def _as_moved(before: Placed, new: Placed) -> MovedPiece:
    """The piece where the new one lies, known as what it was."""
    return MovedPiece(before, replace(new, piece=before.piece, key=before.key))

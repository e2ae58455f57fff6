"""What waits beside the board: whoever lies there untouched was not laid on the board, and what is gone from there went
somewhere.

Eyes miss a pawn on a coin. But the picture shows which of the pawns beside the board is gone, and that the others lie
where they lay: that tells which it was.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence

from rules.pieces import Face, Kind, Rank, Suit
from rules.referee.tuning import Places, Tuning
from rules.table.layout import Layout, Placed, Zone

NAMED = (Kind.TILE, Kind.PAWN)
"""Of these each exists once: coins of a suit slide up in their row, and nobody can tell which of them it was."""
Named = tuple[Kind, Face | None, Suit | None, Rank | None]


class BesideTheBoard:
    """Answers for many layouts: how surprising what was touched beside the board is if the table lies so now."""

    def __init__(
        self,
        was: Layout,
        before: Sequence[Placed],
        now: Sequence[Placed],
        doubtful: Sequence[Placed],
        changed: Callable[[Placed], float | None],
        tuning: Tuning,
    ) -> None:
        """`before`: what was clearly seen beside the board when it lay as `was`; `now`: what is, `doubtful`: also what
        is not seen clearly. `changed`: how likely a place looks otherwise since then."""
        self._beside = tuning.beside
        chances = [(placed, changed(placed)) for placed in before]
        told = [(placed, chance > tuning.comparing.stood) for placed, chance in chances if chance is not None]
        self._stood = Counter(_name(placed) for placed, touched in told if not touched)
        missed = Counter(
            _name(placed) for placed, touched in told if touched and not _is_among(placed, doubtful, tuning.places)
        )
        seen, counted = Counter(map(_name, now)), Counter(map(_name, before))
        gone = {name: min(count, counted[name] - seen[name]) for name, count in missed.items()}
        gone = {name: count for name, count in gone.items() if count > 0}
        # Whoever tidies the hands moves many things; that tells nothing of any.
        self._gone = gone if sum(gone.values()) <= self._beside.most_gone else {}
        self._was = {name: _count(was, name) for name in gone}
        self._kinds = {name[0]: _count_kind(was, name[0]) for name in gone}
        self._more = {name: max(0, count - _count(was, name)) for name, count in self._stood.items()}
        self._known: dict[object, float] = {}

    def surprise(self, layout: Layout) -> float:
        if not self._stood and not self._gone:
            return 0.0
        aside = tuple((p.piece, p.face) for p in layout if p.zone is not Zone.BOARD)
        if aside not in self._known:
            self._known[aside] = self._of(layout)
        return self._known[aside]

    def _of(self, layout: Layout) -> float:
        """For what lies there still and should not, and for another than the one that is gone."""
        more = sum(max(0, count - _count(layout, name) - self._more[name]) for name, count in self._stood.items())
        return self._beside.lies_still * more + (self._beside.gone if self._takes_another(layout) else 0.0)

    def _takes_another(self, layout: Layout) -> bool:
        """Whether something of a kind is taken from there whose going was not seen, and not what was seen to go."""
        taken = {name: self._was[name] - _count(layout, name) for name in self._gone}
        for kind, count in self._kinds.items():
            gone = [(self._gone[name], taken[name]) for name in self._gone if name[0] is kind]
            seen_to_go = sum(min(went, max(0, took)) for went, took in gone)
            all_gone = sum(went for went, _ in gone)
            if seen_to_go < min(all_gone, count - _count_kind(layout, kind)):
                return True
        return False


def _is_among(placed: Placed, others: Sequence[Placed], places: Places) -> bool:
    return any(
        other.piece.kind is placed.piece.kind and math.hypot(other.x - placed.x, other.y - placed.y) < places.elsewhere
        for other in others
    )


def _name(placed: Placed) -> Named:
    return placed.piece.kind, placed.face, placed.piece.suit, placed.piece.rank


def _count(layout: Layout, name: Named) -> int:
    """How many things beside the board may look like that."""
    return sum(placed.zone is not Zone.BOARD and _may_look(placed, name) for placed in layout)


def _count_kind(layout: Layout, kind: Kind) -> int:
    return sum(placed.zone is not Zone.BOARD and placed.piece.kind is kind for placed in layout)


def _may_look(placed: Placed, name: Named) -> bool:
    kind, face, suit, rank = name
    if placed.piece.kind is not kind or (face and placed.face and placed.face is not face):
        return False
    shown = placed.shown
    return (suit is None or shown.suit in (None, suit)) and (rank is None or shown.rank in (None, rank))

"""What changed beside the board since the last explained look.

Pieces there have no exact place in a layout, so detections that are gone and that are new are matched one to one
with the pieces that a layout takes away from there and brings there. Unmatched changes are errors of the detector,
or of somebody's elbow. What lies where it lay is no news, whatever it is read as.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from rules.assignment import assigned
from rules.pieces import Face, Kind, Piece
from rules.pieces.sizes import half_extent
from rules.referee.fit import BoardSighting, placed_from
from rules.referee.off_board import Owner, is_known_card, match_probability, off_board_piece, open_and_covered, owner_of
from rules.referee.tuning import OffBoardCosts, Tuning
from rules.table.layout import Layout, Placed, Zone
from rules.table.observed import Sighting


@dataclass(frozen=True, slots=True)
class OffBoardState:
    """Pieces beside the board at the last explained look: as the layout had them and as they were detected, clearly
    or faintly, in the board's frame."""

    pieces: tuple[Placed, ...]
    seen: tuple[BoardSighting, ...]
    doubted: tuple[BoardSighting, ...] = ()
    """Detections that were new or gone and not matched when an action was accepted: they may belong to the next
    action, but to no later one."""

    @staticmethod
    def of(layout: Layout, seen: Iterable[BoardSighting]) -> OffBoardState:
        return OffBoardState(_without_dice(layout), tuple(s for s in seen if s.sighting.kind is not Kind.DIE))

    def contains(self, kind: Kind, x: float, y: float, within: float) -> bool:
        """Whether a piece of this kind was detected there, outside marked zones."""
        return any(
            one.sighting.kind is kind and one.sighting.zone is None and math.hypot(one.x - x, one.y - y) < within
            for one in self.seen
        )


@dataclass(frozen=True, slots=True)
class _Owned:
    """A detection with the owner among whose pieces it lies."""

    seen: BoardSighting
    owner: Owner | None
    known_chance: float = 1.0
    """If it is gone: the probability of all that this owner had there."""
    unmatched_nats: float = 0.0
    """If it is gone or new: the cost of no piece having left or come."""

    @property
    def sighting(self) -> Sighting:
        return self.seen.sighting


class OffBoardChange:
    """Scores layouts, in nats, by what came and went beside the board."""

    def __init__(
        self,
        previous: OffBoardState,
        current: Sequence[BoardSighting],
        layout: Layout,
        changed: Callable[[Placed], float | None] | None,
        tuning: Tuning,
    ) -> None:
        """`layout`: the expected one if nothing was done. `current`: detections beside the board, clear or faint.
        `changed`: the probability that a place looks otherwise than then, where there are pictures."""
        self._costs = costs = tuning.off_board
        self._previous = previous
        self._previous_counts = Counter(map(_look_of, previous.pieces))
        self._previous_by_key = {p.key: (p.zone, p.seat, p.face, p.piece) for p in previous.pieces}
        current = [s for s in current if s.sighting.kind is not Kind.DIE]
        matches = _matched_sightings(previous.seen, current, tuning.places.aside, costs)
        self._unchanged: list[_Owned] = []
        self._gone: list[_Owned] = []
        for index, seen in enumerate(previous.seen):
            if index in matches or _is_at_rest(seen, changed, tuning):
                self._unchanged.append(self._with_owner(current[matches[index]] if index in matches else seen))
            else:
                self._gone.append(self._known(self._with_owner(seen)))
        matched = set(matches.values())
        marked = any(s.sighting.zone is not None for s in current)
        self._zone_nats = costs.marked_nats if marked else costs.guessed_nats
        new_sightings = (
            self._with_owner(seen)
            for index, seen in enumerate(current)
            if index not in matched and not _is_at_rest(seen, changed, tuning)
        )
        self._new = [replace(owned, unmatched_nats=self._spurious_nats(owned)) for owned in new_sightings]
        gone, new, _ = self._matched(*self._difference(_without_dice(layout)))
        self._baseline_nats = max(0.0, self._unmatched_nats(gone, new)[1] - costs.max_idle_nats)
        """Cost of what the expected layout leaves unmatched, beyond `max_idle_nats`; subtracted from every layout, as
        people push pieces about and detections flicker. Cards known by their drawing are excluded: no detector
        invents one."""
        self._cache: dict[object, float] = {}

    def _with_owner(self, seen: BoardSighting) -> _Owned:
        owner = owner_of(seen, self._previous.pieces, self._costs)
        if owner is None and seen.sighting.kind is Kind.CARD:
            # That of the nearest card: cards are so wide that the next of a hand lies far from the last.
            cards = [owned for owned in self._unchanged if owned.sighting.kind is Kind.CARD]
            last = min(cards, key=lambda owned: _distance(owned, seen), default=None)
            if last is not None and _distance(last, seen) <= self._costs.next_card_spaces:
                owner = last.owner
        return _Owned(seen, owner)

    def _known(self, owned: _Owned) -> _Owned:
        """A detection that is gone: it was one of the pieces that its owner had, however it was read."""
        had = {(p.shown, p.face) for p in self._previous.pieces if (p.zone, p.seat) == owned.owner}
        chances = [
            match_probability(shown, face, owned.sighting, self._costs)
            for shown, face in had
            if shown.kind is owned.sighting.kind
        ]
        missed_nats = min(self._costs.max_flicker_nats, -math.log(max(1.0 - owned.sighting.certainty, 1e-4)))
        return replace(owned, known_chance=min(1.0, sum(chances)) or 1.0, unmatched_nats=missed_nats)

    def surprise(self, layout: Layout) -> float:
        """Nats of what came and went beside the board in this layout, against the expected one."""
        left, added = self._difference(_without_dice(layout))
        key = tuple(left), tuple(added)
        if key not in self._cache:
            gone, new, cost = self._matched(left, added)
            self._cache[key] = cost + sum(self._unmatched_nats(gone, new)) - self._baseline_nats
        return self._cache[key]

    @property
    def is_reliable(self) -> bool:
        """Whether most of it is found again. If not, the pose was another, or somebody tidied up."""
        return len(self._unchanged) >= len(self._gone)

    def change(self, layout: Layout) -> tuple[list[Placed], list[Placed]]:
        """Pieces gone and new beside the board that this layout does not account for, wherever in a hand or heap."""
        pieces = _without_dice(layout)
        gone, new, _ = self._matched(*self._difference(pieces))

        def same_or_inf(removed: int, added: int) -> float:
            return 0.0 if self._identity_nats(self._gone[removed], self._new[added]) == 0.0 else math.inf

        rest_removed, rest_added, pairs = self._match_moved(gone, new, same_or_inf)
        removed = [t for index in rest_removed if index not in pairs and self._is_certain(t := self._gone[index])]
        added = [t for index in rest_added if index not in pairs.values() and self._is_certain(t := self._new[index])]
        held = [placed for placed in pieces if placed.zone is not Zone.SUPPLY]
        rows = [[self._mismatch_nats(_look_of(placed), owned) for owned in removed] for placed in held]
        assignment = assigned(rows, [self._costs.max_mismatch_nats] * len(rows))
        missing = [placed for placed, column in zip(held, assignment, strict=True) if column is not None]
        return missing, [off_board_piece(t.sighting, t.owner) for t in added if t.owner is not None]

    def after(self, layout: Layout, accepted: bool) -> OffBoardState:
        """The state beside the board after this layout. `accepted`: by an action; else unmatched changes wait for
        it."""
        pieces, doubted = _without_dice(layout), self._previous.doubted
        gone, new, _ = self._matched(*self._difference(pieces))
        removed = [t.seen for index, t in enumerate(self._gone) if index not in gone and self._is_certain(t)]
        added = [t.seen for index, t in enumerate(self._new) if index not in new and self._is_certain(t)]
        repeated = [
            s for s in (*removed, *added) if accepted and any(_is_same(s, other, self._costs) for other in doubted)
        ]
        seen = [
            *(t.seen for t in self._unchanged),
            *(s for s in removed if s not in repeated),
            *(t.seen for t in self._new if t.seen not in added or t.seen in repeated),
        ]
        return OffBoardState(
            pieces, tuple(seen), tuple(s for s in (*removed, *added) if s not in repeated) if accepted else doubted
        )

    def _matched(self, left: list[_Look], added: list[_Look]) -> tuple[set[int], set[int], float]:
        """Indices of the detections gone and new that these pieces account for, and the cost."""
        gone, gone_nats = self._match(left, self._gone, self._unseen_gone_nats)
        new, new_nats = self._match(added, self._new, self._unseen_new_nats)
        return gone, new, gone_nats + new_nats

    def _is_certain(self, owned: _Owned) -> bool:
        return owned.sighting.certainty >= self._costs.faint_certainty

    def _difference(self, pieces: Sequence[Placed]) -> tuple[list[_Look], list[_Look]]:
        """What left and what came there in this layout. Nearly all of it is unchanged."""
        previous, came, unchanged = self._previous_by_key, list[Placed](), set[str]()
        for placed in pieces:
            if previous.get(placed.key) == (placed.zone, placed.seat, placed.face, placed.piece):
                unchanged.add(placed.key)
            else:
                came.append(placed)
        left = Counter(_look_of(placed) for placed in self._previous.pieces if placed.key not in unchanged)
        added = Counter(map(_look_of, came))
        return _expanded(left - added, self._previous.pieces), _expanded(added - left, pieces)

    def _match(
        self, looks: list[_Look], items: list[_Owned], unseen_nats: Callable[[_Look], float]
    ) -> tuple[set[int], float]:
        """Indices of the detections matched with these pieces, and the cost. `unseen_nats`: of a piece without one."""
        if not looks:
            return set(), 0.0
        rows = [[self._mismatch_nats(look, owned) - owned.unmatched_nats for owned in items] for look in looks]
        alternatives = [unseen_nats(look) for look in looks]
        assignment = assigned(rows, alternatives)
        cost = sum(
            alternatives[row] if column is None else rows[row][column] + items[column].unmatched_nats
            for row, column in enumerate(assignment)
        )
        return {column for column in assignment if column is not None}, cost

    def _mismatch_nats(self, look: _Look, owned: _Owned) -> float:
        seen = owned.sighting
        if seen.kind is not look.piece.kind:
            return math.inf
        if seen.face is None or look.face in (None, seen.face):
            chance = match_probability(look.piece, look.face, seen, self._costs) / owned.known_chance
            cost = _doubt_nats(chance, self._costs)
        elif is_known_card(seen):
            return math.inf
        else:
            cost = self._costs.max_mismatch_nats
        size = look.piece.size
        if size is not None and seen.size is not None and seen.size.look is not size.look:
            cost += _doubt_nats(seen.sizes.get(size.look, 0.0), self._costs)
        if owned.owner not in (None, (look.zone, look.seat)):  # it lies among another owner's pieces
            in_hands = owned.owner[0] is Zone.HAND is look.zone and look.piece.kind is Kind.CARD
            cost += self._costs.strayed_card_nats if in_hands else self._costs.strayed_nats
        return cost

    def _unseen_gone_nats(self, look: _Look) -> float:
        """For a piece that left without a detection gone: never detected, or another is taken for it."""
        if look.is_covered:
            return 0.0
        matching = [owned for owned in self._unchanged if self._mismatch_nats(look, owned) == 0.0]
        count = sum(n for other, n in self._previous_counts.items() if other.is_same_piece(look))
        certainties = sorted(
            (max(t.sighting.certainty, self._costs.standing_certainty) for t in matching), reverse=True
        )
        if len(certainties) < count:
            return self._costs.never_seen_nats
        return self._costs.still_there_nats * min(certainties[:count], default=0.0)

    def _unseen_new_nats(self, look: _Look) -> float:
        """For a piece that came and is not among the new detections. A whole heap may lie outside the picture, which is
        so if nothing of it is detected."""
        detected = (*self._unchanged, *self._new)
        is_in_view = any(owned.owner == (look.zone, look.seat) for owned in detected)
        return self._zone_nats[look.zone] if is_in_view and not look.is_covered else 0.0

    def _spurious_nats(self, owned: _Owned) -> float:
        """For a detection that is new although its piece lay there, or is none."""
        seen, zone = owned.sighting, owned.owner[0] if owned.owner else Zone.SUPPLY
        if is_known_card(seen) and not self._was_undetected(owned):
            return self._costs.known_card_nats * seen.certainty
        is_separate = zone is Zone.SPENT or (zone is Zone.HAND and seen.kind is Kind.CARD)
        nats = self._zone_nats[zone]
        return (max(nats, self._costs.new_piece_nats) if is_separate and nats else nats) * seen.certainty

    def _was_undetected(self, owned: _Owned) -> bool:
        """Whether more pieces of its look lay open with that owner than were detected."""
        uncovered, _ = open_and_covered(p for p in self._previous.pieces if (p.zone, p.seat) == owned.owner)
        expected = sum(self._mismatch_nats(_look_of(placed), owned) == 0.0 for placed in uncovered)
        return expected > sum(self._identity_nats(before, owned) == 0.0 for before in (*self._unchanged, *self._gone))

    def _unmatched_nats(self, gone: set[int], new: set[int]) -> tuple[float, float]:
        """Cost of the unmatched detections: of cards known by their drawing, and of all others. One that is gone and
        one that is new may be one piece that was moved."""
        removed, added, moved = self._match_moved(gone, new, self._move_nats)
        cards = {index for index in added if is_known_card(self._new[index].sighting)}
        card_nats = sum(self._new[index].unmatched_nats for index in cards - set(moved.values()))
        other_nats = sum(self._new[index].unmatched_nats for index in set(added) - cards - set(moved.values()))
        for index in removed:
            other_nats += self._move_nats(index, moved[index]) if index in moved else self._gone[index].unmatched_nats
        return card_nats, other_nats

    def _match_moved(
        self, gone: set[int], new: set[int], costs: Callable[[int, int], float]
    ) -> tuple[list[int], list[int], dict[int, int]]:
        """Unmatched detections gone and new, and which of them are one piece."""
        removed = [index for index in range(len(self._gone)) if index not in gone]
        added = [index for index in range(len(self._new)) if index not in new]
        rows = [[costs(one, other) - self._new[other].unmatched_nats for other in added] for one in removed]
        pairs = zip(removed, assigned(rows, [self._gone[one].unmatched_nats for one in removed]), strict=True)
        return removed, added, {one: added[column] for one, column in pairs if column is not None}

    def _move_nats(self, gone: int, new: int) -> float:
        """Nats of the detection gone with this index being the new one, pushed there."""
        removed, added = self._gone[gone], self._new[new]
        return self._identity_nats(removed, added) + self._costs.pushed_nats * (1.0 + _distance(removed, added.seen))

    def _identity_nats(self, removed: _Owned, added: _Owned) -> float:
        """Nats of their being one piece of the same owner."""
        one, other = removed.sighting, added.sighting
        if one.kind is not other.kind or (one.face and other.face and one.face is not other.face):
            return math.inf
        return _doubt_nats(other.chance_of(*one.best), self._costs) if removed.owner == added.owner else math.inf


def _distance(owned: _Owned, seen: BoardSighting) -> float:
    return math.hypot(owned.seen.x - seen.x, owned.seen.y - seen.y)


class _Look(NamedTuple):
    """All that tells a piece beside the board from others there."""

    zone: Zone
    seat: int | None
    piece: Piece
    face: Face | None
    is_covered: bool = False
    """Whether it lies in a pile beneath others; then nobody misses it."""

    def is_same_piece(self, other: _Look) -> bool:
        mine = self.zone, self.seat, self.piece.kind, self.piece.suit, self.piece.rank
        return mine == (other.zone, other.seat, other.piece.kind, other.piece.suit, other.piece.rank)


def _look_of(placed: Placed) -> _Look:
    return _Look(placed.zone, placed.seat, placed.shown, placed.face)


def _expanded(counts: Counter[_Look], pieces: Sequence[Placed]) -> list[_Look]:
    """The looks one by one; as many of each as lie beneath others are marked as covered."""
    if not counts:
        return []
    owners = {(look.zone, look.seat) for look in counts}
    covered = Counter(map(_look_of, open_and_covered(p for p in pieces if (p.zone, p.seat) in owners)[1]))
    return [look._replace(is_covered=index < covered[look]) for look, count in counts.items() for index in range(count)]


def _without_dice(layout: Layout) -> tuple[Placed, ...]:
    return tuple(p for p in layout.pieces if p.zone is not Zone.BOARD and p.piece.kind is not Kind.DIE)


def _doubt_nats(chance: float, costs: OffBoardCosts) -> float:
    return 0.0 if chance >= costs.match_chance else min(costs.max_mismatch_nats, -math.log(max(chance, 1e-4)))


def _is_at_rest(seen: BoardSighting, changed: Callable[[Placed], float | None] | None, tuning: Tuning) -> bool:
    chance = changed(placed_from(seen, "")) if changed is not None else None
    return chance is not None and chance <= tuning.change.unchanged_chance


def _matched_sightings(
    previous: Sequence[BoardSighting], current: Sequence[BoardSighting], reach: float, costs: OffBoardCosts
) -> dict[int, int]:
    """Index pairs of detections at the same place then and now."""
    rows = [[_match_distance(one, other, reach, costs) for other in current] for one in previous]
    return {row: column for row, column in enumerate(assigned(rows, [reach] * len(rows))) if column is not None}


def _is_same(one: BoardSighting, other: BoardSighting, costs: OffBoardCosts) -> bool:
    return _match_distance(one, other, 2 * half_extent(Piece(one.sighting.kind)), costs) < math.inf


def _match_distance(one: BoardSighting, other: BoardSighting, reach: float, costs: OffBoardCosts) -> float:
    if one.sighting.kind is not other.sighting.kind:
        return math.inf
    if one.sighting.face and other.sighting.face and one.sighting.face is not other.sighting.face:
        return math.inf
    distance = math.hypot(one.x - other.x, one.y - other.y)
    is_alike = other.sighting.chance_of(*one.sighting.best) >= costs.other_chance
    return distance if distance < reach and is_alike else math.inf

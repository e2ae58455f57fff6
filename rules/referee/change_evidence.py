"""The picture's evidence: what changed since the last keyframe.

A place that looks as in the keyframe still has the same piece, whatever the detector reads there. A changed place must
be accounted for: a layout pays for changed regions that it does not explain, and for pieces that came or went where
nothing changed.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine.action import Action
from rules.pieces import Face, Kind, Piece, Pose
from rules.pieces.sizes import half_extent
from rules.referee.exposure import exposed
from rules.referee.fit import Tally, TermKind
from rules.referee.register import Registration
from rules.referee.tuning import TUNING, ChangeCosts, Tuning
from rules.table.evidence import ChangedRegion, FrameDiff, ReferencePicture, TableEvidence
from rules.table.layout import Layout, Placed

SHEETS = (Kind.TILE, Kind.CARD)
STANDING = (Kind.PAWN, Kind.PYRAMID)
SPOT = Piece(Kind.COIN)
"""The size in which the parts of a tile's place are compared."""
ExposedPieces = Sequence[tuple[Placed, float]]


@dataclass(frozen=True, slots=True)
class Keyframe:
    """A moment with a known layout: after `actions` the board lay in `pose`. Older keyframes follow, to fall back on if
    this one proves wrong."""

    reference: ReferencePicture
    pose: Registration
    actions: tuple[Action, ...]
    older: Keyframe | None = None

    def valid_for(self, actions: tuple[Action, ...]) -> Keyframe | None:
        """The latest keyframe whose actions begin this history; later ones were refuted."""
        if actions[: len(self.actions)] == self.actions:
            return self
        return self.older.valid_for(actions) if self.older else None

    def truncated(self, depth: int) -> Keyframe:
        return replace(self, older=self.older.truncated(depth - 1) if self.older and depth else None)


def new_keyframe(
    layout: Layout,
    pose: Registration,
    actions: tuple[Action, ...],
    frame: TableEvidence,
    previous: Keyframe | None,
    tuning: Tuning = TUNING,
) -> Keyframe | None:
    """The keyframe of this layout in this pose; the previous one without a picture. None while nothing lies on the
    board, as the first tile will define its frame."""
    if not layout.board:
        return None
    if frame.picture is None:
        return previous
    reference = frame.picture.remember(layout, pose, frame.table, previous.reference if previous else None)
    if reference is None:
        return previous
    history = previous.older if previous is not None and previous.actions == actions else previous
    older = history.truncated(tuning.change.max_keyframes) if history else None
    return Keyframe(reference, pose, actions, older)


def change_evidence(frame: TableEvidence, keyframe: Keyframe | None, tuning: Tuning = TUNING) -> ChangeEvidence | None:
    """The change since the keyframe, where there are pictures of both moments."""
    if keyframe is None or frame.picture is None:
        return None
    diff = frame.picture.compared(keyframe.reference, frame.table)
    return None if diff is None else ChangeEvidence(diff, keyframe, tuning)


class ChangeEvidence:
    """The difference of two pictures, to be compared with layouts."""

    def __init__(self, diff: FrameDiff, keyframe: Keyframe, tuning: Tuning) -> None:
        self.tuning = tuning
        self._costs = costs = tuning.change
        self.diff = diff
        self.exposed_before = exposed_before = exposed(keyframe.reference.layout, tuning)
        self._keyframe = keyframe
        self._sheet_kept: dict[tuple[Kind, float, float, int], bool] = {}
        self._by_key = {placed.key: placed for placed, _ in exposed_before}
        self._shadows: dict[tuple[Kind, float, float], frozenset[int]] = {}
        self.appearances = _AppearanceIndex((placed for placed, _ in exposed_before), tuning)
        self._board = [(p.x, p.y, half_extent(p.piece) + costs.edge_spaces) for p, _ in exposed_before]
        self.board_regions = [n for n, region in enumerate(diff.regions) if self._is_board_place(region.x, region.y)]

    def is_untouched(self, placed: Placed) -> bool:
        """Whether the place of this piece is unchanged."""
        chance = self.diff.changed(placed)
        return chance is not None and chance <= self._costs.unchanged_chance

    def is_unchanged_sheet(self, placed: Placed) -> bool:
        """Whether too much of a tile's or card's place is unchanged for one to have come or gone."""
        if placed.piece.kind not in SHEETS:
            return False
        key = placed.piece.kind, placed.x, placed.y, placed.level
        if key not in self._sheet_kept:
            untouched = sum(self.is_untouched(spot) for spot in quarters(placed))
            self._sheet_kept[key] = untouched >= self._costs.kept_quarters
        return self._sheet_kept[key]

    def matches_region_size(self, placed: Placed) -> bool:
        """Whether the piece may have caused the change; it is too small for a lamp's trace across the table."""
        return max(self.diff.region_shares(placed).values(), default=0.0) >= self._costs.min_own_share

    def may_be_undetected(self, placed: Placed) -> bool:
        """Whether the change there may be this piece, newly laid and not detected. One that was there before and only
        shifted a little, as others came or went, was detected before and would be still."""
        before = self._by_key.get(placed.key)
        was_there = before is not None and before.shown == placed.shown
        offset = math.hypot(before.x - placed.x, before.y - placed.y) if before is not None and was_there else math.inf
        return offset >= self._costs.drawn_aside_spaces and self.matches_region_size(placed)

    def shadow_regions(self, placed: Placed) -> frozenset[int]:
        """The changed regions that may be a shadow of this piece."""
        key = placed.piece.kind, placed.x, placed.y
        if key not in self._shadows:
            regions = enumerate(self.diff.regions)
            self._shadows[key] = frozenset(n for n, region in regions if _may_cast(placed, region, self._costs))
        return self._shadows[key]

    def fit(self, shown: ExposedPieces) -> ChangeFit:
        """How the layout with these exposed pieces accounts for the change."""
        return ChangeFit(self, shown)

    def _is_board_place(self, x: float, y: float) -> bool:
        return any(max(abs(x - board_x), abs(y - board_y)) < reach for board_x, board_y, reach in self._board)


class ChangeSinceQuestion:
    """The picture since an open question was asked, at the places where its answers laid something. Only what is new
    since then tells the answers apart: their pieces may be detected as badly now as then."""

    def __init__(self, diff: FrameDiff, laid: Iterable[Placed], tuning: Tuning) -> None:
        """`diff`: from the picture of the question. `laid`: what the answers laid on the board."""
        self._costs, self._same = tuning.change, tuning.places.same
        places = {(round(placed.x, 1), round(placed.y, 1)): placed for placed in laid}
        changes = [(placed, diff.changed(placed)) for placed in places.values()]
        self._changes = [(placed, chance) for placed, chance in changes if chance is not None]

    def nats(self, then: Layout, now: Layout) -> float:
        """Cost of this layout now, if that one lay when the question was asked."""
        return sum(
            _no_change_nats(chance, self._costs)
            if self._visible_at(placed, then) != self._visible_at(placed, now)
            else min(_no_change_nats(1.0 - chance, self._costs), self._costs.region_nats)
            for placed, chance in self._changes
        )

    def _visible_at(self, placed: Placed, layout: Layout) -> tuple[object, ...]:
        """What lies there, as a picture shows it."""
        lying = [p for p in layout.board if max(abs(p.x - placed.x), abs(p.y - placed.y)) < self._same]
        top = max(lying, key=lambda p: p.level, default=None)
        return () if top is None else (top.shown, top.face, top.pose, round(top.angle), top.level)


class ChangeFit:
    """How well one layout accounts for the changed regions."""

    def __init__(self, evidence: ChangeEvidence, exposed: ExposedPieces) -> None:
        self._evidence = evidence
        self._costs, self._heights = evidence.tuning.change, evidence.tuning.heights
        self._unchanged: set[int] = set()
        exposed_before: set[int] = set()
        added: list[Placed] = []
        displaced: list[Placed] = []
        for placed, share in exposed:
            matching = evidence.appearances.matching(placed)
            if matching:
                self._unchanged.add(id(placed))
                exposed_before.update(map(id, matching))
            # The new top of a pile may look like the old one, but lies lower: its edges change.
            if share >= self._heights.partly and all(match.level != placed.level for match in matching):
                added.append(placed)
                displaced += matching
        self._added = added
        self._removed = [
            placed
            for placed, share in evidence.exposed_before
            if share >= self._heights.partly and id(placed) not in exposed_before
        ]
        self._explained: dict[int, float] = defaultdict(float)
        for placed in (*self._removed, *added, *displaced):
            for index, share in evidence.diff.region_shares(placed).items():
                self._explained[index] += self._costs.region_margin * share
        self._explain_shadows(added, self._removed)

    def _explain_shadows(self, added: Sequence[Placed], removed: Sequence[Placed]) -> None:
        """Shadows of what stands come and go with it. A larger dark region may be the bare table."""
        darker = Counter(index for placed in added for index in self._evidence.shadow_regions(placed))
        lighter = Counter(index for placed in removed for index in self._evidence.shadow_regions(placed))
        for index in darker.keys() | lighter.keys():
            region = self._evidence.diff.regions[index]
            largest = self._costs.max_shadow_coins / region.size
            self._explained[index] += min(region.darker, largest * darker[index])
            self._explained[index] += min(region.lighter, largest * lighter[index])

    def surprise(
        self, placed: Placed, share: float, surprise: float, certainty: float, overlooked_nats: float = math.inf
    ) -> float:
        """Nats of this piece, given the nats by detections alone. `certainty`: the detector's, 0 if it is not detected.
        `overlooked_nats`: of not being detected where something is new. Pieces that are mostly covered are not
        compared."""
        if share < self._heights.partly:
            return surprise * share
        chance = self._evidence.diff.changed(placed)
        if chance is None:
            return surprise
        if id(placed) in self._unchanged:
            if chance <= self._costs.unchanged_chance or self._evidence.is_unchanged_sheet(placed):
                return 0.0
            return surprise * (self._costs.behind_factor if self._is_behind(placed, certainty) else 1.0)
        if certainty <= 0.0:
            # Where nothing changed, nothing came that the detector could have missed.
            if chance > self._costs.unchanged_chance and self._evidence.may_be_undetected(placed):
                surprise = min(surprise, self._costs.missed_nats, overlooked_nats)
            return max(surprise, _no_change_nats(chance, self._costs))
        return max(surprise, min(_no_change_nats(chance, self._costs), self._costs.contradicted_nats))

    def _is_behind(self, placed: Placed, certainty: float) -> bool:
        """Whether the change at an unchanged piece is all its neighbours'. One that is not detected any more, with as
        much change as it would leave, may have gone with them."""
        if certainty <= 0.0 and self._evidence.matches_region_size(placed):
            return False
        touching = (
            index
            for index, share in self._evidence.diff.region_shares(placed).items()
            if share > self._costs.touching_share
        )
        return all(self._explained[index] >= self._costs.full_region_coins for index in touching)

    def add_unexplained(self, tally: Tally) -> None:
        """Adds the cost of pieces that should be gone where nothing changed, and of unexplained regions."""
        diff, costs = self._evidence.diff, self._costs
        for placed in self._removed:
            chance = diff.changed(placed)
            if chance is not None:
                tally.add(
                    TermKind.REGION, _no_change_nats(chance, costs), placed, note="should be gone, and nothing changed"
                )
        for index, share in self._unexplained_shares():
            region = diff.regions[index]
            tally.add(TermKind.REGION, costs.region_nats * share, at=(region.x, region.y), note="changed, unexplained")

    @property
    def unexplained_regions(self) -> int:
        """Number of unexplained regions on the board."""
        return sum(weight >= 1.0 for _, weight in self._unexplained_shares())

    @property
    def is_confirmed_by_picture(self) -> bool:
        """Whether the picture changed wherever something came or went, and nowhere else on the board."""
        chances = [self._evidence.diff.changed(placed) for placed in (*self._removed, *self._added)]
        known = [chance for chance in chances if chance is not None]
        return bool(known) and self.unexplained_regions == 0 and min(known) > self._costs.unchanged_chance

    def _unexplained_shares(self) -> Iterator[tuple[int, float]]:
        """Index and unexplained share of each changed region of the board, from 0 to 1."""
        for index in self._evidence.board_regions:
            size = self._evidence.diff.regions[index].size * max(0.0, 1 - self._explained[index])
            if size > self._costs.min_region_coins:
                yield index, min(1.0, size / self._costs.full_region_coins)


def quarters(placed: Placed) -> list[Placed]:
    """The four parts of a tile's or card's place, each compared as a coin on it."""
    half = half_extent(placed.piece) / 2
    return [replace(placed, piece=SPOT, x=placed.x + i * half, y=placed.y + j * half) for i in (-1, 1) for j in (-1, 1)]


def _may_cast(placed: Placed, region: ChangedRegion, costs: ChangeCosts) -> bool:
    is_upright = placed.piece.kind in (Kind.PAWN, Kind.PYRAMID, Kind.DIE)
    return is_upright and math.hypot(placed.x - region.x, placed.y - region.y) < costs.shadow_spaces


def _no_change_nats(chance: float, costs: ChangeCosts) -> float:
    return min(costs.unchanged_nats, max(0.0, -2 * math.log(max(chance, 1e-3)) - costs.doubt_nats))


class _AppearanceIndex:
    """The visible pieces of a layout by appearance."""

    def __init__(self, pieces: Iterable[Placed], tuning: Tuning) -> None:
        self._same, self._turned = tuning.places.same, tuning.change.turned_deg
        self._at: dict[object, list[Placed]] = defaultdict(list)
        for placed in pieces:
            self._at[placed.shown, placed.face, placed.pose].append(placed)

    def matching(self, placed: Placed) -> list[Placed]:
        """The pieces that look the same at the same spot, and point the same way where they point anywhere."""
        is_directed = (
            placed.piece.kind is Kind.CARD
            or (placed.piece.kind is Kind.TILE and placed.face is Face.FRONT)
            or (placed.piece.kind is Kind.PYRAMID and placed.pose is Pose.FLAT)
        )
        return [
            one
            for one in self._at.get((placed.shown, placed.face, placed.pose), ())
            if abs(one.x - placed.x) < self._same
            and abs(one.y - placed.y) < self._same
            and not (is_directed and abs((one.angle - placed.angle + 180) % 360 - 180) >= self._turned)
        ]

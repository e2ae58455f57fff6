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
from rules.referee.detection_rates import FalsePositive
from rules.referee.exposure import exposed
from rules.referee.fit import Tally, TermKind
from rules.referee.register import Registration
from rules.referee.tuning import TUNING, ChangeCosts, Tuning
from rules.table.evidence import COIN_AREA, ChangedRegion, FrameDiff, PictureEvidence, ReferencePicture, TableEvidence
from rules.table.layout import Layout, Placed, Zone
from rules.table.observed import ObservedTable, Sighting

SHEETS = (Kind.TILE, Kind.CARD)
STANDING = (Kind.PAWN, Kind.PYRAMID)
SPOT = Piece(Kind.COIN)
"""The size in which the parts of a tile's place are compared."""
ExposedPieces = Sequence[tuple[Placed, float]]


@dataclass(frozen=True, slots=True)
class Keyframe:
    """A moment with a known layout: after `actions` the board lay in `pose`. `false_positives`: detections then that
    were none of its pieces. Older keyframes follow, to fall back on if this one proves wrong."""

    reference: ReferencePicture
    pose: Registration
    actions: tuple[Action, ...]
    false_positives: tuple[FalsePositive, ...] = ()
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
    false_positives: tuple[FalsePositive, ...],
    previous: Keyframe | None,
    tuning: Tuning = TUNING,
) -> Keyframe | None:
    """The keyframe of this layout in this pose; the previous one without a picture. `false_positives`: detections
    that are none of its pieces. None while nothing lies on the board, as the first tile will define its frame."""
    if not layout.board:
        return None
    if frame.picture is None:
        return previous
    reference = frame.picture.remember(layout, pose, frame.table, previous.reference if previous else None)
    if reference is None:
        return previous
    history = previous.older if previous is not None and previous.actions == actions else previous
    older = history.truncated(tuning.change.max_keyframes) if history else None
    return Keyframe(reference, pose, actions, false_positives, older)


def change_evidence(frame: TableEvidence, keyframe: Keyframe | None, tuning: Tuning = TUNING) -> ChangeEvidence | None:
    """The change since the keyframe, where there are pictures of both moments."""
    if keyframe is None or frame.picture is None:
        return None
    diff = frame.picture.compared(keyframe.reference, frame.table)
    return None if diff is None else ChangeEvidence(diff, keyframe, frame.table, frame.picture, tuning)


class ChangeEvidence:
    """The difference of two pictures, to be compared with layouts."""

    def __init__(
        self, diff: FrameDiff, keyframe: Keyframe, table: ObservedTable, picture: PictureEvidence, tuning: Tuning
    ) -> None:
        self.tuning = tuning
        self._table, self._picture = table, picture
        self._costs = costs = tuning.change
        self.diff = diff
        self.exposed_before = exposed_before = exposed(keyframe.reference.layout, tuning)
        self._keyframe = keyframe
        self._sheet_kept: dict[tuple[Kind, float, float, int], bool] = {}
        self._by_key = {placed.key: placed for placed, _ in exposed_before}
        self._shadows: dict[tuple[Kind, float, float], frozenset[int]] = {}
        self.appearances = _AppearanceIndex((placed for placed, _ in exposed_before), tuning)
        self._board = [(p.x, p.y, half_extent(p.piece) + costs.edge_spaces) for p, _ in exposed_before]
        self._board += _free_places(keyframe.reference.layout, costs)
        self._standing = {p.piece.kind: p for p in keyframe.reference.layout if p.piece.kind in STANDING}
        self.region_on_board = [self._is_on_board(n, trace) for n, trace in enumerate(diff.regions)]

    def matches_earlier(self, keyframe: Keyframe, places: Iterable[Placed]) -> bool:
        """Whether these places may look as in that keyframe: pushing a piece aside does not remove it."""
        pieces = list(places)
        diff_then = self._picture.compared(keyframe.reference, self._table)
        if diff_then is None:
            return True
        chances = (diff_then.changed(placed) for placed in pieces)
        if any(chance is not None and chance > self._costs.unchanged_chance for chance in chances):
            return False
        return not any(
            region.size * (1 - region.darker - region.lighter) > self._costs.full_region_coins / 2
            and math.hypot(placed.x - region.x, placed.y - region.y) < self._costs.pushed_spaces
            for region in diff_then.regions
            for placed in pieces
        )

    def is_known(self, placed: Placed, sighting: Sighting) -> bool:
        """Whether a detection of this piece is no news: nothing changed there, or it was a false positive before."""
        if self.is_untouched(placed) or self._is_part_of_like_sheets(placed):
            return True
        within, other_chance = self.tuning.places.same, self.tuning.places.other_chance
        return any(
            error.explains(sighting, placed.x, placed.y, within, other_chance)
            for error in self._keyframe.false_positives
        )

    def is_untouched(self, placed: Placed) -> bool:
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

    def _is_part_of_like_sheets(self, placed: Placed) -> bool:
        """Whether it is a tile made up by lines and seams of the unchanged ones beneath it."""
        if not self.is_unchanged_sheet(placed):
            return False
        beneath = [p for p, _ in self.exposed_before if p.piece.kind in SHEETS and _overlap(p, placed)]
        return bool(beneath) and all(p.piece.kind is placed.piece.kind and p.face is placed.face for p in beneath)

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
        key = placed.piece.kind, placed.x, placed.y
        if key not in self._shadows:
            regions = enumerate(self.diff.regions)
            self._shadows[key] = frozenset(n for n, region in regions if _may_shade(placed, region, self._costs))
        return self._shadows[key]

    def _is_on_board(self, index: int, region: ChangedRegion) -> bool:
        """Whether the region is the board's, or that of a piece which stands on it and hides what is behind."""
        if self._is_board_place(region.x, region.y):
            return True
        candidates = (
            replace(piece, x=place.x, y=place.y, zone=Zone.BOARD)
            for place in self._keyframe.reference.layout.places
            if math.hypot(region.x - place.x, region.y - place.y) < self._costs.shadow_spaces
            and self._is_board_place(place.x, place.y)
            for piece in self._standing.values()
        )
        return any(
            self.diff.region_shares(candidate).get(index, 0.0) >= self._costs.full_region_coins
            and not self.is_untouched(candidate)
            for candidate in candidates
        )

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
        """Shadows of what stands come and go with it, and short ones of coins on a tile's edge. A larger dark region
        may be the bare table."""
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
        compared; what was so before, and is not detected now, is as easily overlooked as what came."""
        if share < self._heights.partly:
            return surprise * share
        chance = self._evidence.diff.changed(placed)
        if chance is None:
            return surprise
        is_uncovered = certainty <= 0.0 and self._was_covered(placed)
        if id(placed) in self._unchanged and not is_uncovered:
            if (
                chance > self._costs.unchanged_chance
                and certainty >= self._evidence.tuning.accusation.min_certainty
                and surprise <= self._evidence.tuning.likelihood.explained_nats
            ):
                self._explain_own_region(placed)
            if chance <= self._costs.unchanged_chance or self._evidence.is_unchanged_sheet(placed):
                return 0.0
            return surprise * (self._costs.behind_factor if self._is_behind(placed, certainty) else 1.0)
        if certainty <= 0.0:
            # Where nothing changed, nothing came that the detector could have missed.
            evidence = self._evidence
            may_be_it = evidence.matches_region_size if is_uncovered else evidence.may_be_undetected
            if chance > self._costs.unchanged_chance and may_be_it(placed):
                surprise = min(surprise, self._costs.missed_nats, overlooked_nats)
            return max(surprise, _no_change_nats(chance, self._costs))
        return max(surprise, min(_no_change_nats(chance, self._costs), self._costs.contradicted_nats))

    def _was_covered(self, placed: Placed) -> bool:
        """Whether this piece lay there before, mostly covered."""
        before = set(map(id, self._evidence.appearances.matching(placed)))
        shares = [share for piece, share in self._evidence.exposed_before if id(piece) in before]
        return bool(shares) and max(shares) < self._heights.partly

    def _explain_own_region(self, placed: Placed) -> None:
        """A changed region of the size of a piece that is detected as before is glare or shadow on it, and explained. A
        smaller one may be something that lies on it."""
        diff = self._evidence.diff
        area = (2 * half_extent(placed.piece)) ** 2 / COIN_AREA
        for index, share in diff.region_shares(placed).items():
            size = diff.regions[index].size
            if size > self._costs.full_region_coins * area:
                self._explained[index] += min(share, area / size)

    def _is_behind(self, placed: Placed, certainty: float) -> bool:
        """Whether the change at an unchanged piece is all its neighbours'. One that is not detected any more, with as
        much change as it would leave, may have gone with them, unless it is hidden."""
        if self._is_itself_changed(placed):
            return False
        if certainty <= 0.0 and self._evidence.matches_region_size(placed) and not self._is_hidden(placed):
            return False
        touching = (
            index
            for index, share in self._evidence.diff.region_shares(placed).items()
            if share > self._costs.touching_share
        )
        return all(self._explained[index] >= self._costs.full_region_coins for index in touching)

    def _is_itself_changed(self, placed: Placed) -> bool:
        """Whether the middle of a tile or card changed, and nothing that stands came or went beside it: what is flat
        changes no more than the edges of its neighbours."""
        if placed.piece.kind not in SHEETS or self._evidence.is_untouched(replace(placed, piece=SPOT)):
            return False
        return not any(_may_cast(piece, placed, self._costs) for piece in (*self._added, *self._removed))

    def _is_hidden(self, placed: Placed) -> bool:
        """Whether a new piece or its shadow may hide this one; not a tile of which every quarter changed."""
        if placed.piece.kind in SHEETS and not any(self._evidence.is_untouched(spot) for spot in quarters(placed)):
            return False
        return any(_may_cast(piece, placed, self._costs) for piece in self._added)

    def add_unexplained(self, tally: Tally) -> None:
        """Adds the cost of pieces that should be gone where nothing changed, and of unexplained regions."""
        diff, costs = self._evidence.diff, self._costs
        for placed in self._removed:
            chance = diff.changed(placed)
            if chance is not None:
                tally.add(
                    TermKind.REGION, _no_change_nats(chance, costs), placed, note="should be gone, and nothing changed"
                )
        for index, share in self._unexplained_shares(region_on_board=True):
            region = diff.regions[index]
            tally.add(TermKind.REGION, costs.region_nats * share, at=(region.x, region.y), note="changed, unexplained")

    def off_board_confirmation(self, pieces: Iterable[Placed]) -> float:
        """Nats of unexplained regions beyond the board in which unexplained detections lie: something came there."""
        leaves = [self._evidence.diff.region_shares(placed) for placed in pieces]
        touched = {index for shares in leaves for index, share in shares.items() if share > self._costs.touching_share}
        return self._costs.region_nats * sum(
            share for index, share in self._unexplained_shares(region_on_board=False) if index in touched
        )

    @property
    def unexplained_regions(self) -> int:
        return sum(weight >= 1.0 for _, weight in self._unexplained_shares(region_on_board=True))

    @property
    def is_confirmed_by_picture(self) -> bool:
        """Whether the picture changed wherever something came or went, and nowhere else on the board."""
        chances = [self._evidence.diff.changed(placed) for placed in (*self._removed, *self._added)]
        known = [chance for chance in chances if chance is not None]
        return bool(known) and self.unexplained_regions == 0 and min(known) > self._costs.unchanged_chance

    def _unexplained_shares(self, region_on_board: bool) -> Iterator[tuple[int, float]]:
        """Index and unexplained share of each changed region, from 0 to 1."""
        for index, (region, is_on) in enumerate(
            zip(self._evidence.diff.regions, self._evidence.region_on_board, strict=True)
        ):
            size = region.size * max(0.0, 1 - self._explained[index])
            if is_on is region_on_board and size > self._costs.min_region_coins:
                yield index, min(1.0, size / self._costs.full_region_coins)


def quarters(placed: Placed) -> list[Placed]:
    """The four parts of a tile's or card's place, each compared as a coin on it."""
    half = half_extent(placed.piece) / 2
    return [replace(placed, piece=SPOT, x=placed.x + i * half, y=placed.y + j * half) for i in (-1, 1) for j in (-1, 1)]


def _overlap(one: Placed, other: Placed) -> bool:
    """Whether a quarter of the one, at least, lies on the other."""
    return max(abs(one.x - other.x), abs(one.y - other.y)) < 1.5 * half_extent(one.piece)


def _may_cast(placed: Placed, onto: ChangedRegion | Placed, costs: ChangeCosts) -> bool:
    """Whether the shadow of this piece may fall there."""
    is_upright = placed.piece.kind in (Kind.PAWN, Kind.PYRAMID, Kind.DIE)
    return is_upright and math.hypot(placed.x - onto.x, placed.y - onto.y) < costs.shadow_spaces


def _may_shade(placed: Placed, region: ChangedRegion, costs: ChangeCosts) -> bool:
    """Whether the region may be this piece's shadow: a coin's is no larger than it and lies against it."""
    if placed.piece.kind is not Kind.COIN:
        return _may_cast(placed, region, costs)
    near = max(abs(placed.x - region.x), abs(placed.y - region.y)) < costs.coin_shadow_spaces
    return near and region.size <= costs.region_margin


def _free_places(layout: Layout, costs: ChangeCosts) -> list[tuple[float, float, float]]:
    """Named places, as x, y and half width, near which no piece waits."""
    waiting = [placed for placed in layout if placed.zone is not Zone.BOARD]
    reaches = ((place.x, place.y, max(place.width, place.height) / 2) for place in layout.places)
    return [
        (x, y, reach)
        for x, y, reach in reaches
        if all(max(abs(p.x - x), abs(p.y - y)) > reach + costs.room_spaces for p in waiting)
    ]


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

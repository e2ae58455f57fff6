"""What changed since the table was last known: how the picture itself weighs on an explanation.

Where a place looks as it did when the table was believed, what lies there lies there still, whatever the eyes make of
it today. Where it looks otherwise, something was done; an explanation must account for every such trace, and may not
claim that something came or went where nothing changed.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine.action import Action
from rules.pieces import Face, Kind, Piece, Pose
from rules.pieces.sizes import half_extent
from rules.referee.detection_rates import DetectionRates, FalsePositive
from rules.referee.exposure import exposed
from rules.referee.fit import Tally, TermKind
from rules.referee.register import Registration
from rules.referee.tuning import TUNING, ChangeCosts, Tuning
from rules.table.evidence import COIN_AREA, ChangedRegion, FrameDiff, PictureEvidence, ReferencePicture, TableEvidence
from rules.table.layout import Layout, Placed, Zone
from rules.table.observed import ObservedTable

SHEETS = (Kind.TILE, Kind.CARD)
STANDING = (Kind.PAWN, Kind.PYRAMID)
SPOT = Piece(Kind.COIN)
"""So large are the parts of a tile's place that are asked about one by one."""
Exposed = Sequence[tuple[Placed, float]]


@dataclass(frozen=True, slots=True)
class Keyframe:
    """A moment at which the table was known: after these actions the board lay so. `strange` is what the eyes saw that
    was not there. Older ones follow, so that what proves wrong can be forgotten."""

    remembered: ReferencePicture
    lies: Registration
    actions: tuple[Action, ...]
    strange: tuple[FalsePositive, ...] = ()
    earlier: Keyframe | None = None

    def holding(self, actions: tuple[Action, ...]) -> Keyframe | None:
        """The latest moment that is still believed when these are the actions: what came after another one is not."""
        if actions[: len(self.actions)] == self.actions:
            return self
        return self.earlier.holding(actions) if self.earlier else None

    def cut(self, depth: int) -> Keyframe:
        return replace(self, earlier=self.earlier.cut(depth - 1) if self.earlier and depth else None)


def believed(
    layout: Layout,
    lies: Registration,
    actions: tuple[Action, ...],
    seen: TableEvidence,
    doubts: DetectionRates,
    before: Keyframe | None,
    tuning: Tuning = TUNING,
) -> Keyframe | None:
    """What is known from now on: this layout lies here, and `doubts` are what the eyes make of it all the same. A board
    on which nothing lies yet lies nowhere: the first tile will tell where it is."""
    if not layout.board:
        return None
    if seen.picture is None:
        return before
    remembered = seen.picture.remember(layout, lies, seen.table, before.remembered if before else None)
    if remembered is None:
        return before
    earlier = before.earlier if before is not None and before.actions == actions else before
    older = earlier.cut(tuning.change.max_keyframes) if earlier else None
    return Keyframe(remembered, lies, actions, doubts.false_positives, older)


def change_evidence(seen: TableEvidence, known: Keyframe | None, tuning: Tuning = TUNING) -> ChangeEvidence | None:
    """What changed since then, where there are pictures of both moments."""
    if known is None or seen.picture is None:
        return None
    testimony = seen.picture.compared(known.remembered, seen.table)
    return None if testimony is None else ChangeEvidence(testimony, known, seen.table, seen.picture, tuning)


class ChangeEvidence:
    """A testimony, asked about whole layouts."""

    def __init__(
        self, testimony: FrameDiff, known: Keyframe, table: ObservedTable, picture: PictureEvidence, tuning: Tuning
    ) -> None:
        self.tuning = tuning
        self._table, self._picture = table, picture
        self._comparing = comparing = tuning.change
        self.testimony = testimony
        self.was = was = exposed(known.remembered.layout, tuning)
        self._known = known
        self._strange = known.strange
        self._kept: dict[tuple[Kind, float, float, int], bool] = {}
        self._by_key = {placed.key: placed for placed, _ in was}
        self._shadows: dict[tuple[Kind, float, float], frozenset[int]] = {}
        self.looks = _AppearanceIndex((placed for placed, _ in was), tuning)
        self._board = [(p.x, p.y, half_extent(p.piece) + comparing.edge_spaces) for p, _ in was]
        self._board += _free_places(known.remembered.layout, comparing)
        self._standing = {p.piece.kind: p for p in known.remembered.layout if p.piece.kind in STANDING}
        self.on_board = [self._lies_on_board(n, trace) for n, trace in enumerate(testimony.traces)]

    def matches_earlier(self, earlier: Keyframe, places: Iterable[Placed]) -> bool:
        """Whether these places may look again as they did at that moment, and what lies about them: what was only
        pushed aside was not taken away."""
        asked = list(places)
        then = self._picture.compared(earlier.remembered, self._table)
        if then is None:
            return True
        chances = (then.changed(placed) for placed in asked)
        if any(chance is not None and chance > self._comparing.unchanged_chance for chance in chances):
            return False
        return not any(
            trace.size * (1 - trace.darker - trace.lighter) > self._comparing.full_region_coins / 2
            and math.hypot(placed.x - trace.x, placed.y - trace.y) < self._comparing.pushed_spaces
            for trace in then.traces
            for placed in asked
        )

    def is_old_news(self, placed: Placed) -> bool:
        """Whether what the eyes take for this piece is no news: nothing changed there, or they took it so before."""
        if self.is_untouched(placed) or self._is_part_of_like_sheets(placed):
            return True
        return any(
            one.kind is placed.piece.kind and math.hypot(one.x - placed.x, one.y - placed.y) < self.tuning.places.same
            for one in self._strange
        )

    def is_untouched(self, placed: Placed) -> bool:
        chance = self.testimony.changed(placed)
        return chance is not None and chance <= self._comparing.unchanged_chance

    def is_unchanged_sheet(self, placed: Placed) -> bool:
        """Whether so much of the place of a tile or a card looks as it did that none came or went there: what is laid
        on one, or taken off it, changes a part of it."""
        if placed.piece.kind not in SHEETS:
            return False
        where = placed.piece.kind, placed.x, placed.y, placed.level
        if where not in self._kept:
            untouched = sum(self.is_untouched(spot) for spot in quarters(placed))
            self._kept[where] = untouched >= self._comparing.kept_quarters
        return self._kept[where]

    def _is_part_of_like_sheets(self, placed: Placed) -> bool:
        """Whether it is a tile that shows what those show that lay there: their lines and seams make up another one."""
        if not self.is_unchanged_sheet(placed):
            return False
        beneath = [p for p, _ in self.was if p.piece.kind in SHEETS and _overlap(p, placed)]
        return bool(beneath) and all(p.piece.kind is placed.piece.kind and p.face is placed.face for p in beneath)

    def matches_region_size(self, placed: Placed) -> bool:
        """Whether what changed there may be this piece's doing: a lamp's trace across the table is no news of it."""
        return max(self.testimony.leaves(placed).values(), default=0.0) >= self._comparing.min_own_share

    def may_be_missed(self, placed: Placed) -> bool:
        """Whether what changed there may be this piece, newly laid and not seen. What lay there before and is only
        drawn a little aside, as others came or went, was seen before and would be still."""
        was = self._by_key.get(placed.key)
        if was is not None and was.shown == placed.shown:
            aside = math.hypot(was.x - placed.x, was.y - placed.y)
            return aside >= self._comparing.drawn_aside_spaces and self.matches_region_size(placed)
        return self.matches_region_size(placed)

    def shadows(self, placed: Placed) -> frozenset[int]:
        """The traces that may be a shadow of this piece."""
        where = placed.piece.kind, placed.x, placed.y
        if where not in self._shadows:
            traces = enumerate(self.testimony.traces)
            self._shadows[where] = frozenset(n for n, trace in traces if _shades(placed, trace, self._comparing))
        return self._shadows[where]

    def of(self, shown: Exposed) -> ChangeFit:
        return ChangeFit(self, shown)

    def _lies_on_board(self, index: int, trace: ChangedRegion) -> bool:
        """Whether it is the board's, or what stands on one of its places would leave it: that is seen before what lies
        behind it."""
        if self._is_of_board(trace.x, trace.y):
            return True
        standing = (
            piece._replace(x=place.x, y=place.y, zone=Zone.BOARD)
            for place in self._known.remembered.layout.places
            if math.hypot(trace.x - place.x, trace.y - place.y) < self._comparing.shadow_spaces
            and self._is_of_board(place.x, place.y)
            for piece in self._standing.values()
        )
        return any(
            self.testimony.leaves(one).get(index, 0.0) >= self._comparing.full_region_coins
            and not self.is_untouched(one)
            for one in standing
        )

    def _is_of_board(self, x: float, y: float) -> bool:
        return any(max(abs(x - i), abs(y - j)) < reach for i, j, reach in self._board)


class ChangeFit:
    """How one layout accounts for what changed: what came and what went leaves traces, the rest stays as it was."""

    def __init__(self, since: ChangeEvidence, shown: Exposed) -> None:
        self._since = since
        self._comparing, self._heights = since.tuning.change, since.tuning.heights
        self._stayed: set[int] = set()
        was: set[int] = set()
        other: list[Placed] = []
        higher: list[Placed] = []
        for placed, share in shown:
            alike = since.looks.alike(placed)
            if alike:
                self._stayed.add(id(placed))
                was.update(map(id, alike))
            # The top of a pile looks the same when one was taken, but lies lower: its edges went and came.
            if share >= self._heights.partly and all(one.level != placed.level for one in alike):
                other.append(placed)
                higher += alike
        self._came = other
        self._gone = [placed for placed, share in since.was if share >= self._heights.partly and id(placed) not in was]
        self._explained: dict[int, float] = defaultdict(float)
        for placed in (*self._gone, *other, *higher):
            for index, share in since.testimony.leaves(placed).items():
                self._explained[index] += self._comparing.region_margin * share
        self._shaded(other, self._gone)

    def _shaded(self, came: Sequence[Placed], gone: Sequence[Placed]) -> None:
        """What stands casts a shadow: one comes and goes with it, beside it. So does what lies on the edge of a tile, a
        short one. No shadow of theirs is as large as a tile: what is as dark there may be the bare table."""
        darker = Counter(index for placed in came for index in self._since.shadows(placed))
        lighter = Counter(index for placed in gone for index in self._since.shadows(placed))
        for index in darker.keys() | lighter.keys():
            trace = self._since.testimony.traces[index]
            largest = self._comparing.max_shadow_coins / trace.size
            self._explained[index] += min(trace.darker, largest * darker[index])
            self._explained[index] += min(trace.lighter, largest * lighter[index])

    def surprise(self, placed: Placed, share: float, surprise: float, seen: float) -> float:
        """How surprising this piece is there, when the eyes by themselves are surprised so much; `seen`: how certain
        they are of it. Of what is hardly open to view nothing is known."""
        if share < self._heights.partly:
            return surprise * share
        chance = self._since.testimony.changed(placed)
        if chance is None:
            return surprise
        if id(placed) in self._stayed:
            if (
                chance > self._comparing.unchanged_chance
                and seen >= self._comparing.sure_certainty
                and surprise <= self._comparing.as_before_nats
            ):
                self._confirmed(placed)
            if self._since.is_unchanged_sheet(placed):
                return 0.0
            return (
                0.0
                if chance <= self._comparing.unchanged_chance
                else surprise * (self._comparing.behind_factor if self._is_behind(placed, seen) else 1.0)
            )
        if seen <= 0.0:
            # Where the place looks as it did nothing came that the eyes could have overlooked.
            overlooked = chance > self._comparing.unchanged_chance and self._since.may_be_missed(placed)
            missed = min(surprise, self._comparing.missed_nats) if overlooked else surprise
            return max(missed, _denied(chance, self._comparing))
        return max(surprise, min(_denied(chance, self._comparing), self._comparing.contradicted_nats))

    def _confirmed(self, placed: Placed) -> None:
        """The eyes see it there as it was: glare or a shadow changed its look, and as much of a trace as it is large is
        no news. A trace that is smaller may be something that lies on it now."""
        testimony = self._since.testimony
        area = (2 * half_extent(placed.piece)) ** 2 / COIN_AREA
        for index, share in testimony.leaves(placed).items():
            size = testimony.traces[index].size
            if size > self._comparing.full_region_coins * area:
                self._explained[index] += min(share, area / size)

    def _is_behind(self, placed: Placed, seen: float) -> bool:
        """Whether all that changed at a piece that stayed is its neighbours' doing. One that is not seen any more,
        where as much changed as it would leave, may have gone with them, unless something stands in its way now."""
        if seen <= 0.0 and self._since.matches_region_size(placed) and not self._is_hidden(placed):
            return False
        touching = (
            index
            for index, share in self._since.testimony.leaves(placed).items()
            if share > self._comparing.touching_share
        )
        return all(self._explained[index] >= self._comparing.full_region_coins for index in touching)

    def _is_hidden(self, placed: Placed) -> bool:
        """Whether something came that stands so near that it, or its shadow, may hide this piece. A tile of which every
        quarter changed is hidden by nothing that stands on it."""
        if placed.piece.kind in SHEETS and not any(self._since.is_untouched(spot) for spot in quarters(placed)):
            return False
        here = ChangedRegion(placed.x, placed.y, 1.0)
        return any(_casts(one, here, self._comparing) for one in self._came)

    def add_unexplained(self, tally: Tally) -> None:
        """For what should be gone and is not, and for traces that nothing explains."""
        testimony, comparing = self._since.testimony, self._comparing
        for placed in self._gone:
            chance = testimony.changed(placed)
            if chance is not None:
                tally.add(
                    TermKind.REGION, _denied(chance, comparing), placed, note="should be gone, and nothing changed"
                )
        for index, left in self._left_of(on_board=True):
            trace = testimony.traces[index]
            tally.add(TermKind.REGION, comparing.region_nats * left, at=(trace.x, trace.y), note="changed, unexplained")

    def off_board_confirmation(self, seen: Iterable[Placed]) -> float:
        """For traces beyond the board that nothing explains, and in which the eyes see what nothing explains either:
        there something came."""
        leaves = [self._since.testimony.leaves(placed) for placed in seen]
        touched = {index for each in leaves for index, share in each.items() if share > self._comparing.touching_share}
        return self._comparing.region_nats * sum(
            left for index, left in self._left_of(on_board=False) if index in touched
        )

    @property
    def traces(self) -> int:
        """How many traces on the board nothing explains."""
        return sum(weight >= 1.0 for _, weight in self._left_of(on_board=True))

    @property
    def is_confirmed_by_picture(self) -> bool:
        """Whether the picture changed wherever something came or went, and nowhere else on the board."""
        chances = [self._since.testimony.changed(placed) for placed in (*self._gone, *self._came)]
        told = [chance for chance in chances if chance is not None]
        return bool(told) and self.traces == 0 and min(told) > self._comparing.unchanged_chance

    def _left_of(self, on_board: bool) -> Iterator[tuple[int, float]]:
        """How much is left of each trace, 1 being all that can count."""
        for index, (trace, on) in enumerate(zip(self._since.testimony.traces, self._since.on_board, strict=True)):
            left = trace.size * max(0.0, 1 - self._explained[index])
            if on is on_board and left > self._comparing.min_region_coins:
                yield index, min(1.0, left / self._comparing.full_region_coins)


def quarters(placed: Placed) -> list[Placed]:
    """The four parts of a tile's or a card's place, each asked about as if a coin lay on it."""
    half = half_extent(placed.piece) / 2
    return [placed._replace(piece=SPOT, x=placed.x + i * half, y=placed.y + j * half) for i in (-1, 1) for j in (-1, 1)]


def _overlap(one: Placed, other: Placed) -> bool:
    """Whether a quarter of the one, at least, lies where the other lies, either way."""
    return max(abs(one.x - other.x), abs(one.y - other.y)) < 1.5 * half_extent(one.piece)


def _casts(placed: Placed, trace: ChangedRegion, comparing: ChangeCosts) -> bool:
    stands = placed.piece.kind in (Kind.PAWN, Kind.PYRAMID, Kind.DIE)
    return stands and math.hypot(placed.x - trace.x, placed.y - trace.y) < comparing.shadow_spaces


def _shades(placed: Placed, trace: ChangedRegion, comparing: ChangeCosts) -> bool:
    """Whether this piece may cast this shadow."""
    if placed.piece.kind is Kind.COIN:
        return _is_coin_shadow(placed, trace, comparing)
    return _casts(placed, trace, comparing)


def _is_coin_shadow(coin: Placed, trace: ChangedRegion, comparing: ChangeCosts) -> bool:
    """Whether it is no larger than the coin and lies against it."""
    near = max(abs(coin.x - trace.x), abs(coin.y - trace.y)) < comparing.coin_shadow_spaces
    return near and trace.size <= comparing.region_margin


def _free_places(layout: Layout, comparing: ChangeCosts) -> list[tuple[float, float, float]]:
    """Named places, and how far they reach, beside which nobody's things wait."""
    waiting = [placed for placed in layout if placed.zone is not Zone.BOARD]
    reaches = ((place.x, place.y, max(place.width, place.height) / 2) for place in layout.places)
    return [
        (x, y, reach)
        for x, y, reach in reaches
        if all(max(abs(p.x - x), abs(p.y - y)) > reach + comparing.room_spaces for p in waiting)
    ]


def _denied(chance: float, comparing: ChangeCosts) -> float:
    return min(comparing.unchanged_nats, max(0.0, -2 * math.log(max(chance, 1e-3)) - comparing.doubt_nats))


class _AppearanceIndex:
    """What is to be seen where."""

    def __init__(self, pieces: Iterable[Placed], tuning: Tuning) -> None:
        self._same, self._turned = tuning.places.same, tuning.change.turned_deg
        self._at: dict[object, list[Placed]] = defaultdict(list)
        for placed in pieces:
            self._at[_look(placed)].append(placed)

    def alike(self, placed: Placed) -> list[Placed]:
        """What shows the same at the same spot."""
        return [
            one
            for one in self._at.get(_look(placed), ())
            if abs(one.x - placed.x) < self._same
            and abs(one.y - placed.y) < self._same
            and _turned_alike(one, placed, self._turned)
        ]


def _look(placed: Placed) -> object:
    return placed.shown, placed.face, placed.pose


def _turned_alike(one: Placed, other: Placed, within: float) -> bool:
    directed = (
        one.piece.kind is Kind.CARD
        or (one.piece.kind is Kind.TILE and one.face is Face.FRONT)
        or (one.piece.kind is Kind.PYRAMID and one.pose is Pose.FLAT)
    )
    return not directed or abs((one.angle - other.angle + 180) % 360 - 180) < within

"""Negative log likelihood of a table given a layout, in nats; 0 is a perfect fit.

Every visible piece of the board is matched with a sighting near its place; every sighting on the board that matches no
piece costs as well. Pieces in hands and supplies have no exact place and weigh little.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from rules.pieces import Face, Kind, Piece, Pose, Suit
from rules.pieces.sizes import half_extent
from rules.referee.change_evidence import SHEETS, SPOT, STANDING, ChangeEvidence, ChangeFit, Keyframe, quarters
from rules.referee.detection_rates import NOTHING_LEARNED, DetectionRates, FalsePositive, PieceSort, Spot, sort, spot
from rules.referee.dice import is_off_board_die, off_board_dice
from rules.referee.exposure import HeightMap, exposed
from rules.referee.fit import (
    BoardSighting,
    Residual,
    Tally,
    Term,
    TermKind,
    level_of,
    placed_from,
    shows_other_side,
)
from rules.referee.observed_change import observed_change
from rules.referee.off_board import OffBoard, OffBoardDifference
from rules.referee.off_board_change import OffBoardChange, OffBoardState
from rules.referee.register import Registration
from rules.referee.tuning import TUNING, LikelihoodRates, SearchLimits, Tuning
from rules.table.change import Change, MovedPiece
from rules.table.layout import Layout, Placed, Zone, bounds
from rules.table.observed import ObservedTable, Sighting

_CLEAR = half_extent(SPOT) / 2
"""A quarter whose centre is this far from another tile's edge hardly lies on that tile, in spaces."""


class TableLikelihood:
    """One observed table in the board's frame, to be compared with many layouts. `layout` is the expected one; it
    bounds the board and tells whose pieces lie where beside it."""

    def __init__(
        self,
        observed: ObservedTable,
        registration: Registration,
        layout: Layout,
        detection: DetectionRates = NOTHING_LEARNED,
        evidence: ChangeEvidence | None = None,
        previous: OffBoardState | None = None,
        tuning: Tuning = TUNING,
    ) -> None:
        """`evidence`: the picture's change since the keyframe. `previous`: the pieces beside the board at the last
        explained look."""
        self.observed = observed
        self.tuning = tuning
        self._rates, self._heights, self._places = tuning.likelihood, tuning.heights, tuning.places
        self._detection = detection
        self._evidence = evidence
        self.registration = registration
        kinds, height_map = {placed.piece.kind for placed in layout}, HeightMap(layout.pieces, self._heights)
        sightings = enumerate((*observed.sightings, *observed.faint))
        located = [_located(index, sighting, registration, height_map) for index, sighting in sightings]
        clear, faint = located[: len(observed.sightings)], located[len(observed.sightings) :]
        min_certainty = self._rates.foreign_certainty
        self.seen = [s for s in clear if s.sighting.kind in kinds or s.sighting.certainty >= min_certainty]
        self._bins, self._faint = _binned(self.seen), _binned(faint)
        self._explained_cache: dict[tuple[object, ...], tuple[float, BoardSighting | None]] = {}
        self._fit_cache: dict[tuple[Placed, ...], Residual] = {}
        self._extent = _extent(layout, self._rates)
        self._suits_in_play = frozenset(p.piece.suit for p in layout if p.piece.kind is Kind.PYRAMID) - {None}
        marked = observed.is_marked
        self._dice_on_board = any(p.piece.kind is Kind.DIE for p in layout.board)
        to_lay = any(p.piece.kind in SHEETS and p.zone is not Zone.BOARD for p in layout)
        self._tile_reach = self._rates.three_tiles_reach if marked and to_lay else self._rates.one_tile_reach
        self._sheets_remain = to_lay and not marked
        self._board_pieces = layout.board
        self._expected = {(spot(placed), placed.shown) for placed in layout.board}
        self._board_keys = {placed.key for placed in layout.board}
        self._sheets = [p for p in layout.board if p.piece.kind in SHEETS]
        self._waiting = [p for p in layout if p.zone is not Zone.BOARD]
        self._place_centers = [(place.x, place.y) for place in layout.places]
        self._previous = previous
        on_board = [s for s in self.seen if self._is_near_board(s)]
        indices = {s.index for s in on_board}
        off_board_sightings = [s for s in self.seen if s.index not in indices]
        faint_off_board = [s for s in faint if not (self._is_near_board(s) or _is_duplicate(s, off_board_sightings))]
        self.off_board = OffBoard(off_board_sightings, layout, tuning.off_board, faint_off_board)
        self.off_board_sightings = (*off_board_sightings, *faint_off_board)
        changed = evidence.diff.changed if evidence is not None else None
        self._off_board_change = None
        if previous is not None:
            change = OffBoardChange(previous, self.off_board_sightings, layout, changed, tuning)
            self._off_board_change = change if change.is_reliable else None
        self._on_board = [s for s in on_board if not self._is_known_detection(s)]

    def fit(self, layout: Layout, terms: list[Term] | None = None) -> Residual:
        """The residual of a layout. The terms of its cost are appended to `terms`. Layouts that differ only in dice
        beside the board share the rest of the comparison."""
        dice = off_board_dice(layout)
        pieces = layout.pieces
        if dice and not self._dice_on_board:
            pieces = tuple(placed for placed in pieces if not is_off_board_die(placed))
        fit = self._fit_cache.get(pieces) if terms is None else None
        if fit is None:
            fit = self._fit_cache[pieces] = self._fit_without_dice(layout, terms)
        tally = Tally(terms)
        tally.add(TermKind.BESIDE, self.dice_nats(dice), note="dice")
        unread = sum(unstated_nats(placed) for placed in self.off_board.readable(dice))
        return replace(fit, cost=fit.cost + tally.nats, unread_dice=unread)

    def _fit_without_dice(self, layout: Layout, terms: list[Term] | None) -> Residual:
        """The residual without the faces of dice beside the board."""
        unstated = 0.0
        tally = Tally(terms)
        claimed: dict[int, float] = {}
        missing: list[tuple[Placed, float]] = []
        mismatched: list[tuple[Placed, BoardSighting]] = []
        exposed_pieces = exposed(layout, self.tuning)
        explained: list[Placed] = []
        change_fit = ChangeFit(self._evidence, exposed_pieces) if self._evidence is not None else None
        for placed, share in exposed_pieces:
            surprise, seen = self._best_explanation(placed, share)
            if change_fit is not None:
                certainty = seen.sighting.certainty if seen is not None else 0.0
                overlooked_nats = self._detection.overlooked_nats(placed, self.tuning.change.missed_nats)
                surprise = change_fit.surprise(placed, share, surprise, certainty, overlooked_nats)
            if surprise > self._rates.explained_nats and spot(placed) in self._detection.missed:
                misread = seen or self._sighting_at(placed)
                if misread is None:
                    continue
                if not (shows_other_side(placed, misread) and self._has_changed_since(placed)):
                    claimed[misread.index] = 0.0
                    continue
            tally.add(TermKind.PIECE, surprise, placed, seen)
            unstated += unstated_nats(placed) if seen is not None and _is_informative(seen.sighting) else 0.0
            if seen is not None:
                claimed[seen.index] = min(surprise, claimed.get(seen.index, math.inf))
                if surprise <= self._rates.explained_nats:
                    explained.append(placed)
                if surprise > self._rates.mismatch_nats:
                    mismatched.append((placed, seen))
            elif surprise > self._rates.explained_nats:
                missing.append((placed, max(0.0, self._rates.missing_nats * share - surprise)))
        unclaimed = (
            seen for seen in self._on_board if seen.index not in claimed and not self._was_moved_off_board(seen, layout)
        )
        extra = [seen for seen in unclaimed if not self._is_artifact(seen, explained)]
        for seen in extra:
            tally.add(TermKind.SIGHTING, surprise_of_extra(seen, self._rates, self._suits_in_play), seen=seen)
        for placed, nats in missing:
            # A piece is not overlooked where one of its kind is detected that no other piece explains.
            alike = (seen for seen in extra if seen.sighting.kind is placed.piece.kind)
            if any(math.hypot(seen.x - placed.x, seen.y - placed.y) < self._places.strange for seen in alike):
                tally.add(TermKind.PIECE, nats, placed, note="though one of its kind is seen there")
        if change_fit is not None:
            change_fit.add_unexplained(tally)
            nats = change_fit.off_board_confirmation(placed_from(seen, "") for seen in extra)
            tally.add(TermKind.REGION, nats, note="beside the board, where something is seen")
        if self._off_board_change is not None:
            tally.add(TermKind.BESIDE, self._off_board_change.surprise(layout), note="beside the board")
        unexplained_regions = change_fit.unexplained_regions if change_fit is not None else 0
        unseen = tuple(placed for placed, _ in missing)
        return Residual(tally.nats, unstated, unseen, tuple(extra), tuple(mismatched), unexplained_regions)

    def next_off_board_state(self, layout: Layout, accepted: bool) -> OffBoardState:
        """The state beside the board after this layout. `accepted`: an action led to it."""
        if self._off_board_change is None:
            return OffBoardState.of(layout, self.off_board_sightings)
        return self._off_board_change.after(layout, accepted)

    def _off_board_difference(self, layout: Layout) -> OffBoardDifference:
        source = self._off_board_change or self.off_board
        return (*source.change(layout), self.off_board.turned_dice(layout))

    def change(self, layout: Layout, fit: Residual) -> Change:
        """The difference from the layout, as pieces that came, went and moved."""
        return observed_change(self._off_board_difference(layout), layout, fit, self.tuning)

    def alternative_changes(self, layout: Layout, fit: Residual) -> Iterator[Change]:
        """The same with a piece that came read as another likely identity."""
        added, turn = (*fit.extra, *(seen for _, seen in fit.mismatched)), self.registration.turn
        limits = self.tuning.search
        readings = [(odds, one, other) for one in added for odds, other in other_readings(one, turn, limits)]
        likeliest = sorted(readings, key=lambda reading: -reading[0])[: limits.max_readings]
        difference = self._off_board_difference(layout) if added else ([], [], [])
        for _, sighting, other in likeliest:
            extra = tuple(other if seen is sighting else seen for seen in fit.extra)
            mismatched = tuple((placed, other if seen is sighting else seen) for placed, seen in fit.mismatched)
            yield observed_change(difference, layout, replace(fit, extra=extra, mismatched=mismatched), self.tuning)

    def dice_nats(self, dice: Sequence[Placed]) -> float:
        return self.off_board.dice.surprise(dice)

    @property
    def dice_are_doubtful(self) -> bool:
        return self.off_board.dice.is_doubtful

    def count_at_rest(self, dice: Collection[Piece]) -> int:
        return sum(self.off_board.dice.is_at_rest(die.suit) for die in dice)

    def initial_detection(self, layout: Layout, announced: Collection[Spot] = ()) -> DetectionRates:
        """What the detector misses or misreads in this layout; nothing where a piece may lie elsewhere."""
        if self.may_be_elsewhere(layout, announced):
            return NOTHING_LEARNED
        fit = self.fit(layout)
        missed = frozenset(spot(placed) for placed in (*fit.missing, *(placed for placed, _ in fit.mismatched)))
        return DetectionRates(missed, self.false_positives(layout))

    def may_be_elsewhere(self, layout: Layout, announced: Collection[Spot] = ()) -> bool:
        """Whether an extra sighting may be a missing piece; pieces that people have `announced` are not asked."""
        fit = self.fit(layout)
        missing = [placed for placed in fit.missing if spot(placed) not in announced]
        return any(_may_be_same(placed, seen, self._rates) for placed in missing for seen in fit.extra)

    def false_positives(self, layout: Layout) -> tuple[FalsePositive, ...]:
        return tuple(
            FalsePositive(seen.sighting.kind, seen.x, seen.y, *seen.sighting.best) for seen in self.fit(layout).extra
        )

    def matches_keyframe(self, earlier: Keyframe, places: Iterable[Placed]) -> bool:
        """Whether these places may look as in an earlier keyframe; true without pictures."""
        return self._evidence is None or self._evidence.matches_earlier(earlier, places)

    def shows_addition(self, placed: Placed) -> bool:
        """Whether the picture shows something new at this piece's place, where none that looks like it lay."""
        evidence = self._evidence
        if evidence is None or evidence.appearances.matching(placed) or not evidence.may_be_undetected(placed):
            return False
        return self._has_changed(placed)

    def shows_removal(self, placed: Placed) -> bool:
        """Whether the picture shows a piece gone or turned. Not a tile or card: something on it may have changed."""
        return placed.piece.kind not in SHEETS and self._has_changed_since(placed)

    def shows_move(self, move: MovedPiece) -> bool:
        """Whether the picture shows both ends of a move: the piece is gone from its place, and something of its size is
        new at the other. Of a tile or card all that it uncovered and all that it covers must have changed."""
        if move.before.piece.kind not in SHEETS:
            return self.shows_removal(move.before) and self.shows_addition(move.after)
        vacated, covered = _uncovered_quarters(move.before, move.after), _uncovered_quarters(move.after, move.before)
        return bool(vacated and covered) and all(self._has_changed(spot) for spot in (*vacated, *covered))

    def _has_changed_since(self, placed: Placed) -> bool:
        """Whether a place looks otherwise than in the keyframe, in which this piece lay there so."""
        was_there = self._evidence is not None and self._evidence.appearances.matching(placed)
        return bool(was_there) and self._has_changed(placed)

    def _has_changed(self, spot: Placed) -> bool:
        chance = self._evidence.diff.changed(spot) if self._evidence is not None else None
        return chance is not None and chance > self.tuning.change.unchanged_chance

    def explained_rates(self, layout: Layout) -> dict[Spot, float]:
        """The pieces detected at their places, with the certainty of each."""
        found = {}
        for placed, share in exposed(layout, self.tuning):
            surprise, seen = self._best_explanation(placed, share)
            if seen is not None and surprise <= self._rates.explained_nats:
                found[spot(placed)] = seen.sighting.certainty
        return found

    def board_rates(self, layout: Layout) -> dict[PieceSort, float]:
        """Share of each sort of small piece that is detected where it lies on the board, whatever it is read as. A sort
        of which none lies there is missed as on the whole table, and as all of its kind are on this board."""
        lying = [(p, self._sighting_at(p) is not None) for p, share in exposed(layout, self.tuning) if share == 1.0]
        small = [(sort(p.shown), seen) for p, seen in lying if p.piece.kind in (*STANDING, Kind.COIN)]
        count, found = Counter(one for one, _ in small), Counter(one for one, seen in small if seen)
        anywhere, hope = dict.fromkeys(count, 1.0) | self.rates_by_sort(layout), self._rates.hope_on_board
        rates: dict[PieceSort, float] = {}
        for kind in {one[0] for one in anywhere}:
            alike = [one for one in anywhere if one[0] is kind]
            expected = sum(count[one] * anywhere[one] for one in alike)
            on_board = min(1.0, (sum(found[one] for one in alike) + hope) / (expected + hope))
            rates |= {one: (found[one] + hope * anywhere[one] * on_board) / (count[one] + hope) for one in alike}
        return rates

    def rates_by_sort(self, layout: Layout) -> dict[PieceSort, float]:
        """Detection rate of each sort of standing piece: a pawn never detected is hardly detected at its next place."""
        standing = Counter(sort(p.piece) for p in layout if p.piece.kind in STANDING)
        seen = Counter((s.kind, s.best[0]) for s in self.observed.sightings)
        return {
            one: min(1.0, (seen[one] + self._rates.hope) / (count + self._rates.hope))
            for one, count in standing.items()
        }

    def _is_known_detection(self, seen: BoardSighting) -> bool:
        if self._evidence is not None and self._evidence.is_known(
            placed_from(seen, "", level=level_of(seen, self._board_pieces)), seen.sighting
        ):
            return True
        within, other_chance = self._places.strange, self._places.other_chance
        return any(
            error.explains(seen.sighting, seen.x, seen.y, within, other_chance)
            for error in self._detection.false_positives
        )

    def _was_moved_off_board(self, seen: BoardSighting, layout: Layout) -> bool:
        """Whether this layout takes the detected piece off the board: it may lie anywhere beside it now. What is no
        tile or card must lie on none, where the board has any."""
        is_sheet, sheets = seen.sighting.kind in SHEETS, [p for p in layout.board if p.piece.kind in SHEETS]
        is_on_sheet = any(_is_within(half_extent(p.piece), p, seen) for p in sheets)
        if seen.sighting.face is Face.BACK if is_sheet else is_on_sheet or not sheets:
            return False
        return any(
            p.zone is not Zone.BOARD
            and p.piece.kind is seen.sighting.kind
            and (p.face is Face.FRONT or not is_sheet)
            and p.key in self._board_keys
            and seen.sighting.chance_of(p.shown.suit, p.shown.rank) >= self.tuning.off_board.named_chance
            for p in layout
        )

    def _is_artifact(self, seen: BoardSighting, explained: Iterable[Placed]) -> bool:
        """Whether it is a tile or card that would hide several pieces which are detected there: seams and printed lines
        look like one. Or a second detection of one, a little beside it."""
        if seen.sighting.kind not in SHEETS:
            return False
        hidden = [p for p in explained if max(abs(p.x - seen.x), abs(p.y - seen.y)) < self._rates.beneath]
        if sum(p.piece.kind not in SHEETS for p in hidden) >= self._rates.undisturbed:
            return True
        suit, rank = seen.sighting.best
        return rank is not None and any(
            p.piece.kind is seen.sighting.kind and (p.shown.suit, p.shown.rank) == (suit, rank) for p in hidden
        )

    def _best_explanation(self, placed: Placed, share: float) -> tuple[float, BoardSighting | None]:
        """The best sighting of a piece and its nats, cached across layouts."""
        key = (placed.key, placed.shown, placed.x, placed.y, placed.face, placed.pose, placed.angle, share)
        if key not in self._explained_cache:
            self._explained_cache[key] = self._search_sightings(placed, share)
        return self._explained_cache[key]

    def _search_sightings(self, placed: Placed, share: float) -> tuple[float, BoardSighting | None]:
        """The same, computed: a sighting near its place, or none."""
        surprise, found = self._likeliest(placed, share, self._bins)
        if surprise > self._rates.mismatch_nats and (spot(placed), placed.shown) in self._expected:
            # A faint sighting may confirm what lay there; it contradicts nothing and proves nothing new.
            faint_surprise, faint = self._likeliest(placed, share, self._faint)
            if faint_surprise <= self._rates.explained_nats:
                surprise, found = faint_surprise, faint
        if surprise < self._rates.missing_nats:
            return surprise, found
        is_hidden = share <= self._heights.partly
        return 0.0 if is_hidden else self._rates.missing_nats * share * self._detection.rate(placed), None

    def _likeliest(
        self, placed: Placed, share: float, bins: Mapping[tuple[Kind, int, int], Sequence[BoardSighting]]
    ) -> tuple[float, BoardSighting | None]:
        """The sighting with the fewest nats as this piece."""
        best, found = math.inf, None
        for seen in _nearby(placed, bins):
            surprise = surprise_of(placed, seen, share, self.registration.turn, self._rates)
            if surprise < best:
                best, found = surprise, seen
        return best, found

    def _sighting_at(self, placed: Placed) -> BoardSighting | None:
        """The nearest sighting of the kind at the very place, whatever its identity."""
        by_distance = ((math.hypot(seen.x - placed.x, seen.y - placed.y), seen) for seen in _nearby(placed, self._bins))
        distance, found = min(by_distance, key=lambda one: one[0], default=(math.inf, None))
        return found if distance < self._places.strange else None

    def _is_near_board(self, seen: BoardSighting) -> bool:
        if seen.sighting.zone is not None:
            return seen.sighting.zone is Zone.BOARD
        if seen.sighting.kind is Kind.DIE and not self._dice_on_board:
            return False
        reach = self._tile_reach if seen.sighting.kind in SHEETS else 0.0
        west, south, east, north = self._extent
        is_inside = west - reach <= seen.x <= east + reach and south - reach <= seen.y <= north + reach
        if not is_inside:
            return False
        # What lies where it lay beside the board is not in play, wherever hands are drawn now.
        at = seen.sighting.kind, seen.x, seen.y
        if self._previous is not None and self._previous.contains(*at, self._places.aside):
            return False
        if seen.sighting.kind not in SHEETS:
            return not self._is_in_row(seen)
        return not self._sheets_remain or self._touches_board(seen)

    def _is_in_row(self, seen: BoardSighting) -> bool:
        """Whether it lies among the waiting pieces of its kind: rows lie so near that a board that grows may reach over
        them. Not what lies on a tile or card of the board; nor, once something was seen there, what is new in the
        middle of a place."""
        if not self._sheets or any(_is_within(half_extent(p.piece), p, seen) for p in self._sheets):
            return False
        if self._previous is not None and any(
            math.hypot(x - seen.x, y - seen.y) <= self._places.elsewhere for x, y in self._place_centers
        ):
            return False
        waiting = (p for p in self._waiting if p.piece.kind is seen.sighting.kind)
        near = self.tuning.off_board.near_spaces
        return any(math.hypot(p.x - seen.x, p.y - seen.y) <= near for p in waiting)

    def _touches_board(self, seen: BoardSighting) -> bool:
        """Whether a tile or card lies against another one: those that do not wait beside the board."""
        reach = self.tuning.change.edge_spaces
        return not self._sheets or any(_is_within(2 * half_extent(p.piece) + reach, p, seen) for p in self._sheets)


def _is_within(reach: float, sheet: Placed, seen: BoardSighting) -> bool:
    """Whether it lies in the square of this half side around a tile or card."""
    return max(abs(sheet.x - seen.x), abs(sheet.y - seen.y)) <= reach


def _uncovered_quarters(one: Placed, other: Placed) -> list[Placed]:
    """The quarters of a tile or card that the other one does not cover."""
    parts = quarters(one)
    return [p for p in parts if max(abs(p.x - other.x), abs(p.y - other.y)) >= half_extent(other.piece) + _CLEAR]


def _binned(seen: Iterable[BoardSighting]) -> dict[tuple[Kind, int, int], list[BoardSighting]]:
    bins: dict[tuple[Kind, int, int], list[BoardSighting]] = defaultdict(list)
    for one in seen:
        bins[one.sighting.kind, math.floor(one.x), math.floor(one.y)].append(one)
    return bins


def _nearby(placed: Placed, bins: Mapping[tuple[Kind, int, int], Sequence[BoardSighting]]) -> Iterator[BoardSighting]:
    x, y = math.floor(placed.x), math.floor(placed.y)
    return (seen for i in (-1, 0, 1) for j in (-1, 0, 1) for seen in bins.get((placed.piece.kind, x + i, y + j), ()))


def other_readings(seen: BoardSighting, turn: float, limits: SearchLimits) -> Iterator[tuple[float, BoardSighting]]:
    """The sighting read as its other likely identities, each with its odds against the likeliest."""
    identities = seen.sighting.identities
    best = max(identities.values(), default=0.0)
    for identity in sorted(identities, key=lambda one: -identities[one])[1:]:
        if identities[identity] >= limits.doubtful_chance * best:
            reread = replace(seen.sighting, identities={identity: 1.0})
            yield identities[identity] / best, replace(seen, sighting=reread)
    lying = seen.sighting.lying
    if lying is not None and limits.posed_chance < lying < 1.0 - limits.posed_chance:
        odds = lying / (1.0 - lying)
        yield min(odds, 1.0 / odds), _other_pose_reading(seen, turn)


def _other_pose_reading(seen: BoardSighting, turn: float) -> BoardSighting:
    """A pyramid that seems to stand, read as lying, or the other way about."""
    sighting = seen.sighting
    if sighting.pose is Pose.FLAT:
        return replace(seen, sighting=replace(sighting, pose=Pose.UPRIGHT), angle=None)
    angle = None if sighting.aim is None else (sighting.aim - turn) % 360
    return replace(seen, sighting=replace(sighting, pose=Pose.FLAT), angle=angle)


def _located(index: int, sighting: Sighting, registration: Registration, height_map: HeightMap) -> BoardSighting:
    angle = None if sighting.angle is None else (sighting.angle - registration.turn) % 360
    return BoardSighting(index, sighting, *registration.surface_place(height_map, sighting.x, sighting.y), angle)


def _extent(layout: Layout, rates: LikelihoodRates) -> tuple[float, float, float, float]:
    """West, south, east and north of the board with a margin: farther out are hands and waiting pieces."""
    west, south, east, north = bounds(layout.board)
    for place in layout.places:
        west, south = min(west, place.x - place.width / 2), min(south, place.y - place.height / 2)
        east, north = max(east, place.x + place.width / 2), max(north, place.y + place.height / 2)
    margin = rates.margin_beside if any(p.zone is not Zone.BOARD for p in layout) else rates.margin
    return west - margin, south - margin, east + margin, north + margin


def surprise_of(placed: Placed, seen: BoardSighting, share: float, turn: float, rates: LikelihoodRates) -> float:
    """Nats of this sighting as this piece; infinite if it cannot be it."""
    distance = math.hypot(seen.x - placed.x, seen.y - placed.y)
    if distance > (rates.max_tile_offset if seen.sighting.kind is Kind.TILE else rates.max_offset):
        return math.inf
    sighting = seen.sighting
    surprise = distance**2 / (2 * rates.spread**2) - rates.in_place_nats
    if placed.face and sighting.face and placed.face is not sighting.face:
        return surprise + min(rates.wrong_face_nats, _other_side_surprise(placed, sighting, rates))
    # The net is calibrated for what covers a piece, unless most of it is hidden.
    legibility = 1.0 if share >= rates.legible else max(share, rates.least_share)
    surprise += _identity_surprise(placed.shown, sighting, rates) * legibility
    surprise += _size_surprise(placed, sighting, rates)
    if placed.piece.mark and sighting.mark and placed.piece.mark != sighting.mark:
        surprise += rates.wrong_face_nats
    return max(0.0, surprise + _pose_surprise(placed, sighting, turn, rates))


def _other_side_surprise(placed: Placed, sighting: Sighting, rates: LikelihoodRates) -> float:
    """Nats of a piece of which the other side is detected, at the detector's certainty of the side."""
    if sighting.other_side <= 0.0:
        return math.inf
    odds = math.log((1.0 - sighting.other_side) / sighting.other_side)
    return odds + _identity_surprise(placed.shown, sighting.flipped, rates)


def surprise_of_extra(
    seen: BoardSighting, rates: LikelihoodRates, suits_in_play: Collection[Suit | None] = ()
) -> float:
    """Nats of a sighting that no piece explains: the log odds of its certainty. A pyramid of a suit that is not in play
    is more likely a part of a drawing."""
    probability = min(seen.sighting.certainty, 0.999)
    if suits_in_play and seen.sighting.kind is Kind.PYRAMID:
        probability *= min(1.0, max(1e-4, sum(seen.sighting.chance_of(suit, None) for suit in suits_in_play)))
    return min(rates.extra_nats, max(0.0, math.log(probability / (1 - probability)) + rates.news_nats))


def _may_be_same(placed: Placed, seen: BoardSighting, rates: LikelihoodRates) -> bool:
    """Whether a missing piece may be this extra sighting. Not of tiles: lines on backs look like one half a tile
    aside."""
    sighting = seen.sighting
    same_kind = placed.piece.kind is sighting.kind and sighting.kind is not Kind.TILE
    return same_kind and sighting.chance_of(placed.shown.suit, placed.shown.rank) > rates.moved_chance


def _is_duplicate(faint: BoardSighting, seen: Iterable[BoardSighting]) -> bool:
    """Whether it is a second detection of one of these."""
    near = half_extent(Piece(faint.sighting.kind))
    return any(
        one.sighting.kind is faint.sighting.kind and max(abs(one.x - faint.x), abs(one.y - faint.y)) < near
        for one in seen
    )


def _is_informative(sighting: Sighting) -> bool:
    """Whether it shows a value; a die that was not thrown does not."""
    return sighting.kind is not Kind.DIE or sighting.best[1] is not None


def unstated_nats(placed: Placed) -> float:
    """Nats of what a piece's visible side shows and the layout does not name."""
    shown = placed.shown
    shows_suit = shown.kind is Kind.TILE or placed.face is Face.BACK
    shows_rank = shown.kind is Kind.DIE or placed.face is Face.FRONT
    if shown.kind not in (Kind.TILE, Kind.COIN, Kind.DIE) or (shown.kind is Kind.TILE and placed.face is Face.BACK):
        return 0.0
    suit_unknown = shown.suit is None and shows_suit and shown.kind is not Kind.DIE
    return (math.log(4) if suit_unknown else 0.0) + (math.log(6) if shown.rank is None and shows_rank else 0.0)


def _identity_surprise(shown: Piece, sighting: Sighting, rates: LikelihoodRates) -> float:
    """Nats against the likeliest identity: doubt that all layouts share decides nothing."""
    chance = sighting.chance_of(shown.suit, shown.rank)
    if chance >= rates.likely_chance or not sighting.identities:
        return 0.0
    return min(rates.max_identity_nats, math.log(max(sighting.identities.values()) / max(chance, 1e-4)))


def _size_surprise(placed: Placed, sighting: Sighting, rates: LikelihoodRates) -> float:
    if not placed.piece.size or not sighting.size or placed.piece.size.look is sighting.size.look:
        return 0.0
    if not sighting.sizes:
        return rates.wrong_size_nats
    chance = sighting.sizes.get(placed.piece.size.look, 0.0)
    return min(rates.wrong_size_nats, math.log(max(sighting.sizes.values()) / max(chance, 1e-4)))


def _pose_surprise(placed: Placed, sighting: Sighting, turn: float, rates: LikelihoodRates) -> float:
    if placed.pose is None or sighting.pose is None:
        return 0.0
    surprise = 0.0 if placed.pose is sighting.pose else _other_pose_surprise(sighting, rates)
    angle = sighting.angle if sighting.pose is Pose.FLAT else sighting.aim
    if placed.pose is Pose.UPRIGHT or angle is None:
        return surprise
    off = abs((angle - turn - placed.angle + 180) % 360 - 180)
    return min(rates.wrong_face_nats, surprise + max(0.0, off - rates.askew_deg) / rates.deg_per_nat)


def _other_pose_surprise(sighting: Sighting, rates: LikelihoodRates) -> float:
    """Nats of a pyramid that lies and seems to stand, or the other way about."""
    if sighting.lying is None:
        return rates.wrong_face_nats
    as_it_seems = sighting.lying if sighting.pose is Pose.FLAT else 1.0 - sighting.lying
    return min(rates.wrong_face_nats, max(0.0, math.log(as_it_seems / max(1.0 - as_it_seems, 1e-4))))

"""Dice: a throw is told from dice that only lie there, and is read from all of them together.

Each die is detected once, so a detection is one die of the game only, however doubtful its suit: a throw is scored over
all assignments of dice to detections.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, zip_longest

from rules.pieces import RANKS, Kind, Rank, Suit
from rules.referee.register import Registration
from rules.referee.tuning import OffBoardCosts, Places
from rules.table.layout import Layout, Placed, Zone
from rules.table.observed import Beliefs, ObservedTable, Sighting

Spot = tuple[float, float]
_Row = tuple[float, ...]
"""For one die: its probability of being each detection and showing the given face."""


@dataclass(frozen=True, slots=True)
class DiceState:
    """The dice at the last explained look, in the board's frame: pushing the whole table is no throw."""

    dice: tuple[tuple[Spot, Sighting], ...] = ()

    @staticmethod
    def of(observed: ObservedTable, pose: Registration) -> DiceState:
        return DiceState(tuple((pose.to_board(s.x, s.y), s) for s in observed.sightings if s.kind is Kind.DIE))

    def with_unmoved(self, now: DiceState, places: Places, is_untouched: Callable[[Sighting], bool]) -> DiceState:
        """With the dice that lie where nothing has changed: they lay there before, missed or misread."""
        elsewhere = now._not_at_rest(self, places)
        unmoved = [(spot, die) for spot, die in elsewhere if is_untouched(die)]
        return DiceState((*self.dice, *unmoved)) if unmoved else self

    def thrown(self, now: DiceState, places: Places) -> list[Sighting]:
        """The dice that lie elsewhere or show something else. Not several that all show what they showed: they were
        pushed, hardly any throw falls so."""
        elsewhere = [die for _, die in now._not_at_rest(self, places)]
        same = Counter(die.best for _, die in now.dice) == Counter(die.best for _, die in self.dice)
        return [] if same and len(elsewhere) >= places.pushed else elsewhere

    def moved(self, now: DiceState, places: Places) -> bool:
        """Whether a die lies where none lay. One at an old place was hardly thrown, whatever it is read as."""
        return any(all(math.dist(at, spot) >= places.at_rest for spot, _ in self.dice) for at, _ in now.dice)

    def without_old_faces(self, observed: ObservedTable, pose: Registration, places: Places) -> ObservedTable:
        """The table without the faces of dice that were not thrown."""
        thrown = self.thrown(DiceState.of(observed, pose), places)
        sightings = (
            replace(s, identities=_suits_only(s)) if s.kind is Kind.DIE and s not in thrown else s
            for s in observed.sightings
        )
        return replace(observed, sightings=tuple(sightings))

    def _not_at_rest(self, before: DiceState, places: Places) -> list[tuple[Spot, Sighting]]:
        return [
            (spot, die)
            for spot, die in self.dice
            if not any(
                math.dist(spot, at) < places.at_rest
                and (
                    die.best == old.best
                    or max(die.chance_of(*old.best), old.chance_of(*die.best)) > places.other_chance
                )
                for at, old in before.dice
            )
        ]


def _suits_only(die: Sighting) -> Beliefs:
    suits: dict[tuple[Suit | None, Rank | None], float] = {}
    for (suit, _), p in die.identities.items():
        suits[suit, None] = suits.get((suit, None), 0.0) + p
    return suits


def is_off_board_die(placed: Placed) -> bool:
    """Whether it is a die without a place on the board, of which only the face matters."""
    return placed.piece.kind is Kind.DIE and placed.zone is not Zone.BOARD


def off_board_dice(layout: Layout) -> list[Placed]:
    return [placed for placed in layout.pieces if is_off_board_die(placed)]


@dataclass(frozen=True, slots=True)
class _Die:
    """A die of the game; `counts`: whether its face matters."""

    key: str
    suit: Suit | None
    counts: bool
    seat: int | None = None
    """Its owner, where several people have dice."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """The likeliest throw: each die's face (None if it is not seen, or was not thrown), the probability of each
    die's assignment, and the likelihood of the whole."""

    faces: tuple[Rank | None, ...]
    certainty: tuple[float, ...]
    chance: float


class DiceLikelihood:
    """The detected dice, to be compared with many throws. `previous_faces`: each die's last face, by key; `seats`:
    among whose pieces each detection lies, where that is known."""

    def __init__(
        self,
        seen: Sequence[Sighting],
        previous_faces: Mapping[str, Rank | None],
        costs: OffBoardCosts,
        seats: Sequence[int | None] = (),
    ) -> None:
        located = sorted(zip_longest(seen, seats), key=lambda one: -one[0].certainty)[: costs.max_dice]
        self._seen, self._seats = [die for die, _ in located], [seat for _, seat in located]
        self._previous_faces, self._costs = previous_faces, costs
        self._rows: dict[tuple[_Die, Rank | None], _Row] = {}
        self._readings: dict[tuple[_Die, ...], _Reading] = {}
        self._surprises: dict[tuple[tuple[_Die, ...], tuple[Rank | None, ...]], float] = {}

    @property
    def is_whole(self) -> bool:
        """Whether as many dice are detected as there are."""
        return len(self._seen) >= len(self._previous_faces)

    @property
    def is_doubtful(self) -> bool:
        """Whether a die may well show another face than it seems to, or is not detected."""
        return not self.is_whole or any(_second(die) > self._costs.doubtful_chance * _best(die) for die in self._seen)

    def is_at_rest(self, suit: Suit | None) -> bool:
        """Whether the die of this suit is detected where it lay before."""
        return any(
            self._was_not_thrown(index) and seen.chance_of(suit, None) >= self._costs.suit_chance
            for index, seen in enumerate(self._seen)
        )

    def surprise(self, dice: Sequence[Placed]) -> float:
        """Nats of this throw against the likeliest. Dice not detected, or whose face does not matter, cost nothing."""
        key = tuple(_Die(d.key, d.piece.suit, d.piece.rank is not None, seat) for d, seat in _by_owner(dice))
        if not self._seen or not any(die.counts for die in key):
            return 0.0
        faces = tuple(die.piece.rank for die in dice)
        if (key, faces) not in self._surprises:
            nats = math.log(self._reading(key).chance) - math.log(self._chance(key, faces))
            self._surprises[key, faces] = max(0.0, nats)
        return self._surprises[key, faces]

    def shown(self, dice: Sequence[Placed]) -> dict[str, Rank]:
        """The face of each die that is detected, identified, and was thrown."""
        reading = self._reading(tuple(_Die(d.key, d.piece.suit, True, seat) for d, seat in _by_owner(dice)))
        return {
            die.key: rank
            for die, rank, certainty in zip(dice, reading.faces, reading.certainty, strict=True)
            if rank is not None and certainty >= self._costs.suit_chance
        }

    def _reading(self, dice: tuple[_Die, ...]) -> _Reading:
        if dice not in self._readings:
            self._readings[dice] = self._read(dice)
        return self._readings[dice]

    def _read(self, dice: tuple[_Die, ...]) -> _Reading:
        """The likeliest throw: the best assignments by themselves are compared by their sums over all assignments."""
        rows = [self._with_unseen(self._likeliest_row(die), dice) for die in dice]

        def probability(way: tuple[int, ...]) -> float:
            return math.prod(row[index] for row, index in zip(rows, way, strict=True))

        def faces(way: tuple[int, ...]) -> tuple[Rank | None, ...]:
            return tuple(self._face(die, index) for die, index in zip(dice, way, strict=True))

        ways = sorted(permutations(range(max(len(self._seen), len(dice))), len(dice)), key=probability, reverse=True)
        chances = {
            faces_of_way: self._chance(dice, faces_of_way)
            for faces_of_way in map(faces, ways[: self._costs.max_assignments])
        }
        way = max(ways[: self._costs.max_assignments], key=lambda way: chances[faces(way)])
        total = sum(map(probability, ways))
        sure = (sum(probability(each) for each in ways if each[nth] == at) / total for nth, at in enumerate(way))
        shown = (None if self._was_not_thrown(at) else face for at, face in zip(way, faces(way), strict=True))
        return _Reading(tuple(shown), tuple(sure), chances[faces(way)])

    def _chance(self, dice: Sequence[_Die], faces: Sequence[Rank | None]) -> float:
        """Likelihood of this throw, over all assignments of dice to detections."""
        partial = {0: 1.0}
        for die, face in zip(dice, faces, strict=True):
            row = self._with_unseen(self._row(die, face), dice)
            extended: dict[int, float] = {}
            for used, chance in partial.items():
                for index, probability in enumerate(row):
                    if not used >> index & 1:
                        now_used = used | 1 << index
                        extended[now_used] = extended.get(now_used, 0.0) + chance * probability
            partial = extended
        return sum(partial.values())

    def _with_unseen(self, row: _Row, dice: Sequence[_Die]) -> _Row:
        """The row with a column of 1 for each die that is not detected."""
        return row + (1.0,) * (len(dice) - len(row))

    def _row(self, die: _Die, face: Rank | None) -> _Row:
        if (die, face) not in self._rows:
            self._rows[die, face] = tuple(self._probability(die, index, face) for index in range(len(self._seen)))
        return self._rows[die, face]

    def _probability(self, die: _Die, index: int, face: Rank | None) -> float:
        """Of this die being that detection, and showing the face. Few dice roll among another's pieces."""
        is_astray = None not in (die.seat, self._seats[index]) and die.seat != self._seats[index]
        owner_chance = self._costs.astray_chance if is_astray else 1.0
        return self._look_probability(die, self._seen[index], face) * owner_chance

    def _look_probability(self, die: _Die, seen: Sighting, face: Rank | None) -> float:
        """The same by its looks. Without a face it lies there as before."""
        least = math.exp(-self._costs.max_die_nats)
        if not die.counts or (face is None and seen.best[1] is None):
            return max(seen.chance_of(die.suit, None), least)
        if face is None:
            return least * _best(seen)
        if seen.best[1] is None:  # not thrown: it shows its previous face
            same = self._previous_faces.get(die.key) is face
            return max(seen.chance_of(die.suit, None), least) * (
                1.0 if same else math.exp(-self._costs.unseen_face_nats)
            )
        return max(seen.chance_of(die.suit, face), least * _best(seen))

    def _likeliest_row(self, die: _Die) -> _Row:
        """Probability of being each detection, whatever that shows."""
        return tuple(self._probability(die, index, self._face(die, index)) for index in range(len(self._seen)))

    def _face(self, die: _Die, index: int) -> Rank | None:
        if index >= len(self._seen) or not die.counts:
            return None
        seen = self._seen[index]
        if seen.best[1] is None:
            return self._previous_faces.get(die.key)
        return max(RANKS, key=lambda rank: seen.chance_of(die.suit, rank))

    def _was_not_thrown(self, index: int) -> bool:
        return index < len(self._seen) and self._seen[index].best[1] is None


def _by_owner(dice: Sequence[Placed]) -> list[tuple[Placed, int | None]]:
    """Each die with its owner, where several people have dice; where all are one's or everybody's, none."""
    apart = len({die.seat for die in dice if die.seat is not None}) > 1
    return [(die, die.seat if apart else None) for die in dice]


def _second(sighting: Sighting) -> float:
    return sorted((0.0, 0.0, *sighting.identities.values()))[-2]


def _best(sighting: Sighting) -> float:
    return max(sighting.identities.values(), default=1.0)

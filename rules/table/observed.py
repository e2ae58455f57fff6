"""The observed table: sightings with probabilities. Defined here, filled by vision, read by the referee.

Positions are in spaces (half a tile side; inches with the reference set) on the table plane, in table coordinates of
the camera: the pose of the board in them is estimated by the referee.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from rules.pieces import Face, Kind, Pose, Rank, Size, Suit, parse_rank, parse_suit
from rules.table.layout import Zone

Identity = tuple[Suit | None, Rank | None]
"""Suit and value of a side; None where the side does not show it."""
Beliefs = Mapping[Identity, float]
"""Probability of each identity."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """One observed piece. `identities`: probability of each (suit, rank) of the visible side; a part that the side does
    not show is None in every key. `certainty`: probability that the piece exists. `zone` and `seat` are set where the
    areas of the table are marked (whose hand a coin lies in)."""

    kind: Kind
    x: float
    y: float
    face: Face | None = None
    angle: float | None = None
    level: float | None = None
    identities: Beliefs = field(default_factory=dict)
    size: Size | None = None
    sizes: Mapping[Size, float] = field(default_factory=dict)
    """Of a pyramid: probability of each size; empty where only the most probable one is known."""
    pose: Pose | None = None
    lying: float | None = None
    """Of a pyramid: probability that it lies on its side; None where only the pose is known."""
    aim: float | None = None
    """Of a pyramid: direction of the tip in degrees if it lies on its side."""
    edges: float | None = None
    """Direction of the sides in degrees, which backs show too: of a tile modulo 90, of a card (its longer sides) modulo
    180."""
    mark: str | None = None
    other_side: float = 0.0
    """Probability that the other side is up."""
    other_identities: Beliefs = field(default_factory=dict)
    """Identities of the piece if the other side is up."""
    certainty: float = 1.0
    zone: Zone | None = None
    seat: int | None = None
    center_px: tuple[float, float] | None = None
    outline_px: tuple[tuple[float, float], ...] = ()

    @property
    def best(self) -> Identity:
        """The most probable identity."""
        if not self.identities:
            return (None, None)
        return max(self.identities, key=lambda identity: self.identities[identity])

    @property
    def side_certainty(self) -> float:
        """Probability that the piece exists with this side up."""
        return self.certainty * (1.0 - self.other_side)

    @property
    def flipped(self) -> Sighting:
        """The same piece with the other side up."""
        return replace(
            self,
            face=self.face.other if self.face else None,
            identities=self.other_identities,
            other_side=1.0 - self.other_side,
            other_identities=self.identities,
        )

    def chance_of(self, suit: Suit | None, rank: Rank | None) -> float:
        """Probability of this suit and rank; None matches any, asked for or observed."""
        if not self.identities:
            return 1.0
        return sum(
            chance
            for (seen_suit, seen_rank), chance in self.identities.items()
            if (seen_suit is None or suit is None or seen_suit == suit)
            and (seen_rank is None or rank is None or seen_rank == rank)
        )

    def reweighted(self, factor: Callable[[Identity], float]) -> Sighting:
        """The same piece with each identity multiplied by its factor; the sum of the probabilities is kept."""
        weights = {identity: chance * factor(identity) for identity, chance in self.identities.items()}
        before, total = sum(self.identities.values()), sum(weights.values())
        return replace(self, identities={identity: weight * before / total for identity, weight in weights.items()})


@dataclass(frozen=True, slots=True)
class ObservedTable:
    """All sightings of one still frame. `faint`: sightings below the detection threshold; they may confirm an expected
    piece and are no evidence for another."""

    sightings: tuple[Sighting, ...]
    time: float = 0.0
    faint: tuple[Sighting, ...] = ()

    @property
    def is_marked(self) -> bool:
        """Whether areas of zones and seats are marked."""
        return any(sighting.zone is not None for sighting in self.sightings)

    @staticmethod
    def from_look(pieces: object) -> ObservedTable:
        """From the `pieces` of `companion look` (or of {"table": ...}); those without a position are left out."""
        if not isinstance(pieces, list):
            raise ValueError("a table is a list of pieces as `companion look` prints them")
        return ObservedTable(tuple(sighting_from_json(item) for item in pieces if _has_position(item)))


def _has_position(item: object) -> bool:
    if not isinstance(item, dict):
        raise ValueError(f"a piece is an object with kind, suit, value, face and position, not {item!r:.60}")
    return item.get("position") is not None


def sighting_from_json(item: dict[str, object]) -> Sighting:
    position = item["position"]
    if not isinstance(position, (list, tuple)) or len(position) != 2:
        raise ValueError(f"position must be [x, y] in inches, not {position!r:.60}")
    identities, certainty = _probabilities(item)

    def optional(name: str, read: Callable[[object, str], float] = _number) -> float | None:
        return None if item.get(name) is None else read(item[name], name)

    angle = item.get("table_angle_deg", item.get("angle_deg"))
    mark = item.get("mark")
    return Sighting(
        kind=Kind(str(item.get("kind"))),
        x=_number(position[0], "position"),
        y=_number(position[1], "position"),
        face=Face(str(item["face"])) if item.get("face") else None,
        angle=None if angle is None else _number(angle, "angle_deg"),
        level=optional("level"),
        identities=identities,
        size=Size(str(item["size"])) if item.get("size") else None,
        sizes=_sizes(item.get("sizes") or {}),
        pose=Pose(str(item["pose"])) if item.get("pose") else None,
        lying=optional("lying", _share),
        aim=optional("table_aim_deg"),
        edges=optional("table_edges_deg"),
        mark=None if mark is None else str(mark),
        certainty=certainty,
        zone=Zone(str(item["zone"])) if item.get("zone") else None,
        seat=None if item.get("seat") is None else int(_number(item["seat"], "seat")),
    )


def _probabilities(item: dict[str, object]) -> tuple[Beliefs, float]:
    """Probability of each identity given that the piece exists, and the probability that it exists. `confidence` of the
    JSON is the product of both for the identity named."""
    confidence = _share(item.get("confidence", 1.0), "confidence")
    alternatives = item.get("alternatives") or []
    if not isinstance(alternatives, list):
        raise ValueError("alternatives must be a list")
    found: dict[Identity, float] = {}
    for other in alternatives:
        if not isinstance(other, dict):
            raise ValueError("each alternative is an object with suit, value and p")
        key = _identity(other)
        found[key] = found.get(key, 0.0) + _share(other.get("p", 0.0), "p")
    if item.get("certainty") is None:
        best = max(1.0 - sum(found.values()), confidence)
        certainty = confidence / best if best > 0 else 0.0
    else:
        certainty = _share(item["certainty"], "certainty")
        best = confidence / certainty if certainty > 0 else 0.0
    return {_identity(item): min(1.0, best), **found}, min(1.0, certainty)


def _sizes(item: object) -> dict[Size, float]:
    if not isinstance(item, dict):
        raise ValueError("sizes is an object with the chance of each size")
    return {Size(str(size)): _share(chance, "the chance of a size") for size, chance in item.items()}


def _identity(item: dict[str, object]) -> Identity:
    suit, value = item.get("suit"), item.get("value")
    return (parse_suit(str(suit)) if suit is not None else None, parse_rank(str(value)) if value is not None else None)


def _share(value: object, name: str) -> float:
    number = _number(value, name)
    if not 0 <= number <= 1:
        raise ValueError(f"{name} is a probability from 0 to 1, not {number!r}")
    return number


def _number(value: object, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value or abs(value) > 1e6:
        raise ValueError(f"{name} must be an ordinary number, not {value!r:.40}")
    return float(value)

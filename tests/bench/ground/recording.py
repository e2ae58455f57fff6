"""A recording: one game before one camera, as the referee meets it, with the truth beside it.

A file holds steps in the order in which they were done; a step holds the looks that were taken while its table lay
still. A look is what the eyes saw (every chance), the picture it was seen in, the plane of the table, and the region
that moved since the look before. Nothing in it depends on a referee, so every version can judge it.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from enum import Enum, StrEnum
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion_api.setting_up.hands import Area
from rules.pieces import Face, Kind, Pose, Size, parse_rank, parse_suit
from rules.table.layout import Zone
from rules.table.observed import ObservedTable, Sighting
from vision.frame import Frame, decode
from vision.plane import Plane

FORMAT = "piecepack-companion sequence 2"
SUFFIX = ".seq"
BELIEFS = ("identities", "other_identities")
"""Fields of a sighting that are chances of suit and rank."""


class Source(StrEnum):
    """Where the pictures come from: film with hands, stills of random sets, pictures of another renderer."""

    FILM = "film"
    STILLS = "stills"
    FOREIGN = "foreign"


class Deed(StrEnum):
    """What was done since the step before: nothing to be found, legal actions, an illegal act, that act put right."""

    NOTHING = "nothing"
    LEGAL = "legal"
    ILLEGAL = "illegal"
    PUT_RIGHT = "put right"


@dataclass(frozen=True, slots=True)
class RecordedLook:
    """One look. `seen`: the table after fusing; `single`: the sightings of this look alone, and `embeddings` a row for
    each of them (none where the eyes made none). `swept`: what moved since the look before, in a small picture;
    `reach`: in how many of those frames the motion touched the west, north, east, south edge."""

    at: float
    steady: bool
    alone: bool
    jpeg: bytes
    plane: Plane | None
    seen: ObservedTable
    single: tuple[Sighting, ...]
    embeddings: NDArray[np.float16]
    swept: NDArray[np.bool_] | None = None
    reach: tuple[int, int, int, int] = (0, 0, 0, 0)

    def frame(self) -> Frame:
        """The picture as the eyes had it."""
        return Frame(decode("recorded", self.jpeg), source="recorded", at=self.at)


@dataclass(frozen=True, slots=True)
class RecordedStep:
    """What was done, in ids of actions. `told`: what people told their phones before (a deal, a sealed choice)."""

    deed: Deed
    actions: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    incident: str = ""
    clauses: frozenset[str] = frozenset()
    looks: tuple[RecordedLook, ...] = ()


@dataclass(frozen=True, slots=True)
class Recording:
    """One recorded game."""

    name: str
    source: Source
    game: str
    style: str
    size: tuple[int, int]
    steps: tuple[RecordedStep, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    seats: Any = None
    areas: tuple[Area, ...] = ()
    twin: int = 0
    """0: as it was taken; else the seed by which its pixels were changed."""

    @property
    def id(self) -> str:
        return f"{self.name}~{self.twin}" if self.twin else self.name

    @property
    def is_held_out(self) -> bool:
        """Of the half on which figures are reported; the other is for fitting. A game and its twins stay together."""
        return hashlib.sha256(self.name.encode()).digest()[0] % 2 == 1

    @property
    def looks(self) -> Iterator[RecordedLook]:
        for step in self.steps:
            yield from step.looks


def save(sequence: Recording, folder: Path) -> Path:
    """Writes one file, whole or not at all."""
    path = folder / f"{sequence.id}{SUFFIX}"
    folder.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as out:
        described = {
            one.name: getattr(sequence, one.name) for one in fields(sequence) if one.name not in ("steps", "areas")
        }
        told = {"format": FORMAT, **described, "areas": [area.to_json() for area in sequence.areas], "steps": []}
        number = 0
        for step in sequence.steps:
            looks = []
            for look in step.looks:
                out.writestr(zipfile.ZipInfo(f"{number:04d}.jpg"), look.jpeg)
                out.writestr(f"{number:04d}.npz", _arrays(look), zipfile.ZIP_STORED)
                looks.append(_look_to_json(look))
                number += 1
            told["steps"].append(
                {
                    "deed": step.deed,
                    "actions": step.actions,
                    "told": step.told,
                    "incident": step.incident,
                    "clauses": sorted(step.clauses),
                    "looks": looks,
                }
            )
        out.writestr("sequence.json", json.dumps(told, separators=(",", ":")))
    part.replace(path)
    return path


def load(path: Path) -> Recording:
    """Reads what `save` has written; ValueError where it is something else."""
    with zipfile.ZipFile(path) as file:
        told = json.loads(file.read("sequence.json"))
        if told.pop("format") != FORMAT:
            raise ValueError(f"{path.name} is no recorded sequence of this version; record it again")
        steps, number = [], 0
        for step in told.pop("steps"):
            looks = []
            for look in step["looks"]:
                arrays = np.load(io.BytesIO(file.read(f"{number:04d}.npz")))
                looks.append(_look_from_json(look, file.read(f"{number:04d}.jpg"), arrays))
                number += 1
            steps.append(
                RecordedStep(
                    Deed(step["deed"]),
                    tuple(step["actions"]),
                    tuple(step["told"]),
                    step["incident"],
                    frozenset(step["clauses"]),
                    tuple(looks),
                )
            )
    areas = tuple(Area.from_json(area) for area in told.pop("areas"))
    size, source = tuple(told.pop("size")), Source(told.pop("source"))
    return Recording(**told, source=source, size=(size[0], size[1]), areas=areas, steps=tuple(steps))


def saved(folder: Path) -> list[Path]:
    """All sequences of a folder, in order."""
    return sorted(folder.glob(f"*{SUFFIX}"))


# One look ------------------------------------------------------------------------------------------------------------


def _arrays(look: RecordedLook) -> bytes:
    out = io.BytesIO()
    swept = np.zeros((0, 0), bool) if look.swept is None else look.swept
    np.savez_compressed(out, embeddings=look.embeddings, swept=np.packbits(swept), shape=np.array(swept.shape))
    return out.getvalue()


def _look_to_json(look: RecordedLook) -> dict[str, Any]:
    return {
        "at": look.at,
        "steady": look.steady,
        "alone": look.alone,
        "reach": look.reach,
        "plane": None if look.plane is None else [look.plane.homography.tolist(), look.plane.spread],
        "seen": [_to_json(one) for one in look.seen.sightings],
        "faint": [_to_json(one) for one in look.seen.faint],
        "time": look.seen.time,
        "single": [_to_json(one) for one in look.single],
    }


def _look_from_json(told: Mapping[str, Any], jpeg: bytes, arrays: Mapping[str, NDArray[Any]]) -> RecordedLook:
    plane = told["plane"]
    seen = ObservedTable(
        tuple(map(_from_json, told["seen"])),
        time=told["time"],
        faint=tuple(map(_from_json, told["faint"])),
    )
    height, width = (int(side) for side in arrays["shape"])
    swept = np.unpackbits(arrays["swept"], count=height * width).reshape(height, width).astype(bool)
    west, north, east, south = told["reach"]
    return RecordedLook(
        at=told["at"],
        steady=told["steady"],
        alone=told["alone"],
        jpeg=jpeg,
        plane=None if plane is None else Plane(np.array(plane[0]), plane[1]),
        seen=seen,
        single=tuple(map(_from_json, told["single"])),
        embeddings=arrays["embeddings"],
        swept=swept if height else None,
        reach=(west, north, east, south),
    )


def _to_json(sighting: Sighting) -> dict[str, Any]:
    """Only what is not as by default."""
    told = {one.name: getattr(sighting, one.name) for one in fields(sighting)}
    for name in BELIEFS:
        told[name] = [
            [suit, None if rank is None else rank.word, p] for (suit, rank), p in getattr(sighting, name).items()
        ]
    told["sizes"] = {size.value: p for size, p in sighting.sizes.items()}
    return {name: value.value if isinstance(value, Enum) else value for name, value in told.items() if _is_told(value)}


def _is_told(value: object) -> bool:
    return value is not None and value != () and value != [] and value != {}


def _from_json(told: Mapping[str, Any]) -> Sighting:
    made: dict[str, Any] = dict(told)
    for name, kind in (("kind", Kind), ("face", Face), ("size", Size), ("pose", Pose), ("zone", Zone)):
        if name in made:
            made[name] = kind(made[name])
    for name in BELIEFS:
        if name in made:
            made[name] = {
                (parse_suit(suit) if suit else None, None if rank is None else parse_rank(rank)): p
                for suit, rank, p in made[name]
            }
    if "sizes" in made:
        made["sizes"] = {Size(size): p for size, p in made["sizes"].items()}
    if "center_px" in made:
        made["center_px"] = tuple(made["center_px"])
    if "outline_px" in made:
        made["outline_px"] = tuple((x, y) for x, y in made["outline_px"])
    return Sighting(**made)

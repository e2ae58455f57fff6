"""Ground truth of rendered pictures, and its assignment to detections."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from models.training.pool import read_picture
from vision.detect import shape
from vision.detect.decode import Detection
from vision.detect.shape import Floats
from vision.frame import Picture
from vision.inventory import assign
from vision.piece import DetectedPiece

MIN_VISIBLE = 0.3
"""Visible share from which a piece is a training target."""
MIN_PRESENT = 0.06
"""Visible share below which a piece counts as absent; between the two it is neither required nor forbidden."""
MIN_ART_VISIBLE = 0.45
"""Visible share of a mark from which it is a label."""
MAX_DISTANCE = 1 / 3
"""Largest distance of matched centres, in shares of the piece's size."""
MIN_JUDGED = 0.35
"""Visible share below which a piece counts neither as missed nor as a false alarm."""
UNMATCHED_COST = 1e6


@dataclass(frozen=True, slots=True)
class Labelled:
    """Ground truth of one piece of a picture; None where a property cannot be seen."""

    kind: str
    outline: Floats
    center: Floats
    visible: float
    suit: str | None
    value: str | None
    face: str | None
    size: str | None
    pose: str | None
    angle: float | None

    @property
    def label(self) -> str:
        return f"{self.kind} {self.face}" if self.kind in ("tile", "coin") else self.kind


def labelled(piece: dict[str, Any]) -> Labelled:
    art = piece.get("art_visible") or {}
    suit, value = (piece.get(name) if art.get(name, 1.0) >= MIN_ART_VISIBLE else None for name in ("suit", "value"))
    if piece["kind"] == "card":  # known by its picture, not by the piecepack's suits
        suit = value = None
    angle = piece.get("angle_img_deg", piece.get("angle_deg"))
    return Labelled(
        kind=piece["kind"],
        outline=np.array(piece["outline_px"], dtype=np.float64).reshape(-1, 2),
        center=np.array(piece["center_px"], dtype=np.float64),
        visible=float(piece["visible"]),
        suit=suit,
        value=value,
        face=piece.get("face"),
        size=piece.get("size"),
        pose=piece.get("pose"),
        angle=None if angle is None else float(angle),
    )


def read_hands(path: Path) -> list[Floats]:
    """Outlines of hands and sleeves in picture pixels."""
    polygons = json.loads(path.read_text()).get("hand_polygons", [])
    return [np.array(polygon, dtype=np.float64).reshape(-1, 2) for polygon in polygons if len(polygon) >= 3]


def read_truth(path: Path) -> list[Labelled]:
    record = json.loads(path.read_text())
    pieces = (labelled(piece) for piece in record["pieces"] if len(piece["outline_px"]) >= 3)
    return [piece for piece in pieces if piece.visible >= MIN_PRESENT]


def pictures_with_truth(paths: Iterable[Path], photos: Iterable[Path] = ()) -> Iterator[tuple[Picture, list[Labelled]]]:
    """Pictures with the pieces on them; `photos` are of tables without any."""
    for path in paths:
        yield read_picture(path), read_truth(path.with_suffix(".json"))
    for path in photos:
        yield read_picture(path), []


@dataclass(frozen=True, slots=True)
class MatchResult:
    """Indices: pairs of (true, detected), missed pieces, false alarms."""

    pairs: list[tuple[int, int]]
    missed: list[int]
    false_alarms: list[int]


def match(truth: Sequence[Labelled], detected: Sequence[Detection | DetectedPiece]) -> MatchResult:
    """Detections assigned to true pieces of their kind at least total distance."""
    pairs: list[tuple[int, int]] = []
    for kind in {piece.kind for piece in truth}:
        pairs += match_kind(kind, truth, detected)
    true_matched, detected_matched = {i for i, _ in pairs}, {j for _, j in pairs}
    return MatchResult(
        [(i, j) for i, j in pairs if truth[i].visible >= MIN_JUDGED],
        [i for i, piece in enumerate(truth) if piece.visible >= MIN_JUDGED and i not in true_matched],
        [j for j in range(len(detected)) if j not in detected_matched],
    )


def match_kind(
    kind: str, truth: Sequence[Labelled], detected: Sequence[Detection | DetectedPiece]
) -> list[tuple[int, int]]:
    """(true, detected) pairs of one kind; hardly visible pieces get a detection only if no other piece wants it."""
    rows = [i for i, piece in enumerate(truth) if piece.kind == kind]
    columns = [j for j, piece in enumerate(detected) if piece.kind == kind]
    if not rows or not columns:
        return []
    limits = np.array([MAX_DISTANCE * np.sqrt(shape.area(truth[i].outline)) for i in rows])
    distances = np.array([[np.linalg.norm(truth[i].center - detected[j].center) for j in columns] for i in rows])
    penalties = np.array([0.0 if truth[i].visible >= MIN_JUDGED else 10.0 for i in rows])
    cost = np.where(distances < limits[:, None], distances / limits[:, None] + penalties[:, None], UNMATCHED_COST)
    return [(rows[r], columns[c]) for r, c in assign(cost) if cost[r, c] < UNMATCHED_COST]

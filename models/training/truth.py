"""A rendered picture's truth, read into arrays once."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from vision.detect.shape import Floats

SEEN = 0.3
"""Pieces at least this visible are asked for."""
UNSEEN = 0.06
"""Pieces less visible than this are not there; what lies between is neither asked for nor forbidden."""
ART = 0.45
"""A mark is learnt only where this share of it can be seen."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """One piece of a picture, with what can be seen of it."""

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
    seen = {name: piece.get(name) if art.get(name, 1.0) >= ART else None for name in ("suit", "value")}
    if piece["kind"] == "card":  # known by its picture, not by the piecepack's suits
        seen = {"suit": None, "value": None}
    angle = piece.get("angle_img_deg", piece.get("angle_deg"))
    return Labelled(
        kind=piece["kind"],
        outline=np.array(piece["outline_px"], dtype=np.float64).reshape(-1, 2),
        center=np.array(piece["center_px"], dtype=np.float64),
        visible=float(piece["visible"]),
        suit=seen["suit"],
        value=seen["value"],
        face=piece.get("face"),
        size=piece.get("size"),
        pose=piece.get("pose"),
        angle=None if angle is None else float(angle),
    )


def read_hands(path: Path) -> list[Floats]:
    """Outlines of hands and sleeves."""
    polygons = json.loads(path.read_text()).get("hand_polygons", [])
    return [np.array(polygon, dtype=np.float64).reshape(-1, 2) for polygon in polygons if len(polygon) >= 3]


def read_truth(path: Path) -> list[Labelled]:
    record = json.loads(path.read_text())
    pieces = (labelled(piece) for piece in record["pieces"] if len(piece["outline_px"]) >= 3)
    return [piece for piece in pieces if piece.visible >= UNSEEN]

"""One picture in, the object of `companion look` out."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import cv2

from rules.sentence import say
from vision import overlay
from vision.frame import PictureError, read_frame
from vision.piece import DetectedPiece
from vision.plane import Plane
from vision.priors import TablePriors
from vision.table_reader import FrameResult, TableReader

__all__ = ["PictureError", "look_at", "report"]


@cache
def eyes() -> TableReader:
    return TableReader()


def look_at(
    path: str | Path, priors: TablePriors | None = None, timings: bool = False, overlay_dir: str | Path | None = None
) -> dict[str, Any]:
    """Raises PictureError with one clear line if the picture cannot be used. `priors`: a calibrated table."""
    seen = eyes().look(read_frame(path), priors)
    if overlay_dir is not None:
        save_overlay(seen, Path(overlay_dir) / f"{Path(path).stem}.jpg")
    out = report(seen)
    if not timings:
        del out["timings_ms"]
    return out


def save_overlay(seen: FrameResult, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not cv2.imwrite(str(path), overlay.draw(seen.frame.image, seen.pieces)):
        raise PictureError(say("{file}: the overlay picture cannot be written there", file=str(path)))


def report(seen: FrameResult) -> dict[str, Any]:
    """The contract's object."""
    width, height = seen.frame.size
    return {
        "image": seen.frame.source,
        "width": width,
        "height": height,
        "pieces": [piece_record(piece) for piece in seen.pieces],
        "table": table_record(seen.plane),
        "hand_share": round(seen.hand_share, 4),
        "contradictions": seen.contradictions,
        "timings_ms": seen.timings_ms,
    }


def doubts_record(piece: DetectedPiece) -> dict[str, Any]:
    """What a card is by its drawing; how large a pyramid may be, how likely it lies and where it points then; how the
    sides of a tile or a card are turned, whichever side is up. Whoever knows what should lie there weighs these."""
    told: dict[str, Any] = {"mark": piece.mark} if piece.mark else {}
    if piece.sizes:
        told["sizes"] = {size: round(chance, 4) for size, chance in piece.sizes.items()}
    for name, value in (
        ("lying", piece.lying),
        ("table_aim_deg", piece.table_aim),
        ("table_edges_deg", piece.table_edges),
    ):
        if value is not None:
            told[name] = round(value, 4)
    return told


def piece_record(piece: DetectedPiece) -> dict[str, Any]:
    identities = piece.identities()
    return doubts_record(piece) | {
        "kind": piece.kind,
        "suit": piece.suit,
        "value": piece.value,
        "face": piece.face,
        "size": piece.size,
        "pose": piece.pose,
        "center_px": rounded(piece.center),
        "outline_px": [rounded(point) for point in piece.outline],
        "angle_deg": None if piece.angle is None else round(piece.angle, 2),
        "position": None if piece.position is None else list(piece.position),
        "level": piece.level,
        "table_angle_deg": None if piece.table_angle is None else round(piece.table_angle, 2),
        "confidence": round(piece.confidence, 4),
        "certainty": round(piece.certainty, 4),
        "alternatives": [
            {"suit": suit, "value": None if rank is None else rank.word, "p": round(p, 4)}
            for suit, rank, p in identities
            if (suit, rank) != (piece.suit, piece.rank)
        ][:5],
    }


def rounded(point: Any) -> list[float]:
    return [round(float(point[0]), 2), round(float(point[1]), 2)]


def table_record(plane: Plane | None) -> dict[str, Any] | None:
    if plane is None:
        return None
    return {"homography": [[float(f"{value:.9g}") for value in row] for row in plane.homography], "unit": "inch"}

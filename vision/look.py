"""Reads one picture, builds the JSON object of `companion look`, and draws detected pieces over the picture."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from rules.sentence import say
from vision.frame import Picture, PictureError, read_frame
from vision.piece import DetectedPiece
from vision.plane import Plane
from vision.priors import TablePriors
from vision.table_reader import FrameResult, TableReader

__all__ = ["PictureError", "look_at", "report"]


@cache
def shared_reader() -> TableReader:
    return TableReader()


def look_at(
    path: str | Path, priors: TablePriors | None = None, timings: bool = False, overlay_dir: str | Path | None = None
) -> dict[str, Any]:
    """The report of one picture file. Raises PictureError with one clear line if it cannot be used. `priors`: those of
    a calibrated table. `overlay_dir`: where to write the picture with outlines drawn."""
    result = shared_reader().look(read_frame(path), priors)
    if overlay_dir is not None:
        save_overlay(result, Path(overlay_dir) / f"{Path(path).stem}.jpg")
    out = report(result)
    if not timings:
        del out["timings_ms"]
    return out


def save_overlay(result: FrameResult, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not cv2.imwrite(str(path), draw(result.frame.image, result.pieces)):
        raise PictureError(say("{file}: the overlay picture cannot be written there", file=str(path)))


def report(result: FrameResult) -> dict[str, Any]:
    """The JSON object of CONTRACTS: image, pieces, table plane, hand share, contradictions and timings."""
    width, height = result.frame.size
    return {
        "image": result.frame.source,
        "width": width,
        "height": height,
        "pieces": [piece_record(piece) for piece in result.pieces],
        "table": table_record(result.plane),
        "hand_share": round(result.hand_share, 4),
        "contradictions": result.contradictions,
        "timings_ms": result.timings_ms,
    }


def uncertainty_record(piece: DetectedPiece) -> dict[str, Any]:
    """Extra fields for callers who know what should lie there: a card's mark, a pyramid's size distribution,
    probability of lying and direction, and the direction of a tile's or card's sides on the table."""
    record: dict[str, Any] = {"mark": piece.mark} if piece.mark else {}
    if piece.sizes:
        record["sizes"] = {size: round(chance, 4) for size, chance in piece.sizes.items()}
    for name, value in (
        ("lying", piece.lying),
        ("table_aim_deg", piece.table_aim),
        ("table_edges_deg", piece.table_edges),
    ):
        if value is not None:
            record[name] = round(value, 4)
    return record


def piece_record(piece: DetectedPiece) -> dict[str, Any]:
    identities = piece.identities()
    return uncertainty_record(piece) | {
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


COLOURS: Final = {
    "tile": (0, 220, 0),
    "coin": (0, 200, 255),
    "die": (255, 0, 255),
    "pawn": (255, 160, 0),
    "pyramid": (0, 90, 255),
    "card": (255, 255, 0),
}
SHADOW: Final = (0, 0, 0)


def caption(piece: DetectedPiece) -> str:
    suit = piece.suit.letter if piece.suit else ""
    rank = "" if piece.rank is None else str(int(piece.rank))
    return (suit + rank) or {"back": "#", "upright": "^"}.get(piece.face or "", "")


def draw(image: Picture, pieces: Iterable[DetectedPiece]) -> Picture:
    canvas = image.copy()
    for piece in pieces:
        draw_piece(canvas, piece)
    return canvas


def draw_piece(canvas: Picture, piece: DetectedPiece) -> None:
    outline = np.round(piece.outline).astype(np.int32)
    colour = COLOURS[piece.kind]
    cv2.polylines(canvas, [outline], True, colour, 2 if piece.confidence > 0.8 else 1, cv2.LINE_AA)
    x, y = (int(value) for value in piece.center)
    if piece.angle is not None:
        turn = np.deg2rad(piece.angle)
        reach = 0.35 * float(np.ptp(outline[:, 0]))
        tip = (int(x - reach * np.sin(turn)), int(y - reach * np.cos(turn)))
        cv2.line(canvas, (x, y), tip, colour, 1, cv2.LINE_AA)
    write(canvas, caption(piece), (x - 6, y + 5), colour)


def write(canvas: Picture, text: str, at: tuple[int, int], colour: tuple[int, int, int]) -> None:
    for thick, ink in ((3, SHADOW), (1, colour)):
        cv2.putText(canvas, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.45, ink, thick, cv2.LINE_AA)

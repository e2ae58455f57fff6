"""Conversion of reads to pieces: final kind, side, answers and direction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from rules.pieces import RANKS, SUITS, Face, Kind, Pose
from rules.pieces.piece import LOONEY_SIZES
from vision import odds
from vision.detect import shape
from vision.detect.channels import STAND
from vision.detect.decode import Detection
from vision.detect.shape import Floats
from vision.identify.heads import POSES, shows_suit, shows_value
from vision.identify.read import Array, CropReading, direction, refined_base, refined_quad
from vision.piece import Chances, DetectedPiece, Name, Signs, angle_of

LABELS: Final = {
    "tile": ("tile front", "tile back"),
    "coin": ("coin front", "coin back"),
    "die": ("die",),
    "pawn": ("pawn",),
    "pyramid": ("pyramid",),
    "card": ("card",),
}


def name(read: CropReading, weights: Mapping[str, float]) -> DetectedPiece:
    """The piece of a read. `weights`: fitted weights of the evidence from the registry."""
    read = which_stands(read)
    kind = read.found.kind
    label = max(LABELS[kind], key=read.chance)
    face = Face(label.split()[1]) if " " in label else None
    corners = refined_quad(read) if kind in ("tile", "die", "card") else read.found.outline
    corners = corners_from_top_left(read, corners, face)
    return DetectedPiece(
        kind=Kind(kind),
        center=center(read, corners),
        outline=corners,
        certainty=certainty(read, weights),
        face=face,
        suits=distribution(read, f"suit {kind}", SUITS) if shows_suit(kind, face) else {},
        ranks=distribution(read, f"value {kind}", RANKS) if shows_value(kind, face) else {},
        sizes=distribution(read, "size", LOONEY_SIZES) if kind == "pyramid" else {},
        pose=pose(read),
        lying=float(read.beliefs["pose"][POSES.index("flat")]) if kind == "pyramid" else None,
        aim=angle_of(direction(read, "point")) if kind == "pyramid" else None,
        angle=angle(read, corners, face),
        embedding=read.embedding,
        signs=None if read.signs is None else signs_of(read, read.signs),
    )


def signs_of(read: CropReading, numbers: Array) -> Signs:
    """Feature vector and both sides' answers of a read, for a learned set."""
    kind = read.found.kind
    turns = read.beliefs.get(f"turn {kind}")
    return Signs(
        numbers,
        {Face(label.split()[1]): read.chance(label) for label in LABELS[kind] if " " in label},
        distribution(read, f"suit {kind}", SUITS) if f"suit {kind}" in read.beliefs else {},
        distribution(read, f"value {kind}", RANKS) if f"value {kind}" in read.beliefs else {},
        0 if turns is None else int(np.argmax(turns)),
    )


def which_stands(read: CropReading) -> CropReading:
    """The read with its standing kind decided, pawn or pyramid, by outliner and reader together. Both crops are framed
    alike, so none is cut again."""
    if read.found.kind not in STAND:
        return read
    doubt = read.found.pyramid
    pyramid, pawn = doubt * read.chance("pyramid"), (1 - doubt) * read.chance("pawn")
    kind = "pyramid" if pyramid > pawn else "pawn"
    return replace(read, found=replace(read.found, kind=kind))


def agreement(read: CropReading) -> float:
    """The reader's probability of this kind (of standing kinds: that something stands)."""
    kind = read.found.kind
    labels = STAND if kind in STAND else LABELS[kind]
    return sum(read.chance(label) for label in labels)


def certainty(read: CropReading, weights: Mapping[str, float]) -> float:
    """The probability that there is such a piece."""
    return piece_probability(read.found, agreement(read), weights)


def piece_probability(found: Detection, agreement: float, weights: Mapping[str, float]) -> float:
    """The probability that there is such a piece, from finder, outliner and reader with the fitted weights of this
    kind."""

    def trust(witness: str, unknown: float) -> float:
        return weights.get(f"certainty {found.kind} {witness}", unknown)

    total = (
        trust("score", 0.7) * odds.logit(found.score)
        + trust("outline", 0.4) * odds.logit(found.agreed)
        + trust("agree", 0.4) * odds.logit(agreement)
        + trust("level", 0.0)
    )
    return odds.sigmoid(total)


def distribution(read: CropReading, head: str, names: tuple[Name, ...]) -> Chances[Name]:
    """The answer of a head as a distribution over the project's names."""
    return dict(zip(names, read.beliefs[head].tolist(), strict=True))


def corners_from_top_left(read: CropReading, corners: Floats, face: str | None) -> Floats:
    """The corners starting with the piece's own top left, where it has one."""
    kind = read.found.kind
    if (kind, face) == ("tile", "front") or kind == "die":
        return np.roll(corners, -int(np.argmax(read.beliefs[f"turn {kind}"])), axis=0)
    return corners


def with_corners(piece: DetectedPiece, corners: Floats) -> DetectedPiece:
    """A flat square piece with refined corners, centre and angle."""
    angle = piece.angle if piece.angle is None else angle_of(corners[0] + corners[1] - corners[2] - corners[3])
    return replace(piece, outline=corners, center=shape.crossing(corners), angle=angle)


def center(read: CropReading, corners: Floats) -> Floats:
    if read.found.kind in ("tile", "die", "card"):
        return shape.crossing(corners)
    if read.found.kind in STAND:
        return (read.found.center + refined_base(read)) / 2
    return read.found.center


def pose(read: CropReading) -> Pose | None:
    if read.found.kind == "pyramid":
        return Pose(POSES[int(np.argmax(read.beliefs["pose"]))])
    return Pose.UPRIGHT if read.found.kind == "pawn" else None


def angle(read: CropReading, corners: Floats, face: str | None) -> float | None:
    kind = read.found.kind
    if (kind, face) == ("tile", "front") or kind == "die":
        return angle_of(corners[0] + corners[1] - corners[2] - corners[3])
    if kind == "coin":
        return angle_of(direction(read, "turn coin"))
    if kind == "pyramid" and pose(read) == "flat":
        return angle_of(direction(read, "point"))
    return None

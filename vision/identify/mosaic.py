"""Tiles laid as a board: of all hypotheses about a pattern of lines, the consistent ones.

Where four backs meet, the middle looks like a back too. Tiles hardly ever overlap much, and those of a board share
whole sides, so candidates support or suppress each other, weighted by their certainties, until these converge. How
printed lines differ from the seams between tiles depends on the edition, so for each candidate the two lines through
its middle are compared with its four sides; if the candidates fall into two groups by that, members of the likelier
group gain certainty and the others lose it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.detect import shape
from vision.detect.edges import profiles_across
from vision.detect.shape import Floats
from vision.odds import logits, sigmoids
from vision.piece import DetectedPiece
from vision.rectify import Picture

OVERLAP_PENALTY: Final = 5.0
"""Evidence of a certain tile against another that it covers completely, in logits."""
FREE_OVERLAP: Final = 0.25
"""Overlap that costs nothing: an inexact outline, or a tile that lies half over another."""
SHARED_SIDE_BONUS: Final = 1.6
"""Evidence of a certain tile for one that shares a side with it, in logits."""
SAME_CORNER: Final = 0.13
"""Largest distance of two corners that are the same, in shares of a side."""
ITERATIONS: Final = 12
LINE_UPDATES: Final = 4
"""Number of times the line evidence is updated with the certainties reached by then."""

ALONG_SHARES: Final = np.linspace(0.12, 0.88, 11)
"""Sample positions along a line (not near the corners) and across it, in shares of the tile's side."""
ACROSS_SHARES: Final = np.linspace(-0.1, 0.1, 19)
OUTER_SAMPLES: Final = 3
"""Number of outermost samples on each side that show what lies beside the line."""
MIN_GROUP_SIZE: Final = 1.5
"""Expected number of tiles, and of others, from which two groups are searched for."""
PRIOR_SCATTER, PRIOR_COUNT = 0.3, 4.0
"""Prior standard deviation of the comparison within a group, and the number of observations it counts as."""
MAX_LINE_LOGITS: Final = 3.0
"""Limit of the line evidence for or against a tile, in logits."""


def tile_support(pieces: Sequence[DetectedPiece], contrasts: Sequence[float]) -> tuple[Floats, Floats]:
    """(log odds of each piece, of tiles after the iterations; evidence of its lines in them). `contrasts`: of the
    middle lines of each tile."""
    out, lines = logits([piece.certainty for piece in pieces]), np.zeros(len(pieces))
    tiles = [index for index, piece in enumerate(pieces) if piece.kind == "tile"]
    if len(tiles) < 2:
        return out, lines
    backs = [index for index in tiles if pieces[index].face == "back"]
    support, prior, current = support_matrix([pieces[index].outline for index in tiles]), out[tiles], out[tiles]
    for _ in range(LINE_UPDATES):
        for _ in range(ITERATIONS):
            current = (current + prior + lines[tiles] + support @ sigmoids(current)) / 2
        if not backs:
            break
        out[tiles] = current
        lines[backs] = line_evidence(np.asarray(contrasts)[backs], sigmoids(out[backs]))
    out[tiles] = current
    return out, lines


def support_matrix(outlines: Sequence[Floats]) -> Floats:
    """Evidence of each tile, if certain, for each other, in logits."""
    count = len(outlines)
    sizes = np.sqrt([shape.area(outline) for outline in outlines])
    centers = np.array([outline.mean(axis=0) for outline in outlines])
    out = np.zeros((count, count))
    smaller = np.minimum(sizes[:, None], sizes)
    is_near = np.linalg.norm(centers[:, None] - centers, axis=2) < 1.6 * smaller
    for one, other in zip(*np.nonzero(np.tril(is_near, -1)), strict=True):
        out[one, other] = out[other, one] = pair_support(outlines[one], outlines[other], float(smaller[one, other]))
    return out


def pair_support(one: Floats, other: Floats, size: float) -> float:
    """Evidence of two tiles for each other, in logits. `size`: that of the smaller."""
    distances = np.linalg.norm(one[:, None] - other[None], axis=2)
    shared = int((distances.min(axis=1) < SAME_CORNER * size).sum())
    overlap = shape.shared(one, other) / size**2
    if shared == 2 and overlap < 2 * FREE_OVERLAP:
        return SHARED_SIDE_BONUS
    return -OVERLAP_PENALTY * max(0.0, overlap - FREE_OVERLAP)


def middle_line_contrast(grey: Picture, quads: Sequence[Floats]) -> Floats:
    """Darkness of each quad's middle lines less that of its sides, relative to the brightness."""
    corners = np.array(quads)
    halves = (corners + np.roll(corners, -1, axis=1)) / 2
    start = np.concatenate([corners, halves[:, :2]], axis=1)
    end = np.concatenate([np.roll(corners, -1, axis=1), halves[:, 2:]], axis=1)
    darkness = line_darkness(grey, start, end)
    return np.asarray(darkness[:, 4:].mean(axis=1) - darkness[:, :4].mean(axis=1))


def line_darkness(grey: Picture, start: Floats, end: Floats) -> Floats:
    """Darkness of each line (quads x lines) relative to what lies on both sides of it."""
    along = end - start
    across = np.stack([-along[..., 1], along[..., 0]], axis=-1)
    lines = profiles_across(grey, start, along, across, ALONG_SHARES, ACROSS_SHARES)
    profile = np.median(lines.reshape(*start.shape[:2], len(ALONG_SHARES), len(ACROSS_SHARES)), axis=2)
    beside = (profile[..., :OUTER_SAMPLES].mean(axis=-1) + profile[..., -OUTER_SAMPLES:].mean(axis=-1)) / 2
    brightness = profile.mean(axis=(1, 2))[:, None] + 1.0
    return np.asarray((beside - profile[..., OUTER_SAMPLES:-OUTER_SAMPLES].min(axis=-1)) / brightness)


def line_evidence(contrasts: Floats, probabilities: Floats) -> Floats:
    """Evidence of the line contrasts for each candidate, in logits, from a mixture of two groups. `probabilities`: that
    each candidate is a tile."""
    tiles, others = probabilities.sum(), (1 - probabilities).sum()
    if min(tiles, others) < MIN_GROUP_SIZE:
        return np.zeros(len(contrasts))
    overall_mean = contrasts.mean()
    tile_mean = (probabilities @ contrasts + overall_mean) / (tiles + 1)
    other_mean = ((1 - probabilities) @ contrasts + overall_mean) / (others + 1)
    tile_deviation, other_deviation = (contrasts - tile_mean) ** 2, (contrasts - other_mean) ** 2
    scatter = probabilities @ tile_deviation + (1 - probabilities) @ other_deviation + PRIOR_COUNT * PRIOR_SCATTER**2
    evidence = (other_deviation - tile_deviation) / (2 * scatter / (len(probabilities) + PRIOR_COUNT))
    return np.asarray(np.clip(evidence, -MAX_LINE_LOGITS, MAX_LINE_LOGITS))

"""Runs the scene net: the certainty of every candidate, from all candidates of the picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from vision.bare import table_similarity
from vision.detect.edges import refined_quads
from vision.identify import mosaic
from vision.identify.name import with_corners
from vision.identify.read import CropReading
from vision.nets import OpenModel
from vision.odds import sigmoids
from vision.piece import DetectedPiece
from vision.rectify import Layers
from vision.scene import Candidate, candidate, features, relations

MAX_CANDIDATES: Final = 200
"""Candidates of a picture that the net sees, the surest ones (budget: its time grows with the square)."""
EDGED: Final = ("tile", "card")
"""Kinds whose corners are refined on the edges of the picture."""


class SceneNet:
    """The scene net. It is opened when it is first needed, as the nets before it run without it in its training."""

    def __init__(self, open_session: Callable[[], OpenModel]) -> None:
        self._open = cache(open_session)

    def __call__(self, candidates: Sequence[Candidate], size: tuple[int, int]) -> list[DetectedPiece]:
        """The pieces with their certainty. `size`: width and height of the picture."""
        if not candidates:
            return []
        inputs = {"x": features(candidates, size), "pairs": relations(candidates)}
        (log_odds,) = self._open().run_whole(inputs)
        return [
            replace(each.piece, certainty=p) for each, p in zip(candidates, sigmoids(log_odds).tolist(), strict=True)
        ]


def candidates_of(layers: Layers, reads: Sequence[CropReading], named: Sequence[DetectedPiece]) -> list[Candidate]:
    """The surest candidates, with refined corners. `named`: the pieces of these reads."""
    order = sorted(range(len(named)), key=lambda index: -named[index].certainty)[:MAX_CANDIDATES]
    rough = [named[index] for index in sorted(order)]
    refined = with_edges(layers, rough)
    out = [candidate(reads[index], *each) for index, *each in zip(sorted(order), rough, refined, strict=True)]
    tiles = [index for index, piece in enumerate(refined) if piece.kind == "tile"]
    if not tiles:
        return out
    bare = table_similarity(layers, rough)
    contrasts = mosaic.middle_line_contrast(layers.grey, [refined[index].outline for index in tiles])
    for index, contrast in zip(tiles, contrasts.tolist(), strict=True):
        out[index] = replace(out[index], bare=bare[index], contrast=contrast)
    return out


def with_edges(layers: Layers, pieces: Sequence[DetectedPiece]) -> list[DetectedPiece]:
    """The pieces; tiles and cards with corners refined on the edges of the picture."""
    edged = [index for index, piece in enumerate(pieces) if piece.kind in EDGED]
    out = list(pieces)
    for index, quad in zip(edged, refined_quads(layers.grey, [pieces[i].outline for i in edged]), strict=True):
        out[index] = with_corners(pieces[index], quad)
    return out

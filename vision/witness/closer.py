"""Where the picture changed it is looked at from nearer before the moment is judged.

The detector reads a whole table at once, and misses what is small there. A part of the picture, made larger, is another
look: pieces that only it shows, on ground that changed, are added. What was seen before keeps its reading: read again
from nearer, pawns of foreign sets changed their colours. Only dice are read by all looks together: where an outline
takes in a side face, a blank upper face is read as what that shows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from rules.pieces import Kind
from rules.table.observed import Sighting
from vision.detect.shape import Floats
from vision.witness.looks import Looked
from vision.witness.tuning import WITNESS, Nearing

Box = tuple[int, int, int, int]
"""Left, top, right and bottom in the picture."""
Told = TypeVar("Told")
Closer = Callable[[Box, float], Sequence[Looked]]
"""What is seen in a part of the picture, so many times larger."""


def parts(
    traces: Iterable[Box], space_px: Callable[[Box], float], size: tuple[int, int], nearing: Nearing = WITNESS.nearing
) -> list[tuple[Box, float]]:
    """What is worth another look, and how many times larger."""
    wide = _in_picture(_with_room(box, nearing.around * space_px(box), size) for box in traces)
    picture = size[0] * size[1]
    found = [(box, _times(box, space_px(box), picture, nearing)) for box in _joined(wide)]
    area = nearing.most_share * picture
    worth = [(box, times) for box, times in found if times >= nearing.larger[0] and _area(box) <= area]
    largest = sorted(worth, key=lambda part: -_area(part[0]))[: nearing.most_parts]
    return [(piece, times) for box, times in largest for piece in _pieces(box, times, space_px(box), nearing)]


def _times(box: Box, space: float, picture: int, nearing: Nearing) -> float:
    affordable = math.sqrt(nearing.most_pixels * picture / max(_area(box), 1))
    return min(nearing.space / space, nearing.larger[1], affordable)


def _pieces(box: Box, times: float, space: float, nearing: Nearing) -> list[Box]:
    """A wide part in pieces that overlap, so that whatever lies across the edge of one is whole in the next."""
    side, shared = nearing.side / times, nearing.around * space
    columns, rows = (_cuts(low, high, side, shared) for low, high in ((box[0], box[2]), (box[1], box[3])))
    return [(left, top, right, bottom) for top, bottom in rows for left, right in columns]


def _cuts(low: int, high: int, side: float, shared: float) -> list[tuple[int, int]]:
    if high - low <= side or side <= shared:
        return [(low, high)]
    count = math.ceil((high - low - shared) / (side - shared))
    length = (high - low - shared) / count + shared
    starts = (low + number * (length - shared) for number in range(count))
    return [(math.floor(start), math.ceil(start + length)) for start in starts]


def unseen(
    sightings: Sequence[Sighting], nearer: Sequence[Sighting], nearing: Nearing = WITNESS.nearing
) -> list[Sighting]:
    """What only the nearer look shows, each thing once; parts may overlap."""
    found = list[Sighting]()
    for one in sorted(nearer, key=lambda s: -s.certainty):
        if not any(_is_same(one, other, nearing) for other in (*sightings, *found)):
            found.append(one)
    return found


def read_together(
    sighting: Sighting,
    nearer: Sequence[Sighting],
    up: Callable[[Sighting], Floats],
    nearing: Nearing = WITNESS.nearing,
) -> Sighting:
    """A die with the mean of what the looks at its upper face say, each weighed by its certainty; anything else as it
    is. `up`: which way in the picture (a unit vector) what lies there rises: a look that takes the die's middle
    noticeably lower than another shows a side face too."""
    looks = [one for one in nearer if _is_same(one, sighting, nearing)] if sighting.kind is Kind.DIE else []
    if not looks:
        return sighting
    looks.append(sighting)
    along, width = up(sighting), width_px(sighting)
    heights = [float(along @ one.center_px) / width for one in looks if one.center_px is not None]
    upper = [one for one, high in zip(looks, heights, strict=True) if high > max(heights) - nearing.upper_face]
    total = sum(look.certainty for look in upper)
    shown = dict.fromkeys(identity for look in upper for identity in look.identities)
    mean = {face: sum(look.certainty * look.identities.get(face, 0.0) for look in upper) / total for face in shown}
    return replace(sighting, identities=mean)


def _is_same(one: Sighting, other: Sighting, nearing: Nearing) -> bool:
    return one.kind is other.kind and gap_px(one, other) < (
        nearing.same_die if one.kind is Kind.DIE else nearing.same
    ) * width_px(one)


def gap_px(one: Sighting, other: Sighting) -> float:
    if one.center_px is None or other.center_px is None:
        return math.inf
    return math.hypot(one.center_px[0] - other.center_px[0], one.center_px[1] - other.center_px[1])


def width_px(sighting: Sighting) -> float:
    return float(np.ptp(np.array(sighting.outline_px), axis=0).max())


def whole(sighting: Sighting, box: Box, size: tuple[int, int]) -> bool:
    """Whether all of it lies in a part of the picture, and not at its cut."""
    points = np.array(sighting.outline_px)
    low = np.array([box[0] + 1 if box[0] > 0 else -np.inf, box[1] + 1 if box[1] > 0 else -np.inf])
    high = np.array([box[2] - 2 if box[2] < size[0] else np.inf, box[3] - 2 if box[3] < size[1] else np.inf])
    return sighting.kind is not Kind.CARD and bool((points > low).all() and (points < high).all())


def _with_room(box: Box, room: float, size: tuple[int, int]) -> Box:
    more = round(room)
    return max(0, box[0] - more), max(0, box[1] - more), min(size[0], box[2] + more), min(size[1], box[3] + more)


def _in_picture(boxes: Iterable[Box]) -> list[Box]:
    """Those of which anything is left in the picture: what should lie there may lie beyond its edge."""
    return [box for box in boxes if box[0] < box[2] and box[1] < box[3]]


def _joined(boxes: Sequence[Box]) -> list[Box]:
    """What overlaps is one part."""
    out: list[Box] = []
    for box in boxes:
        joined = box
        for other in [one for one in out if _overlap(one, joined)]:
            out.remove(other)
            joined = _around(joined, other)
        out.append(joined)
    return out if len(out) == len(boxes) else _joined(out)


def _around(one: Box, other: Box) -> Box:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _area(box: Box) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])

"""Where a picture shows that something was done, it is looked at from nearer before anybody is asked.

The eyes look at a whole table at once, and what is small there they may miss or misread. A part of the picture, larger,
is another look: what it shows on ground that changed counts with what was seen before.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from rules.pieces import Kind, Pose
from rules.table.observed import Sighting
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


def again(
    places: Iterable[Box], space_px: Callable[[Box], float], size: tuple[int, int], nearing: Nearing = WITNESS.nearing
) -> list[tuple[Box, float]]:
    """The places that people would be asked about, each looked at in several sizes: what one size shows by chance, the
    others do not."""
    wide = (_with_room(box, nearing.again_around * space_px(box), size) for box in places)
    joined = sorted(_joined(_in_picture(wide)), key=_area)[: nearing.most_parts]
    larger = ((box, min(space / space_px(box), nearing.larger[1])) for box in joined for space in nearing.again)
    return [(box, times) for box, times in larger if times >= 1]


def repeated(
    sightings: Sequence[Sighting], looks: Iterable[Iterable[Sighting]], nearing: Nearing = WITNESS.nearing
) -> tuple[Sighting, ...]:
    """The sightings, after these places were looked at again: what all looks agree on counts. What was not seen before
    must be seen more than once."""
    seen = [[sighting] for sighting in sightings]
    for one in (one for look in looks for one in look):
        same = next((each for each in seen if _is_same(each[0], one, nearing)), None)
        if same is None:
            seen.append([one])
        else:
            same.append(one)
    return tuple(_all_agreed(each, nearing) for k, each in enumerate(seen) if k < len(sightings) or len(each) > 1)


def _all_agreed(looks: Sequence[Sighting], nearing: Nearing) -> Sighting:
    surest = max(looks, key=lambda s: s.certainty)
    told = [s.identities for s in looks if s.face is surest.face and s.identities]
    if len(told) < 2:
        return surest
    keys = {key for each in told for key in each}
    means = {key: math.prod(max(each.get(key, 0.0), nearing.least) for each in told) ** (1 / len(told)) for key in keys}
    return replace(surest, identities=_shares(means, nearing))


def together(
    sightings: Sequence[Sighting], nearer: Sequence[Sighting], nearing: Nearing = WITNESS.nearing
) -> tuple[list[Sighting], list[Sighting]]:
    """The sightings, those that were looked at twice with both looks counted; and what only the nearer look shows."""
    out, new = list(sightings), list[Sighting]()
    for one in sorted(nearer, key=lambda s: -s.certainty):
        same = [index for index, other in enumerate(out) if _is_same(one, other, nearing)]
        if not same and not any(_is_same(one, other, nearing) for other in new):  # parts may overlap
            new.append(one)
        for index in same[:1]:
            out[index] = _both(out[index], one, nearing)
    return out, new


def _both(first: Sighting, second: Sighting, nearing: Nearing) -> Sighting:
    """The surer look says where it lies and which side is up; names are agreed on where both saw the same side, and so
    is whether a pyramid lies."""
    surer = max(first, second, key=lambda s: s.certainty)
    if first.kind is Kind.DIE and gap_px(first, second) >= nearing.same * width_px(first):
        return _upper(first, second)
    if first.face is not second.face:
        return surer
    both = replace(surer, identities=_agreed(first.identities, second.identities, nearing))
    if first.sizes and second.sizes:
        sizes = _agreed(first.sizes, second.sizes, nearing)
        both = replace(both, sizes=sizes, size=max(sizes, key=lambda size: sizes[size]))
    if first.lying is None or second.lying is None:
        return both
    return _posed(both, _odds_agreed(first.lying, second.lying, nearing), (first, second))


def _odds_agreed(first: float, second: float, nearing: Nearing) -> float:
    return _agreed({True: first, False: 1.0 - first}, {True: second, False: 1.0 - second}, nearing).get(True, 0.0)


def _upper(first: Sighting, second: Sighting) -> Sighting:
    """Two looks at a die that are so far apart took different sides of it: the top shows above the others."""
    return min(first, second, key=lambda die: die.center_px[1] if die.center_px is not None else math.inf)


def _posed(seen: Sighting, lying: float, looks: Sequence[Sighting]) -> Sighting:
    pose = Pose.FLAT if lying > 0.5 else Pose.UPRIGHT
    angle = next((one.angle for one in (seen, *looks) if one.pose is pose), seen.angle)
    return replace(seen, lying=lying, pose=pose, angle=angle)


def _agreed(first: Mapping[Told, float], second: Mapping[Told, float], nearing: Nearing) -> dict[Told, float]:
    """Two looks at one picture are no independent witnesses: the geometric mean, not the product. The nearer one, which
    outlines things better, counts for more."""
    keys = {*first, *second}
    if not first or not second:
        return dict(first or second)
    means = {
        key: max(first.get(key, 0.0), nearing.least) ** (1 - nearing.nearer)
        * max(second.get(key, 0.0), nearing.least) ** nearing.nearer
        for key in keys
    }
    return _shares(means, nearing)


def _shares(weights: Mapping[Told, float], nearing: Nearing) -> dict[Told, float]:
    total = sum(weights.values())
    return {key: weight / total for key, weight in weights.items() if weight / total > nearing.least}


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

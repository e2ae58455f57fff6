"""Finds cards by their print.

The print of a card is rich in local features: a few SIFT keypoints of one card, matched in the picture with a common
rotation and scale, identify it and locate it to the pixel, even if a net misreads it, a white margin lies on white
ground, or half of the card is covered. A new deck needs one picture of each card."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import BinaryIO, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.pieces.sizes import CARD
from vision.detect import shape
from vision.detect.shape import Floats
from vision.frame import Picture
from vision.piece import DetectedPiece
from vision.plane import Plane
from vision.rectify import apply, inverse

BACK: Final = ""
"""Mark of the common back of a deck."""
CARD_WIDTH_PX: Final = 96
"""Width at which cards are learned, in pixels: about their size in pictures of a table."""
ASPECT: Final = CARD[1] / CARD[0]
"""Length of a card divided by its width."""
CARD_CORNERS: Final[Floats] = np.array([[0, 0], [1, 0], [1, ASPECT], [0, ASPECT]])
"""Corners of a card from its top left, in card widths."""
BORDER_PX: Final = 16
"""Border added around a card, in pixels, so that keypoints at its edge are found."""
MAX_CARD_KEYPOINTS: Final = 90
"""Keypoints kept of a card, the strongest ones."""
MAX_SCENE_KEYPOINTS: Final = (4000, 1500)
"""Keypoints kept of a picture, near cards seen by the reader and elsewhere: a cloth may have more of them than a
deck."""
MASK_MARGIN: Final = 1.1
"""Distance around a seen card within which unseen ones may lie, in card sizes."""
CONTRAST_THRESHOLD: Final = 0.01
"""SIFT contrast threshold..."""
WHITE_LEVEL: Final = 230.0
"""... once the picture is brightened so that its brightest parts without glare reach this level: in dim light all
contrasts are low."""
MAX_GAIN: Final = 5.0
"""Largest brightening factor; beyond it there is only noise."""
MIN_SIMILARITY: Final = 0.82
"""Smallest cosine of two matched descriptors (of 9,800 such pairs in a picture a tenth are true)."""
MATCHES_PER_KEYPOINT: Final = 3
"""Matches kept of each keypoint: frames and ranks are alike on many cards of a deck."""
CENTER_TOLERANCE: Final = 0.25
"""Votes for one card agree about its centre within this share of its width..."""
TURN_TOLERANCE_DEG: Final = 25.0
"""... about its rotation within these degrees..."""
SIZE_TOLERANCE: Final = 0.35
"""... and about its size within this (log)."""
INLIER_DISTANCE: Final = 0.05
"""Distance of a keypoint from its place on the fitted card, in card widths."""
MIN_INLIERS: Final = 8
"""Fewer inliers may be chance (cards of other decks have up to six; true ones 45 pixels wide ten and more)..."""
MIN_INLIERS_KNOWN_SIZE: Final = 6
"""... but where the size of cards is known this many are enough."""
KNOWN_SIZE_TOLERANCE: Final = 0.45
"""Tolerance of the known size (log)."""
MIN_CARDS_FOR_SIZE: Final = 3
"""Number of found cards from which the common size is known."""
EXPECTED_TOLERANCE: Final = (0.25, 15.0, 0.2)
"""Tolerances of votes for a card that the reader saw: centre (card widths), rotation (degrees) and size (log)."""
MIN_EXPECTED_INLIERS: Final = 3
"""Smallest number of such votes..."""
MIN_INLIER_RATIO: Final = 2.0
"""... and smallest ratio to the votes for the second-best card."""
PX_PER_INCH: Final = 28.0
"""Resolution of the rectified table in pixels per inch: cards are as large as they were learned."""
SEARCH_MARGIN_INCHES: Final = 5.0
"""Distance beyond the seen cards that is searched, in inches."""
MAX_SIDE_PX: Final = 1800
"""Largest side of the rectified table, in pixels (budget)."""
MAX_STRETCH: Final = 0.9
"""Largest stretch of a card (log): beyond it the camera would have to be at table height."""
SAME_CARD_OVERLAP: Final = 0.3
"""Overlap, as a share of the smaller, above which two cards are one."""
OCTAVE_LAYERS: Final = 3
"""Layers of an octave in SIFT's scale space..."""
FIRST_SIZE_PX: Final = 3.2
"""... and the size of a keypoint in its first layer (twice SIFT's standard deviation of 1.6)."""

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Deck:
    """Keypoints of all faces: `owner` is the index in `marks` of the card each belongs to, `places` its position, size
    and rotation on the card, `descriptors` its descriptor."""

    marks: tuple[str, ...]
    owner: NDArray[np.uint8]
    places: Array
    """keypoints x (right, down, size, degrees), lengths in card widths"""
    descriptors: NDArray[np.uint8]

    @staticmethod
    def of(faces: Mapping[str, Picture]) -> Deck:
        """The deck of these pictures of its cards, by mark."""
        owner, places, descriptors = [], [], []
        for number, face in enumerate(faces.values()):
            keypoints, card_descriptors = card_keypoints(face)
            owner.append(np.full(len(keypoints), number, np.uint8))
            places.append(keypoints)
            descriptors.append(card_descriptors)
        return Deck(tuple(faces), np.concatenate(owner), np.concatenate(places), np.concatenate(descriptors))

    @property
    def is_consistent(self) -> bool:
        count = len(self.owner)
        return (
            count > 0
            and self.places.shape == (count, 4)
            and self.descriptors.shape == (count, 128)
            and int(self.owner.max()) < len(self.marks)
        )


@dataclass(frozen=True, slots=True)
class FoundCard:
    """A card found in a picture: corners from its own top left, and matched `keypoints`. `expected`: where each of its
    keypoints lies, and `similarity`, how much the picture there looks like it (cosine)."""

    mark: str
    corners: Floats
    keypoints: Floats
    expected: Floats = field(default_factory=lambda: np.zeros((0, 2)))
    similarity: Floats = field(default_factory=lambda: np.zeros(0))

    @property
    def center(self) -> Floats:
        return shape.crossing(self.corners)


def card_keypoints(face: Picture) -> tuple[Array, NDArray[np.uint8]]:
    """Keypoints and descriptors of a picture filled by one card."""
    size = (CARD_WIDTH_PX, round(CARD_WIDTH_PX * ASPECT))
    resized = cv2.resize(face, size, interpolation=cv2.INTER_AREA)
    padded = cv2.copyMakeBorder(resized, BORDER_PX, BORDER_PX, BORDER_PX, BORDER_PX, cv2.BORDER_REPLICATE)
    brightened = _brightened(cv2.cvtColor(padded, cv2.COLOR_BGR2GRAY))
    strongest = sorted(_sift().detect(brightened, None), key=lambda one: -one.response)[:MAX_CARD_KEYPOINTS]
    points, descriptors = _keypoint_arrays(*_sift().compute(brightened, strongest))
    points[:, :2] -= BORDER_PX
    points[:, :3] /= CARD_WIDTH_PX
    return points, descriptors


def _sift() -> cv2.SIFT:
    return cv2.SIFT.create(contrastThreshold=CONTRAST_THRESHOLD)


def _brightened(grey: cv2.typing.MatLike) -> cv2.typing.MatLike:
    """The picture brightened so that its 99th percentile reaches WHITE_LEVEL."""
    gain = float(np.clip(WHITE_LEVEL / max(float(np.percentile(grey[::4, ::4], 99)), 1.0), 1.0, MAX_GAIN))
    return cv2.convertScaleAbs(grey, alpha=gain)


def _keypoint_arrays(
    found: Sequence[cv2.KeyPoint], descriptors: cv2.typing.MatLike | None
) -> tuple[Array, NDArray[np.uint8]]:
    """(x, y, size, degrees) of each keypoint, and the descriptors as bytes."""
    if not found or descriptors is None:
        return np.zeros((0, 4), np.float32), np.zeros((0, 128), np.uint8)
    points = np.array([(*one.pt, one.size, one.angle) for one in found], np.float32)
    return points, np.clip(descriptors, 0, 255).astype(np.uint8)


def _root_sift(descriptors: NDArray[np.uint8]) -> Array:
    """RootSIFT: the cosine of two such vectors compares them without being dominated by large entries (Arandjelovic
    2012)."""
    shares = descriptors / np.maximum(descriptors.sum(axis=1, keepdims=True, dtype=np.float32), 1.0)
    return np.asarray(np.sqrt(shares), np.float32)


@dataclass(frozen=True, slots=True)
class _Votes:
    """Matched keypoints: the card centre (x, y), rotation and width that each match implies (`poses`), the index of its
    keypoint in the picture (`scene`) and in the deck (`deck`)."""

    poses: Array
    scene: NDArray[np.intp]
    deck: NDArray[np.intp]

    def select(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> _Votes:
        return _Votes(self.poses[which], self.scene[which], self.deck[which])


@dataclass(frozen=True, slots=True)
class _SearchImage:
    """The picture in which cards are searched. `matrix`: camera pixels to its pixels. `width`: of a card, where
    known."""

    grey: cv2.typing.MatLike
    matrix: Floats
    width: float | None

    @property
    def min_inliers(self) -> int:
        return MIN_INLIERS if self.width is None else MIN_INLIERS_KNOWN_SIZE


def cards_in(
    deck: Deck, grey: cv2.typing.MatLike, card_pieces: Sequence[DetectedPiece] = (), plane: Plane | None = None
) -> list[FoundCard]:
    """Every card of the deck in the picture, the best matched first. `card_pieces`: what the reader took for cards.
    With the table's `plane` the search uses a view from straight above."""
    image = _search_image(grey, card_pieces, plane)
    mask = _mask_around([apply(image.matrix, piece.outline) for piece in card_pieces], image.grey.shape[:2])
    points, descriptors = _scene_keypoints(image.grey, mask)
    if len(points) < image.min_inliers:
        return []
    votes = _votes(deck, points, descriptors)
    if image.width is not None:
        votes = votes.select(np.abs(np.log(votes.poses[:, 3] / image.width)) < KNOWN_SIZE_TOLERANCE)
    cards = [
        card for mark in range(len(deck.marks)) for card in _instances(deck, mark, points, votes, image.min_inliers)
    ]
    unique: list[FoundCard] = []
    for card in sorted(cards, key=lambda card: -len(card.keypoints)):
        if not any(overlap(card.corners, other.corners) > SAME_CARD_OVERLAP for other in unique):
            unique.append(card)
    if len(unique) >= MIN_CARDS_FOR_SIZE:
        outlines = [apply(image.matrix, piece.outline) for piece in card_pieces if len(piece.outline) == 4]
        unique += _identify_seen(deck, outlines, unique, points, votes)
    compared = _with_similarity(unique, deck, image.grey) if unique else []
    return [_in_picture(card, inverse(image.matrix)) for card in compared]


def _with_similarity(cards: Sequence[FoundCard], deck: Deck, grey: cv2.typing.MatLike) -> list[FoundCard]:
    """The cards with the similarity of the picture to their print, at the places of their keypoints."""
    expected = [_expected_keypoints(card, deck) for card in cards]
    keypoints = [keypoint for each in expected for keypoint in each]
    _, descriptors = _sift().compute(_brightened(grey), keypoints)
    owners = [np.flatnonzero(deck.owner == deck.marks.index(card.mark)) for card in cards]
    known = _root_sift(deck.descriptors[np.concatenate(owners)])
    similarity = np.einsum("ij,ij->i", _root_sift(np.clip(descriptors, 0, 255).astype(np.uint8)), known)
    ends = np.cumsum([len(each) for each in expected])[:-1]
    return [
        replace(card, expected=np.array([keypoint.pt for keypoint in each]), similarity=values)
        for card, each, values in zip(cards, expected, np.split(similarity.astype(np.float64), ends), strict=True)
    ]


def _expected_keypoints(card: FoundCard, deck: Deck) -> list[cv2.KeyPoint]:
    """The keypoints of a card's print where they should be in the picture."""
    across, down = card.corners[1] - card.corners[0], (card.corners[3] - card.corners[0]) / ASPECT
    places = deck.places[deck.owner == deck.marks.index(card.mark)]
    width = float(np.sqrt(abs(across[0] * down[1] - across[1] * down[0])))
    turn = float(np.degrees(np.arctan2(across[1] - down[0], across[0] + down[1])))
    points = card.corners[0] + places[:, :2] @ np.stack([across, down])
    return [
        cv2.KeyPoint(float(x), float(y), size * width, (angle + turn) % 360, octave=_octave(size * width))
        for (x, y), (size, angle) in zip(points, places[:, 2:].tolist(), strict=True)
    ]


def _octave(size: float) -> int:
    """The octave and layer of SIFT's scale space in which a keypoint of this size is described, packed as OpenCV does
    it."""
    scale = np.log2(size / FIRST_SIZE_PX)
    octave = max(int(np.floor(scale - 0.5 / OCTAVE_LAYERS)), -1)
    layer = int(np.clip(np.round(OCTAVE_LAYERS * (scale - octave)), 1, OCTAVE_LAYERS))
    return octave & 255 | layer << 8


def _in_picture(card: FoundCard, to_picture: Floats) -> FoundCard:
    corners, keypoints, expected = (apply(to_picture, each) for each in (card.corners, card.keypoints, card.expected))
    return replace(card, corners=corners, keypoints=keypoints, expected=expected)


def _search_image(grey: cv2.typing.MatLike, card_pieces: Sequence[DetectedPiece], plane: Plane | None) -> _SearchImage:
    """The part of the table with the cards, rectified to the size at which cards are learned; else the picture
    itself."""
    unrectified = _SearchImage(grey, np.eye(3), None)
    if plane is None or not card_pieces:
        return unrectified
    on_table = plane.to_table(np.concatenate([piece.outline for piece in card_pieces]))
    low, high = on_table.min(axis=0) - SEARCH_MARGIN_INCHES, on_table.max(axis=0) + SEARCH_MARGIN_INCHES
    size = np.ceil((high - low) * PX_PER_INCH)
    if not np.isfinite(size).all() or size.max() > MAX_SIDE_PX:
        return unrectified
    matrix = (
        np.array([[PX_PER_INCH, 0, -low[0] * PX_PER_INCH], [0, -PX_PER_INCH, high[1] * PX_PER_INCH], [0, 0, 1.0]])
        @ plane.to_inches_matrix
    )
    rectified = cv2.warpPerspective(
        grey, matrix, (int(size[0]), int(size[1])), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return _SearchImage(rectified, matrix, PX_PER_INCH * CARD[0])


def _mask_around(outlines: Sequence[Floats], size: tuple[int, ...]) -> NDArray[np.uint8]:
    """Mask of the seen cards and their surroundings."""
    mask = np.zeros(size, np.uint8)
    for outline in outlines:
        center = outline.mean(axis=0)
        enlarged = center + (outline - center) * (1 + 2 * MASK_MARGIN)
        cv2.fillConvexPoly(mask, cv2.convexHull(np.round(enlarged).astype(np.int32)), 1)
    return mask


def _scene_keypoints(grey: cv2.typing.MatLike, mask: NDArray[np.uint8]) -> tuple[Array, NDArray[np.uint8]]:
    """The strongest keypoints inside the mask, and fewer outside it."""
    sift, brightened = _sift(), _brightened(grey)
    keypoints = sorted(sift.detect(brightened, None), key=lambda one: -one.response)
    is_inside = [
        mask[min(round(one.pt[1]), mask.shape[0] - 1), min(round(one.pt[0]), mask.shape[1] - 1)] > 0
        for one in keypoints
    ]
    inner = [one for one, near in zip(keypoints, is_inside, strict=True) if near][: MAX_SCENE_KEYPOINTS[0]]
    outer = [one for one, near in zip(keypoints, is_inside, strict=True) if not near][: MAX_SCENE_KEYPOINTS[1]]
    return _keypoint_arrays(*sift.compute(brightened, [*inner, *outer]))


def _votes(deck: Deck, points: Array, descriptors: NDArray[np.uint8]) -> _Votes:
    """Matches of scene and deck keypoints with the card poses they imply."""
    likeness = _root_sift(descriptors) @ _root_sift(deck.descriptors).T
    rows, best = np.arange(len(points)), list[NDArray[np.intp]]()
    is_match = np.zeros((len(points), MATCHES_PER_KEYPOINT), np.bool_)
    for _ in range(MATCHES_PER_KEYPOINT):
        best.append(likeness.argmax(axis=1))
        is_match[:, len(best) - 1] = likeness[rows, best[-1]] > MIN_SIMILARITY
        likeness[rows, best[-1]] = 0.0
    scene, deck_index = (
        np.repeat(rows, MATCHES_PER_KEYPOINT)[is_match.ravel()],
        np.column_stack(best).ravel()[is_match.ravel()],
    )
    scene_points, card_points = points[scene], deck.places[deck_index]
    turn, width = np.radians(scene_points[:, 3] - card_points[:, 3]), scene_points[:, 2] / card_points[:, 2]
    right, down = (0.5 - card_points[:, 0]) * width, (ASPECT / 2 - card_points[:, 1]) * width
    c, s = np.cos(turn), np.sin(turn)
    poses = np.column_stack(
        [scene_points[:, 0] + c * right - s * down, scene_points[:, 1] + s * right + c * down, np.degrees(turn), width]
    )
    return _Votes(poses.astype(np.float32), scene, deck_index)


def _instances(deck: Deck, number: int, points: Array, votes: _Votes, min_inliers: int) -> Iterator[FoundCard]:
    """Every instance of one card: of most cards at most two, of the back one for each hidden card."""
    remaining = votes.select(deck.owner[votes.deck] == number)
    while len(remaining.scene) >= min_inliers:
        group = _largest_group(remaining.poses)
        if group.sum() < min_inliers:
            return
        card = _fitted_card(deck, number, points, remaining.select(group), min_inliers)
        if card is not None:
            yield card
        remaining = remaining.select(~group)


def _identify_seen(
    deck: Deck, outlines: Sequence[Floats], located: Sequence[FoundCard], points: Array, votes: _Votes
) -> list[FoundCard]:
    """Cards that the reader saw and that were not found by themselves: with position, rotation and size known, fewer
    keypoints are enough. (Of 362 cards in stills of random sets 276 are named with this, 260 without, none wrongly.)"""
    width = float(np.median([np.linalg.norm(card.corners[1] - card.corners[0]) for card in located]))
    votes = votes.select(np.abs(np.log(votes.poses[:, 3] / width)) < EXPECTED_TOLERANCE[2])
    identified = list[FoundCard]()
    for outline in outlines:
        if not any(overlap(outline, card.corners) > SAME_CARD_OVERLAP for card in (*located, *identified)):
            card = _identify_at(deck, outline, points, votes, width)
            identified += [card] if card is not None else []
    return identified


def _identify_at(deck: Deck, outline: Floats, points: Array, votes: _Votes, width: float) -> FoundCard | None:
    """The card at this outline, if its votes are clearly more than those of any other."""
    near_votes = votes.select(
        np.linalg.norm(votes.poses[:, :2] - outline.mean(axis=0), axis=1) < EXPECTED_TOLERANCE[0] * width
    )
    by_turn = [
        near_votes.select(_angle_gap(near_votes.poses[:, 2], turn) < EXPECTED_TOLERANCE[1])
        for turn in _possible_turns(outline)
    ]
    options = [
        (mark, turned.select(deck.owner[turned.deck] == mark)) for mark in range(len(deck.marks)) for turned in by_turn
    ]
    mark, best_votes = max(options, key=lambda one: _distinct_count(one[1]))
    best_count, second_count = (
        _distinct_count(best_votes),
        max((_distinct_count(other_votes) for other, other_votes in options if other != mark), default=0),
    )
    return (
        _at_mean_pose(deck.marks[mark], points, best_votes, width)
        if best_count >= max(MIN_EXPECTED_INLIERS, MIN_INLIER_RATIO * second_count)
        else None
    )


def _possible_turns(outline: Floats) -> tuple[float, float]:
    """The two rotations, in degrees, of a card with this outline."""
    sides = np.roll(outline, -1, axis=0) - outline
    lengths = np.linalg.norm(sides, axis=1)
    long_side = 1 if lengths[1] + lengths[3] > lengths[0] + lengths[2] else 0
    right, down = sides[long_side] - sides[long_side + 2]
    turn = float(np.degrees(np.arctan2(-right, down)))
    return turn, turn + 180.0


def _angle_gap(turns: Array, turn: float | Array) -> Array:
    """Absolute difference of rotations in degrees."""
    return np.asarray(np.abs((turns - turn + 180) % 360 - 180), np.float32)


def _distinct_count(votes: _Votes) -> int:
    """Number of distinct matches, in the picture and in the deck."""
    return min(len(np.unique(votes.scene)), len(np.unique(votes.deck)))


def _at_mean_pose(mark: str, points: Array, votes: _Votes, width: float) -> FoundCard:
    """The card at the mean pose of its votes, with the common width."""
    center, turns = np.median(votes.poses[:, :2], axis=0), np.radians(votes.poses[:, 2])
    turn = np.arctan2(np.sin(turns).mean(), np.cos(turns).mean())
    rotation = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    corners = center + width * (CARD_CORNERS - (0.5, ASPECT / 2)) @ rotation
    return _found_card(mark, corners, points[votes.scene, :2])


def _found_card(mark: str, corners: Floats, keypoints: Array) -> FoundCard:
    return FoundCard(mark, np.asarray(corners, np.float64), np.unique(keypoints, axis=0).astype(np.float64))


def _largest_group(poses: Array) -> NDArray[np.bool_]:
    """Mask of the largest group of votes that agree with one of them."""
    width = poses[:, 3]
    same_center = (
        np.hypot(poses[:, None, 0] - poses[:, 0], poses[:, None, 1] - poses[:, 1]) < CENTER_TOLERANCE * width[:, None]
    )
    same_turn = _angle_gap(poses[:, None, 2], poses[:, 2]) < TURN_TOLERANCE_DEG
    same_size = np.abs(np.log(width[:, None] / width)) < SIZE_TOLERANCE
    agrees = same_center & same_turn & same_size
    return np.asarray(agrees[int(agrees.sum(axis=1).argmax())])


def _fitted_card(deck: Deck, number: int, points: Array, votes: _Votes, min_inliers: int) -> FoundCard | None:
    """The card fitted to its votes; None if they do not form one."""
    on_card, in_picture = deck.places[votes.deck, :2], points[votes.scene, :2]
    reach = INLIER_DISTANCE * float(np.median(votes.poses[:, 3]))
    matrix, inlier_flags = cv2.estimateAffine2D(on_card, in_picture, method=cv2.RANSAC, ransacReprojThreshold=reach)
    is_inlier = np.asarray(inlier_flags)[:, 0] > 0
    if _distinct_count(votes.select(is_inlier)) < min_inliers:
        return None
    stretch = np.linalg.svd(matrix[:, :2], compute_uv=False)
    if np.linalg.det(matrix[:, :2]) < 0 or np.log(stretch[0] / max(stretch[1], 1e-6)) > MAX_STRETCH:
        return None
    return _found_card(deck.marks[number], CARD_CORNERS @ matrix[:, :2].T + matrix[:, 2], in_picture[is_inlier])


def overlap(one: Floats, other: Floats) -> float:
    """Overlap of two outlines as a share of the smaller."""
    return shape.shared(one, other) / max(min(shape.area(one), shape.area(other)), 1.0)


SHIPPED: Final = Path(__file__).parent / "decktet.npz"


@cache
def decktet() -> Deck:
    """The printed Decktet (drawings by P.D. Magnus) as descriptors, without pictures."""
    with np.load(SHIPPED) as arrays:
        return read(arrays)


def write(deck: Deck, target: Path | BinaryIO) -> None:
    """Save a deck as npz."""
    np.savez_compressed(
        target,
        marks=np.array(deck.marks),
        owner=deck.owner,
        places=deck.places.astype(np.float16),
        looks=deck.descriptors,
    )


def read(arrays: Mapping[str, np.ndarray]) -> Deck:
    """The deck of loaded npz arrays."""
    return Deck(
        tuple(str(mark) for mark in arrays["marks"]),
        arrays["owner"].astype(np.uint8),
        arrays["places"].astype(np.float32),
        arrays["looks"].astype(np.uint8),
    )

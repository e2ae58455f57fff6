"""Cards found by what is drawn on them.

Hardly anything on a table is drawn as richly as a card: a handful of its details, each found again somewhere in the
picture, all turned and grown alike, say which card lies there, and where, to the pixel. It does not matter what a net
makes of it, whether a margin is white on white, or half of the card is covered. A new deck is a picture of each card.
"""

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
"""The mark of the side that all cards of a deck share."""
WIDE: Final = 96
"""Cards are learnt this many pixels wide: about as they show on a table."""
LONG: Final = CARD[1] / CARD[0]
"""A card's length for its width."""
FACE: Final[Floats] = np.array([[0, 0], [1, 0], [1, LONG], [0, LONG]])
"""Its corners from the top left, in its width."""
ROOM: Final = 16
"""Details at the very edge need some ground beyond it."""
DETAILS: Final = 90
"""So many details of a card are kept, the clearest..."""
SOUGHT: Final = (4000, 1500)
"""... and so many of a picture, where cards are seen and elsewhere: a cloth may have more details than a deck."""
AROUND: Final = 1.1
"""So far beside a card (in its own size) another one may lie that is not seen."""
KEEN: Final = 0.01
"""How faint a detail may be, in the detector's own measure..."""
BRIGHT: Final = 230.0
"""... once the brightest that is not glare shows so bright: in a dim room all details are faint."""
MOST_LIT: Final = 5.0
"""So many times darker a picture may be: beyond that there is only noise."""
LIKE: Final = 0.82
"""Details are alike whose descriptions have this cosine (of 9,800 such pairs in a picture a tenth are true)."""
NEXT: Final = 3
"""So many likenesses of each detail are followed: a deck's frames and ranks are alike on many cards."""
GAP: Final = 0.25
"""Details of one card agree about its middle within so much of its width..."""
TURN: Final = 25.0
"""... about its turn within so many degrees..."""
GROWN: Final = 0.35
"""... and about its size within so much (log)."""
EXACT: Final = 0.05
"""A detail lies where the card has it, within so much of its width."""
FEWEST: Final = 8
"""Fewer details are chance (at cards of other decks up to six agree; at true ones of 45 pixels ten and more)..."""
FEWER: Final = 6
"""... but where it is known how large a card shows, so many are enough."""
AS_LARGE: Final = 0.45
"""That is known within so much (log)."""
SOME: Final = 3
"""Once so many cards are found, it is known how large they all are."""
NEARLY: Final = (0.25, 15.0, 0.2)
"""Where a card is seen, its details agree with its middle (in its width), its turn (in degrees) and the others' size
(log)."""
FEWEST_THERE: Final = 3
"""So many of them..."""
CLEARLY: Final = 2.0
"""... and so many times as many as those of any other card tell which one it is."""
INCH: Final = 28.0
"""Seen from straight above an inch is so many pixels: cards as large as they were learnt."""
MARGIN: Final = 5.0
"""Cards are looked for so far (in inches) beyond those that are seen."""
LARGEST: Final = 1800
"""No side of the table from above is longer (budget)."""
SQUARE: Final = 0.9
"""No card on a table seems so much longer or slimmer (log) than it is: the camera would have to lie beside it."""
SHARED: Final = 0.3
"""Two cards that share so much of the smaller are one, taken for two."""
THERE: Final = 0.8
"""So alike (a cosine) must a detail be that lies where it should."""

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Deck:
    """The details of every face: which card's (`owner`, an index of `marks`), where on it in widths, how large, how
    turned, and how it looks."""

    marks: tuple[str, ...]
    owner: NDArray[np.uint8]
    places: Array
    """details x (right, down, size, degrees)"""
    looks: NDArray[np.uint8]

    @staticmethod
    def of(faces: Mapping[str, Picture]) -> Deck:
        owner, places, looks = [], [], []
        for number, face in enumerate(faces.values()):
            where, look = details_of(face)
            owner.append(np.full(len(where), number, np.uint8))
            places.append(where)
            looks.append(look)
        return Deck(tuple(faces), np.concatenate(owner), np.concatenate(places), np.concatenate(looks))

    @property
    def is_whole(self) -> bool:
        count = len(self.owner)
        return (
            count > 0
            and self.places.shape == (count, 4)
            and self.looks.shape == (count, 128)
            and int(self.owner.max()) < len(self.marks)
        )


@dataclass(frozen=True, slots=True)
class CardFound:
    """One card in a picture: its corners from its own top left, and where the details are that tell it. Knowing where
    it lies, `shown` are those of its drawing that are to be seen, and `hidden` the others."""

    mark: str
    corners: Floats
    details: Floats
    shown: Floats = field(default_factory=lambda: np.zeros((0, 2)))
    hidden: Floats = field(default_factory=lambda: np.zeros((0, 2)))

    @property
    def center(self) -> Floats:
        return shape.crossing(self.corners)


def details_of(face: Picture) -> tuple[Array, NDArray[np.uint8]]:
    """The clearest details of a picture of one card, which fills it."""
    size = (WIDE, round(WIDE * LONG))
    small = cv2.resize(face, size, interpolation=cv2.INTER_AREA)
    framed = cv2.copyMakeBorder(small, ROOM, ROOM, ROOM, ROOM, cv2.BORDER_REPLICATE)
    bright = _lit(cv2.cvtColor(framed, cv2.COLOR_BGR2GRAY))
    clearest = sorted(_finder().detect(bright, None), key=lambda one: -one.response)[:DETAILS]
    points, looks = _described(*_finder().compute(bright, clearest))
    points[:, :2] -= ROOM
    points[:, :3] /= WIDE
    return points, looks


def _finder() -> cv2.SIFT:
    return cv2.SIFT.create(contrastThreshold=KEEN)


def _lit(grey: cv2.typing.MatLike) -> cv2.typing.MatLike:
    lit = float(np.clip(BRIGHT / max(float(np.percentile(grey[::4, ::4], 99)), 1.0), 1.0, MOST_LIT))
    return cv2.convertScaleAbs(grey, alpha=lit)


def _described(found: Sequence[cv2.KeyPoint], looks: cv2.typing.MatLike | None) -> tuple[Array, NDArray[np.uint8]]:
    """(x, y, size, degrees) of each detail, and what it looks like."""
    if not found or looks is None:
        return np.zeros((0, 4), np.float32), np.zeros((0, 128), np.uint8)
    points = np.array([(*one.pt, one.size, one.angle) for one in found], np.float32)
    return points, np.clip(looks, 0, 255).astype(np.uint8)


def _compared(looks: NDArray[np.uint8]) -> Array:
    """So that the cosine of two says how alike they are: large numbers must not drown the rest (Arandjelovic 2012)."""
    shares = looks / np.maximum(looks.sum(axis=1, keepdims=True, dtype=np.float32), 1.0)
    return np.asarray(np.sqrt(shares), np.float32)


@dataclass(frozen=True, slots=True)
class _Votes:
    """Pairs of details that are alike: what each says of the middle (x, y), the turn and the width of a card, which
    detail of the picture it is and which of the deck."""

    said: Array
    seen: NDArray[np.intp]
    known: NDArray[np.intp]

    def only(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> _Votes:
        return _Votes(self.said[which], self.seen[which], self.known[which])


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A picture in which cards are looked for: `matrix` takes the camera's pixels to its own; `width` of a card in it,
    where that is known."""

    grey: cv2.typing.MatLike
    matrix: Floats
    width: float | None

    @property
    def fewest(self) -> int:
        return FEWEST if self.width is None else FEWER


def cards_in(
    deck: Deck, grey: cv2.typing.MatLike, seen: Sequence[DetectedPiece] = (), plane: Plane | None = None
) -> list[CardFound]:
    """Every card of the deck that shows in the picture, the surest first. `seen`: what may be cards; with the table's
    `plane` they are looked for as they show from straight above."""
    sheet = _from_above(grey, seen, plane)
    near = _near([apply(sheet.matrix, piece.outline) for piece in seen], sheet.grey.shape[:2])
    points, looks = _most_telling(sheet.grey, near)
    if len(points) < sheet.fewest:
        return []
    votes = _votes(deck, points, looks)
    if sheet.width is not None:
        votes = votes.only(np.abs(np.log(votes.said[:, 3] / sheet.width)) < AS_LARGE)
    cards = [card for mark in range(len(deck.marks)) for card in _of_one(deck, mark, points, votes, sheet.fewest)]
    kept: list[CardFound] = []
    for card in sorted(cards, key=lambda card: -len(card.details)):
        if not any(overlap(card.corners, other.corners) > SHARED for other in kept):
            kept.append(card)
    if len(kept) >= SOME:
        outlines = [apply(sheet.matrix, piece.outline) for piece in seen if len(piece.outline) == 4]
        kept += _where_seen(deck, outlines, kept, points, votes)
    return [_in_picture(_checked(card, deck, points, looks), inverse(sheet.matrix)) for card in kept]


def _checked(card: CardFound, deck: Deck, points: Array, looks: NDArray[np.uint8]) -> CardFound:
    """With what of its drawing is to be seen: where it is known what should be where, less likeness is enough."""
    mine = deck.owner == deck.marks.index(card.mark)
    across, down = card.corners[1] - card.corners[0], (card.corners[3] - card.corners[0]) / LONG
    should = card.corners[0] + deck.places[mine, :2] @ np.stack([across, down])
    near = np.linalg.norm(should[:, None] - points[:, :2], axis=2) < EXACT * float(np.linalg.norm(across))
    alike = np.zeros(len(should), np.bool_)
    known = _compared(deck.looks[mine])
    for index in np.flatnonzero(near.any(axis=1)):
        alike[index] = (_compared(looks[near[index]]) @ known[index]).max() > THERE
    return replace(card, shown=should[alike], hidden=should[~alike])


def _in_picture(card: CardFound, back: Floats) -> CardFound:
    corners, *points = (apply(back, each) for each in (card.corners, card.details, card.shown, card.hidden))
    return CardFound(card.mark, corners, *points)


def _from_above(grey: cv2.typing.MatLike, seen: Sequence[DetectedPiece], plane: Plane | None) -> _Sheet:
    """The part of the table in which the cards lie, as large as cards are learnt; else the picture as it is."""
    as_it_is = _Sheet(grey, np.eye(3), None)
    if plane is None or not seen:
        return as_it_is
    lie = plane.to_table(np.concatenate([piece.outline for piece in seen]))
    low, high = lie.min(axis=0) - MARGIN, lie.max(axis=0) + MARGIN
    size = np.ceil((high - low) * INCH)
    if not np.isfinite(size).all() or size.max() > LARGEST:
        return as_it_is
    matrix = np.array([[INCH, 0, -low[0] * INCH], [0, -INCH, high[1] * INCH], [0, 0, 1.0]]) @ plane.back
    above = cv2.warpPerspective(
        grey, matrix, (int(size[0]), int(size[1])), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return _Sheet(above, matrix, INCH * CARD[0])


def _near(outlines: Sequence[Floats], shape_of: tuple[int, ...]) -> NDArray[np.uint8]:
    """Where cards are seen, and close beside them."""
    mask = np.zeros(shape_of, np.uint8)
    for outline in outlines:
        middle = outline.mean(axis=0)
        wider = middle + (outline - middle) * (1 + 2 * AROUND)
        cv2.fillConvexPoly(mask, cv2.convexHull(np.round(wider).astype(np.int32)), 1)
    return mask


def _most_telling(grey: cv2.typing.MatLike, near: NDArray[np.uint8]) -> tuple[Array, NDArray[np.uint8]]:
    """The clearest details where cards are seen, and fewer of those elsewhere."""
    finder, bright = _finder(), _lit(grey)
    found = sorted(finder.detect(bright, None), key=lambda one: -one.response)
    inside = [
        near[min(round(one.pt[1]), near.shape[0] - 1), min(round(one.pt[0]), near.shape[1] - 1)] > 0 for one in found
    ]
    within = [one for one, is_near in zip(found, inside, strict=True) if is_near][: SOUGHT[0]]
    beyond = [one for one, is_near in zip(found, inside, strict=True) if not is_near][: SOUGHT[1]]
    return _described(*finder.compute(bright, [*within, *beyond]))


def _votes(deck: Deck, points: Array, looks: NDArray[np.uint8]) -> _Votes:
    likeness = _compared(looks) @ _compared(deck.looks).T
    rows, best = np.arange(len(points)), list[NDArray[np.intp]]()
    alike = np.zeros((len(points), NEXT), np.bool_)
    for _ in range(NEXT):
        best.append(likeness.argmax(axis=1))
        alike[:, len(best) - 1] = likeness[rows, best[-1]] > LIKE
        likeness[rows, best[-1]] = 0.0
    seen, known = np.repeat(rows, NEXT)[alike.ravel()], np.column_stack(best).ravel()[alike.ravel()]
    at, of = points[seen], deck.places[known]
    turn, width = np.radians(at[:, 3] - of[:, 3]), at[:, 2] / of[:, 2]
    right, down = (0.5 - of[:, 0]) * width, (LONG / 2 - of[:, 1]) * width
    c, s = np.cos(turn), np.sin(turn)
    said = np.column_stack([at[:, 0] + c * right - s * down, at[:, 1] + s * right + c * down, np.degrees(turn), width])
    return _Votes(said.astype(np.float32), seen, known)


def _of_one(deck: Deck, number: int, points: Array, votes: _Votes, fewest: int) -> Iterator[CardFound]:
    """The places at which one card lies: of most there are two, and of the back as many as there are hands."""
    mine = votes.only(deck.owner[votes.known] == number)
    while len(mine.seen) >= fewest:
        agreed = _agreed(mine.said)
        if agreed.sum() < fewest:
            return
        card = _fitted(deck, number, points, mine.only(agreed), fewest)
        if card is not None:
            yield card
        mine = mine.only(~agreed)


def _where_seen(
    deck: Deck, outlines: Sequence[Floats], known: Sequence[CardFound], points: Array, votes: _Votes
) -> list[CardFound]:
    """What cards are that were seen and not told by themselves: where it is known how one lies, and how large they are
    from those that were told, fewer details are enough. (Of 362 cards in stills of random sets 276 are named with this,
    260 without, none wrongly.)"""
    width = float(np.median([np.linalg.norm(card.corners[1] - card.corners[0]) for card in known]))
    votes = votes.only(np.abs(np.log(votes.said[:, 3] / width)) < NEARLY[2])
    found = list[CardFound]()
    for outline in outlines:
        if not any(overlap(outline, card.corners) > SHARED for card in (*known, *found)):
            card = _told_there(deck, outline, points, votes, width)
            found += [card] if card is not None else []
    return found


def _told_there(deck: Deck, outline: Floats, points: Array, votes: _Votes, width: float) -> CardFound | None:
    there = votes.only(np.linalg.norm(votes.said[:, :2] - outline.mean(axis=0), axis=1) < NEARLY[0] * width)
    ways = [there.only(_between(there.said[:, 2], turn) < NEARLY[1]) for turn in _turns(outline)]
    told = [(mark, way.only(deck.owner[way.known] == mark)) for mark in range(len(deck.marks)) for way in ways]
    mark, its = max(told, key=lambda one: _different(one[1]))
    most, second = _different(its), max((_different(of) for other, of in told if other != mark), default=0)
    return _laid(deck.marks[mark], points, its, width) if most >= max(FEWEST_THERE, CLEARLY * second) else None


def _turns(outline: Floats) -> tuple[float, float]:
    """How a card is turned that lies so: one way, or half round."""
    sides = np.roll(outline, -1, axis=0) - outline
    lengths = np.linalg.norm(sides, axis=1)
    long = 1 if lengths[1] + lengths[3] > lengths[0] + lengths[2] else 0
    right, down = sides[long] - sides[long + 2]
    turn = float(np.degrees(np.arctan2(-right, down)))
    return turn, turn + 180.0


def _between(turns: Array, turn: float | Array) -> Array:
    """In degrees, either way."""
    return np.asarray(np.abs((turns - turn + 180) % 360 - 180), np.float32)


def _different(votes: _Votes) -> int:
    """So many details of the picture, and of the deck, are among them."""
    return min(len(np.unique(votes.seen)), len(np.unique(votes.known)))


def _laid(mark: str, points: Array, votes: _Votes, width: float) -> CardFound:
    """The card where its details say, as large as the others."""
    middle, turns = np.median(votes.said[:, :2], axis=0), np.radians(votes.said[:, 2])
    turn = np.arctan2(np.sin(turns).mean(), np.cos(turns).mean())
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    corners = middle + width * (FACE - (0.5, LONG / 2)) @ spin
    return _found(mark, corners, points[votes.seen, :2])


def _found(mark: str, corners: Floats, details: Array) -> CardFound:
    return CardFound(mark, np.asarray(corners, np.float64), np.unique(details, axis=0).astype(np.float64))


def _agreed(said: Array) -> NDArray[np.bool_]:
    """The largest group of votes around one of them."""
    width = said[:, 3]
    apart = np.hypot(said[:, None, 0] - said[:, 0], said[:, None, 1] - said[:, 1]) < GAP * width[:, None]
    turned = _between(said[:, None, 2], said[:, 2]) < TURN
    grown = np.abs(np.log(width[:, None] / width)) < GROWN
    together = apart & turned & grown
    return np.asarray(together[int(together.sum(axis=1).argmax())])


def _fitted(deck: Deck, number: int, points: Array, votes: _Votes, fewest: int) -> CardFound | None:
    """The card laid on its details; None where they do not lie as on a card."""
    known, seen = deck.places[votes.known, :2], points[votes.seen, :2]
    reach = EXACT * float(np.median(votes.said[:, 3]))
    matrix, inside = cv2.estimateAffine2D(known, seen, method=cv2.RANSAC, ransacReprojThreshold=reach)
    lies = np.asarray(inside)[:, 0] > 0
    if _different(votes.only(lies)) < fewest:
        return None
    stretched = np.linalg.svd(matrix[:, :2], compute_uv=False)
    if np.linalg.det(matrix[:, :2]) < 0 or np.log(stretched[0] / max(stretched[1], 1e-6)) > SQUARE:
        return None
    return _found(deck.marks[number], FACE @ matrix[:, :2].T + matrix[:, 2], seen[lies])


def overlap(one: Floats, other: Floats) -> float:
    """The share of the smaller that both cover."""
    return shape.shared(one, other) / max(min(shape.area(one), shape.area(other)), 1.0)


SHIPPED: Final = Path(__file__).parent / "decktet.npz"


@cache
def decktet() -> Deck:
    """The Decktet as it is printed (drawings by P.D. Magnus): descriptions of its details, no pictures."""
    with np.load(SHIPPED) as held:
        return read(held)


def write(deck: Deck, to: Path | BinaryIO) -> None:
    np.savez_compressed(
        to, marks=np.array(deck.marks), owner=deck.owner, places=deck.places.astype(np.float16), looks=deck.looks
    )


def read(held: Mapping[str, np.ndarray]) -> Deck:
    return Deck(
        tuple(str(mark) for mark in held["marks"]),
        held["owner"].astype(np.uint8),
        held["places"].astype(np.float32),
        held["looks"].astype(np.uint8),
    )

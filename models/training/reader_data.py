"""Small pictures of single pieces for the reader, cut once with room around them and then turned and bent anew."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray

from models.training.augment import Picture, farther, piece_look
from models.training.feed import Batch, Batches, Make, ahead
from models.training.outliner_data import balance_labels, in_two_sizes, meant, near, quarters
from models.training.pool import pictures
from models.training.truth import SEEN, Labelled, read_truth
from vision.detect import shape
from vision.detect.finder import Finder, prepare
from vision.detect.outliner import Outliner, close_ups, kept
from vision.detect.shape import Floats
from vision.identify.heads import CLASSES, CROP, HEADS, MARGIN, POSES, SIZES, SOFTMAX, SUITS, VALUES
from vision.nets import open_session
from vision.rectify import Layers, apply, cut, frame_quad, to_crop

STORE: Final = CROP * 3 // 2
"""Side of the stored pictures; their scale is that of the reader's, with more around."""
WIDER: Final = STORE / CROP
DOUBTFUL: Final = 0.2
"""What the outliner believes less is no mistake worth learning from."""
TAUGHT: Final = ("tile", "coin", "die")
EPISODE: Final = 16
"""So many pictures of one edition, two of each face, make an episode."""
FAR: Final = 0.35
"""The share of the pictures that are made to look as if taken from farther away."""
MISTAKES_SHARE: Final = 0.25
"""The share of the pictures in which finder and outliner are asked for their mistakes."""
Look = Callable[[Picture, Generator, bool], Picture]
"""Of a small picture, another one; whether suits have a shape there."""
UNIT: Final[Floats] = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


@dataclass(frozen=True, slots=True)
class Stored:
    """One cut picture: `kind` says how it was framed, `label` what it is."""

    picture: Picture
    kind: str
    label: str
    suit: str | None
    value: str | None
    size: str | None
    pose: str | None
    up: Floats | None  # coin, pyramid: unit vector in the crop
    center: Floats | None  # pawn, pyramid: the base, in crop units (-1..1)
    edition: int = 0  # pictures of one number show one set of pieces; 0: of none

    @property
    def face(self) -> tuple[str, str | None, str | None]:
        """What is printed, in the same words for every edition."""
        return self.label, self.suit, self.value


def inner_quad(size: int, kind: str) -> Floats:
    """Where the piece's own corners lie in the reader's picture."""
    return size / 2 + UNIT * CROP / 2 / MARGIN[kind]


def store(layers: Layers, piece: Labelled, edition: int) -> Stored:
    """Tiles and dice are stored with their own top left corner first."""
    corners = frame_quad(piece.kind, piece.outline)
    matrix = to_crop(piece.kind, corners, STORE, MARGIN[piece.kind] * WIDER)
    standing = piece.kind in ("pawn", "pyramid")
    base = (apply(matrix, piece.center[None])[0] - STORE / 2) / (CROP / 2)
    return Stored(
        framed(layers, piece.kind, corners, STORE), piece.kind, piece.label, piece.suit, piece.value,
        piece.size, piece.pose, direction(piece, matrix), base if standing else None, edition,
    )  # fmt: skip


def framed(layers: Layers, kind: str, corners: Floats, size: int) -> Picture:
    """What lies there, with more around than a net will be shown."""
    scale = size / WIDER / MARGIN[kind] / max(float(np.sqrt(shape.area(corners))), 1.0)
    return cut(*layers.fitting(scale, to_crop(kind, corners, size, MARGIN[kind] * WIDER)), size)


def direction(piece: Labelled, matrix: Floats) -> Floats | None:
    """The piece's up, as it points in the crop; for coins and flat pyramids."""
    if piece.angle is None or piece.kind not in ("coin", "pyramid"):
        return None
    if piece.kind == "pyramid" and piece.pose != "flat":
        return None
    turn = np.deg2rad(piece.angle)
    up = np.array([-np.sin(turn), -np.cos(turn)])
    ends = apply(matrix, np.stack([piece.center, piece.center + up]))
    return np.asarray((ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0]), dtype=np.float64)


class ProposalNets:
    """Finder and outliner, for what they take for pieces: where there is none, the reader must say so."""

    def __init__(self, weights: Path) -> None:
        self.finder = Finder(open_session("finder", 1, weights))
        self.outliner = Outliner(open_session("outliner", 1, weights))

    def mistakes(self, image: Picture, pieces: list[Labelled], most: int = 20) -> list[Stored]:
        layers = Layers(image)
        prepared = prepare(layers)
        found = self.finder.decode(self.finder.raw(prepared), prepared)
        outlined = [
            each
            for each in kept(self.outliner(close_ups(layers, found, self.outliner.close), found))
            if each.agreed > DOUBTFUL
        ]
        wrong = [each for each in outlined if meant(each, pieces) is None and not any(near(each, p) for p in pieces)]
        return [blank(layers, each.kind, frame_quad(each.kind, each.outline)) for each in wrong[:most]]

    def mistaken(self, photos: list[Path]) -> list[Stored]:
        """Of photographs that show no piece: other games, cloths, hands; in two sizes."""
        return [stored for picture in in_two_sizes(photos) for stored in self.mistakes(picture, [], most=60)]


def blank(layers: Layers, kind: str, corners: Floats) -> Stored:
    """A place without a piece, framed as if there were one."""
    return Stored(framed(layers, kind, corners, STORE), kind, "nothing", None, None, None, None, None, None)


def gather(paths: list[Path], rng: Generator, blanks: int = 4, proposals: ProposalNets | None = None) -> list[Stored]:
    found: list[Stored] = []
    for path in paths:
        image = np.asarray(cv2.imread(str(path)), dtype=np.uint8)
        pieces = read_truth(path.with_suffix(".json"))
        layers = Layers(image)
        edition = int(rng.integers(1, 1 << 40))
        found += [store(layers, piece, edition) for piece in pieces if usable(piece, image)]
        found += nothings(layers, pieces, blanks, rng)
        found += [blank(layers, "tile", quad) for quad in quarters(pieces, blanks // 2, rng)]
        if proposals is not None and rng.random() < MISTAKES_SHARE:
            found += proposals.mistakes(image, pieces)
    return found


def usable(piece: Labelled, image: Picture) -> bool:
    height, width = image.shape[:2]
    x, y = piece.center
    return piece.visible >= SEEN and 0 <= x < width and 0 <= y < height


def nothings(layers: Layers, pieces: list[Labelled], count: int, rng: Generator) -> list[Stored]:
    """Places where no piece's centre is: table, clutter, the border between two pieces."""
    found = []
    height, width = layers.full.shape[:2]
    for _ in range(count):
        kind = ("tile", "coin", "die", "pawn")[rng.integers(4)]
        half = (rng.uniform(20, 70) if kind == "tile" else rng.uniform(8, 30)) * width / 1280
        at = rng.uniform(0, 1, 2) * (width, height)
        tiles = [piece for piece in pieces if piece.kind == "tile"]
        if kind == "tile" and tiles and rng.random() < 0.6:
            near = tiles[rng.integers(len(tiles))]
            half, corner = extent(near) / 2, int(rng.integers(4))
            at = (near.outline[corner] + near.outline[(corner + 1) % 4]) / 2 + rng.normal(0, 0.1 * half, 2)
        if any(np.linalg.norm(piece.center - at) < 0.4 * half + 0.3 * extent(piece) for piece in pieces):
            continue
        turn = rng.uniform(0, np.pi)
        spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        corners = at + half * UNIT @ (spin if kind != "pawn" else np.eye(2))
        found.append(blank(layers, kind, corners))
    return found


def extent(piece: Labelled) -> float:
    return float(np.sqrt(shape.area(piece.outline)))


def bend(kind: str, rng: Generator) -> tuple[Floats, Floats]:
    """(matrix from stored to reader's picture, where the true corners then lie in it)."""
    source = inner_quad(STORE, kind)
    loose = 0.05 if kind in ("tile", "die", "card") else 0.07
    half = CROP / 2 / MARGIN[kind]
    wrong = source + half * (rng.normal(0, loose, (1, 2)) + rng.normal(0, 0.7 * loose, (4, 2)))
    wrong = STORE / 2 + (wrong - STORE / 2) * np.exp(rng.normal(0, loose))
    matrix = cv2.getPerspectiveTransform(wrong.astype(np.float32), inner_quad(CROP, kind).astype(np.float32)).astype(
        np.float64
    )
    return matrix, apply(matrix, source)


def quarter(rng: Generator) -> tuple[int, Floats]:
    """A whole number of quarter turns about the middle of the reader's picture."""
    turns = int(rng.integers(4))
    c, s = (1, 0, -1, 0)[turns], (0, 1, 0, -1)[turns]
    m = CROP / 2
    return turns, np.array([[c, -s, m - c * m + s * m], [s, c, m - s * m - c * m], [0, 0, 1.0]])


def sample(item: Stored, rng: Generator, look: Look = piece_look) -> tuple[Picture, dict[str, object]]:
    matrix, corners = bend(item.kind, rng)
    turns = 0
    if item.kind in ("tile", "die", "card"):
        turns, spin = quarter(rng)
        matrix, corners = spin @ matrix, apply(spin, corners)
    elif item.kind == "coin":
        matrix = about_middle(rng.uniform(0, 2 * np.pi)) @ matrix
    picture = farther(cut(item.picture, matrix, CROP), rng) if rng.random() < FAR else cut(item.picture, matrix, CROP)
    return look(picture, rng, item.kind in ("tile", "coin")), answers(item, matrix, corners, turns)


def about_middle(turn: float) -> Floats:
    c, s, m = np.cos(turn), np.sin(turn), CROP / 2
    return np.array([[c, -s, m - c * m + s * m], [s, c, m - s * m - c * m], [0, 0, 1.0]])


def answers(item: Stored, matrix: Floats, corners: Floats, turns: int) -> dict[str, object]:
    """Every head's label: -1 or nan where nothing is asked."""
    out: dict[str, object] = dict.fromkeys(SOFTMAX, -1)
    out |= {"turn coin": np.full(2, np.nan), "point": np.full(2, np.nan), "refine": np.full(8, np.nan)}
    out["class"] = CLASSES.index(item.label)
    if item.label == "nothing":
        return out
    if item.suit is not None and f"suit {item.kind}" in HEADS:
        out[f"suit {item.kind}"] = SUITS.index(item.suit)
    if item.value is not None and f"value {item.kind}" in HEADS:
        out[f"value {item.kind}"] = VALUES.index(item.value)
    if item.label in ("tile front", "die"):
        out[f"turn {item.kind}"] = turns
    out |= standing_answers(item, matrix)
    if item.kind in ("tile", "die", "card"):
        ordered = np.roll(corners, turns, axis=0)
        out["refine"] = ((ordered - inner_quad(CROP, item.kind)) / (CROP / 2)).ravel()
    return out


def standing_answers(item: Stored, matrix: Floats) -> dict[str, object]:
    out: dict[str, object] = {}
    if item.kind == "pyramid":
        out["size"] = SIZES.index(item.size) if item.size else -1
        out["pose"] = POSES.index(item.pose) if item.pose else -1
    if item.center is not None:
        base = apply(matrix, (STORE / 2 + item.center * CROP / 2)[None])[0]
        out["refine"] = np.concatenate([(base - CROP / 2) / (CROP / 2), np.full(6, np.nan)])
    if item.up is not None:
        ends = apply(matrix, np.stack([np.full(2, STORE / 2), STORE / 2 + item.up]))
        up = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
        out["turn coin" if item.kind == "coin" else "point"] = up
    return out


def collate(items: list[Stored], rng: Generator, look: Look = piece_look) -> Batch:
    samples = [sample(item, rng, look) for item in items]
    images = np.stack([image for image, _ in samples]).transpose(0, 3, 1, 2).copy()
    out = {"image": torch.from_numpy(images)}
    for name in HEADS:
        dtype = torch.int64 if name in SOFTMAX else torch.float32
        out[name] = torch.tensor(np.array([answer[name] for _, answer in samples]), dtype=dtype)
    out["set"] = torch.tensor([numbered(item.edition, item.kind) for item in items])
    out["same"] = torch.tensor([numbered(item.edition, *item.face) for item in items])
    return out


def numbered(*words: object) -> int:
    """A number that is the same for the same words."""
    return zlib.crc32(repr(words).encode())


def batches(items: list[Stored], count: int, seed: int, workers: int = 1) -> Batches:
    """Endless."""
    return ahead(batch_of(items, count), seed, workers)


def as_it_is(item: Stored) -> Stored:
    return item


def batch_of(
    items: Sequence[Stored], count: int, look: Look = piece_look, take: Callable[[Stored], Stored] = as_it_is
) -> Make:
    """Rare classes come more often than they lie on tables. A share of each batch are episodes: faces of one edition,
    each seen twice, as in a lesson and after it. `look`: how other lamps, cameras and makers would have them. `take`:
    gives an item its picture, where that lies elsewhere."""
    chances = balance(items)
    lessons = by_edition(items)

    def make(rng: Generator) -> Batch:
        taught = [item for _ in range(count // EPISODE // 2) for item in episode(lessons, rng)] if lessons else []
        picks = rng.choice(len(items), count - len(taught), p=chances)
        return collate([take(item) for item in [*(items[index] for index in picks), *taught]], rng, look)

    return make


Faces = dict[tuple[str, str | None, str | None], list[Stored]]


def by_edition(items: Sequence[Stored]) -> list[Faces]:
    """Per edition and kind: the pictures of each face, where there are several faces to tell apart."""
    found: dict[tuple[int, str], Faces] = {}
    for item in items:
        if item.edition and item.kind in TAUGHT and (item.suit or item.value):
            found.setdefault((item.edition, item.kind), {}).setdefault(item.face, []).append(item)
    return [faces for faces in found.values() if len(faces) >= 3]


def episode(lessons: list[Faces], rng: Generator) -> list[Stored]:
    """EPISODE pictures: faces of one edition, two views of each."""
    faces = list(lessons[rng.integers(len(lessons))].values())
    picks = rng.permutation(len(faces))[: EPISODE // 2]
    return [
        views[index]
        for face in picks
        for views in [faces[face]]
        for index in rng.permutation(len(views) * 2)[:2] % len(views)
    ]


def balance(items: Sequence[Stored]) -> NDArray[np.float64]:
    return balance_labels([item.label for item in items])


def folder_items(
    folders: list[Path], seed: int, most: int = 2500, proposals: ProposalNets | None = None
) -> list[Stored]:
    rng = np.random.default_rng(seed)
    paths = [path for folder in folders for path in pictures(folder)]
    order = rng.permutation(len(paths))[:most]
    return gather([paths[index] for index in order], rng, proposals=proposals)


def grounds(folders: list[Path], seed: int, count: int = 40) -> list[Picture]:
    """Whole pictures, to lie under drawn faces."""
    rng = np.random.default_rng(seed)
    paths = [path for folder in folders for path in pictures(folder)]
    picks = rng.permutation(len(paths))[:count]
    return [np.asarray(cv2.imread(str(paths[index])), dtype=np.uint8) for index in picks]

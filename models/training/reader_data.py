"""Training samples of the reader: crops of single pieces, stored with a margin and then randomly rotated and
distorted."""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import torch
from numpy.random import Generator

from models.training.augment import augment_piece, farther
from models.training.feed import Batch, Make, image_tensor
from models.training.outliner_data import back_quarters, balanced, in_two_sizes, is_near, matching_piece, size_of
from models.training.pool import read_picture, sampled_pictures
from models.training.truth import MIN_VISIBLE, Labelled, pictures_with_truth
from vision.detect import shape
from vision.detect.finder import Finder, prepare
from vision.detect.outliner import Outliner, close_ups, kept
from vision.detect.shape import Floats
from vision.frame import Picture
from vision.identify.heads import CLASSES, CROP, HEADS, MARGIN, POSES, SIZES, SOFTMAX, SUITS, VALUES
from vision.nets import open_session
from vision.rectify import Layers, apply, cut, frame_quad, to_crop

STORE: Final = CROP * 3 // 2
"""Side of stored pictures: the reader's scale, with more around."""
WIDER: Final = STORE / CROP
BLANKS: Final = 4
"""Places without a piece that are cut from a picture."""
MIN_AGREEMENT: Final = 0.2
"""Agreement of the outliner below which a false alarm is not used."""
EPISODE_KINDS: Final = ("tile", "coin", "die")
EPISODE: Final = 16
"""Pictures of an episode: of one edition, two of each face."""
FAR_SHARE: Final = 0.35
"""Share of the samples that are made to look as if taken from farther away."""
PROPOSALS_SHARE: Final = 0.25
"""Share of the pictures that are searched for false alarms of finder and outliner."""
NO_PICTURE: Final[Picture] = np.empty((0, 0, 3), np.uint8)
Augment = Callable[[Picture, Generator, bool], Picture]
"""Changes a crop; the flag says whether suits have a shape on it."""
UNIT: Final[Floats] = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


@dataclass(frozen=True, slots=True)
class Stored:
    """One stored crop: `kind` says how it was framed, `label` what it is."""

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
        """What is printed, equal for equal faces of all editions."""
        return self.label, self.suit, self.value


def inner_quad(size: int, kind: str) -> Floats:
    """Corners of the piece in a picture of this size, at the reader's scale."""
    return size / 2 + UNIT * CROP / 2 / MARGIN[kind]


def store(layers: Layers, piece: Labelled, edition: int) -> Stored:
    """The stored crop of a piece; tiles and dice with their own top left corner first."""
    corners = frame_quad(piece.kind, piece.outline)
    matrix = to_crop(piece.kind, corners, STORE, MARGIN[piece.kind] * WIDER)
    standing = piece.kind in ("pawn", "pyramid")
    base = (apply(matrix, piece.center[None])[0] - STORE / 2) / (CROP / 2)
    return Stored(
        framed(layers, piece.kind, corners, STORE), piece.kind, piece.label, piece.suit, piece.value,
        piece.size, piece.pose, direction(piece, matrix), base if standing else None, edition,
    )  # fmt: skip


def framed(layers: Layers, kind: str, corners: Floats, size: int) -> Picture:
    """The picture within the corners, with more around than a net is shown."""
    scale = size / WIDER / MARGIN[kind] / max(float(np.sqrt(shape.area(corners))), 1.0)
    return cut(*layers.fitting(scale, to_crop(kind, corners, size, MARGIN[kind] * WIDER)), size)


def direction(piece: Labelled, matrix: Floats) -> Floats | None:
    """Unit vector of the piece's up in the crop, for coins and flat pyramids."""
    if piece.angle is None or piece.kind not in ("coin", "pyramid"):
        return None
    if piece.kind == "pyramid" and piece.pose != "flat":
        return None
    turn = np.deg2rad(piece.angle)
    return mapped_direction(matrix, piece.center, np.array([-np.sin(turn), -np.cos(turn)]))


def mapped_direction(matrix: Floats, at: Floats, direction: Floats) -> Floats:
    """Unit vector of a direction at a point after a homography."""
    ends = apply(matrix, np.stack([at, at + direction]))
    return np.asarray((ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0]), dtype=np.float64)


class ProposalNets:
    """Finder and outliner, whose false alarms the reader learns as blanks."""

    def __init__(self, weights: Path) -> None:
        self.finder = Finder(open_session("finder", 1, weights))
        self.outliner = Outliner(open_session("outliner", 1, weights))

    def false_alarms(self, image: Picture, pieces: list[Labelled], max_count: int = 20) -> list[Stored]:
        """Blanks of detections that are not near any of the pieces."""
        layers = Layers(image)
        prepared = prepare(layers)
        found = self.finder.decode(self.finder.raw(prepared), prepared)
        outlined = kept(self.outliner(close_ups(layers, found, self.outliner.close), found))
        wrong = [
            each
            for each in outlined
            if each.agreed > MIN_AGREEMENT
            and matching_piece(each, pieces) is None
            and not any(is_near(each, piece) for piece in pieces)
        ]
        return [blank(layers, each.kind, frame_quad(each.kind, each.outline)) for each in wrong[:max_count]]

    def false_alarms_of(self, photos: list[Path]) -> list[Stored]:
        """The same of photographs without pieces (other games, cloths, hands), in two sizes."""
        return [stored for picture in in_two_sizes(photos) for stored in self.false_alarms(picture, [], max_count=60)]


def blank(layers: Layers, kind: str, corners: Floats) -> Stored:
    """The stored crop of a place without a piece, framed as if there were one."""
    return Stored(framed(layers, kind, corners, STORE), kind, "nothing", None, None, None, None, None, None)


def gather(paths: list[Path], rng: Generator, proposals: ProposalNets | None = None) -> list[Stored]:
    """Samples of all pieces of the pictures, of places without any, and of false alarms."""
    found: list[Stored] = []
    for image, pieces in pictures_with_truth(paths):
        layers = Layers(image)
        edition = int(rng.integers(1, 1 << 40))
        found += [store(layers, piece, edition) for piece in pieces if is_usable(piece, image)]
        found += random_blanks(layers, pieces, BLANKS, rng)
        found += [blank(layers, "tile", quad) for quad in back_quarters(pieces, BLANKS // 2, rng)]
        if proposals is not None and rng.random() < PROPOSALS_SHARE:
            found += proposals.false_alarms(image, pieces)
    return found


def is_usable(piece: Labelled, image: Picture) -> bool:
    height, width = image.shape[:2]
    x, y = piece.center
    return piece.visible >= MIN_VISIBLE and 0 <= x < width and 0 <= y < height


def random_blanks(layers: Layers, pieces: list[Labelled], count: int, rng: Generator) -> list[Stored]:
    """Blanks where no piece's centre is: table, clutter, the border between two pieces."""
    found = []
    height, width = layers.full.shape[:2]
    for _ in range(count):
        kind = ("tile", "coin", "die", "pawn")[rng.integers(4)]
        half = (rng.uniform(20, 70) if kind == "tile" else rng.uniform(8, 30)) * width / 1280
        at = rng.uniform(0, 1, 2) * (width, height)
        tiles = [piece for piece in pieces if piece.kind == "tile"]
        if kind == "tile" and tiles and rng.random() < 0.6:
            tile = tiles[rng.integers(len(tiles))]
            half, corner = size_of(tile.outline) / 2, int(rng.integers(4))
            at = (tile.outline[corner] + tile.outline[(corner + 1) % 4]) / 2 + rng.normal(0, 0.1 * half, 2)
        if any(np.linalg.norm(piece.center - at) < 0.4 * half + 0.3 * size_of(piece.outline) for piece in pieces):
            continue
        turn = rng.uniform(0, np.pi)
        spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        corners = at + half * UNIT @ (spin if kind != "pawn" else np.eye(2))
        found.append(blank(layers, kind, corners))
    return found


def jittered(rng: Generator, sides: tuple[int, int], half: float, errors: tuple[float, float]) -> Floats:
    """Random matrix from a stored picture to a net's, as a slightly wrong outline would frame it. `sides` of the two
    pictures, `half` a piece's side, `errors` of the whole outline and of each corner in halves of its side."""
    stored, shown = sides
    whole, corner = errors
    wrong = stored / 2 + UNIT * half
    wrong = wrong + half * (rng.normal(0, whole, (1, 2)) + rng.normal(0, corner, (4, 2)))
    wrong = stored / 2 + (wrong - stored / 2) * np.exp(rng.normal(0, whole))
    target = shown / 2 + UNIT * half
    matrix = cv2.getPerspectiveTransform(wrong.astype(np.float32), target.astype(np.float32))
    return np.asarray(matrix, dtype=np.float64)


def random_view(kind: str, rng: Generator) -> tuple[Floats, Floats]:
    """(matrix from a stored to the reader's picture, the true corners in the latter)."""
    error = 0.05 if kind in ("tile", "die", "card") else 0.07
    matrix = jittered(rng, (STORE, CROP), CROP / 2 / MARGIN[kind], (error, 0.7 * error))
    return matrix, apply(matrix, inner_quad(STORE, kind))


def random_quarter_turns(rng: Generator) -> tuple[int, Floats]:
    """A number of quarter turns, and their matrix."""
    turns = int(rng.integers(4))
    return turns, rotation((1, 0, -1, 0)[turns], (0, 1, 0, -1)[turns])


def rotation(c: float, s: float) -> Floats:
    """Rotation about the centre of the reader's picture, by cosine and sine."""
    m = CROP / 2
    return np.array([[c, -s, m - c * m + s * m], [s, c, m - s * m - c * m], [0, 0, 1.0]])


def sample(item: Stored, rng: Generator, augment: Augment) -> tuple[Picture, dict[str, object]]:
    """A random view of a stored crop with its labels."""
    matrix, corners = random_view(item.kind, rng)
    turns = 0
    if item.kind in ("tile", "die", "card"):
        turns, spin = random_quarter_turns(rng)
        matrix, corners = spin @ matrix, apply(spin, corners)
    elif item.kind == "coin":
        turn = rng.uniform(0, 2 * np.pi)
        matrix = rotation(np.cos(turn), np.sin(turn)) @ matrix
    is_far, picture = rng.random() < FAR_SHARE, cut(item.picture, matrix, CROP)
    picture = farther(picture, rng) if is_far else picture
    return augment(picture, rng, item.kind in ("tile", "coin")), labels_of(item, matrix, corners, turns)


def labels_of(item: Stored, matrix: Floats, corners: Floats, turns: int) -> dict[str, object]:
    """Label of every head: -1 or nan where it is ignored."""
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
    out |= standing_labels(item, matrix)
    if item.kind in ("tile", "die", "card"):
        ordered = np.roll(corners, turns, axis=0)
        out["refine"] = ((ordered - inner_quad(CROP, item.kind)) / (CROP / 2)).ravel()
    return out


def standing_labels(item: Stored, matrix: Floats) -> dict[str, object]:
    out: dict[str, object] = {}
    if item.kind == "pyramid":
        out["size"] = SIZES.index(item.size) if item.size else -1
        out["pose"] = POSES.index(item.pose) if item.pose else -1
    if item.center is not None:
        base = apply(matrix, (STORE / 2 + item.center * CROP / 2)[None])[0]
        out["refine"] = np.concatenate([(base - CROP / 2) / (CROP / 2), np.full(6, np.nan)])
    if item.up is not None:
        head = "turn coin" if item.kind == "coin" else "point"
        out[head] = mapped_direction(matrix, np.full(2, STORE / 2), item.up)
    return out


def collate(items: list[Stored], rng: Generator, augment: Augment) -> Batch:
    samples = [sample(item, rng, augment) for item in items]
    out = {"image": image_tensor([image for image, _ in samples])}
    for name in HEADS:
        dtype = torch.int64 if name in SOFTMAX else torch.float32
        out[name] = torch.tensor(np.array([labels[name] for _, labels in samples]), dtype=dtype)
    out["set"] = torch.tensor([hash_of(item.edition, item.kind) for item in items])
    out["same"] = torch.tensor([hash_of(item.edition, *item.face) for item in items])
    return out


def hash_of(*words: object) -> int:
    """A checksum of the words."""
    return zlib.crc32(repr(words).encode())


def batch_of(
    items: Sequence[Stored],
    count: int,
    augment: Augment = augment_piece,
    take: Callable[[Stored], Stored] = lambda item: item,
) -> Make:
    """Makes batches of `count` samples, rare labels more often than they occur. A share of each batch are episodes:
    faces of one edition, each twice, as in a lesson and after it. `augment`: changes of a crop. `take`: loads the
    picture of an item."""
    probabilities = balanced([item.label for item in items])
    editions = by_edition(items)

    def make(rng: Generator) -> Batch:
        episodes = [item for _ in range(count // EPISODE // 2) for item in episode(editions, rng)] if editions else []
        picks = rng.choice(len(items), count - len(episodes), p=probabilities)
        return collate([take(item) for item in [*(items[index] for index in picks), *episodes]], rng, augment)

    return make


Faces = dict[tuple[str, str | None, str | None], list[Stored]]


def by_edition(items: Sequence[Stored]) -> list[Faces]:
    """By edition and kind: the samples of each face, where there are three faces or more to tell apart."""
    found: dict[tuple[int, str], Faces] = {}
    for item in items:
        if item.edition and item.kind in EPISODE_KINDS and (item.suit or item.value):
            found.setdefault((item.edition, item.kind), {}).setdefault(item.face, []).append(item)
    return [faces for faces in found.values() if len(faces) >= 3]


def episode(editions: list[Faces], rng: Generator) -> list[Stored]:
    """EPISODE samples: faces of one edition, two samples of each."""
    faces = list(editions[rng.integers(len(editions))].values())
    picks = rng.permutation(len(faces))[: EPISODE // 2]
    return [
        samples[index]
        for face in picks
        for samples in [faces[face]]
        for index in rng.permutation(len(samples) * 2)[:2] % len(samples)
    ]


def folder_items(
    folders: list[Path], seed: int, max_pictures: int = 2500, proposals: ProposalNets | None = None
) -> list[Stored]:
    """Samples of random pictures of the folders."""
    rng = np.random.default_rng(seed)
    return gather(sampled_pictures(folders, rng, max_pictures), rng, proposals=proposals)


def grounds(folders: list[Path], seed: int) -> list[Picture]:
    """Forty random whole pictures of the folders, as backgrounds of drawn faces."""
    return [read_picture(path) for path in sampled_pictures(folders, np.random.default_rng(seed), 40)]

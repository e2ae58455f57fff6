"""Training of the scene net on the candidates of pictures whose truth is known and that no other net learnt from: how
certain each candidate is, given all others."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor
from torch.nn import functional

from models.training.export import write_scene
from models.training.net import SceneMean, SceneNet
from models.training.train import AdamW
from models.training.truth import MIN_JUDGED, Labelled, pictures_with_truth
from vision.detect import shape
from vision.detect.channels import KINDS
from vision.detect.finder import ZOOMS
from vision.detect.shape import Floats
from vision.nets import WEIGHTS
from vision.piece import DetectedPiece
from vision.rectify import Layers
from vision.scene import FEATURES, RELATIONS, Array, Candidate, axes, features, relations
from vision.table_reader import TableReader

RATE: Final = 2e-3
MEMBERS: Final = 2
"""Nets whose mean is shipped."""
OFFSETS: Final = (-0.4, -0.2, 0.35, 0.0, -0.3, 0.0)
"""Constants in the log odds of each kind: with them precision is what it was without this net, on pictures of the
stratum `test` as well as on three foreign editions. They are chosen."""
PICTURES: Final = 8
"""Pictures of a step."""
MATCHED, NEAR = 0.4, 0.6
"""Distances from a true piece of its kind, in its size, within which a candidate is that piece, and within which it is
no other one."""
AS_GOOD, NEARLY_AS_GOOD = 0.88, 0.7
"""Shares of the best outline's overlap from which another candidate is the same piece as well, and from which it hardly
counts as wrong."""
MIN_VISIBLE: Final = 0.2
"""Visible share of a true piece below which its candidates do not count."""
DOUBTFUL, HALF_SEEN = 0.3, 0.5
"""Weight of a candidate that is nearly as good as the best, and of one of a piece that is mostly hidden."""
KIND_WEIGHTS: Final = (1.0, 1.0, 2.0, 1.8, 1.4, 1.0)
"""Dice, pawns and pyramids are rare."""
DEEP: Final = 0.15
"""Weight of the answers of the blocks before the last."""
LOGIT_COLUMNS: Final = (6, 7, 8, 33, 35, 36)
"""Features that are log odds: nets are less sure of sets that they never saw."""
GAP_COLUMNS: Final = (25, 26)
GAP_SPREADS: Final = (0.0, 0.05, 0.2, 0.15, 0.08, 0.0)
"""Spread of the sizes of each kind (log of length) between editions, beyond those that are drawn."""
DROPPED: Final = (
    *((column,) for column in (6, 7, 8, 27, 28, 29, 33, 34, 35, 36)),
    (9, 10),
    tuple(range(11, 20)),
    (20, 21),
    (24, 25, 26),
    (30, 31),
)
DROP_SHARE: Final = 0.06
"""Groups of features, and the share of the pictures in which one is missing: none is to be relied on alone."""
IDENTITIES, LOOKS = (14, 15), (16,)
"""Columns of the relations that compare identities, and looks."""
DECOY_SHARE: Final = 0.12
"""Number of decoys of a picture as a share of its candidates: pieces as sure as true ones, of a wrong size or between
two tiles. The signs of sets that no net has seen look like small coins."""
DECOY_SIZES: Final = {
    "tile": (0.25, 0.9),
    "coin": (0.28, 0.8),
    "die": (0.7, 1.3),
    "pawn": (0.7, 1.3),
    "pyramid": (0.8, 1.4),
    "card": (0.3, 0.9),
}
"""Range of how far the size of a decoy is off (log of length)."""
DECOY_KEPT: Final = 0.5
"""Share of the decoys in each look at a sample."""
ASIDE: Final = 6
"""Column of the relations that is the distance to the right."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The candidates of one picture: the net's inputs, whether each is a piece, and how much it counts."""

    features: Array
    relations: Array
    labels: Array
    weights: Array
    decoys: Array
    """1 for each decoy, else 0."""


def gather(paths: Sequence[Path], photos: Sequence[Path], folder: Path = WEIGHTS) -> list[Sample]:
    """Samples of pictures with truth, and of photographs of tables without any piece, by the nets in `folder`: of first
    looks and of further ones, which search a picture in fewer sizes and have fewer candidates."""
    reader = TableReader(1, weights=folder)
    out = [
        sample(reader.all_candidates(Layers(image), zooms), truth, (image.shape[1], image.shape[0]))
        for image, truth in pictures_with_truth(paths, photos)
        for zooms in (ZOOMS, ZOOMS[:1])
    ]
    return [each for each in out if len(each.labels)]


def sample(candidates: Sequence[Candidate], truth: Sequence[Labelled], size: tuple[int, int]) -> Sample:
    """The sample of a picture of this size, with decoys."""
    if not candidates:
        return Sample(*(np.zeros(0, np.float32) for _ in range(5)))
    labels, _ = labelled([each.piece for each in candidates], truth)
    rng = np.random.default_rng(len(candidates) + int(candidates[0].piece.center[0]))
    every = [*candidates, *decoys([candidates[i] for i in np.flatnonzero(labels).tolist()], len(candidates), rng)]
    is_decoy = (np.arange(len(every)) >= len(candidates)).astype(np.float32)
    return Sample(features(every, size), relations(every), *labelled([each.piece for each in every], truth), is_decoy)


def decoys(true: Sequence[Candidate], count: int, rng: Generator) -> list[Candidate]:
    """Copies of true pieces where none is. `count`: of all candidates of the picture."""
    if not true:
        return []
    tiles = [each.piece for each in true if each.piece.kind == "tile"]
    models = [true[int(index)] for index in rng.choice(len(true), rng.binomial(count, DECOY_SHARE))]
    return [replace(each, piece=misplaced(each.piece, tiles or [each.piece], rng)) for each in models]


def misplaced(piece: DetectedPiece, tiles: Sequence[DetectedPiece], rng: Generator) -> DetectedPiece:
    """The piece in a wrong size on one of the tiles, or a tile half over another one."""
    host = tiles[int(rng.integers(len(tiles)))]
    if piece.kind == "tile" and rng.random() < 0.6:
        return moved(piece, (piece.center + nearest(piece, tiles).center) / 2, 1.0)
    least, most = DECOY_SIZES[piece.kind]
    factor = float(np.exp(rng.choice((-1, 1)) * rng.uniform(least, most)))
    return moved(piece, host.center + axes(host) @ rng.uniform(-0.45, 0.45, 2), factor)


def nearest(piece: DetectedPiece, others: Sequence[DetectedPiece]) -> DetectedPiece:
    """The nearest other piece; itself if there is none."""
    apart = [other for other in others if other is not piece]
    return min(apart, key=lambda other: float(np.linalg.norm(other.center - piece.center)), default=piece)


def moved(piece: DetectedPiece, center: Floats, factor: float) -> DetectedPiece:
    """The piece at another place of the picture, so many times as large."""
    return replace(piece, center=center, outline=(piece.outline - piece.center) * factor + center)


def labelled(pieces: Sequence[DetectedPiece], truth: Sequence[Labelled]) -> tuple[Array, Array]:
    """(1 for each candidate that is a piece, else 0; how much it counts)."""
    labels, weights = np.zeros(len(pieces), np.float32), np.ones(len(pieces), np.float32)
    for true in truth:
        size = float(np.sqrt(shape.area(true.outline)))
        gaps = {
            index: float(np.linalg.norm(piece.center - true.center)) / max(size, 1.0)
            for index, piece in enumerate(pieces)
            if piece.kind == true.kind
        }
        near = {index: gap for index, gap in gaps.items() if gap < NEAR and not labels[index]}
        matched = {i: outline_overlap(pieces[i].outline, true.outline) for i, gap in near.items() if gap < MATCHED}
        if true.visible < MIN_VISIBLE:
            weights[list(near)] = 0
        elif matched:
            best = max(matched.values())
            for index, overlap in matched.items():
                if overlap >= AS_GOOD * best:
                    labels[index], weights[index] = 1, 1.0 if true.visible >= MIN_JUDGED else HALF_SEEN
                elif overlap > NEARLY_AS_GOOD * best:
                    weights[index] = DOUBTFUL
    return labels, weights


def outline_overlap(one: Floats, other: Floats) -> float:
    """Intersection over union of two convex outlines."""
    shared = shape.shared(one, other)
    return shared / max(shape.area(one) + shape.area(other) - shared, 1e-6)


def augmented(sample: Sample, rng: Generator) -> Sample:
    """The sample as nets that know the set less well would have seen it, mirrored or not, without some candidates."""
    x, pairs = sample.features.copy(), sample.relations.copy()
    count = len(x)
    if rng.random() < 0.5:
        pairs[..., ASIDE] *= -1
    for column in LOGIT_COLUMNS:
        x[:, column] = x[:, column] * rng.uniform(0.75, 1.2) + rng.normal(0, 0.12) + rng.normal(0, 0.06, count)
    x[:, 9:20] += rng.normal(0, 0.03, (count, 11))
    gaps = x[:, : len(KINDS)] @ rng.normal(0, GAP_SPREADS).astype(np.float32)
    x[:, GAP_COLUMNS] += gaps[:, None]
    for group in DROPPED:
        if rng.random() < DROP_SHARE:
            x[:, group] = 0
    for columns in (IDENTITIES, LOOKS):
        if rng.random() < DROP_SHARE:
            pairs[..., columns] = 0
    kept = rng.random(count) > np.where(sample.decoys > 0, DECOY_KEPT, rng.uniform(0, 0.08))
    kept[int(rng.integers(count))] = True
    return Sample(x[kept], pairs[kept][:, kept], sample.labels[kept], sample.weights[kept], sample.decoys[kept])


def losses(net: SceneNet, sample: Sample) -> tuple[Tensor, float]:
    """(sum of the losses of a picture's candidates, sum of their weights)."""
    x = torch.from_numpy(sample.features)
    labels = torch.from_numpy(sample.labels)
    weights = torch.from_numpy(sample.weights) * (x[:, : len(KINDS)] @ x.new_tensor(KIND_WEIGHTS))
    *earlier, last = net.answers(x, torch.from_numpy(sample.relations))

    def entropy(log_odds: Tensor) -> Tensor:
        return (functional.binary_cross_entropy_with_logits(log_odds, labels, reduction="none") * weights).sum()

    return entropy(last) + DEEP * torch.stack([entropy(each) for each in earlier]).sum(), float(weights.sum())


def train(samples: Sequence[Sample], steps: int, seed: int = 0, log: Callable[[str], None] = print) -> SceneNet:
    """A scene net that learnt from these samples."""
    rng = np.random.default_rng(seed)
    torch.manual_seed(seed)
    net = SceneNet(FEATURES, RELATIONS)
    optimiser = AdamW(net.parameters(), lr=RATE, weight_decay=0.02)
    total = 0.0
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = RATE * min(1.0, (step + 1) / 50) * 0.5 * (1 + np.cos(np.pi * step / steps))
        parts = [losses(net, augmented(samples[int(index)], rng)) for index in rng.choice(len(samples), PICTURES)]
        loss = torch.stack([part for part, _ in parts]).sum() / max(sum(weight for _, weight in parts), 1e-6)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        total += float(loss.detach())
        if (step + 1) % 100 == 0:
            log(f"scene: step {step + 1}, loss {total / 100:.3f}")
            total = 0.0
    net.eval()
    return net


def fit_scene(paths: Sequence[Path], photos: Sequence[Path], folder: Path, steps: int) -> dict[str, float]:
    """Train the scene net on these pictures, and write it with its registry entry into `folder`."""
    samples = gather(paths, photos, folder)
    write_scene(SceneMean([train(samples, steps, seed) for seed in range(MEMBERS)], OFFSETS).eval(), folder)
    return {"pictures": len(samples), "candidates": sum(len(each.labels) for each in samples)}

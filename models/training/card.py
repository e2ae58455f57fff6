"""Figures and plots of the model card, from pictures with truth."""

from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import matplotlib as mpl
import numpy as np

from models.training.evaluate import Tally, judge, reliability, results, strata, table
from models.training.truth import match, read_truth
from vision.frame import Picture
from vision.identify.heads import SUITS, VALUES
from vision.look import draw
from vision.piece import CERTAIN
from vision.table_reader import FrameResult, TableReader

mpl.use("Agg")
from matplotlib import pyplot as plt

GALLERY = 6
"""Worst pictures that are shown."""


@dataclass(slots=True)
class CardFigures:
    """Data of the plots."""

    tallies: dict[str, Tally] = field(default_factory=dict)
    detections: list[tuple[float, bool]] = field(default_factory=list)
    true_count: int = 0
    confusions: dict[str, Counter[tuple[str, str]]] = field(default_factory=dict)
    worst: list[tuple[int, str, Picture]] = field(default_factory=list)


def gather(folders: list[Path]) -> CardFigures:
    """Data of the folders' pictures, read with a low threshold, so that the precision-recall curve is complete."""
    data = CardFigures()
    for path, result in results(folders, TableReader(certain=0.1)):
        add_result(data, result, path)
        data.worst = sorted(data.worst, key=lambda row: -row[0])[:GALLERY]
    return data


def add_result(data: CardFigures, result: FrameResult, path: Path) -> None:
    truth = read_truth(path)
    matched = match(truth, result.pieces)
    data.true_count += len(matched.pairs) + len(matched.missed)
    data.detections += [(result.pieces[j].certainty, True) for _, j in matched.pairs]
    data.detections += [(result.pieces[j].certainty, False) for j in matched.false_alarms]
    for i, j in matched.pairs:
        for head in ("suit", "value"):
            true, answer = getattr(truth[i], head), getattr(result.pieces[j], head)
            if true and answer:
                data.confusions.setdefault(head, Counter())[(true, answer)] += 1
    certain = replace(result, pieces=[piece for piece in result.pieces if piece.certainty >= CERTAIN])
    for group in strata(path):
        judge(truth, certain, data.tallies.setdefault(group, Tally()))
    matched_certain = match(truth, certain.pieces)
    wrong_count = sum(
        (truth[i].suit not in (None, certain.pieces[j].suit)) or (truth[i].value not in (None, certain.pieces[j].value))
        for i, j in matched_certain.pairs
    )
    faults = len(matched_certain.missed) + len(matched_certain.false_alarms) + wrong_count
    data.worst.append((faults, path.stem, shrunk(draw(result.frame.image, certain.pieces))))


def shrunk(image: Picture) -> Picture:
    size = (480, round(image.shape[0] * 480 / image.shape[1]))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def plot(data: CardFigures, folder: Path, stem: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    figure, axes = plt.subplots(1, 4, figsize=(17, 4))
    precision_recall(axes[0], data)
    reliability_diagram(axes[1], data.tallies["all"].confidences)
    for axis, head, names in ((axes[2], "suit", SUITS), (axes[3], "value", VALUES)):
        confusion(axis, head, names, data.confusions.get(head, Counter()))
    figure.tight_layout()
    figure.savefig(folder / f"{stem}-plots.png", dpi=60)
    plt.close(figure)
    images = [image for _, _, image in data.worst]
    height = min(image.shape[0] for image in images)
    rows = [np.hstack([image[:height] for image in images[k : k + 3]]) for k in range(0, len(images) // 3 * 3, 3)]
    cv2.imwrite(str(folder / f"{stem}-worst.jpg"), np.vstack(rows), [cv2.IMWRITE_JPEG_QUALITY, 70])


def precision_recall(axis: plt.Axes, data: CardFigures) -> None:
    rows = sorted(data.detections, reverse=True)
    hits = np.cumsum([there for _, there in rows])
    axis.plot(hits / max(1, data.true_count), hits / np.arange(1, len(hits) + 1))
    axis.set(xlabel="recall", ylabel="precision", title="pieces", xlim=(0.5, 1), ylim=(0.5, 1.005))
    axis.grid(alpha=0.3)


def reliability_diagram(axis: plt.Axes, confidences: list[tuple[float, bool]]) -> None:
    bins = reliability(confidences)
    axis.plot([0, 1], [0, 1], "k:", lw=1)
    axis.plot([claimed for claimed, _, _ in bins], [right for _, right, _ in bins], "o-")
    axis.set(xlabel="claimed", ylabel="right", title="reliability of confidence")
    axis.grid(alpha=0.3)


def confusion(axis: plt.Axes, head: str, names: tuple[str, ...], counts: Counter[tuple[str, str]]) -> None:
    grid = np.array([[counts[(true, answer)] for answer in names] for true in names], dtype=np.float64)
    shares = grid / np.maximum(grid.sum(axis=1, keepdims=True), 1)
    axis.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    for (row, column), value in np.ndenumerate(grid):
        axis.text(column, row, int(value), ha="center", va="center", fontsize=8)
    axis.set(title=f"{head}: true down, said across")
    axis.set_xticks(range(len(names)), names)
    axis.set_yticks(range(len(names)), names)


def write_card(folders: list[Path], folder: Path, stem: str) -> str:
    """Write plots and figures into `folder`; returns the figures as text."""
    data = gather(folders)
    plot(data, folder, stem)
    text = table({group: tally.figures() for group, tally in sorted(data.tallies.items())})
    (folder / f"{stem}-figures.txt").write_text(text + "\n")
    return text

"""The model card's figures and plots, from looks at pictures whose truth is known."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import matplotlib as mpl
import numpy as np

from models.training.evaluate import Tally, judge, reliability, strata, table
from models.training.match import match
from models.training.truth import Labelled, read_truth
from vision import overlay
from vision.frame import Picture, read_frame
from vision.identify.heads import SUITS, VALUES
from vision.piece import CERTAIN
from vision.table_reader import FrameResult, TableReader

mpl.use("Agg")
from matplotlib import pyplot as plt


@dataclass(slots=True)
class CardFigures:
    """Everything the plots need."""

    tallies: dict[str, Tally] = field(default_factory=dict)
    sightings: list[tuple[float, bool]] = field(default_factory=list)
    asked: int = 0
    confused: dict[str, Counter[tuple[str, str]]] = field(default_factory=dict)
    worst: list[tuple[int, str, Picture]] = field(default_factory=list)


def gather(folders: list[Path], gallery: int = 6) -> CardFigures:
    """Looks with a low threshold, so that the precision-recall curve has its far end."""
    album, eyes = CardFigures(), TableReader(certain=0.1)
    for folder in folders:
        for path in sorted(folder.glob("*.json")):
            look = eyes.look(read_frame(path.with_suffix(".jpg")))
            truth = read_truth(path)
            groups = strata(json.loads(path.read_text()), folder.name)
            add(album, look, truth, groups, path.stem)
            album.worst = sorted(album.worst, key=lambda row: -row[0])[:gallery]
    return album


def add(album: CardFigures, look: FrameResult, truth: list[Labelled], groups: list[str], name: str) -> None:
    matched = match(truth, look.pieces)
    album.asked += len(matched.pairs) + len(matched.missed)
    album.sightings += [(look.pieces[j].certainty, True) for _, j in matched.pairs]
    album.sightings += [(look.pieces[j].certainty, False) for j in matched.made_up]
    for i, j in matched.pairs:
        for head, real, said in (
            ("suit", truth[i].suit, look.pieces[j].suit),
            ("value", truth[i].value, look.pieces[j].value),
        ):
            if real and said:
                album.confused.setdefault(head, Counter())[(real, said)] += 1
    sure = FrameResult(
        look.frame, [p for p in look.pieces if p.certainty >= CERTAIN], look.plane, 0.0, [], look.timings_ms
    )
    for group in groups:
        judge(truth, sure, album.tallies.setdefault(group, Tally()))
    again = match(truth, sure.pieces)
    wrong = sum(
        (truth[i].suit not in (None, sure.pieces[j].suit)) or (truth[i].value not in (None, sure.pieces[j].value))
        for i, j in again.pairs
    )
    faults = len(again.missed) + len(again.made_up) + wrong
    album.worst.append((faults, name, small(overlay.draw(look.frame.image, sure.pieces))))


def small(image: Picture, width: int = 480) -> Picture:
    size = (width, round(image.shape[0] * width / image.shape[1]))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def plot(album: CardFigures, folder: Path, stem: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    figure, axes = plt.subplots(1, 4, figsize=(17, 4))
    precision_recall(axes[0], album)
    diagram(axes[1], album.tallies["all"].honest)
    for axis, head, names in ((axes[2], "suit", SUITS), (axes[3], "value", VALUES)):
        confusion(axis, head, names, album.confused.get(head, Counter()))
    figure.tight_layout()
    figure.savefig(folder / f"{stem}-plots.png", dpi=60)
    plt.close(figure)
    shots = [image for _, _, image in album.worst]
    height = min(image.shape[0] for image in shots)
    rows = [np.hstack([image[:height] for image in shots[k : k + 3]]) for k in range(0, len(shots) // 3 * 3, 3)]
    cv2.imwrite(str(folder / f"{stem}-worst.jpg"), np.vstack(rows), [cv2.IMWRITE_JPEG_QUALITY, 70])


def precision_recall(axis: plt.Axes, album: CardFigures) -> None:
    rows = sorted(album.sightings, reverse=True)
    hits = np.cumsum([there for _, there in rows])
    axis.plot(hits / max(1, album.asked), hits / np.arange(1, len(hits) + 1))
    axis.set(xlabel="recall", ylabel="precision", title="pieces", xlim=(0.5, 1), ylim=(0.5, 1.005))
    axis.grid(alpha=0.3)


def diagram(axis: plt.Axes, honest: list[tuple[float, bool]]) -> None:
    bins = reliability(honest)
    axis.plot([0, 1], [0, 1], "k:", lw=1)
    axis.plot([claimed for claimed, _, _ in bins], [real for _, real, _ in bins], "o-")
    axis.set(xlabel="claimed", ylabel="right", title="reliability of confidence")
    axis.grid(alpha=0.3)


def confusion(axis: plt.Axes, head: str, names: tuple[str, ...], counts: Counter[tuple[str, str]]) -> None:
    grid = np.array([[counts[(real, said)] for said in names] for real in names], dtype=np.float64)
    shares = grid / np.maximum(grid.sum(axis=1, keepdims=True), 1)
    axis.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    for (row, column), value in np.ndenumerate(grid):
        axis.text(column, row, int(value), ha="center", va="center", fontsize=8)
    axis.set(title=f"{head}: true down, said across")
    axis.set_xticks(range(len(names)), names)
    axis.set_yticks(range(len(names)), names)


def write(folders: list[Path], folder: Path, stem: str) -> str:
    """Plots into `folder`; the figures as text."""
    album = gather(folders)
    plot(album, folder, stem)
    text = table({group: tally.figures() for group, tally in sorted(album.tallies.items())})
    (folder / f"{stem}-figures.txt").write_text(text + "\n")
    return text

"""Figures of detection and identity, from pictures with their truth beside them."""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from models.training.truth import Labelled, match, read_truth
from vision.detect.channels import KINDS
from vision.frame import read_frame
from vision.look import report
from vision.piece import DetectedPiece
from vision.table_reader import FrameResult, TableReader

BINS = 15
"""Bins of confidence in the calibration error."""
ALL = "all"
"""Row of a comparison over all kinds."""


@dataclass(slots=True)
class Tally:
    """Counts of one stratum; `answers` by what was asked, `confidences` with whether the piece was read right."""

    pictures: int = 0
    hit: int = 0
    missed: int = 0
    false_alarms: int = 0
    perfect: int = 0
    answers: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))
    confidences: list[tuple[float, bool]] = field(default_factory=list)

    def figures(self) -> dict[str, float]:
        """Precision, recall, shares of perfect pictures and right answers, and calibration error."""
        out = {
            "pictures": self.pictures,
            "precision": share(self.hit, self.hit + self.false_alarms),
            "recall": share(self.hit, self.hit + self.missed),
            "perfect": share(self.perfect, self.pictures),
            "ece": calibration_error(self.confidences),
        }
        return out | {name: share(sum(answers), len(answers)) for name, answers in sorted(self.answers.items())}


Tallies = dict[str, dict[str, Tally]]
"""By kind and folder."""


def share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")


def calibration_error(confidences: list[tuple[float, bool]]) -> float:
    """Expected calibration error: mean difference of confidence and share that was right."""
    if not confidences:
        return float("nan")
    bins = reliability(confidences)
    return float(sum(len(rows) * abs(claimed - right) for claimed, right, rows in bins) / len(confidences))


def reliability(confidences: list[tuple[float, bool]]) -> list[tuple[float, float, list[tuple[float, bool]]]]:
    """(mean confidence, share that was right, the rows) of every bin that is not empty."""
    bins: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for confidence, is_right in confidences:
        bins[min(BINS - 1, int(confidence * BINS))].append((confidence, is_right))
    return [
        (float(np.mean([c for c, _ in rows])), float(np.mean([r for _, r in rows])), rows)
        for _, rows in sorted(bins.items())
    ]


def judge(truth: list[Labelled], result: FrameResult, tally: Tally) -> None:
    """Count one picture into the tally."""
    matched = match(truth, result.pieces)
    tally.pictures += 1
    tally.hit += len(matched.pairs)
    tally.missed += len(matched.missed)
    tally.false_alarms += len(matched.false_alarms)
    verdicts = [judge_piece(truth[i], result.pieces[j], tally) for i, j in matched.pairs]
    tally.confidences += [(result.pieces[j].confidence, False) for j in matched.false_alarms]
    tally.perfect += all(verdicts) and not matched.missed and not matched.false_alarms


def judge_piece(true: Labelled, detected: DetectedPiece, tally: Tally) -> bool:
    """Whether face, suit and value were read right, counted into the tally."""
    right = {"face": true.face == detected.face} if true.kind in ("tile", "coin") else {}
    right |= {"suit": true.suit == detected.suit} if true.suit else {}
    right |= {"value": true.value == detected.value} if true.value else {}
    is_right = all(right.values())
    for name, answer in right.items():
        tally.answers[f"{true.kind} {name}"].append(answer)
    if right:
        tally.answers["identity"].append(is_right)
        tally.answers[f"{true.kind} identity"].append(is_right)
    if true.kind == "pyramid":
        tally.answers["pyramid size"].append(true.size == detected.size)
        tally.answers["pyramid pose"].append(true.pose == detected.pose)
    tally.confidences.append((detected.confidence, is_right))
    return is_right


def results(folders: list[Path], reader: TableReader) -> Iterator[tuple[Path, FrameResult]]:
    """What is seen on each picture of the folders, with the file of its truth."""
    for folder in folders:
        for path in sorted(folder.glob("*.json")):
            yield path, reader.look(read_frame(path.with_suffix(".jpg")))


def strata(path: Path) -> list[str]:
    """Groups in which a picture is counted, from the file of its truth."""
    record = json.loads(path.read_text())
    tilt = record.get("tilt_deg")
    out = ["all", f"folder {path.parent.name}"]
    if tilt is not None:
        out.append(f"tilt {15 * int(tilt // 15):02d}-{15 * int(tilt // 15) + 15:02d}")
    return out + [f"{key} {record[key]}" for key in ("scene_kind", "lighting") if isinstance(record.get(key), str)]


def evaluate(folders: list[Path], out: Path | None = None, weights: Path | None = None) -> dict[str, dict[str, float]]:
    """Figures by stratum over all pictures; `out` gets the predictions as JSON lines, as `companion look --json` prints
    them."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    lines = []
    for path, result in results(folders, TableReader(weights=weights)):
        for stratum in strata(path):
            judge(read_truth(path), result, tallies[stratum])
        lines.append(json.dumps(scorer_record(result)))
    if out is not None:
        out.write_text("".join(line + "\n" for line in lines))
    return {stratum: tally.figures() for stratum, tally in sorted(tallies.items())}


def scorer_record(result: FrameResult) -> dict[str, Any]:
    """The report, with the picture-plane angle also under the name that the evaluation's scorer reads."""
    record = report(result)
    for piece in record["pieces"]:
        piece["angle_img_deg"] = piece["angle_deg"]
    return record


def table(figures: dict[str, dict[str, float]]) -> str:
    """Figures as text, one stratum a line."""
    names = ("pictures", "precision", "recall", "identity", "tile identity", "coin identity", "perfect", "ece")
    lines = [f"{'stratum':28}" + "".join(f"{name:>14}" for name in names)]
    for stratum, row in figures.items():
        lines.append(f"{stratum:28}" + "".join(f"{row.get(name, float('nan')):14.4g}" for name in names))
    return "\n".join(lines)


def compare(folders: list[Path], weights: Path | None = None) -> Tallies:
    """Tallies by kind for each folder, over the pictures whose names all of them have."""
    names = set.intersection(*({path.stem for path in folder.glob("*.json")} for folder in folders))
    reader = TableReader(weights=weights)
    tallies = {kind: {str(folder): Tally() for folder in folders} for kind in (ALL, *KINDS)}
    for folder in folders:
        for name in sorted(names):
            result = reader.look(read_frame(folder / f"{name}.jpg"))
            judge_by_kind(folder / f"{name}.json", result, {kind: row[str(folder)] for kind, row in tallies.items()})
    return tallies


def judge_by_kind(path: Path, result: FrameResult, tallies: dict[str, Tally]) -> None:
    """Count one picture, given its truth file, into the tally of every kind and of all."""
    truth = read_truth(path)
    for kind, tally in tallies.items():
        true = [piece for piece in truth if kind in (ALL, piece.kind)]
        judge(true, replace(result, pieces=[piece for piece in result.pieces if kind in (ALL, piece.kind)]), tally)


def comparison_table(tallies: Tallies) -> str:
    """As Markdown: number of pieces, precision, recall and identity for each folder."""
    folders, names = list(tallies[ALL]), ("precision", "recall", "identity")
    heads = [f"{Path(folder).name}: {name}" for folder in folders for name in names]
    lines = ["| kind | asked | " + " | ".join(heads) + " |", "|---" * (2 + len(heads)) + "|"]
    for kind, row in tallies.items():
        figures = [row[folder].figures() for folder in folders]
        cells = [f"{figure.get(name, float('nan')):.3f}" for figure in figures for name in names]
        counts = " / ".join(str(row[folder].hit + row[folder].missed) for folder in folders)
        lines.append(f"| {kind} | {counts} | " + " | ".join(cells) + " |")
    return "\n".join(lines)

"""How well the eyes see: figures by stratum, from pictures with their truth beside them."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from models.training.match import match
from models.training.truth import Labelled, read_truth
from vision.frame import read_frame
from vision.look import report
from vision.piece import DetectedPiece
from vision.table_reader import FrameResult, TableReader

BINS = 15
"""Of claimed chances, in figures of calibration."""


@dataclass(slots=True)
class Tally:
    """Counts of one stratum."""

    pictures: int = 0
    hit: int = 0
    missed: int = 0
    made_up: int = 0
    perfect: int = 0
    right: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))
    honest: list[tuple[float, bool]] = field(default_factory=list)

    def figures(self) -> dict[str, float]:
        out = {
            "pictures": self.pictures,
            "precision": share(self.hit, self.hit + self.made_up),
            "recall": share(self.hit, self.hit + self.missed),
            "perfect": share(self.perfect, self.pictures),
            "ece": calibration_error(self.honest),
        }
        return out | {name: share(sum(oks), len(oks)) for name, oks in sorted(self.right.items())}


def share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")


def calibration_error(honest: list[tuple[float, bool]]) -> float:
    """Expected calibration error: how far, on average, the claimed chance is from what happened."""
    if not honest:
        return float("nan")
    return float(sum(len(row) * abs(claimed - real) for claimed, real, row in reliability(honest)) / len(honest))


def reliability(honest: list[tuple[float, bool]]) -> list[tuple[float, float, list[tuple[float, bool]]]]:
    """(mean claimed chance, share that was right, the rows) of every bin that is not empty."""
    rows: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for claimed, real in honest:
        rows[min(BINS - 1, int(claimed * BINS))].append((claimed, real))
    return [
        (float(np.mean([c for c, _ in row])), float(np.mean([r for _, r in row])), row)
        for _, row in sorted(rows.items())
    ]


def judge(truth: list[Labelled], look: FrameResult, tally: Tally) -> None:
    matched = match(truth, look.pieces)
    tally.pictures += 1
    tally.hit += len(matched.pairs)
    tally.missed += len(matched.missed)
    tally.made_up += len(matched.made_up)
    verdicts = [judge_piece(truth[i], look.pieces[j], tally) for i, j in matched.pairs]
    tally.honest += [(look.pieces[j].confidence, False) for j in matched.made_up]
    tally.perfect += all(verdicts) and not matched.missed and not matched.made_up


def judge_piece(true: Labelled, seen: DetectedPiece, tally: Tally) -> bool:
    asked: dict[str, tuple[str | None, str | None] | None] = {
        "face": (true.face, seen.face) if true.kind in ("tile", "coin") else None
    }
    asked |= {
        "suit": (true.suit, seen.suit) if true.suit else None,
        "value": (true.value, seen.value) if true.value else None,
    }
    oks = []
    for field_name, pair in asked.items():
        if pair is not None:
            oks.append(pair[0] == pair[1])
            tally.right[f"{true.kind} {field_name}"].append(oks[-1])
    if oks:
        tally.right["identity"].append(all(oks))
        tally.right[f"{true.kind} identity"].append(all(oks))
    if true.kind == "pyramid":
        tally.right["pyramid size"].append(true.size == seen.size)
        tally.right["pyramid pose"].append(true.pose == seen.pose)
    tally.honest.append((seen.confidence, all(oks)))
    return all(oks)


def strata(record: dict[str, Any], folder: str) -> list[str]:
    """The groups that a picture counts in."""
    tilt = record.get("tilt_deg")
    out = ["all", f"folder {folder}"]
    if tilt is not None:
        out.append(f"tilt {15 * int(tilt // 15):02d}-{15 * int(tilt // 15) + 15:02d}")
    out += [f"{key} {record[key]}" for key in ("scene_kind", "lighting") if isinstance(record.get(key), str)]
    return out


def evaluate(folders: list[Path], out: Path | None = None, weights: Path | None = None) -> dict[str, dict[str, float]]:
    """Looks at every picture; `out` gets the predictions as JSON lines, as `companion look --json` prints them."""
    eyes, lines = TableReader(weights=weights), []
    tallies: dict[str, Tally] = defaultdict(Tally)
    for folder in folders:
        for path in sorted(folder.glob("*.json")):
            look = eyes.look(read_frame(path.with_suffix(".jpg")))
            for stratum in strata(json.loads(path.read_text()), folder.name):
                judge(read_truth(path), look, tallies[stratum])
            lines.append(json.dumps(scored(look)))
    if out is not None:
        out.write_text("".join(line + "\n" for line in lines))
    return {stratum: tally.figures() for stratum, tally in sorted(tallies.items())}


def scored(look: FrameResult) -> dict[str, Any]:
    """The report, with the picture-plane angle also under the name that the evaluation's scorer reads."""
    record = report(look)
    for piece in record["pieces"]:
        piece["angle_img_deg"] = piece["angle_deg"]
    return record


def table(figures: dict[str, dict[str, float]]) -> str:
    """As text, one stratum a line."""
    names = ("pictures", "precision", "recall", "identity", "tile identity", "coin identity", "perfect", "ece")
    lines = [f"{'stratum':28}" + "".join(f"{name:>14}" for name in names)]
    for stratum, row in figures.items():
        lines.append(f"{stratum:28}" + "".join(f"{row.get(name, float('nan')):14.4g}" for name in names))
    return "\n".join(lines)

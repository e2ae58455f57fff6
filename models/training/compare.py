"""The same scenes, drawn in several ways: how well are they seen, kind by kind?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from models.training.evaluate import Tally, judge
from models.training.truth import read_truth
from vision.frame import read_frame
from vision.table_reader import FrameResult, TableReader

KINDS = ("tile", "coin", "die", "pawn", "pyramid", "card")
ALL = "all"
Tallies = dict[str, dict[str, Tally]]


def compare(folders: list[Path], weights: Path | None = None) -> Tallies:
    """Counts by kind for each folder, of the pictures whose names all of them have."""
    names = set.intersection(*({path.stem for path in folder.glob("*.json")} for folder in folders))
    eyes, tallies = (
        TableReader(weights=weights),
        {kind: {str(folder): Tally() for folder in folders} for kind in (ALL, *KINDS)},
    )
    for folder in folders:
        for name in sorted(names):
            look = eyes.look(read_frame(folder / f"{name}.jpg"))
            count(folder / f"{name}.json", look, {kind: row[str(folder)] for kind, row in tallies.items()})
    return tallies


def count(path: Path, look: FrameResult, tallies: dict[str, Tally]) -> None:
    truth = read_truth(path)
    for kind, tally in tallies.items():
        asked = [piece for piece in truth if kind in (ALL, piece.kind)]
        judge(asked, replace(look, pieces=[piece for piece in look.pieces if kind in (ALL, piece.kind)]), tally)


def table(tallies: Tallies) -> str:
    """As Markdown: asked, precision, recall and identity for each folder."""
    folders = list(tallies[ALL])
    heads = [f"{Path(folder).name}: {name}" for folder in folders for name in ("precision", "recall", "identity")]
    lines = ["| kind | asked | " + " | ".join(heads) + " |", "|---" * (2 + len(heads)) + "|"]
    for kind, row in tallies.items():
        figures = [row[folder].figures() for folder in folders]
        cells = [
            f"{figure.get(name, float('nan')):.3f}"
            for figure in figures
            for name in ("precision", "recall", "identity")
        ]
        asked = " / ".join(str(row[folder].hit + row[folder].missed) for folder in folders)
        lines.append(f"| {kind} | {asked} | " + " | ".join(cells) + " |")
    return "\n".join(lines)

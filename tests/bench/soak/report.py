"""What a soak found, on one page with plots, and as JSON beside it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from html import escape
from itertools import pairwise
from pathlib import Path

from tests.bench.soak.served import Sample

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1c2326; }
svg { width: 100%; height: 9rem; background: #f6f7f7; } polyline { fill: none; stroke: #24617a; stroke-width: 1.5; }
table { border-collapse: collapse; } td, th { text-align: left; padding: .1rem 1.2rem .1rem 0; }
.bad { color: #a11; } figcaption { font-size: .9em; color: #555; }
"""
_WIDE, _HIGH = 1000.0, 100.0


@dataclass
class Report:
    minutes: float
    game: str
    source: str
    phones: int
    figures: dict[str, float] = field(default_factory=dict)
    chaos: dict[str, int] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    delays_ms: list[float] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        return not self.problems

    def write(self, folder: Path) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "soak.json").write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")
        page = folder / "soak.html"
        page.write_text(self._page(), encoding="utf-8")
        return page

    def _page(self) -> str:
        verdict = "everything held" if self.holds else f"{len(self.problems)} things did not hold"
        problems = "".join(f"<li class='bad'>{escape(text)}</li>" for text in self.problems[:200])
        left_out = "".join(f"<li>left out: {escape(text)}</li>" for text in self.left_out)
        times = [sample.at for sample in self.samples]
        plots = (
            _plot("Resident memory, MB", times, [s.memory_mb for s in self.samples])
            + _plot("File handles", times, [float(s.handles) for s in self.samples])
            + _plot("Processor, share of one core", times[1:], _shares(self.samples))
            + _plot("Event to phone, ms, in the order they came", range(len(self.delays_ms)), self.delays_ms)
        )
        return (
            f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Soak</title><style>{_STYLE}</style>'
            f"<h1>{self.minutes:g} minutes of {escape(self.game)} ({escape(self.source)}), {self.phones} phones: "
            f"{verdict}</h1><ul>{problems}{left_out}</ul>"
            f"{_table(self.figures)}<h2>What went wrong on purpose</h2>{_table(self.chaos)}{plots}</html>"
        )


def _table(rows: dict[str, float] | dict[str, int]) -> str:
    return (
        "<table>"
        + "".join(f"<tr><th>{escape(k)}</th><td>{escape(str(v))}</td></tr>" for k, v in rows.items())
        + ("</table>")
    )


def _shares(samples: list[Sample]) -> list[float]:
    """Processor time between one sample and the next; nothing is known across a restart."""
    pairs = pairwise(samples)
    return [
        max(0.0, later.cpu_s - before.cpu_s) / max(later.at - before.at, 1e-6) if later.life == before.life else 0.0
        for before, later in pairs
    ]


def _plot(title: str, along: list[float] | range, values: list[float]) -> str:
    if len(values) < 2:
        return ""
    low, high = min(along), max(along)
    top = max(*values, 1e-9)
    points = " ".join(
        f"{_WIDE * (x - low) / max(high - low, 1e-9):.1f},{_HIGH * (1 - value / top):.1f}"
        for x, value in zip(along, values, strict=True)
    )
    middle = sorted(values)[len(values) // 2]
    return (
        f"<figure><svg viewBox='0 0 {_WIDE:g} {_HIGH:g}' preserveAspectRatio='none' role='img' aria-label='{title}'>"
        f"<polyline points='{points}' vector-effect='non-scaling-stroke'/></svg>"
        f"<figcaption>{title}: {min(values):.4g} to {top:.4g}, in the middle {middle:.4g}</figcaption></figure>"
    )

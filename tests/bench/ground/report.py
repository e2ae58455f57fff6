"""The report of one version on the ground, and of two versions side by side.

The unit of every interval is a whole recorded game with its twins: moments of one game stand or fall together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tests.bench.ground.judge import Act, JudgedRecording, JudgedStep, Result

RESAMPLES = 2000
SHARE = 95.0
"""Per cent of the resampled differences that an interval holds."""
Stratum = Callable[[JudgedRecording], str]


def legal(step: JudgedStep) -> bool:
    return step.result in set(Result)


@dataclass(frozen=True, slots=True)
class Figure:
    """A share over steps: what counts, of what."""

    name: str
    counts: Callable[[JudgedStep], bool]
    of: Callable[[JudgedStep], bool]
    better: int
    """1: the more the better; -1: the less."""


def _is(*results: Result | Act) -> Callable[[JudgedStep], bool]:
    wanted = {one.value for one in results}
    return lambda step: step.result in wanted


FIGURES = (
    Figure("right", _is(Result.RIGHT, Result.OPEN), legal, 1),
    Figure("asked", _is(Result.ASKED), legal, -1),
    Figure("look", _is(Result.LOOK), legal, -1),
    Figure("silent", _is(Result.SILENT), legal, -1),
    Figure("wrong", _is(Result.WRONG), legal, -1),
    Figure("drift", _is(Result.DRIFT), legal, -1),
    Figure("accused", _is(Result.ACCUSED), legal, -1),
    Figure("flagged", _is(Act.CLAUSE, Act.FLAGGED), lambda step: not legal(step), 1),
    Figure("clause", _is(Act.CLAUSE), lambda step: step.nameable, 1),
)


def _source(one: JudgedRecording) -> str:
    return f"{one.source} {one.width}" if one.source == "film" else one.source


STRATA: dict[str, Stratum] = {
    "source": lambda one: f"{_source(one)}, {'people help' if one.helping else 'nobody helps'}",
    "twins": lambda one: f"{_source(one)}, {'twins' if one.twin else 'as taken'}",
    "game": lambda one: one.game,
    "set": lambda one: f"{one.source}: set {one.style}",
}


def table(judged: Sequence[JudgedRecording]) -> Iterator[str]:
    """Markdown: a row for each stratum."""
    yield "| stratum | games | moments | " + " | ".join(figure.name for figure in FIGURES) + " |"
    yield "|---|" + "--:|" * (len(FIGURES) + 2)
    for name, stratum in {"all": lambda _: "all", **STRATA}.items():
        for label, part in _parts(judged, stratum).items():
            steps = [step for one in part for step in one.steps]
            cells = (_cell(figure, steps) for figure in FIGURES)
            moments = sum(legal(step) for step in steps)
            yield (
                f"| {name if name == label else f'{name}: {label}'} | {len({o.name for o in part})} | {moments} | "
                + " | ".join(cells)
                + " |"
            )


def _cell(figure: Figure, steps: Iterable[JudgedStep]) -> str:
    told = [figure.counts(step) for step in steps if figure.of(step)]
    if not told:
        return "-"
    return f"{sum(told)} ({100 * sum(told) / len(told):.1f} %)" if any(told) else "0"


def _parts(judged: Iterable[JudgedRecording], stratum: Stratum) -> dict[str, list[JudgedRecording]]:
    found: dict[str, list[JudgedRecording]] = {}
    for one in judged:
        found.setdefault(stratum(one), []).append(one)
    return dict(sorted(found.items()))


# Twins ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Wavering:
    """Steps of twins beside the same step of the original: how many, how many have another result or another action,
    how many of these went from right to wrong or accused."""

    steps: int
    differ: int
    harmed: int
    where: tuple[str, ...]


def wavering(judged: Sequence[JudgedRecording]) -> Wavering:
    """What changes with the pixels alone. A film's twin is made of its last looks, so it is held against its results
    and not its words."""
    originals = {(one.name, one.helping): one for one in judged if not one.twin}
    steps = differ = harmed = 0
    where = []
    for one in judged:
        original = originals.get((one.name, one.helping))
        if not one.twin or original is None:
            continue
        told = {step.number: step for step in original.steps}
        for step in one.steps:
            before = told.get(step.number)
            if before is None:
                continue
            steps += 1
            changed = before.result != step.result
            harm = before.result == Result.RIGHT and step.result in (Result.WRONG, Result.ACCUSED)
            differ, harmed = differ + changed, harmed + harm
            if changed:
                where.append(
                    f"{one.id} {'helped ' if one.helping else ''}{step.number}: {before.result} -> {step.result}"
                )
    return Wavering(steps, differ, harmed, tuple(where))


def wavering_line(judged: Sequence[JudgedRecording]) -> str:
    found = wavering(judged)
    share = 100 * found.differ / max(1, found.steps)
    return (
        f"moments whose verdict changes with the pixels: {found.differ} of {found.steps} ({share:.1f} %), "
        f"{found.harmed} of them from right to wrong or accused"
    )


# Two versions --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Difference:
    """A figure of two versions on the same recordings: both shares, and the interval of their difference."""

    stratum: str
    figure: Figure
    before: float
    after: float
    low: float
    high: float
    count: int

    @property
    def verdict(self) -> str:
        """Whether it is beyond chance, and which way."""
        if self.low <= 0 <= self.high:
            return ""
        return "better" if (self.low > 0) == (self.figure.better > 0) else "WORSE"


def compared(before: Sequence[JudgedRecording], after: Sequence[JudgedRecording]) -> Iterator[Difference]:
    """Stratum by stratum, over what both have judged."""
    pairs = _paired(before, after)
    for name, stratum in {"all": lambda _: "all", **STRATA}.items():
        parts: dict[str, list[tuple[JudgedRecording, JudgedRecording]]] = {}
        for old, new in pairs:
            parts.setdefault(stratum(old), []).append((old, new))
        for label, part in sorted(parts.items()):
            for figure in FIGURES:
                found = _difference(label if name == label else f"{name}: {label}", figure, part)
                if found is not None:
                    yield found


def _paired(
    before: Iterable[JudgedRecording], after: Iterable[JudgedRecording]
) -> list[tuple[JudgedRecording, JudgedRecording]]:
    known = {(one.id, one.helping): one for one in before}
    return [(known[one.id, one.helping], one) for one in after if (one.id, one.helping) in known]


def _difference(
    label: str, figure: Figure, pairs: Sequence[tuple[JudgedRecording, JudgedRecording]]
) -> Difference | None:
    """By games: (counted before, counted after, of how many before, after), resampled whole."""
    sums: dict[str, np.ndarray] = {}
    for old, new in pairs:
        row = sums.setdefault(old.name, np.zeros(4))
        row += [*_counted(figure, old), *_counted(figure, new)]
    rows = np.array(list(sums.values()))[:, [0, 2, 1, 3]]
    if not rows.size or not rows[:, 2].sum() or not rows[:, 3].sum():
        return None
    rng = np.random.default_rng(0)
    drawn = rng.multinomial(len(rows), np.full(len(rows), 1 / len(rows)), RESAMPLES) @ rows
    shares = drawn[:, :2] / np.maximum(drawn[:, 2:], 1)
    low, high = np.percentile(shares[:, 1] - shares[:, 0], [(100 - SHARE) / 2, (100 + SHARE) / 2])
    total = rows.sum(axis=0)
    return Difference(label, figure, total[0] / total[2], total[1] / total[3], float(low), float(high), int(total[3]))


def _counted(figure: Figure, one: JudgedRecording) -> tuple[float, float]:
    told = [figure.counts(step) for step in one.steps if figure.of(step)]
    return float(sum(told)), float(len(told))


def paired_table(before: Sequence[JudgedRecording], after: Sequence[JudgedRecording]) -> Iterator[str]:
    """Markdown: only figures that differ, with their interval; the first rows are over everything."""
    yield "| stratum | figure | before | after | difference, 95 % | beyond chance |"
    yield "|---|---|--:|--:|---|---|"
    for one in compared(before, after):
        if one.before == one.after and one.stratum != "all":
            continue
        gap = 100 * (one.after - one.before)
        span = f"{gap:+.1f} ({100 * one.low:+.1f} to {100 * one.high:+.1f})"
        shares = f"{100 * one.before:.1f} % | {100 * one.after:.1f} %"
        yield f"| {one.stratum} | {one.figure.name} | {shares} | {span} | {one.verdict} |"


def changes(before: Sequence[JudgedRecording], after: Sequence[JudgedRecording]) -> Iterator[str]:
    """Step by step what came out otherwise."""
    for old, new in _paired(before, after):
        then = {step.number: step for step in old.steps}
        for step in new.steps:
            was = then.get(step.number)
            if was is not None and was.result != step.result:
                note = step.note or was.note
                yield f"{new.id} ({mode_of(new)}) {step.number}: {was.result} -> {step.result}: {note}"


def mode_of(one: JudgedRecording) -> str:
    return "helped" if one.helping else "alone"


def tally(judged: Iterable[JudgedRecording]) -> Counter[str]:
    return Counter(step.result for one in judged for step in one.steps)

"""`python -m tests.bench record` and `judge`: the ground on which versions of the referee are compared."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import cv2
import typer

from tests.bench.ground.judge import JudgedRecording, judge_all
from tests.bench.ground.plan import Ground
from tests.bench.ground.plan import record as make
from tests.bench.ground.recording import saved
from tests.bench.ground.report import changes, mode_of, paired_table, table, tally, wavering, wavering_line
from vision.table_reader import TableReader

GROUND = Path("runs/ground")
SAMPLE = Path(__file__).parent / "sample"
"""A small part of the ground that is kept with the tests."""

Out = Annotated[Path, typer.Argument(help="the folder of the recordings")]


def record(
    out: Out = GROUND,
    foreign: Annotated[list[Path] | None, typer.Option(help="a folder of games in stills with script.json")] = None,
    film: Annotated[int, typer.Option(help="seeds a game of film at 1280 x 720")] = 3,
    wide: Annotated[int, typer.Option(help="seeds a game of film at 1920 x 1080")] = 1,
    stills: Annotated[int, typer.Option(help="seeds a game of stills of random sets")] = 2,
    twins: Annotated[int, typer.Option(help="perturbed twins of each recording of stills")] = 2,
    film_twins: Annotated[int, typer.Option(help="perturbed twins of each film at 1280 x 720")] = 1,
    turns: Annotated[int, typer.Option(help="legal turns a recording")] = 8,
    illegal: Annotated[int, typer.Option(help="illegal acts a recording")] = 1,
    games: Annotated[str, typer.Option(help="only these, with commas between")] = "",
    threads: Annotated[int, typer.Option(help="processor threads")] = 1,
) -> None:
    """Record what a referee meets; what is there already is left. It can be stopped at any time and goes on."""
    cv2.setNumThreads(threads)
    named = tuple(name for name in games.split(",") if name)
    ground = Ground(out, film, wide, stills, twins, film_twins, turns, illegal, tuple(foreign or ()), named)
    make(ground, TableReader(threads), lambda line: print(line, flush=True))


def judge(
    out: Out = GROUND,
    against: Annotated[str, typer.Option(help="figures that --save has written, or a git revision")] = "",
    save: Annotated[Path | None, typer.Option(help="write every step's result there, as JSON")] = None,
    half: Annotated[str, typer.Option(help="first (to fit on), second (to report), or both")] = "both",
    only: Annotated[str, typer.Option(help="only recordings whose name has this in it")] = "",
    helping: Annotated[str, typer.Option(help="yes: people put right what was not understood; no; or both")] = "both",
    cores: Annotated[int, typer.Option(help="processes")] = 2,
    notes: Annotated[bool, typer.Option(help="name every step that is not right")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="--notes, with what the last look compared")] = False,
) -> None:
    """Judge every recording with the referee of this checkout, and print the report; --against: the paired one."""
    modes = {"yes": (True,), "no": (False,), "both": (False, True)}[helping]
    paths = [path for path in saved(out) if only in path.name]
    if not paths:
        which = f" with {only} in its name" if only else ""
        print(f"{out} holds no recording{which}; make some with `record`", file=sys.stderr)
        raise typer.Exit(2)
    found = []
    for number, one in enumerate(judge_all(paths, modes, cores, explain)):
        found.append(one)
        if (number + 1) % (10 * len(modes)) == 0:
            print(f"{(number + 1) // len(modes)} of {len(paths)}: {dict(tally(found))}", file=sys.stderr, flush=True)
    if save is not None:
        save.write_text(json.dumps({"version": version(), "judged": [one.to_json() for one in found]}))
    kept = _half_of(found, half)
    print("\n".join(table(kept)))
    print(seconds_line(kept))
    print(wavering_line(kept))
    if notes or explain:
        noted = ((f"{one.id} ({mode_of(one)})", step) for one in kept for step in one.steps if step.note)
        print("\n".join(f"{name} {step.number}: {step.result}: {step.note}" for name, step in noted))
        print("\n".join(wavering(kept).where))
    if against:
        before = _half_of(figures(against, out, only, helping, cores), half)
        print(f"\nagainst {against}:")
        print("\n".join(paired_table(before, kept)))
        print(f"before: {wavering_line(before)}")
        print("\n".join(changes(before, kept)))


def _half_of(judged: list[JudgedRecording], half: str) -> list[JudgedRecording]:
    return [one for one in judged if half == "both" or one.held_out == (half == "second")]


def figures(against: str, out: Path, only: str, helping: str, cores: int) -> list[JudgedRecording]:
    """Results that were kept in a file, or what another revision of this repository makes of the same recordings."""
    if Path(against).is_file():
        return read(Path(against))
    with TemporaryDirectory() as folder:
        there, results = Path(folder) / "revision", Path(folder) / "results.json"
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", str(there), against], check=True)
        try:
            asked = [
                str(out.resolve()),
                f"--save={results}",
                f"--only={only}",
                f"--helping={helping}",
                f"--cores={cores}",
            ]
            command, env = (
                [sys.executable, "-m", "tests.bench", "judge", *asked],
                {**os.environ, "PYTHONPATH": str(there)},
            )
            subprocess.run(command, cwd=there, check=True, stdout=subprocess.DEVNULL, env=env)
            return read(results)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(there)], check=True)


def read(path: Path) -> list[JudgedRecording]:
    told: dict[str, Any] = json.loads(path.read_text())
    return [JudgedRecording.from_json(one) for one in told["judged"]]


def version() -> str:
    """The revision of this checkout."""
    asked = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False)
    return asked.stdout.strip() or "unknown"


def seconds_line(judged: list[JudgedRecording]) -> str:
    seconds = sorted(second for one in judged for second in one.seconds)
    if not seconds:
        return "no look was judged"
    half, most = seconds[len(seconds) // 2], seconds[int(0.95 * len(seconds))]
    return f"processor time of {len(seconds)} verdicts: p50 {half:.2f} s, p95 {most:.2f} s, most {seconds[-1]:.2f} s"

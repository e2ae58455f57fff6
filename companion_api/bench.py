"""Measures this machine: seeing, judging, playing and filming."""

from __future__ import annotations

import os
import platform
import random
import statistics
import time
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

from companion_api.simulated.script import PeopleAtTable, Script
from companion_api.simulated.synthetic import Noise, observe
from models.render.camera import Viewpoint
from models.render.layout_scene import render_layout
from models.render.simulated import FilmSettings, SimulatedTable
from rules.engine.contract import AnyGame
from rules.engine.history import History
from rules.engine.playout import play_out, walk
from rules.engine.turn import TurnKind
from rules.games import game
from rules.referee.referee import Referee
from rules.referee.register import Registration
from rules.table.evidence import TableEvidence
from rules.table.layout import Layout
from vision.frame import Frame
from vision.stillness import Stillness
from vision.table_reader import TableReader

SIZES = ((1280, 720), (1920, 1080))
PLAYING_S = 0.5
MAX_LOOKS = 25
"""Looks of a referee in one game."""
LOOKS = 5
"""Looks of the reader at one picture."""
QUIET_FRAMES = 30
FILM_FRAMES = 60


def machine() -> dict[str, Any]:
    return {
        "system": platform.system(),
        "python": platform.python_version(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 2),
        "onnxruntime": version("onnxruntime"),
    }


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor())


def spread(values: Iterable[float]) -> dict[str, float]:
    found = sorted(values)
    return {"p50": round(statistics.median(found), 2), "p95": round(found[int(len(found) * 0.95)], 2)}


def measure_reader(reader: TableReader) -> Iterator[tuple[str, dict[str, Any]]]:
    """Times of a look at a 25-tile layout by stage and picture size, and of a quiet frame."""
    layout = game("dodgem").layout(game("dodgem").start())
    for width, height in SIZES:
        frame = Frame(render_layout(layout, "classic", 1, Viewpoint(width, height)).image)
        timings = [reader.look(frame).timings_ms for _ in range(LOOKS)]
        stages = {stage: round(statistics.median(t[stage] for t in timings), 2) for stage in timings[0]}
        yield f"{width}x{height}", {"stages_ms": stages, "quiet_frame_ms": _quiet(frame)}


def _quiet(frame: Frame) -> float:
    still = Stillness()
    still.feed(frame)
    start = time.perf_counter()
    for _ in range(QUIET_FRAMES):
        still.feed(frame)
    return round(1e3 * (time.perf_counter() - start) / QUIET_FRAMES, 2)


def measure_playing(rules: AnyGame) -> dict[str, Any]:
    """Plies per second in random games, over half a second."""
    start, plies, seed = time.perf_counter(), 0, 0
    while time.perf_counter() - start < PLAYING_S:
        plies += play_out(rules, seed, limit=200).plies
        seed += 1
    return {"plies_per_s": round(plies / (time.perf_counter() - start))}


def measure_referee(rules: AnyGame) -> dict[str, Any]:
    """Times of a look after a legal action, with every piece well observed."""
    times = []
    for count, (state, action) in enumerate(islice(walk(rules, 1), MAX_LOOKS)):
        if rules.turn(state).kind is not TurnKind.SEAT:
            continue
        referee = Referee(rules, History(rules, state))
        referee.look(_observed(rules.layout(state), 1))
        after = _observed(rules.layout(rules.advance(state, action)), 1 + count)
        start = time.perf_counter()
        referee.look(after)
        times.append(1e3 * (time.perf_counter() - start))
    return {"look_ms": spread(times)} if times else {}


def _observed(layout: Layout, seed: int) -> TableEvidence:
    return TableEvidence(observe(layout, Registration(0, 0, 0), random.Random(seed), Noise(jitter=0.03, doubt=0.0)))


def measure_filming(rules: AnyGame) -> dict[str, Any]:
    """Processor time per frame of the simulated camera, at 1280x720."""
    script = Script(rules, rules.start(), 1, PeopleAtTable())
    shots = SimulatedTable(script.acts(), FilmSettings(seed=1)).shots()
    next(shots)  # without rendering the first layout
    start = time.process_time()
    count = sum(1 for _ in islice(shots, FILM_FRAMES))
    mean = (time.process_time() - start) / max(count, 1)
    return {"frame_processor_ms": round(1e3 * mean, 1), "frames_per_core_s": round(1 / mean, 1)}


def measure_games(names: Iterable[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name in names:
        yield name, measure_playing(game(name)) | measure_referee(game(name)) | {"filming": measure_filming(game(name))}

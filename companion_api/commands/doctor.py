"""`companion doctor`: checks of this machine with remedies."""

from __future__ import annotations

import json
import os
import platform
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion_api.commands.console import game_named, print_json, progress, settings_of
from companion_api.commands.games import Json

if TYPE_CHECKING:
    from companion_api.settings import Settings

MIN_FREE_BYTES = 500_000_000
MARKS = {"good": "ok ", "poor": " ? ", "bad": " ! "}


@dataclass(frozen=True, slots=True)
class CheckResult:
    """`state`: good, poor (works with less) or bad; `remedy` is empty where nothing need be done."""

    what: str
    state: str
    words: str
    remedy: str = ""


def doctor(
    data: Annotated[Path | None, typer.Option("--data", help="folder for the log, pictures and profiles")] = None,
    database: Annotated[str | None, typer.Option("--database", help="sqlite:///FILE or postgresql://...")] = None,
    port: Annotated[int | None, typer.Option("--port", min=0, max=65535)] = None,
    profile: Annotated[Path | None, typer.Option("--profile", help="default: in the data folder")] = None,
    as_json: Json = False,
) -> int:
    """Camera, models, port, disk, data folder, database, profile: what works and what to do."""
    settings = settings_of(data=data, database=database, port=port)
    findings = [
        *check_models(),
        check_reader(),
        check_camera(),
        check_port(settings.host, settings.port),
        *check_data(settings.data),
        check_database(settings),
        check_profile(profile or settings.data / "profile.json"),
    ]
    fit = not any(found.state == "bad" for found in findings)
    if as_json:
        system = {"system": platform.platform(), "python": platform.python_version(), "cores": os.cpu_count()}
        print_json({"fit": fit, "machine": system, "findings": [asdict(found) for found in findings]})
    else:
        for found in findings:
            print(f"{MARKS[found.state]} {found.what}: {found.words}" + (f"; {found.remedy}" if found.remedy else ""))
    return 0 if fit else 1


def check_models() -> Iterator[CheckResult]:
    """Every model file against its checksum."""
    from vision.nets import ModelError, checked_bytes, models

    try:
        known = models()
    except ModelError as error:
        yield CheckResult("models", "bad", str(error), "install the package again; games can be entered by hand")
        return
    for name, model in known.items():
        try:
            size = len(checked_bytes(model))
        except ModelError as error:
            yield CheckResult(f"model {name}", "bad", str(error), "install the package again")
        else:
            yield CheckResult(f"model {name}", "good", f"{size / 1e6:.1f} MB, sha256 {model.sha256}")


def check_reader() -> CheckResult:
    """The time of one look at an empty picture."""
    import time

    import numpy as np

    from vision.frame import Frame
    from vision.nets import ModelError
    from vision.table_reader import TableReader

    try:
        reader = TableReader()
    except (ModelError, OSError, RuntimeError) as error:
        return CheckResult("eyes", "bad", f"cannot be opened ({error})", "install the package again")
    start = time.perf_counter()
    reader.look(Frame(np.full((720, 1280, 3), 90, np.uint8)))
    elapsed_ms = 1e3 * (time.perf_counter() - start)
    slow = elapsed_ms > 400
    remedy = "close other programs, or use a smaller picture" if slow else ""
    return CheckResult("eyes", "poor" if slow else "good", f"an empty picture takes {elapsed_ms:.0f} ms", remedy)


def check_camera() -> CheckResult:
    from vision.camera import first_working

    camera = first_working()
    if camera is None:
        words = "none found: plug one in, use a phone (companion serve --camera phone), or try companion demo"
        return CheckResult("camera", "poor", "no webcam gives a picture", words)
    try:
        frame = next((frame for frame in (camera.read() for _ in range(10)) if frame is not None), None)
    finally:
        camera.close()
    if frame is None:
        return CheckResult("camera", "bad", f"{camera.name} gives no picture", "close other programs that use it")
    width, height = frame.size
    small = min(width, height) < 700
    remedy = "choose a higher resolution: pieces get too small" if small else ""
    return CheckResult("camera", "poor" if small else "good", f"{camera.name}: {width} x {height}", remedy)


def check_port(host: str, port: int) -> CheckResult:
    from companion_api.commands.listening import address_problem, bound

    try:
        bound(host, port).close()
    except OSError as error:
        remedy = "is the server running already? else choose another with --port"
        return CheckResult("port", "bad", address_problem(error, host, port), remedy)
    return CheckResult("port", "good", f"{host}:{port} is free")


def check_data(folder: Path) -> Iterator[CheckResult]:
    """Whether the data folder is writable and has room."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder):
            pass
        free = shutil.disk_usage(folder).free
    except OSError as error:
        words = f"{folder} cannot be written ({error.strerror})"
        yield CheckResult("data folder", "bad", words, "choose another with --data or COMPANION_DATA")
        return
    low = free < MIN_FREE_BYTES
    remedy = "make room, or choose another folder with --data" if low else ""
    yield CheckResult("data folder", "good", str(folder))
    yield CheckResult("disk", "poor" if low else "good", f"{free / 1e9:.1f} GB free", remedy)


def check_database(settings: Settings) -> CheckResult:
    from companion_api.log.databases import open_log
    from companion_api.log.store import LogError

    name = (settings.database or "sqlite, in the data folder").split("@")[-1]  # no password on a screen
    try:
        open_log(settings.database, settings.data).close()
    except (LogError, OSError) as error:
        return CheckResult("database", "bad", f"{name}: {error}", "check --database, or leave it out for SQLite")
    return CheckResult("database", "good", name)


def check_profile(path: Path) -> CheckResult:
    from calibration.profile import load
    from calibration.profile_store import ProfileError

    try:
        if not path.exists():
            better = "not needed, but better: companion calibrate"
            return CheckResult("profile", "poor", "this table is not calibrated", better)
        known = load(path)
    except (ProfileError, OSError) as error:
        return CheckResult("profile", "bad", str(error))
    error_mm = f"places to {known.plane.accuracy.typical:.1f} mm" if known.plane else "no table yet"
    return CheckResult("profile", "good", f"{path}: {error_mm}, set: {known.using or 'none taught'}")


def bench(
    games: Annotated[str, typer.Option("--games", help="names with commas between; all if left out")] = "",
    as_json: Json = False,
) -> None:
    """Measure this machine: a look stage by stage, a verdict, plies a second, frames of the simulated camera."""
    from companion_api.bench import SIZES, machine, measure_games, measure_reader
    from rules.games import available
    from vision.table_reader import TableReader

    names = [game_named(name).card.id for name in games.split(",") if name] or available()
    figures: dict[str, Any] = {"machine": machine()}
    figures["seeing"] = dict(progress(measure_reader(TableReader()), len(SIZES), "seeing"))
    figures["games"] = dict(progress(measure_games(names), len(names), "games"))
    if as_json:
        print_json(figures)
    else:
        print(json.dumps(figures, indent=2))

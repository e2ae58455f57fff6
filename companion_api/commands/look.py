"""`companion look` and `companion render`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer

from companion_api.commands.console import UsageError, as_usage, complain, game_named, print_json, progress, trouble
from companion_api.commands.games import Json
from rules.engine.playout import walk
from rules.games import available
from rules.table.layout import Layout

PLIES = (0, 3, 8, 15, 30, 60)
"""Game lengths in plies for rendered training positions."""
ALL = "all"
"""Instead of a game: all games."""
CELL, COLUMNS = (480, 270), 3
"""Size of a game's picture on the sheet of all games in pixels, and pictures per row."""


def look(
    images: Annotated[list[str], typer.Argument(metavar="IMAGE...", help="JPEG, PNG, WebP or BMP files")],
    as_json: Json = False,
    profile: Annotated[Path | None, typer.Option("--profile", help="a calibrated table")] = None,
    overlay: Annotated[Path | None, typer.Option("--overlay", help="folder for pictures with what was seen")] = None,
    timings: Annotated[bool, typer.Option("--timings", help="milliseconds of each stage")] = False,
) -> int:
    """What lies on the table: every piece with suit, value, place and confidence."""
    from vision.look import PictureError, look_at

    known, code = known_table(profile), 0
    if overlay is not None and overlay.exists() and not overlay.is_dir():
        raise UsageError(f"{overlay}: is a file; name a folder for the pictures")
    for image in images:
        try:
            seen = look_at(image, priors=known, timings=timings, overlay_dir=overlay)
        except PictureError as error:
            code = complain(str(error))
            continue
        print_json(seen) if as_json else _print(seen)
    return code


def known_table(profile: Path | None) -> Any:
    """The priors of a calibrated table from its profile file."""
    from calibration.profile import load
    from calibration.profile_store import ProfileError
    from calibration.runtime import CalibrationKeeper

    with as_usage(ProfileError):
        return CalibrationKeeper(load(profile)) if profile is not None else None


def render(
    paths: Annotated[list[str], typer.Argument(metavar="[SCENE.json] OUT.jpg", help="a scene file and the picture")],
    truth: Annotated[Path | None, typer.Option("--truth", help="where the truth goes, as JSON")] = None,
    style: Annotated[str | None, typer.Option("--style", help="a named set on a named table, or `random`")] = None,
    seed: Annotated[int, typer.Option("--seed", min=0)] = 0,
    game: Annotated[
        str | None, typer.Option("--game", help="draw a random position of this game, or of `all` on one sheet")
    ] = None,
    plies: Annotated[int, typer.Option("--plies", min=0, max=5000, help="how far the game has gone")] = 12,
    positions: Annotated[
        int, typer.Option("--positions", min=0, help="draw this many pictures of any sets into a folder, to learn from")
    ] = 0,
) -> None:
    """Draw a picture of a table, with its truth."""
    from models.render.scene_file import SceneError, render_scene_file

    if len(paths) != (1 if game or positions else 2):
        raise UsageError("give SCENE.json OUT.jpg, --game GAME OUT.jpg, or --positions COUNT FOLDER")
    try:
        if positions:
            render_positions(Path(paths[0]), [game] if game else available(), seed, positions)
        elif game == ALL:
            _render_sheet(paths[0], seed, plies)
        elif game:
            _render_game(game, paths[0], truth, style, seed, plies)
        else:
            render_scene_file(paths[0], paths[1], truth, style, seed)
    except SceneError as error:
        raise UsageError(str(error)) from None
    except OSError as error:
        raise UsageError(trouble(error)) from None


def _render_game(name: str, out: str, truth: Path | None, style: str | None, seed: int, plies: int) -> None:
    from models.render.layout_scene import render_layout
    from models.render.scene_file import write_picture
    from models.render.styles import UnknownStyleError

    with as_usage(UnknownStyleError):
        drawn = render_layout(position(name, seed, plies), style or "classic", seed)
    write_picture(out, drawn.image)
    if truth is not None:
        truth.write_text(json.dumps({"image": Path(out).name, **drawn.truth}), encoding="utf-8")


def _render_sheet(out: str, seed: int, plies: int) -> None:
    """A position of every game on one sheet, in the named styles in turn."""
    import cv2
    import numpy as np

    from models.render.layout_scene import render_layout
    from models.render.scene_file import write_picture
    from models.render.styles import NAMES

    names = available()
    drawn = (
        render_layout(position(name, seed, plies), NAMES[number % len(NAMES)], seed).image
        for number, name in enumerate(progress(names, len(names), "games"))
    )
    cells = [cv2.resize(picture, CELL, interpolation=cv2.INTER_AREA) for picture in drawn]
    cells += [np.full_like(cells[0], 255)] * (-len(cells) % COLUMNS)
    rows = [np.hstack(cells[first : first + COLUMNS]) for first in range(0, len(cells), COLUMNS)]
    write_picture(out, np.vstack(rows), quality=80)


def position(name: str, seed: int, plies: int) -> Layout:
    """The layout after some random turns."""
    rules = game_named(name)
    state = rules.start()
    for before, action in islice(walk(rules, seed), plies):
        state = rules.advance(before, action)
    return rules.layout(state)


def render_positions(folder: Path, names: Sequence[str], first: int, count: int) -> None:
    """Renders training positions of these games with random sets, tables, lights and cameras. Existing files are kept,
    so an interrupted run can be resumed."""
    import numpy as np

    from models.render import render as drawn
    from models.render.layout_scene import played_scene
    from models.training.pool import keep, window

    folder.mkdir(parents=True, exist_ok=True)
    for seed in progress(range(first, first + count), count, "positions"):
        if (folder / f"{seed:07d}.json").exists():
            continue
        plies = int(np.random.default_rng([seed, 8]).choice(PLIES))
        scene = played_scene(position(names[seed % len(names)], seed, plies), seed)
        keep(folder, seed, drawn(scene, crop=window(scene)))


def _print(seen: dict[str, Any]) -> None:
    print(f"{seen['image']}: {len(seen['pieces'])} pieces")
    for piece in seen["pieces"]:
        name = " ".join(str(piece[part]) for part in ("suit", "value", "face", "size", "pose") if piece[part])
        x, y = piece["center_px"]
        print(f"  {piece['kind']:8} {name:22} at ({x:.0f}, {y:.0f})  {piece['confidence']:.0%}")
    for stage, ms in seen.get("timings_ms", {}).items():
        print(f"  {stage}: {ms:.1f}")

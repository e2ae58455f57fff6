"""`companion calibrate`: this camera, this lamp, this table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion_api.commands.games import Json
from companion_api.commands.profile_file import ProfileFile, loaded, plain_words, profile_path
from rules.pieces.sizes import SPACE_MM, TILE


def add_to(app: typer.Typer) -> None:
    app.command("calibrate")(calibrate)


def calibrate(
    pictures: Annotated[
        list[str] | None, typer.Argument(metavar="[PICTURE...]", help="pictures of the table as it lies")
    ] = None,
    print_to: Annotated[Path | None, typer.Option("--print", help="write the sheet as PDF and stop")] = None,
    paper: Annotated[str, typer.Option("--paper", help="a4 or letter")] = "a4",
    camera: Annotated[str | None, typer.Option("--camera", help="take the picture: index or address")] = None,
    sheet: Annotated[
        bool, typer.Option("--sheet", help="the pictures show the sheet; the first lies on the table")
    ] = False,
    measured: Annotated[float, typer.Option("--measured", help="length of the sheet's 100 mm line as printed")] = 100.0,
    corners: Annotated[str | None, typer.Option("--corners", help="x,y x,y x,y x,y: dragged, clockwise")] = None,
    rectangle: Annotated[str, typer.Option("--rectangle", help="its size in mm")] = "210x297",
    tile: Annotated[float, typer.Option("--tile", min=20, max=120, help="side of a tile in mm")] = TILE * SPACE_MM,
    model: Annotated[
        str | None, typer.Option("--model", help="camera model, to keep its lens for other tables")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="only say whether the profile still holds")] = False,
    profile: ProfileFile = None,
    as_json: Json = False,
) -> int:
    """Find out where the table is: from tiles, from the printed sheet, or from four corners."""
    from calibration.profile import save_lens
    from companion_api.commands.table_plane import (
        checked,
        frames_of,
        known_lens,
        plane_of,
        print_sheet,
        tell_plane,
        with_plane,
    )

    if print_to is not None:
        return print_sheet(print_to, paper)
    with plain_words():
        path = profile_path(profile)
        frames = frames_of(pictures or [], camera)
        known = loaded(path)
        if check:
            return checked(known, frames[0], path, as_json)
        lens = known_lens(known, model, frames[0].size, path)
        plane, quality, quads = plane_of(frames, lens, sheet, measured, corners, rectangle, tile)
        made = with_plane(known, plane, quads, frames[0], sheet, measured)
        made.save(path)
        if model:
            save_lens(path.parent, model, plane.lens)
    tell_plane(plane, quality, path, as_json)
    return 0

"""`companion calibrate`: this camera, this lamp, this table."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion_api.commands.console import UsageError, print_json
from companion_api.commands.games import Json
from companion_api.commands.profile_file import ProfileFile, loaded, numbers, plain_words, profile_path
from rules.pieces.sizes import SPACE_MM, TILE
from rules.sentence import say

if TYPE_CHECKING:
    import numpy as np

    from calibration.lens import Lens
    from calibration.plane import TablePlane
    from calibration.profile import Profile
    from vision.eyes import Look
    from vision.frame import Frame


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
    if print_to is not None:
        return _print_sheet(print_to, paper)
    with plain_words():
        path = profile_path(profile)
        frames = _frames(pictures or [], camera)
        known = loaded(path)
        if check:
            return _check(known, frames[0], path, as_json)
        lens = _known_lens(known, model, frames[0].size, path)
        plane, quality, quads = _plane(frames, lens, sheet, measured, corners, rectangle, tile)
        made = _with_plane(known, plane, quads, frames[0], sheet, measured)
        made.save(path)
        if model:
            _keep_lens(path, model, plane.lens)
    _tell_plane(plane, quality, path, as_json)
    return 0


def _print_sheet(path: Path, paper: str) -> int:
    from calibration.sheet import SheetError, as_pdf

    try:
        path.write_bytes(as_pdf(paper))
    except SheetError as error:
        raise UsageError(str(error)) from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be written ({error.strerror})") from None
    print(f"{path}: print it at 100 %, measure its 100 mm line, lay it flat on the table")
    return 0


def _frames(pictures: list[str], camera: str | None) -> list[Frame]:
    from vision.frame import read_frame

    if camera is not None:
        return [_snapshot(camera)]
    if not pictures:
        raise UsageError("give a picture of the table, or --camera 0, or --print sheet.pdf")
    frames = [read_frame(picture) for picture in pictures]
    if len({frame.size for frame in frames}) > 1:
        raise UsageError("the pictures differ in size: take all of them with the same camera and resolution")
    return frames


def _snapshot(source: str) -> Frame:
    from vision.camera import CameraError, open_camera

    camera = open_camera(source)
    try:
        frames = [frame for frame in (camera.read() for _ in range(12)) if frame is not None]
    finally:
        camera.close()
    if not frames:
        raise CameraError(say("{source}: gives no picture; is another program using it?", source=source))
    return frames[-1]  # the first ones are often dark: exposure has to settle


def _known_lens(known: Profile, model: str | None, size: tuple[int, int], path: Path) -> Lens:
    from calibration.lens import assumed
    from calibration.profile import stored_lens

    if known.lens is not None and known.lens.at_size(size).source != "assumed":
        return known.lens.at_size(size)
    return stored_lens(path.parent, model, size) if model else assumed(size)


def _keep_lens(path: Path, model: str, lens: Lens) -> None:
    from calibration.profile import save_lens

    save_lens(path.parent, model, lens)


def _plane(
    frames: list[Frame], lens: Lens, sheet: bool, measured: float, corners: str | None, rectangle: str, tile: float
) -> tuple[TablePlane, dict[str, Any] | None, list[np.ndarray]]:
    """The plane, what the guide says of the picture, and the tiles in it."""
    from calibration import plane as planes
    from calibration.guide import LEAST_TILES, quality

    if sheet:
        return _from_sheet(frames, lens, measured), None, []
    if corners is not None:
        width, height = numbers(rectangle.replace("x", " "), 2, "--rectangle", "210x297")
        return planes.from_corners(_four(corners), width, height, lens), None, []
    look, quads = _tiles(frames[0])
    if 0 < len(quads) < LEAST_TILES:
        seen = "1 tile is" if len(quads) == 1 else f"{len(quads)} tiles are"
        raise UsageError(f"only {seen} seen: lay at least {LEAST_TILES}, all over the table; no profile was written")
    return planes.from_tiles(quads, lens, tile), quality(look, lens).to_json(), quads


def _tiles(frame: Frame) -> tuple[Look, list[np.ndarray]]:
    from calibration.runtime import good_quads
    from vision.look import eyes

    look = eyes().look(frame)
    return look, good_quads(look.pieces)


def _from_sheet(frames: list[Frame], lens: Lens, measured: float) -> TablePlane:
    """The lens from all pictures, the plane from the first."""
    from calibration import plane as planes
    from calibration import sheet as sheets

    seen = [sheets.find(frame.image, measured) for frame in frames]
    if len(seen) > 1:
        lens = sheets.lens_from(seen, lens)
    return planes.from_grid(seen[0].points, seen[0].seen, lens)


def _four(text: str) -> np.ndarray:
    import numpy as np

    return np.array(numbers(text.replace(",", " "), 8, "--corners", '"100,80 900,90 950,600 60,590"')).reshape(4, 2)


def _with_plane(
    known: Profile, plane: TablePlane, quads: list[np.ndarray], frame: Frame, sheet: bool, measured: float
) -> Profile:

    import numpy as np

    from calibration.check import places
    from calibration.light import white_from_sheet
    from calibration.sheet import find

    return replace(
        known,
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        lens=plane.lens,
        plane=plane,
        resting=places(plane, quads) if quads else np.zeros((0, 2)),
        white=white_from_sheet(frame.image, find(frame.image, measured)) if sheet else known.white,
    )


def _tell_plane(plane: TablePlane, quality: dict[str, Any] | None, path: Path, as_json: bool) -> None:
    told = plane.accuracy
    if as_json:
        lens = {
            "focal_px": round(plane.lens.focal, 1),
            "known_to": round(plane.lens.known, 4),
            "source": plane.lens.source,
        }
        plain = {"tilt_deg": round(plane.tilt_deg, 2), "distance_mm": round(plane.distance_mm), "lens": lens}
        print_json({"profile": str(path), "source": plane.source, **told.to_json(), **plain, "quality": quality})
        return
    print(
        f"{path}: the table, from {plane.source}: places are known to {told.typical:.1f} mm (worst {told.worst:.1f} mm)"
    )
    print(f"  camera {plane.distance_mm / 10:.0f} cm above the table, tilted {plane.tilt_deg:.0f} degrees")
    if told.wild:
        many = f"{told.wild} outlines did not fit and were left out"
        print("  1 outline did not fit and was left out" if told.wild == 1 else f"  {many}")
    for each in (quality or {}).get("advice", []):
        print(f"  {each['words']}")


def _check(known: Profile, frame: Frame, path: Path, as_json: bool) -> int:

    from calibration.check import Standing, check

    if known.plane is None:
        raise UsageError(f"{path}: has no table yet: run `companion calibrate` first")
    plane = replace(known.plane, lens=known.plane.lens.at_size(frame.size))
    found = check(plane, _tiles(frame)[1], known.resting)
    words = found.words.replace("calibrated again", "calibrate again")
    plain = {"standing": found.standing.value, "moved_mm": round(found.moved_mm, 1), "words": words}
    print_json(plain | {"turned_deg": round(found.turned_deg, 2)}) if as_json else print(words)
    return 0 if found.standing is Standing.TRUE else 1

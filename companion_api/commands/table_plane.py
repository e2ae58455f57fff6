"""The table plane from files or a camera: by tiles, by the printed sheet, or by four corners."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from calibration import plane as planes
from calibration.check import CalibrationState, check, positions_of
from calibration.guide import MIN_TILES, quality
from calibration.lens import Lens, assumed
from calibration.light import white_from_sheet
from calibration.plane import TablePlane
from calibration.profile import Profile, stored_lens
from calibration.runtime import tile_outlines
from calibration.sheet import SheetError, as_pdf, find, lens_from
from companion_api.commands.console import UsageError, as_usage, print_json
from companion_api.commands.profile import numbers
from rules.sentence import say
from vision.camera import CameraError, open_camera
from vision.frame import Frame, read_frame
from vision.look import shared_reader
from vision.table_reader import FrameResult


def print_sheet(path: Path, paper: str) -> int:
    try:
        with as_usage(SheetError):
            path.write_bytes(as_pdf(paper))
    except OSError as error:
        raise UsageError(f"{path}: cannot be written ({error.strerror})") from None
    print(f"{path}: print it at 100 %, measure its 100 mm line, lay it flat on the table")
    return 0


def frames_of(pictures: list[str], camera: str | None) -> list[Frame]:
    if camera is not None:
        return [_snapshot(camera)]
    if not pictures:
        raise UsageError("give a picture of the table, or --camera 0, or --print sheet.pdf")
    frames = [read_frame(picture) for picture in pictures]
    if len({frame.size for frame in frames}) > 1:
        raise UsageError("the pictures differ in size: take all of them with the same camera and resolution")
    return frames


def _snapshot(source: str) -> Frame:
    camera = open_camera(source)
    try:
        frames = [frame for frame in (camera.read() for _ in range(12)) if frame is not None]
    finally:
        camera.close()
    if not frames:
        raise CameraError(say("{source}: gives no picture; is another program using it?", source=source))
    return frames[-1]  # exposure has to settle first


def known_lens(known: Profile, model: str | None, size: tuple[int, int], path: Path) -> Lens:
    if known.lens is not None and known.lens.at_size(size).source != "assumed":
        return known.lens.at_size(size)
    return stored_lens(path.parent, model, size) if model else assumed(size)


def plane_of(
    frames: list[Frame], lens: Lens, sheet: bool, measured: float, corners: str | None, rectangle: str, tile: float
) -> tuple[TablePlane, dict[str, Any] | None, list[np.ndarray]]:
    """The plane, the quality report of the picture, and the tile outlines in it."""
    if sheet:  # the lens from all pictures, the plane from the first
        found = [find(frame.image, measured) for frame in frames]
        known = lens_from(found, lens) if len(found) > 1 else lens
        return planes.from_grid(found[0].points, found[0].seen, known), None, []
    if corners is not None:
        width, height = numbers(rectangle.replace("x", " "), 2, "--rectangle", "210x297")
        points = numbers(corners.replace(",", " "), 8, "--corners", '"100,80 900,90 950,600 60,590"')
        return planes.from_corners(np.array(points).reshape(4, 2), width, height, lens), None, []
    look, quads = _tiles(frames[0])
    if 0 < len(quads) < MIN_TILES:
        seen = "1 tile is" if len(quads) == 1 else f"{len(quads)} tiles are"
        raise UsageError(f"only {seen} seen: lay at least {MIN_TILES}, all over the table; no profile was written")
    return planes.from_tiles(quads, lens, tile), quality(look, lens).to_json(), quads


def _tiles(frame: Frame) -> tuple[FrameResult, list[np.ndarray]]:
    look = shared_reader().look(frame)
    return look, tile_outlines(look.pieces)


def with_plane(
    known: Profile, plane: TablePlane, quads: list[np.ndarray], frame: Frame, sheet: bool, measured: float
) -> Profile:
    return replace(
        known,
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        lens=plane.lens,
        plane=plane,
        resting=positions_of(plane, quads) if quads else np.zeros((0, 2)),
        white=white_from_sheet(frame.image, find(frame.image, measured)) if sheet else known.white,
    )


def print_plane(plane: TablePlane, quality: dict[str, Any] | None, path: Path, as_json: bool) -> None:
    accuracy = plane.accuracy
    if as_json:
        known = plane.lens
        lens = {"focal_px": round(known.focal, 1), "known_to": round(known.known, 4), "source": known.source}
        plain = {"tilt_deg": round(plane.tilt_deg, 2), "distance_mm": round(plane.distance_mm), "lens": lens}
        print_json({"profile": str(path), "source": plane.source, **accuracy.to_json(), **plain, "quality": quality})
        return
    known_to = f"places are known to {accuracy.typical:.1f} mm (worst {accuracy.worst:.1f} mm)"
    print(f"{path}: the table, from {plane.source}: {known_to}")
    print(f"  camera {plane.distance_mm / 10:.0f} cm above the table, tilted {plane.tilt_deg:.0f} degrees")
    if accuracy.left_out:
        many = f"{accuracy.left_out} outlines did not fit and were left out"
        print("  1 outline did not fit and was left out" if accuracy.left_out == 1 else f"  {many}")
    for each in (quality or {}).get("advice", []):
        print(f"  {each['words']}")


def check_profile(known: Profile, frame: Frame, path: Path, as_json: bool) -> int:
    if known.plane is None:
        raise UsageError(f"{path}: has no table yet: run `companion calibrate` first")
    plane = replace(known.plane, lens=known.plane.lens.at_size(frame.size))
    found = check(plane, _tiles(frame)[1], known.resting)
    words = found.words.replace("calibrated again", "calibrate again")
    plain = {"standing": found.state.value, "moved_mm": round(found.moved_mm, 1), "words": words}
    print_json(plain | {"turned_deg": round(found.turned_deg, 2)}) if as_json else print(words)
    return 0 if found.state is CalibrationState.TRUE else 1

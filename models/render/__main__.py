"""Contact sheets and speed: `python -m models.render sheet OUT.jpg`, `... zoo OUT.png` and `... bench`."""

import argparse
import os
import platform
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np

from models.render.camera import Viewpoint, camera_at
from models.render.edition import SUITS, VALUES, PaintedSet
from models.render.materials import Picture
from models.render.random_scene import random_scene
from models.render.renderer import render
from models.render.scene import Body, Scene, Table
from models.render.styles import film_for, lamp_light
from models.render.zoo import wild_edition

_TILE = (480, 270)
_CROP = 384
_FIRST_SEED = 1000
_KINDS = {"crops of 384x384": True, "frames of 1280x720": False}


def contact_sheet(out: Path, stratum: str, first: int, count: int, columns: int = 3, truth: bool = False) -> None:
    """Many random scenes on one picture, with the outlines of the truth if `truth`."""
    pictures = [_small(seed, stratum, truth) for seed in range(first, first + count)]
    blank = np.zeros_like(pictures[0])
    pictures += [blank] * (-len(pictures) % columns)
    rows = [np.hstack(pictures[i : i + columns]) for i in range(0, len(pictures), columns)]
    cv2.imwrite(str(out), np.vstack(rows), [cv2.IMWRITE_JPEG_QUALITY, 82])


def _small(seed: int, stratum: str, truth: bool) -> Picture:
    drawn = render(random_scene(seed, stratum))
    picture = drawn.image.copy()
    for piece in drawn.truth["pieces"] if truth else ():
        if piece["visible"] > 0.2:
            ring = np.round(np.array(piece["outline_px"]) * 16).astype(np.int32)
            cv2.polylines(picture, [ring], True, (0, 0, 255), 1, cv2.LINE_AA, 4)
    return np.asarray(cv2.resize(picture, _TILE, interpolation=cv2.INTER_AREA), np.uint8)


def zoo_sheet(out: Path, stratum: str, first: int, count: int = 40, columns: int = 8) -> None:
    """Pawns (one of them fallen) and dice of many sets, each on a tile of its own set."""
    cells = [_set_picture(wild_edition(seed, stratum)) for seed in range(first, first + count)]
    rows = [np.hstack(cells[i : i + columns]) for i in range(0, count - count % columns, columns)]
    cv2.imwrite(str(out), np.vstack(rows))


def _set_picture(edition: PaintedSet) -> Picture:
    high = edition.sizes.tile_thick
    bodies = [Body("tile", x, 0, suit="suns", value="3", face=face) for x, face in ((-1.05, "front"), (1.05, "back"))]
    for index, suit in enumerate(SUITS):
        x, y = (index % 2 - 0.5) * 1.1, (index // 2 - 0.5) * 1.1
        pose = "flat" if index == 3 else "upright"
        bodies.append(Body("pawn", x - 1.05, y, high, 20.0 * index, suit, pose=pose, seed=index))
        bodies.append(Body("die", x + 1.05, y, high, 20.0 * index, suit, VALUES[index + 1], seed=index))
    table = Table("wood", (70, 95, 130), 6, 22, 8, 0.3, 0.4)
    view = Viewpoint(256, 192, 40, 42, 10, 0, 7.5, (0.0, 0.3))
    film = replace(film_for(table, 1), blur=0.3, noise=0.004)
    return render(Scene(edition, bodies, table, lamp_light(), camera_at(view), film, tilt_deg=42)).image


def bench(count: int, processes: int) -> Iterator[str]:
    """Lines with the time of random pictures, each with a new scene, in several processes at once."""
    yield machine()
    with ProcessPoolExecutor(processes, get_context("spawn"), cv2.setNumThreads, (1,)) as pool:
        list(pool.map(_measured, [True] * processes, range(processes)))  # imports and tables are not measured
        for name, crop in _KINDS.items():
            start = time.perf_counter()
            work = sum(pool.map(_measured, [crop] * count, range(_FIRST_SEED, _FIRST_SEED + count))) / count
            clock = (time.perf_counter() - start) / count
            yield (
                f"{name}: {1000 * work:.0f} ms of processor each, {processes / work:.1f} a second on {processes} free "
                f"cores; {1 / clock:.1f} a second by the clock now"
            )


def _measured(crop: bool, seed: int) -> float:
    """Processor time in seconds of one picture and its scene."""
    start = time.process_time()
    scene = random_scene(seed)
    left, top = np.random.default_rng(seed).integers((200, 100), (700, 330))
    # of a larger camera the middle, so that all frames have the same size
    frame = (0, 0, 1280, 720) if scene.camera.width == 1280 else (320, 180, 1280, 720)
    render(scene, (int(left), int(top), _CROP, _CROP) if crop else frame)
    return time.process_time() - start


def machine() -> str:
    """Processor, cores, load and versions in one line."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return (
        f"{next(names, platform.processor())}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, "
        f"Python {platform.python_version()}, NumPy {np.__version__}, OpenCV {cv2.__version__}"
    )


def main() -> None:
    """Runs the command line."""
    parser = argparse.ArgumentParser(prog="python -m models.render", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    sheet = commands.add_parser("sheet", help="many random scenes on one picture")
    zoo = commands.add_parser("zoo", help="pawns and dice of many sets on one picture")
    for command in (sheet, zoo):
        command.add_argument("out", type=Path)
        command.add_argument("--stratum", default="train", choices=["train", "test"])
        command.add_argument("--first", type=int, default=0)
    sheet.add_argument("--count", type=int, default=12)
    sheet.add_argument("--truth", action="store_true")
    speed = commands.add_parser("bench", help="pictures a second")
    speed.add_argument("--count", type=int, default=24)
    speed.add_argument("--processes", type=int, default=2)
    args = parser.parse_args()
    if args.command == "sheet":
        contact_sheet(args.out, args.stratum, args.first, args.count, truth=args.truth)
    elif args.command == "zoo":
        zoo_sheet(args.out, args.stratum, args.first)
    else:
        for line in bench(args.count, args.processes):
            print(line, flush=True)


if __name__ == "__main__":
    main()

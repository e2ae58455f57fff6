"""Contact sheets and speed: `python -m models.render sheet OUT.jpg`, `... zoo OUT.png` and `... bench`."""

import argparse
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from models.render.bench import bench
from models.render.camera import Viewpoint, camera_at
from models.render.edition import SUITS, VALUES, PaintedSet
from models.render.materials import Picture
from models.render.random_scene import random_scene
from models.render.renderer import render
from models.render.scene import Body, Scene, Table
from models.render.styles import film_for, lamp_light
from models.render.zoo import wild_edition

_TILE = (480, 270)


def contact_sheet(out: Path, stratum: str, first: int, count: int, columns: int = 3, truth: bool = False) -> None:
    """Many random scenes on one picture, the truth drawn over them where asked."""
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
    cells = [_set_out(wild_edition(seed, stratum)) for seed in range(first, first + count)]
    rows = [np.hstack(cells[i : i + columns]) for i in range(0, count - count % columns, columns)]
    cv2.imwrite(str(out), np.vstack(rows))


def _set_out(edition: PaintedSet) -> Picture:
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


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(prog="python -m models.render", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    sheet = commands.add_parser("sheet", help="many random scenes on one picture")
    sheet.add_argument("out", type=Path)
    sheet.add_argument("--stratum", default="train", choices=["train", "test"])
    sheet.add_argument("--first", type=int, default=0)
    sheet.add_argument("--count", type=int, default=12)
    sheet.add_argument("--truth", action="store_true")
    zoo = commands.add_parser("zoo", help="pawns and dice of many sets on one picture")
    zoo.add_argument("out", type=Path)
    zoo.add_argument("--stratum", default="train", choices=["train", "test"])
    zoo.add_argument("--first", type=int, default=0)
    speed = commands.add_parser("bench", help="pictures a second")
    speed.add_argument("--count", type=int, default=24)
    speed.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    if asked.command == "sheet":
        contact_sheet(asked.out, asked.stratum, asked.first, asked.count, truth=asked.truth)
    elif asked.command == "zoo":
        zoo_sheet(asked.out, asked.stratum, asked.first)
    else:
        for line in bench(asked.count, asked.processes):
            print(line, flush=True)


if __name__ == "__main__":
    main()

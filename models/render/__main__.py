"""Contact sheets and speed: `python -m models.render sheet OUT.jpg` and `python -m models.render bench`."""

import argparse
from pathlib import Path

import cv2
import numpy as np

from models.render.bench import bench
from models.render.materials import Picture
from models.render.random_scene import random_scene
from models.render.renderer import render

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
    speed = commands.add_parser("bench", help="pictures a second")
    speed.add_argument("--count", type=int, default=24)
    speed.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    if asked.command == "sheet":
        contact_sheet(asked.out, asked.stratum, asked.first, asked.count, truth=asked.truth)
    else:
        for line in bench(asked.count, asked.processes):
            print(line, flush=True)


if __name__ == "__main__":
    main()

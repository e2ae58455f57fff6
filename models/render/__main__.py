"""Contact sheets: `python -m models.render sheet OUT.jpg`."""

import argparse
from pathlib import Path

import cv2
import numpy as np

from models.render.materials import Picture
from models.render.random_scene import SPECIAL, random_scene
from models.render.renderer import render

_TILE = (480, 270)
_COLUMNS = 3


def contact_sheet(out: Path, scenes: range, stratum: str, of: str = "", truth: bool = False) -> None:
    """Random scenes by seed on one picture, with the outlines of the truth if `truth`; `of`: see random_scene."""
    pictures = [_small(seed, stratum, of, truth) for seed in scenes]
    pictures += [np.zeros_like(pictures[0])] * (-len(pictures) % _COLUMNS)
    rows = [np.hstack(pictures[i : i + _COLUMNS]) for i in range(0, len(pictures), _COLUMNS)]
    cv2.imwrite(str(out), np.vstack(rows), [cv2.IMWRITE_JPEG_QUALITY, 82])


def _small(seed: int, stratum: str, of: str, truth: bool) -> Picture:
    drawn = render(random_scene(seed, stratum, of))
    picture = drawn.image.copy()
    for piece in drawn.truth["pieces"] if truth else ():
        if piece["visible"] > 0.2:
            ring = np.round(np.array(piece["outline_px"]) * 16).astype(np.int32)
            cv2.polylines(picture, [ring], True, (0, 0, 255), 1, cv2.LINE_AA, 4)
    return np.asarray(cv2.resize(picture, _TILE, interpolation=cv2.INTER_AREA), np.uint8)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m models.render", description=__doc__)
    sheet = parser.add_subparsers(required=True).add_parser("sheet", help="many random scenes on one picture")
    sheet.add_argument("out", type=Path)
    sheet.add_argument("--stratum", default="train", choices=["train", "test"])
    sheet.add_argument("--of", default="", choices=SPECIAL, help="pawns of many sets: crowd; dice of many: throws")
    sheet.add_argument("--first", type=int, default=0)
    sheet.add_argument("--count", type=int, default=12)
    sheet.add_argument("--truth", action="store_true")
    args = parser.parse_args()
    contact_sheet(args.out, range(args.first, args.first + args.count), args.stratum, args.of, args.truth)


if __name__ == "__main__":
    main()

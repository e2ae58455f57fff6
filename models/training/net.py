"""Network definitions: the finder takes the whole frame, the others take crops of one piece."""

from __future__ import annotations

from typing import Any

from torch import Tensor, nn
from torch.nn import functional

from models.training.trunk import WIDTHS, Trunk, conv
from vision.detect.channels import FINDER_CHANNELS, HEAT, KINDS
from vision.detect.outline_heads import CLOSE, OUTLINER_CHANNELS
from vision.identify.dice import CHANNELS, SIDE
from vision.identify.heads import CROP, READER_CHANNELS


def conv_norm(inputs: int, outputs: int, size: int, groups: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, padding=size // 2, groups=groups, bias=False),
        nn.BatchNorm2d(outputs),
    )


class Block(nn.Module):
    """Depthwise convolution, expand, project: a large receptive field at little cost."""

    def __init__(self, width: int, expansion: int = 2) -> None:
        super().__init__()
        self.look = conv_norm(width, width, 5, groups=width)
        self.widen = nn.Conv2d(width, width * expansion, 1)
        self.narrow = conv_norm(width * expansion, width, 1)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = x + self.narrow(functional.relu(self.widen(self.look(x))))
        return out


class MergeBlock(nn.Module):
    """A fine feature map merged with the next coarser one, as in a feature pyramid."""

    def __init__(self, side: int, width: int) -> None:
        super().__init__()
        self.side = nn.Sequential(*conv(side, width, 1))
        self.mix = Block(width, expansion=1)

    def forward(self, fine: Tensor, coarse: Tensor) -> Tensor:
        out: Tensor = self.mix(functional.relu(self.side(fine) + up(coarse)))
        return out


class FinderNet(nn.Module):
    """Anchor-free detector: every cell of the stride-4 map predicts a centre score for each kind and the piece's
    geometry."""

    def __init__(self, width: int = 48) -> None:
        super().__init__()
        self.trunk = Trunk(7)
        _, at4, at8, _, at16, _, at32 = WIDTHS
        self.top = nn.Sequential(*conv(at32, width, 1))
        self.join16, self.join8, self.join4 = MergeBlock(at16, width), MergeBlock(at8, width), MergeBlock(at4, width)
        self.look = nn.Sequential(*conv(width, width, 1), nn.ReLU())
        self.head = nn.Conv2d(width, FINDER_CHANNELS, 1)
        self.mask = nn.Conv2d(width, len(KINDS), 1)  # only for training: the kind that covers each cell
        assert self.head.bias is not None
        nn.init.constant_(self.head.bias[HEAT], -3.5)  # centres are rare: start with low scores

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.head(self.look(self.features(x)))
        return out

    def with_mask(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """The output map and the segmentation logits, which are an auxiliary target of training only."""
        features = self.features(x)
        return self.head(self.look(features)), self.mask(features)

    def features(self, x: Tensor) -> Tensor:
        _, s4, s8, _, s16, _, s32 = self.trunk(x)
        out: Tensor = self.join4(s4, self.join8(s8, self.join16(s16, self.top(s32))))
        return out


def up(x: Tensor) -> Tensor:
    return functional.interpolate(x, scale_factor=2.0, mode="nearest")


class CropNet(nn.Module):
    """Trunk, hidden layer and heads of a net that reads a crop of one piece; all heads form one row."""

    def __init__(self, side: int, width: int, hidden: int, outputs: int) -> None:
        super().__init__()
        self.trunk = Trunk(5)
        self.narrow = nn.Sequential(*conv(WIDTHS[4], width, 1), nn.ReLU6())
        self.gather = nn.Sequential(nn.Linear(width * (side // 16) ** 2, hidden), nn.BatchNorm1d(hidden), nn.ReLU())
        self.heads = nn.Linear(hidden, outputs)

    def hidden(self, x: Tensor) -> Tensor:
        out: Tensor = self.gather(self.narrow(self.trunk(x)[-1]).flatten(1))
        return out

    def forward(self, x: Tensor) -> Any:
        return self.heads(self.hidden(x))


class OutlinerNet(CropNet):
    """Regresses the exact outline of the piece in a crop: one outline at a time is learnt fast."""

    def __init__(self, width: int = 64, hidden: int = 192) -> None:
        super().__init__(CLOSE, width, hidden, OUTLINER_CHANNELS)


class ReaderNet(CropNet):
    """Classifies a 96 x 96 crop of one piece (heads: see vision.identify.heads), and embeds its face."""

    def __init__(self, width: int = 64, hidden: int = 256) -> None:
        super().__init__(CROP, width, hidden, READER_CHANNELS)
        self.embed = nn.Linear(hidden, 64)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        features = self.hidden(x)
        return self.heads(features), functional.normalize(self.embed(features), dim=1)


class DiceNet(CropNet):
    """Classifies a 64 x 64 crop of one die: its value and its suit."""

    def __init__(self, width: int = 64, hidden: int = 160) -> None:
        super().__init__(SIDE, width, hidden, CHANNELS)

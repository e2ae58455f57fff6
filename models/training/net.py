"""The nets: the Finder looks at the whole frame, the others at small pictures of one thing each."""

from __future__ import annotations

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
    """Depthwise, widen, narrow: wide sight at little cost."""

    def __init__(self, width: int, widen: int = 2) -> None:
        super().__init__()
        self.look = conv_norm(width, width, 5, groups=width)
        self.widen = nn.Conv2d(width, width * widen, 1)
        self.narrow = conv_norm(width * widen, width, 1)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = x + self.narrow(functional.relu(self.widen(self.look(x))))
        return out


class MergeBlock(nn.Module):
    """A finer map with what coarser ones know."""

    def __init__(self, side: int, width: int) -> None:
        super().__init__()
        self.side = nn.Sequential(*conv(side, width, 1))
        self.mix = Block(width, widen=1)

    def forward(self, fine: Tensor, coarse: Tensor) -> Tensor:
        out: Tensor = self.mix(functional.relu(self.side(fine) + up(coarse)))
        return out


class FinderNet(nn.Module):
    """Anchor-free: every cell of the stride-4 map says how much it is a centre, and of what shape."""

    def __init__(self, width: int = 48) -> None:
        super().__init__()
        self.trunk = Trunk(7)
        _, at4, at8, _, at16, _, at32 = WIDTHS
        self.top = nn.Sequential(*conv(at32, width, 1))
        self.join16, self.join8, self.join4 = MergeBlock(at16, width), MergeBlock(at8, width), MergeBlock(at4, width)
        self.look = nn.Sequential(*conv(width, width, 1), nn.ReLU())
        self.head = nn.Conv2d(width, FINDER_CHANNELS, 1)
        self.mask = nn.Conv2d(width, len(KINDS), 1)  # only for training: what covers each cell
        assert self.head.bias is not None
        nn.init.constant_(self.head.bias[HEAT], -3.5)  # centres are rare: start by seeing nothing

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.head(self.look(self.features(x)))
        return out

    def with_mask(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """The answer, and the kinds' masks: much to learn from, nothing to see by."""
        features = self.features(x)
        return self.head(self.look(features)), self.mask(features)

    def features(self, x: Tensor) -> Tensor:
        _, s4, s8, _, s16, _, s32 = self.trunk(x)
        out: Tensor = self.join4(s4, self.join8(s8, self.join16(s16, self.top(s32))))
        return out


def up(x: Tensor) -> Tensor:
    return functional.interpolate(x, scale_factor=2.0, mode="nearest")


class CloseUpNet(nn.Module):
    """A small picture of one thing, drawn together into one row that a net's heads read."""

    def __init__(self, side: int, width: int, hidden: int) -> None:
        super().__init__()
        self.trunk = Trunk(5)
        self.narrow = nn.Sequential(*conv(WIDTHS[4], width, 1), nn.ReLU6())
        self.gather = nn.Sequential(nn.Linear(width * (side // 16) ** 2, hidden), nn.BatchNorm1d(hidden), nn.ReLU())

    def gathered(self, x: Tensor) -> Tensor:
        out: Tensor = self.gather(self.narrow(self.trunk(x)[-1]).flatten(1))
        return out


class OutlinerNet(CloseUpNet):
    """Where exactly the thing in a small picture lies: a whole net for one outline at a time learns this fast."""

    def __init__(self, width: int = 64, hidden: int = 192) -> None:
        super().__init__(CLOSE, width, hidden)
        self.heads = nn.Linear(hidden, OUTLINER_CHANNELS)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.heads(self.gathered(x))
        return out


class ReaderNet(CloseUpNet):
    """Reads a 96 x 96 picture of one piece; all heads come out as one row (see vision.identify.heads)."""

    def __init__(self, width: int = 64, hidden: int = 256) -> None:
        super().__init__(CROP, width, hidden)
        self.heads = nn.Linear(hidden, READER_CHANNELS)
        self.embed = nn.Linear(hidden, 64)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        hidden = self.gathered(x)
        return self.heads(hidden), functional.normalize(self.embed(hidden), dim=1)


class DiceNet(CloseUpNet):
    """Reads a 64 x 64 picture of one die: its value and its suit."""

    def __init__(self, width: int = 64, hidden: int = 160) -> None:
        super().__init__(SIDE, width, hidden)
        self.heads = nn.Linear(hidden, CHANNELS)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.heads(self.gathered(x))
        return out

"""The nets: the Finder looks at the whole frame, the others at small pictures of one thing each."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn import functional

from vision.detect.channels import FINDER_CHANNELS, KINDS
from vision.detect.outline_heads import OUTLINER_CHANNELS
from vision.identify.heads import READER_CHANNELS
from vision.identify.marks import NONE


def conv_norm(inputs: int, outputs: int, size: int, stride: int = 1, groups: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, stride, size // 2, groups=groups, bias=False),
        nn.BatchNorm2d(outputs),
    )


class Block(nn.Module):
    """Depthwise, widen, narrow: wide sight at little cost."""

    def __init__(self, width: int, widen: int = 2, size: int = 5) -> None:
        super().__init__()
        self.look = conv_norm(width, width, size, groups=width)
        self.widen = nn.Conv2d(width, width * widen, 1)
        self.narrow = conv_norm(width * widen, width, 1)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = x + self.narrow(functional.relu(self.widen(self.look(x))))
        return out


class Down(nn.Module):
    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.conv = conv_norm(inputs, outputs, 3, stride=2)

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(self.conv(x))


class Finder(nn.Module):
    """Anchor-free: every cell of the stride-4 map says how much it is a centre, and of what shape."""

    def __init__(self, widths: tuple[int, ...] = (12, 24, 48, 96, 128), join: int = 32) -> None:
        super().__init__()
        a, b, c, d, e = widths
        self.stem = nn.Sequential(Down(3, a), Down(a, b), Block(b, widen=1))
        self.stage8 = nn.Sequential(Down(b, c), Block(c), Block(c))
        self.stage16 = nn.Sequential(Down(c, d), Block(d), Block(d), Block(d))
        self.stage32 = nn.Sequential(Down(d, e), Block(e), Block(e))
        self.up32 = nn.Conv2d(e, d, 1)
        self.mix16 = Block(d, widen=1)
        self.up16 = nn.Conv2d(d, c, 1)
        self.mix8 = Block(c)
        self.up8 = nn.Conv2d(c, join, 1)
        self.side4 = nn.Conv2d(b, join, 1)
        self.mix4 = Block(join, widen=1)
        self.head = nn.Sequential(nn.Conv2d(join, 48, 1), nn.ReLU(), nn.Conv2d(48, FINDER_CHANNELS, 1))
        self.mask = nn.Conv2d(join, len(KINDS), 1)  # only for training: what covers each cell
        nn.init.constant_(self.head[-1].bias[:8], -3.5)  # centres are rare: start by seeing nothing

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.head(self.features(x))
        return out

    def with_mask(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """The answer, and the kinds' masks: much to learn from, nothing to see by."""
        features = self.features(x)
        return self.head(features), self.mask(features)

    def features(self, x: Tensor) -> Tensor:
        s4 = self.stem(x)
        s8 = self.stage8(s4)
        s16 = self.stage16(s8)
        s32 = self.stage32(s16)
        s16 = self.mix16(s16 + up(self.up32(s32)))
        s8 = self.mix8(s8 + up(self.up16(s16)))
        out: Tensor = self.mix4(functional.relu(self.side4(s4) + up(self.up8(s8))))
        return out


def up(x: Tensor) -> Tensor:
    return functional.interpolate(x, scale_factor=2.0, mode="nearest")


class Residual(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.conv = conv_norm(width, width, 3)

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.conv(x))


class Outliner(nn.Module):
    """Where exactly the thing in a small picture lies: a whole net for one outline at a time learns this fast."""

    def __init__(self, widths: tuple[int, ...] = (20, 40, 80, 128), hidden: int = 160) -> None:
        super().__init__()
        a, b, c, d = widths
        self.trunk = nn.Sequential(
            Down(3, a), Down(a, b), Residual(b), Down(b, c), Residual(c), Residual(c), Down(c, d), Residual(d)
        )
        self.gather = nn.Sequential(nn.Linear(d * 9, hidden), nn.BatchNorm1d(hidden), nn.ReLU())
        self.heads = nn.Linear(hidden, OUTLINER_CHANNELS)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.heads(self.gather(self.trunk(x).flatten(1)))
        return out


class Reader(nn.Module):
    """Reads a 64 x 64 picture of one piece; all heads come out as one row (see vision.identify.heads)."""

    def __init__(self, widths: tuple[int, ...] = (24, 48, 96, 160), hidden: int = 192) -> None:
        super().__init__()
        a, b, c, d = widths
        self.trunk = nn.Sequential(
            Down(3, a), Down(a, b), Residual(b), Down(b, c), Residual(c), Residual(c), Down(c, d), Residual(d)
        )
        self.gather = nn.Sequential(nn.Linear(d * 16, hidden), nn.BatchNorm1d(hidden), nn.ReLU())
        self.heads = nn.Linear(hidden, READER_CHANNELS)
        self.embed = nn.Linear(hidden, 64)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        hidden = self.gather(self.trunk(x).flatten(1))
        return self.heads(hidden), functional.normalize(self.embed(hidden), dim=1)


class Marker(nn.Module):
    """Which suit sign a corner of a tile shows, if any."""

    def __init__(self, widths: tuple[int, ...] = (16, 32, 64), hidden: int = 64) -> None:
        super().__init__()
        a, b, c = widths
        self.trunk = nn.Sequential(Down(3, a), Down(a, b), Residual(b), Down(b, c), Residual(c))
        self.gather = nn.Sequential(nn.Linear(c * 25, hidden), nn.BatchNorm1d(hidden), nn.ReLU())
        self.heads = nn.Linear(hidden, NONE + 1)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.heads(self.gather(self.trunk(x).flatten(1)))
        return out

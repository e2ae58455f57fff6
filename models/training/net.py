"""Network definitions: the finder takes the whole frame, the others take crops of one piece."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from models.training.trunk import WIDTHS, Trunk, conv
from vision.detect.channels import FINDER_CHANNELS, HEAT, KINDS
from vision.detect.outliner import CLOSE, OUTLINER_CHANNELS
from vision.identify.dice import CHANNELS, SIDE
from vision.identify.heads import CROP, READER_CHANNELS


def conv_norm(inputs: int, outputs: int, size: int, groups: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, padding=size // 2, groups=groups, bias=False), nn.BatchNorm2d(outputs)
    )


class Block(nn.Module):
    """Depthwise convolution, expand, project: a large receptive field at little cost."""

    def __init__(self, width: int, expansion: int = 2) -> None:
        super().__init__()
        self.look = conv_norm(width, width, 5, groups=width)
        self.widen = nn.Conv2d(width, width * expansion, 1)
        self.narrow = conv_norm(width * expansion, width, 1)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.narrow(functional.relu(self.widen(self.look(x))))


class MergeBlock(nn.Module):
    """A fine feature map merged with the next coarser one, as in a feature pyramid."""

    def __init__(self, side: int, width: int) -> None:
        super().__init__()
        self.side = nn.Sequential(*conv(side, width, 1))
        self.mix = Block(width, expansion=1)

    def forward(self, fine: Tensor, coarse: Tensor) -> Tensor:
        return self.mix(functional.relu(self.side(fine) + up(coarse)))


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
        return self.head(self.look(self.features(x)))

    def with_mask(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """The output map and the segmentation logits, which are an auxiliary target of training only."""
        features = self.features(x)
        return self.head(self.look(features)), self.mask(features)

    def features(self, x: Tensor) -> Tensor:
        _, s4, s8, _, s16, _, s32 = self.trunk(x)
        return self.join4(s4, self.join8(s8, self.join16(s16, self.top(s32))))


def up(x: Tensor) -> Tensor:
    return functional.interpolate(x, scale_factor=2.0, mode="nearest")


class CropNet(nn.Module):
    """Trunk, hidden layer and heads of a net that reads a crop of one piece; all heads form one row."""

    WIDTH = 64

    def __init__(self, side: int, hidden: int, outputs: int) -> None:
        super().__init__()
        self.trunk = Trunk(5)
        self.narrow = nn.Sequential(*conv(WIDTHS[4], self.WIDTH, 1), nn.ReLU6())
        inputs = self.WIDTH * (side // 16) ** 2
        self.gather = nn.Sequential(nn.Linear(inputs, hidden), nn.BatchNorm1d(hidden), nn.ReLU())
        self.heads = nn.Linear(hidden, outputs)

    def hidden(self, x: Tensor) -> Tensor:
        return self.gather(self.narrow(self.trunk(x)[-1]).flatten(1))

    def forward(self, x: Tensor) -> Any:
        return self.heads(self.hidden(x))


class OutlinerNet(CropNet):
    """Regresses the exact outline of the piece in a crop: one outline at a time is learnt fast."""

    def __init__(self) -> None:
        super().__init__(CLOSE, 192, OUTLINER_CHANNELS)


class ReaderNet(CropNet):
    """Classifies a 96 x 96 crop of one piece (heads: see vision.identify.heads), and embeds its face."""

    def __init__(self) -> None:
        super().__init__(CROP, 256, READER_CHANNELS)
        self.embed = nn.Linear(256, 64)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        features = self.hidden(x)
        return self.heads(features), functional.normalize(self.embed(features), dim=1)


class DiceNet(CropNet):
    """Classifies a 64 x 64 crop of one die: its value and its suit."""

    def __init__(self) -> None:
        super().__init__(SIDE, 160, CHANNELS)


class SceneBlock(nn.Module):
    """One exchange of messages between all candidates of a picture: what each hears of the others, by how likely those
    are, and of those that it attends to."""

    VOICES = 4

    def __init__(self, width: int, message: int, relations: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.own, self.other = nn.Linear(width, message), nn.Linear(width, message, bias=False)
        self.relation = nn.Linear(relations, message, bias=False)
        self.gate, self.attention = nn.Linear(message, self.VOICES), nn.Linear(message, self.VOICES)
        self.update = nn.Sequential(
            nn.Linear(width + 2 * self.VOICES * message, width), nn.ReLU(), nn.Linear(width, width)
        )

    def forward(self, state: Tensor, pairs: Tensor, present: Tensor) -> Tensor:
        """`present`: probability of each candidate so far."""
        count = state.shape[0]
        others = 1 - torch.eye(count, dtype=state.dtype, device=state.device)
        seen = self.norm(state)
        messages = torch.relu(self.own(seen)[:, None] + self.other(seen)[None] + self.relation(pairs))
        gates = torch.sigmoid(self.gate(messages)) * (others * present[None])[..., None]
        attention = torch.softmax(self.attention(messages) + (others[..., None] - 1) * 30, dim=1)
        counted = torch.einsum("ijk,ije->ike", gates, messages).reshape(count, -1) / self.VOICES
        attended = torch.einsum("ijk,ije->ike", attention, messages).reshape(count, -1)
        return state + self.update(torch.cat([seen, counted, attended], dim=1))


class SceneNet(nn.Module):
    """Certainty of every candidate of a picture from its features and its relations to all others."""

    def __init__(self, features: int, relations: int, width: int = 64, message: int = 32, blocks: int = 4) -> None:
        super().__init__()
        self.begin = nn.Sequential(nn.Linear(features, width), nn.ReLU(), nn.Linear(width, width))
        self.alone = nn.Linear(features, 1)
        self.blocks = nn.ModuleList(SceneBlock(width, message, relations) for _ in range(blocks))
        self.answer = nn.ModuleList(nn.Linear(width, 1) for _ in range(blocks))
        self.last = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))

    def answers(self, x: Tensor, pairs: Tensor) -> list[Tensor]:
        """Log odds of each candidate before each block, and after the last."""
        state, alone = self.begin(x), self.alone(x)[:, 0]
        out = []
        for block, answer in zip(self.blocks, self.answer, strict=True):
            out.append(answer(state)[:, 0] + alone)
            state = block(state, pairs, torch.sigmoid(out[-1]))
        return [*out, self.last(state)[:, 0] + alone]

    def forward(self, x: Tensor, pairs: Tensor) -> Tensor:
        return self.answers(x, pairs)[-1]


class SceneMean(nn.Module):
    """The mean of the log odds of several scene nets, with a constant for each kind."""

    def __init__(self, members: Sequence[SceneNet], offsets: Sequence[float]) -> None:
        super().__init__()
        self.members = nn.ModuleList(members)
        self.register_buffer("offsets", torch.tensor(offsets))

    def forward(self, x: Tensor, pairs: Tensor) -> Tensor:
        by_kind = x[:, : len(KINDS)] @ self.get_buffer("offsets")
        return torch.stack([member(x, pairs) for member in self.members]).mean(dim=0) + by_kind

"""What `augment.scene_look` does to one picture on a processor, for a whole batch on an accelerator."""

from __future__ import annotations

import math
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

GREY: Final = (0.114, 0.587, 0.299)
"""Shares of blue, green and red in brightness."""
REACH: Final = 4
"""Blurring kernels reach this many pixels to each side."""


def scene_look(images: Tensor) -> Tensor:
    """Other lamps, colours, lenses and sensors. `images`: n x 3 x h x w, bytes, BGR; answers numbers from 0 to 1."""
    x = images.float() / 255
    x = blurred(lit(coloured(x)))
    x = torch.where(seldom(x, 0.2), shaded(x), x)
    return noisy(x).clamp(0, 1)


def seldom(x: Tensor, share: float) -> Tensor:
    """True for about so many of the pictures."""
    return torch.rand(len(x), 1, 1, 1, device=x.device) < share


def normal(x: Tensor, spread: float, channels: int = 1) -> Tensor:
    return spread * torch.randn(len(x), channels, 1, 1, device=x.device)


def uniform(x: Tensor, low: float, high: float) -> Tensor:
    return low + (high - low) * torch.rand(len(x), 1, 1, 1, device=x.device)


def coloured(x: Tensor) -> Tensor:
    """Another saturation, seldom none; another hue; seldom a negative."""
    grey = (x * x.new_tensor(GREY)[None, :, None, None]).sum(1, keepdim=True)
    saturation = torch.where(seldom(x, 0.06), torch.zeros_like(grey[:, :, :1, :1]), normal(x, 0.3).exp())
    tint = x - grey
    angle = torch.where(seldom(x, 0.25), uniform(x, -math.pi, math.pi), uniform(x, 0, 0))
    turned = torch.einsum("nij,njhw->nihw", about_grey(angle[:, 0, 0, 0]), tint)
    x = grey + saturation * turned
    return torch.where(seldom(x, 0.04), 1 - x, x)


def about_grey(angle: Tensor) -> Tensor:
    """Matrices that turn colours about the axis of greys (Rodrigues)."""
    a = 1 / math.sqrt(3)
    cross = angle.new_tensor([[0, -a, a], [a, 0, -a], [-a, a, 0]])
    along = angle.new_full((3, 3), 1 / 3)
    c, s = angle.cos()[:, None, None], angle.sin()[:, None, None]
    return c * torch.eye(3, device=angle.device) + s * cross + (1 - c) * along


def lit(x: Tensor, strength: float = 1.4) -> Tensor:
    """Exposure, white balance, contrast and gamma."""
    gains = (normal(x, 0.12 * strength, 3) + normal(x, 0.15 * strength)).exp()
    gamma = normal(x, 0.18 * strength).exp()
    return (x.clamp(0, 1) ** gamma * gains + normal(x, 8 / 255 * strength)).clamp(0, 1)


def blurred(x: Tensor) -> Tensor:
    """A third is blurred, a sixth sharpened, the others stay."""
    far = seldom(x, 0.08)
    spread = torch.where(far, uniform(x, 1.3, 2.4), uniform(x, 0.4, 1.3))
    amount = torch.where(
        far | seldom(x, 0.28), uniform(x, 1, 1), torch.where(seldom(x, 0.2), -uniform(x, 0.3, 1.2), 0.0)
    )
    steps = torch.arange(-REACH, REACH + 1, device=x.device).float()
    line = torch.softmax(-(steps**2)[None] / (2 * spread[:, 0, 0] ** 2), dim=1).repeat_interleave(3, dim=0)
    count, _, height, width = x.shape
    rows = functional.pad(x.reshape(1, 3 * count, height, width), [REACH] * 4, mode="reflect")
    soft = functional.conv2d(rows, line[:, None, None, :], groups=3 * count)
    soft = functional.conv2d(soft, line[:, None, :, None], groups=3 * count).reshape(x.shape)
    return (x + amount * (soft - x)).clamp(0, 1)


def shaded(x: Tensor) -> Tensor:
    """A soft shadow or a gleam across the picture."""
    angle, edge = uniform(x, 0, 2 * math.pi), uniform(x, 0.2, 0.8)
    down = torch.linspace(-0.5, 0.5, x.shape[2], device=x.device)[None, None, :, None]
    right = torch.linspace(-0.5, 0.5, x.shape[3], device=x.device)[None, None, None, :]
    along = right * angle.cos() + down * angle.sin() + 0.5
    return x * (1 + torch.sigmoid((along - edge) / uniform(x, 0.01, 0.3)) * uniform(x, -0.5, 0.4))


def noisy(x: Tensor) -> Tensor:
    """Two in five have the noise of a sensor, coloured or grey."""
    strength = torch.where(seldom(x, 0.4), uniform(x, 2 / 255, 9 / 255), uniform(x, 0, 0))
    noise = torch.randn_like(x)
    return x + strength * torch.where(seldom(x, 0.4), noise, noise[:, :1])

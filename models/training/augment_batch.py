"""`augment.augment_scene` for a whole batch on an accelerator."""

import math
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

GREY: Final = (0.114, 0.587, 0.299)
"""Weights of blue, green and red in brightness."""
RADIUS: Final = 4
"""Radius of the blur kernels in pixels."""


def augment_scenes(images: Tensor) -> Tensor:
    """Other lamps, colours, lenses and sensors. `images`: n x 3 x h x w, bytes, BGR; returns floats from 0 to 1."""
    x = images.float() / 255
    x = blur(change_light(change_colour(x)))
    x = torch.where(chosen(x, 0.2), add_shadow(x), x)
    return add_noise(x).clamp(0, 1)


def chosen(x: Tensor, share: float) -> Tensor:
    """Mask that is true for about this share of the images."""
    return torch.rand(len(x), 1, 1, 1, device=x.device) < share


def normal(x: Tensor, spread: float, channels: int = 1) -> Tensor:
    return spread * torch.randn(len(x), channels, 1, 1, device=x.device)


def uniform(x: Tensor, low: float, high: float) -> Tensor:
    return low + (high - low) * torch.rand(len(x), 1, 1, 1, device=x.device)


def change_colour(x: Tensor) -> Tensor:
    """Another saturation, seldom none; another hue; seldom inverted."""
    grey = (x * x.new_tensor(GREY)[None, :, None, None]).sum(1, keepdim=True)
    saturation = torch.where(chosen(x, 0.06), torch.zeros_like(grey[:, :, :1, :1]), normal(x, 0.3).exp())
    tint = x - grey
    angle = torch.where(chosen(x, 0.25), uniform(x, -math.pi, math.pi), uniform(x, 0, 0))
    turned = torch.einsum("nij,njhw->nihw", hue_rotation(angle[:, 0, 0, 0]), tint)
    x = grey + saturation * turned
    return torch.where(chosen(x, 0.04), 1 - x, x)


def hue_rotation(angle: Tensor) -> Tensor:
    """Matrices that rotate colours about the grey axis (Rodrigues)."""
    a = 1 / math.sqrt(3)
    cross = angle.new_tensor([[0, -a, a], [a, 0, -a], [-a, a, 0]])
    along = angle.new_full((3, 3), 1 / 3)
    c, s = angle.cos()[:, None, None], angle.sin()[:, None, None]
    return c * torch.eye(3, device=angle.device) + s * cross + (1 - c) * along


def change_light(x: Tensor, strength: float = 1.4) -> Tensor:
    """Exposure, white balance, contrast and gamma."""
    gains = (normal(x, 0.12 * strength, 3) + normal(x, 0.15 * strength)).exp()
    gamma = normal(x, 0.18 * strength).exp()
    return (x.clamp(0, 1) ** gamma * gains + normal(x, 8 / 255 * strength)).clamp(0, 1)


def blur(x: Tensor) -> Tensor:
    """A third is blurred, a sixth sharpened, the others unchanged."""
    far = chosen(x, 0.08)
    spread = torch.where(far, uniform(x, 1.3, 2.4), uniform(x, 0.4, 1.3))
    amount = torch.where(
        far | chosen(x, 0.28), uniform(x, 1, 1), torch.where(chosen(x, 0.2), -uniform(x, 0.3, 1.2), 0.0)
    )
    steps = torch.arange(-RADIUS, RADIUS + 1, device=x.device).float()
    line = torch.softmax(-(steps**2)[None] / (2 * spread[:, 0, 0] ** 2), dim=1).repeat_interleave(3, dim=0)
    count, _, height, width = x.shape
    rows = functional.pad(x.reshape(1, 3 * count, height, width), [RADIUS] * 4, mode="reflect")
    soft = functional.conv2d(rows, line[:, None, None, :], groups=3 * count)
    soft = functional.conv2d(soft, line[:, None, :, None], groups=3 * count).reshape(x.shape)
    return (x + amount * (soft - x)).clamp(0, 1)


def add_shadow(x: Tensor) -> Tensor:
    """A soft shadow or highlight across the image."""
    angle, edge = uniform(x, 0, 2 * math.pi), uniform(x, 0.2, 0.8)
    down = torch.linspace(-0.5, 0.5, x.shape[2], device=x.device)[None, None, :, None]
    right = torch.linspace(-0.5, 0.5, x.shape[3], device=x.device)[None, None, None, :]
    along = right * angle.cos() + down * angle.sin() + 0.5
    return x * (1 + torch.sigmoid((along - edge) / uniform(x, 0.01, 0.3)) * uniform(x, -0.5, 0.4))


def add_noise(x: Tensor) -> Tensor:
    """Sensor noise, coloured or grey, in two images of five."""
    strength = torch.where(chosen(x, 0.4), uniform(x, 2 / 255, 9 / 255), uniform(x, 0, 0))
    noise = torch.randn_like(x)
    return x + strength * torch.where(chosen(x, 0.4), noise, noise[:, :1])

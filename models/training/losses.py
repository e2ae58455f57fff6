"""How wrong an answer is."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from vision.detect.channels import COIN, DIE, HAND, HEAT, SQUARE, STANDING
from vision.detect.outline_heads import CLASS, FLAT
from vision.detect.outline_heads import STANDING as OUTLINE_STANDING
from vision.identify.dice import ASKED
from vision.identify.heads import HEADS, SOFTMAX

RARITY = (1.0, 1.0, 2.0, 2.0, 2.0, 1.0)
"""Dice, pawns and pyramids are few: each counts double."""
GROUP_SLICES = (SQUARE, COIN, DIE, STANDING)


def heat_loss(logits: Tensor, heat: Tensor, care: Tensor) -> Tensor:
    """Penalty-reduced focal loss: the closer to a true centre, the cheaper a false one."""
    chance = torch.sigmoid(logits).clamp(1e-4, 1 - 1e-4)
    centre = (heat > 0.999).float() * care
    hit = -torch.log(chance) * (1 - chance) ** 2 * centre
    miss = -torch.log(1 - chance) * chance**2 * (1 - heat) ** 4 * care * (1 - centre)
    rare = logits.new_tensor(RARITY)[None, :, None, None]
    total: Tensor = ((hit + miss) * rare).sum() / (centre * rare).sum().clamp(min=1)
    return total


def mask_loss(logits: Tensor, mask: Tensor) -> Tensor:
    """Cross-entropy and overlap, kind by kind."""
    even = functional.binary_cross_entropy_with_logits(logits, mask)
    chance = torch.sigmoid(logits)
    both = (chance * mask).sum(dim=(0, 2, 3))
    overlap = 2 * both / (chance.sum(dim=(0, 2, 3)) + mask.sum(dim=(0, 2, 3)) + 1)
    there = (mask.sum(dim=(0, 2, 3)) > 0).float()
    return 2 * even + ((1 - overlap) * there).sum() / there.sum().clamp(min=1)


def cell_loss(out: Tensor, group: int, cells: dict[str, Tensor]) -> Tensor:
    """Geometry at the cells round true centres, measured in the piece's own size."""
    if not len(cells["batch"]):
        return out.sum() * 0
    got = out[cells["batch"], GROUP_SLICES[group], cells["row"], cells["column"]]
    want, size = cells["numbers"], cells["size"][:, None]
    offset = functional.smooth_l1_loss(got[:, :2], want[:, :2], beta=0.25)
    last = 5 if group in (0, 2) else want.shape[1]
    form = functional.smooth_l1_loss(got[:, 2:last] / size, want[:, 2:last] / size, beta=0.03)
    phase = functional.smooth_l1_loss(got[:, 5:], want[:, 5:], beta=0.1) if group in (0, 2) else out.new_zeros(())
    return 0.5 * offset + form + 0.3 * phase  # rough is enough: the outliner looks again


def finder_loss(out: Tensor, mask: Tensor, batch: dict[str, Tensor]) -> dict[str, Tensor]:
    parts = {"heat": heat_loss(out[:, HEAT], batch["heat"].float(), batch["care"].float())}
    parts["mask"] = mask_loss(torch.cat([mask, out[:, HAND : HAND + 1]], dim=1), batch["mask"].float())
    for group, name in enumerate(("square", "coin", "die", "standing")):
        mine = batch["group"] == group
        width = GROUP_SLICES[group].stop - GROUP_SLICES[group].start
        cells = {key: batch[key][mine] for key in ("batch", "row", "column", "size")}
        cells["numbers"] = batch["numbers"][mine][:, :width]
        parts[name] = cell_loss(out, group, cells)
    return parts


def reader_loss(out: Tensor, labels: dict[str, Tensor]) -> dict[str, Tensor]:
    """Labels of -1 (or nan) are not asked for."""
    parts = {}
    for name in SOFTMAX:
        if bool((labels[name] >= 0).any()):
            parts[name] = functional.cross_entropy(
                out[:, HEADS[name]], labels[name], ignore_index=-1, label_smoothing=0.02
            )
    for name in ("turn coin", "point", "refine"):
        known = ~torch.isnan(labels[name])
        if bool(known.any()):
            gap = functional.smooth_l1_loss(out[:, HEADS[name]][known], labels[name][known], beta=0.05)
            parts[name] = gap * (4.0 if name == "refine" else 1.0)
    return parts


def outliner_loss(out: Tensor, labels: dict[str, Tensor]) -> dict[str, Tensor]:
    """The kind, and the outline of what is there; nan is not asked for."""
    parts = {"class": functional.cross_entropy(out[:, CLASS], labels["class"], label_smoothing=0.02)}
    for name, part, weight in (("flat", FLAT, 8.0), ("standing", OUTLINE_STANDING, 4.0)):
        known = ~torch.isnan(labels[name])
        if bool(known.any()):
            gap = functional.smooth_l1_loss(out[:, part][known], labels[name][known], beta=0.03)
            parts[name] = weight * gap
    return parts


def dice_loss(out: Tensor, labels: dict[str, Tensor]) -> dict[str, Tensor]:
    """Labels of -1 are not asked for."""
    return {
        head: functional.cross_entropy(out[:, part], labels[head], ignore_index=-1, label_smoothing=0.02)
        for head, part in ASKED.items()
    }


def likeness_loss(embedding: Tensor, group: Tensor, same: Tensor, sharpness: float = 10.0) -> Tensor:
    """Contrast within each edition and kind (`group`), as a lesson needs it: the same face, seen again, lies nearer
    than the edition's other faces. What other editions look like is no matter."""
    near = embedding @ embedding.T * sharpness
    own = torch.eye(len(same), dtype=torch.bool, device=same.device)
    among = (group[:, None] == group[None]) & ~own
    pairs = (same[:, None] == same[None]) & among
    log_chance = near - torch.logsumexp(near.masked_fill(~among, -1e4), dim=1, keepdim=True)
    asked = pairs.any(dim=1) & (among & ~pairs).any(dim=1)
    each = -(log_chance * pairs).sum(dim=1)[asked] / pairs.sum(dim=1)[asked]
    return each.mean() if len(each) else embedding.sum() * 0

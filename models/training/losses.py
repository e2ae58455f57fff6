"""Loss functions of the nets."""

import torch
from torch import Tensor
from torch.nn import functional

from vision.detect.channels import COIN, DIE, HAND, HEAT, SQUARE, STANDING
from vision.detect.outliner import CLASS, FLAT
from vision.detect.outliner import STANDING as OUTLINE_STANDING
from vision.identify.dice import HEADS as DICE_HEADS
from vision.identify.heads import HEADS, SOFTMAX

KIND_WEIGHTS = (1.0, 1.0, 2.0, 2.0, 2.0, 1.0)
"""Weight of each kind in the heat loss: dice, pawns and pyramids are rare."""
INVERSE_TEMPERATURE = 10.0
"""Factor of the similarities of embeddings."""
GROUP_SLICES = (SQUARE, COIN, DIE, STANDING)


def heat_loss(logits: Tensor, heat: Tensor, mask: Tensor) -> Tensor:
    """Penalty-reduced focal loss: false centres cost less the closer they are to a true one."""
    probability = torch.sigmoid(logits).clamp(1e-4, 1 - 1e-4)
    centre = (heat > 0.999).float() * mask
    hit = -torch.log(probability) * (1 - probability) ** 2 * centre
    miss = -torch.log(1 - probability) * probability**2 * (1 - heat) ** 4 * mask * (1 - centre)
    rare = logits.new_tensor(KIND_WEIGHTS)[None, :, None, None]
    return ((hit + miss) * rare).sum() / (centre * rare).sum().clamp(min=1)


def mask_loss(logits: Tensor, mask: Tensor) -> Tensor:
    """Cross-entropy, and Dice loss kind by kind."""
    entropy = functional.binary_cross_entropy_with_logits(logits, mask)
    probability = torch.sigmoid(logits)
    both = (probability * mask).sum(dim=(0, 2, 3))
    overlap = 2 * both / (probability.sum(dim=(0, 2, 3)) + mask.sum(dim=(0, 2, 3)) + 1)
    present = (mask.sum(dim=(0, 2, 3)) > 0).float()
    return 2 * entropy + ((1 - overlap) * present).sum() / present.sum().clamp(min=1)


def cell_loss(out: Tensor, group: int, cells: dict[str, Tensor]) -> Tensor:
    """Geometry loss at the cells around true centres, in shares of the piece's size."""
    if not len(cells["batch"]):
        return out.sum() * 0
    output = out[cells["batch"], GROUP_SLICES[group], cells["row"], cells["column"]]
    target, size = cells["numbers"], cells["size"][:, None]
    offset = functional.smooth_l1_loss(output[:, :2], target[:, :2], beta=0.25)
    last = 5 if group in (0, 2) else target.shape[1]
    form = functional.smooth_l1_loss(output[:, 2:last] / size, target[:, 2:last] / size, beta=0.03)
    phase = functional.smooth_l1_loss(output[:, 5:], target[:, 5:], beta=0.1) if group in (0, 2) else out.new_zeros(())
    return 0.5 * offset + form + 0.3 * phase  # rough is enough: the outliner refines it


def finder_loss(out: Tensor, mask: Tensor, batch: dict[str, Tensor]) -> dict[str, Tensor]:
    parts = {"heat": heat_loss(out[:, HEAT], batch["heat"].float(), batch["care"].float())}
    parts["mask"] = mask_loss(torch.cat([mask, out[:, HAND : HAND + 1]], dim=1), batch["mask"].float())
    for group, name in enumerate(("square", "coin", "die", "standing")):
        in_group = batch["group"] == group
        width = GROUP_SLICES[group].stop - GROUP_SLICES[group].start
        cells = {key: batch[key][in_group] for key in ("batch", "row", "column", "size")}
        cells["numbers"] = batch["numbers"][in_group][:, :width]
        parts[name] = cell_loss(out, group, cells)
    return parts


def reader_loss(out: Tensor, labels: dict[str, Tensor]) -> dict[str, Tensor]:
    """Losses by head; labels of -1 (or nan) are ignored."""
    parts = {}
    for name in SOFTMAX:
        if bool((labels[name] >= 0).any()):
            parts[name] = functional.cross_entropy(
                out[:, HEADS[name]], labels[name], ignore_index=-1, label_smoothing=0.02
            )
    for name, weight in (("turn coin", 1.0), ("point", 1.0), ("refine", 4.0)):
        parts |= regression_loss(name, out[:, HEADS[name]], labels[name], beta=0.05, weight=weight)
    return parts


def regression_loss(name: str, out: Tensor, label: Tensor, beta: float, weight: float) -> dict[str, Tensor]:
    """Smooth L1 loss where labels are known; empty where none is."""
    known = ~torch.isnan(label)
    if not bool(known.any()):
        return {}
    return {name: weight * functional.smooth_l1_loss(out[known], label[known], beta=beta)}


def outliner_loss(out: Tensor, labels: dict[str, Tensor]) -> dict[str, Tensor]:
    """Losses of the kind and of the outline; labels of nan are ignored."""
    parts = {"class": functional.cross_entropy(out[:, CLASS], labels["class"], label_smoothing=0.02)}
    for name, part, weight in (("flat", FLAT, 8.0), ("standing", OUTLINE_STANDING, 4.0)):
        parts |= regression_loss(name, out[:, part], labels[name], beta=0.03, weight=weight)
    return parts


def dice_loss(out: Tensor, labels: dict[str, Tensor]) -> dict[str, Tensor]:
    """Losses by head; labels of -1 are ignored."""
    return {
        head: functional.cross_entropy(out[:, part], labels[head], ignore_index=-1, label_smoothing=0.02)
        for head, part in DICE_HEADS.items()
    }


def likeness_loss(embedding: Tensor, group: Tensor, same: Tensor) -> Tensor:
    """Contrastive loss within each edition and kind (`group`), as a lesson needs it: embeddings of the same face are to
    be nearer than those of the edition's other faces. Other editions have no influence."""
    similarity = embedding @ embedding.T * INVERSE_TEMPERATURE
    diagonal = torch.eye(len(same), dtype=torch.bool, device=same.device)
    is_candidate = (group[:, None] == group[None]) & ~diagonal
    is_pair = (same[:, None] == same[None]) & is_candidate
    log_probability = similarity - torch.logsumexp(similarity.masked_fill(~is_candidate, -1e4), dim=1, keepdim=True)
    is_valid = is_pair.any(dim=1) & (is_candidate & ~is_pair).any(dim=1)
    losses = -(log_probability * is_pair).sum(dim=1)[is_valid] / is_pair.sum(dim=1)[is_valid]
    return losses.mean() if len(losses) else embedding.sum() * 0

"""Export of checkpoints as ONNX files with their registry."""

import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import torch
from torch import nn

from models.training.net import DiceNet, FinderNet, OutlinerNet, ReaderNet, SceneMean
from models.training.registry import digest, registry_of
from vision.detect.channels import KINDS
from vision.detect.outliner import CLASSES as OUTLINER_CLASSES
from vision.detect.outliner import CLOSE
from vision.identify.dice import SIDE as DICE_SIDE
from vision.identify.heads import CLASSES, CROP, HEADS, POSES, SIZES, SUITS, VALUES
from vision.nets import WEIGHTS
from vision.scene import FEATURES, RELATIONS

ANSWERS: Final = {"suit": SUITS, "value": VALUES, "class": CLASSES, "size": SIZES, "pose": POSES}


@dataclass(frozen=True, slots=True)
class NetSpec:
    """How a net is made and exported: its maker, side of its input (None: any size), and labels by head."""

    net: Callable[[], nn.Module]
    side: int | None
    labels: Mapping[str, Iterable[str]]


NETS: Final[Mapping[str, NetSpec]] = {
    "finder": NetSpec(FinderNet, None, {"kind": KINDS}),
    "outliner": NetSpec(OutlinerNet, CLOSE, {"class": OUTLINER_CLASSES}),
    "reader": NetSpec(ReaderNet, CROP, {head: ANSWERS.get(head.split()[0], ()) for head in HEADS}),
    "dice": NetSpec(DiceNet, DICE_SIDE, {"value die": VALUES, "suit die": SUITS}),
}


def averaged(net: nn.Module, checkpoint: Path) -> nn.Module:
    """`net` with the averaged weights of a checkpoint, for inference."""
    net.load_state_dict(torch.load(checkpoint, weights_only=True)["average"], strict=False)
    return net.eval()


def mean_of(shares: Mapping[Path, float], path: Path) -> None:
    """Write the weighted mean of several checkpoints; integer tensors stay as in the first."""
    weights = {each: torch.load(each, map_location="cpu", weights_only=True)["average"] for each in shares}
    total = sum(shares.values())
    mean = {
        name: sum(share / total * weights[each][name].float() for each, share in shares.items()).to(value.dtype)
        if value.is_floating_point()
        else value
        for name, value in next(iter(weights.values())).items()
    }
    torch.save(without_optimiser(mean), path)


def without_optimiser(average: Mapping[str, torch.Tensor]) -> dict[str, Any]:
    """A checkpoint of weights alone, to be exported or trained on."""
    return {"net": average, "average": average, "optimiser": {"state": {}, "param_groups": []}, "step": 0}


def write(net: nn.Module, examples: tuple[torch.Tensor, ...], path: Path, axes: dict[str, dict[int, str]]) -> None:
    """Write a net as an ONNX file; `axes`: names of the dynamic axes of each input."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            net, examples, str(path), input_names=list(axes), dynamo=False, dynamic_axes=axes, opset_version=17
        )


def net_of(checkpoint: Path) -> str:
    """Checkpoints are called `finder-NAME.pt`."""
    return checkpoint.stem.split("-")[0]


def export_all(checkpoints: Iterable[Path], folder: Path = WEIGHTS, recipe: str | None = None) -> None:
    """Export the nets that have a checkpoint, with their registry entries; temperatures are kept. `recipe`: checksum of
    the recipe that made them, where one was followed."""
    folder.mkdir(parents=True, exist_ok=True)
    with registry_of(folder) as registry:
        for checkpoint in checkpoints:
            if checkpoint.exists():
                name = net_of(checkpoint)
                temperatures = registry.get(name, {}).get("temperatures", {})
                entry = export(name, checkpoint, folder / f"{name}.onnx")
                registry[name] = entry | {"temperatures": temperatures, "recipe": recipe}


def export(name: str, checkpoint: Path, path: Path) -> dict[str, Any]:
    """Write a checkpoint's net as an ONNX file; returns its registry entry."""
    spec = NETS[name]
    net, side = averaged(spec.net(), checkpoint), spec.side
    if side is None:
        write(net, (torch.zeros(1, 3, 736, 1280),), path, {"x": {0: "n", 2: "h", 3: "w"}})
    else:
        write(net, (torch.zeros(2, 3, side, side),), path, {"x": {0: "n"}})
    labels = {head: list(names) for head, names in spec.labels.items()}
    return {"file": path.name, "sha256": digest(path), "input_size": side and [side, side], "labels": labels}


def write_scene(net: SceneMean, folder: Path) -> None:
    """Export a scene net with its registry entry, which names the recipe of the nets whose candidates it knows."""
    path = folder / "scene.onnx"
    axes = {"x": {0: "n"}, "pairs": {0: "n", 1: "n"}}
    write(net, (torch.zeros(3, FEATURES), torch.zeros(3, 3, RELATIONS)), path, axes)
    entry = {"file": path.name, "sha256": digest(path), "input_size": None, "labels": {"kind": list(KINDS)}}
    with registry_of(folder) as registry:
        registry["scene"] = entry | {"temperatures": {}, "recipe": registry["reader"]["recipe"]}

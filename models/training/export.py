"""From checkpoints to the shipped ONNX files and their registry."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import torch
from torch import nn

from models.training.net import DiceNet, FinderNet, OutlinerNet, ReaderNet
from vision.detect.channels import KINDS
from vision.detect.outline_heads import CLASSES as CLASSES_OF_OUTLINES
from vision.detect.outline_heads import CLOSE
from vision.identify.dice import SIDE as SIDE_OF_DICE
from vision.identify.heads import CLASSES, CROP, HEADS, POSES, SIZES, SUITS, VALUES
from vision.nets import WEIGHTS


def averaged(net: nn.Module, checkpoint: Path) -> nn.Module:
    net.load_state_dict(torch.load(checkpoint, weights_only=True)["average"], strict=False)
    return net.eval()


def mean_of(shares: Mapping[Path, float], path: Path) -> None:
    """Weights between those of several checkpoints; what is no number of fractions stays as the first has it."""
    of = {each: torch.load(each, map_location="cpu", weights_only=True)["average"] for each in shares}
    first = next(iter(of.values()))
    total = sum(shares.values())
    mean = {
        name: sum(share / total * of[each][name].float() for each, share in shares.items()).to(value.dtype)
        if value.is_floating_point()
        else value
        for name, value in first.items()
    }
    torch.save(light(mean), path)


def light(average: Mapping[str, torch.Tensor]) -> dict[str, Any]:
    """A checkpoint without momentum: a net to be exported or trained on."""
    return {"net": average, "average": average, "optimiser": {"state": {}, "param_groups": []}, "step": 0}


def write(net: nn.Module, example: torch.Tensor, path: Path, axes: dict[str, dict[int, str]]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            net, (example,), str(path), input_names=["x"], dynamo=False, dynamic_axes=axes, opset_version=17
        )


def reader_labels() -> dict[str, list[str]]:
    words = {"suit": SUITS, "value": VALUES, "class": CLASSES, "size": SIZES, "pose": POSES}
    return {name: list(words.get(name.split()[0], ())) for name in HEADS}


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def entry(path: Path, **more: Any) -> dict[str, Any]:
    return {"file": path.name, "sha256": digest(path), **more}


def net_of(checkpoint: Path) -> str:
    """Checkpoints are called `finder-NAME.pt`."""
    return checkpoint.stem.split("-")[0]


def export_all(checkpoints: Iterable[Path], folder: Path = WEIGHTS, recipe: str | None = None) -> None:
    """The nets that have a checkpoint, with what the registry says of them; the reader keeps its temperatures.
    `recipe`: checksum of the recipe that they were made by, where one was followed."""
    folder.mkdir(parents=True, exist_ok=True)
    listing = folder / "registry.json"
    known = json.loads(listing.read_text()) if listing.exists() else {}
    for checkpoint in checkpoints:
        if checkpoint.exists():
            name = net_of(checkpoint)
            old = known.get(name, {}).get("temperatures", {})
            made = EXPORTS[name](checkpoint, folder / f"{name}.onnx")
            known[name] = made | {"temperatures": old, "recipe": recipe}
    listing.write_text(json.dumps(known, indent=1) + "\n")


def export_finder(checkpoint: Path, path: Path) -> dict[str, Any]:
    write(averaged(FinderNet(), checkpoint), torch.zeros(1, 3, 736, 1280), path, {"x": {0: "n", 2: "h", 3: "w"}})
    return entry(path, input_size=None, labels={"kind": list(KINDS)})


def export_outliner(checkpoint: Path, path: Path) -> dict[str, Any]:
    write(averaged(OutlinerNet(), checkpoint), torch.zeros(2, 3, CLOSE, CLOSE), path, {"x": {0: "n"}})
    return entry(path, input_size=[CLOSE, CLOSE], labels={"class": list(CLASSES_OF_OUTLINES)})


def export_reader(checkpoint: Path, path: Path) -> dict[str, Any]:
    write(averaged(ReaderNet(), checkpoint), torch.zeros(2, 3, CROP, CROP), path, {"x": {0: "n"}})
    return entry(path, input_size=[CROP, CROP], labels=reader_labels())


def export_dice(checkpoint: Path, path: Path) -> dict[str, Any]:
    write(averaged(DiceNet(), checkpoint), torch.zeros(2, 3, SIDE_OF_DICE, SIDE_OF_DICE), path, {"x": {0: "n"}})
    labels = {"value die": list(VALUES), "suit die": list(SUITS)}
    return entry(path, input_size=[SIDE_OF_DICE, SIDE_OF_DICE], labels=labels)


EXPORTS: Final[dict[str, Callable[[Path, Path], dict[str, Any]]]] = {
    "finder": export_finder,
    "outliner": export_outliner,
    "reader": export_reader,
    "dice": export_dice,
}

"""From checkpoints to the shipped ONNX files and their registry."""

from __future__ import annotations

import hashlib
import json
import warnings
from pathlib import Path
from typing import Any

import torch
from torch import nn

from models.registry import WEIGHTS
from models.training.net import Finder, Marker, Outliner, Reader
from vision.detect.channels import KINDS
from vision.detect.outline_heads import CLASSES as CLASSES_OF_OUTLINES
from vision.detect.outline_heads import CLOSE
from vision.identify.heads import CLASSES, CROP, HEADS, POSES, SIZES, SUITS, VALUES
from vision.identify.marks import SIDE


def averaged(net: nn.Module, checkpoint: Path) -> nn.Module:
    net.load_state_dict(torch.load(checkpoint, weights_only=True)["average"], strict=False)
    return net.eval()


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


def export_all(finder: Path, outliner: Path, reader: Path, marker: Path, folder: Path = WEIGHTS) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    listing = folder / "registry.json"
    before = json.loads(listing.read_text()) if listing.exists() else {}
    known = dict(before)
    if finder.exists():
        path = folder / "finder.onnx"
        axes = {"x": {0: "n", 2: "h", 3: "w"}}
        write(averaged(Finder(), finder), torch.zeros(1, 3, 736, 1280), path, axes)
        known["finder"] = entry(path, input_size=None, labels={"kind": list(KINDS)}, temperatures={})
    if outliner.exists():
        path = folder / "outliner.onnx"
        write(averaged(Outliner(), outliner), torch.zeros(2, 3, CLOSE, CLOSE), path, {"x": {0: "n"}})
        known["outliner"] = entry(
            path, input_size=[CLOSE, CLOSE], labels={"class": list(CLASSES_OF_OUTLINES)}, temperatures={}
        )
    if reader.exists():
        path = folder / "reader.onnx"
        write(averaged(Reader(), reader), torch.zeros(2, 3, CROP, CROP), path, {"x": {0: "n"}})
        old = before.get("reader", {}).get("temperatures", {})
        known["reader"] = entry(path, input_size=[CROP, CROP], labels=reader_labels(), temperatures=old)
    if marker.exists():
        path = folder / "marker.onnx"
        write(averaged(Marker(), marker), torch.zeros(2, 3, SIDE, SIDE), path, {"x": {0: "n"}})
        known["marker"] = entry(path, input_size=[SIDE, SIDE], labels={"mark": [*SUITS, "none"]}, temperatures={})
    listing.write_text(json.dumps(known, indent=1) + "\n")

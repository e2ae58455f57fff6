"""The shipped models: name -> file, checksum, labels and input size; opens and warms a session.

`weights/registry.json` is written by the export and read here, so a file and its description cannot drift apart:
a weight file whose checksum differs is refused.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import onnxruntime
from numpy.typing import NDArray

WEIGHTS: Final = Path(__file__).parent / "weights"

Array = NDArray[np.float32]


class ModelError(RuntimeError):
    """A model is missing, or not the one that the registry describes."""


@dataclass(frozen=True, slots=True)
class Model:
    """What is known of a shipped model without opening it."""

    name: str
    path: Path
    sha256: str
    input_size: tuple[int, int] | None
    """(width, height) if fixed; None where any multiple of 32 will do."""
    labels: Mapping[str, tuple[str, ...]]
    temperatures: Mapping[str, float]
    """What each head's answers are divided by so that its probabilities are honest."""


def models(folder: Path | None = None) -> dict[str, Model]:
    """The models of a folder; by default the shipped ones."""
    folder = folder or WEIGHTS
    listing = folder / "registry.json"
    if not listing.exists():
        raise ModelError("no models are installed: make them with `python -m models.training all`")
    return {name: _model(name, entry, folder) for name, entry in json.loads(listing.read_text()).items()}


def _model(name: str, entry: Mapping[str, object], folder: Path) -> Model:
    size, labels, temperatures = (entry.get(key) for key in ("input_size", "labels", "temperatures"))
    assert isinstance(labels, dict)
    assert isinstance(temperatures, dict)
    return Model(
        name=name,
        path=folder / str(entry["file"]),
        sha256=str(entry["sha256"]),
        input_size=(int(size[0]), int(size[1])) if isinstance(size, list) else None,
        labels={str(key): tuple(value) for key, value in labels.items()},
        temperatures={str(key): float(value) for key, value in temperatures.items()},
    )


def checked_bytes(model: Model) -> bytes:
    try:
        data = model.path.read_bytes()
    except FileNotFoundError:
        raise ModelError(f"{model.name}: {model.path.name} is missing") from None
    if hashlib.sha256(data).hexdigest() != model.sha256:
        raise ModelError(f"{model.name}: {model.path.name} is not the file that the registry describes")
    return data


class Session:
    """An open model. `run` takes one array and gives the outputs."""

    def __init__(self, model: Model, threads: int = 2) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self.model = model
        self._session = onnxruntime.InferenceSession(checked_bytes(model), options, providers=["CPUExecutionProvider"])

    def run(self, batch: Array) -> list[Array]:
        outputs: list[Array] = self._session.run(None, {"x": batch})
        return outputs


def open_session(name: str, threads: int = 2, folder: Path | None = None) -> Session:
    known = models(folder)
    if name not in known:
        raise ModelError(f"no model is called {name!r}; there are {', '.join(sorted(known))}")
    return Session(known[name], threads)

"""The shipped nets: name -> file, checksum, labels and input size; opens and warms a session.

`models/weights/registry.json` is written by the export and read here, so a file and its description cannot drift apart:
a weight file whose checksum differs is refused.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnxruntime
from numpy.typing import NDArray

WEIGHTS: Final = Path(__file__).parents[1] / "models" / "weights"

Array = NDArray[np.float32]

MOST_AT_ONCE: Final = 16
"""The memory of a look grows with how many things are worked on at once: 64 take 40 MB more, in the same time."""
_SHRINK_EVERY_S: Final = 60.0
_WHOLE_PICTURE: Final = 1_000_000
"""Numbers. What a net takes to work on a whole picture (30 MB) goes back at once: it costs a hundredth of a look."""
_AS_REQUESTED: Final = 1
_ARENA: Final = {
    "max_mem": 0,
    "arena_extend_strategy": _AS_REQUESTED,
    "initial_chunk_size_bytes": -1,
    "max_dead_bytes_per_chunk": -1,
}
"""0 and -1: the runtime's own choice."""


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


class _SharedArena:
    """One memory for the work of all sessions, which run one after the other. With one each, every session would keep
    the most that it ever needed; here the largest need is kept once, and given back now and then."""

    def __init__(self) -> None:
        memory = onnxruntime.OrtMemoryInfo(
            "Cpu", onnxruntime.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, onnxruntime.OrtMemType.DEFAULT
        )
        onnxruntime.create_and_register_allocator(memory, onnxruntime.OrtArenaCfg(_ARENA))
        self._shrinking = onnxruntime.RunOptions()
        self._shrinking.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
        self._shrunk_at = time.monotonic()

    def joined_by(self, options: Any) -> None:
        options.add_session_config_entry("session.use_env_allocators", "1")
        # A pattern for every size of batch that ever came costs memory and saves no time.
        options.enable_mem_pattern = False

    def options(self, numbers: int) -> Any | None:
        """For a run on so many numbers; after some of them what is free is given back."""
        if numbers < _WHOLE_PICTURE and time.monotonic() - self._shrunk_at < _SHRINK_EVERY_S:
            return None
        self._shrunk_at = time.monotonic()
        return self._shrinking


@cache
def _arena() -> _SharedArena:
    return _SharedArena()


EXACT: Final = ("session.x64quantprecision", "1")
"""Processors without VNNI (most of before 2020) add up products of eight bits in sixteen, and what is too large is cut
off: pieces are misread. They are to add exactly, in twice the time."""
VNNI: Final = ("avx512_vnni", "avx_vnni")
"""Processors with one of these add exactly by themselves."""
PROCESSOR: Final = Path("/proc/cpuinfo")


@cache
def adds_exactly() -> bool:
    """Whether the processor is known to; of other systems than Linux nothing is known."""
    try:
        listing = PROCESSOR.read_text()
    except OSError:
        return False
    flags = next((line for line in listing.splitlines() if line.startswith("flags")), "")
    return not set(flags.split()).isdisjoint(VNNI)


class OpenModel:
    """An open model. `run` takes one array and gives the outputs."""

    def __init__(self, model: Model, threads: int = 2, instead: bytes | None = None) -> None:
        """`instead`: a file to run in the place of the one that the registry describes."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        # Threads that wait by spinning keep the cores from what is done between two nets: a look takes twice as long.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        if not adds_exactly():
            options.add_session_config_entry(*EXACT)
        options.log_severity_level = 3
        self.model = model
        self._arena = _arena()
        self._arena.joined_by(options)
        checked_bytes(model)
        # by its path: of bytes the session would keep a copy for as long as it lives
        try:
            self._session = onnxruntime.InferenceSession(
                instead or str(model.path), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # onnxruntime's own have no class in common
            raise ModelError(f"{model.name}: its file cannot be opened ({type(error).__name__})") from error

    def run(self, batch: Array) -> list[Array]:
        if len(batch) <= MOST_AT_ONCE:
            return self._run(batch)
        parts = [self._run(batch[at : at + MOST_AT_ONCE]) for at in range(0, len(batch), MOST_AT_ONCE)]
        return [np.concatenate(outputs) for outputs in zip(*parts, strict=True)]

    def _run(self, batch: Array) -> list[Array]:
        outputs: list[Array] = self._session.run(None, {"x": batch}, self._arena.options(batch.size))
        return outputs


def open_session(name: str, threads: int = 2, folder: Path | None = None, instead: bytes | None = None) -> OpenModel:
    known = models(folder)
    if name not in known:
        raise ModelError(f"no model is called {name!r}; there are {', '.join(sorted(known))}")
    return OpenModel(known[name], threads, instead)

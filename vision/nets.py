"""The shipped nets: file, checksum, labels and input size by name; opens sessions.

`models/weights/registry.json` is written by the export and read here, so a file and its description cannot drift apart:
a weight file with another checksum is refused."""

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

MAX_BATCH: Final = 16
"""Largest batch of a run. Memory grows with the batch: 64 take 40 MB more, in the same time."""
_SHRINK_EVERY_S: Final = 60.0
_LARGE_INPUT: Final = 1_000_000
"""Input size in numbers above which the run's memory (30 MB for a whole picture) is returned at once; it costs a
hundredth of a look."""
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
    """Registry entry of a model."""

    name: str
    path: Path
    sha256: str
    input_size: tuple[int, int] | None
    """(width, height) if fixed; None if any multiple of 32 is accepted."""
    labels: Mapping[str, tuple[str, ...]]
    temperatures: Mapping[str, float]
    """Divisors of each head's logits that calibrate its probabilities, and fitted weights of evidence."""


def models(folder: Path | None = None) -> dict[str, Model]:
    """The models of a folder, by default the shipped ones."""
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
    """One memory arena for all sessions, which run one after the other. With one each, every session would keep its own
    maximum; here the largest is kept once, and returned now and then."""

    def __init__(self) -> None:
        memory = onnxruntime.OrtMemoryInfo(
            "Cpu", onnxruntime.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, onnxruntime.OrtMemType.DEFAULT
        )
        onnxruntime.create_and_register_allocator(memory, onnxruntime.OrtArenaCfg(_ARENA))
        self._shrink_options = onnxruntime.RunOptions()
        self._shrink_options.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
        self._shrunk_at = time.monotonic()

    def configure(self, options: Any) -> None:
        """Set the options of a session to use this arena."""
        options.add_session_config_entry("session.use_env_allocators", "1")
        # A memory pattern for each batch size costs memory and saves no time.
        options.enable_mem_pattern = False

    def run_options(self, input_size: int) -> Any | None:
        """Options of a run on this many numbers; some runs return free memory."""
        if input_size < _LARGE_INPUT and time.monotonic() - self._shrunk_at < _SHRINK_EVERY_S:
            return None
        self._shrunk_at = time.monotonic()
        return self._shrink_options


@cache
def _arena() -> _SharedArena:
    return _SharedArena()


EXACT_ARITHMETIC: Final = ("session.x64quantprecision", "1")
"""Processors without VNNI (most from before 2020) accumulate 8-bit products in 16 bits with saturation, which misreads
pieces. This selects exact accumulation, in twice the time."""
VNNI: Final = ("avx512_vnni", "avx_vnni")
"""Processor flags of exact accumulation."""
PROCESSOR: Final = Path("/proc/cpuinfo")


@cache
def has_vnni() -> bool:
    """Whether the processor is known to accumulate exactly; on other systems than Linux it is unknown."""
    try:
        listing = PROCESSOR.read_text()
    except OSError:
        return False
    flags = next((line for line in listing.splitlines() if line.startswith("flags")), "")
    return not set(flags.split()).isdisjoint(VNNI)


class OpenModel:
    """An open model. `run` takes one batch and returns the outputs."""

    def __init__(self, model: Model, threads: int = 2, instead: bytes | None = None) -> None:
        """`instead`: file content to run instead of the registered file."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        # Spinning threads block the cores between two nets: a look takes twice as long.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        if not has_vnni():
            options.add_session_config_entry(*EXACT_ARITHMETIC)
        options.log_severity_level = 3
        self.model = model
        self._arena = _arena()
        self._arena.configure(options)
        checked_bytes(model)
        # by path: a session keeps a copy of bytes for its whole life
        try:
            self._session = onnxruntime.InferenceSession(
                instead or str(model.path), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # onnxruntime's own have no class in common
            raise ModelError(f"{model.name}: its file cannot be opened ({type(error).__name__})") from error

    def run(self, batch: Array) -> list[Array]:
        if len(batch) <= MAX_BATCH:
            return self.run_whole({"x": batch})
        parts = [self.run_whole({"x": batch[at : at + MAX_BATCH]}) for at in range(0, len(batch), MAX_BATCH)]
        return [np.concatenate(outputs) for outputs in zip(*parts, strict=True)]

    def run_whole(self, inputs: Mapping[str, Array]) -> list[Array]:
        """The outputs for inputs that are not split."""
        size = sum(each.size for each in inputs.values())
        return list(self._session.run(None, dict(inputs), self._arena.run_options(size)))


def open_session(name: str, threads: int = 2, folder: Path | None = None, instead: bytes | None = None) -> OpenModel:
    known = models(folder)
    if name not in known:
        raise ModelError(f"no model is called {name!r}; there are {', '.join(sorted(known))}")
    return OpenModel(known[name], threads, instead)

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from vision import nets


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "net.onnx").write_bytes(b"weights")
    entry = {
        "file": "net.onnx",
        "sha256": hashlib.sha256(b"weights").hexdigest(),
        "input_size": [64, 64],
        "labels": {"suit": ["suns"]},
        "temperatures": {"suit": 1.5},
    }
    (tmp_path / "registry.json").write_text(json.dumps({"net": entry}))
    monkeypatch.setattr(nets, "WEIGHTS", tmp_path)
    return tmp_path


def test_an_entry_tells_all_about_a_model(folder: Path) -> None:
    model = nets.models()["net"]
    assert model.input_size == (64, 64)
    assert model.labels == {"suit": ("suns",)}
    assert model.temperatures == {"suit": 1.5}
    assert nets.checked_bytes(model) == b"weights"


def test_a_changed_file_is_refused(folder: Path) -> None:
    (folder / "net.onnx").write_bytes(b"other weights")
    with pytest.raises(nets.ModelError, match="not the file"):
        nets.checked_bytes(nets.models()["net"])


def test_a_missing_file_and_a_missing_registry(folder: Path) -> None:
    (folder / "net.onnx").unlink()
    with pytest.raises(nets.ModelError, match="missing"):
        nets.checked_bytes(nets.models()["net"])
    (folder / "registry.json").unlink()
    with pytest.raises(nets.ModelError, match="no models"):
        nets.models()


def test_an_unknown_name_lists_the_known_ones(folder: Path) -> None:
    with pytest.raises(nets.ModelError, match="net"):
        nets.open_session("nothing")


def test_a_large_batch_is_worked_on_in_parts_with_the_same_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    net = nets.open_session("outliner")
    _, channels, rows, columns = net._session.get_inputs()[0].shape
    batch = np.random.default_rng(3).random((23, channels, rows, columns), np.float32)
    whole = net.run(batch)
    monkeypatch.setattr(nets, "MAX_BATCH", 8)
    for together, apart in zip(whole, net.run(batch), strict=True):
        assert together.shape == apart.shape
        assert np.allclose(together, apart, atol=1e-4)


def test_the_runtime_of_the_nets_tells_nobody_anything(tmp_path: Path) -> None:
    """Untold, it makes itself a device number, a list of what is to be sent, and a line to its makers. Under CI it
    does not, so CI is taken away."""
    told = {name: value for name, value in os.environ.items() if name not in ("CI", "ORT_DISABLE_TELEMETRY")}
    code = "import onnxruntime; from pathlib import Path; "
    code += f"WEIGHTS = Path({str(nets.WEIGHTS)!r}); "
    code += "onnxruntime.InferenceSession(str(next(WEIGHTS.glob('*.onnx'))), providers=['CPUExecutionProvider'])"
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}

    def left_behind(code: str) -> list[Path]:
        subprocess.run([sys.executable, "-c", code], env=told | home, check=True, timeout=120)
        return [path for path in tmp_path.rglob("*") if path.is_file()]

    assert left_behind(f"import vision; {code}") == []
    assert left_behind(code), "this runtime tells nobody by itself: the test above shows nothing"


@pytest.mark.parametrize(
    ("flags", "exactly"),
    [("sse4_2 avx2 avx512f", False), ("avx512f avx512_vnni", True), ("avx2 avx_vnni", True), ("", False)],
)
def test_processors_with_vnni_need_not_be_told_to_add_exactly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flags: str, exactly: bool
) -> None:
    listing = tmp_path / "cpuinfo"
    listing.write_text(f"processor\t: 0\nflags\t\t: fpu {flags}\nbugs\t\t:\n")
    monkeypatch.setattr(nets, "PROCESSOR", listing)
    assert nets.has_vnni.__wrapped__() is exactly
    monkeypatch.setattr(nets, "PROCESSOR", tmp_path / "missing")
    assert nets.has_vnni.__wrapped__() is False


@pytest.mark.parametrize("name", ["finder", "outliner", "reader", "dice"])
def test_whole_numbers_are_added_exactly_on_this_processor(name: str) -> None:
    options = onnxruntime.SessionOptions()
    options.add_session_config_entry(*nets.EXACT_ARITHMETIC)
    model = nets.models()[name]
    width, height = model.input_size or (128, 96)
    shown = np.random.default_rng(0).random((2, 3, height, width), np.float32)
    exact = onnxruntime.InferenceSession(str(model.path), options, providers=["CPUExecutionProvider"])
    for said, wanted in zip(nets.open_session(name).run(shown), exact.run(None, {"x": shown}), strict=True):
        assert np.array_equal(said, wanted)

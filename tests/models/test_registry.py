import hashlib
import json
from pathlib import Path

import pytest

from models import registry


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
    monkeypatch.setattr(registry, "WEIGHTS", tmp_path)
    return tmp_path


def test_an_entry_tells_all_about_a_model(folder: Path) -> None:
    model = registry.models()["net"]
    assert model.input_size == (64, 64)
    assert model.labels == {"suit": ("suns",)}
    assert model.temperatures == {"suit": 1.5}
    assert registry.checked_bytes(model) == b"weights"


def test_a_changed_file_is_refused(folder: Path) -> None:
    (folder / "net.onnx").write_bytes(b"other weights")
    with pytest.raises(registry.ModelError, match="not the file"):
        registry.checked_bytes(registry.models()["net"])


def test_a_missing_file_and_a_missing_registry(folder: Path) -> None:
    (folder / "net.onnx").unlink()
    with pytest.raises(registry.ModelError, match="missing"):
        registry.checked_bytes(registry.models()["net"])
    (folder / "registry.json").unlink()
    with pytest.raises(registry.ModelError, match="no models"):
        registry.models()


def test_an_unknown_name_lists_the_known_ones(folder: Path) -> None:
    with pytest.raises(registry.ModelError, match="net"):
        registry.open_session("nothing")

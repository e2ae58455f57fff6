"""The reader is trained on for one set. Needs the training or tuning extra."""

from pathlib import Path

import numpy as np
import pytest

from tests.models.drawn import write_pool

pytest.importorskip("torch")

import torch

from models.training import own_set
from vision.detect.decode import Detection
from vision.identify.heads import CROP, READER_CHANNELS
from vision.table_reader import TableReader


def test_it_learns_stops_goes_on_and_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_set, "SAVE_EVERY", 1)
    monkeypatch.setattr(own_set, "CALIBRATION_BATCHES", 1)
    own, others = tmp_path / "own", tmp_path / "others"
    write_pool(own, 3)
    write_pool(others, 3)
    asked: list[int] = []

    def stopped(step: int) -> bool:
        asked.append(step)
        return len(asked) < 3

    assert own_set.tuned_reader(own, others, tmp_path, 3, stopped) is None
    assert torch.load(tmp_path / "reader.pt", weights_only=True)["step"] == 2
    assert asked == [0, 1, 2]
    net = own_set.tuned_reader(own, others, tmp_path, 3, lambda step: step == 2)
    assert net is not None, "it went on with the step that it was stopped before"
    assert len(net) < 4_000_000
    eyes = TableReader()
    before = eyes.reader
    eyes.use_reader(net)
    assert eyes.reader is not before
    rows, _ = eyes.reader.session.run(np.zeros((1, 3, CROP, CROP), np.float32))
    assert rows.shape == (1, READER_CHANNELS)
    found = [Detection(kind, 1.0, np.zeros(2), np.zeros((4, 2))) for kind in ("die", "tile", "pyramid", "coin")]
    shown = np.random.default_rng(1).random((4, 3, CROP, CROP), np.float32), found, [np.eye(3)] * 4
    said = [[read.beliefs["class"] for read in reader(*shown)] for reader in (before, eyes.reader)]
    alike = [earlier == pytest.approx(now) for earlier, now in zip(*said, strict=True)]
    assert alike == [True, False, True, False], "the shipped one reads what does not lie flat"

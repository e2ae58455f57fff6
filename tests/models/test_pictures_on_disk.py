"""Pieces whose pictures lie in a file teach as those in memory do. Needs the training or tuning extra."""

from pathlib import Path

import numpy as np
import pytest

from tests.models.drawn import write_pool

pytest.importorskip("torch")

import torch

from models.training import reader_data
from models.training.own_set import PictureFile
from models.training.pool import pictures


def test_batches_of_a_file_are_those_of_the_memory(tmp_path: Path) -> None:
    write_pool(tmp_path / "pool", 3)
    tables = pictures(tmp_path / "pool")
    whole = reader_data.gather(tables, np.random.default_rng(1))
    rng, file = np.random.default_rng(1), PictureFile(tmp_path / "pieces")
    there = [item for table in tables for item in file.put(reader_data.gather([table], rng))]
    assert not any(item.picture.size for item in there)
    of_memory = reader_data.batch_of(whole, 40)(np.random.default_rng(2))
    of_file = reader_data.batch_of(there, 40, take=file.take)(np.random.default_rng(2))
    assert of_file.keys() == of_memory.keys()
    for name, expected in of_memory.items():
        assert torch.equal(of_file[name], expected) or expected.isnan().equal(of_file[name].isnan()), name
    assert torch.equal(of_file["image"], of_memory["image"])


def test_what_lay_there_before_is_gone(tmp_path: Path) -> None:
    (tmp_path / "pieces").write_bytes(b"stale")
    write_pool(tmp_path / "pool", 1)
    whole = reader_data.gather(pictures(tmp_path / "pool"), np.random.default_rng(1))
    file = PictureFile(tmp_path / "pieces")
    for before, after in zip(whole, map(file.take, file.put(whole)), strict=True):
        assert np.array_equal(before.picture, after.picture)
        assert (before.kind, before.face, before.edition) == (after.kind, after.face, after.edition)

"""Nets of eight bits say the same on every processor."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np

from vision.nets import Model, OpenModel

LARGE_SUMS = Path(__file__).with_name("large_sums.onnx")
"""Numbers from 0 to 255, made whole and each multiplied with 127: the sum of sixty-four of them. Every product is as
large as eight bits make it; processors without instructions for such nets cut off the sums of two."""


def test_large_sums_are_not_cut_off() -> None:
    digest = hashlib.sha256(LARGE_SUMS.read_bytes()).hexdigest()
    net = OpenModel(Model("large sums", LARGE_SUMS, digest, None, {}, {}), 1)
    (sums,) = net.run(np.full((3, 64), 255, np.float32))
    assert (sums == 255 * 127 * 64).all()

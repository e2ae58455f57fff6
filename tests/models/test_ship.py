"""Which weights are better."""

import pytest

pytest.importorskip("torch")

from models.training.follow import merit


@pytest.mark.parametrize("field", ["precision", "recall", "identity"])
def test_each_part_matters(field: str) -> None:
    good = {"precision": 0.9, "recall": 0.9, "identity": 0.9}
    assert merit(good | {field: 0.8}) < merit(good) < merit(good | {field: 0.95})


def test_seeing_nothing_is_worth_nothing() -> None:
    assert merit({"precision": 0.0, "recall": 0.0, "identity": 1.0}) == 0

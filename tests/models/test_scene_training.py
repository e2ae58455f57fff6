"""What the scene net learns from."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.vision.test_scene import SIZE, board, piece, seen
from vision.nets import WEIGHTS, open_session
from vision.scene import SceneNet as Runner

pytest.importorskip("torch")

import torch

from models.training import scene
from models.training.export import write_scene
from models.training.net import SceneMean, SceneNet
from models.training.truth import Labelled
from rules.pieces import Kind
from vision.scene import FEATURES, RELATIONS


def true(kind: str, x: float, y: float, side: float, visible: float = 1.0) -> Labelled:
    one = piece(Kind(kind), x, y, side)
    return Labelled(kind, one.outline, one.center, visible, None, None, None, None, None, None)


def test_the_best_outline_is_the_piece_and_a_poor_one_of_the_same_place_is_not() -> None:
    pieces = [piece(Kind.TILE, 102, 100, 100), piece(Kind.TILE, 120, 100, 70), piece(Kind.COIN, 100, 100, 100)]
    labels, weights = scene.labelled(pieces, [true("tile", 100, 100, 100)])
    assert labels.tolist() == [1.0, 0.0, 0.0]
    assert weights.tolist() == [1.0, 1.0, 1.0]


def test_a_hardly_visible_piece_makes_its_candidates_neither_right_nor_wrong() -> None:
    labels, weights = scene.labelled([piece(Kind.TILE, 100, 100, 100)], [true("tile", 100, 100, 100, visible=0.1)])
    assert (labels.tolist(), weights.tolist()) == ([0.0], [0.0])


def trues() -> list[Labelled]:
    return [true("tile", float(x), float(y), 100) for x, y in (each.piece.center for each in board())]


def nine() -> scene.Sample:
    return scene.sample(board(), trues(), SIZE)


def test_decoys_are_no_pieces() -> None:
    rng = np.random.default_rng(0)
    made = scene.decoys([*board(), seen(piece(Kind.COIN, 150, 150, 35))], 200, rng)
    assert len(made) > 10
    pieces = [each.piece for each in (*board(), *made)]
    labels, _ = scene.labelled(pieces, trues())
    assert labels[9:].mean() < 0.1
    assert nine().labels[:9].tolist() == [1.0] * 9


def test_a_changed_sample_keeps_its_shape_and_leaves_the_original_alone() -> None:
    original = nine()
    before = original.features.copy()
    changed = scene.augmented(original, np.random.default_rng(1))
    count = len(changed.labels)
    assert changed.features.shape == (count, FEATURES)
    assert changed.relations.shape == (count, count, RELATIONS)
    assert np.array_equal(original.features, before)


def test_it_learns_and_runs_as_it_was_trained(tmp_path: Path) -> None:
    said: list[str] = []
    net = scene.train([nine()], steps=100, seed=0, log=said.append)
    assert "step 100" in said[0]
    (tmp_path / "registry.json").write_text((WEIGHTS / "registry.json").read_text())
    write_scene(SceneMean([net, net], [0.5] * 6).eval(), tmp_path)
    assert "scene" in json.loads((tmp_path / "registry.json").read_text())
    certainties = [each.certainty for each in Runner(lambda: open_session("scene", 1, tmp_path))(board(), SIZE)]
    sample = nine()
    with torch.no_grad():
        features, relations = torch.from_numpy(sample.features[:9]), torch.from_numpy(sample.relations[:9, :9])
        by_torch = torch.sigmoid(net(features, relations) + 0.5)
    assert certainties == pytest.approx(by_torch.tolist(), abs=1e-3)
    assert min(certainties) > 0.8


def test_a_net_answers_before_each_block_and_after_the_last() -> None:
    net = SceneNet(FEATURES, RELATIONS, blocks=2)
    assert [len(each) for each in net.answers(torch.zeros(5, FEATURES), torch.zeros(5, 5, RELATIONS))] == [5] * 3

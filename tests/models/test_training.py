"""Training learns, stops and goes on. Needs the training extra."""

import copy
import shutil
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import onnxruntime
import pytest

from tests.models.drawn import drawing, write_pool

pytest.importorskip("torch")

import torch

from models.training import augment_batch, device, finder_data, flat, reader_data, train
from models.training.export import averaged, mean_of, without_optimiser, write
from models.training.feed import Batch, Make, prefetched
from models.training.from_onnx import weights_from_onnx
from models.training.losses import likeness_loss
from models.training.net import FinderNet, OutlinerNet, ReaderNet
from models.training.pool import pictures
from models.training.quantise import quantise_file
from models.training.reader_data import STORE
from models.training.recipe import NETS
from models.training.sample_cache import FromCache, put, take
from models.training.targets import Targets
from models.training.trunk import FAST_BATCH, Clipped, Trunk, load_imagenet
from models.training.truth import read_truth
from vision.detect.channels import FINDER_CHANNELS
from vision.identify.heads import CROP, READER_CHANNELS
from vision.nets import EXACT_ARITHMETIC, WEIGHTS
from vision.rectify import cut


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pool") / "train"
    write_pool(folder, 6)
    return folder


def test_the_nets_answer_in_the_agreed_shape() -> None:
    assert FinderNet()(torch.zeros(1, 3, 64, 96)).shape == (1, FINDER_CHANNELS, 16, 24)
    row, embedding = ReaderNet().eval()(torch.zeros(2, 3, CROP, CROP))
    assert row.shape == (2, READER_CHANNELS)
    assert embedding.detach().norm(dim=1).numpy() == pytest.approx([1, 1], abs=1e-5)


def test_training_stops_and_goes_on(tmp_path: Path, pool: Path) -> None:
    checkpoint = tmp_path / "finder.pt"
    for steps in (3, 5):
        plan = train.TrainingPlan(steps, 1e-3, checkpoint, log_every=1)
        train.train_finder([pool], [], plan, size=64, batch=2)
        assert torch.load(checkpoint, weights_only=True)["step"] == steps


def test_the_reader_learns(tmp_path: Path, pool: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = train.TrainingPlan(12, 2e-3, tmp_path / "reader.pt", log_every=4, warm_up=1)
    train.train_reader([pool], [], plan, batch=24, editions=1)
    lines = [line for line in capsys.readouterr().out.splitlines() if "class " in line]
    losses = [float(line.split("class ")[1].split()[0]) for line in lines]
    assert losses[-1] < losses[0]


def test_the_net_for_dice_learns(tmp_path: Path, pool: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = train.TrainingPlan(40, 3e-3, tmp_path / "dice.pt", log_every=10, warm_up=1)
    train.train_dice([pool], plan, batch=24, new=4)
    lines = [line for line in capsys.readouterr().out.splitlines() if "value die" in line]
    losses = [float(line.split("value die ")[1].split()[0]) for line in lines]
    assert losses[-1] < losses[0]


def test_one_command_cuts_and_trains_everything_side_by_side_and_brings_back_what_can_go_on(
    tmp_path: Path, pool: Path
) -> None:
    shutil.copytree(pool, tmp_path / "pool")
    batches = {"finder": 2, "reader": 24, "outliner": 8, "dice": 8}
    small = device.Machine("cpu", 1, dict.fromkeys(batches, 1), batches, parallel_nets=2)
    work = device.DeviceRun((tmp_path / "pool",), (), tmp_path / "cache", tmp_path, "t", 0.2, first=900, steps=1)
    summary = device.train_all(work, tmp_path / "out", small)
    assert all(net in summary for net in batches)
    for name in NETS:
        assert torch.load(tmp_path / f"{name}-t.pt", weights_only=True)["step"] == 1
        brought = tmp_path / "out" / f"{name}-t.pt"
        assert brought.stat().st_size < 0.6 * (tmp_path / f"{name}-t.pt").stat().st_size
        fresh = train.new_net(name, train.TrainingPlan(2, 1e-3, brought))
        averaged(fresh, brought)
        assert train.begin(fresh, train.TrainingPlan(2, 1e-3, brought)).step == 0


def test_a_shelf_gives_back_what_was_put_there_also_when_more_comes(tmp_path: Path, pool: Path) -> None:
    first, second = (
        reader_data.gather(pictures(pool)[:1], np.random.default_rng(0)),
        flat.editions(1, 0, [drawing(0)[0]]),
    )
    put(tmp_path / "a", "reader", first)
    shown: list[int] = []
    feed = FromCache[reader_data.Stored](tmp_path, "reader", lambda things: counted(things, shown))
    feed(np.random.default_rng(0))
    put(tmp_path / "b", "reader", second)
    feed.polled -= 60.0
    feed(np.random.default_rng(0))
    assert shown == [len(first), len(first) + len(second)]
    again: list[reader_data.Stored] = take(tmp_path / "a", "reader")
    assert [(each.label, each.suit) for each in again] == [(each.label, each.suit) for each in first]
    assert all((mine.picture == theirs.picture).all() for mine, theirs in zip(again, first, strict=True))


def counted(things: list[reader_data.Stored], shown: list[int]) -> Make:
    shown.append(len(things))
    return reader_data.batch_of(things, 4)


def test_the_mean_of_checkpoints_lies_between_them(tmp_path: Path) -> None:
    shares = {tmp_path / "reader-a.pt": 1.0, tmp_path / "reader-b.pt": 3.0}
    for path in shares:
        torch.save(without_optimiser(ReaderNet().state_dict()), path)
    mean_of(shares, tmp_path / "reader-m.pt")
    one, other, mean = (averaged(ReaderNet(), tmp_path / f"reader-{name}.pt").state_dict() for name in "abm")
    for name, value in mean.items():
        wanted = one[name] * 0.25 + other[name] * 0.75 if value.is_floating_point() else one[name]
        assert torch.allclose(value, wanted, atol=1e-6), name


def test_what_is_taken_for_a_piece_and_is_none_is_a_blank(pool: Path) -> None:
    picture = next(iter(pictures(pool)))
    image = np.asarray(cv2.imread(str(picture)), np.uint8)
    proposals = reader_data.ProposalNets(WEIGHTS)
    with_truth = proposals.false_alarms(image, read_truth(picture.with_suffix(".json")), max_count=99)
    without = proposals.false_alarms(image, [], max_count=99)
    assert len(without) >= len(with_truth) + 5  # its pieces are found, and are no mistakes
    assert {item.label for item in without} == {"nothing"}


def opened(path: Path) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.add_session_config_entry(*EXACT_ARITHMETIC)
    return onnxruntime.InferenceSession(str(path), options)


def test_training_in_parts_with_less_memory_changes_nothing() -> None:
    torch.manual_seed(2)
    trunk, images = Trunk(3), torch.rand(FAST_BATCH + 4, 3, 32, 32)
    trunk.freeze(2)
    trunk.train()
    shown = trunk(images)
    assert [each.shape[0] for each in shown] == [len(images)] * 3
    apart = [trunk(part) for part in images.split(FAST_BATCH)]
    for level, whole in enumerate(shown):
        assert torch.allclose(whole, torch.cat([maps[level] for maps in apart]), atol=1e-5)
    inputs = [torch.linspace(-3, 9, 25).requires_grad_() for _ in range(2)]
    for clip, x in zip((Clipped.apply, torch.nn.functional.relu6), inputs, strict=True):
        clip(x).square().sum().backward()
    assert torch.equal(*(x.grad for x in inputs))


def test_the_optimiser_is_torchs_own_without_the_compiler() -> None:
    """In a process of its own: any other test may have loaded the compiler."""
    steps = "net(torch.ones(2, 3)).sum().backward(); own.step(); own.load_state_dict(own.state_dict()); own.zero_grad()"
    code = (
        "import sys, torch; from models.training.train import AdamW; net = torch.nn.Linear(3, 2)\n"
        f"own = AdamW(net.parameters(), lr=0.1); before = net.weight.clone(); {steps}\n"
        "assert not torch.equal(before, net.weight); assert 'torch._dynamo' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    torch.manual_seed(3)
    first, images = torch.nn.Linear(3, 2), torch.rand(4, 3)
    second = copy.deepcopy(first)
    for net, optimiser in ((first, train.AdamW), (second, torch.optim.AdamW)):
        own = optimiser(net.parameters(), lr=0.1, weight_decay=0.02)
        for _ in range(3):
            own.zero_grad()
            net(images).square().sum().backward()
            own.step()
    assert torch.equal(first.weight, second.weight)


@pytest.mark.parametrize("net", [ReaderNet(), FinderNet()], ids=["reader", "finder"])
def test_a_net_thawed_from_its_file_says_what_the_file_says(tmp_path: Path, net: ReaderNet | FinderNet) -> None:
    """Though the file holds its convolutions in whole numbers."""
    shown, path = torch.rand(24, 3, CROP, CROP), tmp_path / "net.onnx"
    load_imagenet(net.trunk)
    net.train()(shown)  # its norms know what they will see
    write(net.eval(), shown[:2], path, {"x": {0: "n"}})
    quantise_file(path, [shown.numpy()])
    thawed = type(net)()
    weights_from_onnx(thawed, path, shown)
    with torch.no_grad():
        said = thawed.eval()(shown)
    said = said[0] if isinstance(said, tuple) else said
    wanted = opened(path).run(None, {"x": shown.numpy()})[0]
    assert np.abs(said.numpy() - wanted).mean() < 0.15 * np.abs(wanted).mean()


def test_a_file_of_another_net_is_refused(tmp_path: Path) -> None:
    write(OutlinerNet().eval(), torch.zeros(2, 3, 80, 80), tmp_path / "other.onnx", {"x": {0: "n"}})
    with pytest.raises(ValueError, match="not of this net"):
        weights_from_onnx(FinderNet(), tmp_path / "other.onnx", torch.zeros(2, 3, 64, 64))


def test_a_small_net_says_what_the_full_one_said(tmp_path: Path) -> None:
    shown = np.random.default_rng(0).random((64, 3, CROP, CROP), np.float32)
    net, path = ReaderNet().eval(), tmp_path / "reader.onnx"
    write(net, torch.zeros(2, 3, CROP, CROP), path, {"x": {0: "n"}})
    before = path.stat().st_size
    quantise_file(path, [shown[:32], shown[32:]])
    assert path.stat().st_size < 0.7 * before
    with torch.no_grad():
        wanted = net(torch.from_numpy(shown))[0].numpy()
    said = opened(path).run(None, {"x": shown})[0]
    assert np.abs(said - wanted).mean() < 0.1 * np.abs(wanted).mean()


def test_a_stored_tile_stands_upright_whatever_way_it_lay(pool: Path) -> None:
    """The corner mark is in the top left of every stored tile."""
    items = reader_data.folder_items([pool], seed=0)
    tiles = [item for item in items if item.label == "tile front"]
    assert len(tiles) >= 20
    for item in tiles:
        gray = item.picture.mean(axis=2)
        low, high = (slice(round(share * STORE), round((share + 0.125) * STORE)) for share in (0.3125, 0.5625))
        corners = [gray[low, low], gray[low, high], gray[high, high], gray[high, low]]
        assert int(np.argmin([corner.min() for corner in corners])) == 0


def test_the_turn_label_names_the_corner_with_the_mark(pool: Path) -> None:
    items = [i for i in reader_data.folder_items([pool], seed=0) if i.label == "tile front"]
    rng = np.random.default_rng(3)
    for item in items:
        matrix, _ = reader_data.random_view(item.kind, rng)
        turns, spin = reader_data.random_quarter_turns(rng)
        picture = cut(item.picture, spin @ matrix, CROP).mean(axis=2)
        low, high = (slice(round(share * CROP), round((share + 0.22) * CROP)) for share in (0.156, 0.625))
        corners = [picture[low, low], picture[low, high], picture[high, high], picture[high, low]]
        assert int(np.argmin([corner.min() for corner in corners])) == turns


def test_like_things_attract() -> None:
    edition, same = torch.zeros(4), torch.tensor([0, 0, 1, 1])
    together = torch.tensor([[1.0, 0], [1, 0], [0, 1], [0, 1]])
    apart = torch.tensor([[1.0, 0], [0, 1], [1, 0], [0, 1]])
    assert likeness_loss(together, edition, same) < likeness_loss(apart, edition, same)


def test_what_other_editions_look_like_is_no_matter() -> None:
    """The faces of two editions may lie as they please to each other: a lesson is about one."""
    edition, same = torch.tensor([7, 7, 7, 7, 8, 8, 8, 8]), torch.tensor([0, 0, 1, 1, 2, 2, 3, 3])
    mine = torch.tensor([[1.0, 0], [1, 0], [0, 1], [0, 1]])
    near, far = torch.cat([mine, mine]), torch.cat([mine, -mine])
    assert likeness_loss(near, edition, same) == pytest.approx(float(likeness_loss(far, edition, same)))


def test_drawings_have_their_truth() -> None:
    image, truth = drawing(1)
    assert image.shape == (360, 640, 3)
    assert len(truth["pieces"]) == 8


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("workers", [1, 2])
def test_nobody_waits_for_batches_that_nobody_makes_any_more(workers: int) -> None:
    def make(_: np.random.Generator) -> Batch:
        raise ValueError("there is nothing to make them of")

    with pytest.raises(RuntimeError, match="no batches are made any more"):
        next(prefetched(make, 1, workers))


def test_the_shipped_finder_is_trained_on(pool: Path) -> None:
    """Its file holds whole numbers, so what the net says is a little off."""
    batch = next(train.example_batches("finder", [pool]))
    net = FinderNet()
    weights_from_onnx(net, WEIGHTS / "finder.onnx", train.pixels(batch))
    tables = train.pixels(batch)[:2].contiguous()
    with torch.no_grad():
        said = net.eval()(tables).numpy()
    wanted = opened(WEIGHTS / "finder.onnx").run(None, {"x": tables.numpy()})[0]
    assert np.abs(said - wanted).mean() < 0.15 * np.abs(wanted).mean()


def test_crops_joined_to_a_square_keep_their_truth() -> None:
    def quarter(row: int) -> finder_data.Sample:
        maps = [np.zeros((count, 8, 8), np.float32) for count in (6, 6, 7)]
        maps[0][1, row, 2] = 1.0
        cells = [(1, row, 2, np.zeros(5, np.float32), 1.0)]
        return np.full((32, 32, 3), row, np.uint8), Targets(maps[0], maps[1], maps[2], cells)

    picture, targets = finder_data.joined([quarter(row) for row in (1, 3, 5, 7)])
    assert picture.shape == (64, 64, 3)
    assert [int(picture[y, x, 0]) for y, x in ((0, 0), (0, 63), (63, 0), (63, 63))] == [1, 3, 5, 7]
    at = [(row, column) for _, row, column, _, _ in targets.cells]
    assert at == [(1, 2), (3, 10), (13, 2), (15, 10)]
    assert [tuple(each) for each in np.argwhere(targets.heat[1] == 1)] == at


def test_looks_of_a_batch_differ_and_stay_pictures() -> None:
    torch.manual_seed(1)
    plain = torch.full((6, 3, 32, 40), 128, dtype=torch.uint8)
    looked = augment_batch.augment_scenes(plain)
    assert looked.shape == plain.shape
    assert 0 <= float(looked.min()) <= float(looked.max()) <= 1
    assert len({round(float(each.mean()), 4) for each in looked}) == len(plain)

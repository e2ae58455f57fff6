"""A recipe is read strictly and followed from its first line to weights that name it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from models.training.recipe import NETS, RECIPE, RecipeError, read_recipe
from vision.nets import WEIGHTS, models

TINY = Path(__file__).with_name("tiny_recipe.toml")


def test_the_recipe_makes_every_shipped_net_and_trains_on_no_picture_of_the_test_stratum() -> None:
    recipe = read_recipe()
    assert {step.net for step in recipe.learn} == set(NETS) == set(models()) - {"scene"}, "the fits train the scene net"
    strata = {part.name: part.stratum for part in recipe.pool}
    assert {strata[step.pool] for step in recipe.learn} == {"train"}
    assert {strata[recipe.fit.pool], strata[recipe.evaluate.pool]} == {"test"}
    assert recipe.fit.pool != recipe.evaluate.pool
    assert len({step.seed for step in recipe.learn}) == len(recipe.learn)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('name = "v1"', "", "name is missing"),
        ('net = "finder"', 'net = "finders"', "no net is called finders"),
        ('begin = "nothing", seed = 1', 'begin = "begun", seed = 1', "`begin` is one of nothing, shipped, not begun"),
        ("seed = 1, ", "", "learn: seed is missing"),
        ("seed = 1, ", "seed = 1, step = 2, ", "no field is called step"),
        ('fit = { pool = "tune"', 'fit = { pool = "tunes"', "no pool is called tunes"),
        ('of = "rivals"', 'of = "rival"', "no scenes are called rival"),
        ("mix = []", 'mix = [{ net = "reader", of = { main = 1, b = 1 } }]', "not of reader-b"),
        ("mix = []", "mix = [", "recipe.toml"),
    ],
)
def test_what_cannot_be_followed_is_told_by_its_place(tmp_path: Path, old: str, new: str, told: str) -> None:
    text = RECIPE.read_text()
    assert old in text
    path = tmp_path / "recipe.toml"
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(RecipeError, match=told.replace("`", ".")):
        read_recipe(path)


def test_the_registry_says_which_recipe_made_a_net() -> None:
    """None was recorded for nets from before recipes were."""
    listing = json.loads((WEIGHTS / "registry.json").read_text())
    assert all(entry["recipe"] is None or len(entry["recipe"]) == 64 for entry in listing.values())


def without_torch(*args: str) -> subprocess.CompletedProcess[str]:
    """The command where torch is not installed, whether it is or not."""
    script = f"import sys; sys.modules['torch'] = None; from models.training.__main__ import main; main({[*args]})"
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)


def test_help_needs_no_torch() -> None:
    done = without_torch("all", "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "--recipe" in done.stdout


@pytest.mark.parametrize("args", [("from_onnx",), ("learn", "reader")])
def test_where_torch_is_missing_one_line_says_what_to_install(args: tuple[str, ...]) -> None:
    done = without_torch(*args)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"{args[0]} needs torch")
    assert "pip install 'piecepack-companion[training]'" in line


def test_the_estimate_names_every_step_and_needs_no_torch() -> None:
    done = without_torch("all", "--estimate")
    assert (done.returncode, done.stderr) == (0, "")
    assert all(f"learn {step.net}" in done.stdout for step in read_recipe().learn)
    assert "core hours in all" in done.stdout


@pytest.mark.full
@pytest.mark.timeout(1200)
def test_a_recipe_is_followed_to_weights_that_name_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    torch = pytest.importorskip("torch")
    from models.training import __main__ as command

    command.main(["all", "--recipe", str(TINY), "--runs", str(tmp_path)])
    made, recipe = tmp_path / "tiny", read_recipe(TINY)
    assert {model.name for model in models(made / "weights").values()} == {*NETS, "scene"}
    listing = json.loads((made / "weights" / "registry.json").read_text())
    assert {entry["recipe"] for entry in listing.values()} == {recipe.digest}
    assert listing["reader"]["temperatures"]
    one, other, mean = (
        next(iter(torch.load(made / f"reader-{name}.pt", weights_only=True)["average"].values()))
        for name in ("a", "b", "mix")
    )
    assert torch.allclose(mean, (one + other) / 2, atol=1e-6)
    spent = json.loads((made / "core-seconds.json").read_text())
    assert len(spent) == len(recipe.pool) + len(recipe.learn) + len(
        ("export", "temperatures", "dice", "scene", "evaluate")
    )
    assert "precision" in capsys.readouterr().out
    command.main(["all", "--recipe", str(TINY), "--runs", str(tmp_path)])
    assert json.loads((made / "weights" / "registry.json").read_text()).keys() == listing.keys(), (
        "it goes on where it was"
    )

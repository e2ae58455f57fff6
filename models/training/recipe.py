"""The recipe of the nets: pictures, training, means, quantisation and fits, with seeds and counts (recipe.toml)."""

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any, Final, TypeVar

RECIPE: Final = Path(__file__).parent / "recipe.toml"
NETS: Final = ("finder", "outliner", "reader", "dice")
STARTS: Final = ("nothing", "shipped")
SCENES: Final = ("", "alone", "carried", "crowd", "occupied", "rivals", "territory", "throws")


class RecipeError(ValueError):
    """A recipe cannot be followed; the text says where and why."""


@dataclass(frozen=True, slots=True)
class PoolPart:
    """Pictures of one kind of scene, by their seeds."""

    name: str
    count: int
    first: int = 0
    stratum: str = "train"
    rare: int = 0
    of: str = ""


@dataclass(frozen=True, slots=True)
class LearnStep:
    """Training of one net: its initial weights, duration and learning rate."""

    net: str
    steps: int
    rate: float
    batch: int
    seed: int
    begin: str = "nothing"
    name: str = "main"
    pool: str = "train"
    alarms: bool = False
    size: int = 384
    editions: int = 40

    @property
    def checkpoint(self) -> str:
        return f"{self.net}-{self.name}.pt"


@dataclass(frozen=True, slots=True)
class MixStep:
    """The weighted mean of several checkpoints of one net."""

    net: str
    of: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class QuantiseStep:
    pool: str
    every: int
    nets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PoolUse:
    """A step over all pictures of a pool."""

    pool: str


@dataclass(frozen=True, slots=True)
class FitStep:
    """The fits over all pictures of a pool, and the steps of the scene net, which learns from the same."""

    pool: str
    scene_steps: int


@dataclass(frozen=True, slots=True)
class Recipe:
    name: str
    digest: str
    """SHA-256 of the file."""
    pool: tuple[PoolPart, ...]
    learn: tuple[LearnStep, ...]
    quantise: QuantiseStep
    fit: FitStep
    evaluate: PoolUse
    mix: tuple[MixStep, ...] = field(default=())


Step = TypeVar("Step", PoolPart, LearnStep, MixStep, QuantiseStep, FitStep, PoolUse)


def read_recipe(path: Path = RECIPE) -> Recipe:
    """The recipe of a file; raises RecipeError on unknown and missing fields."""
    try:
        data = path.read_bytes()
        known = tomllib.loads(data.decode())
    except OSError as error:
        raise RecipeError(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RecipeError(f"{path.name}: {error}") from None
    if missing := {"name", "pool", "learn", "quantise", "fit", "evaluate"} - known.keys():
        raise RecipeError(f"{path.name}: {', '.join(sorted(missing))} is missing")
    recipe = Recipe(
        name=str(known["name"]),
        digest=hashlib.sha256(data).hexdigest(),
        pool=tuple(_step(PoolPart, "pool", each) for each in known["pool"]),
        learn=tuple(_step(LearnStep, "learn", _with_name(each)) for each in known["learn"]),
        mix=tuple(_step(MixStep, "mix", each) for each in known.get("mix", ())),
        quantise=_step(QuantiseStep, "quantise", known["quantise"]),
        fit=_step(FitStep, "fit", known["fit"]),
        evaluate=_step(PoolUse, "evaluate", known["evaluate"]),
    )
    _check(recipe, path.name)
    return recipe


def _with_name(table: Mapping[str, Any]) -> dict[str, Any]:
    """The table with `as` as `name`: `as` is a Python keyword."""
    return {"name" if key == "as" else key: value for key, value in table.items()}


def _step(of: type[Step], where: str, table: Mapping[str, Any]) -> Step:
    known = {each.name for each in fields(of)}
    needed = {each.name for each in fields(of) if each.default is MISSING}
    if unknown := table.keys() - known:
        raise RecipeError(
            f"{where}: no field is called {', '.join(sorted(unknown))}; there are {', '.join(sorted(known))}"
        )
    if missing := needed - table.keys():
        raise RecipeError(f"{where}: {', '.join(sorted(missing))} is missing")
    values: Any = {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
    return of(**values)


def _check(recipe: Recipe, name: str) -> None:
    pools = {part.name for part in recipe.pool}
    used = {step.pool for step in recipe.learn} | {recipe.quantise.pool, recipe.fit.pool, recipe.evaluate.pool}
    made = {(step.net, step.name) for step in recipe.learn}
    mixed = {(mix.net, name) for mix in recipe.mix for name in mix.of}
    for wrong, what in (
        (used - pools, "no pool is called"),
        ({step.net for step in recipe.learn} - set(NETS), "no net is called"),
        ({step.begin for step in recipe.learn} - set(STARTS), f"`begin` is one of {', '.join(STARTS)}, not"),
        ({part.of for part in recipe.pool} - set(SCENES), "no scenes are called"),
        ({f"{net}-{of}" for net, of in mixed - made}, "a mix is of checkpoints that are learnt, not of"),
    ):
        if wrong:
            raise RecipeError(f"{name}: {what} {', '.join(sorted(wrong))}")

"""The profile that a command reads and writes, and what goes wrong with it told in one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion_api.commands.console import UsageError
from rules.sentence import SentenceError

if TYPE_CHECKING:
    from calibration.profile import Profile

ProfileFile = Annotated[Path | None, typer.Option("--profile", help="the profile; default: in the data folder")]


@contextmanager
def plain_words() -> Iterator[None]:
    """What vision and calibration refuse becomes one line and exit 2."""
    from calibration.deck import DeckError
    from vision.nets import ModelError

    try:
        yield
    except (SentenceError, DeckError, ModelError) as error:
        raise UsageError(str(error)) from None


def profile_path(given: Path | None) -> Path:
    from companion_api.settings import Settings

    return given or Settings().data / "profile.json"


def loaded(path: Path) -> Profile:
    from calibration.profile import load_or_new

    return load_or_new(path, path.stem)


def numbers(text: str, count: int, option: str, example: str) -> list[float]:
    try:
        values = [float(part) for part in text.split()]
    except ValueError:
        values = []
    if len(values) != count:
        raise UsageError(f"{option} must be written like {example}")
    return values

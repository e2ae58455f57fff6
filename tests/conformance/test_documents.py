"""What the documents name is there: files, links, modules, commands and their options."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest
import typer

import tests.bench.__main__ as bench
from companion_api.__main__ import _load, app
from models.training.__main__ import parser

ROOT = Path(__file__).parents[2]
FOLDERS = ("calibration", "companion_api", "docs", "models", "rules", "tests", "vision")
DOCUMENTS = [
    *sorted(ROOT.glob("*.md")),
    *(path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.md")) if path.name != "rulebook.md"),
]
COMPANION = re.compile(r"(?<![\w./{-])companion ([a-z]+)([^|#\n]*)")
MODULE = re.compile(r"python -m ([\w.]+)(?: ([a-z_]+))?([^|#\n]*)")
SUFFIXES = (".py", ".md", ".toml", ".json", ".js", ".css", ".svg", ".jpg", ".webp", ".po", ".txt", ".onnx", "/")
EXAMPLES = ("runs/", "room2/", "GAME", "LANGUAGE", "NET", "DATA", "FOLDER", "es/", "es.json", "~/")
"""Parts of names that stand for something of the reader's."""

each_document = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))


@each_document
def test_links_and_files_exist(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)#]+)[^)]*\)", text) if "://" not in link]
    assert not [link for link in links if not (document.parent / link).exists()]
    assert not [name for name in _file_names(text) if not _is_there(name, document.parent)]


@each_document
def test_commands_and_their_options_exist(document: Path) -> None:
    known = _known_commands()
    code = _code(document.read_text(encoding="utf-8"))
    asked = [(f"companion {name}", rest) for name, rest in COMPANION.findall(code)]
    for module, task, rest in MODULE.findall(code):
        if f"python -m {module} {task}" in known:
            asked.append((f"python -m {module} {task}", rest))
        assert find_spec(module) is not None
        assert module not in WITH_TASKS or task in {"", *WITH_TASKS[module]}
    assert not [command for command, _ in asked if command not in known]
    flags = [(command, flag) for command, rest in asked for flag in re.findall(r"(?<!\w)--[a-z][\w-]*", rest)]
    assert not [(command, flag) for command, flag in flags if flag not in known[command]]


@pytest.mark.parametrize("name", ["calibration", "companion_api", "companion_api/hall", "rules/notation"])
def test_the_table_of_modules_names_files(name: str) -> None:
    rows = re.findall(r"^\| ((?:\(?\+? ?`[^`]+`[,)]*[^`|]*)+) \|", (ROOT / name / "README.md").read_text("utf-8"), re.M)
    named = [module for row in rows for module in re.findall(r"`([\w/.]+)`", row) if not module.endswith("/")]
    assert len(named) > 10
    assert not [module for module in named if not _is_module(ROOT / name, module)]


def _is_module(folder: Path, name: str) -> bool:
    return (folder / name).exists() or (folder / f"{name}.py").exists()


def _file_names(text: str) -> Iterator[str]:
    for name in re.findall(r"`([\w~.*-][\w~.*/-]*)`", text):
        if "/" in name.rstrip("/") and name.endswith(SUFFIXES) and not any(part in name for part in EXAMPLES):
            yield name


def _is_there(name: str, folder: Path) -> bool:
    """From the top, from a package, from the document's folder or from one of those above it."""
    places = (ROOT, folder, folder.parent, *map(ROOT.joinpath, FOLDERS), ROOT / "companion_api/words")
    return any(next(place.glob(name), None) is not None for place in places)


def _code(text: str) -> str:
    """What stands in code, a piece a line."""
    spans = re.findall(r"`([^`]+)`", re.sub(r"^    .*$", "", text, flags=re.M))
    return "\n".join([*re.findall(r"^    (.*?)(?: #|$)", text, re.M), *(" ".join(span.split()) for span in spans)])


@cache
def _known_commands() -> dict[str, set[str]]:
    """The options of each command."""
    _load()
    known = {f"companion {name}": options for name, options in _options(app)}
    known |= {f"python -m tests.bench {name}": options for name, options in _options(bench.app)}
    return known | {f"python -m models.training {name}": options for name, options in _tasks().items()}


def _tasks() -> dict[str, set[str]]:
    actions = parser()._actions  # argparse has no other way to ask for the sub-commands
    tasks = next(action for action in actions if isinstance(action, argparse._SubParsersAction))
    return {name: set(task._option_string_actions) for name, task in tasks.choices.items()}


def _options(commands: typer.Typer) -> Iterator[tuple[str, set[str]]]:
    group = typer.main.get_command(commands)
    for name, command in getattr(group, "commands", {}).items():
        nested = getattr(command, "commands", {}).values()
        yield name, {flag for one in (command, *nested) for option in one.params for flag in option.opts}


WITH_TASKS = {"tests.bench": [name for name, _ in _options(bench.app)], "models.training": list(_tasks())}

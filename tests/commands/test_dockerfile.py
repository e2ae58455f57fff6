"""The Dockerfile without Docker: what it copies is there, what it installs and starts exists."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from companion_api.settings import Settings

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text()


def test_what_it_copies_is_there_and_not_ignored() -> None:
    ignored = {line.strip("/") for line in (ROOT / ".dockerignore").read_text().split()}
    copied = re.findall(r"^COPY (?!--from)(\S+)", DOCKERFILE, re.MULTILINE)
    assert copied
    for path in copied:
        assert (ROOT / path).exists()
        assert path not in ignored
    packages = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"][
        "packages"
    ]
    assert not ignored & {*packages, "pyproject.toml", "README.md", "LICENSE", "constraints.txt"}


def test_its_wheel_extra_and_python_are_the_projects() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wheel, extra = re.findall(r"/wheels/([a-z_]+)-\*\.whl\)\[(\w+)\]", DOCKERFILE)[0]
    assert wheel == project["name"].replace("-", "_")
    assert extra in project["optional-dependencies"]
    least = tuple(map(int, project["requires-python"].removeprefix(">=").split(".")))
    for version in re.findall(r"FROM python:(\d+)\.(\d+)", DOCKERFILE):
        assert tuple(map(int, version)) >= least


def test_what_it_starts_and_opens_is_what_the_companion_has(monkeypatch: pytest.MonkeyPatch) -> None:
    command, verb = re.findall(r'ENTRYPOINT \["(\w+)", "(\w+)"\]', DOCKERFILE)[0]
    assert command == "companion"
    subprocess.run([sys.executable, "-m", "companion_api", verb, "--help"], capture_output=True, check=True)
    monkeypatch.setenv("COMPANION_DATA", "/data")
    port = Settings().port
    assert Settings().data == Path("/data")
    assert f"EXPOSE {port} {port + 1}" in DOCKERFILE
    assert f":{port}/api/games" in DOCKERFILE

"""The page's JSDoc types hold: checked by tsc where it is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

HOW = "no tsc found: npm install --global typescript@5, or set COMPANION_TSC; the page's types are not checked"


def test_the_types_of_the_page_hold() -> None:
    tsc = os.environ.get("COMPANION_TSC") or shutil.which("tsc")
    if tsc is None:
        if os.environ.get("CI"):
            pytest.fail(HOW)
        pytest.skip(HOW)
    done = subprocess.run([tsc, "-p", str(Path(__file__).parent)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_page_stays_small() -> None:
    web = Path(__file__).parents[3] / "companion_api" / "web"
    own = list((web / "js").rglob("*.js"))
    lines = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in [*own, web / "app.css"]}
    assert sum(lines.values()) < 4000
    assert max(lines.values()) < 250

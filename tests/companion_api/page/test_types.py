"""The page's JSDoc types hold: checked by tsc where it is installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from companion_api.page_files import _MINIFIERS
from tests.needed import missing

HOW = "no tsc found: npm install --global typescript@5, or set COMPANION_TSC; the page's types are not checked"


@pytest.mark.full
def test_the_types_of_the_page_hold() -> None:
    tsc = os.environ.get("COMPANION_TSC") or shutil.which("tsc")
    if tsc is None:
        missing(HOW)
    done = subprocess.run([tsc, "-p", str(Path(__file__).parent)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_nothing_on_the_page_may_be_just_anything() -> None:
    """What the server answers has a type; `any` would let it be whatever."""
    web = Path(__file__).parents[3] / "companion_api"
    told = re.compile(r"/\*\*(?:(?!\*/).)*\{[^*]*\bany\b", re.DOTALL)
    pages = [*(web / "web" / "js").rglob("*.js"), *(web / "hall" / "web" / "hall").rglob("*.js")]
    assert [path.name for path in pages if told.search(path.read_text(encoding="utf-8"))] == []


def test_the_page_stays_small_and_its_lines_short() -> None:
    """As it goes over the line, without remarks and indents; every line is seen whole."""
    web = Path(__file__).parents[3] / "companion_api" / "web"
    own = [*(web / "js").rglob("*.js"), *web.glob("*.css")]
    sent = {path: len(_MINIFIERS[path.suffix](path.read_bytes())) for path in own}
    assert sum(sent.values()) < 261_000, "what goes beyond must take something else's place"
    assert max(sent.values()) < 14_500
    long = [path.name for path in own for line in path.read_text(encoding="utf-8").splitlines() if len(line) > 120]
    assert long == []


STARTS = {"js/main.js", "js/first_requests.js"}
"""Asked for as scripts themselves."""


def test_what_the_first_second_needs_is_asked_for_at_once() -> None:
    """The modules that the page imports, and those that they import, stand in its head; later ones do not."""
    web = Path(__file__).parents[3] / "companion_api" / "web"
    found, todo = set(), [web / "js" / "main.js"]
    while todo:
        path = todo.pop()
        found.add(path.relative_to(web).as_posix())
        imported = re.findall(r'^import (?:[^;]*? from )?"([^"]+)";', path.read_text(encoding="utf-8"), re.MULTILINE)
        paths = [(path.parent / name).resolve() for name in imported]
        todo += [each for each in paths if each.relative_to(web).as_posix() not in found]
    found |= {f"vendor/{name}.js" for name in ("preact", "hooks", "signals", "signals-core")}
    head = (web / "index.html").read_text(encoding="utf-8")
    assert set(re.findall(r'rel="modulepreload" href="([^"]+)"', head)) == found - STARTS

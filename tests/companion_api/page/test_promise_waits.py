"""What is waited for in the page: functions, and those that return a promise with `until`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.companion_api.page.conftest import Table
from tests.companion_api.page.promise_waits import until

PROMISES = ("async ", "import(", ".then(")
SOURCES = sorted(Path(__file__).parents[1].rglob("*.py"))


def conditions(source: Path) -> Iterator[str]:
    """The conditions that this file hands to `wait_for_function`."""
    tree = ast.parse(source.read_text())
    named = {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "wait_for_function"
        ):
            (told, *_) = node.args
            if isinstance(told, ast.Constant):
                yield str(told.value)
            elif isinstance(told, ast.Name):
                yield named.get(told.id, "")


def test_no_promise_is_handed_to_a_wait_that_takes_it_for_true() -> None:
    found = [(source.name, told) for source in SOURCES for told in conditions(source)]
    assert found
    assert [each for each in found if any(promise in each[1] for promise in PROMISES)] == []


def test_conditions_are_functions() -> None:
    """Any other text is evaluated in the page where it is not true at once, and the page lets nobody do that."""
    assert [(source.name, told) for source in SOURCES for told in conditions(source) if "=>" not in told] == []


@pytest.mark.page
def test_a_promise_is_waited_for(table: Table) -> None:
    page: Page = table.open(table.begin())
    page.evaluate("() => { window.ripe = false; setTimeout(() => { window.ripe = true; }, 300); }")
    until(page, "async (wanted) => window.ripe === wanted", True)
    assert page.evaluate("window.ripe")

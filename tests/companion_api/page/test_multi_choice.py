"""What is decided together, dice that are rolled or coins that are drawn, is chosen one by one, as pictures."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.companion_api.page.conftest import Table

pytestmark = pytest.mark.page

OPTIONS: dict[str, dict[str, Any]] = {"penguin": {"start_player": "roll"}}


@pytest.mark.parametrize(
    ("name", "phase", "parts", "action"),
    [
        ("san_andreas", "roll", ["S2", "M0", "C5", "A1"], "roll(S2+M0+C5+A1)"),
        ("global_warming", "line", ["cM?", "c?5", "cA?"], "open_line(cM?+c?5+cA?)"),
        ("delegate_dash", "scatter", ["A2", "S0", "C5", "M1"], "roll(A2+S0+C5+M1)"),
        ("penguin", "roll", ["S2", "M0"], "roll(S2+M0)"),
    ],
)
def test_each_of_several_is_chosen_by_its_picture(
    name: str, phase: str, parts: list[str], action: str, table: Table
) -> None:
    session, rng = table.begin(name, **OPTIONS.get(name, {})), random.Random(5)
    while session.game.turn(session.state).phase != phase:
        session.act("table", session.game.sample(session.state, rng).id, expected=None, key=None)
    page = table.open(session)
    page.click(".luck summary")  # what was rolled is entered; nobody is shown a wall of faces
    groups = page.locator(".together")
    expect(groups).to_have_count(len(parts))
    expect(groups.locator("button:not(:has(svg))")).to_have_count(0)  # whose die it is, the rules say
    sizes = groups.locator("button").evaluate_all("(all) => all.map((e) => e.getBoundingClientRect())")
    assert all(min(box["width"], box["height"]) >= 44 for box in sizes)
    for n, part in enumerate(parts):
        groups.nth(n).locator(f'[data-part="{part}"]').click()
    expect(page.locator(".bar.asked .go")).to_be_visible()
    page.keyboard.press("Escape")
    expect(groups.first.locator("[aria-pressed=true]")).to_have_count(1)  # one of them can be set right
    page.locator(f'.together >> nth=0 >> [data-part="{parts[0]}"]').click()
    with page.expect_response("**/api/actions"):
        page.click(".bar.asked .go")
    assert session.history.actions[-1].id == action


def test_an_ace_is_seen_on_its_die(table: Table) -> None:
    session, rng = table.begin("san_andreas"), random.Random(5)
    while session.game.turn(session.state).phase != "roll":
        session.act("table", session.game.sample(session.state, rng).id, expected=None, key=None)
    page = table.open(session)
    page.click(".luck summary")
    ace = page.locator('.together [data-part="S1"] .suit')
    expect(ace).to_have_count(1)
    fills = "(e) => [e, e.closest('.piece').querySelector('.body')].map((each) => getComputedStyle(each).fill)"
    own, body = ace.evaluate(fills)
    assert own != body

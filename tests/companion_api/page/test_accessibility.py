"""Disputes, corrections and secret choices without a barrier: no serious violation at both sizes in both schemes, and a
dispute by keyboard alone."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Page, expect

from companion_api.access import Role
from companion_api.session import Session
from tests.companion_api.page.conftest import Axe, Scheme, Table
from tests.companion_api.page.test_page import everywhere, show

pytestmark = pytest.mark.page

TOO_WIDE = "document.documentElement.scrollWidth > innerWidth"


def choosing(table: Table) -> Session:
    """A Global Warming in which everybody sets a die in secret."""
    session, rng = table.begin("global_warming"), random.Random(5)
    while session.game.turn(session.state).kind.value != "all":
        session.act("table", session.game.sample(session.state, rng).id, expected=None, key=None)
    return session


def press_until(page: Page, key: str, wanted: str, most: int = 80) -> None:
    """Go on with a key until the focus is where it is wanted."""
    for _ in range(most):
        page.keyboard.press(key)
        if page.evaluate("(wanted) => document.activeElement?.matches(wanted)", wanted):
            return
    raise AssertionError(f"{key} never leads to {wanted}")


@pytest.mark.full
@pytest.mark.parametrize(("size", "scheme"), everywhere)
def test_no_serious_barrier_in_a_dispute_and_a_correction(
    size: tuple[int, int], scheme: Scheme, table: Table, axe: Axe
) -> None:
    session = table.begin()
    for action in ("move(a1,b1)", "move(f6,e6)"):
        session.act("table", action, expected=None, key=None)
    page = table.open(session, size, scheme=scheme, locale="de")
    show(page, "log")
    page.click("li.action >> nth=0 >> button.line")
    page.click("li.action >> nth=0 >> text=Anfechten")
    expect(page.locator("section.ruling .rule")).to_contain_text("DODG-4.1")
    assert axe(page) == []
    page.click("li.action >> nth=0 >> text=Korrigieren")
    expect(page.locator(".drawn svg.mini").first).to_be_visible()
    assert axe(page) == []
    assert not page.evaluate(TOO_WIDE)
    page.click("text=Es gilt nicht")
    expect(page.locator("section.ruling")).to_have_count(2)
    assert axe(page) == []


@pytest.mark.full
@pytest.mark.parametrize(("size", "scheme"), everywhere)
def test_no_serious_barrier_in_a_secret_choice_and_a_refusal(
    size: tuple[int, int], scheme: Scheme, table: Table, axe: Axe
) -> None:
    session = choosing(table)
    page = table.open(session, size, Role.PLAYER, scheme, seat=session.game.turn(session.state).seats[0])
    expect(page.locator(".bar")).to_contain_text("Choose in secret")
    assert axe(page) == []
    page.click("text=Show my choices")
    assert axe(page) == []
    page.click(".bar [data-action] >> nth=0")
    expect(page.locator(".bar")).to_contain_text("You have chosen")
    assert axe(page) == []
    show(page, "hand")
    page.fill(".hand input", "move(z9,z8)")
    page.click("text=Ask")
    expect(page.locator(".bar.refused .rule")).not_to_be_empty()
    assert axe(page) == []


@pytest.mark.full
def test_a_dispute_by_keyboard_alone(table: Table) -> None:
    """From the board to the log, open the last event, dispute it, and have the last word as the host."""
    session = table.begin()
    session.act("table", "move(a1,b1)", expected=None, key=None)
    page = table.open(session)
    expect(page.locator(".pan .piece").first).to_be_visible()
    press_until(page, "Tab", 'nav [data-view="log"]')
    page.keyboard.press("Enter")
    expect(page.locator("li.action")).to_be_visible()
    press_until(page, "Shift+Tab", "li.action button.line")
    page.keyboard.press("Enter")
    press_until(page, "Tab", "li.action .more button:last-child")
    page.keyboard.press("Enter")
    expect(page.locator("section.ruling")).to_be_visible()
    press_until(page, "Shift+Tab", ".dispute input")
    page.keyboard.type("it was a slip")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("section.ruling")).to_have_count(2)
    expect(page.locator("section.ruling").last).to_contain_text("it was a slip")
    assert session.history.actions == ()

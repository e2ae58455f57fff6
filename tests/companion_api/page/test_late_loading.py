"""What nobody waits for comes later, the interface for programs is drawn without the outside, the past is named."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

from tests.companion_api.page.conftest import Axe, Table
from tests.companion_api.page.promise_waits import HEARD, until
from tests.companion_api.page.test_page import show

pytestmark = pytest.mark.page


@pytest.mark.full
def test_the_icon_comes_later(table: Table) -> None:
    page = table.open(table.begin())
    expect(page.locator("link[rel=icon]")).to_have_attribute("href", "icon.svg")


def test_words_of_later_views_come_with_them(table: Table) -> None:
    page = table.open(table.begin(), locale="de")
    show(page, "settings")
    expect(page.locator(".settings")).to_contain_text("Andere einladen")
    page.click("text=Kamera und Tisch einrichten")
    expect(page.locator(".laying")).to_contain_text("So soll es liegen")
    page.click('nav [data-view="settings"]')
    page.select_option(".settings select", "fr")
    expect(page.locator(".settings")).to_contain_text("Pour d’autres programmes")


@pytest.mark.full
def test_the_interface_is_described_without_anything_from_outside(table: Table, axe: Axe) -> None:
    page = table.open(table.begin())
    show(page, "settings")
    page.click("text=For other programs")
    entrance = page.locator("details:has-text('/api/actions')")
    entrance.locator("summary").click()
    expect(entrance).to_contain_text("Perform an action")
    entrance.get_by_role("link", name="DoAction").click()
    expect(page.locator("#DoAction")).to_contain_text("action: string")
    entrance.get_by_role("link", name="Posted").click()
    expect(page.locator("#Posted")).to_contain_text("seq: integer")
    asked = page.evaluate("performance.getEntriesByType('resource').map((e) => e.name)")
    assert all(name.startswith(table.address) for name in asked)
    assert axe(page) == []


def test_the_past_is_named_and_drawn(table: Table) -> None:
    session = table.begin()
    for action in ("move(a1,b1)", "move(f6,e6)"):
        session.act("table", action, expected=None, key=None)
    page = table.open(session)
    show(page, "log")
    until(page, HEARD, session.seq)
    page.locator("input[type=range]").fill("2")
    show(page, "board")
    expect(page.locator(".bar")).to_contain_text("a1 to b1")
    expect(page.locator('[data-name="f6"]')).to_have_attribute("aria-label", "f6: crowns coin")


def test_the_board_that_was_wanted_last_is_shown(table: Table) -> None:
    """Answers may overtake each other while the slider is dragged."""
    session = table.begin(plies=4)
    page = table.open(session)
    show(page, "log")
    until(page, HEARD, session.seq)
    kept: list[Route] = []
    page.route("**/api/at/2", lambda route: kept.append(route))
    slider = page.locator("input[type=range]")
    with page.expect_request("**/api/at/2"):
        slider.fill("2")
    slider.fill("3")
    show(page, "board")
    expect(page.locator(".bar")).to_contain_text("after event 3")
    with page.expect_response("**/api/at/2"):
        kept[0].continue_()
    until(page, "() => new Promise((done) => setTimeout(() => done(true)))")
    expect(page.locator(".bar")).to_contain_text("after event 3")


def test_what_lies_on_a_card_leaves_its_name_to_be_read(table: Table) -> None:
    page = table.open(table.begin("dectana", plies=40))
    expect(page.locator(".pan .piece.pyramid").first).to_be_attached()
    over = """() => { const [names, lying] = [".piece.card .value", ".piece.pyramid .body"].map((all) =>
        [...document.querySelectorAll(`.pan ${all}`)].map((e) => e.getBoundingClientRect()));
        return names.flatMap((a) => lying.filter((b) =>
            a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)).length; }"""
    assert page.evaluate(over) == 0


def test_a_long_board_stands_upright_on_a_phone_and_is_seen_whole(table: Table) -> None:
    page = table.open(table.begin("fuji_san", plies=6))
    page.wait_for_function(
        """() => { const of = (name) => document.querySelector(name).getBoundingClientRect();
        const board = of(".pan svg");
        return board.height > 3 * board.width && board.top >= 0 && board.bottom <= of("nav").top + 1; }"""
    )
    sides = page.locator(".cell").evaluate_all("(all) => all.map((e) => e.getBoundingClientRect().height)")
    assert min(sides) > 40

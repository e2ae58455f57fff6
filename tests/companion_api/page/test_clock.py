"""A clock for whoever wants one: on the phones and the television, stopped by people and by the camera."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from companion_api.access import Role
from companion_api.simulated.self_play import SelfPlay
from tests.companion_api.page.conftest import Axe, Table
from tests.companion_api.page.test_page import show

pytestmark = pytest.mark.page


def seconds(page: Page, seat: int) -> int:
    minutes, rest = page.locator(".clock .time b").nth(seat).inner_text().split(":")
    return 60 * int(minutes) + int(rest)


def test_the_host_sets_it_and_every_phone_shows_it(table: Table, axe: Axe) -> None:
    session = table.begin()
    host, phone = table.open(session), table.open(session, role=Role.PLAYER, seat=0)
    television = table.big_screen(session)
    expect(phone.locator(".clock")).to_have_count(0)
    show(host, "settings")
    host.select_option("[name=minutes]", "5")
    expect(host.locator("[name=increment]")).to_be_visible()
    for page in (phone, television, host):
        expect(page.locator(".clock .time")).to_have_count(2)
        expect(page.locator(".clock .time.goes")).to_have_count(1)
    first = seconds(phone, 0)
    expect(phone.locator(".clock .time b").first).not_to_have_text(f"{first // 60}:{first % 60:02}")
    assert seconds(phone, 0) < 300
    assert seconds(phone, 1) == 300
    expect(television.locator(".clock button")).to_have_count(0)
    assert axe(phone) == []
    session.act("seat:0", "move(a1,b1)", expected=None, key=None)
    expect(phone.locator(".clock .time").nth(1)).to_have_class(re.compile("goes"))


@pytest.mark.full
def test_it_is_stopped_by_people_and_by_the_camera(table: Table) -> None:
    session = table.begin("dodgem", plies=6)
    session.set_clock("host", 10, 5, key=None)
    page = table.open(session, role=Role.PLAYER, seat=0)
    page.click("text=Stop the clock")
    expect(page.locator(".clock .goes")).to_have_count(0)
    expect(page.locator(".clock")).to_contain_text("The clock is stopped")
    page.click(".clock button")
    expect(page.locator(".clock .goes")).to_have_count(1)
    player = SelfPlay(session, seed=2, keep=table.app.state.camera_manager.keep)
    player._undo_incident()
    player._show(session.game.layout(session.state))
    assert player.stage("too_far")
    expect(page.locator(".clock")).to_contain_text("while this is settled")
    assert session.clock is not None
    assert session.clock.held
    player._undo_incident()
    expect(page.locator(".clock .goes")).to_have_count(1)
    assert not session.clock.held


@pytest.mark.full
def test_it_is_chosen_with_a_new_game(table: Table) -> None:
    page = table.open(table.begin())
    show(page, "settings")
    page.click("text=New game")
    page.click("[data-game=jul_gonu]")
    page.select_option("[name=minutes]", "10")
    page.select_option("[name=increment]", "20")
    page.click("button.go")
    expect(page.locator(".clock .time")).to_have_count(2)
    expect(page.locator(".clock .time b").nth(1)).to_have_text("10:00")

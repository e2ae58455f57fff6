"""The whole way of a phone at a table that plays by itself: in by the QR's address, follow, dispute, correct, undo."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from companion_api.access import Role
from companion_api.simulated.self_play import SelfPlay
from companion_api.watching.camera_manager import SIMULATED
from tests.companion_api.page.conftest import Table

pytestmark = [pytest.mark.page, pytest.mark.full]
"""Each step by itself: test_page, test_trouble."""

WAIT = 90_000


def test_a_phone_follows_disputes_a_staged_illegal_act_corrects_and_undoes(table: Table) -> None:
    session, camera_manager = table.begin(), table.app.state.camera_manager
    phone = table.open(session, role=Role.PLAYER, seat=1)
    host = table.open(session)
    camera_manager.assign(session, None, SIMULATED)
    player = camera_manager._watcher
    assert isinstance(player, SelfPlay)
    player._grace_s = 600

    # It follows the game that plays by itself.
    phone.click('nav [data-view="log"]')
    expect(phone.locator("li.action").first).to_be_visible(timeout=WAIT)

    # The host has an illegal act staged; everybody sees why it is one.
    host.click('nav [data-view="settings"]')
    host.click("text=Stage it")
    expect(phone.locator(".pending")).to_be_visible(timeout=WAIT)
    assert session.pending is not None

    # The phone disputes it: pictures, the rule, the ruling.
    phone.click(".pending >> text=Dispute")
    expect(phone.locator(".dispute .ruling")).to_be_visible(timeout=WAIT)
    expect(phone.locator(".dispute img").first).to_have_js_property("complete", True)

    # It corrects the first action and takes the last one back.
    first = phone.locator("li.action").last
    first.locator("button.line").click()
    first.get_by_text("Correct", exact=True).click()
    first.locator(".drawn").first.click()
    expect(phone.locator("li.corrected")).to_have_count(1, timeout=WAIT)
    before = len(session.history.actions)
    phone.click(".log > .row >> text=Undo")
    expect(phone.locator("li.undo")).to_have_count(1, timeout=WAIT)
    assert len(session.history.actions) == before - 1
    expect(host.locator(".chip")).to_be_visible()

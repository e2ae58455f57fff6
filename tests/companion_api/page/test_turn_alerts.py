"""A phone that is not looked at tells whose turn it is: in the title of the tab, by sound, by a buzz, by a message."""

from __future__ import annotations

import re

import httpx
import pytest
from playwright.sync_api import Page, expect

from companion_api.access import Role
from companion_api.session import Session
from tests.companion_api.page.conftest import Table
from tests.companion_api.page.promise_waits import until
from tests.companion_api.page.test_page import show
from tests.conftest import PATIENCE_MS
from vision.frame import decode

pytestmark = pytest.mark.page

SENSES = """
localStorage.setItem("sound", "yes");
localStorage.setItem("notify", "yes");
Object.assign(window, { tones: [], felt: [], messages: [], away: false });
Object.defineProperty(document, "hidden", { get: () => away });
Object.defineProperty(navigator, "vibrate", { value: (pattern) => felt.push(String(pattern)) });
const node = (more) => ({ connect: (next) => next, ...more });
window.AudioContext = class {
  currentTime = 0;
  createOscillator = () => node({ frequency: { set value(pitch) { tones.push(pitch); } }, start() {}, stop() {} });
  createGain = () => node({ gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} } });
};
window.Notification = class {
  static permission = isSecureContext ? "granted" : "denied";
  constructor(title) { messages.push(title); }
};
"""
PLAIN_HTTP = "Object.defineProperty(window, 'isSecureContext', { value: false });"
MINE, THEIRS = re.compile("^● Your turn"), re.compile("· Companion$")


def second(table: Table, script: str) -> tuple[Session, Page]:
    """The phone of the second seat, while the first is to move."""
    session = table.begin()
    page = table.open(session, role=Role.PLAYER, seat=1, fresh=True, service_workers="allow", script=script)
    expect(page).to_have_title(THEIRS)
    return session, page


def moves(session: Session) -> None:
    session.act("table", next(iter(session.game.legal(session.state))).id, expected=None, key=None)


def test_my_turn_is_seen_heard_and_felt(table: Table) -> None:
    session, page = second(table, SENSES)
    page.evaluate("window.away = true")
    moves(session)
    expect(page).to_have_title(MINE)
    page.wait_for_function("() => tones.includes(523) && tones.includes(784)", timeout=PATIENCE_MS)
    heard = page.evaluate("[felt, messages]")
    assert heard == [["80,60,80"], ["Your turn"]]
    moves(session)
    expect(page).to_have_title(THEIRS)
    show(page, "settings")
    expect(page.get_by_label("Tell me when it is my turn")).to_be_checked()


def test_over_http_a_missed_turn_is_told_once_and_no_message_is_offered(table: Table) -> None:
    session, page = second(table, PLAIN_HTTP + SENSES)
    for times in range(2):
        page.evaluate("window.away = true")
        moves(session)
        expect(page).to_have_title(MINE)
        page.wait_for_function("n => tones.filter((tone) => tone === 784).length > n", arg=times, timeout=PATIENCE_MS)
        page.evaluate("window.away = false; document.dispatchEvent(new Event('visibilitychange'))")
        expect(page.locator(".notice.bad")).to_have_count(1 - times)
        if not times:
            page.locator(".notice button").last.click()
        moves(session)
        expect(page).to_have_title(THEIRS)
    assert page.evaluate("messages") == []
    show(page, "settings")
    expect(page.get_by_label("Tell me when it is my turn")).to_have_count(0)
    assert page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0


def test_a_phone_that_keeps_the_page_finds_its_icon(table: Table) -> None:
    page = table.open(table.begin(), fresh=True, service_workers="allow")
    (icon,) = page.eval_on_selector_all("link[rel=apple-touch-icon]", "all => all.map((one) => one.href)")
    assert decode("icon", httpx.get(icon).content).shape[:2] == (180, 180)
    manifest = httpx.get(page.eval_on_selector("link[rel=manifest]", "one => one.href")).json()
    assert manifest["icons"]
    until(page, "async () => (await navigator.serviceWorker.getRegistrations()).length === 1")

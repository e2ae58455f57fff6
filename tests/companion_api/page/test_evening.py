"""An evening from the QR to the rematch, on four phones in a real Chromium: a whole game of Decay by hand and preview,
a dispute, a correction, the end, another game."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from companion_api.access import Role
from companion_api.session import Session
from rules.engine.turn import TurnKind
from rules.games import game
from tests.companion_api.page.conftest import Table
from tests.companion_api.page.test_page import show

pytestmark = [pytest.mark.page, pytest.mark.full, pytest.mark.timeout(900)]

WAIT = 60_000
PEOPLE = ("Anna", "Ben", "Clara", "David")
SHORT = 174  # luck that makes a whole game of some thirty actions
MOST = 200
UP_TO_DATE = "async (seq) => (await import('/js/state.js')).board.value.state === seq"


def sit_down(table: Table, session: Session) -> list[Page]:
    """Everybody comes in by the QR's address, says a name and takes a seat; the first is the host."""
    phones = []
    for seat, name in enumerate(PEOPLE):
        phone = table.open(session, role=Role.PLAYER if seat else Role.HOST, asked=True)
        phone.set_default_timeout(WAIT)
        phone.fill(".seating input", name)
        phone.click(f'.seating [data-seat="{seat}"]')
        expect(phone.locator(".you")).to_contain_text(name, timeout=WAIT)
        phones.append(phone)
    return phones


def do(phone: Page, session: Session, action: str) -> None:
    """By hand: typed, previewed, confirmed."""
    before = len(session.history.actions)
    if phone.locator(".hand").count() == 0:
        show(phone, "hand")
    phone.wait_for_function(
        "async (seq) => (await import('/js/state.js')).board.value.state === seq", arg=session.state_seq
    )
    confirm = phone.locator(".bar.asked .go")
    for _ in range(3):  # what was asked of a table that changed meanwhile is dropped: people ask again
        phone.fill(".hand input", action)
        phone.click(".hand form button")
        with suppress(TimeoutError):
            confirm.wait_for(timeout=WAIT / 3)
            break
    expect(confirm).to_be_visible()
    with phone.expect_response("**/api/actions"):
        confirm.click()
    expect(phone.locator(".bar.asked")).to_have_count(0, timeout=WAIT)
    assert len(session.history.actions) == before + 1, action


def correct(phone: Page, session: Session) -> None:
    """It was really another one, chosen as a picture; and then it was not: entered by hand as it was."""
    done = session.history.actions[-1]
    show(phone, "log")
    phone.locator("li.action button.line").first.click()
    phone.locator("li.action").first.get_by_text("Correct", exact=True).click()
    drawn = phone.locator("li.action .drawn").first
    expect(drawn.locator("svg.mini")).to_be_visible(timeout=WAIT)
    drawn.click()
    expect(phone.locator("li.corrected")).to_have_count(1, timeout=WAIT)
    assert session.history.actions[-1] != done
    phone.fill("li.action .correction input", done.id)
    phone.locator("li.action .correction form button").click()
    expect(phone.locator("li.corrected")).to_have_count(2, timeout=WAIT)
    assert session.history.actions[-1] == done


def dispute(phone: Page) -> None:
    show(phone, "log")
    phone.click(".log > .row >> text=Dispute")
    expect(phone.locator(".dispute .ruling")).to_be_visible(timeout=WAIT)


def test_an_evening_of_four(table: Table) -> None:
    session, rng = table.begin("decay"), random.Random(SHORT)
    phones = sit_down(table, session)
    host, *others = phones
    for count in range(MOST):
        turn = session.game.turn(session.state)
        if turn.is_over:
            break
        phone = host if turn.kind is TurnKind.CHANCE else phones[turn.seats[0]]
        do(phone, session, session.game.sample(session.state, rng).id)
        if count == 1:
            correct(host, session)
        if count == 6:
            dispute(others[0])
    assert session.game.turn(session.state).is_over
    winner = PEOPLE[session.game.outcome(session.state).winners[0]]
    for phone in phones:
        show(phone, "board")
        expect(phone.locator(".end")).to_contain_text(winner, timeout=WAIT)
    host.click(".end >> text=Another game")
    host.click('[data-game="ice_floe"]')
    host.click("button.go")
    for name, phone in zip(PEOPLE, phones, strict=True):
        expect(phone.locator("h1")).to_have_text(game("ice_floe").card.name, timeout=WAIT)
        expect(phone.locator(".you")).to_contain_text(name, timeout=WAIT)

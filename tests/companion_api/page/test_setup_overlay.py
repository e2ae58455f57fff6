"""The set-up over the camera's picture, piece by piece: what lies, what is missing, what lies wrong."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from companion_api.session import Session
from companion_api.simulated.self_play import SelfPlay
from rules.pieces import Kind
from rules.table.evidence import TableEvidence
from rules.table.layout import Layout
from tests.companion_api.page.conftest import Axe, Table
from tests.companion_api.page.test_page import show
from vision.frame import Frame
from vision.pipeline import CameraState, Moment

pytestmark = pytest.mark.page


def looked_at(table: Table, session: Session, layout: Layout) -> None:
    """The camera sees this on the table: a drawn picture, and what is seen where in it."""
    player = SelfPlay(session, seed=2)
    drawn = player._render(layout)
    seen = player._in_picture(player._onlooker.see(layout).table, drawn)
    frame = Frame(drawn.image, source="drawn", at=time.monotonic())
    player.latest = Moment(CameraState.LOOKED, frame.at, frame, TableEvidence(seen), None, True)
    table.app.state.camera_manager._watcher = player


def without(layout: Layout, count: int) -> Layout:
    """Some coins are not laid yet."""
    coins = [p for p in layout.pieces if p.piece.kind is Kind.COIN][:count]
    return replace(layout, pieces=tuple(p for p in layout.pieces if p not in coins))


def test_the_set_up_is_shown_piece_by_piece_over_the_picture(table: Table, axe: Axe) -> None:
    session = table.begin()
    layout = session.game.layout(session.state)
    looked_at(table, session, without(layout, 2))
    page = table.open(session)
    show(page, "settings")
    page.click("text=Set up camera and table")
    laying = page.locator(".laying")
    expect(laying.locator(".cropped .standing.missing polygon")).to_have_count(2)
    whole = len(layout.board)
    expect(laying.locator("[role=status]").first).to_contain_text(f"{whole - 2} of {whole} pieces are in place")
    expect(laying.locator(".next-piece")).to_contain_text("Next, lay: suns coin")
    expect(laying.locator(".standing.next.missing")).to_have_count(1)
    assert axe(page) == []
    looked_at(table, session, layout)
    expect(laying.locator("[role=status]").first).to_contain_text("Everything lies as it should")
    expect(laying.locator(".next-piece")).to_have_count(0)


@pytest.mark.full
def test_before_anything_lies_the_drawn_board_shows_how(table: Table) -> None:
    page = table.open(table.begin())
    show(page, "settings")
    page.click("text=Set up camera and table")
    expect(page.locator(".laying figure svg.mini")).to_be_visible()
    expect(page.locator(".laying")).to_contain_text("How it should lie")


@pytest.mark.full
def test_the_television_is_legible_from_four_metres_and_shows_the_table(table: Table) -> None:
    """At 1920 x 1080 on a screen of 1.2 m a pixel is 0.6 mm: a letter of 33 pixels has 20 mm."""
    session = table.begin("decay", plies=14)
    looked_at(table, session, session.game.layout(session.state))
    page = table.big_screen(session)
    expect(page.locator(".screen svg.cropped image")).to_be_visible()
    seen = "[...document.querySelectorAll('.turn, .players .name, .last li:first-child')]"
    sizes = page.evaluate(f"{seen}.map((e) => parseFloat(getComputedStyle(e).fontSize))")
    assert min(sizes) >= 33, sizes
    cut = "[...document.querySelectorAll('.players .name')].filter((e) => e.scrollWidth > e.clientWidth).length"
    assert page.evaluate(cut) == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 1920
    assert page.evaluate("document.documentElement.scrollHeight") <= 1080
    page.close()

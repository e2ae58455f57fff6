"""Boards drawn with photographs of people's own pieces: offered once there are enough of them that look well."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.sync_api import expect

from companion_api.access import Role
from companion_api.photographs import Photographs, appearance_of
from companion_api.session import Session
from companion_api.simulated.self_play import SelfPlay
from rules.pieces import Kind
from rules.referee.register import register
from tests.companion_api.page.conftest import Axe, Table
from tests.companion_api.page.test_page import show
from vision.frame import Picture

pytestmark = pytest.mark.page


def photographed(table: Table, session: Session, blurred: bool = False) -> Photographs:
    """The camera has looked at this table, drawn here; `blurred`: through a dirty lens."""
    player, layout = SelfPlay(session, seed=2), session.game.layout(session.state)
    drawn = player._render(layout)
    seen = player._in_picture(player._onlooker.see(layout).table, drawn)
    lies = register(layout, seen)
    assert lies is not None
    found: Photographs = table.app.state.camera_manager.photographs(session.table)
    image: Picture = drawn.image // 8 + 90 if blurred else drawn.image
    found.learn(layout, lies, seen, image)
    return found


def test_what_lies_flat_is_cut_out_and_kept(table: Table) -> None:
    session = table.begin("decay", plies=30)
    found = photographed(table, session)
    layout = session.game.layout(session.state)
    open_to_view = {appearance_of(p) for p in layout.board if p.piece.kind is Kind.TILE}
    assert found.known.keys() <= open_to_view
    assert len(found.known) >= len(open_to_view) / 2
    assert found.cover(layout)
    again = Photographs(found._folder)
    assert {look: one.jpeg for look, one in again.known.items()} == {k: v.jpeg for k, v in found.known.items()}


def test_nothing_is_cut_out_of_a_board_that_lies_aside_of_where_it_is_believed(table: Table) -> None:
    """A real look did that: the tiles were there, one further, and every tile was drawn with somebody's coin on it."""
    session = table.begin()
    player, layout = SelfPlay(session, seed=2), session.game.layout(session.state)
    drawn = player._render(layout)
    seen = player._in_picture(player._onlooker.see(layout).table, drawn)
    lies = register(layout, seen)
    assert lies is not None
    aside = replace(layout, pieces=tuple(replace(p, x=p.x + 2 if p.x < 4 else p.x - 4) for p in layout.pieces))
    found: Photographs = table.app.state.camera_manager.photographs(session.table)
    assert found.learn(aside, lies, seen, drawn.image) == 0
    assert found.learn(layout, lies, seen, drawn.image) >= 3


@pytest.mark.full
def test_boards_are_drawn_with_them_and_as_ever_again(table: Table, axe: Axe) -> None:
    session = table.begin("decay", plies=30)
    count = len(photographed(table, session).known)
    page = table.open(session, role=Role.PLAYER, seat=0)
    show(page, "settings")
    switch = page.get_by_label("photographs of our own pieces")
    expect(switch).to_be_enabled()
    expect(switch).not_to_be_checked()
    switch.check()
    assert axe(page) == []
    show(page, "board")
    expect(page.locator(".pan image.own")).to_have_count(count)
    loaded = page.locator(".pan image.own").first.evaluate(
        "(image) => fetch(image.getAttribute('href')).then((answer) => answer.headers.get('content-type'))"
    )
    assert loaded == "image/jpeg"
    page.reload()
    expect(page.locator(".pan image.own")).to_have_count(count)
    show(page, "settings")
    expect(switch).to_be_checked()
    switch.uncheck()
    show(page, "board")
    expect(page.locator(".pan .piece.tile").first).to_be_visible()
    expect(page.locator(".pan image.own")).to_have_count(0)


@pytest.mark.full
def test_where_they_look_poor_boards_stay_drawn(table: Table) -> None:
    session = table.begin("decay", plies=30)
    assert not photographed(table, session, blurred=True).known
    page = table.open(session, role=Role.PLAYER, seat=0)
    show(page, "settings")
    expect(page.get_by_label("photographs of our own pieces")).to_be_disabled()
    expect(page.locator(".settings")).to_contain_text("as soon as the camera has seen enough")

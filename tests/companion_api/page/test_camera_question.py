"""A move is not understood: it is shown where it happened, drawn guesses are offered, and the evening goes on."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion_api.access import Role
from companion_api.log.event import EventKind
from companion_api.session import Session
from companion_api.simulated.self_play import SelfPlay
from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.pieces import Kind
from rules.table.layout import Placed
from tests.companion_api.page.conftest import PHONE, Table
from tests.companion_api.page.test_page import show

pytestmark = pytest.mark.page

TABLET = (820, 1180)
WAIT = 90_000


def staged(table: Table, incident: str = "too_far", name: str = "dodgem") -> tuple[Session, SelfPlay]:
    """Somebody has just done what the rules forbid, at a table with a drawn camera."""
    session = table.begin(name, plies=6)
    player = SelfPlay(session, seed=2, keep=table.app.state.camera_manager.keep)
    player._undo_incident()
    player._show(session.game.layout(session.state))
    assert player.stage(incident)
    assert session.pending is not None
    return session, player


def test_a_verdict_is_shown_where_it_happened_until_it_is_put_right(table: Table) -> None:
    session, player = staged(table)
    page = table.open(session, role=Role.PLAYER, seat=0)
    trouble = page.locator(".pending")
    expect(trouble).to_be_visible(timeout=WAIT)
    expect(page.locator(".pan .wrong .mark.falls")).to_have_count(1)
    expect(page.locator(".pan .wrong .mark.comes")).to_have_count(1)
    expect(trouble.locator("figcaption").first).to_contain_text("Put it back on")
    crop = trouble.locator(".crop img").last
    expect(crop).to_have_attribute("style", re.compile("position: absolute"))  # close to where it happened
    large = trouble.locator("dialog").last
    expect(large).to_be_hidden()
    trouble.locator("button.look").last.click()
    expect(large).to_be_visible()
    page.keyboard.press("Escape")
    expect(large).to_be_hidden()
    is_beside_the_picture_before(page)
    player._undo_incident()  # nothing happened in the game: no event tells of it
    assert session.pending is None
    expect(trouble).to_have_count(0, timeout=WAIT)


ARE_LEFT_OF_THE_CODE = """() => {
  const right = (element) => element.getBoundingClientRect().right;
  const left = document.querySelector(".qr").getBoundingClientRect().left;
  const shown = [...document.querySelectorAll(".pending, .pending figure, .pending .crop")];
  return shown.length > 2 && shown.every((element) => right(element) <= left);
}"""


@pytest.mark.full
def test_the_television_shows_a_verdict_beside_its_code(table: Table) -> None:
    session, _ = staged(table)
    page = table.big_screen(session)
    expect(page.locator(".pending .crop img").first).to_be_visible(timeout=WAIT)
    expect(page.locator(".qr")).to_be_visible(timeout=WAIT)
    page.wait_for_function(ARE_LEFT_OF_THE_CODE, timeout=WAIT)  # pictures that come move what lies beside them


def is_beside_the_picture_before(page: Page) -> None:
    """Also where nobody has done anything under the camera yet: the last look at which all lay as it should."""
    photographs = page.locator(".pending .photograph")
    expect(photographs).to_have_count(2, timeout=WAIT)
    expect(photographs.first).to_contain_text("Before")
    names = photographs.locator(".crop img").evaluate_all("(found) => found.map((img) => img.src)")
    assert names[0] != names[1]
    tops = photographs.locator(".crop").evaluate_all("(found) => found.map((e) => e.getBoundingClientRect().top)")
    assert tops[0] == tops[1], "beside each other"


@pytest.mark.full
def test_what_it_may_have_been_is_drawn_and_told_in_words(table: Table) -> None:
    session = table.begin("dodgem", plies=7, seed=6)
    player = SelfPlay(session, seed=3, keep=table.app.state.camera_manager.keep)
    player._undo_incident()
    assert player.stage("two_at_once")
    assert session.pending is not None
    count = len(session.pending.choices)
    assert count >= 2
    page = table.open(session, role=Role.PLAYER, seat=0)
    guesses = page.locator(".pending .drawn")
    expect(guesses).to_have_count(count, timeout=WAIT)
    expect(page.locator(".pending .drawn svg.mini")).to_have_count(count, timeout=WAIT)
    assert not [words for words in guesses.all_inner_texts() if "(" in words]


def test_where_much_of_the_board_is_wrong_it_is_shown_as_it_should_lie(table: Table) -> None:
    """No tangle of arrows for a part of it: one sentence, one board."""
    session = table.begin("dodgem", plies=6)
    player = SelfPlay(session, seed=2, keep=table.app.state.camera_manager.keep)
    player._undo_incident()
    layout = session.game.layout(session.state)
    coins = [p for p in layout.board if p.piece.kind is Kind.COIN]
    free = [p for p in layout.places if p.name not in {coin.place for coin in coins}]
    random.Random(3).shuffle(free)
    lie = {coin.key: replace(coin, x=to.x, y=to.y, place=to.name) for coin, to in zip(coins, free, strict=False)}
    player._show(replace(layout, pieces=tuple(lie.get(p.key, p) for p in layout.pieces)))
    page = table.open(session, role=Role.PLAYER, seat=0)
    trouble = page.locator(".pending")
    expect(trouble.locator("figcaption").first).to_have_text("How it should lie", timeout=WAIT)
    expect(trouble).to_contain_text("much of the board differs")
    expect(page.locator(".wrong .mark")).to_have_count(0)


def moved_wrongly(table: Table, name: str, plies: int, kind: Kind) -> Session:
    """Whoever is to move has laid a piece that can be moved where it may not go."""
    session = table.begin(name, plies=plies, seed=2)
    player = SelfPlay(session, seed=2, keep=table.app.state.camera_manager.keep)
    player._undo_incident()
    game, state = session.game, session.state
    layout = game.layout(state)
    action = next(a for a in game.legal(state) if _laid_otherwise(game, state, a, kind))
    (piece,) = _laid_otherwise(game, state, action, kind)[:1]
    ends = {(p.x, p.y) for a in game.legal(state) for p in game.layout(game.advance(state, a)) if p.key == piece.key}
    free = [
        p for p in layout.places if all(max(abs(p.x - x), abs(p.y - y)) > 0.6 for x, y in {*ends, (piece.x, piece.y)})
    ]
    there = max(free, key=lambda p: abs(p.x - piece.x) + abs(p.y - piece.y))
    wrong = replace(piece, x=there.x, y=there.y, place=there.name)
    player._show(replace(layout, pieces=tuple(wrong if p.key == piece.key else p for p in layout.pieces)))
    assert session.pending is not None
    return session


def _laid_otherwise(game: AnyGame, state: Any, action: Action, kind: Kind) -> list[Placed]:
    """The pieces of a kind that an action moves on the board, as they lie before it."""
    after = {p.key: p for p in game.layout(game.advance(state, action))}
    pieces = (p for p in game.layout(state).board if p.piece.kind is kind)
    return [p for p in pieces if p.key in after and (after[p.key].x, after[p.key].y) != (p.x, p.y)]


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "plies", "kind"),
    [
        ("four_blind_mice", 17, Kind.PAWN),
        ("penguin", 3, Kind.PAWN),
        ("tula", 15, Kind.TILE),
        ("delegate_dash", 12, Kind.PAWN),
    ],
)
def test_guesses_are_drawn_where_actions_name_no_piece(name: str, plies: int, kind: Kind, table: Table) -> None:
    """What was moved and where to is nowhere named together: the guesses are what else could be done with the piece."""
    session = moved_wrongly(table, name, plies, kind)
    page = table.open(session, role=Role.PLAYER, seat=session.game.turn(session.state).seats[0])
    guesses = page.locator(".pending .drawn")
    expect(guesses.first).to_be_visible(timeout=WAIT)
    expect(page.locator(".pending .drawn svg.mini")).to_have_count(guesses.count(), timeout=WAIT)
    assert not [words for words in guesses.all_inner_texts() if "(" in words or ":" in words]


def take_as_it_lies(page: Page) -> None:
    page.click("text=Take the table as it lies")
    expect(page.locator(".lying svg.mini")).to_be_visible(timeout=WAIT)


@pytest.mark.parametrize("size", [PHONE, TABLET])
def test_the_table_is_taken_as_it_lies_and_the_evening_goes_on(size: tuple[int, int], table: Table) -> None:
    session, player = staged(table)
    other = table.open(session, size, role=Role.PLAYER, seat=1)
    page = table.open(session, size, role=Role.PLAYER, seat=0)
    before = session.state
    take_as_it_lies(page)
    assert session.state == before, "nothing is done before people have said that it is right"
    page.click(".lying [role=group] button >> nth=1")
    page.click("text=Yes, go on from here")
    expect(page.locator(".pending")).to_have_count(0)
    expect(other.locator(".last-move")).to_contain_text("the table is taken as it lies")
    assert session.events[-1].kind is EventKind.LAID
    assert session.game.turn(session.state).seats == (1,)
    player._undo_incident()
    assert session.pending is None, "the camera agrees: so it lies"
    again = table.app.state.tables.__class__(table.app.state.tables.log, table.app.state.tables.data)
    assert again.session(session.table).state == session.state, "a restart knows it too"
    show(page, "log")
    page.click(".log > .row >> text=Undo")
    expect(page.locator("li.undo")).to_have_count(1)
    assert session.state == before


@pytest.mark.full
def test_only_those_who_play_are_asked_who_moves_next(table: Table) -> None:
    """Up to four can play it; two do."""
    session, _ = staged(table, "illegal", "penguin")
    assert len(session.seats) == 2
    assert set(session.offer().position.others) <= {0, 1}


@pytest.mark.full
def test_what_is_no_position_says_so_kindly(table: Table) -> None:
    session = table.begin("dodgem", plies=2)
    page = table.open(session)
    answer = page.evaluate("fetch('/api/lying').then((r) => r.json())")
    assert answer["detail"]["code"] == "unclear"

"""Pieces are dragged: a ghost follows the finger, snaps to legal places, and letting go asks what two taps ask. What a
preview tells of is in sight."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Page, expect

from companion_api.access import Role
from tests.companion_api.page.conftest import PHONE, Table
from tests.companion_api.page.promise_waits import until

pytestmark = pytest.mark.page

Spot = tuple[float, float]


def middle(page: Page, selector: str) -> Spot:
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


READY = "() => import('/js/parts/drag.js').then(() => true)"
LIES_AT = """([selector, x, y]) => { const box = document.querySelector(selector)?.getBoundingClientRect();
    return box && Math.hypot(box.x + box.width / 2 - x, box.y + box.height / 2 - y) < 3; }"""
GHOST = ".carried .piece.ghost .body"
IN_SIGHT = """() => {
    const [bar, pan] = [".bar.asked", ".pan"].map((name) => document.querySelector(name).getBoundingClientRect());
    return [...document.querySelectorAll(".pan .ghosts .piece")].map((e) => e.getBoundingClientRect()).every((box) =>
        pan.x <= box.x && box.x <= pan.right && pan.y - 5 <= box.y + box.height / 2 &&
        box.y + box.height / 2 <= Math.min(bar.y, pan.bottom)); }"""


class Finger:
    """A real one, as far as a browser knows it."""

    def __init__(self, page: Page) -> None:
        self._page, self._tools = page, page.context.new_cdp_session(page)
        self._at: Spot | None = None

    def drag(self, end: Spot, start: Spot | None = None) -> None:
        """To there, from where it is or is put down; it is not yet lifted."""
        if start is not None:
            until(self._page, READY)
            self._touch("touchStart", start)
        first = start or self._at
        assert first is not None
        for step in range(1, 9):
            self._touch(
                "touchMove", (first[0] + (end[0] - first[0]) * step / 8, first[1] + (end[1] - first[1]) * step / 8)
            )

    def let_go(self) -> None:
        self._touch("touchEnd")

    def _touch(self, kind: str, *spots: Spot) -> None:
        self._at = spots[0] if spots else None
        points = [{"x": x, "y": y} for x, y in spots]
        self._tools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_a_dragged_piece_has_a_ghost_that_snaps_and_asks(table: Table) -> None:
    session = table.begin()
    page = table.open(session, has_touch=True)
    start, end = middle(page, '[data-name="a1"]'), middle(page, '[data-name="b1"]')
    finger = Finger(page)
    finger.drag((end[0] + 9, end[1] + 7), start)
    until(page, LIES_AT, [GHOST, *end])  # it snaps to the place
    expect(page.locator(".carried .piece.ghost")).to_have_count(1)
    finger.let_go()
    expect(page.locator(".bar.asked")).to_contain_text("a1 → b1")
    expect(page.locator(".carried .piece")).to_have_count(0)
    assert session.history.actions == (), "nothing is done before it is confirmed"


@pytest.mark.full
def test_a_piece_dragged_where_it_may_not_go_says_why(table: Table) -> None:
    page = table.open(table.begin(), has_touch=True)
    finger, start = Finger(page), middle(page, '[data-name="a1"]')
    finger.drag(middle(page, '[data-name="c3"]'), start)
    finger.let_go()
    expect(page.locator(".bar.refused .clause")).to_contain_text("DODG")
    page.click(".bar.refused button")
    finger.drag((start[0] + 12, PHONE[1] - 200), start)
    finger.let_go()
    expect(page.locator(".cell.picked")).to_have_count(0)


def test_a_tile_is_dragged_from_the_hand_to_legal_ground(table: Table) -> None:
    session, rng = table.begin("decay"), random.Random(1)
    while len(session.game.layout(session.state).board) < 4:
        session.act("table", session.game.sample(session.state, rng).id, expected=None, key=None)
    page = table.open(session, has_touch=True, role=Role.PLAYER, seat=session.game.turn(session.state).seats[0])
    tile = page.locator(".zones button.grip").first
    tile.scroll_into_view_if_needed()
    start = middle(page, ".zones button.grip")
    finger = Finger(page)
    finger.drag((start[0] + 10, start[1] - 30), start)  # lifted: the legal ground is shaded
    expect(page.locator(".spots rect").first).to_be_attached()
    legal = middle(page, ".spots rect")
    finger.drag(legal)
    expect(page.locator(".carried .piece.tile")).to_have_count(1)
    finger.let_go()
    expect(page.locator(".bar.asked .go")).to_be_visible()
    page.click(".bar.asked .go")
    expect(page.locator(".pan .piece.tile")).to_have_count(5)


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "verb"), [("san_andreas", "found"), ("dectana", "place_start"), ("four_blind_mice", "place_cheese")]
)
def test_a_piece_that_no_action_names_is_dragged_from_beside_the_board(name: str, verb: str, table: Table) -> None:
    """The legal ground is shaded, the ghost snaps to it, and no list hides the board meanwhile."""
    session, rng = table.begin(name), random.Random(4)
    while not any(action.verb == verb for action in session.game.legal(session.state)):
        session.act("table", session.game.sample(session.state, rng).id, expected=None, key=None)
    page = table.open(session, has_touch=True, role=Role.PLAYER, seat=session.game.turn(session.state).seats[0])
    piece = page.locator(".zones button.grip").first
    piece.evaluate("(piece) => piece.scrollIntoView({block: 'center'})")
    start, finger = middle(page, ".zones button.grip"), Finger(page)
    finger.drag((start[0] + 10, start[1] - 60), start)
    expect(page.locator(".cell.target").nth(8)).to_be_attached()
    expect(page.locator(".bar [data-action]")).to_have_count(0)
    end = middle(page, ".cell.target")
    finger.drag((end[0] + 5, end[1] + 4))
    until(page, LIES_AT, [GHOST, *end])
    finger.let_go()
    expect(page.locator(".bar.asked .go, .bar.actions [data-action]").first).to_be_visible()
    offered = page.locator(".bar [data-action]").evaluate_all("(found) => found.map((e) => e.dataset.action)")
    assert all(action.startswith(verb) for action in offered)


@pytest.mark.parametrize(
    ("name", "verb", "seed"), [("zombie", "walk", 5), ("zombie", "open", 5), ("san_andreas", "found", 4)]
)
def test_what_a_preview_tells_of_is_in_sight_and_has_no_bare_numbers(
    name: str, verb: str, seed: int, table: Table
) -> None:
    session, rng = table.begin(name), random.Random(seed)
    for _ in range(80):
        action = next((a for a in session.game.legal(session.state) if a.verb == verb), None)
        if action is not None:
            break
        session.act("table", session.game.sample(session.state, rng).id, expected=None, key=None)
    assert action is not None
    page = table.open(session)
    page.evaluate("id => import('/js/actions.js').then((m) => m.ask(id))", action.id)
    bar = page.locator(".bar.asked")
    expect(bar).to_be_visible()
    words = bar.inner_text()
    assert ":" not in words.replace(": ", " "), words
    assert "x1y" not in words
    until(page, IN_SIGHT)

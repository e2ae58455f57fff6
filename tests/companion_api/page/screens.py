"""Takes the screens that the documents show, and more.

python -m tests.companion_api.page.screens FOLDER [NAME ...]
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import Page, sync_playwright

from companion_api.access import Role
from companion_api.app import make_app
from companion_api.settings import Settings
from rules.engine.effects import EffectKind
from tests.companion_api.page import sheet
from tests.companion_api.page.conftest import DESK, PHONE, TABLET, TELEVISION, Phones, Scheme, Table
from tests.companion_api.page.test_begin_and_end import played_out
from tests.companion_api.page.test_camera_question import staged
from tests.companion_api.page.test_drag import Finger, middle
from tests.companion_api.page.test_evening import led_with_a_film
from tests.companion_api.page.test_page import show
from tests.companion_api.page.test_photographs import photographed
from tests.companion_api.page.test_setup_overlay import looked_at, without
from tests.companion_api.served import in_thread
from tests.conftest import HOW, chromium

WAIT_MS = 90_000
LYING = (844, 390)
FOUR = ("decay", "dodgem", "global_warming", "ice_floe")
LOOKED_AT = 60


def verdict(table: Table, size: tuple[int, int] = PHONE) -> Page:
    session, _ = staged(table)
    page = table.open(session, size, role=Role.PLAYER, seat=0)
    page.wait_for_selector(".pending .photograph:nth-of-type(3) img")
    return page


def verdict_tablet(table: Table) -> Page:
    return verdict(table, TABLET)


def laying(table: Table) -> Page:
    session = table.begin()
    layout = without(session.game.layout(session.state), 2)
    moved = replace(layout.pieces[-1], x=layout.pieces[-1].x + 1)
    looked_at(table, session, replace(layout, pieces=(*layout.pieces[:-1], moved)))
    page = table.open(session)
    show(page, "settings")
    page.click("text=Set up camera and table")
    page.wait_for_selector(".cropped image")
    page.locator(".laying").scroll_into_view_if_needed()
    return page


def television(table: Table) -> Page:
    session = table.begin("decay", plies=26)
    looked_at(table, session, session.game.layout(session.state))
    page = table.big_screen(session)
    page.wait_for_selector(".screen .cropped image")
    return page


def end(table: Table) -> Page:
    page = table.open(played_out(table, "decay", 174))
    page.wait_for_selector(".moments svg.mini")
    return page


def new_game_decay(table: Table) -> Page:
    page = table.open(table.begin())
    show(page, "settings")
    page.click("text=New game")
    page.click('[data-game="decay"]')
    page.click(".presets button")
    return page


def previewed(table: Table, name: str, verb: str, seed: int) -> Page:
    session, rng = table.begin(name), random.Random(seed)
    while (action := next((a for a in session.game.legal(session.state) if a.verb == verb), None)) is None:
        session.act("table", session.game.sample(session.state, rng).id, expected=None, key=None)
    page = table.open(session, role=Role.PLAYER, seat=session.game.turn(session.state).seats[0])
    page.wait_for_selector(".pan .piece")
    page.evaluate("id => import('/js/actions.js').then((m) => m.ask(id))", action.id)
    page.wait_for_selector(".bar.asked")
    return page


def leading_to(table: Table, name: str, kind: EffectKind, seed: int) -> Page:
    """What it does is shown before it is done."""
    session, rng = table.begin(name), random.Random(seed)
    game = session.game
    while True:
        seats = game.turn(session.state).seats
        for action in islice(game.legal(session.state), LOOKED_AT) if len(seats) == 1 else ():
            if any(effect.kind is kind for effect in game.apply(session.state, action).effects):
                page = table.open(session, role=Role.PLAYER, seat=seats[0])
                page.wait_for_selector(".pan .piece")
                page.evaluate("id => import('/js/actions.js').then((m) => m.ask(id))", action.id)
                page.wait_for_selector(".bar.asked li")
                return page
        session.act("table", game.sample(session.state, rng).id, expected=None, key=None)


def decay_attack(table: Table) -> Page:
    return leading_to(table, "decay", EffectKind.ATTACK, 3)


def decay_collapse(table: Table) -> Page:
    return leading_to(table, "decay", EffectKind.COLLAPSE, 3)


def ice_floe_collapse(table: Table) -> Page:
    return leading_to(table, "ice_floe", EffectKind.COLLAPSE, 3)


def board_at(name: str, size: tuple[int, int], scheme: Scheme = "light") -> Callable[[Table], Page]:
    def screen(table: Table) -> Page:
        session = table.begin(name, plies=40 if name == "decay" else 25)
        seats = session.game.turn(session.state).seats
        page = table.open(session, size, role=Role.PLAYER, seat=seats[0], scheme=scheme)
        page.wait_for_selector(".pan .piece")
        return page

    return screen


def global_warming_coins(table: Table) -> Page:
    """Which tile sinks is told by the coin that is drawn."""
    session, rng = table.begin("global_warming"), random.Random(5)
    while session.game.turn(session.state).phase != "sink":
        session.act("table", session.game.sample(session.state, rng).id, expected=None, key=None)
    page = table.open(session, role=Role.PLAYER, seat=0)
    page.click(".luck summary")
    page.wait_for_selector(".bar .together")
    return page


def join(table: Table) -> Page:
    page = table.open(table.begin("decay", plies=30), role=Role.PLAYER, asked=True)
    page.wait_for_selector(".seating")
    return page


def rulebook_de(table: Table) -> Page:
    page = table.open(table.begin("decay"), locale="de")
    show(page, "settings")
    page.click("text=Regelheft")
    page.wait_for_selector(".rulebook .rule")
    page.fill("input[type=search]", "Münze")
    return page


def zombie(table: Table) -> Page:
    return previewed(table, "zombie", "walk", 5)


def san_andreas(table: Table) -> Page:
    return previewed(table, "san_andreas", "resolve", 4)


def decay_free_placing(table: Table) -> Page:
    session, rng = table.begin("decay"), random.Random(1)
    while len(session.game.layout(session.state).board) < 7:
        session.act("table", session.game.sample(session.state, rng).id, expected=None, key=None)
    seat = session.game.turn(session.state).seats[0]
    page = table.open(session, has_touch=True, role=Role.PLAYER, seat=seat)
    page.wait_for_selector(".zones button.grip")
    finger, start = Finger(page), middle(page, ".zones button.grip")
    finger.drag((start[0] + 10, start[1] - 30), start)
    page.wait_for_selector(".spots rect", state="attached")
    finger.drag(middle(page, ".spots rect"))
    return page


def own_photographs(table: Table) -> Page:
    session = table.begin("decay", plies=30)
    photographed(table, session)
    page = table.open(session, role=Role.PLAYER, seat=0, scheme="dark")
    page.evaluate("localStorage.setItem('photos', 'yes')")
    page.reload()
    page.wait_for_selector(".pan image.own")
    return page


def clock_television(table: Table) -> Page:
    session = table.begin("dodgem", plies=6)
    session.set_clock("host", 10, 5, key=None)
    page = table.big_screen(session)
    page.wait_for_selector(".clock .goes")
    return page


def nearest(table: Table) -> Page:
    """No position lies like that: the nearest one, and what is to be put right."""
    session, _ = staged(table, "added")
    page = table.open(session, role=Role.PLAYER, seat=0)
    page.click("text=Take the table as it lies")
    page.wait_for_selector(".lying svg.mini")
    page.locator(".lying").scroll_into_view_if_needed()
    return page


def wide(table: Table) -> Page:
    """A desk's screen: the board, what lies beside it, and what happened last."""
    page = table.open(table.begin("ice_floe", plies=12), TELEVISION)
    page.wait_for_selector(".recent-moves li")
    return page


def revealing(table: Table) -> Page:
    """What the table has decided is told by a picture."""
    page = table.open(table.begin("tula", plies=12))
    page.click(".luck summary")
    page.wait_for_selector(".bar .faces")
    return page


def zombie_desk(table: Table) -> Page:
    page = table.open(table.begin("zombie", plies=12), DESK)
    page.wait_for_selector(".pan .piece")
    return page


class ReachedError(Exception):
    """The step that is wanted is on the screen."""

    def __init__(self, page: Page) -> None:
        super().__init__()
        self.page = page


def led_to(step: str) -> Callable[[Table], Page]:
    """A step of a first evening with a camera; the last one is the first move."""

    def reached(name: str, page: Page) -> None:
        if name == step:
            raise ReachedError(page)

    def shown(table: Table) -> Page:
        try:
            page, _ = led_with_a_film(table, reached)
        except ReachedError as found:
            page = found.page
        return page

    return shown


SCREENS: dict[str, Callable[[Table], Page]] = {
    **{f"{name}-desktop": board_at(name, DESK) for name in FOUR},
    **{f"{name}-tablet-dark": board_at(name, TABLET, "dark") for name in FOUR},
    "decay-lying-phone": board_at("decay", LYING),
    "san_andreas-phone": board_at("san_andreas", PHONE),
    "decay-attack": decay_attack,
    "decay-collapse": decay_collapse,
    "ice_floe-collapse": ice_floe_collapse,
    "global_warming-coins": global_warming_coins,
    "global_warming-secret-dice": sheet.sealed,
    "dodgem-move-dark": sheet.preview,
    "join": join,
    "new-game": sheet.lobby,
    "rulebook-de": rulebook_de,
    "verdict": verdict,
    "verdict-tablet": verdict_tablet,
    "laying": laying,
    "television": television,
    "end": end,
    "new-game-decay": new_game_decay,
    "zombie": zombie,
    "san_andreas": san_andreas,
    "decay-free-placing": decay_free_placing,
    "own-photographs": own_photographs,
    "clock-television": clock_television,
    "nearest": nearest,
    "wide": wide,
    "revealing": revealing,
    "zombie-desk": zombie_desk,
    **{f"first-{step}": led_to(step) for step in ("camera", "look", "people", "lay", "move")},
}


def main() -> None:
    folder, *names = sys.argv[1:]
    path = chromium()
    if path is None:
        raise SystemExit(HOW)
    app = make_app(Settings(data=Path(tempfile.mkdtemp())))
    with in_thread(app) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        table = Table(app, address, Phones(browser), [], wait_ms=WAIT_MS)
        for name in names or SCREENS:
            page = SCREENS[name](table)
            page.wait_for_timeout(1500)
            picture = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
            assert picture is not None, "Chromium gave no picture"
            cv2.imwrite(str(Path(folder) / f"{name}.webp"), picture, [cv2.IMWRITE_WEBP_QUALITY, 80])
            page.close()
        browser.close()


if __name__ == "__main__":
    main()

"""Draws the sheet of screens in the README: all boards in random positions and the main screens, as on a phone.

python -m tests.companion_api.page.sheet OUT.jpg
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import Page, sync_playwright

from companion_api.access import Role
from companion_api.app import make_app
from companion_api.session import Session
from companion_api.settings import Settings
from companion_api.simulated.self_play import SelfPlay
from companion_api.watching.camera_manager import SIMULATED, reader_problem
from rules.games import available
from tests.companion_api.page.conftest import PHONE, Phones, Table
from tests.companion_api.served import in_thread
from tests.companion_api.test_cameras import jpeg
from tests.conftest import HOW, chromium

COLUMNS = 8
WAIT_MS = 90_000


def boards(table: Table) -> Iterator[Page]:
    for name in available():
        yield table.open(table.begin(name, plies=25))


def screens(table: Table) -> Iterator[Page]:
    yield refused(table)
    yield disputed(table)
    yield corrected(table)
    yield sealed(table)
    yield preview(table)
    yield lobby(table)
    yield score(table)
    yield trust(table)
    yield free_spot(table)
    if not reader_problem():
        yield wizard(table)


def shown(page: Page, view: str, wait: str) -> Page:
    page.click(f'nav [data-view="{view}"]')
    page.wait_for_selector(wait)
    return page


def staged(table: Table) -> Session:
    """A Dodg'em with an illegal act on the table."""
    session = table.begin("dodgem", plies=6)
    table.app.state.camera_manager.source = SIMULATED
    player = SelfPlay(session, seed=4, keep=table.app.state.camera_manager.keep)
    player.stage("too_far")
    return session


def refused(table: Table) -> Page:
    page = table.open(staged(table))
    page.wait_for_selector(".pending.refused")
    return page


def disputed(table: Table) -> Page:
    page = shown(table.open(staged(table), scheme="dark"), "log", "li.verdict")
    page.click("text=Dispute >> nth=0")
    page.wait_for_selector(".ruling")
    return page


def corrected(table: Table) -> Page:
    page = shown(table.open(table.begin("dodgem", plies=4)), "log", "li.action")
    page.click("li.action >> nth=0 >> button.line")
    page.click("li.action >> nth=0 >> text=Correct")
    page.wait_for_selector(".drawn svg.mini")
    return page


def sealed(table: Table) -> Page:
    session, rng = table.begin("global_warming"), random.Random(5)
    while session.game.turn(session.state).kind.value != "all":
        session.act("table", session.game.sample(session.state, rng).id, expected=None, key=None)
    page = table.open(session, role=Role.PLAYER, seat=session.game.turn(session.state).seats[0])
    page.click("text=Show my choices")
    return page


def preview(table: Table) -> Page:
    page = table.open(table.begin(), scheme="dark")
    page.click('svg [data-name="a1"]')
    page.click('svg [data-name="b1"]')
    page.wait_for_selector(".bar.asked")
    return page


def lobby(table: Table) -> Page:
    page = shown(table.open(table.begin()), "settings", ".qr")
    page.click("text=New game")
    page.wait_for_selector("[data-game]")
    return page


def score(table: Table) -> Page:
    return shown(table.open(table.begin("dectana", plies=60), locale="de"), "score", "table")


def trust(table: Table) -> Page:
    table.app.state.secure_port = 8471
    page = table.open(table.begin(), locale="fr", fresh=True)
    page.add_init_script("Object.defineProperty(window, 'isSecureContext', {value: false})")
    page.reload()
    shown(page, "camera", ".trust").click(".trust summary")
    page.locator(".screens").scroll_into_view_if_needed()
    return page


def free_spot(table: Table) -> Page:
    session, rng = table.begin("decay"), random.Random(1)
    while len(session.game.layout(session.state).board) < 6:
        session.act("table", session.game.sample(session.state, rng).id, expected=None, key=None)
    page = table.open(session, locale="de")
    page.click(".zones button:not([disabled])")
    page.wait_for_selector(".ground")
    return page


def wizard(table: Table) -> Page:
    page = shown(table.open(table.begin(), locale="de"), "settings", ".qr")
    page.click("text=Kamera und Tisch einrichten")
    page.wait_for_selector(".steps")
    page.set_input_files("input[type=file]", {"name": "t.jpg", "mimeType": "image/jpeg", "buffer": jpeg("dodgem")})
    page.click(".notice button")
    page.wait_for_selector(".quality meter")
    page.locator(".quality").scroll_into_view_if_needed()
    return page


def pictured(pages: Iterator[Page]) -> Iterator[np.ndarray]:
    for page in pages:
        page.wait_for_timeout(300)
        data = np.frombuffer(page.screenshot(), np.uint8)
        picture = cv2.imdecode(data, cv2.IMREAD_COLOR)
        page.context.close()
        assert picture is not None, "Chromium gave no picture"
        yield np.asarray(cv2.resize(picture, (PHONE[0] // 2, PHONE[1] // 2), interpolation=cv2.INTER_AREA))


def sheet(pictures: list[np.ndarray]) -> np.ndarray:
    empty = np.full_like(pictures[0], 255)
    pictures = [*pictures, *[empty] * (-len(pictures) % COLUMNS)]
    rows = [np.hstack(pictures[start : start + COLUMNS]) for start in range(0, len(pictures), COLUMNS)]
    return np.vstack(rows)


def main() -> None:
    path = chromium()
    if path is None:
        raise SystemExit(HOW)
    app = make_app(Settings(data=Path(tempfile.mkdtemp())))
    with in_thread(app) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        table = Table(app, address, Phones(browser), [], wait_ms=WAIT_MS)
        drawn = sheet([*pictured(boards(table)), *pictured(screens(table))])
        browser.close()
    cv2.imwrite(sys.argv[1], drawn, [cv2.IMWRITE_JPEG_QUALITY, 82])


if __name__ == "__main__":
    main()

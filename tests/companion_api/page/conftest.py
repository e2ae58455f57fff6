"""A served table for the real Chromium."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

from companion_api.access import Role
from companion_api.app import make_app
from companion_api.routes import joining
from companion_api.session import Session
from companion_api.settings import Settings
from tests.companion_api.served import in_thread

Scheme = Literal["light", "dark"]
PHONE, TABLET, DESK, TELEVISION = (390, 844), (820, 1180), (1280, 800), (1920, 1080)


@dataclass
class Table:
    """A served table and the ways onto it."""

    app: Any
    address: str
    browser: Browser
    problems: list[str]
    contexts: list[BrowserContext]
    wait_ms: float = 15_000

    def begin(self, name: str = "dodgem", plies: int = 0, seed: int = 5, **options: Any) -> Session:
        session: Session = self.app.state.tables.begin(name, options, None)
        rng = random.Random(seed)
        for _ in range(plies):
            if session.game.turn(session.state).is_over:
                break
            session.act("table", session.game.sample(session.state, rng).id, expected=None, key=None)
        return session

    def open(
        self,
        session: Session,
        size: tuple[int, int] = PHONE,
        role: Role = Role.HOST,
        scheme: Scheme = "light",
        seat: int | None = None,
        asked: bool = False,
        **more: Any,
    ) -> Page:
        """A phone that comes in by the QR's address, and says at once who it is, unless it is left to be `asked`."""
        joining._brake._seen.clear()
        context = self.browser.new_context(
            viewport=ViewportSize(width=size[0], height=size[1]),
            color_scheme=scheme,
            **{"locale": "en", "reduced_motion": "reduce", **more},
        )
        self.contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(self.wait_ms)
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("console", self._heard)
        page.goto(f"{self.address}/#join={self.code(session, role)}")
        page.wait_for_selector("nav")
        if asked:
            return page
        if seat is None:
            page.evaluate("import('/js/joining.js').then((m) => m.lookOn())")
        else:
            page.evaluate("seat => import('/js/joining.js').then((m) => m.takeSeat(seat, 'Ada'))", seat)
        return page

    def big_screen(self, session: Session) -> Page:
        """The television: it types the table's code and says what it is."""
        joining._brake._seen.clear()
        viewport = ViewportSize(width=TELEVISION[0], height=TELEVISION[1])
        context = self.browser.new_context(viewport=viewport, locale="en")
        self.contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(self.wait_ms)
        page.goto(self.address)
        page.fill("input[maxlength='12']", self.code(session, Role.PLAYER))
        page.select_option("select", "screen")
        page.click("button.go")
        return page

    def code(self, session: Session, role: Role) -> str:
        tables = self.app.state.tables
        found: str = tables.host_code(session) if role is Role.HOST else tables.keys.code(session.table, Role.PLAYER)
        return found

    def _heard(self, message: Any) -> None:
        """Whatever the browser complains about is a failure, but for answers that the page itself expects."""
        if message.type == "error" and "status of 4" not in message.text:
            self.problems.append(message.text)


@pytest.fixture
def table(browser: Browser, tmp_path: Path) -> Iterator[Table]:
    app = make_app(Settings(data=tmp_path))
    with in_thread(app) as address:
        made = Table(app, address, browser, [], [])
        yield made
        for context in made.contexts:
            context.close()
    assert made.problems == []


class Axe(Protocol):
    """The violations of a page, one line each; `rules`: by these, or by all that are not asked for by name."""

    def __call__(self, page: Page, rules: Sequence[str] = ()) -> list[str]: ...


@pytest.fixture(scope="session")
def axe() -> Axe:
    source = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")

    def check(page: Page, rules: Sequence[str] = ()) -> list[str]:
        page.evaluate(f"window.axe || (() => {{ {source} }})()")
        only = {"runOnly": [*rules]} if rules else {}
        found = page.evaluate("(only) => axe.run({resultTypes: ['violations'], ...only})", only)
        return [
            f"{v['id']}: {v['nodes'][0]['html'][:160]} {v['nodes'][0]['failureSummary']}" for v in found["violations"]
        ]

    return check

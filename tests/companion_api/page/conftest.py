"""A served table for the real Chromium."""

from __future__ import annotations

import random
import socket
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, ViewportSize

from companion_api.access import Role
from companion_api.app import make_app
from companion_api.routes import join
from companion_api.session import Session
from companion_api.settings import Settings
from tests.companion_api.served import in_thread, listening
from tests.conftest import PATIENCE_MS

Scheme = Literal["light", "dark"]
PHONE, TABLET, DESK, TELEVISION = (390, 844), (820, 1180), (1280, 800), (1920, 1080)


@dataclass
class Phones:
    """Pages of a browser, each in a context of its own, that are lent to one test after another: what a page has loaded
    from the server's address stays in its process, where it also waits for the next test: loading it again takes half
    the time."""

    browser: Browser
    _free: dict[str, list[Page]] = field(default_factory=lambda: defaultdict(list))
    _lent: list[tuple[str, Page]] = field(default_factory=list)

    def lend(self, size: tuple[int, int], scheme: Scheme, fresh: bool = False, **options: Any) -> Page:
        """A page without cookies and without anything stored; `fresh`: for a test that changes it for good."""
        kind = "" if fresh else repr(sorted(options.items()))
        free = self._free[kind] if kind else []
        page = free.pop() if free else self._context(options).new_page()
        page.set_viewport_size(ViewportSize(width=size[0], height=size[1]))
        page.emulate_media(color_scheme=scheme)
        self._lent.append((kind, page))
        return page

    def _context(self, options: dict[str, Any]) -> BrowserContext:
        """A service worker that takes over while a test goes on takes its requests past `page.route`."""
        return self.browser.new_context(**{"service_workers": "block", **options})

    def take_back(self) -> None:
        """From the test that had them."""
        for kind, page in self._lent:
            if kind and not page.is_closed():
                self._clear(page)
                self._free[kind].append(page)
            else:
                page.context.close()
        self._lent.clear()

    @staticmethod
    def _clear(page: Page) -> None:
        context = page.context
        context.set_offline(False)
        context.unroute_all()
        page.unroute_all()
        for other in context.pages:
            if other is not page:
                other.close()
        tools = context.new_cdp_session(page)
        if page.url.startswith("http"):
            page.mouse.move(0, 0)
            page.evaluate("sessionStorage.clear()")
            tools.send("Storage.clearDataForOrigin", {"origin": page.evaluate("origin"), "storageTypes": "all"})
        tools.detach()
        context.clear_cookies()
        with suppress(Error):  # its server may be away
            page.goto(f"{page.evaluate('origin')}/icon.svg")


@dataclass
class Table:
    """A served table and the ways onto it."""

    app: Any
    address: str
    phones: Phones
    problems: list[str]
    wait_ms: float = PATIENCE_MS
    _heard_on: list[Page] = field(default_factory=list)

    @property
    def browser(self) -> Browser:
        return self.phones.browser

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
        led: bool = False,
        fresh: bool = False,
        script: str = "",
        **more: Any,
    ) -> Page:
        """A phone that comes in by the QR's address, and says at once who it is, unless it is `asked`. A host may be
        `led` from the box to the first turn. `script` runs before the page's own."""
        join._brake._seen.clear()
        page = self._page(size, scheme, fresh=fresh or led, **more)
        if script:
            page.add_init_script(script)
        if not led:
            page.add_init_script("localStorage.setItem('led', 'no')")
        page.goto(f"{self.address}/#join={self.code(session, role)}")
        page.wait_for_selector(".led" if led else "nav")
        if asked or led:
            return page
        if seat is None:
            page.evaluate("import('/js/join.js').then((m) => m.lookOn())")
        else:
            page.evaluate("seat => import('/js/join.js').then((m) => m.takeSeat(seat, 'Ada'))", seat)
        return page

    def big_screen(self, session: Session) -> Page:
        """The television: it types the table's code and says what it is."""
        join._brake._seen.clear()
        page = self._page(TELEVISION, "light")
        page.goto(self.address)
        page.fill("input[maxlength='12']", self.code(session, Role.PLAYER))
        page.select_option("select", "screen")
        page.click("button.go")
        return page

    def code(self, session: Session, role: Role) -> str:
        tables = self.app.state.tables
        found: str = tables.host_code(session) if role is Role.HOST else tables.keys.code(session.table, Role.PLAYER)
        return found

    def _page(self, size: tuple[int, int], scheme: Scheme, fresh: bool = False, **more: Any) -> Page:
        page = self.phones.lend(size, scheme, fresh, **{"locale": "en", "reduced_motion": "reduce", **more})
        page.set_default_timeout(self.wait_ms)
        page.on("pageerror", self._failed)
        page.on("console", self._heard)
        self._heard_on.append(page)
        return page

    def _failed(self, error: Any) -> None:
        self.problems.append(str(error))

    def _heard(self, message: Any) -> None:
        """Whatever the browser complains about is a failure, but for answers that the page itself expects."""
        if message.type == "error" and "status of 4" not in message.text:
            self.problems.append(message.text)

    def close(self) -> None:
        for page in self._heard_on:
            page.remove_listener("pageerror", self._failed)
            page.remove_listener("console", self._heard)
        self.phones.take_back()


@pytest.fixture(scope="session")
def phones(browser: Browser) -> Phones:
    return Phones(browser)


@pytest.fixture(scope="session")
def address() -> Iterator[socket.socket]:
    """Where all tables of a worker are served, one after another: what a browser keeps belongs to an address."""
    with listening() as opened:
        yield opened


@pytest.fixture
def table(phones: Phones, address: socket.socket, tmp_path: Path) -> Iterator[Table]:
    app = make_app(Settings(data=tmp_path))
    with in_thread(app, address) as served:
        made = Table(app, served, phones, [])
        yield made
        made.close()
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

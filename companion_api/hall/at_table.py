"""A table server that belongs to a hall: it publishes its log and applies the umpire's rulings; its routes."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, HTTPException, Request
from fastapi.responses import PlainTextResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from pydantic import BaseModel, Field

from companion_api.answers.base import Accomplished, a_file, included, shaped
from companion_api.folded_table import RequestError
from companion_api.hall.membership import (
    MEMBERSHIP_FILE,
    JoinError,
    Membership,
    membership,
    stored_membership,
    verify_admission,
)
from companion_api.hall.metrics import TableMetrics
from companion_api.hall.publisher import Publisher
from companion_api.hall.ruling import Ruling, SealError, verified_ruling
from companion_api.log.store import LogError
from companion_api.redaction import redacted
from companion_api.routes.needs import HostNeed, TablesNeed
from companion_api.session import Session
from companion_api.tables import Tables
from rules.engine.refusal import Refusal

log = logging.getLogger("companion.hall.table")
router = APIRouter(tags=["hall"])


class TableInHall:
    """The table server's membership and its publisher; both end with the server."""

    def __init__(self, tables: Tables, data: Path) -> None:
        self.metrics = TableMetrics()
        self.member: Membership | None = None
        self._tables = tables
        self._data = data
        self._publisher: Publisher | None = None

    def join(self, url: str, name: str) -> None:
        """Join the hall at an invitation's address; JoinError where it refuses."""
        self._start(membership(url, self._data, name))

    def join_by_hand(self, url: str, name: str) -> None:
        """As `join`, for a person who waits for the answer: a broker that refuses us raises JoinError at once."""
        member = membership(url, self._data, name)
        if not member.credentials:
            verify_admission(member)
            member.keep(self._data)
        self._start(member)

    def leave(self) -> None:
        """End the membership; events that were not sent stay in the log."""
        self.stop()
        self.member = None
        (self._data / MEMBERSHIP_FILE).unlink(missing_ok=True)

    def resume(self) -> None:
        """Rejoin the hall of the stored membership, if there is one."""
        before = stored_membership(self._data)
        if before is not None:
            self._start(before)

    def _start(self, member: Membership) -> None:
        self.stop()
        self.member = member
        rulings = ruling_handler(self._tables, member)
        self._publisher = Publisher(self._tables.log, self._data, member, self._tables.evidence, rulings, self.metrics)
        self._publisher.start()

    def stop(self) -> None:
        if self._publisher is not None:
            self._publisher.stop()
            self._publisher = None

    def told(self) -> HallOfTable:
        if self.member is None:
            return HallOfTable(joined=False, connected=False, server="", name=socket.gethostname()[:40])
        connected = self._publisher is not None and self._publisher.connected
        return HallOfTable(joined=True, connected=connected, server=self.member.server, name=self.member.name)


def attach(app: FastAPI, data: Path) -> TableInHall:
    """Add the hall's routes and state to a table server's app; it joins no hall yet."""
    joined = app.state.in_hall = TableInHall(app.state.tables, data)
    app.router.routes[0:0] = ROUTES  # before the page, which answers for every other address
    return joined


class HallInvitation(BaseModel):
    url: Annotated[str, Field(max_length=200)]
    name: Annotated[str, Field(min_length=1, max_length=40)]


class HallOfTable(BaseModel):
    """The hall of this table without its secrets. `name`: the table's name there, or the one to propose."""

    joined: bool
    connected: bool
    server: str
    name: str


def _in_hall(request: Request) -> TableInHall:
    found: TableInHall = request.app.state.in_hall
    return found


InHallNeed = Annotated[TableInHall, Depends(_in_hall)]


@router.get("/api/hall")
def hall(in_hall: InHallNeed, _: HostNeed) -> HallOfTable:
    return in_hall.told()


@router.post("/api/hall")
def join(in_hall: InHallNeed, _: HostNeed, wish: HallInvitation) -> HallOfTable:
    """Join with an invitation's address."""
    try:
        in_hall.join_by_hand(wish.url, wish.name)
    except JoinError as error:
        raise HTTPException(422, error.to_json()) from None
    return in_hall.told()


@router.post("/api/hall/leave")
def leave(in_hall: InHallNeed, _: HostNeed) -> HallOfTable:
    in_hall.leave()
    return in_hall.told()


@router.get("/metrics", **a_file(CONTENT_TYPE_LATEST, by=PlainTextResponse))
def metrics(in_hall: InHallNeed) -> Response:
    return Response(generate_latest(in_hall.metrics.registry), media_type=CONTENT_TYPE_LATEST)


@router.get("/health", **shaped(Accomplished))
def health(tables: TablesNeed) -> dict[str, bool]:
    """Whether the table's log can be read, whatever the hall does."""
    tables.log.tables()
    return {"ok": True}


def ruling_handler(tables: Tables, member: Membership) -> Callable[[bytes], bool]:
    """A function that applies a ruling's message and returns False where it must be delivered again."""

    def handle(message: bytes) -> bool:
        try:
            ruling, seal = verified_ruling(message, member.seal)
        except SealError as error:
            log.warning("%s is not carried out", error)
            return True
        if ruling.station != member.station:
            log.warning("a ruling for %s came here and is not carried out", ruling.station)
            return True
        try:
            apply_ruling(tables.session(ruling.table), ruling, seal)
        except LogError as error:
            log.warning("a ruling waits: %s", error)
            return False
        except ValueError as error:
            log.warning("ruling %s cannot be carried out: %s", ruling.id, error)
        return True

    return handle


def apply_ruling(session: Session, ruling: Ruling, seal: str) -> None:
    """Write a ruling into the table's log under its author's name; a repeated one changes nothing (idempotency key)."""
    key = f"hall {ruling.id}"
    data = {"text": ruling.text, "upheld": ruling.upheld, "ruling": ruling.id, "seal": seal}
    try:
        if ruling.about in session.disputes:
            _rule_on_claim(session, ruling, data, key)
        else:
            _answer_question(session, ruling, data, key)
    except ValueError as error:
        text = f"The umpire's ruling could not be carried out: {error}"
        session.add_claim(ruling.by, {"text": text, "about": None, "pictures": {}}, key=f"{key} failed")
        raise


def _rule_on_claim(session: Session, ruling: Ruling, data: dict[str, Any], key: str) -> None:
    """Decide a claim for good; a disputed event that is not upheld is corrected to the ruling's actions."""
    session.add_ruling(ruling.by, ruling.about, data, overruled=True, key=key)
    about = session.disputes[ruling.about].claim.data.get("about")
    if ruling.upheld or about is None or not session.counts(about):
        return
    actions = [session.known(None).read(action) for action in ruling.actions]
    session.correct(ruling.by, about, actions, expected=None, key=f"{key} corrected")


def _answer_question(session: Session, ruling: Ruling, data: dict[str, Any], key: str) -> None:
    """Answer a question of the camera: a claim of its own with its ruling, then the ruling's actions."""
    asked: dict[str, Any] = {"text": "", "about": None, "question": ruling.about, "pictures": {}}
    claim = session.add_claim(ruling.by, asked, key=f"{key} asked")
    session.add_ruling(ruling.by, claim.seq, data, overruled=True, key=key)
    for number, text in enumerate(ruling.actions):
        action = session.known(None).read(text)
        done = session.act(ruling.by, action, expected=None, key=f"{key} {number}")
        if isinstance(done, Refusal):
            raise RequestError(redacted(session.game, session.state, None, action, done).sentence)


ROUTES = included(router)

"""What changes on the board of a phone, for its stream: no phone asks for the board after each event. The parts of a
board are worked out once for all phones that see the same; a phone gets those that are new to it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from fastapi.sse import format_sse_event
from starlette.concurrency import run_in_threadpool

from companion_api.access import Role, Token
from companion_api.news import plain
from companion_api.projections.board import board_for, wanted_from, you
from companion_api.seat_view import SeatView
from companion_api.session import Session

Parts = Mapping[str, str]
"""The fields of a board, those of its layout by themselves (`layout.pieces`), each as JSON."""
_OWN = ("you", "wanted", "version")
_LAYOUT = "layout."


class Boards:
    """The newest boards of a table, as far as phones look at them."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._turn = asyncio.Lock()
        self._version = 0
        self._made: dict[tuple[Role, int | None], Parts] = {}

    async def now(self, viewer: Token) -> tuple[int, Parts]:
        """The board of a phone, with its version: both of one moment, however the table goes on meanwhile."""
        async with self._turn:
            known = self._session.known(viewer.seat)
            if self._version != known.version:
                self._made, self._version = {}, known.version
            key = viewer.role, viewer.seat
            if key not in self._made:
                self._made[key] = await run_in_threadpool(_parts, known, viewer)
            own = {"you": plain(you(viewer)), "wanted": plain(wanted_from(known, viewer))}
            return self._version, {**self._made[key], **own}


def _parts(known: SeatView, viewer: Token) -> Parts:
    board = board_for(known, viewer)
    layout = board.pop("layout")
    fields = {name: plain(value) for name, value in board.items() if name not in _OWN}
    return {**fields, **{_LAYOUT + name: plain(value) for name, value in layout.items()}}


def change(start: int, before: Parts, version: int, after: Parts) -> bytes:
    """From one version to the next: the fields that are new."""
    new = {name: value for name, value in after.items() if before.get(name) != value}
    layout = {name.removeprefix(_LAYOUT): value for name, value in new.items() if name.startswith(_LAYOUT)}
    fields = {name: value for name, value in new.items() if not name.startswith(_LAYOUT)}
    told = f'{{"from":{start},"version":{version},"board":{_object(fields)},"layout":{_object(layout)}}}'
    return format_sse_event(data_str=told, event="board")


def _object(fields: Parts) -> str:
    return "{" + ",".join(f'"{name}":{value}' for name, value in fields.items()) + "}"

"""Two tables that differ only in a secret give the same answers to whoever does not know it: all routes that the
server's own OpenAPI document names, the stream, every kind of phone; all games and all verbs with anything hidden."""

from __future__ import annotations

import asyncio
import logging
import math
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from companion_api.access import Brake, Role, Token
from companion_api.app import make_app
from companion_api.log.event import Event, EventKind
from companion_api.news import Hub
from companion_api.records.export import FORMATS
from companion_api.redaction import redacted
from companion_api.session import Session
from companion_api.settings import Settings
from companion_api.simulated.incidents import Requests
from companion_api.simulated.self_play import SelfPlay
from companion_api.simulated.synthetic import Noise, Onlooker
from companion_api.watching.camera_manager import CameraManager
from rules.engine.action import parse_action
from rules.engine.card import read_seats
from rules.engine.history import SEALED, known_history
from rules.games import available
from rules.pieces import Kind
from rules.referee.position_fit import fit_position
from rules.referee.tuning import TUNING
from rules.table.evidence import TableEvidence
from rules.table.observed import ObservedTable
from tests.companion_api.phones import Phone
from tests.companion_api.routes import MOST, STREAM, Asked, requests_of
from tests.companion_api.secret_pairs import OPEN, Pair, pairs, states_of
from tests.conformance.laws import ABSURD
from tests.tiers import few, full
from vision.frame import Frame
from vision.table_reader import FrameResult

PAIRS = pairs()
BY_NAME = {pair.name: pair for pair in PAIRS}
ONE_KNOWS, NOBODY_KNOWS = BY_NAME["global_warming commit"], BY_NAME["tula deal"]
TABLE = "pair"
QUICK_FORMATS = tuple(form for form in FORMATS if form not in ("gif", "mp4"))


@pytest.mark.parametrize("name", available())
def test_every_game_is_here_or_has_no_secret(name: str) -> None:
    assert (name in OPEN) is (name not in {pair.game for pair in PAIRS})


@pytest.mark.parametrize("name", OPEN)
def test_a_game_without_secrets_shows_everything(name: str) -> None:
    from rules.games import game

    rules = game(name)
    for state, action in states_of(name):
        assert rules.view(state, None) == state
        assert rules.redact(state, action, None) == action


@pytest.fixture(autouse=True)
def still_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that answers can be compared byte by byte, no camera is lost between two of them, nobody is told to wait, and
    luck begins with one seed."""
    monkeypatch.setattr("companion_api.session.new_seed", lambda: "5eed" * 16)
    monkeypatch.setattr("vision.pipeline.LOST_S", 1e9)
    monkeypatch.setattr("companion_api.log.store.time", SimpleNamespace(time=lambda: 1e9))
    monkeypatch.setattr(Brake, "allows", lambda *_: True)


class Tables:
    """The two servers of a pair, with one secret key, so that one token fits both."""

    def __init__(self, pair: Pair, folder: Path) -> None:
        self.pair = pair
        self.apps = []
        self.sessions: list[Session] = []
        for number in (0, 1):
            data = folder / str(number)
            data.mkdir()
            if number:
                shutil.copy(folder / "0" / "secret", data / "secret")
            app = make_app(Settings(data=data))
            self.apps.append(app)
            self.sessions.append(_opened(app, pair, number))

    def ask(self, viewer: Token, asked: Asked) -> list[tuple[int, bytes]]:
        """The answers of both, without the names of tables that were opened just now. What the two servers write into
        their own log lines meanwhile is alike, too."""
        found, lines = [], []
        for app, session in zip(self.apps, self.sessions, strict=True):
            phone = Phone(app, app.state.tables.keys.sign(viewer))
            given = {"params": asked.query} | ({} if asked.body is None else {"json": asked.body})
            with _log_lines() as written:
                answer = phone.client.request(asked.method, asked.path, **given)
            assert answer.status_code < 500, f"{asked}: {answer.text}"
            found.append((answer.status_code, _NEW.sub(b"", answer.content)))
            lines.append(written)
            assert session.table == TABLE
        assert lines[0] == lines[1], f"log lines of {asked}"
        return found

    def send_photo(self, viewer: Token, jpeg: bytes) -> list[tuple[int, bytes]]:
        found = []
        for app in self.apps:
            phone = Phone(app, app.state.tables.keys.sign(viewer))
            answer = phone.client.post("/api/photo", content=jpeg, headers={"content-type": "image/jpeg"})
            found.append((answer.status_code, answer.content))
        return found

    def close(self) -> None:
        for app in self.apps:
            app.state.tables.close()


_NEW = re.compile(
    rb'"(?:token|table|phone)":"[^"]*"|"id":"[^"]*","secret":"[^"]*"|"left":\[[0-9.,-]*\]|"width":[0-9]+,"height":[0-9]+,"at":[0-9.]+'
)  # who knocks gets a code by luck, what everybody has left on the clock goes on, and a picture has its time


class _Listener(logging.Handler):
    def __init__(self, lines: list[str]) -> None:
        super().__init__()
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        self._lines.append(record.getMessage())


@contextmanager
def _log_lines() -> Iterator[list[str]]:
    """What the program itself says in its log, whoever reads that."""
    lines: list[str] = []
    handler = _Listener(lines)
    ours = logging.getLogger("companion")
    before, ours.level = ours.level, logging.DEBUG
    ours.addHandler(handler)
    yield lines
    ours.removeHandler(handler)
    ours.level = before


def _opened(app: Any, pair: Pair, number: int) -> Session:
    rules, options = pair.rules, pair.options[number]
    seats = [person.to_json() for person in read_seats(rules.card, None)]
    data = {"game": rules.card.id, "rules": rules.card.version, "options": options, "seats": seats}
    log = app.state.tables.log
    log.append(TABLE, EventKind.STARTED, "host", data)
    for action in (*pair.both, *pair.secrets[number]):
        log.append(TABLE, EventKind.ACTION, "phone", {"action": action})
    session: Session = app.state.tables.session(TABLE)
    return session


def _viewers(pair: Pair) -> list[Token]:
    """Everybody who must not know it."""
    strangers = [Token(TABLE, Role.PLAYER, seat) for seat in pair.strangers()]
    return [*strangers, Token(TABLE, Role.HOST), Token(TABLE, Role.SPECTATOR), Token(TABLE, Role.SCREEN)]


def _candidates(pair: Pair, session: Session) -> dict[str, list[Any]]:
    """Values for what the routes ask for, by its name; the same for both tables."""
    last, state = session.seq, session.game.view(session.state, None)
    words = ("null", "ace", "2", "4", "suns", "moons", "S", "M", "0", "1")
    guesses = [f"{verb.name}({word})" for verb in session.game.card.verbs for word in words[:3]]
    texts = [*(text for secret in pair.secrets for text in secret), *guesses, *pair.both[-3:]]
    legal = [action.id for action, _ in zip(session.game.legal(state), range(4), strict=False)]
    places = [place.name for place in session.game.layout(state).places][:3] or ["a1"]
    return {
        "seq": [last, last - 1, 2, 1],
        "claim": [last + 1, 2],
        "form": list(QUICK_FORMATS),
        "action": [*texts, *legal],
        "actions": [[text] for text in texts],
        "after": [0, last - 1],
        "source": places,
        "target": places[::-1],
        "expected": [0],
        "text": ["that was not right"],
        "game": [pair.game],
        "options": [{}],
        "seats": [None],
        "code": ["ABCDEF"],
    }


@pytest.mark.parametrize(("pair", "most"), [(ONE_KNOWS, 2), *(full((pair, MOST)) for pair in PAIRS)], ids=str)
def test_two_tables_that_differ_in_a_secret_answer_alike(pair: Pair, most: int, tmp_path: Path) -> None:
    """`most`: so many requests of a route are made by each of those who must not know it."""
    tables = Tables(pair, tmp_path)
    states = [session.state for session in tables.sessions]
    assert states[0] != states[1], "they do not differ: this proves nothing"
    openapi = tables.apps[0].openapi()
    assert STREAM in openapi["paths"]
    asked = 0
    for viewer in _viewers(pair):
        assert tables.sessions[0].seq == tables.sessions[1].seq
        streams = [asyncio.run(_streamed(session, viewer)) for session in tables.sessions]
        assert streams[0] == streams[1], f"the stream of {viewer.by}"
        for request in requests_of(openapi, _candidates(pair, tables.sessions[0]), most):
            if viewer.role is Role.HOST and request.method == "POST" and _ends_the_secret(pair, request):
                continue
            one, other = tables.ask(viewer, request)
            assert one == other, f"{request} as {viewer.by}"
            asked += 1
    assert asked > 300
    tables.close()


def _ends_the_secret(pair: Pair, request: Asked) -> bool:
    """The host may undo or correct it, and play for everybody: afterwards there is no secret to be kept."""
    return request.path in ("/api/undo", "/api/corrections", "/api/actions", "/api/rulings")


async def _streamed(session: Session, viewer: Token) -> bytes:
    news, sent = b"", 0
    while sent < session.seq:
        sent, more = await Hub(session).news.after(viewer, sent)
        news += more
    return _NEW.sub(b"", news)


@pytest.mark.parametrize("pair", few(PAIRS, (NOBODY_KNOWS,)), ids=str)
def test_the_table_taken_as_it_lies_tells_no_more(pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same picture at both tables, with one piece taken away: the position that is offered, why there is none, and
    whatever is told once it was confirmed are alike."""
    monkeypatch.setattr("companion_api.session.fit_position", partial(fit_position, tuning=_COUNTED))
    tables = Tables(pair, tmp_path)
    for session in tables.sessions:
        session._seen = _one_piece_less(session)
    viewers, offered = _viewers(pair), []
    for viewer in viewers:
        one, other = tables.ask(viewer, Asked("GET", "/api/lying"))
        assert one == other, f"offered to {viewer.by}"
        if one[0] == 200:
            offered.append(viewer.by)
            body = {"asked_of": tables.sessions[0].state_seq}
            one, other = tables.ask(viewer, Asked("POST", "/api/lying", body=body))
            assert one == other, f"taken by {viewer.by}"
            assert one[0] == 200
    assert offered or pair.game in ("four_blind_mice", "tula"), "nothing was offered: this proves nothing"
    openapi, candidates = tables.apps[0].openapi(), _candidates(pair, tables.sessions[0])
    for viewer in viewers:
        streams = [asyncio.run(_streamed(session, viewer)) for session in tables.sessions]
        assert streams[0] == streams[1]
    for asked in (asked for asked in requests_of(openapi, candidates) if asked.method == "GET"):
        if asked.path != "/api/lying":
            one, other = tables.ask(viewers[0], asked)
            assert one == other, f"{asked} as {viewers[0].by}"
    tables.close()


class _Photographed:
    """Stands in for the eyes, which know no game: they see the same at both tables, whatever that is."""

    def __init__(self, sees: ObservedTable) -> None:
        self.sees = sees

    def look(self, frame: Frame, known: object = None) -> FrameResult:
        return FrameResult(frame, [], None, 0.0, [], {})


@pytest.mark.parametrize("pair", few(PAIRS, (NOBODY_KNOWS,)), ids=str)
def test_a_photo_and_what_is_kept_of_it_tell_no_more(
    pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same photo at both tables: the referee's answer, the picture, the evidence, what a claim and its ruling say,
    and every route afterwards are alike."""
    monkeypatch.setattr("companion_api.session.fit_position", partial(fit_position, tuning=_COUNTED))
    tables = Tables(pair, tmp_path)
    eyes = _Photographed(_one_piece_less(tables.sessions[0]))
    monkeypatch.setattr(CameraManager, "reader", lambda _: eyes)
    monkeypatch.setattr("companion_api.watching.camera_manager.observed_table", lambda _: eyes.sees)
    monkeypatch.setattr("companion_api.watching.camera_manager.table_evidence", lambda _: TableEvidence(eyes.sees))
    viewers = _viewers(pair)
    for eyes.sees, viewer in zip(_tables_like(pair, tables.sessions[0]), cycle(v for v in viewers if v.may_act)):
        one, other = tables.send_photo(viewer, _JPEG)
        assert one == other, f"a photo by {viewer.by}"
        assert one[0] == 200
        one, other = tables.ask(viewers[0], Asked("POST", "/api/claims", body={"text": "that was not so"}))
        assert one == other
    assert _reasons_alike(tables) or pair.game == "tula", "nothing was judged: this proves nothing"
    openapi, candidates = tables.apps[0].openapi(), _candidates(pair, tables.sessions[0])
    kept = {name for e in tables.sessions[0].events for name in (e.data.get("evidence"), *_claimed(e)) if name}
    assert kept, "no picture was kept: this proves nothing"
    candidates["name"] = [pair.game, *sorted(kept)]
    for viewer in viewers:
        streams = [asyncio.run(_streamed(session, viewer)) for session in tables.sessions]
        assert streams[0] == streams[1], f"the stream of {viewer.by}"
    for asked in (asked for asked in requests_of(openapi, candidates) if asked.path.startswith(_AFTER_A_PHOTO)):
        if asked.method != "GET":
            continue
        one, other = tables.ask(viewers[0], asked)
        assert one == other, f"{asked} as {viewers[0].by}"
        shown = ("/api/camera", "/api/camera/picture", "/api/evidence/" + min(kept))
        assert one[0] == 200 or asked.path not in shown, str(asked)
    tables.close()


def _reasons_alike(tables: Tables) -> int:
    """Why the referee judged as it did, asked by the host: the same at both tables; to how many events it was told."""
    told = 0
    for seq in (event.seq for event in tables.sessions[0].events if event.by == "camera"):
        one, other = tables.ask(Token(TABLE, Role.HOST), Asked("GET", f"/api/reasons/{seq}"))
        assert one == other, f"the reasons of event {seq}"
        told += one[0] == 200
        one, _ = tables.ask(Token(TABLE, Role.PLAYER, 0), Asked("GET", f"/api/reasons/{seq}"))
        assert one[0] == 403
    return told


_AFTER_A_PHOTO = tuple(
    f"/api/{n}" for n in ("camera", "evidence", "pieces", "board", "history", "at/", "lying", "hands")
)
_JPEG = cv2.imencode(".jpg", np.full((480, 640, 3), 127, np.uint8))[1].tobytes()


def _claimed(event: Event) -> tuple[str | None, ...]:
    return tuple(event.data["pictures"].values()) if event.kind is EventKind.CLAIM else ()


def _tables_like(pair: Pair, session: Session) -> Iterator[ObservedTable]:
    """What may lie there: as it should, one piece less, and what a next action would leave where that turns up nothing
    that nobody knew."""
    rules, seen = session.game, session.game.view(session.state, None)
    yield Onlooker(3, Noise(jitter=0.02)).see(rules.layout(seen)).table
    yield _one_piece_less(session)
    legal = [action for action in islice(rules.legal(seen), 200) if rules.refusal(session.state, action) is None]
    for action in legal[:1] if pair.knows else ():
        after = rules.view(rules.advance(session.state, action), None)
        yield Onlooker(3, Noise(jitter=0.02)).see(rules.layout(after)).table


_COUNTED = replace(TUNING, position_fit=replace(TUNING.position_fit, max_changes=math.inf, max_steps=1))
"""Steps alone bound the work, so that neither table is cut short before the other."""


def _one_piece_less(session: Session) -> ObservedTable:
    layout = session.game.layout(session.game.view(session.state, None))
    standing = [placed for placed in layout.board if placed.piece.kind is not Kind.TILE]
    kept = tuple(placed for placed in layout.pieces if placed not in standing[-1:])
    return Onlooker(3, Noise(jitter=0.02)).see(replace(layout, pieces=kept)).table


@pytest.mark.parametrize("pair", few(PAIRS, (ONE_KNOWS, NOBODY_KNOWS)), ids=str)
def test_the_host_cannot_probe_for_it(pair: Pair, tmp_path: Path) -> None:
    """What the host may do ends the secret; that it is refused must not tell it."""
    viewer = Token(TABLE, Role.HOST)
    tables = Tables(pair, tmp_path)
    candidates = _candidates(pair, tables.sessions[0])
    posts = [a for a in requests_of(tables.apps[0].openapi(), candidates) if _ends_the_secret(pair, a)]
    assert posts
    for request in posts:
        before = [session.seq for session in tables.sessions]
        one, other = tables.ask(viewer, request)
        if [session.seq for session in tables.sessions] != before:
            break  # one of them was done: from here on the tables may differ for everybody to see
        assert one == other, str(request)
    tables.close()


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_whoever_knows_it_reads_it(pair: Pair, tmp_path: Path) -> None:
    """Redaction that hides everything from everybody would pass the tests above."""
    tables = Tables(pair, tmp_path)
    for seat in pair.knows:
        asked = Asked("GET", "/api/history")
        one, other = tables.ask(Token(TABLE, Role.PLAYER, seat), asked)
        assert one != other
    tables.close()


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_films_tell_no_more(pair: Pair, tmp_path: Path) -> None:
    """Films are drawn from the same record as everything else: its states and captions are alike."""
    tables = Tables(pair, tmp_path)
    for viewer in _viewers(pair):
        one, other = (session.known(viewer.seat).record for session in tables.sessions)
        layouts = [[record.game.layout(entry.state) for entry in record.entries] for record in (one, other)]
        assert layouts[0] == layouts[1]
        assert one.actions == other.actions
    tables.close()


def test_a_record_of_a_running_game_says_that_it_lacks_something(tmp_path: Path) -> None:
    from companion_api.records.restore import read_history
    from rules.notation.errors import NotationError
    from rules.notation.record import write_record

    pair = next(pair for pair in PAIRS if pair.game == "ice_floe")
    tables = Tables(pair, tmp_path)
    history = tables.sessions[0].history
    assert any(action.verb == SEALED for action in known_history(history, None).actions)
    with pytest.raises(NotationError, match="while the game was played"):
        read_history(write_record(known_history(history, None)))
    assert read_history(write_record(history)).state == history.state
    tables.close()


def test_a_drawn_picture_shows_what_everybody_sees(tmp_path: Path) -> None:
    """The evidence that a self-playing table keeps is drawn from what is public."""
    pair = next(pair for pair in PAIRS if pair.game == "decay")
    tables = Tables(pair, tmp_path)
    drawn: list[bytes] = []
    for session in tables.sessions:
        player = SelfPlay(session, seed=3, requests=Requests(), keep=lambda frame: drawn.append(frame.image.tobytes()))
        player.photograph(player._render(session.game.layout(session.state)))
    assert drawn[0] == drawn[1]
    tables.close()


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_no_fact_of_a_sentence_tells_a_secret(pair: Pair, tmp_path: Path) -> None:
    """What is said has its facts beside the text: these, too, are the same at both tables for whoever must not know."""
    tables = Tables(pair, tmp_path)
    for viewer in _viewers(pair):
        heard = [_said(pair, session, viewer.seat) for session in tables.sessions]
        assert heard[0] == heard[1], viewer.by
        assert len(heard[0]) > 5
    tables.close()


def _said(pair: Pair, session: Session, seat: int | None) -> list[object]:
    """What the rules say to all sorts of things that are tried, and how the game stands, as this seat may hear it."""
    rules, state = pair.rules, session.state
    tried = {*(text for secret in pair.secrets for text in secret), *pair.both, *ABSURD}
    tried |= {f"{verb.name}({word})" for verb in rules.card.verbs for word in ("null", "2", "S", "cS2", "a1", "0")}
    told: list[object] = [
        redacted(rules, state, seat, action, refusal).sentence.to_json()
        for action in map(parse_action, sorted(tried))
        if (refusal := rules.refusal(state, action))
    ]
    ended = rules.outcome(rules.view(state, seat)).sentence
    return [*told, ended.to_json() if ended else None]

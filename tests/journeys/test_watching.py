"""The one loop: what a bare referee takes a served table takes, the next look comes at once after whatever changes what
should lie there, and nobody who posts waits for a look."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion_api.log.databases import SqliteLog
from companion_api.log.store import LogUnavailableError
from companion_api.seat_view import Status
from companion_api.session import MAX_ATTEMPTS, Session
from companion_api.watching.table_watcher import (
    Judge,
    RefereeJudge,
    SessionJudge,
    TableWatcher,
    TimedVerdict,
    WatcherThread,
)
from rules.engine.history import History
from rules.games import game
from rules.referee.memory import Memory
from rules.referee.referee import Referee
from rules.referee.verdict import Verdict, VerdictKind
from rules.sentence import say
from rules.table.evidence import TableEvidence
from tests.companion_api.phones import Server
from tests.journeys.test_disturbances import Nobody, Reel
from tests.waiting import PATIENCE_S
from vision.frame import Frame, Picture
from vision.pipeline import FIRST_REREAD_S, CameraState, Moment, Pipeline
from vision.sightings import table_evidence
from vision.table_reader import FrameResult

DODGEM = game("dodgem")
MOVE, OTHER = "move(a1,b1)", "move(a2,b2)"
FPS = 5.0
SHOWN = 10
"""So many frames each table is shown, two seconds."""
LOOK_S = PATIENCE_S


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    log = SqliteLog(tmp_path / "log.db")
    yield Session.begin(log, "table", DODGEM, {}, None)
    log.close()


class Blank:
    """Eyes that see nothing; what lies there the referee of these tests knows."""

    def look(self, frame: Frame) -> FrameResult:
        return FrameResult(frame, [], None, 0.0, [], {})


class TrueReferee:
    """Stands in for what the referee makes of one look: it knows which move lay on the table at what time, `shown` two
    seconds each. It takes `seconds`, or until somebody lets it go, and notes which game it judged."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *shown: str, seconds: float = 0.0) -> None:
        self.begun, self.go_on = threading.Event(), threading.Event()
        self.judged: list[tuple[str, ...]] = []
        self._shown, self._seconds = shown, seconds
        monkeypatch.setattr("rules.referee.referee.look", self.look)

    def look(self, history: History, memory: Memory, seen: TableEvidence, *_: object) -> tuple[Verdict, Memory]:
        done = tuple(action.id for action in history.actions)
        self.judged.append(done)
        self.begun.set()
        self.go_on.wait(self._seconds)
        lies = self._shown[min(int((seen.table.time - 1 / FPS) * FPS / SHOWN), len(self._shown) - 1)]
        if done == ((lies,) if lies else ()):
            return Verdict(VerdictKind.SETTLED, say("nothing has changed")), memory
        if done:
            return Verdict(VerdictKind.ACCEPTED, say("it was taken back"), undone=1, margin=99.0), memory
        action = DODGEM.read(history.state, lies)
        return Verdict(VerdictKind.ACCEPTED, say("done"), actions=(action,), margin=99.0), memory

    def film(self) -> Reel:
        return Reel([picture(number) for number, _ in enumerate(self._shown) for _ in range(SHOWN)], FPS)


def picture(number: int) -> Picture:
    coarse = np.random.default_rng(number).integers(60, 200, (9, 16, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(coarse, (320, 180), interpolation=cv2.INTER_NEAREST), np.uint8)


def nothing_kept(_: Frame) -> None:
    return None


def accepted(judge: Judge, film: Reel) -> list[tuple[float, str | None]]:
    """What was accepted, and when."""
    heard = TableWatcher(judge).watch(Pipeline(film, Blank()))
    told = [one for one in heard if isinstance(one, TimedVerdict) and one.verdict.kind is VerdictKind.ACCEPTED]
    return [(one.moment.at, one.verdict.action_id) for one in told]


def test_a_served_table_takes_what_a_bare_referee_takes(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody takes a move back and makes another one before anybody looks."""
    true = TrueReferee(monkeypatch, "", MOVE, OTHER)
    bare = accepted(RefereeJudge(Referee(DODGEM, History.begin(DODGEM))), true.film())
    served = accepted(SessionJudge(session, nothing_kept), true.film())
    assert served == bare
    assert [action for _, action in served] == [MOVE, "undo(1)", OTHER]
    assert served[1][0] == served[2][0], "both are seen in one moment"
    assert [event.kind.value for event in session.events] == ["started", "action", "undo", "action"]
    assert [event.data["against"] for event in session.events[1:]] == [1, 2, 3]


@pytest.mark.parametrize("served", [False, True])
def test_after_people_have_told_something_the_next_look_comes_at_once(
    session: Session, served: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    TrueReferee(monkeypatch, "")
    referee = Referee(DODGEM, History.begin(DODGEM))
    judge: Judge = SessionJudge(session, nothing_kept) if served else RefereeJudge(referee)
    film = Reel([picture(0)] * int(FIRST_REREAD_S * FPS), FPS)
    looks: list[float] = []
    told_at = 0.0
    for one in TableWatcher(judge).watch(Pipeline(film, Blank())):
        if isinstance(one, TimedVerdict):
            continue
        looks += [one.at] if one.result is not None else []
        if not told_at and one.at > FIRST_REREAD_S / 2:
            told_at = one.at
            if served:
                session.act("host", MOVE, expected=None, key=None)
            else:
                referee.set_history(referee.history.play(DODGEM.read(referee.history.state, MOVE)))
    assert looks[-1] == pytest.approx(told_at + 1 / FPS)
    assert looks[-2] < told_at - 1.0


def seen_moment() -> Moment:
    look = Blank().look(Frame(picture(1), at=1.0))
    return Moment(CameraState.LOOKED, 1.0, look.frame, table_evidence(look, 1.0), look, steady=True)


def in_background(session: Session, moment: Moment, state_seq: int | None = None) -> threading.Thread:
    judge = SessionJudge(session, nothing_kept, state_seq=state_seq)
    thread = threading.Thread(target=lambda: list(TableWatcher(judge).verdicts(moment)), daemon=True)
    thread.start()
    return thread


def test_no_post_waits_for_a_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Server(tmp_path) as server:
        host = server.host()
        host.post("actions", action=OTHER)  # what is only made once is made before
        host.post("undo")
        slow = TrueReferee(monkeypatch, "", seconds=LOOK_S)
        looking = in_background(server.session, seen_moment())
        assert slow.begun.wait(PATIENCE_S)
        for number in range(20):
            host.post("undo") if number % 2 else host.post("actions", action=OTHER)
        assert len(slow.judged) == 1, "the look was over before everybody had posted"
        assert not slow.go_on.is_set()
        slow.go_on.set()
        looking.join(PATIENCE_S)


def test_what_was_judged_against_another_game_is_judged_again(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A phone tells the very move that the referee is about to find."""
    slow = TrueReferee(monkeypatch, MOVE, seconds=LOOK_S)
    looking = in_background(session, seen_moment())
    assert slow.begun.wait(PATIENCE_S)
    session.act("seat:0", MOVE, expected=None, key=None)
    slow.go_on.set()
    looking.join(PATIENCE_S)
    assert slow.judged == [(), (MOVE,)]
    assert [event.by for event in session.events[1:]] == ["seat:0"]
    assert session.status is Status.WATCHING


def test_what_shows_the_table_before_a_later_event_says_nothing(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = TrueReferee(monkeypatch, MOVE, seconds=LOOK_S)
    looking = in_background(session, seen_moment(), state_seq=session.state_seq)
    assert slow.begun.wait(PATIENCE_S)
    session.act("seat:0", OTHER, expected=None, key=None)
    slow.go_on.set()
    looking.join(PATIENCE_S)
    assert slow.judged == [()]
    assert [action.id for action in session.history.actions] == [OTHER]


def test_a_moment_is_given_up_where_people_go_on_changing_the_game(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = TrueReferee(monkeypatch, MOVE)
    judge = SessionJudge(session, nothing_kept)
    look = slow.look

    def meddled(*given: object) -> object:
        if len(slow.judged) % 2:
            session.undo("host", 1, expected=None, key=None)
        else:
            session.act("host", OTHER, expected=None, key=None)
        return look(*given)  # type: ignore[arg-type]

    monkeypatch.setattr("rules.referee.referee.look", meddled)
    assert judge.judge(seen_moment()) is None
    assert len(slow.judged) == MAX_ATTEMPTS
    assert judge.is_behind
    assert {event.by for event in session.events[1:]} == {"host"}


def test_what_another_server_wrote_meanwhile_is_heard_first(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = TrueReferee(monkeypatch, MOVE, seconds=LOOK_S)
    looking = in_background(session, seen_moment())
    assert slow.begun.wait(PATIENCE_S)
    Session(session.log, session.table).act("seat:0", MOVE, expected=None, key=None)
    slow.go_on.set()
    looking.join(PATIENCE_S)
    assert slow.judged == [(), (MOVE,)]
    assert [event.by for event in session.events[1:]] == ["seat:0"]


def test_a_log_that_cannot_be_written_for_a_while_ends_nothing(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    append, failures = session.log.append, [1]
    monkeypatch.setattr("companion_api.watching.table_watcher.LOG_PAUSE_S", 0.01)

    def full(*given: object, **more: object) -> object:
        if failures:
            failures.pop()
            raise LogUnavailableError(say("the disk is full"))
        return append(*given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(session.log, "append", full)
    thread = WatcherThread(session, TrueReferee(monkeypatch, "", MOVE).film(), Nobody(), Blank)
    thread.start()
    thread._thread.join(30)
    assert not failures
    assert [action.id for action in session.history.actions] == [MOVE]
    assert session.status is Status.NO_CAMERA

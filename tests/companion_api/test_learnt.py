"""A set that a game has shown is offered, kept, and known when the next begins; with the real eyes on photos."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profile import load_or_new
from companion_api.log.event import Event
from companion_api.session import Session
from companion_api.setting_up.learnt import appearances_at
from rules.pieces import Kind, Suit
from rules.referee.change_evidence import Keyframe
from rules.referee.memory import Memory
from rules.table.layout import Layout
from tests.companion_api.phones import Server
from tests.companion_api.test_cameras import jpeg, send
from tests.vision.test_appearance import known_by, taught
from tests.vision.test_witness import BEFORE, coins
from vision.frame import Frame
from vision.table_reader import TableReader
from vision.witness.witness import ReferenceFrame


def read(photo: bytes) -> Frame:
    return Frame(np.asarray(cv2.imdecode(np.frombuffer(photo, np.uint8), cv2.IMREAD_COLOR), np.uint8))


@pytest.mark.full
def test_a_set_is_offered_kept_and_used(tmp_path: Path) -> None:
    with Server(tmp_path, "konane") as server:
        _offered_kept_and_used(server)


def _offered_kept_and_used(server: Server) -> None:
    host, app = server.host(), server.app
    nothing = host.get("calibration/teach/learnt")
    assert (nothing["faces"], nothing["offered"]) == (0, False)
    assert "not shown anything" in host.send("calibration/teach/learnt", name="oak").json()["detail"]
    assert server.phone(seat=0).ask("calibration/teach/learnt").status_code == 403

    assert send(host, jpeg("konane")).status_code == 200
    offered = host.get("calibration/teach/learnt")
    assert offered["offered"], offered
    assert offered["kinds"]["coin"] == 4, "both armies have two suits, which is all that shows"
    kept = host.post("calibration/teach/learnt", name="oak")
    assert (kept["offered"], kept["new"]) == (False, 0), "what is kept is not offered again"

    assert load_or_new(server.tables.data / "profile.json").set_named("oak").faces == offered["faces"]
    assert [(each["name"], each["faces"]) for each in host.get("calibration")["sets"]] == [("oak", offered["faces"])]
    eyes = app.state.camera_manager.reader()
    assert eyes.priors.profile.my_set.name == "oak"

    assert host.get("calibration/teach/learnt")["name"] == "oak"
    again = app.state.camera_manager.reader().look(read(jpeg("konane")))
    plain = TableReader().look(read(jpeg("konane")))
    assert sum(p.confidence for p in again.pieces) > sum(p.confidence for p in plain.pieces)


@pytest.mark.full
def test_a_table_that_was_never_understood_teaches_nothing(tmp_path: Path) -> None:
    with Server(tmp_path, "konane") as server:
        assert send(server.host(), jpeg("dodgem")).status_code == 200
        assert server.host().get("calibration/teach/learnt")["faces"] == 0


def swapped(layout: Layout) -> Layout:
    """The same table with the two suits of its coins taken for each other."""
    other = {Suit.SUNS: Suit.CROWNS, Suit.CROWNS: Suit.SUNS}
    return replace(
        layout,
        pieces=tuple(
            replace(p, piece=replace(p.piece, suit=other[p.piece.suit])) if p in coins(layout) and p.piece.suit else p
            for p in layout.pieces
        ),
    )


def misled(session: Session, wrong: str) -> Keyframe:
    """The camera takes what was done for something else, and the table for one that it is not: what it sees there
    teaches wrong names."""
    opening = known_by(BEFORE, None)
    event = session.act("camera", wrong, expected=None, key=None)
    assert isinstance(event, Event)
    believed = known_by(swapped(BEFORE), opening, shows=BEFORE)
    assert believed is not None
    assert opening is not None
    now = replace(believed, actions=session.history.actions, older=opening)
    session.referee.memory = Memory(keyframe=now, ever_explained=True)
    return now


BEFORE_FACE = coins(BEFORE)[0].face


def suits_known(session: Session) -> int:
    return sum(len(rows) for rows in appearances_at(session).rows.get((Kind.COIN, BEFORE_FACE), {}).values())


@pytest.mark.parametrize("way", ["corrected", "undone"])
def test_a_wrong_acceptance_teaches_nothing_once_people_put_it_right(server: Server, way: str) -> None:
    """Also where nobody looks at the table any more before the set is kept."""
    session = server.session
    wrong = misled(session, "move(a1,b1)")
    assert isinstance(wrong.reference, ReferenceFrame)
    assert set(taught(wrong).values()) == {2}, "the wrong belief did teach"
    assert appearances_at(session).rows == {}, "a look that goes by two names is offered under neither"
    if way == "corrected":
        session.correct("host", session.seq, ["move(a2,b2)"], expected=None, key=None)
    else:
        session.undo("host", 1, expected=None, key=None)
    opening = known_by(BEFORE, None)
    assert opening is not None
    assert isinstance(opening.reference, ReferenceFrame)
    assert appearances_at(session).rows.keys() == opening.reference.appearances.rows.keys()
    assert suits_known(session) == 2, "what the opening taught stays"

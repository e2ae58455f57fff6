"""A dispute at a table comes to the umpire with its pictures and its rule; the answer stands in the table's log."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion_api.hall.at_table import ruling_handler
from companion_api.hall.people import HallRole
from companion_api.hall.ruling import Ruling, SealError, public_seal, verified_ruling
from companion_api.log.event import EventKind
from companion_api.session import Pictures, Session
from rules.referee.verdict import Choice, Verdict, VerdictKind
from rules.sentence import say
from tests.hall.brokers import RealBroker
from tests.hall.halls import Hub, ServedTable
from tests.waiting import until


@pytest.fixture
def hub(broker: RealBroker, hall_url: str, tmp_path: Path) -> Iterator[Hub]:
    with Hub(broker.url, hall_url, tmp_path) as running:
        yield running


@pytest.fixture
def table(hub: Hub, tmp_path: Path) -> Iterator[ServedTable]:
    with ServedTable(tmp_path / "table", hub, "Window 3") as served:
        yield served


def waiting(hub: Hub, count: int = 1) -> list[dict[str, Any]]:
    umpire = hub.person(HallRole.UMPIRE)
    until(lambda: len(umpire.get("/api/questions").json()) == count)
    found: list[dict[str, Any]] = umpire.get("/api/questions").json()
    return found


def kinds(session: Session) -> list[EventKind]:
    return [event.kind for event in session.events]


def test_a_disputed_move_is_ruled_from_the_hall(hub: Hub, table: ServedTable) -> None:
    picture = table.tables.evidence.keep(b"\xff\xd8 a picture")
    host = table.phone()
    moved = host.post("/api/actions", json={"action": "move(a1,b1)"}).json()["seq"]
    really = next(a.id for a in table.session.game.legal(table.session.first.first) if a.id != "move(a1,b1)")
    claim = table.session.add_claim(
        "seat:1", {"text": "b1 was full", "about": moved, "pictures": {"now": picture}}, key=None
    )
    table.session.add_ruling(
        "referee", claim.seq, {"text": "it was legal", "upheld": True, "clause": "DODG-4.1"}, overruled=False, key=None
    )
    until(lambda: waiting(hub)[0]["referee"])
    (item,) = waiting(hub)
    assert (item["name"], item["kind"], item["text"]) == ("Window 3", "claim", "b1 was full")
    assert item["clause"] == "DODG-4.1"
    assert len(item["clause_text"]) > 20
    assert "a1" in item["about"]["text"]
    umpire = hub.person(HallRole.UMPIRE, "Uma")
    shown = umpire.get(f"/api/pictures/{item['station']}/{picture}")
    assert shown.content == b"\xff\xd8 a picture"
    body = {key: item[key] for key in ("station", "table")} | {"about": item["seq"], "upheld": False}
    answered = umpire.post("/api/answers", json={**body, "text": "I saw it fall", "actions": [really]})
    assert answered.status_code == 200, answered.text
    until(lambda: EventKind.CORRECTED in kinds(table.session))
    ruled = next(event for event in table.session.events if event.kind is EventKind.OVERRULED)
    assert (ruled.by, ruled.data["text"], ruled.data["claim"]) == ("umpire:Uma", "I saw it fall", claim.seq)
    assert [action.id for action in table.session.history.actions] == [really]
    assert waiting(hub, 0) == []
    again = umpire.post("/api/answers", json={**body, "text": "once more"})
    assert again.status_code == 409
    told = umpire.get(f"/api/tables/{item['station']}/{table.session.table}").json()
    assert any(event["by"] == "umpire:Uma" for event in told["events"])


def test_a_question_of_the_camera_is_answered_from_the_hall(hub: Hub, table: ServedTable) -> None:
    game, session = table.session.game, table.session
    first, second = list(game.legal(session.state))[:2]
    asked = Verdict(
        VerdictKind.AMBIGUOUS, say("which was it?"), choices=(Choice((first,), 0.6), Choice((second,), 0.4))
    )
    session._record(asked, Pictures(True, table.tables.evidence.keep(b"\xff\xd8 still")))
    (item,) = waiting(hub)
    assert item["kind"] == "question"
    assert [choice["actions"] for choice in item["choices"]] == [[first.id], [second.id]]
    assert len(item["pictures"]) == 1
    body = {"station": item["station"], "table": item["table"], "about": item["seq"], "upheld": True}
    hub.person(HallRole.DIRECTOR, "Dora").post("/api/answers", json={**body, "text": "this", "actions": [second.id]})
    until(lambda: [action.id for action in session.history.actions] == [second.id])
    assert session.events[-1].by == "director:Dora"
    assert waiting(hub, 0) == []


def test_a_ruling_waits_for_a_table_that_is_away(hub: Hub, table: ServedTable) -> None:
    table.session.add_claim("seat:0", {"text": "unfair", "about": None, "pictures": {}}, key=None)
    (item,) = waiting(hub)
    table.in_hall.stop()
    body = {"station": item["station"], "table": item["table"], "about": item["seq"], "upheld": True}
    assert hub.person(HallRole.UMPIRE).post("/api/answers", json=body).status_code == 200
    assert waiting(hub)[0]["answer"]["text"] == "", "a ruling needs no words"
    assert EventKind.OVERRULED not in kinds(table.session)
    table.in_hall.resume()
    until(lambda: EventKind.OVERRULED in kinds(table.session))
    assert waiting(hub, 0) == []


def test_what_cannot_be_carried_out_comes_back_to_the_umpire(hub: Hub, table: ServedTable) -> None:
    moved = table.phone().post("/api/actions", json={"action": "move(a1,b1)"}).json()["seq"]
    table.session.add_claim("seat:1", {"text": "no", "about": moved, "pictures": {}}, key=None)
    (item,) = waiting(hub)
    body = {"station": item["station"], "table": item["table"], "about": item["seq"], "upheld": False}
    hub.person(HallRole.UMPIRE).post("/api/answers", json={**body, "text": "further", "actions": ["move(a1,f6)"]})
    until(
        lambda: any(
            "could not be carried out" in str(i["text"])
            for i in hub.person(HallRole.UMPIRE).get("/api/questions").json()
        )
    )
    assert [action.id for action in table.session.history.actions] == ["move(a1,b1)"]


def test_a_ruling_without_the_halls_seal_changes_nothing(hub: Hub, table: ServedTable) -> None:
    claim = table.session.add_claim("seat:0", {"text": "x", "about": None, "pictures": {}}, key=None)
    member = table.in_hall.member
    assert member is not None
    given = Ruling("1", member.station, table.session.table, claim.seq, "umpire:Eve", "mine", True)
    other = "A" * 43 + "="
    handle = ruling_handler(table.tables, member)
    assert handle(given.to_message(other))
    foreign = Ruling("2", "elsewhere", table.session.table, claim.seq, "umpire:Eve", "mine", True)
    assert handle(foreign.to_message(hub.store.seeds.seal))
    assert EventKind.OVERRULED not in kinds(table.session)
    changed = given.to_message(hub.store.seeds.seal).replace(b"mine", b"ours")
    with pytest.raises(SealError):
        verified_ruling(changed, public_seal(hub.store.seeds.seal))
    assert verified_ruling(given.to_message(hub.store.seeds.seal), member.seal)[0] == given


def test_only_an_umpire_answers(hub: Hub, table: ServedTable) -> None:
    guest = hub.person(HallRole.GUEST)
    assert guest.get("/api/questions").status_code == 403
    assert guest.get(f"/api/pictures/window-3/{'0' * 64}").status_code == 403
    assert guest.post("/api/answers", json={}).status_code == 403
    assert hub.person(HallRole.UMPIRE).get("/api/invitations").status_code == 403
    assert hub.stranger().get("/api/wall").status_code == 401

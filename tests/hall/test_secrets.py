"""A guest, an umpire and a foreign table look everywhere in the hall and find nothing that is hidden at a table.

Two tables play the same game, that differs only in what nobody but one seat may know: everything that the hall holds of
the one and of the other must be the same, word for word, while it is hidden. And a table's credentials open nothing
that is another table's.
"""

from __future__ import annotations

import asyncio
import gc
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nats
import pytest
from nats.aio.client import Client
from nats.errors import Error as NatsError

from companion_api.hall import names
from companion_api.hall.membership import Membership, connect
from companion_api.hall.people import HallRole
from companion_api.session import Session
from rules.games import available, game
from tests.hall.brokers import RealBroker
from tests.hall.halls import Hub, PlayingTable
from tests.tiers import few
from tests.waiting import until

HIDDEN = [name for name in available() if game(name).card.hidden]
PLIES = 40


@pytest.fixture
def hub(broker: RealBroker, hall_url: str, tmp_path: Path) -> Iterator[Hub]:
    with Hub(broker.url, hall_url, tmp_path) as running:
        yield running


@pytest.mark.parametrize("hall_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("name", few(HIDDEN, ("ice_floe",)))
def test_what_is_hidden_at_a_table_is_not_in_the_hall(name: str, hub: Hub, broker: RealBroker, tmp_path: Path) -> None:
    pair = [PlayingTable(hub.store, tmp_path / station, broker.url, station, name) for station in ("one", "two")]
    for table in pair:
        hub.admit(table.station)
    one, two = (table.tables[0] for table in pair)
    differed = twins(one, two, random.Random(4))
    for table in pair:
        table.publish()
    for table in pair:
        arrived(hub, table.station, table.tables[0])
    found = [crawl(hub, broker, table.station, table.tables[0].table) for table in pair]
    assert found[0].keys() == found[1].keys()
    for place, text in found[0].items():
        assert text == found[1][place], place
    if name in ("ice_floe", "global_warming"):
        assert differed, "nothing was secret: this proves nothing"
    for table in pair:
        table.stop()


def twins(one: Session, two: Session, rng: random.Random) -> bool:
    """The same game on both, as far as a guest can tell; at the end they differ, if the game has it."""
    rules = one.game
    for _ in range(PLIES):
        if rules.turn(one.state).is_over:
            break
        action = rules.sample(one.state, rng)
        other = action
        known = rules.redact(one.state, action, None)
        if known != action:
            legal = [a for a in rules.legal(two.state) if a.seat == action.seat and a != action]
            other = next((a for a in legal if rules.redact(two.state, a, None) == known), action)
        if rules.refusal(two.state, other) or not _alike(one, two, action, other):
            if other == action or rules.refusal(two.state, action) or not _alike(one, two, action, action):
                break
            other = action
        one.act("table", action.id, expected=None, key=None)
        two.act("table", other.id, expected=None, key=None)
    return bool(one.state != two.state)


def _alike(one: Session, two: Session, first: Any, second: Any) -> bool:
    rules = one.game
    after = rules.advance(one.state, first), rules.advance(two.state, second)
    return bool(rules.view(after[0], None) == rules.view(after[1], None))


def arrived(hub: Hub, station: str, session: Session) -> None:
    until(lambda: len(hub.store.events(station, session.table)) == session.seq)
    until(lambda: look(hub, station, session.table))


def look(hub: Hub, station: str, table: str) -> bool:
    return hub.person(HallRole.GUEST).get(f"/api/tables/{station}/{table}/board.png").status_code == 200


def crawl(hub: Hub, broker: RealBroker, station: str, table: str) -> dict[str, str]:
    """All that an umpire and a guest can fetch of a table, and all that lies in the broker of it."""
    found = {}
    rules = hub.app.openapi()["paths"]
    ways = [path for path, entries in rules.items() if "get" in entries and path not in ("/api/stream", "/metrics")]
    assert len(ways) > 10
    for role in (HallRole.GUEST, HallRole.UMPIRE, HallRole.DIRECTOR):
        person = hub.person(role)
        for way in ways:
            path = way.format(station=station, table=table, name="0" * 64, role="guest", shown="x")
            found[f"{role} {way}"] = told(person.get(path), station, table)
    stored = {key: hub.store.events(station, table) for key in ("events",)}
    found["database"] = plain([stored, [row.standing for row in hub.store.tables(only=[(station, table)])]])
    found["broker"] = plain(asyncio.run(everything(hub, broker, station)))
    return found


def told(answer: Any, station: str, table: str) -> str:
    if answer.headers["content-type"] == "image/png":
        return str(answer.content.hex())
    if not answer.headers["content-type"].startswith("application/json"):
        return str(answer.status_code)
    return plain(of_table(answer.json(), station, table))


def of_table(value: Any, station: str, table: str) -> Any:
    """Of answers about all tables only what is said of this one."""
    if isinstance(value, list):
        mine = [v for v in value if not isinstance(v, dict) or v.get("table", table) == table]
        return [of_table(v, station, table) for v in mine]
    return {k: of_table(v, station, table) for k, v in value.items()} if isinstance(value, dict) else value


def plain(value: Any) -> str:
    """Without what differs for an honest reason: names, clocks."""

    def without(value: Any) -> Any:
        if isinstance(value, dict):
            left = {k: without(v) for k, v in value.items() if k not in ("table", "at", "station", "name", "began")}
            return {k: v for k, v in left.items() if k not in ("now", "version", "minutes")}
        return [without(v) for v in value] if isinstance(value, list) else value

    return json.dumps(without(value), sort_keys=True)


async def everything(hub: Hub, broker: RealBroker, station: str) -> list[Any]:
    """Every message of every stream, read with the hub's own rights."""
    client = await nats.connect(broker.url, user_credentials=nats_credentials(hub))
    stream = client.jetstream(domain=names.DOMAIN)
    found: list[Any] = []
    for info in await stream.streams_info():
        for seq in range(1, info.state.messages + 1):
            message = await stream.get_msg(str(info.config.name), seq)
            if message.subject and f".{station}." in message.subject:
                found.append(json.loads(message.data or b"{}"))
    await client.close()
    return found


def nats_credentials(hub: Hub) -> Any:
    from nats.aio.client import RawCredentials

    from companion_api.hall.credentials import hub_credentials

    return RawCredentials(hub_credentials(hub.store.seeds))


# Foreign tables -------------------------------------------------------------------------------------------------

FORBIDDEN = [
    names.subject("event", "own", "t1"),
    names.subject("look", "own", "t1"),
    names.subject("ruling", "own", "t1"),
    names.subject("ruling", "foreign", "t1"),
    names.STORED,
    names.SHUT_OUT,
    "$SYS.REQ.CLAIMS.UPDATE",
    f"{names.DELIVER}.x",
    "$JS.hall.API.STREAM.INFO.HALL_EVENTS",
    "$JS.hall.API.STREAM.NAMES",
    "$JS.API.STREAM.NAMES",
    "$JS.hall.API.STREAM.DELETE.HALL_EVENTS",
    "$JS.hall.API.STREAM.PURGE.HALL_EVENTS",
    "$JS.hall.API.STREAM.MSG.GET.HALL_EVENTS",
    "$JS.hall.API.DIRECT.GET.HALL_EVENTS.hall.event.own.t1",
    "$JS.hall.API.DIRECT.GET.HALL_EVENTS",
    "$JS.hall.API.CONSUMER.CREATE.HALL_RULINGS",
    "$JS.hall.API.CONSUMER.DURABLE.CREATE.HALL_RULINGS.own",
    "$JS.hall.API.CONSUMER.MSG.NEXT.HALL_RULINGS.own",
    "$JS.ACK.HALL_RULINGS.own.1.1.1.1.0",
    "$O.evidence-own.C.x",
    "$JS.hall.API.STREAM.MSG.GET.OBJ_evidence-own",
    "$JS.hall.API.STREAM.PURGE.OBJ_evidence-own",
    "$JS.hall.API.STREAM.INFO.OBJ_evidence-own",
    "$JS.hall.API.DIRECT.GET.OBJ_evidence-own.$O.evidence-own.M.x",
    "$JS.hall.API.CONSUMER.CREATE.OBJ_evidence-own",
]
UNHEARD = [
    "hall.>",
    ">",
    "_INBOX.>",
    f"{names.inbox('own')}.>",
    f"{names.INBOXES}.>",
    names.SHUT_OUT,
    "$JS.>",
    "$O.>",
    "$SYS.>",
    "hall.event.foreign.*",
]


def test_a_tables_credentials_open_nothing_of_another(hub: Hub) -> None:
    hub.admit("own")
    foreign = hub.admit("foreign")
    refused = asyncio.run(tried(foreign))
    mapped = {subject: subject.lower().replace("$js.hall.api", "$js.api") for subject in FORBIDDEN}
    assert [subject for subject, said in mapped.items() if f'"{said}"' not in refused] == []
    assert [subject for subject in UNHEARD if f'to "{subject.lower()}"' not in refused] == []
    assert 'publish to "hall.event.foreign.t1"' not in refused


async def tried(member: Membership) -> str:
    """What the broker answers to whoever tries everything."""
    said: list[str] = []
    client = await connect(member)
    client._error_cb = _noted(said)
    for subject in UNHEARD:
        await client.subscribe(subject)
    for subject in [*FORBIDDEN, "hall.event.foreign.t1"]:
        await client.publish(subject, b"{}")
    await flushed(client)
    await asyncio.sleep(0.3)
    await client.close()
    return "\n".join(said).lower()


async def flushed(client: Client) -> None:
    try:
        await client.flush(5)
    except NatsError:
        return


def _noted(said: list[str]) -> Any:
    async def note(error: Exception) -> None:
        said.append(str(error))

    return note


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # the library leaves a socket open
def test_without_credentials_nobody_comes_to_the_broker(broker: RealBroker) -> None:
    async def stranger() -> None:
        await nats.connect(broker.url, allow_reconnect=False, max_reconnect_attempts=0, error_cb=_noted([]))

    with pytest.raises((NatsError, OSError)):
        asyncio.run(stranger())
    gc.collect()


def test_metrics_and_health_tell_numbers_only(hub: Hub) -> None:
    hub.admit("Window by Ada")
    text = hub.stranger().get("/metrics").text
    assert "hall_broker_connected 1.0" in text
    assert "window" not in text.lower()
    assert hub.stranger().get("/ready").json() == {"broker": True, "database": True}


def test_a_renewed_code_shuts_out_whoever_came_in_by_it(hub: Hub) -> None:
    umpire, code = hub.person(HallRole.UMPIRE), hub.hall.people.code(HallRole.UMPIRE)
    assert umpire.get("/api/questions").status_code == 200
    assert hub.person(HallRole.DIRECTOR).post("/api/invitations/umpire/renew", json={}).status_code == 200
    assert umpire.get("/api/questions").status_code == 401
    joined = hub.stranger().post("/api/join", json={"code": code, "name": "Eve"})
    assert joined.status_code == 404

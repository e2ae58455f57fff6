"""One table is shut out of a running hall, and nobody else notices; the pictures of a table have a limit."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion_api.hall import broker as broker_room
from companion_api.hall import names
from companion_api.hall.broker import Broker, write_leaf
from companion_api.hall.membership import close_connection, connect
from companion_api.hall.people import HallRole
from companion_api.log.databases import SqliteLog
from tests.hall.brokers import RealBroker, answers
from tests.hall.halls import Hub, PlayingTable, stored
from tests.ports import free_port
from tests.waiting import until

pytestmark = pytest.mark.parametrize("hall_url", ["sqlite"], indirect=True)


@pytest.fixture
def hub(broker: RealBroker, hall_url: str, tmp_path: Path) -> Iterator[Hub]:
    with Hub(broker.url, hall_url, tmp_path) as running:
        yield running


def come_in(hub: Hub, folder: Path, broker: str, name: str) -> PlayingTable:
    member = hub.admit(name)
    table = PlayingTable(hub.store, folder / member.station, broker, member.station)
    table.member = type(member)(broker, member.station, member.name, member.credentials, member.seal)
    table.play(3)
    table.publish()
    return table


@pytest.mark.full
def test_one_table_is_shut_out_and_the_others_go_on(hub: Hub, broker: RealBroker, tmp_path: Path) -> None:
    one, two = (come_in(hub, tmp_path, broker.url, name) for name in ("Window", "Door"))
    until(lambda: all(stored(hub.store, table) == table.told() for table in (one, two)))
    director = hub.person(HallRole.DIRECTOR)
    assert hub.person(HallRole.UMPIRE).post("/api/stations/window/shut_out").status_code == 403
    assert director.post("/api/stations/cellar/shut_out").status_code == 404
    assert director.post("/api/stations/window/shut_out").json() == {"told": True}
    assert one.publisher is not None
    assert two.publisher is not None
    until(lambda: one.publisher is not None and not one.publisher.connected)
    before = hub.store.events("window", one.tables[0].table)
    for table in (one, two):
        table.play(5)
    until(lambda: stored(hub.store, two) == two.told())
    assert hub.store.events("window", one.tables[0].table) == before
    broker.kill()
    broker.start()
    two.play(2)
    until(lambda: stored(hub.store, two) == two.told())
    # A broker that has just started knows whom it shuts out when the hub has told it; nothing is stored before either.
    until(lambda: one.publisher is not None and not one.publisher.connected)
    assert hub.store.events("window", one.tables[0].table) == before
    assert {s["station"]: s["shut_out"] for s in director.get("/api/stations").json()} == {
        "window": True,
        "door": False,
    }
    assert hub.admit("Window").station == "window-2"
    for table in (one, two):
        table.stop()


@pytest.fixture
def leafy(tmp_path: Path, hall_url: str) -> Iterator[tuple[Hub, RealBroker]]:
    from companion_api.hall.store import Store, open_database

    seeds = Store(open_database(hall_url, tmp_path)).seeds
    running = RealBroker(tmp_path / "hub-broker", seeds, leaf=True)
    with Hub(running.url, hall_url, tmp_path) as hub:
        yield hub, running
    running.stop()


@pytest.mark.full
def test_a_room_may_do_only_what_its_tables_need(leafy: tuple[Hub, RealBroker], tmp_path: Path) -> None:
    """Its credentials open no stream, hear no other room, give no ruling; a table that is shut out gets nothing stored
    through it, though the room's broker has not been told."""
    hub, running = leafy
    port = free_port()
    room = tmp_path / "room"
    path = write_leaf(hub.store.seeds, room, f"nats://127.0.0.1:{running.leaf_port}", f"127.0.0.1:{port}")
    broker = Broker(path)
    broker.start()
    answers(port)
    table = come_in(hub, tmp_path, f"nats://127.0.0.1:{port}", "Cellar")
    until(lambda: stored(hub.store, table) == table.told())
    secret = (room / "leaf.creds").read_text(encoding="utf-8")
    assert asyncio.run(tried(running.url, secret)) == []
    hub.person(HallRole.DIRECTOR).post(f"/api/stations/{table.station}/shut_out")
    before = hub.store.count()
    table.play(5)
    other = come_in(hub, tmp_path, f"nats://127.0.0.1:{port}", "Attic")
    until(lambda: stored(hub.store, other) == other.told())
    sent = SqliteLog(table.folder / "companion.db")
    assert hub.store.count() == before + sum(map(len, other.told().values()))
    sent.close()
    for each in (table, other):
        each.stop()
    broker.stop()


async def tried(server: str, credentials: str) -> list[str]:
    """What somebody with the room's file gets done that is none of the room's business."""
    from companion_api.hall.membership import Membership

    client = await connect(Membership(server, "room", "", credentials))
    done = []
    asked = {
        f"$JS.API.STREAM.PURGE.{names.EVENTS}": b"",
        f"$JS.API.STREAM.DELETE.{names.EVENTS}": b"",
        f"$JS.API.STREAM.INFO.{names.EVENTS}": b"",
        f"$JS.{names.DOMAIN}.API.STREAM.PURGE.{names.RULINGS}": b"",
        "$JS.API.STREAM.NAMES": b"",
        "$JS.API.STREAM.CREATE.MINE": b'{"name":"MINE","subjects":["mine"]}',
        f"$JS.API.STREAM.MSG.GET.{names.RULINGS}": b'{"seq":1}',
        names.STORED: b"[]",
        names.subject("ruling", "cellar", "cellar-0"): b"{}",
    }
    for subject, body in asked.items():
        try:
            await client.request(subject, body, timeout=0.4)
        except Exception:
            continue
        done.append(subject)
    heard = []
    for subject in ("hall.event.>", "hall.ruling.>", names.STORED, ">"):
        waiting = await client.subscribe(subject)
        heard.append(waiting)
    await asyncio.sleep(0.5)
    done += [each.subject for each in heard if each.pending_msgs]
    await close_connection(client)
    return done


def test_the_oldest_pictures_go_first(
    hub: Hub, broker: RealBroker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table's share is full: what came last is there, what came first is not, and nothing is half there."""
    monkeypatch.setattr(broker_room, "PICTURES_BYTES", 1_000_000)
    member = hub.admit("Window")
    umpire = hub.person(HallRole.UMPIRE)

    async def send() -> None:
        client = await connect(member)
        store = await client.jetstream().object_store(names.bucket(member.station))
        for number in range(20):
            await store.put(f"picture-{number:02}", bytes([number]) * 150_000)
        await close_connection(client)

    asyncio.run(send())
    found = {}
    for number in range(20):
        answer = umpire.get(f"/api/pictures/{member.station}/picture-{number:02}")
        assert answer.status_code in (200, 404), answer.text
        if answer.status_code == 200:
            assert answer.content == bytes([number]) * 150_000
        found[number] = answer.status_code == 200
    stored_membership = [number for number, there in found.items() if there]
    assert stored_membership == list(range(min(stored_membership), 20))
    assert 3 <= len(stored_membership) <= 7

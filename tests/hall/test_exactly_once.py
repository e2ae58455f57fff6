"""Every event of every table stands in the hall exactly once and in order, whatever is switched off meanwhile."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path

import nats
import pytest
from nats.aio.client import RawCredentials
from nats.errors import Error as NatsError

from companion_api.hall import names
from companion_api.hall.broker import prepared_stations
from companion_api.hall.credentials import hub_credentials
from companion_api.hall.outbox import Cursor
from companion_api.hall.store import Store
from tests.hall.brokers import RealBroker
from tests.hall.halls import PlayingTable, StoringHub, stored
from tests.waiting import until


@pytest.fixture
def hub(store: Store, broker: RealBroker) -> Iterator[StoringHub]:
    running = StoringHub(store, broker.url)
    running.ready()
    yield running
    running.stop()


@pytest.fixture
def table(store: Store, broker: RealBroker, tmp_path: Path) -> Iterator[PlayingTable]:
    made = PlayingTable(store, tmp_path / "window", broker.url, "window", "ice_floe")
    yield made
    made.stop()


def test_what_a_table_logs_stands_in_the_hall(store: Store, hub: StoringHub, table: PlayingTable) -> None:
    table.play(5)
    table.publish()
    table.play(40)
    until(lambda: stored(store, table) == table.told())
    (row,) = store.tables(only=[(table.station, table.tables[-1].table)])
    assert row.seq == table.tables[-1].seq
    assert row.standing["game"]["id"] == "ice_floe"


def test_a_table_plays_on_while_the_hall_is_away(
    store: Store, hub: StoringHub, broker: RealBroker, table: PlayingTable
) -> None:
    table.publish()
    table.play(10)
    until(lambda: stored(store, table) == table.told())
    broker.kill()
    table.play(30)
    hub.stop()
    broker.start()
    table.play(10)
    again = StoringHub(store, broker.url)
    until(lambda: stored(store, table) == table.told())
    again.stop()


def test_a_forgotten_cursor_and_a_second_hub_double_nothing(
    store: Store, hub: StoringHub, broker: RealBroker, table: PlayingTable
) -> None:
    table.play(20)
    table.publish()
    until(lambda: stored(store, table) == table.told())
    table.stop()
    (table.folder / "hall.db").unlink()
    second = StoringHub(store, broker.url)
    second.ready()
    table.publish()
    table.play(20)
    until(lambda: stored(store, table) == table.told())
    total = sum(map(len, table.told().values()))
    assert store.count() == total
    second.stop()


def test_a_broker_that_lost_its_disk_gets_the_game_again(
    store: Store, hub: StoringHub, broker: RealBroker, table: PlayingTable, tmp_path: Path
) -> None:
    """The cursor says that everything was sent; the broker says that it has nothing: the broker is believed."""
    table.play(8)
    cursor = Cursor(table.folder / "hall.db")
    assert cursor.joined > 0
    cursor.move(table.tables[-1].table, table.tables[-1].seq)
    cursor.close()
    table.publish()
    until(lambda: stored(store, table) == table.told())


@pytest.mark.parametrize("hall_url", ["sqlite"], indirect=True)
def test_a_broker_without_its_disk_gets_the_places_of_all_tables_again(
    store: Store, hub: StoringHub, broker: RealBroker
) -> None:
    """While events come in already."""
    stations = [f"window-{number}" for number in range(12)]
    for station in stations:
        store.admit(station, station)
    broker.kill()
    shutil.rmtree(broker.folder / "js")
    broker.start()
    until(lambda: asyncio.run(places(broker, store)) == set(stations))


async def places(broker: RealBroker, store: Store) -> set[str]:
    client = await nats.connect(broker.url, user_credentials=RawCredentials(hub_credentials(store.seeds)))
    try:
        return await prepared_stations(client.jetstream(domain=names.DOMAIN))
    except (NatsError, KeyError):
        return set()
    finally:
        await client.close()


def test_an_id_that_somebody_else_took_first_hides_no_event(
    store: Store,
    hub: StoringHub,
    broker: RealBroker,
    table: PlayingTable,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A foreign table sends an own event under the id of ours; the broker takes ours for a repetition."""
    thief = PlayingTable(store, tmp_path / "thief", broker.url, "thief")
    taken = names.message_id(table.station, table.tables[0].table, 1)
    original = names.message_id
    with monkeypatch.context() as patched:
        patched.setattr(names, "message_id", lambda who, *of: taken if who == "thief" else original(who, *of))
        thief.publish()
        until(lambda: stored(store, thief) == thief.told())
        thief.stop()
    table.publish()
    until(lambda: stored(store, table) == table.told())

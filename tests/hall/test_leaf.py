"""Brokers of two rooms behind the hub's: tables there come in through them, and wait while the way is cut."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from companion_api.hall.broker import Broker, write_leaf
from companion_api.hall.store import Store
from tests.hall.brokers import RealBroker, answers
from tests.hall.halls import PlayingTable, StoringHub, all_stored
from tests.ports import free_port
from tests.waiting import until


class Room:
    """A nats-server by the one generated file, and a table that knows only that one."""

    def __init__(self, store: Store, hub: RealBroker, folder: Path, name: str) -> None:
        port = free_port()
        path = write_leaf(store.seeds, folder / name, f"nats://127.0.0.1:{hub.leaf_port}", f"127.0.0.1:{port}")
        assert oct((folder / name / "leaf.creds").stat().st_mode)[-3:] == "600"
        self.broker = Broker(path)
        self.broker.start()
        answers(port)
        self.table = PlayingTable(store, folder / f"table-{name}", f"nats://127.0.0.1:{port}", name)
        self.table.publish()

    def stop(self) -> None:
        self.table.stop()
        self.broker.stop()


@pytest.fixture
def hub_broker(tmp_path: Path, store: Store) -> Iterator[RealBroker]:
    running = RealBroker(tmp_path / "hub", store.seeds, leaf=True)
    yield running
    running.stop()


@pytest.mark.parametrize("hall_url", ["sqlite"], indirect=True)
def test_two_rooms_come_in_through_brokers_of_their_own(store: Store, hub_broker: RealBroker, tmp_path: Path) -> None:
    hub = StoringHub(store, hub_broker.url)
    hub.ready()
    rooms = [Room(store, hub_broker, tmp_path, name) for name in ("cellar", "attic")]
    for room in rooms:
        room.table.play(10)
    for room in rooms:
        until(partial(all_stored, store, room.table))
    pid = rooms[0].broker.pid
    assert pid is not None
    os.kill(pid, 9)
    rooms[0].table.play(10)
    rooms[1].table.play(10)
    until(partial(all_stored, store, rooms[1].table))
    rooms[0].broker.restart_if_ended()
    hub_broker.kill()
    rooms[1].table.play(10)
    hub_broker.start()
    for room in rooms:
        until(partial(all_stored, store, room.table))
        room.stop()
    hub.stop()

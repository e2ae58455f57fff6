"""Prometheus metrics at `/metrics` of the hub and of a table that belongs to a hall; nothing about a game's content."""

from __future__ import annotations

import time

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.gc_collector import GCCollector
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30, 300)


def _registry() -> CollectorRegistry:
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    GCCollector(registry=registry)
    return registry


class HubMetrics:
    def __init__(self) -> None:
        self.registry = registry = _registry()
        self.connected = Gauge("hall_broker_connected", "Whether the hub is connected to the broker", registry=registry)
        self.database = Gauge("hall_database_up", "Whether the last write reached the database", registry=registry)
        self.stored = Counter("hall_events_stored", "Events stored by this hub", registry=registry)
        self.repeated = Counter("hall_events_repeated", "Events that stood there already", registry=registry)
        self.unreadable = Counter("hall_events_unreadable", "Messages that are no events", registry=registry)
        self.rulings = Counter("hall_rulings", "Rulings sent to tables", registry=registry)
        self.tables = Gauge("hall_tables", "Tables with an event in the last quarter of an hour", registry=registry)
        self.waiting = Gauge("hall_questions_open", "Disputes and questions that wait", registry=registry)
        self.walls = Gauge("hall_walls", "Walls and phones that are connected", registry=registry)
        self.storing = Histogram("hall_storing_seconds", "One batch into the database", registry=registry)
        self.late = Histogram(
            "hall_event_late_seconds", "From the table's clock to the wall", registry=registry, buckets=_SECONDS
        )


class TableMetrics:
    def __init__(self) -> None:
        self.registry = registry = _registry()
        self._sent = Counter("companion_hall_events_sent", "Events that the hall has taken", registry=registry)
        self._connected = Gauge("companion_hall_connected", "Whether the hall is reached", registry=registry)
        self._waiting = Gauge("companion_hall_tables_waiting", "Games with events to be sent", registry=registry)
        self._late = Histogram(
            "companion_hall_sent_seconds", "From the event to the hall's receipt", registry=registry, buckets=_SECONDS
        )

    def sent(self, at: float) -> None:
        self._sent.inc()
        self._late.observe(max(0.0, time.time() - at))

    def state(self, connected: bool, waiting: int) -> None:
        self._connected.set(connected)
        self._waiting.set(waiting)

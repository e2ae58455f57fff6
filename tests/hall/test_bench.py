"""A small hall under attack: every kind of accident once, two hubs, and nothing lost, doubled or out of order."""

from __future__ import annotations

import pytest

from companion_api.hall.broker import BrokerError
from tests.bench.hall.accidents import ACCIDENTS
from tests.bench.hall.building import BenchPlan
from tests.bench.hall.run import measured
from tests.bench.hall.servers import BenchError
from tests.needed import missing


@pytest.mark.full
def test_chaos_loses_and_doubles_nothing() -> None:
    try:
        found = measured(BenchPlan(tables=6, minutes=0.2, rate=2.0, chaos=len(ACCIDENTS), hubs=2), print)
    except (BenchError, BrokerError) as error:
        if "not installed" in str(error):
            missing(str(error))
        raise
    assert found["accidents"] == dict.fromkeys(ACCIDENTS, 1)
    assert found["events_in_logs"] == found["events_in_database"] > 60
    assert found["games_that_differ"] == 0
    assert found["out_of_order_in_stream"] == 0

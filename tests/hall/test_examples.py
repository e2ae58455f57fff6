"""The examples in docs/hall: the board names no metric that is not exported, the units are read by systemd itself."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import yaml
from prometheus_client import CollectorRegistry

from companion_api.hall.metrics import HubMetrics, TableMetrics
from tests.needed import missing

EXAMPLES = Path(__file__).parents[2] / "docs" / "hall"
_WORDS = {"min", "max", "sum", "rate", "histogram_quantile", "le", "by", "job", "instance", "count", "increase"}
_SUFFIXES = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count")}


def exported(registry: CollectorRegistry) -> set[str]:
    """Every name that a scrape brings, also of what has not been counted yet."""
    names = set()
    for metric in registry.collect():
        suffixes = {"counter": ("_total", "_created"), "histogram": ("_bucket", "_sum", "_count")}.get(
            metric.type, ("",)
        )
        names |= {metric.name + suffix for suffix in suffixes}
    return names


def expressions(board: dict[str, Any]) -> list[str]:
    return [target["expr"] for panel in board["panels"] for target in panel.get("targets", ())]


def test_the_board_shows_what_is_exported() -> None:
    known = exported(HubMetrics().registry) | exported(TableMetrics().registry)
    asked = expressions(json.loads((EXAMPLES / "grafana.json").read_text(encoding="utf-8")))
    assert len(asked) > 5
    for expression in asked:
        without_labels = re.sub(r"\{[^}]*\}|\[[^\]]*\]", "", expression)
        names = set(re.findall(r"[a-z_]{3,}", without_labels)) - _WORDS
        assert names, expression
        assert names <= known, expression


def test_every_figure_of_ours_is_on_the_board() -> None:
    shown = " ".join(expressions(json.loads((EXAMPLES / "grafana.json").read_text(encoding="utf-8"))))
    ours = {
        metric.name
        for of in (HubMetrics(), TableMetrics())
        for metric in of.registry.collect()
        if "hall_" in metric.name
    }
    assert {name for name in ours if name not in shown} == set()


def test_systemd_takes_the_units(tmp_path: Path) -> None:
    """As they stand, but with a program that this machine has."""
    verify = shutil.which("systemd-analyze")
    if verify is None:
        missing("systemd-analyze is not installed (Debian: apt-get install systemd)")
    units = []
    for unit in EXAMPLES.glob("*.service"):
        text = re.sub(r"/usr/local/bin/companion|/usr/sbin/nats-server", "/bin/true", unit.read_text(encoding="utf-8"))
        units.append(tmp_path / unit.name)
        units[-1].write_text(text, encoding="utf-8")
    done = subprocess.run([verify, "verify", *map(str, units)], capture_output=True, text=True, check=False)
    ours = [line for line in done.stderr.splitlines() if "companion-" in line]
    assert (done.returncode, ours) == (0, [])
    assert len(units) == 3


def test_the_compose_file_starts_what_the_document_says() -> None:
    services = yaml.safe_load((EXAMPLES / "docker-compose.yml").read_text(encoding="utf-8"))["services"]
    assert set(services) == {"database", "broker", "hub"}
    assert services["hub"]["command"][0] == "hall"

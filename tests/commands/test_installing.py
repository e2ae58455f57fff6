"""`companion serve --install` writes a unit that starts the same command."""

from __future__ import annotations

import configparser
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion_api.__main__ import main
from companion_api.commands.systemd_unit import UNIT_NAME, unit_of
from tests.needed import missing


def test_the_unit_starts_what_was_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "")  # this computer is left as it is
    words = ["serve", "--camera", "0", "--port", "9000", "--install"]
    monkeypatch.setattr(sys, "argv", ["companion", *words])
    assert main(words) == 0
    assert "enable --now" in capsys.readouterr().out
    unit = configparser.ConfigParser(interpolation=None)
    unit.read(tmp_path / "systemd" / "user" / UNIT_NAME)
    command = shlex.split(unit["Service"]["ExecStart"])
    assert command == [sys.executable, "-m", "companion_api", "serve", "--camera", "0", "--port", "9000"]
    assert unit["Install"]["WantedBy"] == "default.target"


def test_odd_folders_are_quoted() -> None:
    line = next(line for line in unit_of(["--data", "my 100% $table"]).splitlines() if line.startswith("ExecStart="))
    assert shlex.split(line)[-1] == "my 100%% $$table"


def test_systemd_finds_nothing_wrong_with_it(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        missing("systemd-analyze is not installed (Debian: apt-get install systemd)")
    path = tmp_path / UNIT_NAME
    path.write_text(unit_of(["serve"]))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--user", str(path)], capture_output=True, text=True, check=False
    )
    assert UNIT_NAME not in done.stderr, done.stderr

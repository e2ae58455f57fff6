"""Starting the server with the computer: a systemd user unit."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from companion_api.commands.console import CommandError

UNIT_NAME = "piecepack-companion.service"

UNIT = """\
[Unit]
Description=Piecepack Companion: sees, follows and referees the table
After=network-online.target sound.target
StartLimitIntervalSec=0

[Service]
ExecStart={command}
Restart=always
RestartSec=3
Nice=5
MemoryHigh=1G
NoNewPrivileges=yes

[Install]
WantedBy=default.target
"""


def install_unit(arguments: list[str]) -> str:
    """Writes and enables the unit for `companion ARGUMENTS...`; returns what was done."""
    if sys.platform != "linux":
        raise CommandError("starting with the computer is set up with systemd, which this system does not have")
    path = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "systemd" / "user" / UNIT_NAME
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(unit_of(arguments), encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror or error}") from None
    started = _systemctl("daemon-reload") and _systemctl("enable", "--now", UNIT_NAME)
    how = (
        f"It runs now; `systemctl --user stop {UNIT_NAME}` stops it."
        if started
        else f"systemd is not running here; where it is, run: systemctl --user daemon-reload && "
        f"systemctl --user enable --now {UNIT_NAME}"
    )
    return f"{path} is written. {how}\nTo start it before anybody logs in: sudo loginctl enable-linger $USER"


def unit_of(arguments: list[str]) -> str:
    command = [sys.executable, "-m", "companion_api", *arguments]
    return UNIT.format(command=" ".join(_quoted(word) for word in command))


def _quoted(word: str) -> str:
    """Quoted for systemd: doubled percent and dollar signs, the rest as in a shell."""
    return shlex.quote(word.replace("%", "%%").replace("$", "$$"))


def _systemctl(*words: str) -> bool:
    if shutil.which("systemctl") is None:
        return False
    try:
        done = subprocess.run(["systemctl", "--user", *words], capture_output=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0

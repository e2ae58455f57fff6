"""The CI step that looks up known weaknesses tells a weakness from an index that cannot be reached."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

AUDIT = Path(__file__).parents[2] / ".ci" / "audit"
FOUND = "Found 2 known vulnerabilities in 1 package"


@pytest.mark.parametrize(
    ("installs", "says", "code", "strict", "expected", "words"),
    [
        (0, "No known vulnerabilities found", 0, "", 0, "no known weaknesses"),
        (0, FOUND, 1, "", 1, FOUND),
        (0, "ConnectionError: no route", 1, "", 0, "could not be looked up: ConnectionError"),
        (0, "ConnectionError: no route", 1, "strict", 1, "could not be looked up"),
        (1, "", 0, "", 0, "could not be looked up: no index"),
        (0, "Dependency could not be audited", 0, "strict", 1, "1 packages have no advisories"),
    ],
)
def test_a_weakness_fails_and_silence_is_said(
    tmp_path: Path, installs: int, says: str, code: int, strict: str, expected: int, words: str
) -> None:
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\n[ $2 = pip ] && {{ echo no index; exit {installs}; }}\necho '{says}'; exit {code}\n")
    python.chmod(0o755)
    command = [str(AUDIT), *([strict] if strict else [])]
    told = {**os.environ, "BIN": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=told, check=False)
    assert done.returncode == expected
    assert words in done.stdout + done.stderr

"""Runs a command of the program: in this process, which saves the second that a new one takes to load, or as a process
where that itself is tried."""

from __future__ import annotations

import io
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from unittest.mock import patch

from companion_api.__main__ import main

Done = subprocess.CompletedProcess[str]


def companion(*args: str, text: str = "") -> Done:
    """`text` is its standard input."""
    out, err = _stream(), _stream()
    with redirect_stdout(out), redirect_stderr(err), patch.object(sys, "stdin", _stream(text)):
        code = main([*args])
    return subprocess.CompletedProcess(["companion", *args], code, _written(out), _written(err))


def companion_process(*args: str, text: str = "") -> Done:
    command = [sys.executable, "-m", "companion_api", *args]
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=120, check=False)


def _stream(text: str = "") -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8", write_through=True)


def _written(stream: io.TextIOWrapper) -> str:
    data = stream.detach()
    assert isinstance(data, io.BytesIO)
    return data.getvalue().decode()

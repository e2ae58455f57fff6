"""The addresses that a server listens on, and why it cannot."""

from __future__ import annotations

import errno
import socket
import ssl
import sys
from pathlib import Path
from typing import Any

from companion_api.commands.console import CommandError

QUIET: dict[str, Any] = {
    "log_level": "warning", "access_log": False, "timeout_graceful_shutdown": 2, "server_header": False
}  # fmt: skip
"""How our servers run under uvicorn."""


def address_problem(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is taken by another program"
    if error.errno == errno.EACCES:
        return f"port {port} is for the system's own servers"
    if error.errno == errno.EADDRNOTAVAIL or not error.strerror or isinstance(error, socket.gaierror):
        return f"{host} is no address of this computer"
    return f"{host}:{port} cannot be used ({error.strerror})"


def bound(host: str, port: int) -> socket.socket:
    """A socket at this address; OSError where that is not possible."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
    except BaseException:
        made.close()
        raise
    return made


def listen_on(host: str, port: int) -> socket.socket:
    try:
        listening = bound(host, port)
    except OSError as error:
        raise CommandError(f"{address_problem(error, host, port)}; choose another with --port or --host") from None
    listening.set_inheritable(True)
    return listening


def listen_quietly(host: str, port: int) -> socket.socket | None:
    """A socket for https, or None where its port is taken: only the live phone camera is missing then."""
    try:
        return listen_on(host, port)
    except (CommandError, OverflowError) as error:
        why = str(error).partition(";")[0] if isinstance(error, CommandError) else f"there is no port {port}"
        print(f"companion: no https, and so no live phone camera: {why}", file=sys.stderr)
        return None


def address_of(host: str) -> str:
    """The address of this computer on the local network."""
    if host not in ("0.0.0.0", "::", ""):
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing; asks for the outgoing route
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def own_certificate(certificate: Path, key: Path | None) -> ssl.SSLContext:
    """TLS with somebody's own certificate, for an address outside the local authority's name constraints."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate, key)
    except OSError as error:
        raise CommandError(f"https with {certificate} is not possible: {error}") from None
    return context

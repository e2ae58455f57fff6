"""The name `piecepack.local` on the local network (mDNS)."""

from __future__ import annotations

import logging
import socket

from zeroconf import Error, ServiceInfo, Zeroconf

log = logging.getLogger("companion.name")

NAME = "piecepack"
SERVICE = "_http._tcp.local."


class LocalName:
    """Announced until `stop`; without multicast only the name is missing."""

    def __init__(self, address: str, port: int) -> None:
        self._info = ServiceInfo(
            SERVICE,
            f"Piecepack Companion.{SERVICE}",
            addresses=[socket.inet_aton(address)],
            port=port,
            properties={"path": "/"},
            server=f"{NAME}.local.",
        )
        self._zeroconf: Zeroconf | None = None

    def start(self) -> bool:
        try:
            self._zeroconf = Zeroconf()
            self._zeroconf.register_service(self._info, allow_name_change=True)
        except (OSError, Error) as error:
            log.info("no name on the local network: %s", error)
            self.stop()
            return False
        return True

    def stop(self) -> None:
        if self._zeroconf is not None:
            self._zeroconf.close()
            self._zeroconf = None

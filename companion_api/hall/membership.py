"""What a table keeps of the hall that it belongs to, in `hall.json` of its data folder."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from companion_api.hall import names
from companion_api.secret_files import write_secret

HUB_PORT = 8480


class Reason(StrEnum):
    """Why a hall cannot be joined. The page says it by this name, in its own language."""

    ADDRESS = "address"
    AWAY = "away"
    INVITATION = "invitation"
    REFUSED = "refused"
    SPOILT = "spoilt"


_TEXTS = {
    Reason.ADDRESS: "--hall is nats://HUB:4222, or nats://CODE@HUB:4222 with the code of the invitation",
    Reason.AWAY: "the hall at {page} cannot be reached ({why}); is `companion hall` running there?",
    Reason.INVITATION: "the hall at {server} lets in whom it has invited; use the address on the director's desk",
    Reason.REFUSED: "the hall at {page} does not let us in: {why}",
    Reason.SPOILT: "{path} cannot be read ({why}); join the hall again with a new invitation",
}


class JoinError(ValueError):
    """Why the hall cannot be joined, and what to do."""

    def __init__(self, reason: Reason, **facts: str) -> None:
        super().__init__(_TEXTS[reason].format(**facts))
        self.reason, self.facts = reason, facts

    def to_json(self) -> dict[str, Any]:
        return {"text": str(self), "reason": self.reason.value, "facts": self.facts}


@dataclass(frozen=True, slots=True)
class Membership:
    """`seal` is what rulings are checked with; where the broker is open to all there is none, and none are taken."""

    server: str
    station: str
    name: str = ""
    credentials: str = ""
    seal: str = ""

    def keep(self, data: Path) -> None:
        write_secret(data / "hall.json", json.dumps(asdict(self)).encode())


def forgotten(data: Path) -> None:
    """This table belongs to no hall any more."""
    (data / "hall.json").unlink(missing_ok=True)


def kept(data: Path) -> Membership | None:
    path = data / "hall.json"
    if not path.exists():
        return None
    try:
        return Membership(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise JoinError(Reason.SPOILT, path=str(path), why=str(error)) from None


def membership(url: str, data: Path, name: str) -> Membership:
    """`nats://HUB:4222` for a table that was here before, `nats://CODE@HUB:4222` with an invitation's code (`?hub=PORT`
    where the hub's page is not on 8480)."""
    try:
        parsed = urlsplit(url.strip())
        server = f"{parsed.scheme}://{parsed.hostname}:{parsed.port or 4222}"
    except ValueError:
        raise JoinError(Reason.ADDRESS) from None
    if parsed.scheme not in ("nats", "tls") or not parsed.hostname:
        raise JoinError(Reason.ADDRESS)
    if parsed.username:
        query = dict(part.split("=", 1) for part in parsed.query.split("&") if "=" in part)
        page = f"http://{parsed.hostname}:{query.get('hub', HUB_PORT)}"
        joined = _invited(page, server, parsed.username, name)
        joined.keep(data)
        return joined
    before = kept(data)
    if before is not None:
        moved = replace(before, server=server)
        moved.keep(data)
        return moved
    return Membership(server, names.station_of(name), name)


def _invited(page: str, server: str, code: str, name: str) -> Membership:
    """The hub gives credentials for the code."""
    body = json.dumps({"code": code, "name": name}).encode()
    request = urllib.request.Request(f"{page}/api/stations", body, {"content-type": "application/json"}, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            given = json.load(answer)
    except urllib.error.HTTPError as error:
        detail = json.loads(error.read() or b"{}").get("detail", error.reason)
        raise JoinError(Reason.REFUSED, page=page, why=str(detail)) from None
    except (OSError, ValueError) as error:
        raise JoinError(Reason.AWAY, page=page, why=str(getattr(error, "reason", error))) from None
    return Membership(server, given["station"], given["name"], given["credentials"], given["seal"])

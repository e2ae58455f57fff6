"""What a table keeps of the hall that it belongs to, in `hall.json` of its data folder."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from companion_api.hall import names

HUB_PORT = 8480


class JoinError(ValueError):
    """Why the hall cannot be joined, and what to do."""


@dataclass(frozen=True, slots=True)
class Membership:
    """`seal` is what rulings are checked with; where the broker is open to all there is none, and none are taken."""

    server: str
    station: str
    name: str = ""
    credentials: str = ""
    seal: str = ""

    def keep(self, data: Path) -> None:
        path = data / "hall.json"
        data.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(json.dumps(asdict(self)), encoding="utf-8")


def kept(data: Path) -> Membership | None:
    path = data / "hall.json"
    if not path.exists():
        return None
    try:
        return Membership(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise JoinError(f"{path} cannot be read ({error}); join the hall again with a new invitation") from None


def membership(url: str, data: Path, name: str) -> Membership:
    """`nats://HUB:4222` for a table that was here before, `nats://CODE@HUB:4222` with an invitation's code (`?hub=PORT`
    where the hub's page is not on 8480)."""
    parsed = urlsplit(url)
    if parsed.scheme not in ("nats", "tls") or not parsed.hostname:
        raise JoinError("--hall is nats://HUB:4222, or nats://CODE@HUB:4222 with the code of the invitation")
    server = f"{parsed.scheme}://{parsed.hostname}:{parsed.port or 4222}"
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
        raise JoinError(f"the hall at {page} does not let us in: {detail}") from None
    except (OSError, ValueError) as error:
        raise JoinError(f"the hall at {page} cannot be reached ({error}); is `companion hall` running there?") from None
    return Membership(server, given["station"], given["name"], given["credentials"], given["seal"])

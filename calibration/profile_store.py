"""A JSON file that is replaced atomically, with the previous one kept beside it as NAME.old.

Its envelope has the kind of the file, its version and the checksum of its content, so that damaged, older, newer and
foreign files are told apart in the error.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from rules.sentence import InputError, Sentence, say

VERSION: Final = 2
MAX_BYTES: Final = 20_000_000


class ProfileError(InputError):
    """A file that cannot be used; the text is one line that says why and what to do."""


def old_of(path: Path) -> Path:
    return path.with_name(path.name + ".old")


def checksum(body: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def write(path: Path, kind: str, body: Mapping[str, Any]) -> None:
    """Replace the file's content: a temporary file beside it is synced to the disk, then renamed."""
    text = json.dumps({"what": kind, "version": VERSION, "sha256": checksum(body), "holds": body}, indent=1)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=path.parent, prefix=path.name, delete=False, encoding="utf-8") as new:
            new.write(text + "\n")
            new.flush()
            os.fsync(new.fileno())
        keep_old(path)
        Path(new.name).replace(path)
    except OSError as error:
        raise ProfileError(
            say("{file}: cannot be written ({why}); choose another folder", file=str(path), why=error.strerror)
        ) from None


def keep_old(path: Path) -> None:
    """Copy the file to NAME.old; a damaged one to NAME.damaged, so that the last good one stays."""
    if not path.exists():
        return
    spare = old_of(path) if is_readable(path) else path.with_name(path.name + ".damaged")
    link = spare.with_name(spare.name + ".tmp")
    link.unlink(missing_ok=True)
    link.write_bytes(path.read_bytes())
    link.replace(spare)


def is_readable(path: Path) -> bool:
    try:
        envelope_of(path)
    except ProfileError:
        return False
    return True


def read(path: Path, kind: str) -> dict[str, Any]:
    """The content of a file of this kind; ProfileError if it cannot be used."""
    data = envelope_of(path)
    if data["what"] != kind:
        raise ProfileError(
            say(
                "{file}: is a {found}, not a {kind}; give the right file", file=str(path), found=data["what"], kind=kind
            )
        )
    version = data["version"]
    if version < VERSION:
        raise ProfileError(
            say(
                "{file}: was made by an older version of the program (format {version}, now {now}); "
                "it is left as it is: calibrate again into a new file",
                file=str(path),
                version=version,
                now=VERSION,
            )
        )
    if version > VERSION:
        raise ProfileError(
            say(
                "{file}: was made by a newer version of the program (format {version}); update the program",
                file=str(path),
                version=version,
            )
        )
    holds = data["holds"]
    if not isinstance(holds, dict) or data.get("sha256") != checksum(holds):
        raise ProfileError(
            say("{file}: is damaged (its checksum is wrong); {instead}", file=str(path), instead=_remedy(path))
        )
    return holds


def envelope_of(path: Path) -> dict[str, Any]:
    """The envelope of one of this program's files, of any kind and version."""
    data = json_of(path)
    ours = isinstance(data, dict) and isinstance(data.get("what"), str) and "holds" in data
    if not ours or not str(data["what"]).startswith("piecepack-companion"):
        raise ProfileError(
            say("{file}: is not one of this program's files; make a profile with `companion calibrate`", file=str(path))
        )
    if isinstance(data.get("version"), bool) or not isinstance(data.get("version"), int):
        raise ProfileError(
            say("{file}: does not say its version; it is damaged; {instead}", file=str(path), instead=_remedy(path))
        )
    return dict(data)


def json_of(path: Path) -> Any:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ProfileError(
                say(
                    "{file}: is far too big for a profile; give the file that `companion calibrate` made",
                    file=str(path),
                )
            )
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ProfileError(
            say("{file}: no such profile; make one with `companion calibrate`", file=str(path))
        ) from None
    except OSError as error:
        raise ProfileError(say("{file}: cannot be read ({why})", file=str(path), why=error.strerror)) from None
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        raise ProfileError(
            say("{file}: is damaged (it is not readable JSON); {instead}", file=str(path), instead=_remedy(path))
        ) from None


def _remedy(path: Path) -> Sentence:
    spare = old_of(path)
    if not spare.exists():
        return say("calibrate again")
    return say("the one before it is {spare}: use that, or calibrate again", spare=str(spare))

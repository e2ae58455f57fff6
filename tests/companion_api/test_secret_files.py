"""Keys are whole or not there: half a key lets everybody in."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion_api.access import Keys, Role, Signer, Token, write_secret

HOST = Token("t1", Role.HOST)


def test_a_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    signed = Keys.of(tmp_path).sign(HOST)
    assert Keys.of(tmp_path).read(signed) == HOST
    assert (tmp_path / "secret").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("left", [b"", b"half a key"])
def test_a_key_that_a_full_disk_cut_short_is_made_anew(tmp_path: Path, left: bytes) -> None:
    """Whoever knows that it is empty could sign himself a host."""
    (tmp_path / "secret").write_bytes(left)
    forged = Signer(left).sign(["t1", "host", None, "", ""])
    assert Keys.of(tmp_path).read(forged) is None
    assert len((tmp_path / "secret").read_bytes()) == 32
    assert Keys.of(tmp_path).read(Keys.of(tmp_path).sign(HOST)) == HOST


def test_what_cannot_be_written_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_secret(tmp_path / "key", b"the old one")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_secret(tmp_path / "key", b"the new one")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("key", b"the old one")]

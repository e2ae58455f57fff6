"""Every entrance takes or refuses what it is given: all of the corpus, and every time a few hundred mutations of it.

    python -m tests.fuzz.test_fuzz SECONDS [ENTRANCE...]

goes on for longer. What is found is kept in the corpus (its name begins with `found`), so that it is tried ever after.
"""

from __future__ import annotations

import hashlib
import random
import sys
import time
from unittest.mock import patch

import pytest

from companion_api.access import Brake
from tests.fuzz.entrances import CORPUS, ENTRANCES

MUTATIONS = {"images": 250, "films": 6, "records": 150, "judge": 200, "ppn": 60, "bodies": 250}
_TELL_S = 60.0
"""A damaged record may be searched for half a minute of processor time: who waits is told that it goes on."""
_EDGES = (
    b"\x00", b"\xff", b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"-1", b"9" * 30, b"1e999", b"NaN", b'"', b"{",
    b"[" * 60, b"\xed\xa0\x80", b"\x00\x00", b"null", b"\r\n", b"\\u0000", b"''", b"../../etc/passwd",
)  # fmt: skip


def corpus(entrance: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted((CORPUS / entrance).iterdir())]


def mutated(seeds: list[bytes], rng: random.Random) -> bytes:
    """One of the corpus with a few bytes changed, cut, doubled, or joined to another."""
    data = bytearray(rng.choice(seeds))
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data) + 1)
        how = rng.randrange(6)
        if how == 0 and data:
            data[at % len(data)] = rng.randrange(256)
        elif how == 1:
            data[at:at] = rng.choice(_EDGES)
        elif how == 2:
            data[at : at + rng.randint(1, 4)] = rng.choice(_EDGES)
        elif how == 3:
            del data[at : at + rng.randint(1, 1 + len(data) // 4)]
        elif how == 4:
            data[at:at] = data[max(0, at - rng.randint(1, 40)) : at]
        else:
            other = rng.choice(seeds)
            data[at:] = other[rng.randrange(len(other) + 1) :]
    return bytes(data[:200_000])


@pytest.fixture(autouse=True)
def no_brakes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Brake, "allows", lambda *_: True)


@pytest.mark.parametrize("entrance", ENTRANCES)
def test_the_corpus_is_taken_or_refused_in_words(entrance: str) -> None:
    found = corpus(entrance)
    assert found, "there is nothing to begin with"
    for data in found:
        ENTRANCES[entrance](data)


@pytest.mark.full
@pytest.mark.parametrize("entrance", ENTRANCES)
def test_what_is_like_the_corpus_is_too(entrance: str) -> None:
    seeds, rng = corpus(entrance), random.Random(entrance)
    for _ in range(MUTATIONS[entrance]):
        tried(entrance, mutated(seeds, rng))


def tried(entrance: str, data: bytes) -> None:
    try:
        ENTRANCES[entrance](data)
    except Exception as error:
        name = f"found-{hashlib.sha256(data).hexdigest()[:16]}"
        (CORPUS / entrance / name).write_bytes(data)
        raise AssertionError(f"{entrance}/{name}: {error!r:.500}") from error


def main() -> None:
    seconds, names = float(sys.argv[1]), sys.argv[2:] or list(ENTRANCES)
    begun, rng, count, longest = time.monotonic(), random.Random(), 0, 0.0
    told = begun
    with patch.object(Brake, "allows", return_value=True):
        while (now := time.monotonic()) - begun < seconds:
            if now - told > _TELL_S:
                print(f"{count} inputs, the longest took {longest:.1f} s of processor time", flush=True)
                told = now
            for name in names:
                began = time.process_time()
                tried(name, mutated(corpus(name), rng))
                longest = max(longest, time.process_time() - began)
                count += 1
    print(f"{count} inputs, nothing found, the longest took {longest:.1f} s of processor time")


if __name__ == "__main__":
    main()

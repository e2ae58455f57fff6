"""A stream of pictures over http: the newest counts, few are decoded, and what breaks is begun again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from itertools import count

import cv2
import numpy as np
import pytest

from tests.waiting import until
from vision.camera import mjpeg, open_camera
from vision.camera.webcam import Webcam
from vision.frame import Frame

PART = b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n"


def shade(value: int) -> bytes:
    return cv2.imencode(".jpg", np.full((90, 160, 3), value, np.uint8))[1].tobytes()


@contextmanager
def sending(
    parts: Callable[[], Iterator[bytes]], kind: str = "multipart/x-mixed-replace; boundary=frame"
) -> Iterator[str]:
    class Sender(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.end_headers()
            try:
                for part in parts():
                    self.wfile.write(PART % len(part) + part + b"\r\n")
            except OSError:
                pass  # nobody listens any more

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Sender)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/video"
    finally:
        server.shutdown()
        server.server_close()


class Brightening:
    """A shade for every picture; `sent` is how many have gone out."""

    sent = 0

    def __call__(self) -> Iterator[bytes]:
        while self.sent < 1000:
            self.sent += 1
            yield shade(20 + self.sent // 5)
            time.sleep(0.02)


def frames(camera: Webcam, enough: Callable[[list[Frame]], bool]) -> list[Frame]:
    """What it reads until that is enough."""
    found: list[Frame] = []

    def read() -> bool:
        if frame := camera.read():
            found.append(frame)
        return enough(found)

    until(read)
    return found


def pictures(found: list[Frame]) -> int:
    """How many different ones: the same may be given again."""
    return len({id(frame.image) for frame in found})


def opened(address: str) -> Webcam:
    camera = open_camera(address)
    assert isinstance(camera, Webcam)
    return camera


def test_few_pictures_of_a_quiet_table_are_decoded_and_the_newest_counts() -> None:
    sender = Brightening()
    with sending(sender) as address:
        camera = opened(address)
        camera.calm(True)
        until(lambda: sender.sent > 50)  # whoever looked at the one before was busy
        begun, before = time.monotonic(), sender.sent
        seen = frames(camera, lambda found: len(found) == 4)
        passed = time.monotonic() - begun
        camera.close()
    assert seen[0].size == (160, 90)
    assert seen[0].image.mean() > 20 + before // 5 - 4, "an old picture had waited"
    assert passed > 0.7, "four a second"


def noisy(value: int, seed: int, side: int = 640) -> bytes:
    grain = np.random.default_rng(seed).normal(value, 3, (side * 9 // 16, side, 3))
    return cv2.imencode(".jpg", np.clip(grain, 0, 255).astype(np.uint8))[1].tobytes()


def test_of_a_quiet_table_most_pictures_are_only_glanced_at() -> None:
    """But never for longer than a second, and what moves is seen at once."""
    grains = [noisy(120, seed) for seed in range(4)]
    hand = np.full((360, 640, 3), 120, np.uint8)
    hand[200:, 250:380] = 60
    moved = cv2.imencode(".jpg", hand)[1].tobytes()
    moves, over = threading.Event(), threading.Event()

    def table() -> Iterator[bytes]:
        for number in count():
            if over.is_set():
                return
            yield moved if moves.is_set() else grains[number % 4]
            time.sleep(0.02)

    with sending(table) as address:
        camera = opened(address)
        camera.calm(True)
        quiet = frames(camera, lambda found: 2 <= pictures(found) < len(found))
        moves.set()
        after = frames(camera, lambda found: any(frame.image[300, 300].mean() < 90 for frame in found))
        over.set()
        camera.close()
    assert len({frame.at for frame in quiet}) == len(quiet)
    assert len(after) <= 4


def test_a_camera_that_is_not_calm_decodes_every_picture() -> None:
    grains = [noisy(120, seed) for seed in range(4)]

    def table() -> Iterator[bytes]:
        for number in range(100):
            yield grains[number % 4]
            time.sleep(0.02)

    with sending(table) as address:
        camera = opened(address)
        found = frames(camera, lambda found: len(found) == 8)
        camera.close()
    assert pictures(found) == len(found)


def test_a_damaged_picture_is_left_out_and_the_next_is_taken() -> None:
    def some() -> Iterator[bytes]:
        for number in range(200):
            yield shade(200) if number % 2 else shade(90)[:-200]
            time.sleep(0.02)

    with sending(some) as address:
        camera = opened(address)
        found = frames(camera, lambda found: len(found) == 4)
        camera.close()
    assert {round(frame.image.mean() / 10) for frame in found} == {20}


def test_a_stream_that_ends_is_begun_again() -> None:
    with sending(lambda: iter([shade(100)] * 3)) as address:
        camera = opened(address)
        frames(camera, lambda found: len(found) == 4)
        camera.close()


@pytest.mark.parametrize("length", [b"", b"Content-Length: 99999999999\r\n", b"Content-Length: x\r\n"])
def test_what_does_not_say_how_long_a_picture_is_is_none(length: bytes) -> None:
    class Line(BytesIO):
        def read(self, _: int | None = -1) -> bytes:
            return pytest.fail("it was read")

    assert mjpeg.next_part(Line(b"--f\r\n" + length + b"\r\n" + shade(9))) is None


@pytest.mark.parametrize("address", ["rtsp://127.0.0.1:9/x", "http://name:word@127.0.0.1:9/x", "http://127.0.0.1:9/x"])
def test_other_addresses_are_left_to_opencv(address: str) -> None:
    assert mjpeg.open_mjpeg(address) is None


def test_a_page_is_no_stream() -> None:
    with sending(lambda: iter([b"<html>"]), "text/html") as address:
        assert mjpeg.open_mjpeg(address) is None

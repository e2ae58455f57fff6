"""A stream of pictures over http: the newest counts, few are decoded, and what breaks is begun again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO

import cv2
import numpy as np
import pytest

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


def brightening(every_s: float = 0.02) -> Iterator[bytes]:
    """A shade for every moment."""
    begun = time.monotonic()
    while (passed := time.monotonic() - begun) < 20:
        yield shade(20 + int(passed * 20))
        time.sleep(every_s)


def frames(camera: Webcam, seconds: float) -> list[Frame]:
    until, found = time.monotonic() + seconds, []
    while time.monotonic() < until:
        if frame := camera.read():
            found.append(frame)
    return found


def opened(address: str) -> Webcam:
    camera = open_camera(address)
    assert isinstance(camera, Webcam)
    return camera


def test_few_pictures_of_a_quiet_table_are_decoded_and_the_newest_counts() -> None:
    with sending(brightening) as address:
        camera = opened(address)
        camera.calm(True)
        time.sleep(2.0)  # whoever looked at the one before was busy
        begun = time.monotonic()
        first = camera.read()
        seen = frames(camera, 2.0)
        camera.close()
    assert first is not None
    assert first.size == (160, 90)
    assert first.image.mean() > 20 + 1.5 * 20, "an old picture had waited"
    assert 2 <= len(seen) <= 5 * (time.monotonic() - begun), "about four a second"


def noisy(value: int, seed: int, side: int = 640) -> bytes:
    grain = np.random.default_rng(seed).normal(value, 3, (side * 9 // 16, side, 3))
    return cv2.imencode(".jpg", np.clip(grain, 0, 255).astype(np.uint8))[1].tobytes()


def test_of_a_quiet_table_most_pictures_are_only_glanced_at() -> None:
    """But never for longer than a second, and what moves is seen at once."""
    grains = [noisy(120, seed) for seed in range(4)]
    hand = np.full((360, 640, 3), 120, np.uint8)
    hand[200:, 250:380] = 60
    moved = cv2.imencode(".jpg", hand)[1].tobytes()
    moves_at = time.monotonic() + 3.0

    def table() -> Iterator[bytes]:
        for number in range(400):
            yield moved if time.monotonic() > moves_at else grains[number % 4]
            time.sleep(0.02)

    with sending(table) as address:
        camera = opened(address)
        camera.calm(True)
        quiet = frames(camera, moves_at - time.monotonic() - 0.3)
        after = frames(camera, 1.5)
        camera.close()
    pictures = {id(frame.image) for frame in quiet}
    assert 2 <= len(pictures) < len(quiet), "some are the same picture again, and none is for long"
    assert len({frame.at for frame in quiet}) == len(quiet)
    assert any(frame.image[300, 300].mean() < 90 for frame in after[:4])


def test_a_camera_that_is_not_calm_decodes_every_picture() -> None:
    grains = [noisy(120, seed) for seed in range(4)]

    def table() -> Iterator[bytes]:
        for number in range(100):
            yield grains[number % 4]
            time.sleep(0.02)

    with sending(table) as address:
        camera = opened(address)
        found = frames(camera, 1.0)
        camera.close()
    assert len({id(frame.image) for frame in found}) == len(found)


def test_a_damaged_picture_is_left_out_and_the_next_is_taken() -> None:
    def some() -> Iterator[bytes]:
        for number in range(200):
            yield shade(200) if number % 2 else shade(90)[:-200]
            time.sleep(0.02)

    with sending(some) as address:
        camera = opened(address)
        found = frames(camera, 1.5)
        camera.close()
    assert found
    assert {round(frame.image.mean() / 10) for frame in found} == {20}


def test_a_stream_that_ends_is_begun_again() -> None:
    with sending(lambda: iter([shade(100)] * 3)) as address:
        camera = opened(address)
        assert len(frames(camera, 3.0)) >= 2
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

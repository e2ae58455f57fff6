"""Hostile pictures and films: refused in one clear line, before they cost memory."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.bombs import GOOD, HUGE, UNKNOWN, coded, endless_jpeg, film
from tests.work import calls
from vision.bounded import BoundedError, decode_in_process
from vision.camera import CameraError, open_camera
from vision.camera.phone import PhoneCamera
from vision.frame import MAX_INLINE_PIXELS, PictureError, decode, decode_preview, read_frame

MOST_MB = 300

MEASURED = """
import resource, sys
from vision.camera import CameraError, open_camera
from vision.frame import PictureError, read_frame
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for path in sys.argv[1:]:
    try:
        open_camera(path) if path.endswith(".avi") else read_frame(path)
    except (PictureError, CameraError):
        pass
    else:
        sys.exit(f"{path} was taken")
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
"""


@pytest.mark.parametrize("name", HUGE)
def test_a_huge_picture_is_refused_by_its_header(name: str) -> None:
    with pytest.raises(PictureError, match="too big") as caught:
        decode("x", HUGE[name] + b"\xff\xd9" * HUGE[name].startswith(b"\xff\xd8"))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_is_not_understood_is_not_decoded(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("it was decoded"))
    with pytest.raises(PictureError, match="not a picture that can be read"):
        decode("x", UNKNOWN[name])


@pytest.mark.parametrize("name", HUGE)
def test_phones_cannot_push_them_either(name: str) -> None:
    with pytest.raises(PictureError):
        PhoneCamera().push(HUGE[name])


def test_all_of_them_cost_next_to_no_memory(tmp_path: Path) -> None:
    paths = [film(tmp_path / "film.avi")]
    for number, data in enumerate([*HUGE.values(), *UNKNOWN.values()]):
        paths.append(tmp_path / f"{number}.jpg")
        paths[-1].write_bytes(data)
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, *map(str, paths)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    own, children = map(int, done.stdout.split())
    assert own < MOST_MB, f"{own} MB more"
    assert children < 2048


def test_opencv_itself_has_the_same_bound(tmp_path: Path) -> None:
    """The second lock: whoever calls OpenCV directly is refused too."""
    code = (
        "import companion_api, cv2, numpy, sys\n"
        "data = numpy.frombuffer(sys.stdin.buffer.read(), 'u1')\n"
        "sys.exit(cv2.imdecode(data, 1) is not None)"
    )
    done = subprocess.run([sys.executable, "-c", code], input=UNKNOWN["ppm"], capture_output=True, check=False)
    assert done.returncode in (0, 1)
    assert b"CV_IO_MAX_IMAGE_PIXELS" in done.stderr or b"pixels" in done.stderr.lower()


def test_a_huge_film_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CameraError):
        open_camera(str(film(tmp_path / "film.avi")))


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".bmp", ".webp"])
def test_good_pictures_of_every_kind_are_read(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"good{suffix}"
    path.write_bytes(coded(suffix))
    assert read_frame(path).size == (160, 120)


def test_a_large_photo_is_decoded_apart_and_the_same() -> None:
    side = int(MAX_INLINE_PIXELS**0.5) + 200
    picture = np.tile(GOOD, (side // 120 + 1, side // 160 + 1, 1))[:side, :side]
    data = cv2.imencode(".jpg", picture)[1].tobytes()
    direct = np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR))
    assert np.array_equal(decode("x", data), direct)


def test_what_cannot_be_decoded_apart_says_so() -> None:
    with pytest.raises(BoundedError):
        decode_in_process(b"nothing")


def test_stray_bytes_are_stepped_over_as_decoders_do() -> None:
    data = coded(".jpg")
    at = data.index(b"\xff\xc0")
    assert decode("x", data[:at] + b"\x00\x13" + data[at:]).shape == (120, 160, 3)


@pytest.mark.parametrize("between", [b"", b"\xff\xfe\x00\x04\xff\xd9", b"\x13\xff\xff"])
def test_a_jpeg_that_never_ends_is_not_decoded(between: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of its scans takes 31 bytes and as long as the whole picture; what looks like the end hides none."""
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("it was decoded"))
    with pytest.raises(PictureError, match="not a picture that can be read"):
        decode("x", endless_jpeg(400, between))
    assert decode_preview(endless_jpeg(400, between)) is None


def test_segments_without_end_are_not_walked_for_ever() -> None:
    endless = endless_jpeg(1, b"\xff\xfe\x00\x02" * 2_000_000)

    def decoded() -> None:
        with pytest.raises(PictureError, match="not a picture that can be read"):
            decode("x", endless)

    assert calls(decoded) < 100_000


def test_a_progressive_jpeg_is_read() -> None:
    assert decode("x", endless_jpeg(0)).shape == (600, 800, 3)


def test_a_camera_does_not_wait_for_what_is_decoded_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two large photos once held both places."""
    free, begun = threading.Event(), threading.Semaphore(0)

    def slow(_: bytes) -> np.ndarray:
        begun.release()
        assert free.wait(120)
        return GOOD

    monkeypatch.setattr("vision.frame.decode_in_process", slow)
    monkeypatch.setattr("vision.frame.MAX_INLINE_PIXELS", GOOD[..., 0].size)
    large = cv2.imencode(".jpg", np.tile(GOOD, (1, 2, 1)))[1].tobytes()
    photos = [threading.Thread(target=decode, args=("x", large)) for _ in range(3)]
    for photo in photos:
        photo.start()
    assert begun.acquire(timeout=60)
    usual = threading.Thread(target=decode, args=("x", coded(".jpg")), daemon=True)
    usual.start()
    usual.join(60)
    waits = usual.is_alive()
    free.set()
    for photo in photos:
        photo.join(60)
    assert not waits

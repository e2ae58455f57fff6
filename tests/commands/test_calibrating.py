"""`companion calibrate`, `teach` and `doctor` as a person meets them."""

import json
import signal
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration import tuning
from calibration.custom_set import TaughtSet
from calibration.lesson_task import name_text
from calibration.profile import Profile, load
from calibration.profile_store import VERSION
from companion_api.__main__ import main
from companion_api.commands.console import UsageError
from companion_api.commands.lesson import corrections_of, progress_until_stopped
from tests.calibration.scenes import random_camera, sheet_picture
from tests.calibration.test_profile import full_profile


@pytest.fixture
def profile(tmp_path: Path) -> list[str]:
    return ["--profile", str(tmp_path / "p.json")]


def said(capsys: pytest.CaptureFixture[str]) -> str:
    """The one line of complaint."""
    err = capsys.readouterr().err
    assert err.startswith("companion: ")
    assert err.count("\n") == 1
    return err


def test_the_sheet_is_written(tmp_path: Path) -> None:
    assert main(["calibrate", "--print", str(tmp_path / "sheet.pdf"), "--paper", "letter"]) == 0
    assert (tmp_path / "sheet.pdf").read_bytes().startswith(b"%PDF-")


def test_calibrated_from_the_sheet(tmp_path: Path, profile: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    camera = random_camera(0, 20.0)
    cv2.imwrite(str(tmp_path / "a.png"), sheet_picture(camera, 0))
    assert main(["calibrate", str(tmp_path / "a.png"), "--sheet", "--model", "Acme", "--json", *profile]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["source"] == "sheet"
    assert told["typical_mm"] < 0.5
    assert told["tilt_deg"] == pytest.approx(20, abs=1.5)
    assert (tmp_path / "lenses" / "acme.json").exists()


def test_too_few_tiles_write_no_profile(tmp_path: Path, profile: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    places = [[-4, -3], [4, -3], [0, 0], [-4, 3], [4, 3]]
    tiles = [{"kind": "tile", "suit": "suns", "value": "3", "face": "front", "position": at} for at in places]
    (tmp_path / "five.json").write_text(json.dumps({"pieces": tiles}))
    assert main(["render", str(tmp_path / "five.json"), str(tmp_path / "five.jpg")]) == 0
    assert main(["calibrate", str(tmp_path / "five.jpg"), *profile]) == 2
    assert "lay at least 6" in said(capsys)
    assert not Path(profile[1]).exists()


def test_calibrated_from_corners(tmp_path: Path, profile: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.full((720, 1280, 3), 99, np.uint8))
    corners = ["--corners", "400,200 820,205 860,700 370,690", "--rectangle", "210x250"]
    assert main(["calibrate", str(tmp_path / "a.png"), *corners, *profile]) == 0
    assert "places are known to" in capsys.readouterr().out
    assert main(["calibrate", str(tmp_path / "a.png"), "--corners", "1,2 3", *profile]) == 2
    assert "must be written like" in said(capsys)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["calibrate"], "give a picture"),
        (["calibrate", "none.jpg"], "no such file"),
        (["calibrate", "--print", "x.pdf", "--paper", "a3"], "a4 or letter"),
        (["teach"], "give a picture for each step"),
        (["teach", "--forget", "oak"], "no set "),
        (["teach", "spoons=a.jpg"], "no such file"),
        (["teach", "ice_floe-opening=none.jpg"], "no such file"),
        (["teach", "spoons-opening=none.jpg"], "spoons"),
        (["teach", "ice_floe-opening=none.jpg", "--options", 'ice_floe={"layout": 1}'], "no option 'layout'"),
    ],
)
def test_slips_are_one_line(
    arguments: list[str], words: str, profile: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, *profile]) == 2
    assert words in said(capsys)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("spoons:7=S3", "STEP:WHAT=VALUE"),
        ("tiles", "STEP:WHAT=VALUE"),
        ("tiles:suns=spoons", "tiles:suns=arms"),
        ("tiles:S3=1,2,3", "must be written like"),
        ("tiles:S3=9,2,3,4", "left must be less"),
    ],
)
def test_a_correction_that_cannot_be_read_is_said(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        corrections_of("tiles", [text])


def test_a_correction_gives_a_name_or_a_place_or_exchanges_suits() -> None:
    said = corrections_of("tiles", ["tiles:7=S3", "tiles:M2=1,2,30,40", "tiles:suns=arms", "dice:1=S3"])
    assert {number: name_text(name) for number, name in said.names.items()} == {7: "suns 3"}
    assert [(name_text(name), box) for name, box in said.boxes] == [("moons 2", (1, 2, 30, 40))]
    assert said.swaps == [("suns", "arms")]


def test_tuning_says_at_once_what_is_missing(
    tmp_path: Path, profile: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The extra, or room in the profile; before any picture is read."""
    monkeypatch.setattr(tuning, "can_tune", lambda: False)
    assert main(["teach", "tiles=none.jpg", "--tune", *profile]) == 2
    assert "pip install 'piecepack-companion[tuning]'" in said(capsys)
    monkeypatch.setattr(tuning, "can_tune", lambda: True)
    sets = {name: TaughtSet(name, "abc", net=b"a reader") for name in ("elm", "oak")}
    Profile(sets=sets).save(tmp_path / "p.json")
    assert main(["teach", "tiles=none.jpg", "--tune", *profile]) == 2
    assert "forget one of them first" in said(capsys)
    assert main(["teach", "tiles=none.jpg", "--tune", "--name", "oak", *profile]) == 2
    assert "no such file" in said(capsys)
    assert main(["teach", "--tune", "--name", "oak", *profile]) == 2
    assert "no pictures of a lesson called 'oak' are kept" in said(capsys)


def test_ctrl_c_ends_what_can_be_stopped_and_nothing_else() -> None:
    before = signal.getsignal(signal.SIGINT)
    with progress_until_stopped(True, "go on another time") as told:
        assert told("learning", 0, 140)
        signal.raise_signal(signal.SIGINT)
        assert not told("learning", 1, 140)
    assert signal.getsignal(signal.SIGINT) is before


def test_what_goes_wrong_leaves_the_profile_as_it_was(
    tmp_path: Path, profile: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """No tiles in the picture, crossed corners, a set nobody taught; and an older profile is not touched."""
    full_profile().save(tmp_path / "p.json")
    picture = str(tmp_path / "a.png")
    cv2.imwrite(picture, np.full((720, 1280, 3), 99, np.uint8))
    before = (tmp_path / "p.json").read_bytes()
    for slip, words in (
        (["calibrate", picture], "lay a few tiles"),
        (["calibrate", picture, "--corners", "0,0 10,10 10,0 0,10"], "clockwise"),
        (["calibrate", picture, "--sheet"], "sheet"),
        (["teach", f"tiles={picture}"], "no tiles in the picture"),
        (["teach", "--use", "marble"], "marble"),
    ):
        assert main([*slip, *profile]) == 2
        assert words in said(capsys)
        assert (tmp_path / "p.json").read_bytes() == before
    old = before.replace(f'"version": {VERSION}'.encode(), b'"version": 1')
    (tmp_path / "p.json").write_bytes(old)
    assert main(["calibrate", picture, "--corners", "400,200 820,205 860,700 370,690", *profile]) == 2
    assert "older version" in said(capsys)
    assert (tmp_path / "p.json").read_bytes() == old


def test_a_profile_goes_back_to_the_shipped_reading(
    tmp_path: Path, profile: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """And forth again: the set is kept."""
    full_profile().save(tmp_path / "p.json")
    assert main(["teach", "--use", "shipped", *profile]) == 0
    assert "none of them is used" in capsys.readouterr().out
    assert load(tmp_path / "p.json").my_set is None
    assert main(["teach", "--use", "oak", "--json", *profile]) == 0
    assert json.loads(capsys.readouterr().out)["using"] == "oak"
    assert load(tmp_path / "p.json").my_set is not None


def test_a_damaged_profile_is_said_by_look_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.json").write_text("{")
    assert main(["look", "a.jpg", "--profile", str(tmp_path / "p.json")]) == 2
    assert "is damaged" in said(capsys)


def test_the_doctor_finds_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    usual = ["doctor", "--json", "--data", str(tmp_path / "data"), "--port", "0"]
    assert main(usual) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["fit"]
    assert {"model reader", "eyes", "camera", "port", "data folder", "disk", "database", "profile"} <= {
        each["what"] for each in told["findings"]
    }
    (tmp_path / "data" / "profile.json").write_text("{")
    assert main([*usual, "--database", "mysql://nowhere"]) == 1
    bad = {each["what"] for each in json.loads(capsys.readouterr().out)["findings"] if each["state"] == "bad"}
    assert bad == {"database", "profile"}

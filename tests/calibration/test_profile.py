"""The profile file: whole or not at all, the old one kept, and every kind of bad file said clearly."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration import lens, plane
from calibration.check import positions_of
from calibration.custom_set import TaughtSet
from calibration.discriminant import Discriminant, Shown
from calibration.profile import Profile, load, load_or_new, save_lens, stored_lens
from calibration.profile_store import ProfileError, old_of
from rules.pieces import Suit
from tests.calibration.scenes import tiles


def full_profile() -> Profile:
    seen = tiles(1, 20)
    fitted = plane.from_tiles(seen.quads, lens.assumed(seen.size), height=6.35)
    pawns = (Shown(None, Suit.SUNS, None), Shown(None, Suit.MOONS, None))
    known = Discriminant(pawns, np.arange(130.0).reshape(65, 2) / 100)
    taught = TaughtSet("oak", "abc", {"pawn": known}, 72, ("the coins tell",), net=b"a reader")
    made = Profile("kitchen", "2026-01-01", fitted.lens, fitted, positions_of(fitted, seen.quads), (1.0, 0.9, 1.1))
    return made.with_set(taught)


def test_there_and_back(tmp_path: Path) -> None:
    made = full_profile()
    made.save(tmp_path / "p.json")
    back = load(tmp_path / "p.json")
    assert back.plane is not None
    assert made.plane is not None
    points = np.array([[300.0, 200.0], [900.0, 600.0]])
    assert back.plane.to_table(points) == pytest.approx(made.plane.to_table(points), abs=1e-3)
    assert back.plane.accuracy.typical == pytest.approx(made.plane.accuracy.typical, abs=1e-3)
    assert back.my_set is not None
    assert back.my_set.leaks == ("the coins tell",)
    assert back.my_set.net == b"a reader"
    got, want = back.my_set.kinds["pawn"], made.sets["oak"].kinds["pawn"]
    assert got.faces == want.faces
    assert got.weights == pytest.approx(want.weights, rel=1e-6)
    assert back.resting == pytest.approx(made.resting, abs=1e-2)


def test_the_old_one_is_kept_and_a_damaged_one_does_not_push_it_out(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    for name in ("first", "second"):
        replace(full_profile(), name=name).save(path)
    assert load(old_of(path)).name == "first"
    path.write_text(path.read_text()[:300])
    replace(full_profile(), name="third").save(path)
    assert (load(path).name, load(old_of(path)).name) == ("third", "first")
    assert (tmp_path / "p.json.damaged").exists()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["p.json", "p.json.damaged", "p.json.old"]


def changed(path: Path, **fields: Any) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda p: p.write_text(p.read_text()[: len(p.read_text()) // 2]), "is damaged"),
        (lambda p: p.write_bytes(b"\xff\xfe\x00"), "is damaged"),
        (lambda p: p.write_text(p.read_text().replace("kitchen", "bathroom")), "checksum"),
        (lambda p: changed(p, version=0), "older version"),
        (lambda p: changed(p, version=99), "newer version"),
        (lambda p: changed(p, version=None), "does not say its version"),
        (lambda p: changed(p, what="another-program"), "not one of this program's files"),
        (lambda p: p.write_text("[1, 2]"), "not one of this program's files"),
        (lambda p: changed(p, what="piecepack-companion lens"), "not a piecepack-companion profile"),
        (lambda p: p.unlink(), "companion calibrate"),
    ],
)
def test_a_bad_file_is_said_in_one_clear_line(tmp_path: Path, spoil: Any, words: str) -> None:
    path = tmp_path / "p.json"
    full_profile().save(path)
    spoil(path)
    before = path.read_bytes() if path.exists() else None
    with pytest.raises(ProfileError, match=words) as told:
        load(path)
    assert "\n" not in str(told.value)
    assert before == (path.read_bytes() if path.exists() else None)


def test_a_damaged_file_points_to_the_one_before_it(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    full_profile().save(path)
    full_profile().save(path)
    path.write_text("{")
    with pytest.raises(ProfileError, match=r"p\.json\.old"):
        load(path)


def test_numbers_that_are_no_table_are_refused(tmp_path: Path) -> None:
    from calibration import profile_store
    from calibration.profile import KIND

    body = full_profile().to_json()
    body["plane"]["view"] = [0.0]
    profile_store.write(tmp_path / "p.json", KIND, body)
    with pytest.raises(ProfileError, match="damaged"):
        load(tmp_path / "p.json")


def test_several_sets_are_taught_chosen_and_forgotten() -> None:
    made = full_profile().with_set(TaughtSet("plastic", "abc"))
    assert made.using == "plastic"
    assert made.with_selected("oak").using == "oak"
    left = made.without_set("plastic")
    assert (left.using, list(left.sets)) == ("oak", ["oak"])
    assert left.without_set("oak").my_set is None
    with pytest.raises(ProfileError, match="oak, plastic"):
        made.with_selected("marble")


def test_no_profile_yet_is_an_empty_one(tmp_path: Path) -> None:
    assert load_or_new(tmp_path / "none.json").plane is None


def test_a_lens_is_kept_for_its_camera_model(tmp_path: Path) -> None:
    known = lens.Lens((1280, 720), lens.PRIOR_MEAN + 0.05, np.diag(lens.AGEING_SIGMA**2), "sheet")
    save_lens(tmp_path, "Acme HD 3000", known)
    bigger = stored_lens(tmp_path, "acme hd 3000", (1920, 1080))
    assert bigger.focal == pytest.approx(known.focal * 1.5)
    assert bigger.source == "stored"
    assert stored_lens(tmp_path, "acme hd 3000", (640, 640)).source == "assumed"
    assert stored_lens(tmp_path, "another", (1280, 720)).source == "assumed"

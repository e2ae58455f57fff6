"""Recordings: what is written is read again, a version is judged on them, and two versions are compared fairly."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rules.engine.action import parse_action
from rules.engine.history import History
from rules.games import game
from rules.pieces import Rank, Suit
from tests.bench.__main__ import main
from tests.bench.ground.commands import SAMPLE, read
from tests.bench.ground.judge import JudgedRecording, JudgedStep, as_written_today, judged
from tests.bench.ground.recording import Deed, Recording, load, save, saved
from tests.bench.ground.replay import Replayed
from tests.bench.ground.report import compared, paired_table, table, wavering
from tests.bench.ground.twin import Light, changed
from tests.tiers import full

FILM = SAMPLE / "film-dodgem-3501-1280.seq"
STILLS = SAMPLE / "stills-jul_gonu-3701-1280.seq"


@pytest.fixture(scope="module")
def stills() -> Recording:
    return load(STILLS)


def test_a_recording_is_read_as_it_was_written(stills: Recording, tmp_path: Path) -> None:
    again = load(save(stills, tmp_path))
    assert [step.actions for step in again.steps] == [step.actions for step in stills.steps]
    for one, other in zip(again.looks, stills.looks, strict=True):
        assert (one.seen, one.single, one.jpeg, one.reach) == (other.seen, other.single, other.jpeg, other.reach)
        assert np.array_equal(one.embeddings, other.embeddings)


def test_a_null_is_written_as_one(stills: Recording, tmp_path: Path) -> None:
    """Nought is a value, and not that there is none."""
    first = stills.steps[0].looks[0]
    null = replace(first.seen.sightings[0], identities={(Suit.ARMS, Rank.NULL): 0.7, (Suit.ARMS, None): 0.3})
    look = replace(first, seen=replace(first.seen, sightings=(null,)))
    again = load(save(replace(stills, steps=(replace(stills.steps[0], looks=(look,)),)), tmp_path))
    assert next(again.looks).seen.sightings == (null,)


def test_a_film_keeps_what_moved_and_where_it_reached_in() -> None:
    film = load(FILM)
    moved = next(step for step in film.steps if step.deed is Deed.LEGAL).looks[0]
    assert moved.swept is not None
    assert moved.swept.any()
    assert sum(moved.reach) > 0


@pytest.mark.parametrize(
    ("path", "helping"), [(STILLS, False), (FILM, True), full((STILLS, True)), full((FILM, False))]
)
def test_the_referee_follows_the_sample(path: Path, helping: bool) -> None:
    recording = load(path)
    found = judged(recording, helping)
    legal = [step.result for step in found.steps if recording.steps[step.number].deed is Deed.LEGAL]
    acts = [step.result for step in found.steps if recording.steps[step.number].deed is Deed.ILLEGAL]
    assert set(legal) == {"right"}, found.steps
    assert acts
    assert "passed" not in acts, found.steps


def test_a_table_that_stays_is_looked_at_again_when_somebody_asks() -> None:
    film = load(FILM)
    asking, asked = Replayed(film), 0
    for _ in asking.moments():
        asked += 1
        asking.request_reread()
    assert asked > sum(len(step.looks) for step in film.steps)
    content, enough = Replayed(film), 0
    for _ in content.moments():
        enough += 1
        content.settle()
    assert enough == sum(bool(step.looks) for step in film.steps)


def test_a_throw_of_an_earlier_recording_is_compared_in_its_form_of_today() -> None:
    dash = game("delegate_dash")
    history = History.begin(dash)
    for id in ("deal(12345,12345,12345,12345)", "roll(3,5,0,2)"):
        history = history.play(parse_action(id))
    written = [as_written_today(dash, entry) for entry in history.entries]
    assert written == ["deal(12345,12345,12345,12345)", "roll(A3+S5+C0+M2)"]


def test_a_twin_shows_the_same_a_little_otherwise(stills: Recording) -> None:
    image = stills.steps[0].looks[0].frame().image
    twin = changed(image, Light.of(stills.name, 1), 0)
    apart = np.abs(twin.astype(float) - image)
    assert twin.shape == image.shape
    assert 0.5 < float(apart.mean()) < 25
    assert np.array_equal(twin, changed(image, Light.of(stills.name, 1), 0))


def test_both_halves_are_fixed_by_the_name(stills: Recording) -> None:
    assert stills.is_held_out == replace(stills, twin=1).is_held_out
    names = [replace(stills, name=f"film-zombie-{seed}") for seed in range(200)]
    assert 60 < sum(one.is_held_out for one in names) < 140


def results(name: str, *of: str, twin: int = 0) -> JudgedRecording:
    steps = tuple(JudgedStep(number, result, (result,)) for number, result in enumerate(of))
    return JudgedRecording(f"{name}~{twin}", name, "stills", "dodgem", "test", 1280, twin, False, False, steps)


def test_a_difference_within_one_game_is_not_beyond_chance() -> None:
    games = [f"g{number}" for number in range(20)]
    before = [results(name, *["right"] * 5) for name in games]
    one_lost = [results(games[0], *["silent"] * 5), *before[1:]]
    [right] = [one for one in compared(before, one_lost) if (one.stratum, one.figure.name) == ("all", "right")]
    assert (right.before, right.after, right.verdict) == (1.0, 0.95, "")
    many_lost = [results(name, "right", "right", "silent", "silent", "silent") for name in games]
    [right] = [one for one in compared(before, many_lost) if (one.stratum, one.figure.name) == ("all", "right")]
    assert right.verdict == "WORSE"
    assert any("WORSE" in line for line in paired_table(before, many_lost))
    [silent] = [one for one in compared(many_lost, before) if (one.stratum, one.figure.name) == ("all", "silent")]
    assert silent.verdict == "better"


def test_verdicts_that_hang_on_pixels_are_counted() -> None:
    judged_ = [results("g", "right", "right", "asked"), results("g", "right", "wrong", "asked", twin=1)]
    found = wavering(judged_)
    assert (found.steps, found.differ, found.harmed) == (3, 1, 1)


@pytest.mark.full
def test_the_command_judges_a_folder_and_keeps_what_came_of_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "kept.json"
    asked = ["judge", str(SAMPLE), "--only", "jul_gonu", "--helping", "no", "--cores", "1"]
    assert main([*asked, "--save", str(kept)]) == 0
    assert "| all | 1 |" in capsys.readouterr().out
    assert len(read(kept)) == 2
    assert "\n".join(table(read(kept)))
    assert main([*asked, "--against", str(kept)]) == 0
    assert f"against {kept}" in capsys.readouterr().out


def test_an_empty_folder_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["judge", str(tmp_path)]) == 2
    assert "holds no recording" in capsys.readouterr().err
    assert not saved(tmp_path)

"""The simulated camera: hands play layouts, and each frame knows what it shows."""

import itertools

import numpy as np
import pytest

from models.render import stage as stage_room
from models.render.camera import Viewpoint
from models.render.hand_moves import changes
from models.render.layout_scene import bodies_of, body_of, render_layout
from models.render.simulated import Act, FilmSettings, Shot, SimulatedCamera, SimulatedTable
from models.render.styles import style
from rules.pieces import Face, Rank, Suit, card, coin, tile
from rules.pieces.decktet import DECKTET
from rules.table.layout import Layout, Placed
from vision.camera.contract import Camera

FILMING = FilmSettings(fps=4, view=Viewpoint(320, 240, 62, 10), pause=0.5)


def a_layout(x: float, face: Face = Face.FRONT) -> Layout:
    return Layout((
        Placed(tile(Suit.SUNS, Rank.THREE), "t", 0, 0, Face.BACK),
        Placed(tile(Suit.MOONS, Rank.ACE), "u", 2, 0, Face.BACK),
        Placed(coin(Suit.CROWNS, Rank.TWO), "c", x, 0.5, face),
    ))  # fmt: skip


def test_a_card_that_nobody_knows_shows_some_face_when_it_lies_open() -> None:
    shown = body_of(Placed(card(None), "discard-0", 0, 0, Face.FRONT))
    assert shown.value in DECKTET
    assert body_of(Placed(card(None), "discard-0", 0, 0, Face.FRONT)) == shown
    assert body_of(Placed(card(None), "discard-0", 0, 0, Face.BACK)).value is None


def test_hand_carries_the_piece_and_leaves() -> None:
    table = SimulatedTable([Act(a_layout(-0.5)), Act(a_layout(2.5, Face.BACK), "c to the east")], FILMING)
    seen = [(shot, shot.truth()) for shot in table.shots()]
    assert [s.number for s, _ in seen] == list(range(1, len(seen) + 1))
    assert any(t["hand"] for _, t in seen)
    assert all(not t["hand"] for s, t in seen if s.settled)
    last = {p["id"]: p for p in seen[-1][1]["pieces"]}["c"]
    assert abs(last["position_in"][0] - 2.5) < 0.1
    assert last["suit"] == "crowns"
    assert seen[-1][0].act.meaning == "c to the east"


def test_still_table_looks_like_one_drawn_afresh() -> None:
    filming = FilmSettings(fps=4, view=Viewpoint(320, 240, 62, 10), pause=0.5, jitter=0.0)
    table = SimulatedTable([Act(a_layout(-0.5)), Act(a_layout(2.5))], filming)
    shots = list(table.shots())
    fresh = SimulatedTable(
        [Act(a_layout(2.5))], FilmSettings(fps=4, pause=0.5, jitter=0.0, camera=None, view=filming.view)
    )
    other = next(fresh.shots())
    truth = {p["id"]: p["position_in"] for p in shots[-1].truth()["pieces"]}
    assert truth == {p["id"]: p["position_in"] for p in other.truth()["pieces"]}
    gap = np.abs(shots[-1].image.astype(int) - other.image.astype(int))
    assert gap.mean() < 6


def lying(shot: Shot) -> dict[str, list[float]]:
    return {p["id"]: p["position_in"] for p in shot.truth()["pieces"]}


def test_bump_lamp_and_jostle_change_the_picture_not_the_layout() -> None:
    layout = a_layout(-0.5)
    acts = [Act(layout), Act(layout, kind="bump"), Act(layout, kind="lamp"), Act(layout, kind="jostle"), Act(layout)]
    seen = [(s, lying(s)) for s in SimulatedTable(acts, FILMING).shots() if s.settled]
    by_kind = {s.act.kind: s for s, _ in reversed(seen)}
    assert not np.array_equal(by_kind["move"].image, by_kind["bump"].image)
    assert by_kind["lamp"].image.mean() < by_kind["bump"].image.mean() - 3
    before, after, last = (next(at for s, at in seen if s.act is act) for act in (acts[0], acts[3], acts[4]))
    assert before != after
    assert after == last, "nobody puts straight what was only jostled"
    assert all(np.hypot(*np.subtract(before[k], after[k])) < 0.25 for k in before)


def test_an_arm_and_a_cup_touch_no_piece() -> None:
    layout = a_layout(-0.5)
    acts = [Act(layout), Act(layout, kind="arm"), Act(layout, kind="cup"), Act(layout), Act(layout, kind="cup")]
    seen = [(s.act, s.settled, s.truth()) for s in SimulatedTable(acts, FILMING).shots()]
    assert any(truth["hand"] for act, _, truth in seen if act.kind == "arm")
    rest = [(act, truth) for act, settled, truth in seen if settled]
    assert all(
        [p["position_in"] for p in truth["pieces"]] == [p["position_in"] for p in rest[0][1]["pieces"]]
        for _, truth in rest
    )
    cups = [next("mug" in truth["clutter"] for act, truth in rest if act is wanted) for wanted in acts]
    assert cups == [False, False, True, True, False]


def test_two_quick_moves_inside_one_occlusion() -> None:
    act = Act(a_layout(2.5, Face.BACK), through=(a_layout(1.0),))
    hands = [bool(s.truth()["hand"]) for s in SimulatedTable([Act(a_layout(-0.5)), act], FILMING).shots()]
    assert sum(a != b for a, b in itertools.pairwise(hands)) == 2, "the hand comes once and leaves once"


def test_like_pieces_that_are_named_after_their_places_are_carried() -> None:
    sizes = style("classic").edition.sizes
    before = Layout((Placed(coin(Suit.SUNS, None), "suns@a1", 0, 0, Face.BACK),))
    after = Layout((Placed(coin(Suit.SUNS, None), "suns@b1", 1, 0, Face.BACK),))
    (carry,) = changes(bodies_of(before, sizes), bodies_of(after, sizes))
    assert carry.start is not None
    assert carry.end is not None
    assert (carry.start.name, carry.end.name) == ("suns@a1", "suns@b1")


def test_dropped_frames_leave_gaps_in_time() -> None:
    filming = FilmSettings(fps=10, view=Viewpoint(160, 120), pause=3.0, drop=0.5)
    times = [s.at for s in SimulatedTable([Act(a_layout(0.5))], filming).shots()]
    assert max(np.diff(times)) > 0.15


def test_camera_gives_frames_until_the_game_is_over() -> None:
    camera = SimulatedCamera(SimulatedTable([Act(a_layout(0.5))], FILMING))
    assert isinstance(camera, Camera)
    frames = []
    while (frame := camera.read()) is not None:
        frames.append(frame)
    assert camera.ended
    assert frames[0].size == (320, 240)
    assert all(a.at < b.at for a, b in itertools.pairwise(frames))


def test_only_what_changed_is_carried() -> None:
    sizes = style("classic").edition.sizes
    carries = changes(bodies_of(a_layout(0.5), sizes), bodies_of(a_layout(1.5), sizes))
    assert [c.piece.name for c in carries] == ["c"]


def test_layout_is_drawn_in_any_style() -> None:
    drawn = render_layout(a_layout(0.5), "night", 1, Viewpoint(320, 240))
    assert drawn.image.shape == (240, 320, 3)
    assert len(drawn.truth["pieces"]) == 3


def test_a_film_in_strips_is_the_same_to_the_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands, blur and sharpening reach over the edges of the strips."""

    def film(rows: int) -> list[bytes]:
        monkeypatch.setattr(stage_room, "_STRIP", rows)
        filming = FilmSettings(seed=5, fps=3, view=Viewpoint(320, 180, 62, 16))
        return [
            shot.image.tobytes()
            for shot in SimulatedTable([Act(a_layout(-0.5), kind="wait"), Act(a_layout(2.5))], filming).shots()
        ]

    whole, strips = film(10_000), film(40)
    assert len(whole) > 6
    assert strips == whole

"""The simulated camera: frames of a table on which pieces are moved by hand.

The input is a sequence of acts, one layout after another; it knows no games. Hands carry the pieces that changed, with
pauses between the acts. Acts can also jostle the table, bump the camera or switch the lamp; frames can be dropped.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from models.render.camera import PinholeCamera, Viewpoint, camera_at
from models.render.hand_moves import Instant, Player, carry_pieces, reach_over
from models.render.layout_scene import Ground, bodies_of, fitting_view, layout_scene
from models.render.materials import Picture
from models.render.scene import Body
from models.render.stage import Stage
from models.render.styles import Style, style
from rules.table.layout import Layout
from vision.frame import Frame

_CUP_DISTANCE = 3.0  # inches between the middles of a cup and of any piece


@dataclass(frozen=True, slots=True)
class Act:
    """An event: the table afterwards, the seat that acts and a `meaning` (any value of the caller).

    `kind`: "move" (hands carry what changed), "jostle" (a sleeve brushes the pieces), "arm" (an arm reaches over
    them), "cup" (a cup is put down beside them, the next time taken away), "bump" (the camera is knocked), "lamp" (a
    lamp goes off or on), "cut" (the change is not filmed), "wait" (nothing happens). `through`: intermediate tables,
    between which the hand does not leave.
    """

    layout: Layout
    meaning: object = None
    seat: int = 0
    kind: str = "move"
    pause: float | None = None
    through: tuple[Layout, ...] = ()


@dataclass(frozen=True, slots=True)
class Shot:
    """One frame: picture, time in seconds, the act it belongs to, whether the table is at rest."""

    image: Picture
    at: float
    act: Act
    number: int
    settled: bool
    truth: Callable[[], dict[str, Any]]
    """Truth of the frame; call it before the next frame is drawn."""


@dataclass(slots=True)
class FilmSettings:
    """Settings of a filmed session. `bump`: degrees and inches by which a bumped camera turns and moves, in a random
    direction; by default a small random amount. `ground`: the part of the table that the picture must show; by default
    the extent of the first layout."""

    style: str = "classic"
    seed: int = 0
    fps: float = 10.0
    view: Viewpoint = field(default_factory=lambda: Viewpoint(tilt_deg=16.0))
    pause: float = 1.2
    seats: int = 2
    drop: float = 0.0
    jitter: float = 0.015
    camera: PinholeCamera | None = None
    bump: tuple[float, float] | None = None
    ground: Ground | None = None


def session_camera(filming: FilmSettings, first: Layout) -> PinholeCamera:
    """The camera of a session: shows the first layout and the required ground with a margin."""
    if filming.camera is not None:
        return filming.camera
    sizes = style(filming.style, filming.seed).edition.sizes
    bodies = bodies_of(first, sizes, filming.seed)
    view = fitting_view(bodies, sizes, filming.view, 0.12, filming.ground)
    return camera_at(replace(view, distance=max(view.distance, 14.0)))


class SimulatedTable:
    """Films a sequence of acts."""

    def __init__(self, acts: Iterable[Act], filming: FilmSettings | None = None) -> None:
        self._acts = iter(acts)
        self._filming = filming or FilmSettings()
        self._look: Style = style(self._filming.style, self._filming.seed)
        self._rng = np.random.default_rng([self._filming.seed, 9])
        self._stage: Stage | None = None
        self._at, self._number, self._gain = 0.0, 0, 1.0
        self._intended: dict[str, Body] = {}
        self._cups: list[Body] = []

    def shots(self) -> Iterator[Shot]:
        """Every frame in order. Dropped frames leave a gap in `at`."""
        for act in self._acts:
            stage = self._stage or self._first_stage(act)
            for instant in self._instants(stage, act):
                yield from self._shots_of(stage, act, instant, settled=False)
            for _ in range(self._pause_frames(act)):
                yield from self._shots_of(stage, act, Instant(tuple(stage.scene.bodies), ()), settled=True)

    def _first_stage(self, act: Act) -> Stage:
        filming = self._filming
        eye = session_camera(filming, act.layout)
        scene = layout_scene(act.layout, self._look, filming.view, filming.seed, filming.jitter)
        self._stage = Stage(replace(scene, camera=eye, bodies=_named(scene.bodies)))
        self._bodies_after(act.layout, ())
        return self._stage

    def _pause_frames(self, act: Act) -> int:
        pause = self._filming.pause * self._rng.uniform(0.7, 1.5) if act.pause is None else act.pause
        return max(1, round(pause * self._filming.fps))

    def _instants(self, stage: Stage, act: Act) -> Iterator[Instant]:
        before = tuple(stage.scene.bodies)
        if act.kind == "bump":
            turn, push = self._camera_bump()
            stage.set_camera(stage.scene.camera.bumped(turn, push))
        elif act.kind == "lamp":
            self._gain = 1.0 if self._gain < 1 else self._rng.uniform(0.25, 0.5)
            stage.set_gains([1.0, *[self._gain] * len(stage.scene.light.lamps)])
        elif act.kind == "cup":
            self._cups = [] if self._cups else [self._cup(stage)]
        player, fps = self._player(act), self._filming.fps
        if act.kind in ("jostle", "arm"):
            after = [_jostled(b, self._rng) for b in before] if act.kind == "jostle" else before
            yield from reach_over(before, after, 0.9 if act.kind == "jostle" else 2.6, player, fps)
        elif act.kind == "cut":
            stage.set_bodies(self._bodies_after(act.layout, before))
        elif act.kind in ("move", "bump", "cup"):
            tables = [self._bodies_after(layout, before) for layout in (*act.through, act.layout)]
            yield from carry_pieces(before, tables, self._look.edition.sizes, player, fps)

    def _camera_bump(self) -> tuple[np.ndarray, np.ndarray]:
        turn, push = self._rng.normal(0, 0.006, 3), self._rng.normal(0, 0.12, 3)
        if self._filming.bump is None:
            return turn, push
        degrees, inches = self._filming.bump
        return turn / np.linalg.norm(turn) * np.radians(degrees), push / np.linalg.norm(push) * inches

    def _bodies_after(self, layout: Layout, before: Iterable[Body]) -> list[Body]:
        """The bodies of a layout. Pieces that the layout does not move keep their actual (jostled) places."""
        wanted = _named(bodies_of(layout, self._look.edition.sizes, self._filming.seed, self._filming.jitter))
        lying = {b.name: b for b in before}
        kept = [lying[b.name] if self._intended.get(b.name) == b and b.name in lying else b for b in wanted]
        self._intended = {b.name: b for b in wanted}
        return kept + self._cups

    def _cup(self, stage: Stage) -> Body:
        """A cup beside the pieces, in sight of the camera if there is room."""
        scene = stage.scene
        spots = np.array([(b.x, b.y) for b in scene.bodies])
        tries = self._rng.uniform(spots.min(0) - 3.5, spots.max(0) + 3.5, (200, 2))
        away = np.linalg.norm(tries[:, None] - spots[None], axis=2).min(1)
        seen = scene.camera.project(np.concatenate([tries, np.ones((200, 1))], 1))
        inside = ((seen > 40) & (seen < np.array([scene.camera.width, scene.camera.height]) - 40)).all(1)
        x, y = tries[np.argmax((away > _CUP_DISTANCE) * (1.0 + inside) + away / 100)]
        angle, seed = self._rng.uniform(0, 360), int(self._rng.integers(1 << 30))
        return Body("clutter", float(x), float(y), 0.0, angle, shape="mug", seed=seed, name="cup")

    def _player(self, act: Act) -> Player:
        turn = -360.0 * act.seat / max(1, self._filming.seats)
        return Player(turn + self._rng.normal(0, 10), self._rng.uniform(0.4, 0.75), 11 + act.seat * 3,
                      act.seat % 2 == 1)  # fmt: skip

    def _shots_of(self, stage: Stage, act: Act, instant: Instant, settled: bool) -> Iterator[Shot]:
        stage.set_bodies(instant.still)
        self._at += 1 / self._filming.fps
        self._number += 1
        if self._rng.random() < self._filming.drop:
            return
        image, truth = stage.frame(instant.moving, self._number)
        yield Shot(image, round(self._at, 4), act, self._number, settled, truth)


def _jostled(body: Body, rng: np.random.Generator) -> Body:
    """The body displaced a little, as by a sleeve; clutter stays."""
    if body.kind == "clutter":
        return body
    return replace(body, x=body.x + rng.normal(0, 0.04), y=body.y + rng.normal(0, 0.04),
                   angle=body.angle + rng.normal(0, 2.5))  # fmt: skip


def _named(bodies: Iterable[Body]) -> list[Body]:
    """The bodies with unique names."""
    seen: dict[str, int] = {}
    found = []
    for body in bodies:
        name = body.name or f"{body.kind} {body.shape}"
        seen[name] = seen.get(name, 0) + 1
        found.append(replace(body, name=name if seen[name] == 1 else f"{name} #{seen[name]}"))
    return found


class SimulatedCamera:
    """A simulated table behind the camera contract (vision.camera.Camera).

    With `realtime` frames are paced by the clock; where drawing is slower, simulated time is stretched.
    """

    name, live, stills = "simulated", True, False

    def __init__(self, table: SimulatedTable, realtime: bool = False) -> None:
        self.shot: Shot | None = None
        self.ended = False
        self._shots, self._realtime = table.shots(), realtime
        self._began: float | None = None

    def read(self) -> Frame | None:
        """The next frame; None once the session is over."""
        shot = next(self._shots, None)
        if shot is None:
            self.ended = True
            return None
        self.shot = shot
        self._wait(shot.at)
        return Frame(shot.image, source=self.name, at=shot.at)

    def _wait(self, at: float) -> None:
        if not self._realtime:
            return
        now = time.monotonic()
        self._began = now - at if self._began is None else self._began
        early = self._began + at - now
        if early > 0:
            time.sleep(early)
        else:  # too slow for this pace: time is stretched, so that no act is lost
            self._began = now - at

    def close(self) -> None:
        self.ended = True

"""Description of a scene: a table, bodies on it, lamps, camera and film."""

from dataclasses import dataclass

from models.render.camera import PinholeCamera
from models.render.edition import PaintedSet
from models.render.materials import Colour

PIECES = ("tile", "coin", "die", "pawn", "pyramid", "card")


@dataclass(frozen=True, slots=True)
class Body:
    """A piece, hand or thing. (x, y, z) is the middle of its underside in inches, `angle` in degrees counter-clockwise
    from north, `lean` a tilt in degrees towards an azimuth (0 north, counter-clockwise)."""

    kind: str
    x: float
    y: float
    z: float = 0.0
    angle: float = 0.0
    suit: str | None = None
    value: str | None = None
    face: str | None = None
    size: str | None = None
    pose: str | None = None
    lean: tuple[float, float] = (0.0, 0.0)
    shape: str = ""
    seed: int = 0
    name: str = ""
    guest: PaintedSet | None = None
    """The set a pawn or pyramid comes from, where it is not the scene's."""


def clutter_body(x: float, y: float, shape: str, seed: int, z: float = 0.0, angle: float = 0.0) -> Body:
    """A thing that is no piece."""
    return Body("clutter", float(x), float(y), float(z), float(angle), shape=shape, seed=seed)


@dataclass(frozen=True, slots=True)
class Lamp:
    """A lamp; `pattern` names the mask in front of it (see light.pattern)."""

    place: tuple[float, float, float]
    colour: tuple[float, float, float]
    power: float
    diameter: float
    pattern: str = ""
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Pane:
    """A window reflected by glossy surfaces: direction of its middle (east and north parts of a unit vector) and its
    brightness relative to white card on the table (seen from above, gloss reflects 4 % of it)."""

    towards: tuple[float, float]
    bright: float


@dataclass(frozen=True, slots=True)
class Illumination:
    """Lamps and ambient light (`sky`); colours are linear BGR factors."""

    lamps: tuple[Lamp, ...]
    sky: tuple[float, float, float]
    sky_power: float
    seed: int = 0
    window: Pane | None = None


@dataclass(frozen=True, slots=True)
class Film:
    """Sensor and file of a picture. `video`: quantiser step (see film.video_compressed), 0 for a JPEG."""

    exposure: float = 1.0
    white: tuple[float, float, float] = (1.0, 1.0, 1.0)
    contrast: float = 0.3
    saturation: float = 1.0
    noise: float = 0.01
    blur: float = 0.5
    motion: tuple[float, float] = (0.0, 0.0)
    sharpen: float = 0.0
    vignette: float = 0.2
    jpeg: int = 88
    video: float = 0.0
    seed: int = 0
    flicker: float = 0.0


@dataclass(frozen=True, slots=True)
class Table:
    """The table top: `seed` of its texture, `half` its extent from the middle (inches)."""

    kind: str
    base: Colour
    seed: int
    span: float = 24.0
    turn: float = 0.0
    gloss: float = 0.2
    roughness: float = 0.5
    half: tuple[float, float] = (200.0, 200.0)
    floor: Colour = (60.0, 70.0, 80.0)


@dataclass(slots=True)
class Scene:
    """Everything that determines a picture."""

    edition: PaintedSet
    bodies: list[Body]
    table: Table
    light: Illumination
    camera: PinholeCamera
    film: Film
    seed: int = 0
    stratum: str = "train"
    kind: str = "scatter"
    tilt_deg: float = 0.0

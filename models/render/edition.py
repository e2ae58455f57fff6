"""Appearance of a piecepack: shapes, sizes, inks and drawings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from models.render.glyphs import Mask
from models.render.materials import Colour, Picture
from rules.pieces import Kind
from rules.pieces import sizes as pieces

SUITS = ("suns", "moons", "crowns", "arms")
VALUES = ("null", "ace", "2", "3", "4", "5")


Side = tuple[str, str | None, str | None, str | None]
"""Kind, face, suit and value of a side; None for what it does not show."""


@dataclass(slots=True)
class Sizes:
    """Inches, in a world where a tile side is always two (a unit of every layout is one)."""

    tile: float = pieces.TILE
    tile_thick: float = pieces.THICKNESS[Kind.TILE]
    tile_bevel: float = 0.02
    tile_round: float = 0.0
    coin: float = pieces.COIN
    coin_thick: float = pieces.THICKNESS[Kind.COIN]
    coin_bevel: float = 0.01
    die: float = pieces.DIE
    pawn: float = pieces.PAWN
    pawn_high: float = pieces.THICKNESS[Kind.PAWN]
    die_round: float = 0.12
    """Share of a side by which corners are cut (up to 0.3) or rounded (beyond)."""
    die_ball: float = 0.0
    """Radius of the sphere that cuts a die's corners, as a share of a side; 0: not cut."""


@dataclass(slots=True)
class TileArt:
    """Layout of a tile's sides; lengths are shares of its side."""

    numeral_scale: float = 0.5
    mark_scale: float = 0.2
    mark_corner: int | None = 0
    mark_margin: float = 0.05
    mark_turned: bool = False
    border: float = 0.0
    border_inset: float = 0.04
    back: str = "lines"
    back_width: float = 0.018
    back_border: bool = False
    back_pattern: str = ""
    """Pattern of the back besides its lines: "hatch", "dots", "marks", "rings", "chequers"."""
    back_scale: float = 0.12
    """Pitch of the pattern, as a share of the side."""
    back_cover: float = 0.5
    """Strength of the pattern's print."""


@dataclass(slots=True)
class CoinArt:
    """Layout of coins; lengths are shares of the diameter."""

    glyph_scale: float = 0.6
    tick: str = "line"
    rim: float = 0.0
    suit_coloured_values: bool = False


@dataclass(slots=True)
class DieArt:
    """Dice with a material of their own: bodies and inks by suit."""

    bodies: dict[str, Colour]
    inks: dict[str, Colour]
    material: str = "plastic"
    glyph_scale: float = 0.7
    engraved: float = 0.0
    ink_strength: float = 1.0
    burnt: bool = False
    label: Colour | None = None
    """Colour of a paper label on each face."""
    frame: float = 0.0
    """Width of a line round each face, as a share of its side."""
    gloss: float = 0.6
    roughness: float = 0.25

    @property
    def shows_suit(self) -> bool:
        """Whether the colours identify the suit."""
        return len(set(self.bodies.values())) > 1 or len(set(self.inks.values())) > 1


@dataclass(slots=True)
class PawnArt:
    """Finish of pawns. `bands` (low, high; shares of the height) are in the suit's colour, the rest is `natural`;
    without bands the whole pawn is in the suit's colour."""

    bands: tuple[tuple[float, float], ...] = ()
    natural: Colour = (150.0, 195.0, 225.0)
    grain: float = 0.0
    """Contrast of the wood's grain; 0: none."""
    stained: bool = False
    """Whether the grain is visible under the colour."""
    layers: int = 0
    """Layers of a 3-D print."""
    mark: float = 0.0
    """Width of the suit's mark on a flat figure, as a share of its own."""


@dataclass(slots=True, eq=False)
class PaintedSet:
    """A set. Drawings are masks; colours are sRGB in BGR order. Sets compare by identity."""

    name: str
    sizes: Sizes
    tile_art: TileArt
    coin_art: CoinArt
    material: str
    body: Colour
    back_body: Colour
    grain: float
    inks: dict[str, Colour]
    neutral_ink: Colour
    suit_marks: dict[str, Mask]
    tile_values: dict[str, Mask | None]
    coin_values: dict[str, Mask]
    die_values: dict[str, Mask | None]
    inverted: bool = False
    coloured_values: bool = True
    engraved: float = 0.0
    ink_strength: float = 0.95
    gloss: float = 0.3
    roughness: float = 0.5
    wear: float = 0.2
    misprint: float = 0.01
    dice_coloured: bool = True
    pawn_shape: str = "cone"
    pawn_shapes: Mapping[str, str] = field(default_factory=dict)
    """Shapes of the pawns of suits that differ from `pawn_shape`."""
    pawn_gloss: float = 0.5
    pawn_art: PawnArt = field(default_factory=PawnArt)
    die_art: DieArt | None = None
    pawn_colours: dict[str, Colour] = field(default_factory=dict)
    pyramid_colours: dict[str, Colour] = field(default_factory=dict)
    """Colours of pyramids; if empty, those of the pawns."""
    pyramid_clear: bool = False
    pyramid_pips: bool = True
    deck: int = 0
    """Seed of the deck of cards; 0: the plain deck."""
    pictures: Mapping[Side, Sequence[Picture]] = field(default_factory=dict)
    """Square photographs of sides, which replace the drawings."""

    @property
    def dice_show_suit(self) -> bool:
        """Whether every face of a die shows the suit."""
        return self.die_art is None or self.die_art.shows_suit

    def ink(self, suit: str | None) -> Colour:
        """Ink of a suit, or of None."""
        return self.neutral_ink if suit is None else self.inks[suit]

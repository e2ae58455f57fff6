"""The numbers of the witness, in one frozen value, each with where it comes from (in brackets):

- set: it follows from how large the pieces are.
- pictures: settled so that drawn games are followed (`python -m tests.bench record`, `judge`) and a table that
  nobody touches shows no change under other lamps.
- measured: on pairs of pictures of random sets of the test stratum.
- light: what cameras and lamps do.
- odds: a probability that somebody who knows tables would name.
- budget: it bounds work.

The witness is vision's own and the rules may not see it, so these stand apart from `rules/referee/tuning.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from rules.pieces import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeThresholds:
    """Where two pictures of one table differ."""

    width: int = 800
    """Pictures are compared at this width (set: a coin on a full table is still a dozen pixels wide)."""
    window: int = 9
    """The side of the window in which light is fitted, in pixels (set: less than such a coin)."""
    shadow: tuple[float, float] = (0.4, 2.5)
    """What light does to a window lies between these factors (light: an arm's shadow, a lamp's)."""
    beyond: float = 40.0
    """What is darker or lighter than any shadow counts as so many grey levels (light)."""
    quiet: float = 1.2
    """The least noise that is believed, in grey levels (light: rounding and compression)."""
    rough: float = 0.7
    """So much of how two pictures of one table usually differ is noise (light: the mean against the median)."""
    shaken: float = 0.12
    """So much of the difference between neighbouring pixels may be shaking (pictures)."""
    suspect: float = 4.0
    """What differs by less than so many times the noise, blurred a little, is not looked at more closely (pictures)."""
    most_parts: int = 80
    """With more parts the whole picture is compared (budget)..."""
    most_rough: float = 0.5
    """... or where they take more than this share of it (budget)."""
    around: int = 15
    """Parts are made wider by half of this, in pixels (pictures)."""
    quietest: float = 0.7
    """Of a place that is asked about only so much noise is taken for granted (measured: with what follows)..."""
    keenly: float = 3.0
    """... and it looks otherwise where the fit leaves so many times that: a coin as pale as its tile leaves no trace
    by itself (measured: of 2,472 changed places 64 looked as they did without this, 6 with it; of 17,709 unchanged
    ones 37 and 51 looked otherwise)."""
    drawing: float = 4.5
    """Something else lies there where the fit leaves so many times the noise (pictures)..."""
    weakly: tuple[float, float] = (1.2, 3.0)
    """... or, if it is small and by itself, between these (measured: with what follows)..."""
    unusually: float = 1.8
    """... so many times what the two pictures usually leave (measured: 790 of 797 changed places were seen to with one
    fixed number, 796 with this; of 12,051 unchanged ones 17 and 19 were taken to have changed)..."""
    once: float = 1.2
    """... and somewhere in it so many times as much (measured: with it)..."""
    least_once: float = 1.7
    """... and never less than this (measured: with it)..."""
    slowly: float = 1.8
    """... once what changes over so many pixels is taken out (light: the edges of soft shadows are wider)..."""
    hair: float = 0.5
    """... and wherever within so many pixels the picture may have been shaken to (pictures)..."""
    small: int = 48
    """... which is so many pixels at most, either way (set: a coin that lies near, and the window)..."""
    faint: float = 4.0
    """... or where it leaves so many times the noise of one colour, and not only brightness differs (measured: of 90
    changed places 23 were missed by grey levels alone, 12 with colours; of 824 others 2 were taken for changed)..."""
    unusual: float = 1.3
    """... if that is so many times what drawn ground that did not change leaves over (measured: pictures of which one
    is noisy, compressed or shaken by half a pixel)..."""
    usual: float = 90.0
    """... nine times of ten (odds)..."""
    drawn: float = 80.0
    """... where the steepest fifth of the picture is (pictures: a board takes so much of it)..."""
    quiet_colour: float = 0.5
    """... and the least noise that is believed of a colour, blurred a little (light: rounding)."""
    median: float = 0.6745
    """The median of what noise leaves, in its standard deviations (light: so it is of a bell curve)."""
    margin: float = 0.5
    """Where so much of what differs faintly differs clearly, the rest of it is its margin (odds: as likely as not)."""
    colour: float = 0.3
    """Or where the colours' logarithms differ by so much (pictures)."""
    shaded: tuple[float, float] = (0.06, 1.5)
    """In a shadow the logarithm of the brightness differs by no less and no more than this (light: where it ends softly
    and where a fifth of the lamp is left)..."""
    uncoloured: float = 0.2
    """... and that of each colour by the same, give or take this (light: lamps are not of one colour)."""
    black: float = 18.0
    """Below so many grey levels colours mean nothing (light)."""
    glare: int = 252
    """From this level on a pixel shows nothing (light)."""
    dark: int = 4
    """And below this (light)."""
    most_changed: float = 0.4
    """Where more of the picture differs, camera, board or lamp moved (pictures)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AppearanceThresholds:
    """Which looks are kept."""

    kept: int = 4
    """So many looks of one face are kept, as unlike each other as they come (budget)."""
    nothing_new: float = 0.97
    """What is so like a look that was kept is not kept (pictures)."""
    teachable: float = 0.02
    """What the eyes give no such chance is not learnt (odds: a wrong belief must not teach itself to be right)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkingThresholds:
    """How like a tile's figure is to those of its value in other suits, and its colour to those of its suit."""

    steep: float = 30.0
    """A nat for each thirtieth of likeness (measured: with what follows)..."""
    even: float = 0.82
    """... beyond this (measured: the odds are 265 to one above 0.9, 3.7 from 0.8 to
    0.9, and between one to four and one to six from 0.5 to 0.8)."""
    least: float = -1.5
    """No figure says more against a value (measured: sets may draw it otherwise in each suit)."""
    most: float = 3.0
    """Nor for one (odds: one in twenty)."""
    side: int = 64
    """A tile is cut out so large, in pixels (pictures)."""
    rim: int = 10
    """Left out all around (set: lines along the edge, and marks in the corners)."""
    slack: int = 5
    """So far a figure may lie beside where it should, in such pixels (pictures: outlines are not exact)."""
    soft: float = 1.2
    """Figures are blurred so far (pictures)."""
    light: float = 0.7
    """Brightness counts so much less than colour (pictures: shadows are no ink)."""
    bare: float = 40.0
    """So much of a tile, in percent, is bare at least (set)."""
    full: float = 98.0
    """And this share, in percent, bears less than its full ink (set)."""
    grain: float = 6.0
    """Ink differs from the ground by more than this (pictures: noise and the grain of wood)."""
    surely_ink: float = 0.03
    """Such a share of the middle is surely ink (set)."""
    dark: float = 0.3
    """How dark ink is counts so much beside its colour (measured: with what follows; glare and shadow change it)."""
    one_ink: float = 0.06
    """Where tiles of two suits are as near as this the set prints all suits in one colour (measured: of 12 sets two do,
    and have 0.03 at most; of the others the nearest two have 0.07)."""
    even_tint: tuple[float, float] = (0.15, 0.24)
    """A colour half as far off as suits usually are from each other in this set, between these two, is as likely of
    another suit (measured: nearer than 0.08 are 355 tiles of one suit and 3 of two, from 0.08 to 0.16 111 and 48, from
    0.16 to 0.25 40 and 69, farther 55 and 2,008)..."""
    nearer: float = 4.8
    """... one of the very same colour is so many nats likelier of this one (measured: the same)..."""
    farther: float = 0.7
    """... one twice as far off so many likelier of another (measured: the same)..."""
    least_tint: float = -2.5
    """... but no more than this (measured: one pair of a hundred of one suit lies farther off than 1.0)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraFit:
    """The camera, fitted to every believed piece."""

    fewest: int = 6
    """With fewer pieces of which the place is known the plane is believed (set: what six numbers need, twice)."""
    focals: tuple[float, ...] = (1.0, 0.8, 0.9, 1.12, 1.25, 1.5)
    """The focal length may be so many times what the plane says (pictures)."""
    outlying: float = 3.0
    """What lies so many times farther off than usual is no guide (the usual choice of a robust fit)."""
    reaches: tuple[float, ...] = (1.0, 0.7)
    """The camera is fitted twice, the second time by what lies nearer (pictures)."""
    near: float = 0.7
    """A sighting this near (in spaces) to where a piece should show is taken for it (set: less than a space)..."""
    likely: float = 0.2
    """... if it may be that piece at all (odds: one face of five)."""
    better: float = 0.95
    """Another focal length must leave no more than this share of what the best so far leaves (pictures)."""
    rounds: int = 3
    """So often what lies far off is left out and the rest fitted again (budget)."""


def _kinds(**shares: float) -> Mapping[Kind, float]:
    return MappingProxyType({Kind(name): share for name, share in shares.items()})


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceWeights:
    """What a change of the picture says about the pieces there."""

    shows: Mapping[Kind, float] = field(
        default_factory=lambda: _kinds(tile=0.08, card=0.08, coin=0.2, die=0.25, pawn=0.3, pyramid=0.25)
    )
    """Such a share of its place changes at least when a piece comes, goes or is turned (pictures: of a tile only what
    is printed)."""
    arrived: Mapping[Kind, float] = field(
        default_factory=lambda: _kinds(tile=0.05, card=0.05, coin=0.1, die=0.15, pawn=0.2, pyramid=0.2)
    )
    """What was seen there is read again where more than this share of it changed (pictures)."""
    never_sure: tuple[float, float] = (0.02, 0.98)
    """No place has changed, or stayed as it was, beyond all doubt (odds: one in fifty)."""
    likely: float = 0.5
    """More than this and a place looks otherwise (odds: as likely as not)."""
    level: float = 0.32
    """A level is no higher than this, in spaces (set: two coins on one another, a tile and a coin)."""
    stray: float = 0.03
    """What may change of a place by its neighbour's shadow (pictures)."""
    faded: float = 0.5
    """So much is left of what was seen before, where a little changed and nothing is seen now (pictures: pale coins on
    pale tiles)."""
    seen: float = 0.5
    """So much of a place must be readable, or nothing can be told (odds)."""
    least: float = 0.07
    """What is smaller than this share of a coin is no trace (pictures)."""
    around: float = 0.12
    """A piece's shadow and the window of the comparison make its trace wider by so much, in spaces (pictures)."""
    same: float = 0.35
    """A sighting this near, in spaces, to where a piece of its kind lay lies as high as that (set)."""
    few: int = 6
    """Of fewer pieces nobody says that the board was moved (odds)."""
    elsewhere: float = 0.5
    """Where more than this share of a board's pieces look otherwise it was moved (odds)."""
    learnt: float = 0.6
    """What is seen this near to where a piece lies, in halves of its width, is its look (set)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WitnessTuning:
    """All of them."""

    change: ChangeThresholds = field(default_factory=ChangeThresholds)
    appearance: AppearanceThresholds = field(default_factory=AppearanceThresholds)
    marking: MarkingThresholds = field(default_factory=MarkingThresholds)
    camera: CameraFit = field(default_factory=CameraFit)
    evidence: EvidenceWeights = field(default_factory=EvidenceWeights)


WITNESS = WitnessTuning()

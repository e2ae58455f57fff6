"""Tuning of the comparison of pictures in one frozen value. Each number says where it comes from (in brackets):

- set: follows from the size of the pieces.
- pictures: chosen so that recorded games are followed (`python -m tests.bench record`, `judge`) and an untouched table
  shows no change under other lamps.
- measured: on pairs of pictures of random sets of the test stratum.
- light: what cameras and lamps do.
- odds: a probability chosen by judgement.
- budget: limits work.

The rules may not import this module, so the numbers stand apart from `rules/referee/tuning.py`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from rules.pieces import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeThresholds:
    """Limits for differences of two pictures of one table."""

    width_px: int = 800
    """Width at which pictures are compared (set: a coin on a full table is still a dozen pixels wide)."""
    window_px: int = 9
    """Side of the window in which light is fitted, in pixels (set: smaller than such a coin)."""
    gain_limits: tuple[float, float] = (0.4, 2.5)
    """Range of the gain that light alone gives a window (light: shadow of an arm, of a lamp)."""
    excess_gain_levels: float = 40.0
    """Grey levels added for each unit of gain beyond that range (light)."""
    min_noise_levels: float = 1.2
    """Smallest noise that is assumed, in grey levels (light: rounding and compression)."""
    noise_share: float = 0.7
    """Noise as a share of the usual difference of two pictures (light: the mean against the median)."""
    shake_share: float = 0.12
    """Share of the gradient that shake may change (pictures)."""
    suspect_noise_factor: float = 4.0
    """Smallest difference, in multiples of the noise, that is examined closely (pictures)."""
    max_parts: int = 80
    """Number of parts above which the whole picture is compared (budget)..."""
    max_parts_share: float = 0.5
    """... or share of the picture they take (budget)."""
    part_margin_px: int = 15
    """Width of the kernel by which parts are enlarged, in pixels (pictures)."""
    min_sensitive_noise_levels: float = 0.7
    """Smallest assumed noise where a specific place is examined (measured: with the next)..."""
    sensitive_residual: float = 3.0
    """... and the residual, in multiples of the noise, from which it differs: a coin as pale as its tile leaves no
    region of its own (measured: of 2,472 changed places 64 were taken as unchanged without this, 6 with it; of 17,709
    unchanged ones 37 and 51 as changed)."""
    strong_residual: float = 4.5
    """Residual, in multiples of the noise, from which a place has changed (pictures)..."""
    weak_residual_limits: tuple[float, float] = (1.2, 3.0)
    """... or, for a small isolated region, a limit within this range (measured: with the next)..."""
    weak_residual_factor: float = 1.8
    """... in multiples of the usual residual of the two pictures (measured: of 797 changed places 790 were detected
    with one fixed number, 796 with this; of 12,051 unchanged ones 17 and 19 were taken as changed)..."""
    weak_peak_factor: float = 1.2
    """... with a peak of this multiple of the limit (measured: with it)..."""
    min_weak_peak: float = 1.7
    """... and no less than this (measured: with it)..."""
    slow_sigma_px: float = 1.8
    """... after removing variation slower than this, in pixels (light: the edges of soft shadows are wider)..."""
    shift_px: float = 0.5
    """... for every shift of the picture up to this, in pixels (pictures)..."""
    max_weak_size_px: int = 48
    """... and at most this large either way, in pixels (set: a near coin and the window)..."""
    colour_residual: float = 4.0
    """... or residual of one colour channel, in multiples of its noise, where more than the brightness differs
    (measured: of 90 changed places 23 were missed by grey levels alone, 12 with colours; of 824 others 2 were taken as
    changed)..."""
    colour_residual_factor: float = 1.3
    """... in multiples of the usual residual on unchanged drawn ground (measured: pictures of which one is noisy,
    compressed or shifted by half a pixel)..."""
    usual_percentile: float = 90.0
    """... at this percentile (odds)..."""
    drawn_percentile: float = 80.0
    """... where the gradient is above this percentile (pictures: a board takes that much of it)..."""
    min_channel_noise: float = 0.5
    """... and the smallest assumed noise of a blurred colour channel (light: rounding)."""
    median_sigma: float = 0.6745
    """Median absolute value of normal noise, in standard deviations (light: noise is normal)."""
    margin_share: float = 0.5
    """Strong share of a weak region from which the rest is its margin (odds: as likely as not)."""
    strong_colour_gap: float = 0.3
    """Difference of the log colour ratios from which a place has changed (pictures)."""
    shade_limits: tuple[float, float] = (0.06, 1.5)
    """Range of the log brightness change of a shadow (light: its soft end, and a fifth of the lamp left)..."""
    max_shade_colour_gap: float = 0.2
    """... with the colour channels equal up to this (light: lamps differ in colour)."""
    black_levels: float = 18.0
    """Grey levels below which colours carry no information (light)."""
    glare_level: int = 252
    """Grey level from which a pixel is blind (light)."""
    dark_level: int = 4
    """Grey level up to which a pixel is blind (light)."""
    max_changed_share: float = 0.4
    """Changed share of the picture above which camera, board or lamp moved (pictures)."""
    max_compared: int = 3
    """Reference frames with which one frame stays compared (budget)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AppearanceThresholds:
    """Limits for the embeddings that are kept."""

    max_kept: int = 4
    """Embeddings kept of one face, as different as possible (budget)."""
    duplicate_cosine: float = 0.97
    """Cosine with a kept embedding from which one is a duplicate (pictures)."""
    min_label_probability: float = 0.02
    """Smallest probability that the reader must give a label (odds: a wrong layout must not confirm itself)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkingThresholds:
    """Weights of the similarity of a tile's print to its value in other suits, and of its colour to its suit."""

    nats_per_correlation: float = 30.0
    """Nats for each unit of correlation (measured: with the next)..."""
    neutral_correlation: float = 0.82
    """... beyond this (measured: the odds are 265 to one above 0.9, 3.7 from 0.8 to 0.9, and between one to four and
    one to six from 0.5 to 0.8)."""
    min_value_nats: float = -1.5
    """Strongest evidence against a value, in nats (measured: sets may draw it otherwise in each suit)."""
    max_nats: float = 3.0
    """Strongest evidence for one, in nats (odds: one in twenty)."""
    side_px: int = 64
    """Side of the rectified tile, in pixels (pictures)."""
    rim_px: int = 10
    """Rim that is left out (set: lines along the edge, and marks in the corners)."""
    max_shift_px: int = 5
    """Largest shift of the print (pictures: outlines are not exact)."""
    blur_sigma_px: float = 1.2
    """Blur of the ink mask (pictures)."""
    brightness_weight: float = 0.7
    """Weight of brightness relative to colour (pictures: shadows are no ink)."""
    bare_percentile: float = 40.0
    """Share of a tile that is bare at least, in percent (set)."""
    full_percentile: float = 98.0
    """Share that bears less than the full ink, in percent (set)."""
    min_contrast: float = 6.0
    """Smallest difference of ink and ground (pictures: noise and the grain of wood)."""
    ink_share: float = 0.03
    """Share of the middle that is certainly ink (set)."""
    darkness_weight: float = 0.3
    """Weight of the darkness of ink beside its colour (measured: with the next; glare and shadow change it)."""
    same_ink_distance: float = 0.06
    """Distance of the tints of two suits below which the set prints all suits in one colour (measured: of 12 sets two
    do, and have 0.03 at most; of the others the nearest two have 0.07)."""
    neutral_distance_limits: tuple[float, float] = (0.15, 0.24)
    """Range of the neutral distance, which is half the usual distance of suits in this set (measured: nearer than 0.08
    are 355 tiles of one suit and 3 of two, from 0.08 to 0.16 111 and 48, from 0.16 to 0.25 40 and 69, farther 55 and
    2,008)..."""
    same_tint_nats: float = 4.8
    """... evidence of an identical tint, in nats (measured: the same)..."""
    far_tint_nats: float = 0.7
    """... evidence against a suit at twice the neutral distance, in nats (measured: the same)..."""
    min_tint_nats: float = -2.5
    """... down to this (measured: one pair of a hundred of one suit lies farther apart than 1.0)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraFit:
    """Fit of the camera to the accepted pieces."""

    min_points: int = 6
    """Number of located pieces below which the plane is used (set: what six unknowns need, twice)."""
    focal_factors: tuple[float, ...] = (1.0, 0.8, 0.9, 1.12, 1.25, 1.5)
    """Focal lengths to try, relative to that of the plane (pictures)."""
    outlier_factor: float = 3.0
    """Residual of an outlier in multiples of the median (the usual choice of a robust fit)."""
    reach_factors: tuple[float, ...] = (1.0, 0.7)
    """Search radii of the successive fits, relative to `reach_spaces` (pictures)."""
    reach_spaces: float = 0.7
    """Distance within which an observation is matched to an expected piece, in spaces (set: less than a space)..."""
    min_probability: float = 0.2
    """... if its probability to be that piece is larger than this (odds: one face of five)."""
    max_error_ratio: float = 0.95
    """Another focal length must reduce the error to this share of the best so far (pictures)."""
    iterations: int = 3
    """Iterations of rejecting outliers and fitting again (budget)."""


def _kinds(**shares: float) -> Mapping[Kind, float]:
    return MappingProxyType({Kind(name): share for name, share in shares.items()})


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceWeights:
    """Meaning of changes of the picture for the pieces there."""

    full_change_share: Mapping[Kind, float] = field(
        default_factory=lambda: _kinds(tile=0.08, card=0.08, coin=0.2, die=0.25, pawn=0.3, pyramid=0.25)
    )
    """Changed share of its place at least when a piece comes, goes or is turned (pictures: of a tile only the
    print)."""
    reread_share: Mapping[Kind, float] = field(
        default_factory=lambda: _kinds(tile=0.05, card=0.05, coin=0.1, die=0.15, pawn=0.2, pyramid=0.2)
    )
    """Changed share of its place above which an earlier observation is replaced by the current one (pictures)."""
    probability_limits: tuple[float, float] = (0.02, 0.98)
    """Limits of the probability that a place has changed (odds: one in fifty)."""
    changed_probability: float = 0.5
    """Probability above which a place counts as changed (odds: as likely as not)."""
    max_level_height: float = 0.32
    """Largest height of a level, in spaces (set: two coins on one another, a tile and a coin)."""
    shadow_share: float = 0.03
    """Share of a place that a neighbour's shadow may change (pictures)."""
    fading: float = 0.5
    """Factor on the certainty of an earlier observation where a little changed and nothing is observed now (pictures:
    pale coins on pale tiles)."""
    min_readable_share: float = 0.5
    """Readable share of a place below which nothing is concluded (odds)."""
    min_region_coins: float = 0.07
    """Smallest changed region, in areas of a coin (pictures)."""
    region_margin_spaces: float = 0.12
    """Widening of a piece's changed region by its shadow and the comparison window, in spaces (pictures)."""
    same_place_spaces: float = 0.35
    """Distance within which an observation has the height of a known piece of its kind, in spaces (set)."""
    min_places: int = 6
    """Number of places below which no motion of the board is concluded (odds)."""
    moved_share: float = 0.5
    """Changed share of a board's pieces above which the board was moved (odds)."""
    label_reach: float = 0.6
    """Distance within which an observation is labelled by a piece, in halves of its width (set)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WitnessTuning:
    """All numbers of this package."""

    change: ChangeThresholds = field(default_factory=ChangeThresholds)
    appearance: AppearanceThresholds = field(default_factory=AppearanceThresholds)
    marking: MarkingThresholds = field(default_factory=MarkingThresholds)
    camera: CameraFit = field(default_factory=CameraFit)
    evidence: EvidenceWeights = field(default_factory=EvidenceWeights)


WITNESS = WitnessTuning()

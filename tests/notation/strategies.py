"""Values of the notation for Hypothesis: every new part of the grammar joins here."""

from __future__ import annotations

from hypothesis import strategies as st

from rules.notation.address import ACTIVE, All, AtStart, ById, FromTop, Nearest, Offset, One, PlaceOf, Point, TopAt
from rules.notation.spec import PieceSpec
from rules.notation.submove import Capture, Change, Drop, Flip, Raise, Remove, Replace, Shift, Swap, Turn

coordinates = st.integers(-4000, 4000).map(lambda n: n / 100)
points = st.builds(Point, coordinates, coordinates) | st.builds(Point, st.integers(1, 800), st.integers(0, 40))
angles = st.sampled_from([0.0, 90.0, 180.0, 270.0, 45.0, 12.5])
piecepack_specs = st.builds(
    PieceSpec,
    kind=st.none() | st.sampled_from(["tile", "coin", "die", "pawn", "matchstick", "saucer", "pyramid"]),
    side=st.none() | st.sampled_from(["face", "back", "left", "right", "top"]),
    suit=st.none() | st.integers(1, 4),
    rank=st.none() | st.integers(0, 12),
    angle=st.none() | angles,
    set=st.none() | st.sampled_from(["subpack", "decktet"]),
)
coloured_specs = st.builds(
    lambda kind, number, rank: PieceSpec(kind=kind, suit=number + 1, rank=rank, colour="RKGBYW"[number]),
    st.sampled_from(["die", "pyramid", "bit"]),
    st.integers(0, 5),
    st.none() | st.integers(0, 9),
)
specs = piecepack_specs | coloured_specs
simple_pieces = (
    st.just(ACTIVE)
    | st.builds(TopAt, points)
    | st.builds(Nearest, st.integers(1, 9), points)
    | st.builds(FromTop, points, st.lists(st.integers(1, 9), min_size=1, max_size=3).map(tuple))
    | st.builds(One, specs)
    | st.builds(All, specs)
    | st.builds(ById, st.integers(1, 99).map(str))
)
pieces = simple_pieces | st.builds(AtStart, simple_pieces)
locations = st.recursive(
    points | st.builds(PlaceOf, simple_pieces),
    lambda base: st.builds(Offset, coordinates, coordinates, st.none() | base),
    max_leaves=3,
)
beside = st.none() | st.builds(TopAt, points)
submoves = (
    st.builds(Drop, specs, locations, st.booleans(), beside)
    | st.builds(Shift, pieces, locations, st.booleans(), beside)
    | st.builds(Raise, pieces)
    | st.builds(Remove, pieces)
    | st.builds(Flip, pieces)
    | st.builds(Capture, pieces, pieces)
    | st.builds(Swap, pieces, pieces)
    | st.builds(Turn, pieces, angles, st.none() | points)
    | st.builds(Change, pieces, specs)
    | st.builds(Replace, pieces, specs)
)

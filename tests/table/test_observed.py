"""A table told as JSON: nothing that the eyes doubted is lost on the way."""

from __future__ import annotations

import pytest

from rules.pieces import Rank, Size, Suit
from rules.table.observed import ObservedTable, Sighting

COIN = {"kind": "coin", "suit": "suns", "face": "back", "position": [1, 2]}


def sighting_with(**fields: object) -> Sighting:
    return ObservedTable.from_look([COIN | fields]).sightings[0]


def test_what_is_there_for_sure_and_hardly_readable() -> None:
    other = {"suit": "moons", "value": None, "p": 0.45}
    sighting = sighting_with(confidence=0.55, alternatives=[other])
    assert sighting.certainty == pytest.approx(1.0)
    assert sighting.chance_of(Suit.SUNS, None) == pytest.approx(0.55)
    assert sighting.chance_of(Suit.MOONS, None) == pytest.approx(0.45)


def test_what_is_hardly_there_and_easily_read() -> None:
    sighting = sighting_with(confidence=0.4, alternatives=[])
    assert sighting.certainty == pytest.approx(0.4)
    assert sighting.chance_of(Suit.SUNS, Rank.TWO) == pytest.approx(1.0)


def test_a_certainty_that_is_told_counts() -> None:
    sighting = sighting_with(confidence=0.3, certainty=0.6, alternatives=[{"suit": "arms", "value": None, "p": 0.5}])
    assert sighting.certainty == pytest.approx(0.6)
    assert sighting.chance_of(Suit.SUNS, None) == pytest.approx(0.5)


def test_the_angle_on_the_table_counts_before_the_one_in_the_picture() -> None:
    assert sighting_with(angle_deg=10).angle == 10
    assert sighting_with(angle_deg=10, table_angle_deg=25).angle == 25


@pytest.mark.parametrize("fields", [{"confidence": 1.2}, {"certainty": -0.1}, {"confidence": "sure"}])
def test_what_is_no_probability_is_told(fields: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"probability|number"):
        sighting_with(**fields)


def test_the_doubts_of_a_pyramid_come_with_it() -> None:
    sizes = {"small": 0.2, "medium": 0.5, "large": 0.3}
    sighting = sighting_with(
        kind="pyramid", size="medium", sizes=sizes, lying=0.8, table_aim_deg=-103.0, table_edges_deg=4.0
    )
    assert sighting.sizes == {Size.SMALL: 0.2, Size.MEDIUM: 0.5, Size.LARGE: 0.3}
    assert (sighting.lying, sighting.aim, sighting.edges) == (0.8, -103.0, 4.0)
    assert sighting_with().sizes == {}
    for wrong in ({"sizes": [1]}, {"sizes": {"huge": 1.0}}, {"lying": 2.0}, {"table_aim_deg": "north"}):
        with pytest.raises(ValueError, match=r"[Ss]ize|probability|number"):
            sighting_with(**wrong)

"""Labelled readings of rendered tables."""

from __future__ import annotations

from itertools import islice

import numpy as np

from calibration.double import BOARDS_EVERY, MAX_WIDTH, is_identifiable, labelled_readings, scenes
from models.render import render
from models.render.styles import plain_edition
from rules.pieces import Kind
from vision.table_reader import TableReader


def test_what_is_read_on_a_drawn_table_goes_with_what_is_true(eyes: TableReader) -> None:
    scene = next(scenes(plain_edition("classic", 4)))
    table = render(scene)
    looks = labelled_readings(eyes, table, 0)
    asked = [piece for piece in table.truth["pieces"] if is_identifiable(piece)]
    assert 0 < len(looks) <= len(asked)
    assert {look.group for _, look in looks} == {0}
    tiles = [look for kind, look in looks if kind is Kind.TILE]
    sides = [look.signs.sides[look.shown.face] for look in tiles if look.shown.face is not None]
    assert np.mean(sides) > 0.8, "the reader agrees with the truth"


def test_tables_are_the_same_each_time_and_show_pieces() -> None:
    edition = plain_edition("classic", 4)
    first, again = (list(islice(scenes(edition), 3)) for _ in range(2))
    assert [scene.seed for scene in first] == [scene.seed for scene in again]
    assert all(scene.camera.width <= MAX_WIDTH and scene.bodies for scene in first)


def test_some_of_the_tables_are_boards_with_pieces_on_their_tiles() -> None:
    kinds = [scene.kind for scene in islice(scenes(plain_edition("classic", 4), boards_every=BOARDS_EVERY), 9)]
    assert 0 < kinds.count("occupied") < len(kinds) / 2


def test_what_can_hardly_be_seen_teaches_nothing() -> None:
    tile = {
        "kind": "tile",
        "suit": "suns",
        "value": "3",
        "visible": 0.9,
        "in_frame": 1.0,
        "outline_px": [[0, 0], [1, 0], [1, 1], [0, 1]],
        "art_visible": {"suit": 1.0, "value": 1.0},
    }
    assert is_identifiable(tile)
    for change in ({"visible": 0.2}, {"in_frame": 0.8}, {"art_visible": {"suit": 0.3, "value": 1.0}}, {"kind": "card"}):
        assert not is_identifiable({**tile, **change})

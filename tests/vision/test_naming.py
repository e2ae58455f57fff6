"""What a piece is called, and which side of a coin is up, two nets say; whether it is one and where only the first."""

from __future__ import annotations

import numpy as np

from tests.models.drawn import drawing
from vision.detect.decode import Detection
from vision.identify.heads import CLASSES, SOFTMAX
from vision.identify.read import CropReading, Reader, crops
from vision.nets import open_session
from vision.rectify import Layers

COIN_SIDES = [CLASSES.index("coin front"), CLASSES.index("coin back")]


def found_in(pieces: list[dict[str, object]]) -> list[Detection]:
    return [
        Detection(str(each["kind"]), 0.9, np.array(each["center_px"]), np.array(each["outline_px"])) for each in pieces
    ]


def test_the_mean_of_both_names_and_the_first_alone_says_what_it_is_and_where() -> None:
    image, truth = drawing(3)
    found = found_in(truth["pieces"])
    reader, namer = open_session("reader"), open_session("namer")
    alone, other, both = Reader(reader), Reader(namer), Reader(reader, namer)
    batch, matrices = crops(Layers(image), found, alone.side)
    one, two, mean = (list[CropReading](read(batch, found, matrices)) for read in (alone, other, both))
    heat = reader.model.temperatures
    for mine, theirs, told in zip(one, two, mean, strict=True):
        first, second, both_sides = (each.beliefs["class"] for each in (mine, theirs, told))
        assert np.abs(np.delete(both_sides, COIN_SIDES) - np.delete(first, COIN_SIDES)).max() < 1e-3
        assert abs(both_sides[COIN_SIDES].sum() - first[COIN_SIDES].sum()) < 1e-3, "as likely a coin"
        lead = [np.log(each[COIN_SIDES[0]] / each[COIN_SIDES[1]]) for each in (first, second, both_sides)]
        warmth = heat.get("class", 1.0)
        assert (
            abs((lead[0] * warmth + lead[1] * namer.model.temperatures.get("class", 1.0)) / 2 / warmth - lead[2]) < 1e-3
        )
        assert (told.numbers["refine"] == mine.numbers["refine"]).all()
        assert (told.embedding == mine.embedding).all()
        for head in SOFTMAX:
            if head.startswith(("suit", "value", "size", "pose")):
                first = np.log(mine.beliefs[head]) * heat.get(head, 1.0)
                second = np.log(theirs.beliefs[head]) * namer.model.temperatures.get(head, 1.0)
                wanted = np.exp((first + second) / 2 / heat.get(head, 1.0))
                assert np.abs(told.beliefs[head] - wanted / wanted.sum()).max() < 1e-4

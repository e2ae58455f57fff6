"""A table's last look as a picture; drawn once for all who look."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict

import cv2

from companion_api.records.board_picture import draw
from rules.table.layout import Layout, Placed

KEPT = 200


class DrawnLooks:
    def __init__(self) -> None:
        self._made: OrderedDict[str, bytes] = OrderedDict()

    def of(self, look: bytes, longest: int) -> tuple[str, bytes]:
        """Its tag and the PNG; ValueError where the look is none."""
        tag = hashlib.sha256(look).hexdigest()[:16] + f"-{longest}"
        if tag not in self._made:
            self._made[tag] = drawn(look, longest)
            if len(self._made) > KEPT:
                self._made.popitem(last=False)
        return tag, self._made[tag]


def drawn(look: bytes, longest: int) -> bytes:
    layout = json.loads(look)["layout"]
    pieces = tuple(Placed.from_json(piece) for piece in layout["pieces"])
    borders = tuple((float(a), float(b), float(c), float(d)) for a, b, c, d in layout["borders"])
    good, png = cv2.imencode(".png", draw(Layout(pieces, (), borders), longest=longest))
    if not good:
        raise ValueError("the table cannot be drawn")
    return png.tobytes()

"""The page draws pieces as large as they are."""

from __future__ import annotations

import re

import pytest

from companion_api.app import WEB
from rules.pieces import Size
from rules.pieces.sizes import CARD, COIN, DIE, pyramid_base


def test_the_page_has_the_sizes_of_the_one_table() -> None:
    (drawn,) = re.findall(r"const HALF = \{(.*?)\};", (WEB / "js/parts/piece.js").read_text(), re.DOTALL)
    sizes = {name: float(half) for name, half in re.findall(r"(\w+): ([\d.]+)", drawn)}
    true = {"coin": COIN, "die": DIE, "wide": CARD[0], "high": CARD[1]} | {s.value: pyramid_base(s) for s in Size}
    assert sizes == pytest.approx({name: whole / 2 for name, whole in true.items()}, abs=0.005)

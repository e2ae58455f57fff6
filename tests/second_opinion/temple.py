"""Tula once more: tiles with their centres, every pair of them looked at for every question."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from rules.engine.contract import AnyGame
from tests.second_opinion.opinion import End

RANKS = "012345"
ORIGINAL = {
    1: "1-7 3-7 5-7 7-7 1-5 3-5 5-5 7-5 1-3 3-3 5-3 7-3 4-1",
    2: "2-6 4-6 6-6 2-4 4-4 6-4 4-2",
    3: "3-5 5-5 4-3",
    4: "4-4",
}
VARIANT_1 = {
    1: "2-5 4-5 6-5 8-5 1-3 3-3 5-3 7-3 9-3 2-1 4-1 6-1 8-1",
    2: "2-4 4-4 6-4 8-4 2-2 4-2 6-2 8-2",
    3: "3-3 5-3 7-3",
}
VARIANT_2 = {
    1: "6-11 8-11 3-9 5-9 7-9 9-9 11-9 1-7 3-7 5-7 7-7 9-7 11-7 13-7 1-5 3-5 5-5 7-5 9-5 11-5 13-5 3-3 5-3 7-3 9-3 11-3"
    " 6-1 8-1",
    2: "7-10 4-8 6-8 8-8 10-8 2-6 4-6 6-6 8-6 10-6 12-6 4-4 6-4 8-4 10-4 7-2",
    3: "5-7 9-7 5-5 9-5",
}
VARIANT_3 = {
    1: "5-9 7-9 2-7 4-7 6-7 8-7 10-7 1-5 3-5 5-5 7-5 9-5 11-5 2-3 4-3 6-3 8-3 10-3 5-1 7-1",
    2: "6-9 3-7 5-7 7-7 9-7 2-5 4-5 6-5 8-5 10-5 3-3 5-3 7-3 9-3 6-1",
    3: "6-8 3-6 5-6 7-6 9-6 3-4 5-4 7-4 9-4 6-2",
    4: "4-5 6-5 8-5",
}
VARIANT_4 = {
    1: "4-7 6-7 8-7 10-7 12-7 3-5 5-5 7-5 9-5 11-5 13-5 3-3 5-3 7-3 9-3 11-3 13-3 1-4 15-4 4-1 6-1 8-1 10-1 12-1",
    2: "5-6 7-6 9-6 11-6 2-4 4-4 6-4 8-4 10-4 12-4 14-4 5-2 7-2 9-2 11-2",
    3: "5-5 7-5 9-5 11-5 5-3 7-3 9-3 11-3",
    4: "8-4",
}
PLANS = {
    "original": ORIGINAL,
    "variant1": VARIANT_1,
    "variant2": VARIANT_2,
    "variant3": VARIANT_3,
    "variant4": VARIANT_4,
}


@dataclass
class Tile:
    layer: int
    x: int
    y: int
    code: str = ""

    @property
    def name(self) -> str:
        return f"{self.layer}:{self.x}-{self.y}"


class Tula:
    def __init__(self, setup: str, mercy: bool = False) -> None:
        plan = PLANS[setup]
        self.tiles = []
        for layer, spots in plan.items():
            for x, y in (spot.split("-") for spot in spots.split()):
                self.tiles.append(Tile(layer, int(x), int(y)))
        self.mercy = mercy
        self.stack: list[str] = []
        self.turning: Tile | None = None
        self.starts = setup == "original"
        self.starting = False
        packs = len(self.tiles) // 24
        self.unseen = [f"t{suit}{rank}" for suit in "SMCA" for rank in RANKS] * packs

    def covered(self, tile: Tile) -> bool:
        above = (other for other in self.tiles if other.layer > tile.layer)
        return any(abs(other.x - tile.x) < 2 and abs(other.y - tile.y) < 2 for other in above)

    def has_free_corner(self, tile: Tile) -> bool:
        beside = [other for other in self.tiles if other.layer == tile.layer and other is not tile]
        east, west = (any(o.x - tile.x == way and abs(o.y - tile.y) < 2 for o in beside) for way in (2, -2))
        north, south = (any(o.y - tile.y == way and abs(o.x - tile.x) < 2 for o in beside) for way in (2, -2))
        return not ((east or north) and (east or south) and (west or north) and (west or south))

    def fits(self, tile: Tile) -> bool:
        return not self.stack or tile.code[1] == self.stack[-1][1] or tile.code[2] == self.stack[-1][2]

    def legal(self) -> set[str]:
        if self.turning is not None:
            return {f"show({self.turning.name},{code})" for code in self.unseen}
        bare = [tile for tile in self.tiles if not self.covered(tile)]
        found = {f"reveal({tile.name})" for tile in bare if not tile.code and self.has_free_corner(tile)}
        if self.starts and len(self.tiles) == 24 and not self.tiles[-1].code:
            found.add("start")
        found |= {f"exchange({tile.name})" for tile in self.merciful()}
        return found | {f"remove({tile.name})" for tile in bare if tile.code and self.fits(tile)}

    def merciful(self) -> list[Tile]:
        """The third layer, once, if all of it lies open and none matches the one tile of the stack."""
        third = [tile for tile in self.tiles if tile.layer == 3]
        ready = self.mercy and len(self.tiles) == 23 and len(self.stack) == 1
        return third if ready and all(tile.code and not self.fits(tile) for tile in third) else []

    def play(self, action: str) -> None:
        verb = action.partition("(")[0]
        name = (re.findall(r"\d:\d+-\d+", action) or ["4:4-4"])[0]
        tile = next(tile for tile in self.tiles if tile.name == name)
        if verb == "exchange":
            tile.code, self.stack[-1] = self.stack[-1], tile.code
            self.mercy = False
            return
        if verb == "show":
            tile.code = action[-4:-1]
            self.unseen.remove(tile.code)
            self.turning = None
        elif not tile.code:
            self.turning = tile
        self.starting = self.starting or verb == "start"
        if verb in ("remove", "start", "show") and tile.code and (verb == "remove" or self.starting):
            self.tiles.remove(tile)
            self.stack.append(tile.code)
            self.starting = False

    def to_act(self) -> int | None:
        return 0 if self.turning is None else None

    def table(self) -> Any:
        return {(tile.x, tile.y, tile.layer): tile.code for tile in self.tiles}

    def seen(self, game: AnyGame, state: Any) -> Any:
        found = {}
        for placed in game.layout(state).board:
            if ":" in placed.place:
                known = placed.piece.suit is not None
                found[int(placed.x), int(placed.y), placed.level + 1] = placed.piece.code if known else ""
        return found

    def end(self) -> End | None:
        if not self.tiles:
            return End((0,))
        return None if self.legal() else End(())

    def scores(self) -> tuple[int, ...]:
        return (len(self.tiles),)

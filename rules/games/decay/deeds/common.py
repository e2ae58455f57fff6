"""What is said of tiles that there are not, and in which step of the turn one is."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from rules.engine import Code, Now, Refusal
from rules.games.decay.geometry import EAST, WEST, on_table
from rules.games.decay.opening import INDEX, NAMES, Phase, State
from rules.sentence import Sentence, say

HERE = Now("", "that is not possible now: {doing}")
ANOTHER_STEP = Now("DECAY-4.1", "that is not possible now: {doing}")
"""For what belongs into another step of the turn."""

DOING = {
    Phase.ROLL: say("the dice are rolled to see who begins"),
    Phase.CREATE: say("the board is being built"),
    Phase.PAWN: say("the pawn is moved (step 1)"),
    Phase.TILE: say("one tile may be moved (step 2)"),
    Phase.KEEP: say("the active seat says which part of the board stays"),
    Phase.ATTACK: say("the attack is made or waived"),
    Phase.TAKE: say("coins won by the attack are taken"),
    Phase.SLIDE: say("tiles may slide (step 3)"),
    Phase.DRAW: say("a draw was offered and is to be answered"),
    Phase.OVER: say("the game is over"),
}


def say_side(side: int) -> Sentence:
    return (say("north"), say("east"), say("south"), say("west"))[side]


def say_shift(side: int, offset: int) -> Sentence:
    """Which way an offset along a side goes."""
    if side in (EAST, WEST):
        return say("to the north") if offset > 0 else say("to the south")
    return say("to the east") if offset > 0 else say("to the west")


WHOLE = re.compile(r"-?\d{1,6}\Z")


def no_tile(state: State, name: str, *, laid: bool = True) -> Refusal | None:
    """Whether a tile is called so at all, and lies on the table."""
    if name not in INDEX:
        text = say("“{tile}” is not a tile; tiles are called like Sn, Ma, C2 or A5", tile=name[:20])
        return Refusal(Code.BAD_ARGUMENT, "DECAY-1.3", text, {"tile": name[:20]})
    if laid and state.tiles[INDEX[name]] is None:
        return Refusal(Code.NO_SUCH_PIECE, "DECAY-5.9", say("{tile} is not on the table", tile=name), {"tile": name})
    return None


def tiles_named(state: State, names: Collection[str]) -> Iterator[int]:
    """The tiles on the table that are named."""
    return (tile for tile, _, _ in on_table(state.tiles) if NAMES[tile] in names)

"""The deed after the melt: a tile may drift (PENG-9.8)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache

from rules.engine import Action, Code, Effect, EffectKind, Refusal, Spot, Verb
from rules.engine.action import NUMBER, PLACE
from rules.engine.argument_value import Value, place, word
from rules.engine.refusal import Facts
from rules.engine.values import with_item
from rules.games.penguin.deeds.common import MAX_ECHO, PenguinDeed, no_such_space
from rules.games.penguin.geometry import Corner, drift_fault, drift_targets, name_of
from rules.games.penguin.ice import QUARTERS, different_turns, may_drift, next_turn, penguins_on, turn_tile
from rules.games.penguin.opening import Phase, State
from rules.pieces import tile
from rules.sentence import say

PASS = Action("pass")


class Drift(PenguinDeed):
    verb = Verb.of(
        "drift", "the tile at {tile} drifts to ({x}, {y}), turned by {rot} degrees clockwise", "PENG-9.8",
        tile=PLACE, x=NUMBER, y=NUMBER, rot=NUMBER,
    )  # fmt: skip
    phases = (Phase.DRIFT,)
    exhaustive = False

    def describe(self, action: Action) -> str:
        """The drift is said by the new space of its south-west corner; the turn only if there is one."""
        place, x, y, degrees = action.args
        if not (_is_coordinate(x) and _is_coordinate(y)):
            return super().describe(action)
        to = name_of(int(x), int(y))
        if to == place and degrees != "0":
            return f"the tile at {place} turns by {degrees} degrees clockwise"
        turned = f", turned by {degrees} degrees clockwise" if degrees != "0" else ""
        return f"the tile at {place} drifts to {to}{turned}"

    def values(self, action: Action) -> tuple[Value, ...]:
        """Column and row as names of the board; the turn only if there is one."""
        if not all(map(_is_coordinate, action.args[1:3])):
            return super().values(action)
        column, row = (name_of(int(action[1]), 0)[0], str(int(action[2]) + 1))
        return (place(action[0]), word(column), word(row), word("" if action[3] == "0" else action[3]))

    def legal(self, state: State) -> Iterator[Action]:
        """Turns of a tile with the same result are listed once (PENG-7.11)."""
        for number, own in enumerate(state.tiles):
            if own is None or not may_drift(state, number):
                continue
            turns = different_turns(state, number)
            for corner in drift_targets(state.tiles, number):
                for quarters in turns:
                    if quarters or corner != own:
                        yield _drift(state.board.names[4 * number], corner, quarters)

    def sample(self, state: State, rng: random.Random) -> Action | None:
        """In half of the samples nothing drifts."""
        number = rng.randrange(len(state.tiles))
        corners = drift_targets(state.tiles, number)
        if rng.random() < 0.5 or not corners or not may_drift(state, number):
            return PASS
        return _drift(state.board.names[4 * number], rng.choice(corners), rng.randrange(4))

    def check(self, state: State, action: Action) -> Refusal | None:
        return no_such_space(state, action[0]) or _unreadable(action) or _drift_refusal(state, action)

    def advance(self, state: State, action: Action) -> State:
        number, corner, quarters = _drift_of(state, action)
        stacks, penguins = turn_tile(state, number, quarters)
        return next_turn(state, with_item(state.tiles, number, corner), state.suits, stacks, penguins)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        index, corner, quarters = _drift_of(before, action)
        old = before.tiles[index]
        assert old is not None
        if old == corner and not quarters:
            yield _no_drift(before)
            return
        kind = EffectKind.ROTATE if old == corner else EffectKind.MOVE
        facts: Facts = {
            "clockwise_deg": 90 * quarters,
            "coins": sum(map(len, before.stacks[4 * index : 4 * index + 4])),
            "penguins": [before.pawns[seat].value for seat in penguins_on(before, index)],
        }
        source, target = (Spot(name_of(*at), at[0] + 1.5, at[1] + 1.5) for at in (old, corner))
        yield Effect(kind, tile(), f"tile{index}", source, target, seat=before.to_act, clause="PENG-9.8", facts=facts)


class Pass(PenguinDeed):
    verb = Verb.of("pass", "no tile drifts", "PENG-9.8")
    phases = (Phase.DRIFT,)

    def advance(self, state: State, action: Action) -> State:
        return next_turn(state, state.tiles, state.suits, state.stacks, state.penguins)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        yield _no_drift(before)


@lru_cache(maxsize=4096)
def _drift(name: str, corner: Corner, quarters: int) -> Action:
    return Action("drift", (name, str(corner[0]), str(corner[1]), str(90 * quarters)))


def _drift_of(state: State, action: Action) -> tuple[int, Corner, int]:
    """Tile, new corner and number of quarter turns."""
    return state.board.cells[action[0]] // 4, (int(action[1]), int(action[2])), QUARTERS[action[3]]


def _no_drift(state: State) -> Effect:
    return Effect(EffectKind.CHOOSE, seat=state.to_act, clause="PENG-9.8", facts={"choice": "no drift"})


def _unreadable(action: Action) -> Refusal | None:
    _, x, y, rotation = action.args
    if rotation not in QUARTERS:
        said = rotation[:MAX_ECHO]
        text = say("a tile turns by 0, 90, 180 or 270 degrees clockwise, not by “{rotation}”", rotation=said)
        return Refusal(Code.BAD_ARGUMENT, "PENG-9.8", text)
    if _is_coordinate(x) and _is_coordinate(y):
        return None
    text = say("write the new place as two whole numbers: where the south-west space will lie; a1 is 0 and 0")
    return Refusal(Code.BAD_ARGUMENT, "PENG-9.8", text, {"x": x[:MAX_ECHO], "y": y[:MAX_ECHO]})


def _is_coordinate(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdecimal() and len(digits) <= 4


def _drift_refusal(state: State, action: Action) -> Refusal | None:
    number, corner, _ = _drift_of(state, action)
    where = name_of(*corner)
    facts: Facts = {"tile": action[0], "x": corner[0], "y": corner[1]}
    if not may_drift(state, number):
        pawn = state.pawns[penguins_on(state, number)[0]]
        text = say("the {pawn} penguin stands on this tile; only tiles without a penguin may drift", pawn=pawn)
        return Refusal(Code.PROTECTED, "PENG-8.10", text, facts)
    fault = drift_fault(state.tiles, number, corner)
    if fault is None:
        return None
    clause = "PENG-9.8"
    if fault == "overlap":
        return Refusal(Code.OVERLAP, clause, say("a tile at {where} would lie on another tile", where=where), facts)
    if fault == "alone":
        text = say("a tile at {where} would not touch another tile along a full edge", where=where)
        return Refusal(Code.NO_CONTACT, clause, text, facts)
    if fault == "apart":
        text = say("with the tile at {where} the other tiles would no longer hang together by full edges", where=where)
        return Refusal(Code.SPLITS, clause, text, facts)
    text = say("with the tile at {where} the ice would be wider than 26 spaces", where=where)
    return Refusal(Code.LIMIT, clause, text, facts)

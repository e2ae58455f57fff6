"""The blank moves a tile, or leaves them all (GW-4.9, GW-R2)."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator

from rules.engine import Action, Code, Effect, EffectKind, ParamKind, Refusal, Verb
from rules.games.global_warming.cells import is_cell, near, shore
from rules.games.global_warming.deeds.common import WarmingDeed, lapsed
from rules.games.global_warming.layout import spot
from rules.games.global_warming.opening import ACTIONS, TILES, State
from rules.games.global_warming.turns import free_tiles, next_actor
from rules.pieces import parse_rank
from rules.sentence import say


class MoveTile(WarmingDeed):
    verb = Verb.of("move_tile", "move the tile on {from_} to {to}", "GW-4.9", from_=ParamKind.PLACE, to=ParamKind.PLACE)
    phases = (ACTIONS,)

    def legal(self, state: State) -> Iterator[Action]:
        if _face(state) == "n":
            for source in free_tiles(state.tiles, state.pawns):
                yield from _tile_moves(state, source)

    def near(self, state: State, names: Collection[str]) -> Iterator[Action]:
        """A tile that is tapped goes anywhere; a cell that is tapped takes any free tile."""
        if _face(state) == "n":
            for source in free_tiles(state.tiles, state.pawns):
                yield from (a for a in _tile_moves(state, source) if source in names or a[1] in names)

    def check(self, state: State, action: Action) -> Refusal | None:
        return _needs_blank(state) or _lift(state, action[0]) or _lay(state, *action.args)

    def advance(self, state: State, action: Action) -> State:
        source, target = action.args
        tiles = tuple([target if place == source else place for place in state.tiles])
        return next_actor(state, state.order[1:], tiles, state.pawns, state.faces)

    def happens(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        source, target = action.args
        piece = TILES[before.tiles.index(source)]
        seat = before.owners[before.order[0]]
        yield Effect(EffectKind.MOVE, piece, piece.code, spot(source), spot(target), seat=seat, clause="GW-4.9")
        yield from lapsed(before.order[1:], after)


class Decline(WarmingDeed):
    verb = Verb.of("decline", "leave the tiles as they are", "GW-R2")
    phases = (ACTIONS,)

    def legal(self, state: State) -> Iterator[Action]:
        if _face(state) == "n" and state.options.blank_optional:
            yield Action("decline")

    def check(self, state: State, action: Action) -> Refusal | None:
        if _face(state) != "n":
            text = say("the die shows {face}: all its steps must be made", face=_face(state))
            return Refusal(Code.MUST_MOVE, "GW-4.7", text, {"face": _face(state)})
        if not state.options.blank_optional:
            return Refusal(Code.MUST_MOVE, "GW-R2", say("in this game the blank must move a tile"), {})
        return None

    def advance(self, state: State, action: Action) -> State:
        return next_actor(state, state.order[1:], state.tiles, state.pawns, state.faces)

    def happens(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        seat = before.owners[before.order[0]]
        yield Effect(EffectKind.CHOOSE, seat=seat, clause="GW-R2", facts={"choice": "decline"})
        yield from lapsed(before.order[1:], after)


def _face(state: State) -> str:
    return state.faces[state.order[0]]


def _needs_blank(state: State) -> Refusal | None:
    if _face(state) == "n":
        return None
    steps = int(parse_rank(_face(state)))
    text = say(
        "the die shows an ace: one step with a pawn", "the die shows a {count}: {count} steps with pawns", count=steps
    )
    return Refusal(Code.NOT_ALLOWED, "GW-4.5", text, {"face": _face(state)})


def _lift(state: State, source: str) -> Refusal | None:
    if source in free_tiles(state.tiles, state.pawns):
        return None
    if source in state.pawns:
        owner = state.suits[state.pawns.index(source)]
        text = say(
            "the {pawn} pawn stands on {place}; only a tile without a pawn can be moved", pawn=owner, place=source
        )
        return Refusal(Code.PROTECTED, "GW-4.9", text, {"place": source, "pawn": owner.value})
    return Refusal(
        Code.EMPTY, "GW-4.9", say("there is no tile on “{place}”", place=source[:20]), {"place": source[:20]}
    )


def _lay(state: State, source: str, target: str) -> Refusal | None:
    facts = {"from": source, "to": target[:20]}
    if not is_cell(target):
        return Refusal(
            Code.NO_SUCH_PLACE,
            "GW-2.3",
            say("“{target}” is not a cell; write for example 2/1", target=target[:20]),
            facts,
        )
    if target == source:
        return Refusal(
            Code.REPEATS, "GW-R4", say("the tile must go to another cell than {source}", source=source), facts
        )
    if target in state.tiles:
        return Refusal(Code.OCCUPIED, "GW-4.9", say("there is a tile on {target} already", target=target), facts)
    neighbours = [place for place in near(target) if place in state.tiles]
    if neighbours == [source]:
        text = say(
            "{target} touches only {source}, where the tile comes from; without it there is no neighbour",
            target=target,
            source=source,
        )
        return Refusal(Code.NO_CONTACT, "GW-4.10", text, facts)
    if not neighbours:
        text = say("{target} shares no edge with another tile; a corner is not enough", target=target)
        return Refusal(Code.NO_CONTACT, "GW-4.9", text, facts)
    return None


def _tile_moves(state: State, source: str) -> Iterator[Action]:
    others = [place for place in state.tiles if place and place != source]
    for target in shore(others):
        if target != source:
            yield Action("move_tile", (source, target))


def tile_by_luck(state: State, rng: random.Random) -> Action:
    """A free tile next to some other tile; a few tries find one nearly always."""
    if state.options.blank_optional and rng.random() < 0.1:
        return Action("decline")
    free = free_tiles(state.tiles, state.pawns)
    source = free[int(rng.random() * len(free))]
    others = [place for place in state.tiles if place and place != source]
    targets: list[str] = []
    while not targets:
        anchor = others[int(rng.random() * len(others))]
        targets = [place for place in near(anchor) if place not in state.tiles]
    return Action("move_tile", (source, targets[int(rng.random() * len(targets))]))

"""Deeds of movement: pyramids step and jump, tiles slide; a seat that can do neither passes (ICE-4.1 to ICE-4.11)."""

from __future__ import annotations

import random
from collections.abc import Iterator

from rules.engine import Action, Code, Effect, EffectKind, PhaseText, Refusal, Verb
from rules.engine.action import LIST, PIECE, PLACE, WAY, ParamType
from rules.engine.argument_value import ARROW, Value, in_a_row, pyramid_of
from rules.games.ice_floe import geometry
from rules.games.ice_floe.deeds.common import (
    FloeDeed,
    index_of,
    no_cell,
    no_pyramid,
    no_tile,
    pyramid_and_cells,
    tile_breaks,
)
from rules.games.ice_floe.floes import after_slide, alive, can_act, paths, slides, walk, weight_on
from rules.games.ice_floe.layout import pyramid_piece, spot
from rules.games.ice_floe.opening import LOST, TILES, WEIGHTS, Phase, State, find_pyramid, pyramid_name
from rules.games.ice_floe.rounds import actor_of, after_move, read_path
from rules.sentence import Person, say

_TRIES = 12


def _path(code: str) -> Value:
    """a1>b2: from one space to the next."""
    return in_a_row((Value(place=space) for space in code.split(">")), ARROW)


class Move(FloeDeed):
    verb = Verb.of(
        "move", "{pyramid} to {path}", "ICE-4.1", pyramid=ParamType(PIECE, pyramid_of), path=ParamType(LIST, _path)
    )
    phases = (Phase.MOVE,)
    wrong_phase = PhaseText("ICE-4.1", "pyramids move in the movement part of the round; now comes {now}")

    def legal(self, state: State) -> Iterator[Action]:
        for index in alive(state, state.to_act):
            name = pyramid_name(state, index)
            for path in paths(state, index):
                yield Action("move", (name, geometry.path_text(path)))

    def sample(self, state: State, rng: random.Random) -> Action | None:
        """Sometimes a slide, else a random path; None after some failed tries."""
        standing = alive(state, state.to_act)
        if standing and rng.random() < 0.1:
            sliding = list(slides(state, state.to_act))
            if sliding:
                source, way, _ = rng.choice(sliding)
                return Action("slide", (geometry.NAMES[source], way))
        for _ in range(_TRIES if standing else 0):
            index = standing[int(rng.random() * len(standing))]
            start = state.pyramids[index]
            possible = geometry.PATHS[start]
            path = possible[int(rng.random() * len(possible))]
            first, second = path
            if state.floes[first] and (second == geometry.NOWHERE or (state.floes[second] and second != start)):
                return Action("move", (pyramid_name(state, index), geometry.path_text(path)))
        return None

    def check(self, state: State, action: Action) -> Refusal | None:
        seat = actor_of(state, action)
        name, path = action.args
        index = find_pyramid(state, name)
        if index is None:
            return no_pyramid(state, name)
        owner = index // 6
        if owner != seat:
            whose = Person(owner)
            text = say("{pyramid} belongs to {owner}; you may move only your own pyramids", pyramid=name, owner=whose)
            return Refusal(Code.NOT_YOURS, "ICE-4.1", text, {"pyramid": name, "owner": state.suits[owner].value})
        if state.pyramids[index] == LOST:
            return Refusal(Code.NO_SUCH_PIECE, "ICE-4.7", say("{pyramid} has left the game", pyramid=name))
        return _check_path(state, state.pyramids[index], path.split(">"))

    def advance(self, state: State, action: Action) -> State:
        index = index_of(state, action[0])
        return after_move(walk(state, index, read_path(action[1])), actor_of(state, action))

    def own_effects(self, before: State, action: Action, after: State, seat: int) -> Iterator[Effect]:
        index = index_of(before, action[0])
        piece = pyramid_piece(before, index)
        here = before.pyramids[index]
        for target in read_path(action[1]):
            if target == geometry.NOWHERE:
                continue
            kind, clause = ("jump", "ICE-4.3") if geometry.length(here, target) == 2 else ("step", "ICE-4.2")
            moved = piece, piece.code, spot(here), spot(target)
            yield Effect(EffectKind.MOVE, *moved, seat=seat, clause=clause, facts={"kind": kind})
            here = target
            if before.floes[target] and not after.floes[target]:
                load = weight_on(before.pyramids, target) + WEIGHTS[index % 6]
                yield from tile_breaks(before, target, index, load, "ICE-4.7")
                return

    def describe(self, action: Action) -> str:
        return super().describe(action).replace(">", " and on to ")

    def touches(self, action: Action) -> tuple[str, ...]:
        return pyramid_and_cells(action)


class Slide(FloeDeed):
    verb = Verb.of("slide", "slide the tile on {cell} to the {way}", "ICE-4.9", cell=PLACE, way=WAY)
    phases = (Phase.MOVE,)
    wrong_phase = PhaseText("ICE-4.1", "tiles slide in the movement part of the round; now comes {now}")

    def legal(self, state: State) -> Iterator[Action]:
        return (Action("slide", (geometry.NAMES[source], way)) for source, way, _ in slides(state, state.to_act))

    def check(self, state: State, action: Action) -> Refusal | None:
        seat = actor_of(state, action)
        place, way = action.args
        if refusal := no_tile(state, place, "ICE-4.9"):
            return refusal
        if way not in geometry.COMPASS:
            text = say("“{given}” is not a direction; a tile slides N, E, S or W", given=way[:20])
            return Refusal(Code.WRONG_DIRECTION, "ICE-2.4", text)
        source = geometry.CELL_OF[place]
        if all(where != source for where in state.pyramids[6 * seat : 6 * seat + 6]):
            text = say(
                "no pyramid of {who} is on {place}; you may slide only a tile with one of your own pyramids on it",
                who=Person(seat),
                place=place,
            )
            return Refusal(Code.NOT_YOURS, "ICE-4.9", text, {"place": place})
        target = geometry.neighbour(source, *geometry.COMPASS[way])
        if target is None:
            text = say("{place} is at the edge; a tile stays inside the 5 by 5 cells", place=place)
            return Refusal(Code.NO_SUCH_PLACE, "ICE-4.9", text, {"place": place, "way": way})
        if state.floes[target]:
            text = say("there is a tile on {target}; a tile cannot push another", target=geometry.NAMES[target])
            return Refusal(Code.BLOCKED, "ICE-4.9", text, {"place": place, "to": geometry.NAMES[target]})
        return None

    def advance(self, state: State, action: Action) -> State:
        return after_move(after_slide(state, *_ends_of_slide(action)), actor_of(state, action))

    def own_effects(self, before: State, action: Action, after: State, seat: int) -> Iterator[Effect]:
        source, target = _ends_of_slide(action)
        ends = spot(source), spot(target)
        tile = TILES[before.floes[source]]
        yield Effect(EffectKind.MOVE, tile, tile.code, *ends, seat=seat, clause="ICE-4.10")
        for index, place in enumerate(before.pyramids):
            if place == source:
                piece = pyramid_piece(before, index)
                yield Effect(EffectKind.MOVE, piece, piece.code, *ends, seat=index // 6, clause="ICE-4.10")

    def touches(self, action: Action) -> tuple[str, ...]:
        """Also the hole that the tile slides into."""
        if len(action.args) != 2 or action[0] not in geometry.CELL_OF:
            return super().touches(action)
        target = geometry.neighbour(geometry.CELL_OF[action[0]], *geometry.COMPASS.get(action[1], (0, 0)))
        return (action[0],) if target is None else (action[0], geometry.NAMES[target])


def _ends_of_slide(action: Action) -> tuple[int, int]:
    """The cells from which and to which a legal slide brings a tile."""
    source = geometry.CELL_OF[action[0]]
    return source, dict(geometry.SLIDES[source])[action[1]]


class Pass(FloeDeed):
    verb = Verb.of("pass", "pass, because nothing can move", "ICE-4.11")
    phases = (Phase.MOVE,)
    wrong_phase = PhaseText("ICE-4.11", "passing is for the movement part of the round; now comes {now}")
    is_last_resort = True

    def check(self, state: State, action: Action) -> Refusal | None:
        seat = actor_of(state, action)
        if can_act(state, seat):
            text = say("whoever can move a pyramid or slide a tile must do so")
            return Refusal(Code.MUST_MOVE, "ICE-4.11", text, {"seat": seat})
        return None

    def advance(self, state: State, action: Action) -> State:
        return after_move(state, actor_of(state, action))

    def own_effects(self, before: State, action: Action, after: State, seat: int) -> Iterator[Effect]:
        yield Effect(EffectKind.CHOOSE, seat=seat, clause="ICE-4.11", facts={"choice": "pass"})


def _check_path(state: State, start: int, places: list[str]) -> Refusal | None:
    here, total = start, 0
    for place in places:
        if refusal := _check_part(state, here, place):
            return refusal
        total += geometry.length(here, geometry.CELL_OF[place]) or 0
        here = geometry.CELL_OF[place]
    facts = {"parts": len(places), "length": total}
    if len(places) > geometry.MOST_PARTS:
        text = say("{parts} parts were made; a pyramid moves once or twice", parts=len(places))
        return Refusal(Code.LIMIT, "ICE-4.4", text, facts)
    if total > geometry.LONGEST:
        text = say(
            "the move is {length} long; a step counts 1, a jump 2, and the limit is {longest}",
            length=total,
            longest=geometry.LONGEST,
        )
        return Refusal(Code.LIMIT, "ICE-4.4", text, facts)
    if here == start and state.options.null_move == "forbid":
        text = say("the pyramid would end on {place}, where it began", place=geometry.NAMES[start])
        return Refusal(Code.REPEATS, "ICE-R4", text)
    return None


def _check_part(state: State, here: int, place: str) -> Refusal | None:
    if refusal := no_cell(place):
        return refusal
    far = geometry.length(here, geometry.CELL_OF[place])
    source = geometry.NAMES[here]
    facts = {"from": source, "to": place}
    if far is None:
        text = say(
            "{target} is not straight from {source}: not along a rank, a file or a diagonal",
            target=place,
            source=source,
        )
        return Refusal(Code.WRONG_DIRECTION, "ICE-4.3", text, facts)
    if far == 0:
        return Refusal(Code.MUST_MOVE, "ICE-4.2", say("a part of a move must leave {target}", target=place), facts)
    if far > 2:
        text = say(
            "{target} is {far} cells from {source}; a jump goes over one cell only",
            target=place,
            far=far,
            source=source,
        )
        return Refusal(Code.WRONG_DISTANCE, "ICE-4.3", text, facts)
    return no_tile(state, place, "ICE-4.5")

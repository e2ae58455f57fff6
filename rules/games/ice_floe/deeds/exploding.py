"""The tile that was voted on explodes, and perhaps a second one (ICE-4.27, ICE-4.28)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine import Action, Code, Effect, EffectKind, Now, ParamKind, Refusal, Verb
from rules.engine.values import replace
from rules.games.ice_floe.deeds.common import FloeDeed, no_cell, no_tile, tile_breaks
from rules.games.ice_floe.floes import broken, empty_floes, weight_on
from rules.games.ice_floe.geometry import CELL_OF, NAMES
from rules.games.ice_floe.opening import BONUS, EXPLODE, State, pyramid_name
from rules.games.ice_floe.rounds import after_explosions, final, someone_is_out
from rules.sentence import say


class Explode(FloeDeed):
    verb = Verb.of("explode", "explode the tile on {cell}", "ICE-4.27", cell=ParamKind.PLACE)
    phases = (EXPLODE,)
    elsewhere = Now("ICE-4.27", "only the tile that was voted on explodes, right after the vote; now comes {now}")

    def legal(self, state: State) -> Iterator[Action]:
        yield Action("explode", (NAMES[state.floes.index(state.target)],))

    def check(self, state: State, action: Action) -> Refusal | None:
        if refusal := no_cell(action[0]):
            return refusal
        wanted = NAMES[state.floes.index(state.target)]
        if action[0] == wanted:
            return None
        text = say(
            "{target} on {place} was voted on, not the tile on {given}",
            target=state.target,
            place=wanted,
            given=action[0],
        )
        return Refusal(Code.NOT_ALLOWED, "ICE-4.27", text, {"target": state.target, "place": wanted})

    def advance(self, state: State, action: Action) -> State:
        waters = broken(state.floes, state.pyramids, state.spots, CELL_OF[action[0]])
        after = replace(state, floes=waters.floes, pyramids=waters.pyramids, target="", number="")
        if state.options.end_timing == "immediate" and someone_is_out(after):
            return final(after)
        if len(empty_floes(after)) > 1:
            return replace(after, phase=BONUS, to_act=state.torch)
        return after_explosions(after)

    def happens(self, before: State, action: Action, after: State, seat: int) -> Iterator[Effect]:
        cell = CELL_OF[action[0]]
        yield from tile_breaks(before, cell, None, weight_on(before.pyramids, cell), "ICE-4.27")


class Bonus(FloeDeed):
    verb = Verb.of("bonus", "explode the unoccupied tile on {cell} too", "ICE-4.28", cell=ParamKind.PLACE)
    phases = (BONUS,)
    elsewhere = Now(
        "ICE-4.28", "a second tile explodes only if more than one is unoccupied after the first; now comes {now}"
    )

    def legal(self, state: State) -> Iterator[Action]:
        for cell in empty_floes(state):
            yield Action("bonus", (NAMES[cell],))

    def check(self, state: State, action: Action) -> Refusal | None:
        if refusal := no_tile(state, action[0], "ICE-4.28"):
            return refusal
        cell = CELL_OF[action[0]]
        if cell not in state.pyramids:
            return None
        name = pyramid_name(state, state.pyramids.index(cell))
        text = say("{pyramid} is on {place}; only an unoccupied tile may be exploded", pyramid=name, place=action[0])
        return Refusal(Code.OCCUPIED, "ICE-4.28", text, {"place": action[0], "by": name})

    def advance(self, state: State, action: Action) -> State:
        waters = broken(state.floes, state.pyramids, state.spots, CELL_OF[action[0]])
        return after_explosions(replace(state, floes=waters.floes))

    def happens(self, before: State, action: Action, after: State, seat: int) -> Iterator[Effect]:
        cell = CELL_OF[action[0]]
        yield Effect(EffectKind.CHOOSE, seat=seat, clause="ICE-4.28", facts={"choice": action[0]})
        yield from tile_breaks(before, cell, None, 0, "ICE-4.28")


class Decline(FloeDeed):
    verb = Verb.of("decline", "no second explosion", "ICE-4.28")
    phases = (BONUS,)
    elsewhere = Now("ICE-4.28", "there is no second explosion to decline; now comes {now}")

    def advance(self, state: State, action: Action) -> State:
        return after_explosions(state)

    def happens(self, before: State, action: Action, after: State, seat: int) -> Iterator[Effect]:
        yield Effect(EffectKind.CHOOSE, seat=seat, clause="ICE-4.28", facts={"choice": "decline"})

"""Deeds after the vote: explosions of the chosen tile and of a second one (ICE-4.27, ICE-4.28), scores of their
pyramids, the torch bearer's choice of a winner (ICE-4.30, ICE-5.4)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine import Action, Code, Effect, EffectKind, PhaseText, Refusal, Verb
from rules.engine.action import PLACE, SUIT
from rules.engine.refusal import Fact
from rules.engine.values import replace
from rules.games.ice_floe.deeds.common import FloeDeed, no_cell, no_tile, points_of, tile_breaks
from rules.games.ice_floe.floes import empty_floes, weight_on, without_floe
from rules.games.ice_floe.geometry import CELL_OF, NAMES
from rules.games.ice_floe.opening import TILES, Phase, State, pyramid_name
from rules.games.ice_floe.rounds import (
    actor_of,
    after_explosions,
    final_scoring,
    has_loser,
    next_round,
    scores_after,
    seat_of,
)
from rules.sentence import say, several


class Score(FloeDeed):
    verb = Verb.of("score", "score the tile on {cell}", "ICE-4.30", cell=PLACE)
    phases = (Phase.SCORE,)
    wrong_phase = PhaseText("ICE-4.29", "scoring comes after the explosion of the last round; now comes {now}")

    def legal(self, state: State) -> Iterator[Action]:
        return (Action("score", (NAMES[cell],)) for cell, name in enumerate(state.floes) if name)

    def check(self, state: State, action: Action) -> Refusal | None:
        return no_tile(state, action[0], "ICE-4.30")

    def advance(self, state: State, action: Action) -> State:
        following = (actor_of(state, action) + 1) % state.players
        after = replace(state, scores=scores_after(state, (CELL_OF[action[0]],)), to_act=following)
        return next_round(after) if following == state.torch else after

    def own_effects(self, before: State, action: Action, after: State, seat: int) -> Iterator[Effect]:
        cell = CELL_OF[action[0]]
        facts: dict[str, Fact] = {"place": action[0], "tile": TILES[before.floes[cell]].code}
        yield Effect(EffectKind.CHOOSE, seat=seat, clause="ICE-4.30", facts=facts)
        on_it = [index for index, place in enumerate(before.pyramids) if place == cell]
        yield from points_of(before, on_it, "ICE-4.30")


class _Victory(FloeDeed):
    phases = (Phase.WINNER,)

    def own_effects(self, before: State, action: Action, after: State, seat: int) -> Iterator[Effect]:
        names = [after.suits[winner].value for winner in after.winners]
        yield Effect(EffectKind.CHOOSE, seat=seat, clause="ICE-5.4", facts={"winners": names})


class ChooseWinner(_Victory):
    verb = Verb.of("choose_winner", "the torch bearer names {suit} the winner", "ICE-5.4", suit=SUIT)
    wrong_phase = PhaseText("ICE-5.4", "the torch bearer names a winner only in a tie at the end; now comes {now}")

    def legal(self, state: State) -> Iterator[Action]:
        return (Action("choose_winner", (state.suits[seat].letter,)) for seat in state.winners)

    def check(self, state: State, action: Action) -> Refusal | None:
        tied = [state.suits[seat].letter for seat in state.winners]
        if action[0] in tied:
            return None
        text = say("“{given}” is not tied for the first place; {tied} are", given=action[0][:20], tied=several(tied))
        return Refusal(Code.NOT_ALLOWED, "ICE-5.4", text, {"tied": tied})

    def advance(self, state: State, action: Action) -> State:
        return replace(state, phase=Phase.ENDED, winners=(seat_of(state, action[0]),))


class Share(_Victory):
    verb = Verb.of("share", "the torch bearer declares a shared victory", "ICE-5.4")
    wrong_phase = PhaseText("ICE-5.4", "the torch bearer shares a victory only in a tie at the end; now comes {now}")

    def advance(self, state: State, action: Action) -> State:
        return replace(state, phase=Phase.ENDED)


class Explode(FloeDeed):
    verb = Verb.of("explode", "explode the tile on {cell}", "ICE-4.27", cell=PLACE)
    phases = (Phase.EXPLODE,)
    wrong_phase = PhaseText(
        "ICE-4.27", "only the tile that was voted on explodes, right after the vote; now comes {now}"
    )

    def legal(self, state: State) -> Iterator[Action]:
        yield Action("explode", (NAMES[state.floes.index(state.target)],))

    def check(self, state: State, action: Action) -> Refusal | None:
        if refusal := no_cell(action[0]):
            return refusal
        target, place, given = state.target, NAMES[state.floes.index(state.target)], action[0]
        if given == place:
            return None
        text = say("{target} on {place} was voted on, not the tile on {given}", target=target, place=place, given=given)
        return Refusal(Code.NOT_ALLOWED, "ICE-4.27", text, {"target": target, "place": place})

    def advance(self, state: State, action: Action) -> State:
        after = replace(without_floe(state, CELL_OF[action[0]]), target="", number="")
        if state.options.end_timing == "immediate" and has_loser(after):
            return final_scoring(after)
        if len(empty_floes(after)) > 1:
            return replace(after, phase=Phase.BONUS, to_act=state.torch)
        return after_explosions(after)

    def own_effects(self, before: State, action: Action, after: State, seat: int) -> Iterator[Effect]:
        cell = CELL_OF[action[0]]
        yield from tile_breaks(before, cell, None, weight_on(before.pyramids, cell), "ICE-4.27")


class Bonus(FloeDeed):
    verb = Verb.of("bonus", "explode the unoccupied tile on {cell} too", "ICE-4.28", cell=PLACE)
    phases = (Phase.BONUS,)
    wrong_phase = PhaseText(
        "ICE-4.28", "a second tile explodes only if more than one is unoccupied after the first; now comes {now}"
    )

    def legal(self, state: State) -> Iterator[Action]:
        return (Action("bonus", (NAMES[cell],)) for cell in empty_floes(state))

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
        return after_explosions(without_floe(state, CELL_OF[action[0]]))

    def own_effects(self, before: State, action: Action, after: State, seat: int) -> Iterator[Effect]:
        cell = CELL_OF[action[0]]
        yield Effect(EffectKind.CHOOSE, seat=seat, clause="ICE-4.28", facts={"choice": action[0]})
        yield from tile_breaks(before, cell, None, 0, "ICE-4.28")


class Decline(FloeDeed):
    verb = Verb.of("decline", "no second explosion", "ICE-4.28")
    phases = (Phase.BONUS,)
    wrong_phase = PhaseText("ICE-4.28", "there is no second explosion to decline; now comes {now}")

    def advance(self, state: State, action: Action) -> State:
        return after_explosions(state)

    def own_effects(self, before: State, action: Action, after: State, seat: int) -> Iterator[Effect]:
        yield Effect(EffectKind.CHOOSE, seat=seat, clause="ICE-4.28", facts={"choice": "decline"})

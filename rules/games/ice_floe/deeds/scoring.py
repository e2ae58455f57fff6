"""Tiles are scored, and a tie at the end is the torch bearer's (ICE-4.30, ICE-5.4)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine import Action, Code, Effect, EffectKind, Now, ParamKind, Refusal, Verb
from rules.engine.refusal import Fact
from rules.engine.values import replace
from rules.games.ice_floe.deeds.common import FloeDeed, no_tile, points_of
from rules.games.ice_floe.geometry import CELL_OF, NAMES
from rules.games.ice_floe.names import seat_of
from rules.games.ice_floe.opening import ENDED, SCORE, TILES, WINNER, State, points
from rules.games.ice_floe.rounds import next_round
from rules.games.ice_floe.votes import actor_of
from rules.sentence import say, several


class Score(FloeDeed):
    verb = Verb.of("score", "score the tile on {cell}", "ICE-4.30", cell=ParamKind.PLACE)
    phases = (SCORE,)
    elsewhere = Now("ICE-4.29", "scoring comes after the explosion of the last round; now comes {now}")

    def legal(self, state: State) -> Iterator[Action]:
        for cell, name in enumerate(state.floes):
            if name:
                yield Action("score", (NAMES[cell],))

    def check(self, state: State, action: Action) -> Refusal | None:
        return no_tile(state, action[0], "ICE-4.30")

    def advance(self, state: State, action: Action) -> State:
        seat = actor_of(state, action)
        scores = _scored(state, CELL_OF[action[0]])
        following = (seat + 1) % state.players
        after = replace(state, scores=scores, to_act=following)
        return next_round(after) if following == state.torch else after

    def happens(self, before: State, action: Action, after: State, seat: int) -> Iterator[Effect]:
        cell = CELL_OF[action[0]]
        facts: dict[str, Fact] = {"place": action[0], "tile": TILES[before.floes[cell]].code}
        yield Effect(EffectKind.CHOOSE, seat=seat, clause="ICE-4.30", facts=facts)
        on_it = [index for index, place in enumerate(before.pyramids) if place == cell]
        yield from points_of(before, on_it, "ICE-4.30")


class ChooseWinner(FloeDeed):
    verb = Verb.of("choose_winner", "the torch bearer names {suit} the winner", "ICE-5.4", suit=ParamKind.SUIT)
    phases = (WINNER,)
    elsewhere = Now("ICE-5.4", "the torch bearer names a winner only in a tie at the end; now comes {now}")

    def legal(self, state: State) -> Iterator[Action]:
        for seat in state.winners:
            yield Action("choose_winner", (state.suits[seat].letter,))

    def check(self, state: State, action: Action) -> Refusal | None:
        tied = [state.suits[seat].letter for seat in state.winners]
        if action[0] in tied:
            return None
        text = say("“{given}” is not tied for the first place; {tied} are", given=action[0][:20], tied=several(tied))
        return Refusal(Code.NOT_ALLOWED, "ICE-5.4", text, {"tied": tied})

    def advance(self, state: State, action: Action) -> State:
        return replace(state, phase=ENDED, winners=(seat_of(state, action[0]),))

    def happens(self, before: State, action: Action, after: State, seat: int) -> Iterator[Effect]:
        names = [after.suits[winner].value for winner in after.winners]
        yield Effect(EffectKind.CHOOSE, seat=seat, clause="ICE-5.4", facts={"winners": names})


class Share(FloeDeed):
    verb = Verb.of("share", "the torch bearer declares a shared victory", "ICE-5.4")
    phases = (WINNER,)
    elsewhere = Now("ICE-5.4", "the torch bearer shares a victory only in a tie at the end; now comes {now}")

    def advance(self, state: State, action: Action) -> State:
        return replace(state, phase=ENDED)

    def happens(self, before: State, action: Action, after: State, seat: int) -> Iterator[Effect]:
        names = [after.suits[winner].value for winner in after.winners]
        yield Effect(EffectKind.CHOOSE, seat=seat, clause="ICE-5.4", facts={"winners": names})


def _scored(state: State, cell: int) -> tuple[int, ...]:
    """Every pyramid on the tile scores for its owner (ICE-4.30)."""
    found = list(state.scores)
    for index, where in enumerate(state.pyramids):
        if where == cell:
            found[index // 6] += points(state.options, index)
    return tuple(found)

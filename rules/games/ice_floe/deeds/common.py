"""What is told after every deed, what breaks, and what there is not."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

from rules.engine import Action, Code, Effect, EffectKind, Refusal, Spot, ToldDeed
from rules.engine.refusal import Fact
from rules.games.ice_floe.deeds.counting import vote_ends
from rules.games.ice_floe.floes import is_out
from rules.games.ice_floe.geometry import CELL_OF
from rules.games.ice_floe.layout import pyramid_piece, spot
from rules.games.ice_floe.opening import (
    BONUS,
    COIN_PHASES,
    ENDED,
    EXPLODE,
    LOST,
    MOVE,
    PLACE,
    SCORE,
    TIE_PHASES,
    TILES,
    WINNER,
    State,
    points,
    pyramid_name,
)
from rules.games.ice_floe.votes import actor_of
from rules.sentence import say
from rules.table.layout import Zone


class FloeDeed(ToldDeed[State]):
    """A deed after which a vote may be complete, a round begin, or the game end. What is settled aloud anybody may
    enter, but only who is asked is offered it."""

    for_others = False

    def tell(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        seat = actor_of(before, action)
        yield from self.happens(before, action, after, seat)
        yield from vote_ends(before, action, after, seat)
        yield from _final_scores(before, after)
        yield from _what_next(before, after)

    @abstractmethod
    def happens(self, before: State, action: Action, after: State, seat: int) -> Iterator[Effect]:
        """What it does itself."""


def no_cell(place: str) -> Refusal | None:
    if place in CELL_OF:
        return None
    text = say("there is no cell “{place}”; they go from a1 to e5", place=place[:20])
    return Refusal(Code.NO_SUCH_PLACE, "ICE-2.1", text, {"place": place[:20]})


def no_tile(state: State, place: str, clause: str) -> Refusal | None:
    if refusal := no_cell(place):
        return refusal
    if state.floes[CELL_OF[place]]:
        return None
    return Refusal(Code.EMPTY, clause, say("there is no tile on {place}; it is a hole", place=place), {"place": place})


def tile_breaks(before: State, cell: int, arrived: int | None, load: int, clause: str) -> Iterator[Effect]:
    """A tile and what stands on it goes: the tile, then every pyramid, then whoever has none left."""
    code = TILES[before.floes[cell]].code
    lost = [i for i, place in enumerate(before.pyramids) if place == cell or i == arrived]
    names = [pyramid_name(before, index) for index in lost]
    facts: dict[str, Fact] = {"places": [spot(cell).name], "lost": names, "weight": load}
    gone = Spot(zone=Zone.SPENT)
    yield Effect(EffectKind.COLLAPSE, TILES[before.floes[cell]], code, spot(cell), clause=clause, facts=facts)
    yield Effect(EffectKind.REMOVE, TILES[before.floes[cell]], code, spot(cell), gone, clause=clause)
    for index in lost:
        piece = pyramid_piece(before, index)
        target = Spot(zone=Zone.SPENT, seat=index // 6)
        yield Effect(EffectKind.REMOVE, piece, piece.code, spot(cell), target, seat=index // 6, clause=clause)
    left = [LOST if index in lost else place for index, place in enumerate(before.pyramids)]
    for seat in range(before.players):
        if max(left[6 * seat : 6 * seat + 6]) == LOST and not is_out(before, seat):
            yield Effect(EffectKind.ELIMINATE, seat=seat, clause="ICE-5.1", facts={"why": "all pyramids are lost"})


def _final_scores(before: State, after: State) -> Iterator[Effect]:
    if after.phase in (WINNER, ENDED) and before.phase != WINNER:
        left = [index for index, place in enumerate(after.pyramids) if place >= 0]
        yield Effect(EffectKind.PHASE, clause="ICE-5.3", facts={"phase": "last scoring"})
        yield from points_of(after, left, "ICE-5.3")


def points_of(state: State, indices: list[int], clause: str) -> Iterator[Effect]:
    """What every seat gets for its pyramids among these."""
    for seat in range(state.players):
        mine = [index for index in indices if index // 6 == seat]
        if mine:
            parts = [f"{pyramid_name(state, index)} {points(state.options, index)}" for index in mine]
            amount = sum(points(state.options, index) for index in mine)
            yield Effect(EffectKind.SCORE, seat=seat, amount=amount, clause=clause, facts={"for": parts})


def _what_next(before: State, after: State) -> Iterator[Effect]:
    if after.phase == ENDED:
        yield Effect(EffectKind.END, clause="ICE-5.4", facts={"winners": [after.suits[w].value for w in after.winners]})
        return
    if after.round != before.round:
        facts: dict[str, Fact] = {"torch": after.suits[after.torch].value, "round": after.round}
        yield Effect(EffectKind.TURN, seat=after.torch, clause="ICE-3.6", facts=facts)
    elif after.phase != before.phase and after.phase not in TIE_PHASES:
        yield Effect(EffectKind.PHASE, facts={"phase": after.phase, "round": after.round})
    elif after.phase in (PLACE, MOVE, SCORE, *COIN_PHASES, EXPLODE, BONUS) and after.to_act != before.to_act:
        yield Effect(EffectKind.TURN, seat=after.to_act)

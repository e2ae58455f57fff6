"""The country road: the summit coins go down to the foot of the mountain (FUJI-9.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import permutations

from rules.engine import Action, Code, Deed, Effect, EffectKind, ParamKind, Refusal, Step, Verb
from rules.engine.refusal import Fact
from rules.games.fuji_san.deeds.common import spot_of, what_follows
from rules.games.fuji_san.mountain import GROUND, STEP_SUITS, SUMMIT, coin_at
from rules.games.fuji_san.opening import State
from rules.games.fuji_san.transitions import settle
from rules.pieces import Rank, coin
from rules.sentence import say, several

_PLACE = ParamKind.PLACE


class Carry(Deed[State]):
    verb = Verb.of(
        "carry", "carry the summit coins down: g2 to {g2}, g1 to {g1}, h2 to {h2}, h1 to {h1}", "FUJI-9.4",
        g2=_PLACE, g1=_PLACE, h2=_PLACE, h1=_PLACE,
    )  # fmt: skip
    phases = ("carry",)

    def legal(self, state: State) -> Iterable[Action]:
        return (Action("carry", places) for places in permutations(GROUND))

    def check(self, state: State, action: Action) -> Refusal | None:
        if sorted(action.args) == sorted(GROUND):
            return None
        text = say("each ground place gets one of the summit coins; the places are {places}", places=several(GROUND))
        return Refusal(Code.BAD_ARGUMENT, "FUJI-9.4", text, {"places": list(GROUND)})

    def do(self, state: State, action: Action) -> Step[State]:
        after = settle(replace(state, phase="descent", foot=action.args))
        return Step(after, (*_carried(state, action), what_follows(state, after)))


def _carried(state: State, action: Action) -> Iterator[Effect]:
    for summit, ground in zip(SUMMIT, action.args, strict=True):
        number = coin_at(summit) or 0
        rank = Rank(state.values[number])
        facts: dict[str, Fact] = {"counts": max(1, 0 if rank == 1 and state.options.aces_null else int(rank))}
        piece, ends = coin(STEP_SUITS[number % 12], rank), (spot_of(summit), spot_of(ground))
        yield Effect(EffectKind.MOVE, piece, f"coin-{summit}", *ends, clause="FUJI-9.4", facts=facts)

"""Deeds and outcome of Quatri (QUAT-4, QUAT-5): steps, and passes of a blocked side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rules.engine import Action, Effect, EffectKind, NarratedDeed, Outcome, Refusal, Verb
from rules.engine.action import PLACE
from rules.engine.coin_steps import check_pass, number
from rules.engine.effects import next_turn_effect
from rules.games.quatri.opening import BOARD, STEPS, State, line_in
from rules.sentence import Person, Sentence, say, several

END_CLAUSES = {"line": "QUAT-5.1", "stalemate": "QUAT-8.2", "blocked": "QUAT-5.3", "repetition": "QUAT-5.3"}


def outcome_of(state: State) -> Outcome:
    if not state.end:
        return Outcome()
    winners = () if state.winner is None else (state.winner,)
    return Outcome(True, winners, (), reason(state), END_CLAUSES[state.end], drawn=not winners)


def reason(state: State) -> Sentence:
    if state.end == "line" and state.winner is not None:
        line = BOARD.places(line_in(state.coins[state.winner]))
        return say("three coins of {who} are in a row: {line}", who=Person(state.winner), line=several(line))
    if state.end == "stalemate":
        return say("{who} cannot move", who=Person(state.to_act))
    return (
        say("both sides are blocked") if state.end == "blocked" else say("the same position has occurred three times")
    )


def with_stalemate(state: State) -> State:
    """The state; with `stalemate` "loses" the game is lost for a side to move without a move."""
    if state.options.stalemate == "pass" or STEPS.moves(state):
        return state
    winner = 1 - state.to_act
    return State(state.options, state.suits, state.coins, state.to_act, 0, state.seen, "stalemate", winner)


class QuatriDeed(NarratedDeed[State]):
    def next_effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        follows = next_turn_effect(outcome_of(after), after.to_act)
        line = {"line": BOARD.places(line_in(after.coins[after.to_act]))} if after.end == "line" else {}
        yield replace(follows, facts={**follows.facts, **line})


class Move(QuatriDeed):
    verb = Verb.of("move", "{from_} to {to}", "QUAT-4.1", from_=PLACE, to=PLACE)

    def legal(self, state: State) -> Iterable[Action]:
        return STEPS.moves(state)

    def check(self, state: State, action: Action) -> Refusal | None:
        return STEPS.check_move(state, *action.args)

    def advance(self, state: State, action: Action) -> State:
        player = state.to_act
        own = state.coins[player] ^ BOARD.shift[action.args]
        coins = (own, state.coins[1]) if player == 0 else (state.coins[0], own)
        if line_in(own):
            return State(state.options, state.suits, coins, player, 0, state.seen, "line", player)
        return _after_turn(state, coins, 0)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        yield BOARD.moved(before, action[0], action[1], "QUAT-4.1")


class Pass(QuatriDeed):
    verb = Verb.of("pass", "pass, because nothing can move", "QUAT-4.2")
    is_last_resort = True

    def check(self, state: State, action: Action) -> Refusal | None:
        return check_pass(STEPS.moves(state), "QUAT-4.3")

    def advance(self, state: State, action: Action) -> State:
        return _after_turn(state, state.coins, state.passes + 1)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        yield Effect(EffectKind.CHOOSE, seat=before.to_act, clause="QUAT-4.2", facts={"choice": "pass"})


DEEDS = (Move(), Pass())


def _after_turn(state: State, coins: tuple[int, int], passes: int) -> State:
    """The state after the turn: the next turn, or the end by blocking or repetition."""
    options, to_act = state.options, 1 - state.to_act
    here = number(coins, to_act)
    seen = (*state.seen, here)
    limit = options.repetition_draw
    end = "blocked" if passes >= 2 else "repetition" if limit and seen.count(here) >= limit else ""
    after = State(options, state.suits, coins, to_act, passes, seen, end)
    return after if end or options.stalemate == "pass" else with_stalemate(after)

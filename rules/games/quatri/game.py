"""Quatri: bring three of your four coins into a row (rulebook.md)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping

from rules.engine import (
    Action,
    Effect,
    EffectKind,
    Game,
    GameCard,
    Outcome,
    ParamKind,
    Refusal,
    Seat,
    Spot,
    Step,
    Turn,
    TurnKind,
)
from rules.engine.action import verb
from rules.engine.coin_steps import PASS, number, two_suits
from rules.engine.refusal import Fact
from rules.engine.turn import OVER, of_seat
from rules.games.quatri.opening import BOARD, STEPS, Options, State, line_in, opening_state
from rules.pieces import Suit, coin
from rules.table.layout import Layout

SUITS = (Suit.SUNS, Suit.CROWNS)
CARD = GameCard(
    id="quatri",
    name="Quatri",
    version=1,
    seats=(2,),
    options_type=Options,
    verbs=(
        verb("move", "{from_} to {to}", "QUAT-4.1", from_=ParamKind.PLACE, to=ParamKind.PLACE),
        verb("pass", "pass, because nothing can move", "QUAT-4.2"),
    ),
    turn_clause="QUAT-3.4",
    end_clause="QUAT-5.1",
    action_clause="QUAT-4.3",
    seat_suits=SUITS,
    turns=(TurnKind.SEAT,),
    needs="four tiles, four coins of two suits",
    designer="traditional, adapted by Michael Schoessow",
    minutes="15",
    summary="Bring three of your coins into a row.",
)
_TURNS = (of_seat(0), of_seat(1))


class Quatri(Game[State, Options]):
    card = CARD
    state_type = State

    def opening(self, options: Options, seats: tuple[Seat, ...]) -> State:
        return opening_state(options, two_suits(seats, SUITS))

    def turn(self, state: State) -> Turn:
        return OVER if state.end else _TURNS[state.to_act]

    def choices(self, state: State, seat: int | None = None) -> Iterable[Action]:
        if state.end or seat not in (None, state.to_act):
            return []
        return STEPS.moves(state) or [PASS]

    def sample(self, state: State, rng: random.Random) -> Action:
        found = STEPS.moves(state)
        return found[int(rng.random() * len(found))] if found else PASS

    def check(self, state: State, action: Action) -> Refusal | None:
        return STEPS.check_pass(STEPS.moves(state)) if action.verb == "pass" else STEPS.check_move(state, *action.args)

    def advance(self, state: State, action: Action) -> State:
        player = state.to_act
        if action.verb == "pass":
            return _next(state, state.coins, state.passes + 1)
        own = state.coins[player] ^ BOARD.shift[action.args]
        coins = (own, state.coins[1]) if player == 0 else (state.coins[0], own)
        if line_in(own):
            return State(state.options, state.suits, coins, player, 0, state.seen, "line", player)
        return _next(state, coins, 0)

    def apply(self, state: State, action: Action) -> Step[State]:
        after = self.advance(state, action)
        return Step(after, tuple(_story(state, action, after)))

    def layout(self, state: State) -> Layout:
        return STEPS.laid(state).layout()

    def outcome(self, state: State) -> Outcome:
        if not state.end:
            return Outcome()
        winners = () if state.winner is None else (state.winner,)
        return Outcome(True, winners, reason=_reason(state), clause=_END_CLAUSES[state.end])

    def position(self, data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
        """Fields: the two suits (lists of spaces) and to_act (a suit)."""
        suits = two_suits(seats, SUITS)
        known = (*(suit.value for suit in suits), "to_act")
        unknown = set(data) - set(known)
        if unknown:
            raise ValueError(f"a position of quatri has {', '.join(known)}, no {sorted(unknown)[0]!r}")
        start = opening_state(options, suits).coins
        coins = tuple(STEPS.mask(data[suit], suit) if suit in data else start[seat] for seat, suit in enumerate(suits))
        to_act = str(data.get("to_act", known[0]))
        if to_act not in known[:2]:
            raise ValueError(f"to_act must be {known[0]} or {known[1]}")
        return _set_up(State(options, suits, (coins[0], coins[1]), known.index(to_act)))

    def shorthand(self, state: State, text: str) -> Action | None:
        """ "a1-a2" is a move."""
        return STEPS.shorthand(text)


def _set_up(state: State) -> State:
    """The position with everything that follows from it; who moved last is looked at first."""
    if state.coins[0] & state.coins[1]:
        raise ValueError("two coins are on the same space")
    seen = (number(state.coins, state.to_act),)
    for player in (1 - state.to_act, state.to_act):
        if line_in(state.coins[player]):
            return State(state.options, state.suits, state.coins, player, 0, seen, "line", player)
    return _blocked(State(state.options, state.suits, state.coins, state.to_act, 0, seen))


def _next(state: State, coins: tuple[int, int], passes: int) -> State:
    options, to_act = state.options, 1 - state.to_act
    here = number(coins, to_act)
    seen = (*state.seen, here)
    limit = options.repetition_draw
    if passes >= 2:
        end = "blocked"
    elif limit and seen.count(here) >= limit:
        end = "repetition"
    else:
        end = ""
    after = State(options, state.suits, coins, to_act, passes, seen, end)
    return after if end or options.stalemate == "pass" else _blocked(after)


def _blocked(state: State) -> State:
    """With `stalemate` "loses", who cannot move has lost."""
    if state.options.stalemate == "pass" or STEPS.moves(state):
        return state
    winner = 1 - state.to_act
    return State(state.options, state.suits, state.coins, state.to_act, 0, state.seen, "stalemate", winner)


_END_CLAUSES = {"line": "QUAT-5.1", "stalemate": "QUAT-8.2", "blocked": "QUAT-5.3", "repetition": "QUAT-5.3"}


def _reason(state: State) -> str:
    if state.end == "line" and state.winner is not None:
        line = BOARD.places(line_in(state.coins[state.winner]))
        return f"three coins of {state.suits[state.winner]} are in a row: {', '.join(line)}"
    if state.end == "stalemate":
        return f"{state.suits[state.to_act]} cannot move"
    return "both sides are blocked" if state.end == "blocked" else "the same position came for the third time"


def _spot(name: str) -> Spot:
    return Spot(name, *BOARD.xy(name))


def _story(state: State, action: Action, after: State) -> Iterator[Effect]:
    player = state.to_act
    if action.verb == "pass":
        yield Effect(EffectKind.CHOOSE, seat=player, clause="QUAT-4.2", facts={"choice": "pass"})
    else:
        suit = state.suits[player]
        source, target = _spot(action[0]), _spot(action[1])
        yield Effect(EffectKind.MOVE, coin(suit), f"{suit}@{action[0]}", source, target, seat=player, clause="QUAT-4.1")
    if not after.end:
        yield Effect(EffectKind.TURN, seat=after.to_act)
        return
    facts: dict[str, Fact] = {"reason": _reason(after)}
    if after.end == "line":
        facts["line"] = BOARD.places(line_in(after.coins[player]))
    yield Effect(EffectKind.END, seat=after.winner, clause=_END_CLAUSES[after.end], facts=facts)


GAME = Quatri()

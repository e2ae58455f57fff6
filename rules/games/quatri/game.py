"""Quatri: bring three of your four coins into a row (rulebook.md)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping

from rules.engine import (
    Action,
    Code,
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
from rules.engine.refusal import Fact
from rules.engine.turn import OVER, of_seat
from rules.games.quatri.opening import BOARD, COINS, Options, State, line_in, number, opening_state
from rules.pieces import Face, Suit, coin
from rules.table.build import LayoutBuilder
from rules.table.layout import Layout

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
    seat_suits=(Suit.SUNS, Suit.CROWNS),
    turns=(TurnKind.SEAT,),
    needs="four tiles, four coins of two suits",
    designer="traditional, adapted by Michael Schoessow",
    minutes="15",
    summary="Bring three of your coins into a row.",
)
_TURNS = (of_seat(0), of_seat(1))
_PASS = Action("pass")


class Quatri(Game[State, Options]):
    card = CARD
    state_type = State

    def opening(self, options: Options, seats: tuple[Seat, ...]) -> State:
        return opening_state(options, _suits(seats))

    def turn(self, state: State) -> Turn:
        return OVER if state.end else _TURNS[state.to_act]

    def legal(self, state: State, seat: int | None = None) -> Iterable[Action]:
        if state.end or seat not in (None, state.to_act):
            return []
        return _moves(state) or [_PASS]

    def sample(self, state: State, rng: random.Random) -> Action:
        found = _moves(state)
        return found[int(rng.random() * len(found))] if found else _PASS

    def check(self, state: State, action: Action) -> Refusal | None:
        if action.verb == "pass":
            return _check_pass(state)
        for place in action.args:
            if place not in BOARD.bit:
                text = f"there is no space {place[:20]!r} on this board; it goes from a1 to d4"
                return Refusal(Code.NO_SUCH_PLACE, "QUAT-2.1", text, {"place": place[:20]})
        return _check_own(state, action[0]) or _check_step(state, *action.args)

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
        build = LayoutBuilder()
        build.grid_of_backs(BOARD.size, BOARD.size)
        for suit, own in zip(state.suits, state.coins, strict=True):
            for name in BOARD.places(own):
                x, y = BOARD.xy(name)
                build.put(coin(suit), x, y, key=f"{suit}@{name}", face=Face.BACK, place=name)
        return build.layout()

    def outcome(self, state: State) -> Outcome:
        if not state.end:
            return Outcome()
        winners = () if state.winner is None else (state.winner,)
        return Outcome(True, winners, reason=_reason(state), clause=_END_CLAUSES[state.end])

    def position(self, data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
        """Fields: the two suits (lists of spaces) and to_act (a suit)."""
        suits = _suits(seats)
        known = (*(suit.value for suit in suits), "to_act")
        unknown = set(data) - set(known)
        if unknown:
            raise ValueError(f"a position of quatri has {', '.join(known)}, no {sorted(unknown)[0]!r}")
        start = opening_state(options, suits).coins
        coins = tuple(_mask(data[suit], suit) if suit in data else start[seat] for seat, suit in enumerate(suits))
        to_act = str(data.get("to_act", known[0]))
        if to_act not in known[:2]:
            raise ValueError(f"to_act must be {known[0]} or {known[1]}")
        return _set_up(State(options, suits, (coins[0], coins[1]), known.index(to_act)))

    def shorthand(self, state: State, text: str) -> Action | None:
        """ "a1-a2" is a move."""
        words = tuple(text.replace("-", " ").split())
        return Action("move", words) if len(words) == 2 and all(word in BOARD.bit for word in words) else None


def _suits(seats: tuple[Seat, ...]) -> tuple[Suit, Suit]:
    first, second = (seat.suit for seat in seats) if seats else CARD.seat_suits
    return first or Suit.SUNS, second or Suit.CROWNS


def _mask(places: object, suit: Suit) -> int:
    if not isinstance(places, (list, tuple)) or len(set(map(str, places))) > COINS:
        raise ValueError(f"{suit} must be a list of up to {COINS} spaces")
    for place in places:
        if place not in BOARD.bit:
            raise ValueError(f"there is no space {str(place)[:20]!r} on the board of quatri")
    return BOARD.mask(places)


def _set_up(state: State) -> State:
    """The position with everything that follows from it; who moved last is looked at first."""
    if state.coins[0] & state.coins[1]:
        raise ValueError("two coins are on the same space")
    seen = (number(state.coins, state.to_act),)
    for player in (1 - state.to_act, state.to_act):
        if line_in(state.coins[player]):
            return State(state.options, state.suits, state.coins, player, 0, seen, "line", player)
    return _blocked(State(state.options, state.suits, state.coins, state.to_act, 0, seen))


def _moves(state: State) -> list[Action]:
    coins = state.coins
    return BOARD.moves(coins[state.to_act], BOARD.full & ~(coins[0] | coins[1]))


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
    if state.options.stalemate == "pass" or _moves(state):
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


def _check_pass(state: State) -> Refusal | None:
    found = _moves(state)
    if not found:
        return None
    text = f"a side that can move must move; for example {found[0].id}"
    return Refusal(Code.MUST_MOVE, "QUAT-4.3", text, {"moves": [move.id for move in found]})


def _check_own(state: State, place: str) -> Refusal | None:
    bit = BOARD.bit[place]
    suit = state.suits[state.to_act]
    if state.coins[state.to_act] & bit:
        return None
    if state.coins[1 - state.to_act] & bit:
        other = state.suits[1 - state.to_act]
        text = f"the coin on {place} belongs to {other}; {suit} is to move"
        return Refusal(Code.NOT_YOURS, "QUAT-3.4", text, {"place": place, "owner": other.value})
    text = f"there is no {suit} coin on {place}"
    return Refusal(Code.EMPTY, "QUAT-4.1", text, {"place": place, "suit": suit.value})


def _check_step(state: State, source: str, target: str) -> Refusal | None:
    (x1, y1), (x2, y2) = BOARD.xy(source), BOARD.xy(target)
    files, ranks = abs(x2 - x1), abs(y2 - y1)
    facts: dict[str, Fact] = {"from": source, "to": target, "files": files, "ranks": ranks}
    if files + ranks == 0:
        return Refusal(Code.WRONG_DISTANCE, "QUAT-4.1", f"the coin on {source} stays where it is", facts)
    if files and ranks:
        text = f"{target} is not in line with {source}; a coin never moves diagonally"
        return Refusal(Code.WRONG_DIRECTION, "QUAT-4.3", text, facts)
    if files + ranks > 1:
        text = f"{target} is {files + ranks} spaces from {source}; a coin moves exactly one space"
        return Refusal(Code.NOT_ADJACENT, "QUAT-4.1", text, facts)
    if (state.coins[0] | state.coins[1]) & BOARD.bit[target]:
        text = f"{target} is occupied; a coin moves to an empty space"
        return Refusal(Code.OCCUPIED, "QUAT-4.1", text, {"place": target})
    return None


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

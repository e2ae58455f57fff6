"""Deeds of bidding: a cheese is uncovered (MICE-4.1), all think and bid until time is up (MICE-4.2, MICE-4.3,
MICE-4.11), the agreed end (MICE-5.1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from rules.engine import Action, Code, Effect, EffectKind, PhaseText, Refusal, Verb
from rules.engine.action import NUMBER, PLACE, SUIT, PieceIcon
from rules.engine.outcome import leaders
from rules.engine.refusal import Facts
from rules.engine.values import with_item
from rules.games.four_blind_mice import rounds
from rules.games.four_blind_mice.deeds.common import (
    MAX_ECHO,
    MouseDeed,
    loss_effects,
    no_such_space,
    return_effects,
    spot,
)
from rules.games.four_blind_mice.opening import CELL_OF, MAX_BID, MIN_BID, NAMES, TIMER_MS, Bid, Phase, State
from rules.pieces import Kind, parse_suit
from rules.sentence import say, several


class Uncover(MouseDeed):
    verb = Verb.of("uncover", "turn the cheese on {space}", "MICE-4.1", space=PLACE)
    phases = (Phase.CHOOSE,)

    def legal(self, state: State) -> Iterator[Action]:
        return (Action("uncover", (NAMES[state.cheeses[number].cell or 0],)) for number in rounds.open_to_choice(state))

    def check(self, state: State, action: Action) -> Refusal | None:
        if refusal := no_such_space(action[0]):
            return refusal
        cell = CELL_OF[action[0]]
        lying = {state.cheeses[number].cell: number for number in rounds.covered_cheeses(state)}
        if cell not in lying:
            return Refusal(Code.EMPTY, "MICE-4.1", say("no covered cheese lies on {place}", place=action[0]))
        if lying[cell] in rounds.open_to_choice(state):
            return None
        text = say(
            "the cheese on {place} has just been put back; it may not be the next one uncovered", place=action[0]
        )
        return Refusal(Code.NOT_ALLOWED, "MICE-9.1", text)

    def advance(self, state: State, action: Action) -> State:
        cell = CELL_OF[action[0]]
        number = next(number for number in rounds.covered_cheeses(state) if state.cheeses[number].cell == cell)
        after = replace(state, target=number, barred=None)
        if state.cheeses[number].suit is None:
            return replace(after, phase=Phase.REVEAL)
        return rounds.begin_thinking(replace(after, cheeses=after.with_uncovered(public=True)))

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        assert after.target is not None
        piece, place = rounds.visible_piece(after, after.target), spot(CELL_OF[action[0]])
        seat = before.to_act
        yield Effect(EffectKind.FLIP, piece, f"cheese{after.target}", target=place, seat=seat, clause="MICE-4.1")


class Reveal(MouseDeed):
    verb = Verb.of("reveal", "the coin shows {suit}", "MICE-4.1", drawn=PieceIcon(Kind.COIN, suit="suit"), suit=SUIT)
    phases = (Phase.REVEAL,)

    def legal(self, state: State) -> Iterator[Action]:
        return (Action("reveal", (suit.value,)) for suit in rounds.possible_suits(state))

    def check(self, state: State, action: Action) -> Refusal | None:
        possible = rounds.possible_suits(state)
        if action[0] in possible:
            return None
        given = action[0][:MAX_ECHO]
        text = say("the coin cannot be “{given}”; still possible: {possible}", given=given, possible=several(possible))
        return Refusal(Code.CONTRADICTS, "MICE-6.1", text, {"possible": [suit.value for suit in possible]})

    def advance(self, state: State, action: Action) -> State:
        known = state.with_uncovered(suit=parse_suit(action[0]), public=True)
        return rounds.begin_thinking(replace(state, cheeses=known))

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        number = before.target
        cell = before.uncovered.cell
        assert number is not None
        assert cell is not None
        piece = rounds.visible_piece(after, number)
        yield Effect(EffectKind.REVEAL, piece, f"cheese{number}", target=spot(cell), clause="MICE-4.1")


class TimeUp(MouseDeed):
    verb = Verb.of("time_up", "the time is up", "MICE-5.1")
    phases = (Phase.CHOOSE,)
    wrong_phase = PhaseText("MICE-5.1", "the time ends the game only between two rounds; this one is played to its end")
    is_open_to_all = True

    def check(self, state: State, action: Action) -> Refusal | None:
        if state.options.time_limit and not state.tied:
            return None
        text = say("the final round is on") if state.tied else say("no time limit was agreed")
        return Refusal(Code.NOT_ALLOWED, "MICE-5.1", text, {"time_limit": state.options.time_limit})

    def advance(self, state: State, action: Action) -> State:
        best = leaders(dict(enumerate(state.scores)))
        if len(best) == 1 or state.is_solo:
            return replace(state, phase=Phase.OVER)
        after = replace(state, tied=best)
        chooser = state.chooser if state.chooser in best else rounds.next_chooser(after)
        return replace(after, chooser=chooser, to_act=chooser)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        tied = [str(seat) for seat in after.tied]
        facts: Facts = {"phase": "time is up", "final_round": tied} if tied else {"phase": "time is up"}
        yield Effect(EffectKind.PHASE, clause="MICE-5.2" if tied else "MICE-5.1", facts=facts)


BIDDING = ("think", "bid")
HIGH_BID = 9
"""Largest bid that is listed; higher ones are legal too (MICE-8.11)."""
DISCARD = Action("discard")
CLOSE = Action("close_bids")
_SECONDS = re.compile(r"\d{1,6}(\.\d{1,3})?\Z", re.ASCII)


class MakeBid(MouseDeed):
    verb = Verb.of("bid", "bid {moves} moves", "MICE-4.2", moves=NUMBER, seconds="number?")
    phases = BIDDING
    exhaustive = False
    """Higher bids, and bids with a time, are legal too."""

    def legal(self, state: State) -> Iterator[Action]:
        for seat in rounds.bidders(state):
            own = state.bids[seat]
            for moves in range(MIN_BID, HIGH_BID + 1 if own is None else own.moves):
                yield Action("bid", (str(moves),), seat)

    def check(self, state: State, action: Action) -> Refusal | None:
        if action.seat is None or action.seat not in rounds.bidders(state):
            return Refusal(Code.NOT_YOUR_TURN, "MICE-4.2", say("say which seat bids"), {"seat": action.seat})
        digits = action[0]
        if not (digits.isascii() and digits.isdecimal() and len(digits) <= 4):
            text = say("a bid is a number of moves, not “{bid}”", bid=digits[:MAX_ECHO])
            return Refusal(Code.BAD_ARGUMENT, "MICE-4.2", text)
        return _wrong_number(state, action.seat, int(digits)) or _wrong_time(state, action)

    def advance(self, state: State, action: Action) -> State:
        assert action.seat is not None
        known = [bid for bid in state.bids if bid]
        if len(action.args) > 1 and action.args[1]:
            time = milliseconds(action.args[1])
        else:
            time = max((bid.time for bid in known), default=0)
        bid = Bid(int(action[0]), time, max((bid.number for bid in known), default=0) + 1)
        bids = with_item(state.bids, action.seat, bid)
        return replace(state, bids=bids, first_bid=time if state.first_bid is None else state.first_bid)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        assert action.seat is not None
        bid = after.bids[action.seat]
        assert bid is not None
        facts: Facts = {"choice": "bid", "moves": bid.moves, "seconds": bid.time / 1000}
        yield Effect(EffectKind.CHOOSE, seat=action.seat, amount=bid.moves, clause="MICE-4.2", facts=facts)


class CloseBids(MouseDeed):
    verb = Verb.of("close_bids", "the minute is over", "MICE-4.3", seconds="number?")
    phases = BIDDING
    is_open_to_all = True

    def legal(self, state: State) -> Iterable[Action]:
        return () if state.first_bid is None else (CLOSE,)

    def check(self, state: State, action: Action) -> Refusal | None:
        if state.first_bid is None:
            return Refusal(Code.OUT_OF_ORDER, "MICE-4.3", say("nobody has bid; the minute has not begun"))
        text = action.args[0] if action.args else ""
        if text and not _SECONDS.match(text):
            words = say("the time is in seconds, for example 70, not “{time}”", time=text[:MAX_ECHO])
            return Refusal(Code.BAD_ARGUMENT, "MICE-4.3", words)
        if text and milliseconds(text) < state.first_bid + TIMER_MS:
            words = say(
                "the minute runs until {end} s; it is {time} s",
                end=f"{(state.first_bid + TIMER_MS) / 1000:g}",
                time=text,
            )
            return Refusal(Code.OUT_OF_ORDER, "MICE-4.3", words, {"time": float(text)})
        return None

    def advance(self, state: State, action: Action) -> State:
        first, *later = rounds.bid_order(state)
        return replace(state, phase=Phase.ATTEMPT, order=tuple(later), to_act=first, used=0, plan=())

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        order = rounds.bid_order(before)
        bids = [str(bid.moves) for seat in order if (bid := before.bids[seat])]
        facts: Facts = {"phase": "attempt", "order": [str(seat) for seat in order], "bids": bids}
        yield Effect(EffectKind.PHASE, clause="MICE-4.3", facts=facts)


class Discard(MouseDeed):
    verb = Verb.of("discard", "take the cheese away", "MICE-4.11")
    phases = (*BIDDING, Phase.ATTEMPT)
    is_open_to_all = True

    def legal(self, state: State) -> Iterable[Action]:
        open_to_all = state.phase is Phase.BID and state.first_bid is None
        return (DISCARD,) if open_to_all or (state.phase is Phase.ATTEMPT and state.is_solo) else ()

    def check(self, state: State, action: Action) -> Refusal | None:
        if state.is_solo or (state.phase is Phase.BID and state.first_bid is None):
            return None
        text = say("somebody has bid; the cheese is lost only when all bidders have failed")
        return Refusal(Code.NOT_ALLOWED, "MICE-4.11", text, {"bids": sum(bid is not None for bid in state.bids)})

    def advance(self, state: State, action: Action) -> State:
        return rounds.after_discard(state)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        yield from return_effects(before)
        yield from loss_effects(before)


def _wrong_number(state: State, seat: int, moves: int) -> Refusal | None:
    facts: Facts = {"bid": moves, "seat": seat}
    if moves < MIN_BID:
        text = say(
            "a mouse turns twice before it claims, so at least {least} moves are needed, not {bid}",
            least=MIN_BID,
            bid=moves,
        )
        return Refusal(Code.TOO_LOW, "MICE-8.12", text, facts)
    if moves > MAX_BID:
        text = say("nobody needs {bid} moves; up to {most} can be bid", bid=moves, most=MAX_BID)
        return Refusal(Code.LIMIT, "MICE-4.2", text, facts)
    own = state.bids[seat]
    if own and moves >= own.moves:
        text = say("you have bid {own}; you can only lower your bid, not change it to {bid}", own=own.moves, bid=moves)
        return Refusal(Code.NOT_ALLOWED, "MICE-4.2", text, {**facts, "own": own.moves})
    return None


def _wrong_time(state: State, action: Action) -> Refusal | None:
    text = action.args[1] if len(action.args) > 1 else ""
    if not text:
        return None
    if not _SECONDS.match(text):
        words = say("the time of a bid is in seconds, for example 12.5, not “{time}”", time=text[:MAX_ECHO])
        return Refusal(Code.BAD_ARGUMENT, "MICE-4.2", words)
    if state.first_bid is None or milliseconds(text) <= state.first_bid + TIMER_MS:
        return None
    words = say(
        "the first bid came at {first} s; one minute later, at {time} s, it is too late",
        first=f"{state.first_bid / 1000:g}",
        time=text,
    )
    return Refusal(Code.LIMIT, "MICE-4.2", words, {"first": state.first_bid / 1000, "time": float(text)})


def milliseconds(seconds: str) -> int:
    return round(1000 * float(seconds))

"""Deeds of voting: votes in secret, on phones or on the table, uncovered together (ICE-4.12, ICE-4.15)."""

from __future__ import annotations

import random
from collections.abc import Iterator

from rules.engine import Action, Code, Effect, EffectKind, PhaseText, Refusal, Verb
from rules.engine.action import LIST, RANK, SUIT, ParamType, PieceIcon
from rules.engine.argument_value import each, mark_of, of_suit
from rules.engine.values import replace, with_item
from rules.games.ice_floe import rounds
from rules.games.ice_floe.deeds.common import FloeDeed
from rules.games.ice_floe.deeds.swaying import sanctions
from rules.games.ice_floe.opening import Phase, State
from rules.pieces import Kind
from rules.sentence import Person, say, several


class _Commit(FloeDeed):
    def legal(self, state: State) -> Iterator[Action]:
        for voter in rounds.voters(state):
            for choice in rounds.candidates(state):
                yield Action(self.verb.name, (rounds.choice_code(choice),), voter)

    def sample(self, state: State, rng: random.Random) -> Action:
        """One sealed vote, or sometimes all remaining ones at once, as the camera sees them."""
        if rng.random() < 0.01:
            return next(sanctions(state))
        waiting = rounds.voters(state)
        if rng.random() < 0.1:
            votes = (state.suits[seat].letter + _random_vote(state, rng) for seat in waiting)
            return Action(f"reveal_{state.phase}", ("+".join(votes),))
        seat = waiting[int(rng.random() * len(waiting))]
        return Action(f"commit_{state.phase}", (_random_vote(state, rng),), seat)

    def check(self, state: State, action: Action) -> Refusal | None:
        return _no_choice(state, action[0]) or _no_vote(state, rounds.actor_of(state, action))

    def advance(self, state: State, action: Action) -> State:
        votes = with_item(state.ballot.votes, rounds.actor_of(state, action), rounds.read_choice(state, action[0]))
        return rounds.after_votes(state, votes)

    def own_effects(self, before: State, action: Action, after: State, seat: int) -> Iterator[Effect]:
        """No effect: the vote is secret until all votes are uncovered."""
        yield Effect(EffectKind.CHOOSE, seat=seat, clause=rounds.clause_of(before), facts={"sealed": True})


class CommitNumber(_Commit):
    verb = Verb.of(
        "commit_number",
        "vote for the value {value}",
        "ICE-4.12",
        drawn=PieceIcon(Kind.DIE, value="value", own=True),
        value=RANK,
    )
    phases = (Phase.NUMBER,)
    wrong_phase = PhaseText("ICE-4.12", "the vote on the number is not open; now comes {now}")


class CommitSuit(_Commit):
    verb = Verb.of(
        "commit_suit", "vote for the suit {suit}", "ICE-4.15", drawn=PieceIcon(Kind.COIN, suit="suit"), suit=SUIT
    )
    phases = (Phase.SUIT,)
    wrong_phase = PhaseText("ICE-4.15", "the vote on the suit is not open; now comes {now}")


class _Reveal(FloeDeed):
    is_open_to_all = True
    exhaustive = False

    def legal(self, state: State) -> tuple[Action, ...]:
        """No listing: votes are read from the table, and nobody is asked for them."""
        return ()

    def check(self, state: State, action: Action) -> Refusal | None:
        named: set[int] = set()
        for item in rounds.split(action[0]):
            if refusal := _no_player(state, item[:1]) or _no_choice(state, item[1:]):
                return refusal
            seat = rounds.seat_of(state, item[0])
            if seat in named:
                text = say("the vote of {who} is named twice", who=Person(seat))
                return Refusal(Code.REPEATS, rounds.clause_of(state), text, {"seat": seat})
            if refusal := _vote_mismatch(state, seat, item[1:]):
                return refusal
            named.add(seat)
        missing = [seat for seat in rounds.voters(state) if seat not in named]
        if not missing:
            return None
        people = several(map(Person, missing))
        text = say("all votes are uncovered together; that of {missing} is missing", missing=people)
        facts = {"missing": [state.suits[seat].value for seat in missing]}
        return Refusal(Code.BAD_ARGUMENT, rounds.clause_of(state), text, facts)

    def advance(self, state: State, action: Action) -> State:
        """The state with the votes on the table; dice of seats that chose on phones stay as they lie."""
        votes, dice = state.ballot.votes, state.dice
        for item in rounds.split(action[0]):
            seat, choice = rounds.seat_of(state, item[0]), rounds.read_choice(state, item[1:])
            votes = with_item(votes, seat, choice)
            dice = with_item(dice, seat, choice) if rounds.is_number(state) else dice
        return rounds.after_votes(replace(state, dice=dice), votes)

    def own_effects(self, before: State, action: Action, after: State, seat: int) -> Iterator[Effect]:
        """No effect of its own: `vote_ends` tells the votes."""
        return iter(())


class RevealNumber(_Reveal):
    verb = Verb.of(
        "reveal_number", "uncover the dice: {votes}", "ICE-4.12", votes=ParamType(LIST, each(of_suit(mark_of)))
    )
    phases = (Phase.NUMBER,)
    wrong_phase = PhaseText("ICE-4.12", "the vote on the number is not open; now comes {now}")


class RevealSuit(_Reveal):
    verb = Verb.of(
        "reveal_suit", "uncover the coins: {votes}", "ICE-4.15", votes=ParamType(LIST, each(of_suit(mark_of)))
    )
    phases = (Phase.SUIT,)
    wrong_phase = PhaseText("ICE-4.15", "the vote on the suit is not open; now comes {now}")


def _random_vote(state: State, rng: random.Random) -> str:
    pool = rounds.candidates(state)
    return rounds.choice_code(pool[int(rng.random() * len(pool))])


def _no_choice(state: State, text: str) -> Refusal | None:
    try:
        rounds.read_choice(state, text)
    except ValueError:
        names = rounds.choice_facts(rounds.candidates(state))
        words = say("“{given}” is not a suit; vote for one of {choices}", given=text[:20], choices=names)
        if rounds.is_number(state):
            words = say("“{given}” is not a value; vote for one of {choices}", given=text[:20], choices=names)
        return Refusal(Code.BAD_ARGUMENT, rounds.clause_of(state), words)
    return None


def _no_vote(state: State, seat: int) -> Refusal | None:
    if seat in rounds.voters(state):
        return None
    if seat in state.sanctioned:
        text = say("{who} does not vote in this round", who=Person(seat))
        return Refusal(Code.NOT_ALLOWED, "ICE-4.26", text, {"seat": seat})
    text = say("{who} has voted already", who=Person(seat))
    return Refusal(Code.REPEATS, rounds.clause_of(state), text, {"seat": seat})


def _no_player(state: State, letter: str) -> Refusal | None:
    try:
        rounds.seat_of(state, letter)
    except ValueError:
        return Refusal(Code.NO_SUCH_PIECE, "ICE-1.2", say("nobody plays “{given}”", given=letter[:20]))
    return None


def _vote_mismatch(state: State, seat: int, seen: str) -> Refusal | None:
    """Refusal where an uncovered vote differs from the one on the phone, or where a sanctioned seat votes."""
    vote = state.ballot.votes[seat]
    if vote and vote != rounds.read_choice(state, seen):
        text = say("{who} chose something other than what is uncovered now", who=Person(seat))
        return Refusal(Code.CONTRADICTS, rounds.clause_of(state), text, {"seat": seat, "seen": seen})
    return None if vote else _no_vote(state, seat)

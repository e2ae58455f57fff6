"""Deeds after a count: coins added to a vote, ties broken, seats sanctioned (ICE-4.17 to ICE-4.26)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine import Action, Code, Effect, EffectKind, PhaseText, Refusal, Verb
from rules.engine.action import MARK, RANK, SEAT, PieceIcon
from rules.engine.refusal import Fact, Facts
from rules.engine.values import replace, with_item
from rules.games.ice_floe import rounds
from rules.games.ice_floe.deeds.common import FloeDeed
from rules.games.ice_floe.opening import COIN_PHASES, TIE_PHASES, Ballot, Phase, State
from rules.pieces import Kind, coin, parse_rank
from rules.sentence import Person, say, several


class AddCoin(FloeDeed):
    verb = Verb.of(
        "add_coin",
        "add your {coin} coin to the {choice}",
        "ICE-4.18",
        drawn=PieceIcon(Kind.COIN, value="coin", onto="choice"),
        coin=RANK,
        choice=MARK,
    )
    phases = COIN_PHASES
    wrong_phase = PhaseText("ICE-4.18", "coins are added between the uncovering and the count; now comes {now}")

    def legal(self, state: State) -> Iterator[Action]:
        for adder, who in _adding_seats(state):
            for letter in rounds.coins_of(state, adder):
                for choice in rounds.supportable(state):
                    yield Action("add_coin", (rounds.choice_code(letter), rounds.choice_code(choice)), who)

    def check(self, state: State, action: Action) -> Refusal | None:
        seat = rounds.actor_of(state, action)
        given, choice = action.args
        coin = rounds.letter_among(given, rounds.COIN_WORTH)
        if coin is None:
            text = say("“{given}” is not a voting coin; those are the ace (1) and the 2", given=given[:20])
            return Refusal(Code.NO_SUCH_PIECE, "ICE-4.17", text)
        if coin not in rounds.coins_of(state, seat):
            text = say("{who} has used the {coin} coin before", who=Person(seat), coin=parse_rank(coin))
            return Refusal(Code.REPEATS, "ICE-4.17", text, {"coin": coin, "left": rounds.coins_of(state, seat)})
        if not rounds.may_add(state, seat):
            text = say("{who} may add no coins in this round", who=Person(seat))
            return Refusal(Code.NOT_ALLOWED, "ICE-R20", text, {"seat": seat})
        return _no_candidate(state, choice) or _cannot_support(state, choice)

    def advance(self, state: State, action: Action) -> State:
        seat = rounds.actor_of(state, action)
        worth = rounds.COIN_WORTH[parse_rank(action[0]).letter]
        coins = tuple(left - worth if n == seat else left for n, left in enumerate(state.coins))
        support = (*state.ballot.support, (rounds.read_choice(state, action[1]), worth, seat))
        ballot = Ballot(state.ballot.votes, support)
        return rounds.next_coin(replace(state, coins=coins, ballot=ballot, to_act=(seat + 1) % state.players))

    def own_effects(self, before: State, action: Action, after: State, seat: int) -> Iterator[Effect]:
        rank = parse_rank(action[0])
        worth = rounds.COIN_WORTH[rank.letter]
        piece = coin(before.suits[seat], rank)
        facts: dict[str, Fact] = {"choice": rounds.read_choice(before, action[1])}
        yield Effect(EffectKind.PAY, piece, piece.code, seat=seat, amount=worth, clause="ICE-4.18", facts=facts)


class KeepCoins(FloeDeed):
    verb = Verb.of("keep_coins", "add no coin", "ICE-4.20")
    phases = COIN_PHASES
    wrong_phase = PhaseText("ICE-4.20", "nobody is asked for coins now; now comes {now}")

    def legal(self, state: State) -> Iterator[Action]:
        return (Action("keep_coins", (), who) for _, who in _adding_seats(state))

    def advance(self, state: State, action: Action) -> State:
        seat = rounds.actor_of(state, action)
        ballot = replace(state.ballot, passed=(*state.ballot.passed, seat))
        return rounds.next_coin(replace(state, ballot=ballot, to_act=(seat + 1) % state.players))

    def own_effects(self, before: State, action: Action, after: State, seat: int) -> Iterator[Effect]:
        yield Effect(EffectKind.CHOOSE, seat=seat, clause="ICE-4.20", facts={"choice": "no coin"})


class CloseCoins(FloeDeed):
    verb = Verb.of("close_coins", "nobody adds a coin any more", "ICE-4.20")
    phases = COIN_PHASES
    wrong_phase = PhaseText("ICE-4.20", "nobody is asked for coins now; now comes {now}")
    is_open_to_all = True

    def advance(self, state: State, action: Action) -> State:
        return rounds.count_votes(state)

    def own_effects(self, before: State, action: Action, after: State, seat: int) -> Iterator[Effect]:
        yield Effect(EffectKind.CHOOSE, clause="ICE-4.20", facts={"choice": "nobody adds a coin any more"})


class BreakTie(FloeDeed):
    verb = Verb.of(
        "break_tie",
        "the torch bearer decides for {choice}",
        "ICE-4.23",
        drawn=PieceIcon(Kind.COIN, mark="choice"),
        choice=MARK,
    )
    phases = TIE_PHASES
    wrong_phase = PhaseText("ICE-4.23", "no vote is tied; now comes {now}")

    def legal(self, state: State) -> Iterator[Action]:
        return (Action("break_tie", (rounds.choice_code(choice),)) for choice in state.ballot.choices)

    def check(self, state: State, action: Action) -> Refusal | None:
        if refusal := _no_candidate(state, action[0]):
            return refusal
        choices = list(state.ballot.choices)
        if rounds.read_choice(state, action[0]) in choices:
            return None
        text = say("the torch bearer chooses only among {choices}", choices=rounds.choice_facts(choices))
        return Refusal(Code.NOT_ALLOWED, "ICE-4.23", text, {"choices": choices})

    def advance(self, state: State, action: Action) -> State:
        return rounds.after_decision(state, rounds.read_choice(state, action[0]))

    def own_effects(self, before: State, action: Action, after: State, seat: int) -> Iterator[Effect]:
        facts: dict[str, Fact] = {"choice": rounds.read_choice(before, action[0]), "among": list(before.ballot.choices)}
        yield Effect(EffectKind.CHOOSE, seat=seat, clause="ICE-4.23", facts=facts)


class Sanction(FloeDeed):
    verb = Verb.of("sanction", "seat {seat} does not vote until the next round", "ICE-4.26", seat=SEAT)
    phases = (Phase.NUMBER, *COIN_PHASES, *TIE_PHASES, Phase.SUIT)
    wrong_phase = PhaseText("ICE-4.26", "nobody is voting now; now comes {now}")
    is_open_to_all = True

    def legal(self, state: State) -> Iterator[Action]:
        return sanctions(state)

    def check(self, state: State, action: Action) -> Refusal | None:
        seats = [str(seat) for seat in range(state.players)]
        if action[0] not in seats:
            text = say("there is no seat “{given}”; seats are {seats}", given=action[0][:20], seats=several(seats))
            return Refusal(Code.BAD_ARGUMENT, "ICE-4.26", text, {"seats": seats})
        culprit = int(action[0])
        if culprit not in state.sanctioned:
            return None
        text = say("{who} does not vote in this round anyway", who=Person(culprit))
        return Refusal(Code.REPEATS, "ICE-4.26", text, {"seat": culprit})

    def advance(self, state: State, action: Action) -> State:
        """The remaining votes of the round count as not cast (ICE-4.26)."""
        culprit = int(action[0])
        after = replace(state, sanctioned=(*state.sanctioned, culprit))
        if state.phase in (Phase.NUMBER, Phase.SUIT):
            return rounds.after_votes(after, with_item(state.ballot.votes, culprit, ""))
        if state.phase in COIN_PHASES and not rounds.may_add(after, culprit):
            return rounds.next_coin(after)
        return after

    def own_effects(self, before: State, action: Action, after: State, seat: int) -> Iterator[Effect]:
        facts: dict[str, Fact] = {"choice": "sanction", "round": before.round}
        yield Effect(EffectKind.CHOOSE, seat=int(action[0]), clause="ICE-4.26", facts=facts)


def _adding_seats(state: State) -> Iterator[tuple[int, int | None]]:
    """Seats that may add coins now, each with the actor to name: none in turns, where it is clear."""
    if state.options.coin_stage == "free":
        return ((seat, seat) for seat in rounds.coin_seats(state))
    return iter(((state.to_act, None),))


def sanctions(state: State) -> Iterator[Action]:
    return (Action("sanction", (str(seat),)) for seat in range(state.players) if seat not in state.sanctioned)


def _no_candidate(state: State, choice: str) -> Refusal | None:
    try:
        rounds.read_choice(state, choice)
    except ValueError:
        names, given = list(rounds.candidates(state)), choice[:20]
        known = rounds.choice_facts(names)
        text = say("“{given}” is not a choice; the choices are {known}", given=given, known=known)
        return Refusal(Code.BAD_ARGUMENT, rounds.clause_of(state), text, {"given": given, "known": names})
    return None


def _cannot_support(state: State, choice: str) -> Refusal | None:
    choice, open_to = rounds.read_choice(state, choice), list(rounds.supportable(state))
    if choice in open_to:
        return None
    named = rounds.choice_fact(choice)
    facts: Facts = {"choice": choice, "open": open_to}
    if choice not in rounds.valid_choices(state):
        words = say("the vote for {choice} is void: no such tile is left", choice=named)
        return Refusal(Code.NOT_ALLOWED, "ICE-R9", words, facts)
    words = say("nobody voted for {choice}; coins go to {open}", choice=named, open=rounds.choice_facts(open_to))
    return Refusal(Code.NOT_ALLOWED, "ICE-4.18", words, facts)

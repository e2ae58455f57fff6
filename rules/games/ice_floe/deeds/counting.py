"""How a vote is told when it is complete: votes uncovered, weights counted, a choice made (ICE-4.12 to ICE-4.23)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine import Action, Effect, EffectKind
from rules.engine.refusal import Fact
from rules.engine.values import replace
from rules.games.ice_floe.names import seat_of, set_at, split
from rules.games.ice_floe.opening import COIN_PHASES, NUMBER, SUIT, TIE_PHASES, TILES, Ballot, State
from rules.games.ice_floe.votes import COIN_WORTH, is_number, read_choice, tally, valid_choices
from rules.pieces import Suit, coin, die, parse_rank


def vote_ends(before: State, action: Action, after: State, seat: int) -> Iterator[Effect]:
    """Whatever an action led to in a vote: votes uncovered, weights counted, a choice made."""
    if before.phase in (NUMBER, SUIT) and _uncovered(before, action, after):
        votes = _votes_after(before, action, seat)
        yield from _votes_shown(before, votes)
        if after.phase not in (*COIN_PHASES, before.phase):
            yield from _counted(replace(before, ballot=Ballot(votes)))
    if before.phase in COIN_PHASES and after.phase not in COIN_PHASES:
        counted = before
        if action.verb == "add_coin":
            choice = read_choice(before, action[1])
            counted = _with_support(before, choice, COIN_WORTH[parse_rank(action[0]).letter], seat)
        yield from _counted(counted)
    if after.phase in TIE_PHASES and before.phase not in TIE_PHASES:
        facts: dict[str, Fact] = {"phase": after.phase, "round": after.round, "choices": list(after.ballot.choices)}
        yield Effect(
            EffectKind.PHASE, seat=after.torch, clause="ICE-4.23" if any(after.ballot.votes) else "ICE-R8", facts=facts
        )
    if after.number and after.number != before.number:
        yield Effect(EffectKind.CHOOSE, clause="ICE-4.14", facts={"number": after.number})
    if after.target and not before.target:
        yield Effect(EffectKind.CHOOSE, clause="ICE-4.16", facts={"tile": TILES[after.target].code})


def _uncovered(before: State, action: Action, after: State) -> bool:
    """Whether this action completed the votes."""
    if action.verb.startswith("reveal"):
        return True
    return after.phase != before.phase or (action.verb.startswith("commit") and not any(after.ballot.votes))


def _votes_after(before: State, action: Action, seat: int) -> tuple[str, ...]:
    votes = before.ballot.votes
    if action.verb == "sanction":
        return set_at(votes, int(action[0]), "")
    if action.verb.startswith("commit"):
        return set_at(votes, seat, read_choice(before, action[0]))
    for item in split(action[0]):
        votes = set_at(votes, seat_of(before, item[0]), read_choice(before, item[1:]))
    return votes


def _with_support(state: State, choice: str, worth: int, seat: int) -> State:
    return replace(state, ballot=replace(state.ballot, support=(*state.ballot.support, (choice, worth, seat))))


def _votes_shown(before: State, votes: tuple[str, ...]) -> Iterator[Effect]:
    valid = valid_choices(before)
    for seat, vote in enumerate(votes):
        if not vote:
            continue
        suit = before.suits[seat]
        number = is_number(before)
        piece = die(suit, parse_rank(vote)) if number else coin(_suit(vote), parse_rank(before.sets[seat]))
        key = f"d{suit.letter}" if number else piece.code
        void = vote not in valid
        clause = ("ICE-4.13" if number else "ICE-4.16") if void else ("ICE-4.12" if number else "ICE-4.15")
        yield Effect(EffectKind.REVEAL, piece, key, seat=seat, clause=clause, facts={"vote": vote, "void": void})
    if not any(vote in valid for vote in votes if vote):
        yield Effect(EffectKind.PHASE, clause="ICE-R8", facts={"what": "no vote is valid"})


def _suit(letter: str) -> Suit:
    return next(suit for suit in Suit if suit.letter == letter)


def _counted(state: State) -> Iterator[Effect]:
    """What every choice weighs; nothing where no vote is valid."""
    weights = tally(state)
    if not weights:
        return
    sums = [f"{choice} {weight}" for choice, weight in sorted(weights.items(), key=lambda item: -item[1])]
    yield Effect(EffectKind.CHOOSE, clause="ICE-4.14" if is_number(state) else "ICE-4.16", facts={"weights": sums})

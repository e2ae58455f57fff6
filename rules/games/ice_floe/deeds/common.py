"""Base of the deeds, and common effects and refusals: votes, breaking tiles, unknown places and pyramids."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

from rules.engine import Action, Code, Effect, EffectKind, NarratedDeed, Refusal, Spot
from rules.engine.refusal import Fact
from rules.engine.values import replace, with_item
from rules.games.ice_floe import rounds
from rules.games.ice_floe.floes import is_out
from rules.games.ice_floe.geometry import CELL_OF
from rules.games.ice_floe.layout import pyramid_piece, spot
from rules.games.ice_floe.opening import (
    COIN_PHASES,
    LOST,
    TIE_PHASES,
    TILES,
    Ballot,
    Phase,
    State,
    find_pyramid,
    points,
    pyramid_name,
)
from rules.pieces import coin, die, parse_rank, parse_suit
from rules.sentence import say, several
from rules.table.layout import Zone


def vote_ends(before: State, action: Action, after: State, seat: int) -> Iterator[Effect]:
    """Effects that follow an action on a vote: votes uncovered, weights counted, a choice made."""
    if before.phase in (Phase.NUMBER, Phase.SUIT) and _completes_votes(before, action, after):
        votes = _votes_after(before, action, seat)
        yield from _votes_shown(before, votes)
        if after.phase not in (*COIN_PHASES, before.phase):
            yield from _count_effects(replace(before, ballot=Ballot(votes)))
    if before.phase in COIN_PHASES and after.phase not in COIN_PHASES:
        counted = before
        if action.verb == "add_coin":
            choice, worth = rounds.read_choice(before, action[1]), rounds.COIN_WORTH[parse_rank(action[0]).letter]
            support = (*before.ballot.support, (choice, worth, seat))
            counted = replace(before, ballot=replace(before.ballot, support=support))
        yield from _count_effects(counted)
    if after.phase in TIE_PHASES and before.phase not in TIE_PHASES:
        facts: dict[str, Fact] = {"phase": after.phase, "round": after.round, "choices": list(after.ballot.choices)}
        clause = "ICE-4.23" if any(after.ballot.votes) else "ICE-R8"
        yield Effect(EffectKind.PHASE, seat=after.torch, clause=clause, facts=facts)
    if after.number and after.number != before.number:
        yield Effect(EffectKind.CHOOSE, clause="ICE-4.14", facts={"number": after.number})
    if after.target and not before.target:
        yield Effect(EffectKind.CHOOSE, clause="ICE-4.16", facts={"tile": TILES[after.target].code})


def _completes_votes(before: State, action: Action, after: State) -> bool:
    """Whether this action completed the votes."""
    if action.verb.startswith("reveal"):
        return True
    return after.phase != before.phase or (action.verb.startswith("commit") and not any(after.ballot.votes))


def _votes_after(before: State, action: Action, seat: int) -> tuple[str, ...]:
    votes = before.ballot.votes
    if action.verb == "sanction":
        return with_item(votes, int(action[0]), "")
    if action.verb.startswith("commit"):
        return with_item(votes, seat, rounds.read_choice(before, action[0]))
    for item in rounds.split(action[0]):
        votes = with_item(votes, rounds.seat_of(before, item[0]), rounds.read_choice(before, item[1:]))
    return votes


def _votes_shown(before: State, votes: tuple[str, ...]) -> Iterator[Effect]:
    valid, number = rounds.valid_choices(before), rounds.is_number(before)
    for seat, vote in enumerate(votes):
        if vote:
            suit, void = before.suits[seat], vote not in valid
            piece = die(suit, parse_rank(vote)) if number else coin(parse_suit(vote), parse_rank(before.sets[seat]))
            key = f"d{suit.letter}" if number else piece.code
            clause = ("ICE-4.13" if number else "ICE-4.16") if void else rounds.clause_of(before)
            yield Effect(EffectKind.REVEAL, piece, key, seat=seat, clause=clause, facts={"vote": vote, "void": void})
    if not set(votes) & set(valid):
        yield Effect(EffectKind.PHASE, clause="ICE-R8", facts={"what": "no vote is valid"})


def _count_effects(state: State) -> Iterator[Effect]:
    """Weights of the choices; none if no vote is valid."""
    weights = sorted(rounds.tally(state).items(), key=lambda item: -item[1])
    if weights:
        sums = [f"{choice} {weight}" for choice, weight in weights]
        clause = "ICE-4.14" if rounds.is_number(state) else "ICE-4.16"
        yield Effect(EffectKind.CHOOSE, clause=clause, facts={"weights": sums})


def no_pyramid(state: State, name: str) -> Refusal | None:
    if find_pyramid(state, name) is not None:
        return None
    text = say(
        "there is no pyramid “{pyramid}”; write a suit ({letters}), - and a letter A to F, for example S-A",
        pyramid=name[:20],
        letters=several(suit.letter for suit in state.suits),
    )
    return Refusal(Code.NO_SUCH_PIECE, "ICE-1.2", text)


def index_of(state: State, name: str) -> int:
    index = find_pyramid(state, name)
    assert index is not None
    return index


def pyramid_and_cells(action: Action) -> tuple[str, ...]:
    """The pyramid by its piece code, and every landing of its path."""
    return (f"y{action[0]}", *action[1].split(">")) if len(action.args) == 2 else ()


class FloeDeed(NarratedDeed[State]):
    """Base of the deeds: adds the effects of completed votes, scoring and the next phase. Spoken decisions may be
    entered by anybody, but are offered only to the seat that decides."""

    is_offered_to_others = False

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        seat = rounds.actor_of(before, action)
        yield from self.own_effects(before, action, after, seat)
        yield from vote_ends(before, action, after, seat)
        if after.phase in (Phase.WINNER, Phase.ENDED) and before.phase != Phase.WINNER:
            left = [index for index, place in enumerate(after.pyramids) if place >= 0]
            yield Effect(EffectKind.PHASE, clause="ICE-5.3", facts={"phase": "last scoring"})
            yield from points_of(after, left, "ICE-5.3")
        if after.phase == Phase.ENDED:
            winners = [after.suits[winner].value for winner in after.winners]
            yield Effect(EffectKind.END, clause="ICE-5.4", facts={"winners": winners})
            return
        if after.round != before.round:
            facts: dict[str, Fact] = {"torch": after.suits[after.torch].value, "round": after.round}
            yield Effect(EffectKind.TURN, seat=after.torch, clause="ICE-3.6", facts=facts)
        elif after.phase != before.phase and after.phase not in TIE_PHASES:
            yield Effect(EffectKind.PHASE, facts={"phase": after.phase, "round": after.round})
        elif (
            after.phase in (Phase.PLACE, Phase.MOVE, Phase.SCORE, *COIN_PHASES, Phase.EXPLODE, Phase.BONUS)
            and after.to_act != before.to_act
        ):
            yield Effect(EffectKind.TURN, seat=after.to_act)

    @abstractmethod
    def own_effects(self, before: State, action: Action, after: State, seat: int) -> Iterator[Effect]:
        """The effects of the deed itself."""


def no_cell(place: str) -> Refusal | None:
    if place in CELL_OF:
        return None
    text = say("there is no cell “{place}”; they go from a1 to e5", place=place[:20])
    return Refusal(Code.NO_SUCH_PLACE, "ICE-2.1", text)


def no_tile(state: State, place: str, clause: str) -> Refusal | None:
    if refusal := no_cell(place):
        return refusal
    if state.floes[CELL_OF[place]]:
        return None
    return Refusal(Code.EMPTY, clause, say("there is no tile on {place}; it is a hole", place=place))


def tile_breaks(before: State, cell: int, arrived: int | None, load: int, clause: str) -> Iterator[Effect]:
    """Effects of a breaking tile: the tile, its pyramids, then seats without any pyramid."""
    tile, here = TILES[before.floes[cell]], spot(cell)
    lost = [i for i, place in enumerate(before.pyramids) if place == cell or i == arrived]
    names = [pyramid_name(before, index) for index in lost]
    facts: dict[str, Fact] = {"places": [here.name], "lost": names, "weight": load}
    yield Effect(EffectKind.COLLAPSE, tile, tile.code, here, clause=clause, facts=facts)
    yield Effect(EffectKind.REMOVE, tile, tile.code, here, Spot(zone=Zone.SPENT), clause=clause)
    for index in lost:
        piece, seat = pyramid_piece(before, index), index // 6
        gone = Spot(zone=Zone.SPENT, seat=seat)
        yield Effect(EffectKind.REMOVE, piece, piece.code, here, gone, seat=seat, clause=clause)
    left = tuple(LOST if index in lost else place for index, place in enumerate(before.pyramids))
    for seat in range(before.players):
        if is_out(left, seat) and not is_out(before.pyramids, seat):
            yield Effect(EffectKind.ELIMINATE, seat=seat, clause="ICE-5.1", facts={"why": "all pyramids are lost"})


def points_of(state: State, indices: list[int], clause: str) -> Iterator[Effect]:
    """Scores of all seats for their pyramids among these."""
    for seat in range(state.players):
        if mine := {pyramid_name(state, i): points(state.options, i) for i in indices if i // 6 == seat}:
            parts = [f"{name} {number}" for name, number in mine.items()]
            amount = sum(mine.values())
            yield Effect(EffectKind.SCORE, seat=seat, amount=amount, clause=clause, facts={"for": parts})

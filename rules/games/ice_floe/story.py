"""What an action did, told in effects."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from rules.engine import Action, Effect, EffectKind, Spot
from rules.engine.refusal import Fact
from rules.games.ice_floe.board import pyramid_piece, spot
from rules.games.ice_floe.floes import is_out, weight_on
from rules.games.ice_floe.geometry import CELL_OF, COMPASS, NOWHERE, length, neighbour
from rules.games.ice_floe.opening import (
    BONUS,
    COIN_PHASES,
    ENDED,
    EXPLODE,
    LOST,
    MOVE,
    NUMBER,
    PLACE,
    ROLL,
    SCORE,
    SUIT,
    TIE_PHASES,
    TILES,
    WEIGHTS,
    WINNER,
    Ballot,
    State,
    find_pyramid,
    points,
    pyramid_name,
)
from rules.games.ice_floe.play import read_choice, read_path, seat_of, set_at, split
from rules.games.ice_floe.voting import COIN_WORTH, is_number, tally, valid_choices
from rules.pieces import Suit, coin, die, parse_rank
from rules.table.layout import Zone

K = EffectKind


def story(before: State, action: Action, after: State, seat: int) -> Iterator[Effect]:
    yield from _STORIES[action.verb](before, action, after, seat)
    yield from _vote_ends(before, action, after, seat)
    yield from _final_scores(before, after)
    yield from _what_next(before, after)


# Setting up ---------------------------------------------------------------------------------------------------


def _take_set(_before: State, action: Action, _after: State, seat: int) -> Iterator[Effect]:
    rank = parse_rank(action[0])
    for suit in Suit:
        yield Effect(K.TAKE, coin(suit, rank), coin(suit, rank).code, seat=seat, clause="ICE-3.3")


def _roll(before: State, action: Action, after: State, _seat: int) -> Iterator[Effect]:
    for item in split(action[0]):
        seat, rank = seat_of(before, item[0]), parse_rank(item[1:])
        piece = die(before.suits[seat], rank)
        yield Effect(K.ROLL, piece, f"d{item[0]}", seat=seat, amount=int(rank), clause="ICE-3.4")
    if after.rolling and len(split(action[0])) < len(before.rolling):
        return
    if after.rolling:
        tied = [before.suits[seat].value for seat in after.rolling]
        yield Effect(K.PHASE, clause="ICE-3.4", facts={"phase": ROLL, "tied": tied})
    else:
        yield Effect(K.CHOOSE, seat=after.torch, clause="ICE-3.6", facts={"torch": after.suits[after.torch].value})


def _place(before: State, action: Action, _after: State, seat: int) -> Iterator[Effect]:
    piece = pyramid_piece(before, _index(before, action[0]))
    source, target = Spot(zone=Zone.HAND, seat=seat), spot(CELL_OF[action[1]])
    yield Effect(K.PLACE, piece, piece.code, source, target, seat=seat, clause="ICE-3.5")


def _index(state: State, name: str) -> int:
    index = find_pyramid(state, name)
    assert index is not None
    return index


# Moving --------------------------------------------------------------------------------------------------------


def _move(before: State, action: Action, after: State, seat: int) -> Iterator[Effect]:
    index = _index(before, action[0])
    piece = pyramid_piece(before, index)
    here = before.pyramids[index]
    for target in read_path(action[1]):
        if target == NOWHERE:
            continue
        kind = "jump" if length(here, target) == 2 else "step"
        clause = "ICE-4.3" if kind == "jump" else "ICE-4.2"
        facts: dict[str, Fact] = {"kind": kind}
        yield Effect(K.MOVE, piece, piece.code, spot(here), spot(target), seat=seat, clause=clause, facts=facts)
        here = target
        if before.floes[target] and not after.floes[target]:
            load = weight_on(before.pyramids, target) + WEIGHTS[index % 6]
            yield from _breaks(before, target, index, load, "ICE-4.7")
            return


def _breaks(before: State, cell: int, arrived: int | None, load: int, clause: str) -> Iterator[Effect]:
    """A tile and what stands on it goes: the tile, then every pyramid, then whoever has none left."""
    code = TILES[before.floes[cell]].code
    lost = [i for i, place in enumerate(before.pyramids) if place == cell or i == arrived]
    names = [pyramid_name(before, index) for index in lost]
    facts: dict[str, Fact] = {"places": [spot(cell).name], "lost": names, "weight": load}
    gone = Spot(zone=Zone.SPENT)
    yield Effect(K.COLLAPSE, TILES[before.floes[cell]], code, spot(cell), clause=clause, facts=facts)
    yield Effect(K.REMOVE, TILES[before.floes[cell]], code, spot(cell), gone, clause=clause)
    for index in lost:
        piece = pyramid_piece(before, index)
        target = Spot(zone=Zone.SPENT, seat=index // 6)
        yield Effect(K.REMOVE, piece, piece.code, spot(cell), target, seat=index // 6, clause=clause)
    left = [LOST if index in lost else place for index, place in enumerate(before.pyramids)]
    for seat in range(before.players):
        if max(left[6 * seat : 6 * seat + 6]) == LOST and not is_out(before, seat):
            yield Effect(K.ELIMINATE, seat=seat, clause="ICE-5.1", facts={"why": "all pyramids are lost"})


def _slide(before: State, action: Action, _after: State, seat: int) -> Iterator[Effect]:
    source = CELL_OF[action[0]]
    target = neighbour(source, *COMPASS[action[1]])
    assert target is not None
    tile = TILES[before.floes[source]]
    yield Effect(K.MOVE, tile, tile.code, spot(source), spot(target), seat=seat, clause="ICE-4.10")
    for index, place in enumerate(before.pyramids):
        if place == source:
            piece = pyramid_piece(before, index)
            yield Effect(K.MOVE, piece, piece.code, spot(source), spot(target), seat=index // 6, clause="ICE-4.10")


def _pass(_before: State, _action: Action, _after: State, seat: int) -> Iterator[Effect]:
    yield Effect(K.CHOOSE, seat=seat, clause="ICE-4.11", facts={"choice": "pass"})


# Voting --------------------------------------------------------------------------------------------------------


def _commit(before: State, _action: Action, _after: State, seat: int) -> Iterator[Effect]:
    """What was voted is not told: it is a secret until all votes are uncovered."""
    clause = "ICE-4.12" if is_number(before) else "ICE-4.15"
    yield Effect(K.CHOOSE, seat=seat, clause=clause, facts={"sealed": True})


def _votes_after(before: State, action: Action, seat: int) -> tuple[str, ...]:
    votes = before.ballot.votes
    if action.verb == "sanction":
        return set_at(votes, int(action[0]), "")
    if action.verb.startswith("commit"):
        return set_at(votes, seat, read_choice(before, action[0]))
    for item in split(action[0]):
        votes = set_at(votes, seat_of(before, item[0]), read_choice(before, item[1:]))
    return votes


def _nothing_more(_before: State, _action: Action, _after: State, _seat: int) -> Iterator[Effect]:
    return iter(())


def _add_coin(before: State, action: Action, _after: State, seat: int) -> Iterator[Effect]:
    rank = parse_rank(action[0])
    worth = COIN_WORTH[rank.letter]
    piece = coin(before.suits[seat], rank)
    facts: dict[str, Fact] = {"choice": read_choice(before, action[1])}
    yield Effect(K.PAY, piece, piece.code, seat=seat, amount=worth, clause="ICE-4.18", facts=facts)


def _keep_coins(_before: State, _action: Action, _after: State, seat: int) -> Iterator[Effect]:
    yield Effect(K.CHOOSE, seat=seat, clause="ICE-4.20", facts={"choice": "no coin"})


def _close_coins(_before: State, _action: Action, _after: State, _seat: int) -> Iterator[Effect]:
    yield Effect(K.CHOOSE, clause="ICE-4.20", facts={"choice": "nobody adds a coin any more"})


def _break_tie(before: State, action: Action, _after: State, seat: int) -> Iterator[Effect]:
    facts: dict[str, Fact] = {"choice": read_choice(before, action[0]), "among": list(before.ballot.choices)}
    yield Effect(K.CHOOSE, seat=seat, clause="ICE-4.23", facts=facts)


def _sanction(before: State, action: Action, _after: State, _seat: int) -> Iterator[Effect]:
    facts: dict[str, Fact] = {"choice": "sanction", "round": before.round}
    yield Effect(K.CHOOSE, seat=int(action[0]), clause="ICE-4.26", facts=facts)


def _vote_ends(before: State, action: Action, after: State, seat: int) -> Iterator[Effect]:
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
        facts: dict[str, Fact] = {
            "phase": after.phase,
            "round": after.round,
            "choices": list(after.ballot.choices),
        }
        yield Effect(K.PHASE, seat=after.torch, clause="ICE-4.23" if any(after.ballot.votes) else "ICE-R8", facts=facts)
    if after.number and after.number != before.number:
        yield Effect(K.CHOOSE, clause="ICE-4.14", facts={"number": after.number})
    if after.target and not before.target:
        yield Effect(K.CHOOSE, clause="ICE-4.16", facts={"tile": TILES[after.target].code})


def _with_support(state: State, choice: str, worth: int, seat: int) -> State:
    return replace(state, ballot=replace(state.ballot, support=(*state.ballot.support, (choice, worth, seat))))


def _uncovered(before: State, action: Action, after: State) -> bool:
    """Whether this action completed the votes."""
    if action.verb.startswith("reveal"):
        return True
    return after.phase != before.phase or (action.verb.startswith("commit") and not any(after.ballot.votes))


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
        yield Effect(K.REVEAL, piece, key, seat=seat, clause=clause, facts={"vote": vote, "void": void})
    if not any(vote in valid for vote in votes if vote):
        yield Effect(K.PHASE, clause="ICE-R8", facts={"what": "no vote is valid"})


def _suit(letter: str) -> Suit:
    return next(suit for suit in Suit if suit.letter == letter)


def _counted(state: State) -> Iterator[Effect]:
    """What every choice weighs; nothing where no vote is valid."""
    weights = tally(state)
    if not weights:
        return
    sums = [f"{choice} {weight}" for choice, weight in sorted(weights.items(), key=lambda item: -item[1])]
    yield Effect(K.CHOOSE, clause="ICE-4.14" if is_number(state) else "ICE-4.16", facts={"weights": sums})


# Exploding and scoring -----------------------------------------------------------------------------------------


def _explode(before: State, action: Action, _after: State, _seat: int) -> Iterator[Effect]:
    cell = CELL_OF[action[0]]
    yield from _breaks(before, cell, None, weight_on(before.pyramids, cell), "ICE-4.27")


def _bonus(before: State, action: Action, _after: State, seat: int) -> Iterator[Effect]:
    cell = CELL_OF[action[0]]
    yield Effect(K.CHOOSE, seat=seat, clause="ICE-4.28", facts={"choice": action[0]})
    yield from _breaks(before, cell, None, 0, "ICE-4.28")


def _decline(_before: State, _action: Action, _after: State, seat: int) -> Iterator[Effect]:
    yield Effect(K.CHOOSE, seat=seat, clause="ICE-4.28", facts={"choice": "decline"})


def _score(before: State, action: Action, _after: State, seat: int) -> Iterator[Effect]:
    cell = CELL_OF[action[0]]
    facts: dict[str, Fact] = {"place": action[0], "tile": TILES[before.floes[cell]].code}
    yield Effect(K.CHOOSE, seat=seat, clause="ICE-4.30", facts=facts)
    on_it = [index for index, place in enumerate(before.pyramids) if place == cell]
    yield from _points(before, on_it, "ICE-4.30")


def _points(state: State, indices: list[int], clause: str) -> Iterator[Effect]:
    """What every seat gets for its pyramids among these."""
    for seat in range(state.players):
        mine = [index for index in indices if index // 6 == seat]
        if mine:
            parts = [f"{pyramid_name(state, index)} {points(state.options, index)}" for index in mine]
            amount = sum(points(state.options, index) for index in mine)
            yield Effect(K.SCORE, seat=seat, amount=amount, clause=clause, facts={"for": parts})


def _final_scores(before: State, after: State) -> Iterator[Effect]:
    if after.phase in (WINNER, ENDED) and before.phase != WINNER:
        left = [index for index, place in enumerate(after.pyramids) if place >= 0]
        yield Effect(K.PHASE, clause="ICE-5.3", facts={"phase": "last scoring"})
        yield from _points(after, left, "ICE-5.3")


def _choose_winner(_before: State, _action: Action, after: State, seat: int) -> Iterator[Effect]:
    names = [after.suits[winner].value for winner in after.winners]
    yield Effect(K.CHOOSE, seat=seat, clause="ICE-5.4", facts={"winners": names})


def _what_next(before: State, after: State) -> Iterator[Effect]:
    if after.phase == ENDED:
        yield Effect(K.END, clause="ICE-5.4", facts={"winners": [after.suits[w].value for w in after.winners]})
        return
    if after.round != before.round:
        facts: dict[str, Fact] = {"torch": after.suits[after.torch].value, "round": after.round}
        yield Effect(K.TURN, seat=after.torch, clause="ICE-3.6", facts=facts)
    elif after.phase != before.phase and after.phase not in TIE_PHASES:
        yield Effect(K.PHASE, facts={"phase": after.phase, "round": after.round})
    elif after.phase in (PLACE, MOVE, SCORE, *COIN_PHASES, EXPLODE, BONUS) and after.to_act != before.to_act:
        yield Effect(K.TURN, seat=after.to_act)


_STORIES: dict[str, Callable[[State, Action, State, int], Iterator[Effect]]] = {
    "take_set": _take_set,
    "roll": _roll,
    "place": _place,
    "move": _move,
    "slide": _slide,
    "pass": _pass,
    "commit_number": _commit,
    "commit_suit": _commit,
    "reveal_number": _nothing_more,
    "reveal_suit": _nothing_more,
    "add_coin": _add_coin,
    "keep_coins": _keep_coins,
    "close_coins": _close_coins,
    "break_tie": _break_tie,
    "sanction": _sanction,
    "explode": _explode,
    "bonus": _bonus,
    "decline": _decline,
    "score": _score,
    "choose_winner": _choose_winner,
    "share": _choose_winner,
}

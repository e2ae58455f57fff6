"""What may be done, and what careless players do."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from rules.engine import Action
from rules.games.ice_floe import voting
from rules.games.ice_floe.floes import alive, empty_floes, paths, slides
from rules.games.ice_floe.geometry import NAMES, NOWHERE, PATHS, path_text
from rules.games.ice_floe.opening import (
    BONUS,
    ENDED,
    EXPLODE,
    FACES,
    MOVE,
    NUMBER,
    NUMBER_COINS,
    NUMBER_TIE,
    PLACE,
    ROLL,
    SCORE,
    SET_NAMES,
    SETS,
    SUIT,
    SUIT_COINS,
    SUIT_TIE,
    WINNER,
    State,
    pyramid_name,
)
from rules.games.ice_floe.play import next_letter

PASS = Action("pass")
DECLINE = Action("decline")
_TRIES = 12


def _sets(state: State, _seat: int | None) -> Iterator[Action]:
    for name in SET_NAMES:
        if name not in state.sets:
            yield Action("take_set", (name,))


def _roll(state: State, _seat: int | None) -> Iterator[Action]:
    """One die at a time; several may also be told at once."""
    for seat in state.rolling:
        for face in FACES:
            yield Action("roll", (state.suits[seat].letter + face,))


def _place(state: State, _seat: int | None) -> Iterator[Action]:
    name = pyramid_name(state, next_letter(state))
    for cell in empty_floes(state):
        yield Action("place", (name, NAMES[cell]))


def _move(state: State, _seat: int | None) -> Iterator[Action]:
    seat = state.to_act
    found = False
    for index in alive(state, seat):
        name = pyramid_name(state, index)
        for path in paths(state, index):
            found = True
            yield Action("move", (name, path_text(path)))
    for source, way, _ in slides(state, seat):
        found = True
        yield Action("slide", (NAMES[source], way))
    if not found:
        yield PASS


def _vote(state: State, seat: int | None) -> Iterator[Action]:
    verb = "commit_number" if state.phase == NUMBER else "commit_suit"
    for voter in voting.voters(state):
        if seat in (None, voter):
            for choice in voting.candidates(state):
                yield Action(verb, (choice,), voter)
    yield from _sanctions(state)


def _sanctions(state: State) -> Iterator[Action]:
    for seat in range(state.players):
        if seat not in state.sanctioned:
            yield Action("sanction", (str(seat),))


def _coins(state: State, seat: int | None) -> Iterator[Action]:
    """In turn the actor is clear; where all may add coins freely, each action names its seat."""
    free = state.options.coin_stage == "free"
    for adder in voting.coin_seats(state) if free else (state.to_act,):
        if seat in (None, adder):
            who = adder if free else None
            for coin in voting.coins_of(state, adder):
                for choice in voting.supportable(state):
                    yield Action("add_coin", (coin, choice), who)
            yield Action("keep_coins", (), who)
    yield Action("close_coins")
    yield from _sanctions(state)


def _tie(state: State, _seat: int | None) -> Iterator[Action]:
    for choice in state.ballot.choices:
        yield Action("break_tie", (choice,))
    yield from _sanctions(state)


def _explode(state: State, _seat: int | None) -> Iterator[Action]:
    yield Action("explode", (NAMES[state.floes.index(state.target)],))


def _bonus(state: State, _seat: int | None) -> Iterator[Action]:
    for cell in empty_floes(state):
        yield Action("bonus", (NAMES[cell],))
    yield DECLINE


def _score(state: State, _seat: int | None) -> Iterator[Action]:
    for cell, name in enumerate(state.floes):
        if name:
            yield Action("score", (NAMES[cell],))


def _winner(state: State, _seat: int | None) -> Iterator[Action]:
    for seat in state.winners:
        yield Action("choose_winner", (state.suits[seat].letter,))
    yield Action("share")


def _nothing(_state: State, _seat: int | None) -> Iterator[Action]:
    return iter(())


LEGAL: dict[str, Callable[[State, int | None], Iterator[Action]]] = {
    SETS: _sets,
    ROLL: _roll,
    PLACE: _place,
    MOVE: _move,
    NUMBER: _vote,
    SUIT: _vote,
    NUMBER_COINS: _coins,
    SUIT_COINS: _coins,
    NUMBER_TIE: _tie,
    SUIT_TIE: _tie,
    EXPLODE: _explode,
    BONUS: _bonus,
    SCORE: _score,
    WINNER: _winner,
    ENDED: _nothing,
}


def sample(state: State, rng: random.Random) -> Action:
    """By luck: quickly where there is much to choose from."""
    if state.phase == MOVE:
        return _sample_move(state, rng) or _any(state, rng)
    if state.phase == PLACE:
        free = empty_floes(state)
        return Action("place", (pyramid_name(state, next_letter(state)), NAMES[free[int(rng.random() * len(free))]]))
    if state.phase == ROLL:
        faces = (state.suits[seat].letter + FACES[int(rng.random() * 6)] for seat in state.rolling)
        return Action("roll", ("+".join(faces),))
    if state.phase in (NUMBER, SUIT):
        return _sample_vote(state, rng)
    return _any(state, rng)


def _any(state: State, rng: random.Random) -> Action:
    """Players who break the rules of conduct are rare."""
    actions = list(LEGAL[state.phase](state, None))
    if rng.random() < 0.98:
        actions = [action for action in actions if action.verb != "sanction"]
    return actions[int(rng.random() * len(actions))]


def _sample_move(state: State, rng: random.Random) -> Action | None:
    """Now and then a slide, else a path that happens to be possible; None after some tries."""
    standing = alive(state, state.to_act)
    if standing and rng.random() < 0.1:
        sliding = list(slides(state, state.to_act))
        if sliding:
            source, way, _ = rng.choice(sliding)
            return Action("slide", (NAMES[source], way))
    for _ in range(_TRIES if standing else 0):
        index = standing[int(rng.random() * len(standing))]
        start = state.pyramids[index]
        path = PATHS[start][int(rng.random() * len(PATHS[start]))]
        first, second = path
        if state.floes[first] and (second == NOWHERE or (state.floes[second] and second != start)):
            return Action("move", (pyramid_name(state, index), path_text(path)))
    return None


def _sample_vote(state: State, rng: random.Random) -> Action:
    """One sealed vote, or now and then all that are left at once, as the camera sees them."""
    if rng.random() < 0.01:
        return next(_sanctions(state))
    waiting = voting.voters(state)
    pool = voting.candidates(state)
    kind = "number" if state.phase == NUMBER else "suit"
    if rng.random() < 0.1:
        votes = (state.suits[seat].letter + pool[int(rng.random() * len(pool))] for seat in waiting)
        return Action(f"reveal_{kind}", ("+".join(votes),))
    seat = waiting[int(rng.random() * len(waiting))]
    return Action(f"commit_{kind}", (pool[int(rng.random() * len(pool))],), seat)

"""Refusals before the check of a deed: the game is over, the verb is unknown, the number of arguments is wrong, or
another seat is to act."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from rules.engine.action import Action, Verb
from rules.engine.refusal import Code, Facts, Refusal
from rules.engine.turn import Turn, TurnKind
from rules.sentence import Joint, Person, enumerated, say, several

if TYPE_CHECKING:
    from rules.engine.contract import AnyGame

SEARCHED = 500
"""Legal actions searched for an example."""


def general_refusal(game: AnyGame, state: Any, action: Action) -> Refusal | None:
    """The refusal of any action, also absurd ones; None if its deed decides."""
    turn = game.turn(state)
    if turn.is_over:
        outcome = game.outcome(state)
        return Refusal(Code.GAME_OVER, outcome.clause, say("the game is over"), {"reason": outcome.reason})
    verb = game.verbs.get(action.verb)
    if verb is None and action.verb == "pass" and game.card.pass_clause:
        return Refusal(Code.MUST_MOVE, game.card.pass_clause, say("nobody may pass"), {})
    if verb is None:
        known = sorted(game.verbs)
        text = say(
            "{game} has no action “{verb}”; it has {known}",
            game=game.card.name,
            verb=action.verb[:40],
            known=enumerated(known, Joint.AND),
        )
        return Refusal(Code.UNKNOWN_ACTION, game.card.action_clause, text, {"known": known})
    if not verb.required <= len(verb.with_joined_list(action).args) <= len(verb.params):
        return _wrong_count(game, state, verb, action)
    return _wrong_actor(game, state, turn, action)


def _wrong_count(game: AnyGame, state: Any, verb: Verb, action: Action) -> Refusal:
    """With a legal action as the example, where there is one: names of parameters mean little to people."""
    form = Action(verb.name, tuple(p.name.rstrip("_") for p in verb.params)).id
    facts: Facts = {"form": form, "given": len(action.args)}
    legal = next((each for each in islice(game.legal(state), SEARCHED) if each.verb == verb.name), None)
    if legal is not None:
        text = say("write {form}, for example {example}", form=form, example=legal.without_seat.id)
        return Refusal(Code.BAD_ARGUMENT, verb.clause, text, facts)
    text = say(
        "write it as {form}; it has {count} argument, not {given}",
        "write it as {form}; it has {count} arguments, not {given}",
        count=verb.required,
        form=form,
        given=len(action.args),
    )
    return Refusal(Code.BAD_ARGUMENT, verb.clause, text, facts)


def _wrong_actor(game: AnyGame, state: Any, turn: Turn, action: Action) -> Refusal | None:
    if action.seat is not None and action.seat not in (seats := range(game.seats_of(state))):
        return _no_seat(game, state, turn, action.seat, seats)
    if game.is_open_to_all(action):
        return None
    if action.seat is None:
        all_choose = turn.kind is TurnKind.ALL and len(turn.seats) > 1
        return _unsaid_actor(game, state, turn, action) if all_choose else None
    if action.seat in turn.seats or (turn.kind is TurnKind.CHANCE and not turn.seats):
        return None
    return game.seat_refusal(state, action.seat) or _not_to_act(game, state, turn, action.seat)


def _no_seat(game: AnyGame, state: Any, turn: Turn, seat: int, seats: range) -> Refusal:
    known = [str(each) for each in seats]
    text = say("there is no seat {number} at this table; it has {seats}", number=seat, seats=several(known))
    return Refusal(Code.NOT_YOUR_TURN, game.turn_clause(state, turn), text, {"seat": seat, "seats": known})


def _unsaid_actor(game: AnyGame, state: Any, turn: Turn, action: Action) -> Refusal:
    """The actor is missing; where the phase is wrong for every actor, that is the refusal."""
    anybody = game.check(state, Action(action.verb, action.args, turn.seats[0]))
    if anybody is not None and anybody.code is Code.WRONG_PHASE:
        return anybody
    facts = {"seats": [str(seat) for seat in turn.seats]}
    return Refusal(Code.NOT_YOUR_TURN, game.turn_clause(state, turn), say("say which seat does it"), facts)


def _not_to_act(game: AnyGame, state: Any, turn: Turn, seat: int) -> Refusal:
    people = [Person(other) for other in turn.seats or (None,)]
    whose = enumerated(people, Joint.OR)
    text = say("it is not the turn of {seat}: {whose} is to act", seat=Person(seat), whose=whose)
    if turn.kind is TurnKind.ALL:
        text = say(
            "{seat} has nothing left to choose; {whose} still has to choose",
            "{seat} has nothing left to choose; {whose} still have to choose",
            count=len(people),
            seat=Person(seat),
            whose=enumerated(people, Joint.AND),
        )
    facts: Facts = {"to_act": [str(other) for other in turn.seats], "seat": seat}
    return Refusal(Code.NOT_YOUR_TURN, game.turn_clause(state, turn), text, facts)

"""Deeds of an attempt: slides, the cheese won, the attempt failed (MICE-4.4 to 4.10, MICE-9.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rules.engine import Action, Code, Effect, EffectKind, Refusal, Spot, Verb
from rules.engine.action import PIECE, PLACE, WAY
from rules.engine.refusal import Facts
from rules.engine.values import with_item
from rules.games.four_blind_mice import slides
from rules.games.four_blind_mice.deeds.common import (
    MAX_ECHO,
    MouseDeed,
    loss_effects,
    no_room,
    no_such_mouse,
    return_effects,
    spot,
)
from rules.games.four_blind_mice.opening import CELL_OF, NAMES, RAYS, WORDS, Phase, State, Where
from rules.games.four_blind_mice.rounds import (
    MOUSE_OF,
    after_discard,
    end_round,
    is_decided,
    visible_piece,
)
from rules.pieces import SUITS, pawn
from rules.sentence import Sentence, say
from rules.table.layout import Zone

FAIL = Action("fail")


class Slide(MouseDeed):
    verb = Verb.of("slide", "{mouse} runs {direction}", "MICE-4.4", mouse=PIECE, direction=WAY)
    phases = (Phase.ATTEMPT,)

    def legal(self, state: State) -> Iterator[Action]:
        return (slides.slide_action(found.mouse, found.direction) for found in slides.possible_slides(state))

    def check(self, state: State, action: Action) -> Refusal | None:
        if refusal := no_such_mouse(action[0]):
            return refusal
        mouse = MOUSE_OF[action[0]]
        if action[1] not in WORDS:
            text = say("a mouse runs N, E, S or W, not “{direction}”", direction=action[1][:MAX_ECHO])
            return Refusal(Code.BAD_ARGUMENT, "MICE-4.5", text)
        return _over_limit(state, mouse) or _no_turn(state, mouse, action[1]) or _no_run(state, mouse, action[1])

    def advance(self, state: State, action: Action) -> State:
        mouse = MOUSE_OF[action[0]]
        found = slides.slide(state, mouse, action[1])
        mice = with_item(state.mice, mouse, found.stop)
        step = SUITS[mouse].letter + action[1]
        after = replace(state, mice=mice, used=state.used + found.cost, plan=(*state.plan, step))
        return _with_claim(after) if found.claims else after

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        mouse = MOUSE_OF[action[0]]
        found = slides.slide(before, mouse, action[1])
        start = before.mice[mouse]
        assert start is not None
        used = after.used or before.used + found.cost
        seat = before.to_act
        facts: Facts = {"direction": action[1], "cost": found.cost, "used": used, "bid": before.limit}
        piece = pawn(SUITS[mouse])
        ends = spot(start), spot(found.stop)
        key = f"mouse-{piece.suit}"
        yield Effect(EffectKind.MOVE, piece, key, *ends, seat=seat, clause="MICE-4.5", facts=facts)
        if found.claims:
            yield from _win_effects(before, after, before.used + found.cost)

    def describe(self, action: Action) -> str:
        if len(action.args) != 2 or action[1] not in WORDS:
            return super().describe(action)
        mouse = MOUSE_OF.get(action[0])
        return f"the {action[0] if mouse is None else SUITS[mouse].value} mouse runs {WORDS[action[1]]}"


SLIDE = Slide()


class Fail(MouseDeed):
    verb = Verb.of("fail", "give up and put the mice back", "MICE-4.10")
    phases = (Phase.ATTEMPT,)

    def advance(self, state: State, action: Action) -> State:
        """The mice return; the next bidder tries, after the last one the cheese is lost (MICE-4.10, MICE-4.11)."""
        after = replace(state, mice=state.home, used=0, plan=(), moves=state.moves + state.used * state.is_solo)
        if state.is_solo:
            return after
        if state.order:
            return replace(after, to_act=state.order[0], order=state.order[1:])
        return after_discard(after)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        facts: Facts = {"choice": "fail", "used": before.used, "bid": before.limit}
        yield Effect(EffectKind.CHOOSE, seat=before.to_act, clause="MICE-4.10", facts=facts)
        yield from return_effects(before)
        if after.target is None:
            yield from loss_effects(before)


class Replace(MouseDeed):
    verb = Verb.of("replace", "put the cheese back on {space}", "MICE-9.1", space=PLACE)
    phases = (Phase.REPLACE,)

    def legal(self, state: State) -> Iterator[Action]:
        return (Action("replace", (NAMES[cell],)) for cell in slides.free_places(state))

    def check(self, state: State, action: Action) -> Refusal | None:
        return no_room(state, action[0], slides.free_places(state))

    def advance(self, state: State, action: Action) -> State:
        """The scorer's cheese returns to the board with its suit public (MICE-9.1)."""
        cheeses = state.with_uncovered(where=Where.BOARD, cell=CELL_OF[action[0]], owner=None)
        return end_round(replace(state, cheeses=cheeses, barred=state.target, target=None))

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        number = before.target
        seat = before.to_act
        assert number is not None
        ends = Spot(zone=Zone.HAND, seat=seat), spot(CELL_OF[action[0]])
        piece = visible_piece(after, number)
        yield Effect(EffectKind.PLACE, piece, f"cheese{number}", *ends, seat=seat, clause="MICE-9.1")


def _over_limit(state: State, mouse: int) -> Refusal | None:
    cost = slides.cost_of(state.options, len(slides.own_slides(state, mouse)))
    if state.used + cost <= state.limit:
        return None
    left = state.limit - state.used
    text = say(
        "this costs {cost}, and {count} move is left: put the mice back (fail)",
        "this costs {cost}, and {count} moves are left: put the mice back (fail)",
        count=left,
        cost=cost,
    )
    if not left:
        text = say("all {bid} moves are used: put the mice back (fail)", bid=state.limit)
    return Refusal(Code.LIMIT, "MICE-4.10", text, {"used": state.used, "bid": state.limit, "cost": cost})


def _no_turn(state: State, mouse: int, direction: str) -> Refusal | None:
    made = slides.own_slides(state, mouse)
    if not made or slides.may_turn(state.options, made[-1], direction):
        return None
    what = say("would go straight on") if made[-1] == direction else say("would turn back")
    text = say(
        "the {suit} mouse ran {direction} last and {what}; it must turn left or right",
        suit=SUITS[mouse],
        direction=WORDS[made[-1]],
        what=what,
    )
    return Refusal(Code.WRONG_DIRECTION, "MICE-4.6", text, {"last": made[-1], "direction": direction})


def _no_run(state: State, mouse: int, direction: str) -> Refusal | None:
    start = state.mice[mouse]
    assert start is not None
    if slides.slide(state, mouse, direction).stop != start:
        return None
    text = say(
        "the {suit} mouse on {place} cannot run {direction}: {why}",
        suit=SUITS[mouse],
        place=NAMES[start],
        direction=WORDS[direction],
        why=_obstacle(state, start, direction),
    )
    return Refusal(Code.STUCK, "MICE-4.5", text, {"place": NAMES[start], "direction": direction})


def _obstacle(state: State, start: int, direction: str) -> Sentence:
    ray = RAYS[direction][start]
    if not ray:
        return say("the edge is in the way")
    if ray[0] in state.mice:
        return say("the {suit} mouse is in the way", suit=SUITS[state.mice.index(ray[0])])
    return say("the cheese on {place} is in the way", place=NAMES[ray[0]])


def _with_claim(state: State) -> State:
    """The state with the cheese won; the mice stay where they are (MICE-4.9)."""
    seat = state.to_act
    moves = state.moves + state.used
    scores = with_item(state.scores, seat, state.scores[seat] + 1)
    cheeses = state.with_uncovered(where=Where.HAND, cell=None, owner=seat)
    won = replace(state, scores=scores, cheeses=cheeses, moves=moves, home=state.mice)
    goes_back = state.options.replacement and not is_decided(won)
    return replace(won, phase=Phase.REPLACE) if goes_back else end_round(replace(won, target=None))


def _win_effects(before: State, after: State, used: int) -> Iterator[Effect]:
    number = before.target
    seat = before.to_act
    cell = before.uncovered.cell
    assert number is not None
    assert cell is not None
    piece, hand = visible_piece(before, number), Spot(zone=Zone.HAND, seat=seat)
    yield Effect(EffectKind.TAKE, piece, f"cheese{number}", spot(cell), hand, seat=seat, clause="MICE-4.9")
    facts: Facts = {"moves": used, "bid": None if before.is_solo else before.limit, "cheeses": after.scores[seat]}
    yield Effect(EffectKind.SCORE, seat=seat, amount=1, clause="MICE-4.9", facts=facts)

"""The course of a turn: what comes after a use, who is next, when it ends; cards that are drawn and discarded."""

from __future__ import annotations

from rules.engine import Effect, EffectKind
from rules.engine.refusal import Facts
from rules.engine.values import replace
from rules.games.dectana.deeds.common import Story, tell_card, tell_pyramid
from rules.games.dectana.ground import UNKNOWN
from rules.games.dectana.opening import HAND_LIMIT, Held, Phase, State
from rules.games.dectana.pieces import DISCARD, PILE, hand, spot, stash
from rules.games.dectana.powers import uses
from rules.games.dectana.pyramids import change_pyramid


def after_use(state: State, story: Story) -> State:
    """One use is done: the void, the hand limit, then the next use or the next player."""
    use = state.use
    assert use is not None, "a use was made"
    state = replace(state, use=replace(use, left=use.left - 1, made=use.made + 1))
    if state.stage is Phase.REVEAL:
        return state
    return go_on(clear_void(state, story), story)


def go_on(state: State, story: Story) -> State:
    """The hand limit first (DEC-4.10), then what is left of a crown, then the end of the turn."""
    over = len(state.hand) - HAND_LIMIT
    if over > 0:
        facts: Facts = {"phase": Phase.DISCARD.value, "cards": over}
        story.append(Effect(EffectKind.PHASE, seat=state.to_act, clause="DEC-4.10", facts=facts))
        return replace(state, stage=Phase.DISCARD)
    if state.use and state.use.left and any(True for _ in uses(state)):
        state = replace(state, stage=Phase.USE)
        tell_stage(state, story, "DEC-4.3")
        return state
    return end_turn(state, story)


def tell_stage(state: State, story: Story, clause: str) -> None:
    facts: Facts = {"phase": state.stage.value}
    if state.use:
        facts = {**facts, "suit": state.use.suit, "uses_left": state.use.left}
    story.append(Effect(EffectKind.PHASE, seat=state.to_act, clause=clause, facts=facts))


def end_turn(state: State, story: Story) -> State:
    if state.use and state.use.card:
        card = state.use.card
        story.append(tell_card(EffectKind.REMOVE, card, hand(state.to_act), DISCARD, state.to_act, "DEC-4.2"))
        state = replace(state, discard=(*state.discard, card))
    following = (state.to_act + 1) % state.seats
    state = replace(state, use=None, stage=Phase.TURN, to_act=following, turns=state.turns + 1)
    if state.options.max_turns and state.turns >= state.options.max_turns:
        return end(state, "max_turns", story)
    story.append(Effect(EffectKind.TURN, seat=following, clause="DEC-3.4"))
    return state


def end(state: State, why: str, story: Story) -> State:
    """Who had the right to end it stands with what was discarded for it; the end itself is about who has won."""
    scores = state.scores()
    for seat, points in enumerate(scores):
        facts: Facts = {"pyramids": len(state.own(seat))}
        story.append(Effect(EffectKind.SCORE, seat=seat, amount=points, clause="DEC-5.2", facts=facts))
    story.append(Effect(EffectKind.END, clause="DEC-5.3", facts={"ended_by": why}))
    return replace(state, stage=Phase.OVER, ended=why)


def clear_void(state: State, story: Story) -> State:
    """DEC-2.4: a pyramid in the void is destroyed at once."""
    for pyramid in state.pyramids:
        if state.ground.is_void(pyramid.cell):
            way = spot(pyramid.cell), stash(pyramid.seat)
            story.append(tell_pyramid(state, EffectKind.REMOVE, pyramid, way, "DEC-2.4", {"why": "in the void"}))
            state = change_pyramid(state, pyramid, None)
    return state


# Cards -------------------------------------------------------------------------------------------------------


def draw_cards(state: State, seat: int, count: int, story: Story, clause: str) -> State:
    """DEC-4.12: the discard pile is shuffled when it is needed; nobody sees what is drawn."""
    got = 0
    while got < count and (state.pile or state.discard):
        state = refill(state, story)
        some = min(count - got, state.pile)
        state = replace(state, pile=state.pile - some)
        got += some
    if got:
        facts: Facts = {"cards": got, "wanted": count}
        goal = hand(seat)
        taken = Effect(EffectKind.TAKE, None, "", PILE, goal, seat, amount=got, clause=clause, facts=facts)
        story.append(taken)
    return state.with_hand(seat, (*state.hands[seat], *[Held()] * got))


def refill(state: State, story: Story) -> State:
    if state.pile:
        return state
    facts: Facts = {"phase": "reshuffle", "cards": len(state.discard), "reshuffles": state.reshuffles + 1}
    story.append(Effect(EffectKind.PHASE, clause="DEC-4.12", facts=facts))
    return replace(state, pile=len(state.discard), discard=(), reshuffles=state.reshuffles + 1)


def discard_cards(state: State, seat: int, cards: tuple[str, ...], clause: str, story: Story) -> State:
    """From a hand to the discard pile, face up as far as anybody saw it."""
    for card in cards:
        state = state.without(seat, card)
        story.append(tell_card(EffectKind.REMOVE, card, hand(seat), DISCARD, seat, clause))
    return replace(state, discard=(*state.discard, *cards))


def whole_hand(state: State, seat: int) -> tuple[str, ...]:
    """The cards of a hand, those nobody told last."""
    marks = [held.mark for held in state.hands[seat]]
    return tuple(sorted(marks, key=lambda mark: (mark == UNKNOWN, mark)))

"""What the uses of a suit do to the table (DEC-4.20 to 4.38). Each takes the state and the acting pyramid, adds to
the story and returns the state after it; the void is looked at by the caller."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rules.engine import Action, Effect, EffectKind
from rules.engine.refusal import Facts
from rules.games.dectana.ground import UNKNOWN, Cell, ahead, lift_cards, put_card, value_of
from rules.games.dectana.opening import Held, Pyramid, Stage, State
from rules.games.dectana.powers import Plan, read_plan, shrunk_size
from rules.games.dectana.story import DISCARD, PILE, hand, spot, stash, tell_card, tell_pyramid

Story = list[Effect]


def actor_of(state: State, ref: str) -> Pyramid | None:
    """The own pyramid that an action names; of alike ones the first."""
    return next((p for p in state.pyramids if p.seat == state.to_act and p.ref == ref), None)


def act(state: State, action: Action, story: Story) -> State:
    actor = actor_of(state, action[0])
    assert actor is not None, "only legal uses are done"
    return _DEEDS[action.verb](state, actor, action, story)


def add_pyramid(state: State, size: int, cell: Cell, orient: str, seat: int) -> tuple[State, Pyramid]:
    number = state.free_number(seat, size)
    assert number is not None, "only called when the stash has one"
    fresh = Pyramid(seat, size, number, *cell, orient)
    return replace(state, pyramids=tuple(sorted((*state.pyramids, fresh)))), fresh


def change_pyramid(state: State, before: Pyramid, after: Pyramid | None) -> State:
    others = tuple(p for p in state.pyramids if p != before)
    return replace(state, pyramids=tuple(sorted((*others, after))) if after else others)


def draw_cards(state: State, seat: int, count: int, story: Story, clause: str) -> State:
    """DEC-4.12: the discard pile is shuffled when it is needed; nobody sees what is drawn."""
    got = 0
    while got < count and (state.pile or state.discard):
        state = _refill(state, story)
        some = min(count - got, state.pile)
        state = replace(state, pile=state.pile - some)
        got += some
    if got:
        facts: Facts = {"cards": got, "wanted": count}
        goal = hand(seat)
        taken = Effect(EffectKind.TAKE, None, "", PILE, goal, seat, amount=got, clause=clause, facts=facts)
        story.append(taken)
    return state.with_hand(seat, (*state.hands[seat], *[Held()] * got))


def _refill(state: State, story: Story) -> State:
    if state.pile:
        return state
    facts: Facts = {"phase": "reshuffle", "cards": len(state.discard), "reshuffles": state.reshuffles + 1}
    story.append(Effect(EffectKind.PHASE, clause="DEC-4.12", facts=facts))
    return replace(state, pile=len(state.discard), discard=(), reshuffles=state.reshuffles + 1)


def clear_void(state: State, story: Story) -> State:
    """DEC-2.4: a pyramid in the void is destroyed at once."""
    for pyramid in state.pyramids:
        if state.ground.is_void(pyramid.cell):
            way = spot(pyramid.cell), stash(pyramid.seat)
            story.append(tell_pyramid(state, EffectKind.REMOVE, pyramid, way, "DEC-2.4", {"why": "in the void"}))
            state = change_pyramid(state, pyramid, None)
    return state


def _create(state: State, actor: Pyramid, _action: Action, story: Story) -> State:
    state, fresh = add_pyramid(state, 1, actor.cell, "U", actor.seat)
    way = stash(actor.seat), spot(actor.cell)
    story.append(tell_pyramid(state, EffectKind.PLACE, fresh, way, "DEC-4.20"))
    return state


def _create_card(state: State, actor: Pyramid, _action: Action, story: Story) -> State:
    """Which card it is, the table tells: the stage is REVEAL until then."""
    state = _refill(state, story)
    target = actor.target
    facts: Facts = {"phase": Stage.REVEAL.value, "place": spot(target).name}
    story.append(Effect(EffectKind.PHASE, source=PILE, target=spot(target), clause="DEC-4.21", facts=facts))
    return replace(state, stage=Stage.REVEAL, reveal_at=target)


def reveal_card(state: State, card: str, story: Story) -> State:
    cell = state.reveal_at
    assert cell is not None, "a card is being turned"
    story.append(tell_card(EffectKind.REVEAL, card, PILE, spot(cell), state.to_act, "DEC-4.21"))
    story.append(tell_card(EffectKind.PLACE, card, PILE, spot(cell), state.to_act, "DEC-4.21"))
    return replace(state, pile=state.pile - 1, piles=put_card(state.piles, cell, card), reveal_at=None)


def _grow(state: State, actor: Pyramid, _action: Action, story: Story) -> State:
    number = state.free_number(actor.seat, actor.size + 1)
    assert number is not None, "only legal uses are done"
    grown = replace(actor, size=actor.size + 1, number=number)
    _tell_exchange(state, actor, grown, "DEC-4.22", story)
    return change_pyramid(state, actor, grown)


def _tell_exchange(state: State, before: Pyramid, after: Pyramid, clause: str, story: Story) -> None:
    here, there = spot(before.cell), stash(before.seat)
    facts: Facts = {"size": before.size, "becomes": after.size}
    story.append(tell_pyramid(state, EffectKind.REMOVE, before, (here, there), clause, facts))
    story.append(tell_pyramid(state, EffectKind.PLACE, after, (there, here), clause))


def _grow_card(state: State, actor: Pyramid, action: Action, story: Story) -> State:
    card, cell = action[1], actor.target
    covered = state.ground.cards[cell][-1]
    facts: Facts = {"covers": covered, "value": value_of(card), "covered_value": value_of(covered)}
    story.append(tell_card(EffectKind.PLACE, card, hand(actor.seat), spot(cell), actor.seat, "DEC-4.23", facts))
    return replace(state.without(actor.seat, card), piles=put_card(state.piles, cell, card))


def _move(state: State, actor: Pyramid, action: Action, story: Story) -> State:
    steps = int(action[1])
    x, y = ahead(actor.cell, actor.orient, steps)
    moved = replace(actor, x=x, y=y, orient="U")
    way = spot(actor.cell), spot((x, y))
    kind = EffectKind.MOVE if steps else EffectKind.ROTATE
    story.append(tell_pyramid(state, kind, moved, way, "DEC-4.25", {"spaces": steps, "pips": actor.size}))
    return change_pyramid(state, actor, moved)


def _move_card(state: State, actor: Pyramid, _action: Action, story: Story) -> State:
    cell = actor.target
    card = state.ground.cards[cell][-1]
    landing = state.ground.landing(cell, actor.orient)
    story.append(tell_card(EffectKind.MOVE, card, spot(cell), spot(landing), actor.seat, "DEC-4.27"))
    return replace(state, piles=put_card(lift_cards(state.piles, cell), landing, card))


def _push(state: State, actor: Pyramid, action: Action, story: Story) -> State:
    for pyramid, steps in _plan(state, actor, action[1]):
        x, y = ahead(pyramid.cell, actor.orient, steps)
        moved = replace(pyramid, x=x, y=y)
        facts: Facts = {"spaces": steps, "points": steps * pyramid.size, "of": actor.size, "by": actor.ref}
        way = spot(pyramid.cell), spot((x, y))
        story.append(tell_pyramid(state, EffectKind.MOVE, moved, way, "DEC-4.29", facts))
        state = change_pyramid(state, pyramid, moved)
    return state


def _plan(state: State, actor: Pyramid, text: str) -> Plan:
    plan = read_plan(state, actor, text)
    assert not isinstance(plan, str), "only legal uses are done"
    return plan


def _steal(state: State, actor: Pyramid, _action: Action, story: Story) -> State:
    card = state.ground.cards[actor.target][-1]
    story.append(tell_card(EffectKind.TAKE, card, spot(actor.target), hand(actor.seat), actor.seat, "DEC-4.31"))
    state = replace(state, piles=lift_cards(state.piles, actor.target))
    return state.with_hand(actor.seat, (*state.hands[actor.seat], Held(card, public=True)))


def _shrink(state: State, actor: Pyramid, action: Action, story: Story) -> State:
    for pyramid, points in _plan(state, actor, action[1]):
        size = shrunk_size(state, pyramid, points)
        facts: Facts = {
            "strength": points,
            "of": actor.size,
            "size": pyramid.size,
            "becomes": size,
            "success": True,
        }
        story.append(
            Effect(
                EffectKind.ATTACK,
                key=pyramid.key,
                seat=actor.seat,
                other=pyramid.seat,
                clause="DEC-4.32",
                facts=facts,
            )
        )
        if size:
            number = state.free_number(pyramid.seat, size)
            assert number is not None, "shrunk_size looked into the stash"
            smaller = replace(pyramid, size=size, number=number)
            _tell_exchange(state, pyramid, smaller, "DEC-4.33", story)
            state = change_pyramid(state, pyramid, smaller)
        else:
            way = spot(pyramid.cell), stash(pyramid.seat)
            story.append(tell_pyramid(state, EffectKind.REMOVE, pyramid, way, "DEC-4.33", {"why": "destroyed"}))
            state = change_pyramid(state, pyramid, None)
    return state


def _destroy(state: State, actor: Pyramid, _action: Action, story: Story) -> State:
    return _discard_top(state, actor, 1, "DEC-4.34", story)


def _discard_top(state: State, actor: Pyramid, count: int, clause: str, story: Story) -> State:
    cell = actor.target
    gone = state.ground.cards[cell][-count:]
    for card in reversed(gone):
        story.append(tell_card(EffectKind.REMOVE, card, spot(cell), DISCARD, actor.seat, clause))
    discard = (*state.discard, *reversed(gone))
    return replace(state, piles=lift_cards(state.piles, cell, count), discard=discard)


def _draw(state: State, actor: Pyramid, _action: Action, story: Story) -> State:
    return draw_cards(state, actor.seat, actor.size, story, "DEC-4.35")


def _draw_card(state: State, actor: Pyramid, _action: Action, story: Story) -> State:
    pile = state.ground.cards[actor.target]
    state = draw_cards(state, actor.seat, max(0, value_of(pile[-1])), story, "DEC-4.36")
    way = spot(actor.cell), stash(actor.seat)
    story.append(tell_pyramid(state, EffectKind.REMOVE, actor, way, "DEC-4.36", {"why": "the price of knots"}))
    count = len(pile) if state.options.knots_card_destroys == "whole_stack" else 1
    return _discard_top(change_pyramid(state, actor, None), actor, count, "DEC-4.36", story)


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


_DEEDS: dict[str, Callable[[State, Pyramid, Action, Story], State]] = {
    "create": _create,
    "create_card": _create_card,
    "grow": _grow,
    "grow_card": _grow_card,
    "move": _move,
    "move_card": _move_card,
    "push": _push,
    "steal": _steal,
    "shrink": _shrink,
    "destroy": _destroy,
    "draw": _draw,
    "draw_card": _draw_card,
}

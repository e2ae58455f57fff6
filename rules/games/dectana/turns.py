"""The course of a turn in Dectana: what begins a use, what comes after it, who is next, when it ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rules.engine import Action, Effect, EffectKind
from rules.engine.refusal import Facts
from rules.games.dectana import deeds
from rules.games.dectana.ground import UNKNOWN, cell_of, uses_of
from rules.games.dectana.opening import BOARD, HAND_LIMIT, Held, Pyramid, Stage, State, Use, dealt
from rules.games.dectana.powers import SUIT_OF, uses
from rules.games.dectana.story import DISCARD, PILE, card_piece, hand, spot, stash, tell_card, tell_pyramid

Story = list[Effect]


def apply_action(state: State, action: Action, story: Story) -> State:
    if action.verb in SUIT_OF:
        return _after_use(deeds.act(state, action, story), story)
    return _DEEDS[action.verb](state, action, story)


def _deal(state: State, action: Action, story: Story) -> State:
    cards = tuple(action[0].split("+"))
    for cell, card in zip(BOARD, cards, strict=True):
        story.append(Effect(EffectKind.PLACE, card_piece(card), "", PILE, spot(cell), clause="DEC-3.2"))
    state = dealt(state, cards)
    for seat in range(state.seats):
        story.append(Effect(EffectKind.TAKE, source=PILE, target=hand(seat), seat=seat, amount=3, clause="DEC-3.3"))
    story.append(Effect(EffectKind.TURN, seat=state.to_act, clause="DEC-3.5"))
    return state


def _place(state: State, action: Action, story: Story, clause: str) -> State:
    cell = cell_of(action[0])
    assert cell is not None, "only legal actions are applied"
    state, fresh = deeds.add_pyramid(state, 1, cell, action[1], state.to_act)
    way = stash(state.to_act), spot(cell)
    story.append(tell_pyramid(state, EffectKind.PLACE, fresh, way, clause))
    return state


def _place_start(state: State, action: Action, story: Story) -> State:
    """In reverse order of turns; after the first player's pyramid the first player's turn begins (DEC-3.5)."""
    state = _place(state, action, story, "DEC-3.5")
    first = state.options.start_player % state.seats
    if state.to_act == first:
        story.append(Effect(EffectKind.TURN, seat=first, clause="DEC-3.4"))
        return replace(state, stage=Stage.TURN)
    before = (state.to_act - 1) % state.seats
    story.append(Effect(EffectKind.TURN, seat=before, clause="DEC-3.5"))
    return replace(state, to_act=before)


def begun(state: State, action: Action) -> State:
    """A card is activated on the board or shown from the hand; its uses come next."""
    suit = action[1]
    if action.verb == "activate":
        cell = cell_of(action[0])
        card = state.ground.top(cell) if cell else None
        assert card is not None, "only cards that lie there are activated"
        return replace(state, stage=Stage.USE, use=Use(suit, cell=cell, left=uses_of(card)))
    card = action[0]
    shown = state.without(state.to_act, card)
    return replace(shown, stage=Stage.USE, use=Use(suit, card=card, left=uses_of(card)))


def _begin(state: State, action: Action, story: Story) -> State:
    after = begun(state, action)
    use = after.use
    assert use is not None, "a use has begun"
    seat = state.to_act
    card = use.card or after.ground.top(use.cell or (0, 0)) or UNKNOWN
    facts: Facts = {"choice": f"use {use.suit}", "uses": use.left, "card": card}
    if use.card:
        story.append(tell_card(EffectKind.REVEAL, use.card, hand(seat), hand(seat), seat, "DEC-4.2", facts))
    else:
        where = spot(use.cell or (0, 0))
        story.append(Effect(EffectKind.CHOOSE, target=where, seat=seat, clause="DEC-4.1", facts=facts))
    _tell_stage(after, story, "DEC-4.3")
    return after


def _tell_stage(state: State, story: Story, clause: str) -> None:
    facts: Facts = {"phase": state.stage.value}
    if state.use:
        facts = {**facts, "suit": state.use.suit, "uses_left": state.use.left}
    story.append(Effect(EffectKind.PHASE, seat=state.to_act, clause=clause, facts=facts))


def _after_use(state: State, story: Story) -> State:
    """One use is done: the void, the hand limit, then the next use or the next player."""
    use = state.use
    assert use is not None, "a use was made"
    state = replace(state, use=replace(use, left=use.left - 1, made=use.made + 1))
    if state.stage is Stage.REVEAL:
        return state
    return _go_on(deeds.clear_void(state, story), story)


def _reveal(state: State, action: Action, story: Story) -> State:
    state = deeds.reveal_card(state, action[0], story)
    return _go_on(deeds.clear_void(state, story), story)


def _go_on(state: State, story: Story) -> State:
    """The hand limit first (DEC-4.10), then what is left of a crown, then the end of the turn."""
    over = len(state.hand) - HAND_LIMIT
    if over > 0:
        facts: Facts = {"phase": Stage.DISCARD.value, "cards": over}
        story.append(Effect(EffectKind.PHASE, seat=state.to_act, clause="DEC-4.10", facts=facts))
        return replace(state, stage=Stage.DISCARD)
    if state.use and state.use.left and any(True for _ in uses(state)):
        state = replace(state, stage=Stage.USE)
        _tell_stage(state, story, "DEC-4.3")
        return state
    return _end_turn(state, story)


def _end_turn(state: State, story: Story) -> State:
    if state.use and state.use.card:
        card = state.use.card
        story.append(tell_card(EffectKind.REMOVE, card, hand(state.to_act), DISCARD, state.to_act, "DEC-4.2"))
        state = replace(state, discard=(*state.discard, card))
    following = (state.to_act + 1) % state.seats
    state = replace(state, use=None, stage=Stage.TURN, to_act=following, turns=state.turns + 1)
    if state.options.max_turns and state.turns >= state.options.max_turns:
        return _end(state, "max_turns", "DEC-5.5", story)
    story.append(Effect(EffectKind.TURN, seat=following, clause="DEC-3.4"))
    return state


def _end_use(state: State, _action: Action, story: Story) -> State:
    facts: Facts = {"choice": "no further use"}
    story.append(Effect(EffectKind.CHOOSE, seat=state.to_act, clause="DEC-4.5", facts=facts))
    return _end_turn(state, story)


def read_changes(state: State, text: str) -> list[tuple[Pyramid, str]] | str:
    """1E@x0y1>N+2U@x1y1>W: which own pyramid gets which orientation; or what is wrong with it."""
    free = state.own(state.to_act)
    changes = []
    for word in text.split("+") if text else []:
        ref, _, orient = word.partition(">")
        found = next((p for p in free if p.ref == ref), None)
        if found is None:
            return f"you have no (further) pyramid {ref[:24]!r} on the board"
        if orient not in tuple("UNESW"):
            return f"{word[:24]!r} says no orientation; it is U, N, E, S or W after >"
        if orient == found.orient:
            return f"{ref} stands like that already; leave it out"
        free.remove(found)
        changes.append((found, orient))
    return changes


def _reorient(state: State, action: Action, story: Story) -> State:
    changes = read_changes(state, action[0] if action.args else "")
    assert not isinstance(changes, str), "only legal actions are applied"
    for before, orient in changes:
        after = replace(before, orient=orient)
        way = spot(before.cell), spot(before.cell)
        story.append(tell_pyramid(state, EffectKind.ROTATE, after, way, "DEC-4.7", {"before": before.orient}))
        state = deeds.change_pyramid(state, before, after)
    if not changes:
        story.append(Effect(EffectKind.CHOOSE, seat=state.to_act, clause="DEC-4.7", facts={"choice": "pass"}))
    return _end_turn(state, story)


def _enter(state: State, action: Action, story: Story) -> State:
    return _end_turn(_place(state, action, story, "DEC-4.8"), story)


def _redraw(state: State, _action: Action, story: Story) -> State:
    seat = state.to_act
    cards = deeds.whole_hand(state, seat)
    state = deeds.discard_cards(state, seat, cards, "DEC-4.9", story)
    state = deeds.draw_cards(state, seat, len(cards) + 1, story, "DEC-4.9")
    return _go_on(state, story)


def _discard(state: State, action: Action, story: Story) -> State:
    return _go_on(deeds.discard_cards(state, state.to_act, (action[0],), "DEC-4.10", story), story)


def _end_game(state: State, action: Action, story: Story) -> State:
    seat = state.to_act if action.seat is None else action.seat
    state = deeds.discard_cards(state, seat, tuple(action[0].split("+")), "DEC-5.1", story)
    return _end(state, f"seat {seat}", "DEC-5.1", story)


def _end(state: State, why: str, clause: str, story: Story) -> State:
    scores = state.scores()
    for seat, points in enumerate(scores):
        facts: Facts = {"pyramids": len(state.own(seat))}
        story.append(Effect(EffectKind.SCORE, seat=seat, amount=points, clause="DEC-5.2", facts=facts))
    story.append(Effect(EffectKind.END, clause=clause, facts={"ended_by": why}))
    return replace(state, stage=Stage.OVER, ended=why)


def _tell(state: State, action: Action, story: Story) -> State:
    """A player enters own cards, for nobody else to see: the effect says only how many."""
    seat = state.to_act if action.seat is None else action.seat
    cards = action[0].split("+")
    hand_now = list(state.hands[seat])
    for card in cards:
        hand_now.remove(Held())
        hand_now.append(Held(card))
    facts: Facts = {"choice": "cards entered", "cards": len(cards)}
    story.append(Effect(EffectKind.CHOOSE, seat=seat, clause="DEC-6.2", facts=facts))
    return state.with_hand(seat, hand_now)


_DEEDS: dict[str, Callable[[State, Action, Story], State]] = {
    "deal": _deal,
    "place_start": _place_start,
    "activate": _begin,
    "play": _begin,
    "end_use": _end_use,
    "reorient": _reorient,
    "enter": _enter,
    "redraw": _redraw,
    "discard": _discard,
    "reveal": _reveal,
    "end_game": _end_game,
    "tell": _tell,
}

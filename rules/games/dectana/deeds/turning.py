"""Deeds of a turn: activate or play a card, turn pyramids, enter a pyramid, draw anew (DEC-4)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

from rules.engine import Action, Code, EffectKind, Refusal, Verb
from rules.engine.action import CARD, PLACE, WAY, ParamType
from rules.engine.argument_value import ARROW, Value, each, in_a_row, way_of
from rules.engine.open_grid import cell_of, name_of
from rules.engine.refusal import Facts
from rules.engine.values import replace
from rules.games.dectana.deeds.common import (
    POWER,
    SMALL_PYRAMID,
    DectanaDeed,
    DectanaNarration,
    bad,
    claims,
    no_such_card,
    not_in_hand,
    pyramid_value,
    whole_hand,
)
from rules.games.dectana.deeds.setting_up import EnteringDeed, enter, entries, wrong_entry
from rules.games.dectana.layout import hand, spot
from rules.games.dectana.opening import ORIENTS, UNKNOWN, Phase, Pyramid, State, suits_of
from rules.games.dectana.powers import POWERS, is_useful, with_use
from rules.sentence import Joint, Sentence, say, several


def _turn(code: str) -> Value:
    """1W@x0y1>U: a pyramid and its new orientation."""
    pyramid, _, to = code.partition(">")
    return in_a_row((pyramid_value(pyramid), way_of(to)), ARROW)


class Activate(DectanaDeed):
    verb = Verb.of("activate", "use the {suit} of the card on {cell}", "DEC-4.1", cell=PLACE, suit=POWER)
    phases = (Phase.TURN,)

    def legal(self, state: State) -> Iterator[Action]:
        cells = {p.cell for p in state.own(state.to_act)}
        possible: dict[str, bool] = {}
        for cell in sorted(cells):
            card = state.ground.top(cell)
            for suit in suits_of(card) if card else ():
                action = Action("activate", (name_of(cell), suit))
                if state.options.board_actor == "occupant":
                    possible.pop(suit, None)
                if suit not in possible:
                    possible[suit] = is_useful(state, action)
                if possible[suit]:
                    yield action

    def sample(self, state: State, rng: random.Random) -> Action:
        """Samples the whole phase: first the kind of turn, cards more often than pyramids, then its action."""
        kinds = rng.sample(["activate", "play", "play", "reorient", "enter", "redraw", "claim"], 7)
        for kind in kinds:
            found = _of_kind(state, kind, rng)
            if found:
                return found
        return _REDRAW

    def check(self, state: State, action: Action) -> Refusal | None:
        cell = cell_of(action[0])
        card = state.ground.top(cell) if cell else None
        if cell is None or card is None:
            what = state.ground.what(cell) if cell else say("no space")
            text = say("{place} is {what}: there is no card to activate", place=action[0][:20], what=what)
            return Refusal(Code.NO_SUCH_PLACE, "DEC-4.1", text, {"place": action[0][:20]})
        if not any(p.cell == cell for p in state.own(state.to_act)):
            text = say("you have no pyramid on {place}", place=action[0])
            return Refusal(Code.NOT_YOURS, "DEC-4.1", text, {"place": action[0], "card": card})
        return _suit_of(state, action, card, "DEC-4.1")

    def play(self, narration: DectanaNarration, action: Action) -> None:
        _begin(narration, action)


class Play(DectanaDeed):
    verb = Verb.of("play", "play {card} for its {suit}", "DEC-4.2", card=CARD, suit=POWER)
    phases = (Phase.TURN,)

    def legal(self, state: State) -> Iterator[Action]:
        """Leaves are listed separately: only with them do the usable suits depend on the card played, since they put
        another card down."""
        possible: dict[str, bool] = {}
        for card in state.showable(state.to_act):
            for suit in suits_of(card):
                action = Action("play", (card, suit))
                if suit == "leaves" or suit not in possible:
                    possible[suit] = is_useful(state, action)
                if possible[suit]:
                    yield action

    def check(self, state: State, action: Action) -> Refusal | None:
        card = action[0]
        if refusal := no_such_card(state, (card,), "DEC-4.2") or not_in_hand(state, state.to_act, (card,), "DEC-4.2"):
            return refusal
        return _suit_of(state, action, card, "DEC-4.2")

    def play(self, narration: DectanaNarration, action: Action) -> None:
        _begin(narration, action)


class Reorient(DectanaDeed):
    verb = Verb.of("reorient", "turn pyramids: {changes}", "DEC-4.7", changes=ParamType("list?", each(_turn)))
    phases = (Phase.TURN,)

    def legal(self, state: State) -> Iterator[Action]:
        """Every change of one pyramid, or of all if there are few; an empty change is a pass."""
        own = state.own(state.to_act)
        if state.options.reorient_zero == "allow":
            yield PASS
        if len(own) <= ALL_CHANGES_UP_TO:
            found = (_changes(list(zip(own, ways, strict=True))) for ways in product(ORIENTS, repeat=len(own)))
        else:
            found = (_changes([(pyramid, way)]) for pyramid in own for way in ORIENTS)
        yield from (Action("reorient", (text,)) for text in dict.fromkeys(found) if text)

    def check(self, state: State, action: Action) -> Refusal | None:
        text = action[0] if action.args else ""
        if not action.args and state.options.reorient_zero == "allow":
            return None
        if not text:
            return Refusal(Code.MUST_MOVE, "DEC-R4", say("at least one pyramid must be turned"), {"changes": 0})
        changes = read_changes(state, text)
        return bad("DEC-4.7", changes, text) if isinstance(changes, Sentence) else None

    def play(self, narration: DectanaNarration, action: Action) -> None:
        changes = read_changes(narration.state, action[0] if action.args else "")
        assert not isinstance(changes, Sentence), "only legal actions are applied"
        for before, orient in changes:
            after = replace(before, orient=orient)
            way = spot(before.cell), spot(before.cell)
            narration.tell_pyramid(EffectKind.ROTATE, after, way, "DEC-4.7", {"before": before.orient})
            narration.change_pyramid(before, after)
        if not changes:
            narration.tell_choice("DEC-4.7", "pass")
        narration.end_turn()

    def describe(self, action: Action) -> str:
        return super().describe(action) if action.args else "pass: turn nothing"


class Enter(EnteringDeed):
    verb = Verb.of(
        "enter", "a small pyramid enters on {cell}, {orient}", "DEC-4.8", lays=SMALL_PYRAMID, cell=PLACE, orient=WAY
    )
    phases = (Phase.TURN,)

    def legal(self, state: State) -> Iterator[Action]:
        return iter(()) if state.own(state.to_act) else entries(state, "enter")

    def check(self, state: State, action: Action) -> Refusal | None:
        if own := state.own(state.to_act):
            text = say("you can enter only without a pyramid on the board; you have {count}", count=len(own))
            return Refusal(Code.NOT_ALLOWED, "DEC-4.8", text, {"pyramids": [p.ref for p in own]})
        return wrong_entry(state, action, "DEC-4.8")

    def play(self, narration: DectanaNarration, action: Action) -> None:
        enter(narration, action, "DEC-4.8")
        narration.end_turn()


class Redraw(DectanaDeed):
    verb = Verb.of("redraw", "discard the hand and draw one more", "DEC-4.9")
    phases = (Phase.TURN,)

    def play(self, narration: DectanaNarration, action: Action) -> None:
        seat = narration.state.to_act
        cards = whole_hand(narration.state, seat)
        narration.discard_cards(seat, cards, "DEC-4.9")
        narration.draw_cards(seat, len(cards) + 1, "DEC-4.9")
        narration.continue_turn()


ALL_CHANGES_UP_TO = 2  # own pyramids for which every way to reorient them is listed
PASS = Action("reorient")
_REDRAW = Action("redraw")


def _changes(pairs: list[tuple[Pyramid, str]]) -> str:
    words = [f"{p.ref}>{way}" for p, way in pairs if p.orient != way]
    return "+".join(sorted(words))


def _begin(narration: DectanaNarration, action: Action) -> None:
    after, seat = with_use(narration.state, action), narration.state.to_act
    use = after.use
    assert use is not None, "a use has begun"
    card = use.card or after.ground.top(use.cell or (0, 0)) or UNKNOWN
    facts: Facts = {"choice": f"use {use.suit}", "uses": use.left, "card": card}
    if use.card:
        narration.tell_card(EffectKind.REVEAL, use.card, hand(seat), hand(seat), seat, "DEC-4.2", facts)
    else:
        where = spot(use.cell or (0, 0))
        narration.tell(EffectKind.CHOOSE, target=where, seat=seat, clause="DEC-4.1", facts=facts)
    narration.state = after
    narration.begin_use(use)


def read_changes(state: State, text: str) -> list[tuple[Pyramid, str]] | Sentence:
    """1E@x0y1>N+2U@x1y1>W: the new orientations by own pyramid, or the refusal of the text."""
    free = state.own(state.to_act)
    changes = []
    for word in text.split("+") if text else []:
        ref, _, orient = word.partition(">")
        found = next((p for p in free if p.ref == ref), None)
        if found is None:
            return say("you have no (other) pyramid “{pyramid}” on the board", pyramid=ref[:24])
        if orient not in tuple("UNESW"):
            return say("“{word}” names no orientation; write U, N, E, S or W after >", word=word[:24])
        if orient == found.orient:
            return say("{pyramid} stands like that already; leave it out", pyramid=ref)
        free.remove(found)
        changes.append((found, orient))
    return changes


def _suit_of(state: State, action: Action, card: str, clause: str) -> Refusal | None:
    suits = list(suits_of(card))
    if not suits:
        return Refusal(Code.NOT_ALLOWED, "DEC-4.6", say("{card} has no suit to use", card=card))
    if action[1] not in suits:
        text = say(
            "{card} has no “{suit}”; it has {suits}",
            card=card,
            suit=action[1][:12],
            suits=several((POWERS[suit] for suit in suits), Joint.AND),
        )
        return Refusal(Code.NOT_ALLOWED, clause, text, {"card": card, "suits": suits})
    if is_useful(state, action):
        return None
    text = say("none of your pyramids can use {suit} now", suit=POWERS[action[1]])
    own = [pyramid.ref for pyramid in state.own(state.to_act)]
    return Refusal(Code.STUCK, "DEC-4.5", text, {"suit": action[1], "pyramids": own})


ACTIVATE, PLAY, REORIENT, ENTER = Activate(), Play(), Reorient(), Enter()


def _of_kind(state: State, kind: str, rng: random.Random) -> Action | None:
    if kind == "play":
        cards = state.showable(state.to_act)
        for card in rng.sample(cards, min(4, len(cards))):
            for suit in suits_of(card):
                action = Action("play", (card, suit))
                if is_useful(state, action):
                    return action
        return None
    if kind == "redraw":
        return _REDRAW
    if kind == "claim":
        found = list(claims(state, state.to_act))
    else:
        found = list({"activate": ACTIVATE, "reorient": REORIENT, "enter": ENTER}[kind].legal(state))
    return rng.choice(found) if found else None

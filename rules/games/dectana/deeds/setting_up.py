"""Deeds of the set-up: the deal, and the first pyramid of every player (DEC-3)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from rules.engine import Action, Code, EffectKind, Refusal, Verb
from rules.engine.action import CARDS, PLACE, WAY, Luck
from rules.engine.open_grid import cell_of, name_of
from rules.games.dectana.deeds.common import SMALL_PYRAMID, DectanaDeed, DectanaNarration, bad, no_such_card
from rules.games.dectana.layout import PILE, card_piece, hand, spot
from rules.games.dectana.opening import BOARD, COPIES, ORIENTS, Phase, State, dealt, deck
from rules.sentence import say, several


class Deal(DectanaDeed):
    verb = Verb.of("deal", "the board is {cards}", "DEC-3.2", luck=Luck.DEAL, cards=CARDS)
    phases = (Phase.DEAL,)
    exhaustive = False

    def legal(self, state: State) -> Iterator[Action]:
        """One deal represents all."""
        yield self.sample(state, random.Random(0))

    def sample(self, state: State, rng: random.Random) -> Action:
        cards = rng.sample([card for card in deck(state.options) for _ in range(COPIES)], len(BOARD))
        return Action("deal", ("+".join(cards),))

    def check(self, state: State, action: Action) -> Refusal | None:
        cards = tuple(action[0].split("+"))
        if refusal := no_such_card(state, cards, "DEC-3.2"):
            return refusal
        if len(cards) != len(BOARD):
            text = say("the board has nine cards, not {count}; row by row from the north-west", count=len(cards))
            return bad("DEC-3.2", text, action[0])
        many = sorted(card for card, count in Counter(cards).items() if count > COPIES)
        if many:
            text = say("there are only two copies of {cards}", cards=several(many))
            return Refusal(Code.CONTRADICTS, "DEC-1.4", text, {"cards": many})
        return None

    def play(self, narration: DectanaNarration, action: Action) -> None:
        cards = tuple(action[0].split("+"))
        for cell, card in zip(BOARD, cards, strict=True):
            narration.tell(EffectKind.PLACE, card_piece(card), "", PILE, spot(cell), clause="DEC-3.2")
        narration.state = dealt(narration.state, cards)
        for seat in range(narration.state.seats):
            narration.tell(EffectKind.TAKE, source=PILE, target=hand(seat), seat=seat, amount=3, clause="DEC-3.3")
        narration.tell(EffectKind.TURN, seat=narration.state.to_act, clause="DEC-3.5")


_STANDS = {"U": "upright", "N": "pointing north", "E": "pointing east", "S": "pointing south", "W": "pointing west"}


class EnteringDeed(DectanaDeed):
    """Base of the deeds that enter a pyramid; its orientation is said in words."""

    def describe(self, action: Action) -> str:
        cell, orient = action.args
        return self.verb.text.format(cell=cell, orient=_STANDS.get(orient, orient))


class PlaceStart(EnteringDeed):
    verb = Verb.of(
        "place_start", "a small pyramid on {cell}, {orient}", "DEC-3.5", lays=SMALL_PYRAMID, cell=PLACE, orient=WAY
    )
    phases = (Phase.ENTER,)

    def legal(self, state: State) -> Iterator[Action]:
        return entries(state, "place_start")

    def check(self, state: State, action: Action) -> Refusal | None:
        return wrong_entry(state, action, "DEC-3.5")

    def play(self, narration: DectanaNarration, action: Action) -> None:
        """The entries are made in reverse order of turns; after that of the first player the first turn begins
        (DEC-3.5)."""
        enter(narration, action, "DEC-3.5")
        state = narration.state
        first, before = state.options.start_player % state.seats, (state.to_act - 1) % state.seats
        if state.to_act == first:
            narration.tell(EffectKind.TURN, seat=first, clause="DEC-3.4")
            narration.set(stage=Phase.TURN)
        else:
            narration.tell(EffectKind.TURN, seat=before, clause="DEC-3.5")
            narration.set(to_act=before)


def entries(state: State, what: str) -> Iterator[Action]:
    orients = ORIENTS if state.options.entry_orientation == "any" else "U"
    cells = [*state.ground.cards, *sorted(state.ground.wasteland)]
    yield from (Action(what, (name_of(cell), orient)) for cell in cells for orient in orients)


def wrong_entry(state: State, action: Action, clause: str) -> Refusal | None:
    cell = cell_of(action[0])
    if cell is None:
        return bad("DEC-2.1", say("a space is written x1y0: column, then row"), action[0])
    if state.ground.is_void(cell):
        text = say("{place} is void: no card lies there or next to it", place=action[0])
        return Refusal(Code.NO_SUCH_PLACE, "DEC-2.4", text)
    if action[1] not in tuple(ORIENTS):
        return bad("DEC-2.5", say("a pyramid stands upright, U, or points N, E, S or W"), action[1])
    if state.options.entry_orientation == "upright" and action[1] != "U":
        return Refusal(Code.NOT_ALLOWED, "DEC-R3", say("a new pyramid stands upright"), {"orient": action[1]})
    if state.free_number(state.to_act, 1) is None:
        return Refusal(Code.NO_SUCH_PIECE, clause, say("there is no small pyramid in the stash"), {"size": "small"})
    return None


def enter(narration: DectanaNarration, action: Action, clause: str) -> None:
    cell = cell_of(action[0])
    assert cell is not None, "only legal actions are applied"
    narration.add_pyramid(cell, action[1], narration.state.to_act, clause)

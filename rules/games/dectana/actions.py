"""What may be done in every stage of Dectana, as actions."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import combinations_with_replacement, product

from rules.engine import Action, ParamKind, Verb
from rules.engine.action import verb
from rules.games.dectana.ground import ACES, ORIENTS, SUITS, UNKNOWN, name_of, suits_of
from rules.games.dectana.opening import BOARD, COPIES, Pyramid, Stage, State, deck
from rules.games.dectana.powers import uses
from rules.games.dectana.turns import begun

_PYRAMID = {"pyramid": ParamKind.PIECE}
VERBS: tuple[Verb, ...] = (
    verb("deal", "the board is {cards}", "DEC-3.2", cards=ParamKind.LIST),
    verb(
        "place_start",
        "a small pyramid on {cell}, {orient}",
        "DEC-3.5",
        cell=ParamKind.PLACE,
        orient=ParamKind.WORD,
    ),
    verb(
        "activate",
        "use the {suit} of the card on {cell}",
        "DEC-4.1",
        cell=ParamKind.PLACE,
        suit=ParamKind.WORD,
    ),
    verb("play", "play {card} for its {suit}", "DEC-4.2", card=ParamKind.WORD, suit=ParamKind.WORD),
    verb("reorient", "turn pyramids: {changes}", "DEC-4.7", changes="list?"),
    verb(
        "enter",
        "a small pyramid enters on {cell}, {orient}",
        "DEC-4.8",
        cell=ParamKind.PLACE,
        orient=ParamKind.WORD,
    ),
    verb("redraw", "discard the hand and draw one more", "DEC-4.9"),
    verb("create", "suns: a new small pyramid beside {pyramid}", "DEC-4.20", **_PYRAMID),
    verb("create_card", "suns: a new card where {pyramid} points", "DEC-4.21", **_PYRAMID),
    verb("grow", "leaves: {pyramid} grows", "DEC-4.22", **_PYRAMID),
    verb(
        "grow_card",
        "leaves: {card} where {pyramid} points",
        "DEC-4.23",
        pyramid=ParamKind.PIECE,
        card=ParamKind.WORD,
    ),
    verb(
        "move",
        "waves: {pyramid} moves {spaces}",
        "DEC-4.25",
        pyramid=ParamKind.PIECE,
        spaces=ParamKind.NUMBER,
    ),
    verb("move_card", "waves: the card where {pyramid} points flies on", "DEC-4.27", **_PYRAMID),
    verb("push", "moons: {pyramid} pushes {plan}", "DEC-4.29", pyramid=ParamKind.PIECE, plan=ParamKind.LIST),
    verb("steal", "moons: take the card where {pyramid} points", "DEC-4.31", **_PYRAMID),
    verb("shrink", "wyrms: {pyramid} shrinks {plan}", "DEC-4.32", pyramid=ParamKind.PIECE, plan=ParamKind.LIST),
    verb("destroy", "wyrms: destroy the card where {pyramid} points", "DEC-4.34", **_PYRAMID),
    verb("draw", "knots: draw as many cards as {pyramid} has pips", "DEC-4.35", **_PYRAMID),
    verb("draw_card", "knots: draw the value of the card where {pyramid} points", "DEC-4.36", **_PYRAMID),
    verb("end_use", "use no further time", "DEC-4.5"),
    verb("reveal", "the card drawn is {card}", "DEC-4.21", card=ParamKind.WORD),
    verb("discard", "discard {card}", "DEC-4.10", card=ParamKind.WORD),
    verb("end_game", "end the game with {aces}", "DEC-5.1", aces=ParamKind.LIST),
    verb("tell", "note the cards {cards}", "DEC-6.2", cards=ParamKind.LIST),
)
CLAIM_STAGES = (Stage.TURN, Stage.USE, Stage.DISCARD)
ALL_CHANGES_UP_TO = 2  # own pyramids for which every way to reorient them is listed
PASS = Action("reorient")
_END_USE = Action("end_use")
_REDRAW = Action("redraw")


def legal_in(state: State) -> Iterator[Action]:
    if state.stage is Stage.TURN:
        yield from _activations(state)
        yield from _plays(state)
        yield from reorientations(state)
        yield from entries(state, "enter") if not state.own(state.to_act) else ()
        yield _REDRAW
    elif state.stage is Stage.USE:
        yield from uses(state)
        if state.use and state.use.made:
            yield _END_USE
    elif state.stage is Stage.ENTER:
        yield from entries(state, "place_start")
    elif state.stage is Stage.DISCARD:
        yield from (Action("discard", (card,)) for card in _discards(state))
    elif state.stage is Stage.REVEAL:
        yield from (Action("reveal", (card,)) for card, count in state.unseen().items() if count > 0)
    elif state.stage is Stage.DEAL:
        yield sample_deal(state, random.Random(0))
    yield from claims(state, state.to_act)


def legal_for(state: State, seat: int) -> Iterator[Action]:
    """A seat that is not to act may still end the game (DEC-5.1)."""
    for action in claims(state, seat):
        yield Action(action.verb, action.args, seat)


def is_exhaustive(state: State) -> bool:
    if state.stage is Stage.DEAL:
        return False
    return state.stage is not Stage.TURN or len(state.own(state.to_act)) <= ALL_CHANGES_UP_TO


def _activations(state: State) -> Iterator[Action]:
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


def _plays(state: State) -> Iterator[Action]:
    """Which suits can be used depends on the card played only for leaves, that put another card down."""
    possible: dict[str, bool] = {}
    for card in state.showable(state.to_act):
        for suit in suits_of(card):
            action = Action("play", (card, suit))
            if suit == "leaves" or suit not in possible:
                possible[suit] = is_useful(state, action)
            if possible[suit]:
                yield action


def is_useful(state: State, action: Action) -> bool:
    """Whether at least one use could be made (DEC-4.5)."""
    return any(True for _ in uses(begun(state, action)))


def reorientations(state: State) -> Iterator[Action]:
    """Every change of one pyramid, or of all if they are few; nothing at all is a pass."""
    own = state.own(state.to_act)
    if state.options.reorient_zero == "allow":
        yield PASS
    if len(own) <= ALL_CHANGES_UP_TO:
        found = (_changes(list(zip(own, ways, strict=True))) for ways in product(ORIENTS, repeat=len(own)))
    else:
        found = (_changes([(pyramid, way)]) for pyramid in own for way in ORIENTS)
    yield from (Action("reorient", (text,)) for text in dict.fromkeys(found) if text)


def _changes(pairs: list[tuple[Pyramid, str]]) -> str:
    words = [f"{p.ref}>{way}" for p, way in pairs if p.orient != way]
    return "+".join(sorted(words))


def entries(state: State, what: str) -> Iterator[Action]:
    orients = ORIENTS if state.options.entry_orientation == "any" else "U"
    cells = [*state.ground.cards, *sorted(state.ground.wasteland)]
    yield from (Action(what, (name_of(cell), orient)) for cell in cells for orient in orients)


def _discards(state: State) -> list[str]:
    unknown = [UNKNOWN] if any(held.mark == UNKNOWN for held in state.hand) else []
    return state.showable(state.to_act) + unknown


def claims(state: State, seat: int) -> Iterator[Action]:
    """Any three aces that may be in that hand."""
    if state.stage not in CLAIM_STAGES or not state.fits_ending or len(state.hands[seat]) < 3:
        return
    showable = state.showable(seat)
    aces = [card for card in ACES if card in showable]
    for three in combinations_with_replacement(aces, 3):
        if state.can_show(seat, three):
            yield Action("end_game", ("+".join(three),))


def sample_deal(state: State, rng: random.Random) -> Action:
    cards = rng.sample([card for card in deck(state.options) for _ in range(COPIES)], len(BOARD))
    return Action("deal", ("+".join(cards),))


def sample_in(state: State, rng: random.Random) -> Action:
    if state.stage is Stage.DEAL:
        return sample_deal(state, rng)
    if state.stage is Stage.REVEAL:
        unseen = {card: count for card, count in state.unseen().items() if count > 0}
        return Action("reveal", (rng.choices(list(unseen), list(unseen.values()))[0],))
    if state.stage is Stage.TURN:
        return _sample_turn(state, rng)
    return rng.choice(list(legal_in(state)))


def _sample_turn(state: State, rng: random.Random) -> Action:
    """First the kind of turn, then one of that kind: cards are played more often than pyramids turned."""
    kinds = rng.sample(["activate", "play", "play", "reorient", "enter", "redraw", "claim"], 7)
    for kind in kinds:
        found = _sample_kind(state, kind, rng)
        if found:
            return found
    return _REDRAW


def _sample_kind(state: State, kind: str, rng: random.Random) -> Action | None:
    if kind == "play":
        return _sample_play(state, rng)
    if kind == "redraw":
        return _REDRAW
    if kind == "enter" and state.own(state.to_act):
        return None
    makers = {"activate": _activations, "reorient": reorientations}
    if kind == "enter":
        found = list(entries(state, "enter"))
    elif kind == "claim":
        found = list(claims(state, state.to_act))
    else:
        found = list(makers[kind](state))
    return rng.choice(found) if found else None


def _sample_play(state: State, rng: random.Random) -> Action | None:
    cards = state.showable(state.to_act)
    for card in rng.sample(cards, min(4, len(cards))):
        for suit in suits_of(card):
            action = Action("play", (card, suit))
            if is_useful(state, action):
                return action
    return None


_LETTERS = {letter.lower(): word for word, letter in SUITS.items()}
_CALL = re.compile(r"[a-z_]+(\(|\Z)|\d{1,2}:")


def shorthand(state: State, text: str) -> Action | None:
    """ "A 1,0 W" activates, "B 5ML L" plays, "C" passes, "D 1,0 N" enters, "E" redraws."""
    if _CALL.match(text):
        return None
    words = [word for word in re.split(r"[\s,()@]+", text.strip()) if word]
    letter = words[0].upper() if words else ""
    if letter == "A" and len(words) == 4:
        return Action("activate", (_place(words[1:3]), _suit(words[3])))
    if letter == "B" and len(words) == 3:
        return Action("play", (words[1].upper(), _suit(words[2])))
    if letter == "D" and len(words) == 4:
        what = "place_start" if state.stage is Stage.ENTER else "enter"
        return Action(what, (_place(words[1:3]), words[3].upper()))
    if letter in ("C", "E") and len(words) == 1:
        return PASS if letter == "C" else _REDRAW
    return None


def _place(words: list[str]) -> str:
    return f"x{words[0]}y{words[1]}"


def _suit(word: str) -> str:
    return _LETTERS.get(word.lower(), word.lower())

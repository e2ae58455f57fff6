"""Why something may not be done in Dectana, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from rules.engine import Action, Code, Refusal
from rules.games.dectana import use_checks
from rules.games.dectana.actions import CLAIM_STAGES, is_useful
from rules.games.dectana.ground import ACES, ORIENTS, UNKNOWN, cell_of, suits_of
from rules.games.dectana.opening import BOARD, COPIES, Stage, State, deck
from rules.games.dectana.powers import SUIT_OF
from rules.games.dectana.turns import read_changes

_TURN_VERBS = ("activate", "play", "reorient", "enter", "redraw")
_STAGES: dict[Stage, tuple[tuple[str, ...], str, str]] = {
    Stage.DEAL: (("deal",), "DEC-3.2", "the nine cards of the board are dealt first"),
    Stage.ENTER: (("place_start",), "DEC-3.5", "each player places one small pyramid first"),
    Stage.TURN: (_TURN_VERBS, "DEC-4.0", "choose one: activate, play, reorient, enter or redraw"),
    Stage.USE: ((*SUIT_OF, "end_use"), "DEC-4.3", "a card is being used: use its suit or end the use"),
    Stage.REVEAL: (("reveal",), "DEC-4.21", "a card is being drawn onto the board: say which it is"),
    Stage.DISCARD: (("discard",), "DEC-4.10", "the hand has more than six cards: discard first"),
}


def why_not(state: State, action: Action) -> Refusal | None:
    if action.verb in _ANY_TIME:
        return _common(state, action)
    verbs, clause, text = _STAGES[state.stage]
    if action.verb not in verbs:
        return Refusal(Code.WRONG_PHASE, clause, text, {"stage": state.stage.value})
    if action.verb in SUIT_OF:
        return use_checks.why_not(state, action)
    return _CHECKS[action.verb](state, action)


def _bad(clause: str, text: str, given: str) -> Refusal:
    return Refusal(Code.BAD_ARGUMENT, clause, text, {"given": given[:30]})


def _common(state: State, action: Action) -> Refusal | None:
    """Ending the game and entering own cards: any seat, also out of turn."""
    seat = state.to_act if action.seat is None else action.seat
    if seat >= state.seats:
        text = f"there is no seat {seat}; the last is {state.seats - 1}"
        return Refusal(Code.NOT_YOUR_TURN, "DEC-1.1", text, {"seat": seat})
    cards = tuple(action[0].split("+"))
    return _end_game(state, seat, cards) if action.verb == "end_game" else _tell(state, seat, cards)


def _end_game(state: State, seat: int, cards: tuple[str, ...]) -> Refusal | None:
    if state.stage not in CLAIM_STAGES:
        text = "three aces end the game between steps, not within one"
        return Refusal(Code.WRONG_PHASE, "DEC-5.1", text, {"stage": state.stage.value})
    if len(cards) != 3 or any(card not in ACES for card in cards):
        text = f"the game ends with three aces; {', '.join(cards)[:40]} are not"
        return Refusal(Code.NOT_ALLOWED, "DEC-5.1", text, {"cards": [card[:8] for card in cards[:9]]})
    if not state.fits_ending:
        text = "the draw pile has not been renewed by a shuffle yet"
        return Refusal(Code.NOT_ALLOWED, "DEC-5.1", text, {"reshuffles": state.reshuffles})
    return _in_hand(state, seat, cards, "DEC-5.1")


def _in_hand(state: State, seat: int, cards: tuple[str, ...], clause: str) -> Refusal | None:
    """Whether the cards can be there, as far as anybody knows (DEC-6.1)."""
    if state.can_show(seat, cards):
        return None
    hand = Counter(held.mark for held in state.hands[seat])
    missing = sorted((Counter(cards) - hand).elements())
    if len(missing) > hand[UNKNOWN]:
        text = f"{', '.join(missing)} cannot be in this hand: all its cards are known"
        if hand[UNKNOWN]:
            text = f"{', '.join(missing)} cannot all be in this hand: it has {hand[UNKNOWN]} unknown cards"
        return Refusal(Code.NO_SUCH_PIECE, clause, text, {"missing": missing})
    text = f"both copies of {' or '.join(missing)} are elsewhere in plain view or in known hands"
    return Refusal(Code.CONTRADICTS, "DEC-6.1", text, {"missing": missing})


def _known_cards(state: State, cards: tuple[str, ...], clause: str) -> Refusal | None:
    for card in cards:
        if card not in deck(state.options):
            return _bad(clause, f"there is no card {card[:12]!r} in this deck; write for example 2MK, AM or XL", card)
    return None


def _tell(state: State, seat: int, cards: tuple[str, ...]) -> Refusal | None:
    if refusal := _known_cards(state, cards, "DEC-6.2"):
        return refusal
    unknown = sum(held.mark == UNKNOWN for held in state.hands[seat])
    if len(cards) > unknown:
        text = f"{len(cards)} cards were entered, but only {unknown} of this hand are unknown"
        return Refusal(Code.LIMIT, "DEC-6.2", text, {"unknown": unknown, "given": len(cards)})
    unseen = state.unseen()
    many = sorted(card for card, count in Counter(cards).items() if count > unseen[card])
    if not many:
        return None
    text = f"both copies of {' and '.join(many)} are known to be elsewhere"
    return Refusal(Code.CONTRADICTS, "DEC-6.1", text, {"cards": many})


def _deal(state: State, action: Action) -> Refusal | None:
    cards = tuple(action[0].split("+"))
    if refusal := _known_cards(state, cards, "DEC-3.2"):
        return refusal
    if len(cards) != len(BOARD):
        return _bad(
            "DEC-3.2",
            f"the board has nine cards, not {len(cards)}; row by row from the north-west",
            action[0],
        )
    many = sorted(card for card, count in Counter(cards).items() if count > COPIES)
    if many:
        text = f"there are only two copies of {', '.join(many)}"
        return Refusal(Code.CONTRADICTS, "DEC-1.4", text, {"cards": many})
    return None


def _placing(state: State, action: Action, clause: str) -> Refusal | None:
    cell = cell_of(action[0])
    if cell is None:
        return _bad("DEC-2.1", "a space is written x1y0: column, then row", action[0])
    if state.ground.is_void(cell):
        text = f"{action[0]} is void: no card lies there or next to it"
        return Refusal(Code.NO_SUCH_PLACE, "DEC-2.4", text, {"place": action[0]})
    if action[1] not in tuple(ORIENTS):
        return _bad("DEC-2.5", "a pyramid stands upright, U, or points N, E, S or W", action[1])
    if state.options.entry_orientation == "upright" and action[1] != "U":
        return Refusal(Code.NOT_ALLOWED, "DEC-R3", "a new pyramid stands upright", {"orient": action[1]})
    if state.free_number(state.to_act, 1) is None:
        return Refusal(Code.NO_SUCH_PIECE, clause, "there is no small pyramid in the stash", {"size": "small"})
    return None


def _place_start(state: State, action: Action) -> Refusal | None:
    return _placing(state, action, "DEC-3.5")


def _enter(state: State, action: Action) -> Refusal | None:
    own = state.own(state.to_act)
    if own:
        text = f"only who has no pyramid on the board enters with a new one; you have {len(own)}"
        return Refusal(Code.NOT_ALLOWED, "DEC-4.8", text, {"pyramids": [p.ref for p in own]})
    return _placing(state, action, "DEC-4.8")


def _activate(state: State, action: Action) -> Refusal | None:
    cell = cell_of(action[0])
    card = state.ground.top(cell) if cell else None
    if cell is None or card is None:
        what = state.ground.what(cell) if cell else "no space"
        text = f"{action[0][:20]} is {what}: there is no card to activate"
        return Refusal(Code.NO_SUCH_PLACE, "DEC-4.1", text, {"place": action[0][:20]})
    if not any(p.cell == cell for p in state.own(state.to_act)):
        text = f"you have no pyramid on {action[0]}"
        return Refusal(Code.NOT_YOURS, "DEC-4.1", text, {"place": action[0], "card": card})
    return _suit_of(state, action, card, "DEC-4.1")


def _suit_of(state: State, action: Action, card: str, clause: str) -> Refusal | None:
    suits = list(suits_of(card))
    if not suits:
        return Refusal(Code.NOT_ALLOWED, "DEC-4.6", f"{card} has no suit to use", {"card": card})
    if action[1] not in suits:
        text = f"{card} has no {action[1][:12]!r}; it has {' and '.join(suits)}"
        return Refusal(Code.NOT_ALLOWED, clause, text, {"card": card, "suits": suits})
    if is_useful(state, action):
        return None
    text = f"none of your pyramids can use {action[1]} now"
    return Refusal(
        Code.STUCK, "DEC-4.5", text, {"suit": action[1], "pyramids": [p.ref for p in state.own(state.to_act)]}
    )


def _play(state: State, action: Action) -> Refusal | None:
    card = action[0]
    if refusal := _known_cards(state, (card,), "DEC-4.2") or _in_hand(state, state.to_act, (card,), "DEC-4.2"):
        return refusal
    return _suit_of(state, action, card, "DEC-4.2")


def _reorient(state: State, action: Action) -> Refusal | None:
    text = action[0] if action.args else ""
    if not text:
        if state.options.reorient_zero == "allow" and not action.args:
            return None
        return Refusal(Code.MUST_MOVE, "DEC-R4", "at least one pyramid must be turned", {"changes": 0})
    changes = read_changes(state, text)
    return _bad("DEC-4.7", changes, text) if isinstance(changes, str) else None


def _redraw(_state: State, _action: Action) -> Refusal | None:
    return None


def _end_use(state: State, _action: Action) -> Refusal | None:
    if state.use and state.use.made:
        return None
    return Refusal(Code.MUST_MOVE, "DEC-4.5", "at least one use of the card must be made", {"made": 0})


def _discard(state: State, action: Action) -> Refusal | None:
    if action[0] == UNKNOWN and any(held.mark == UNKNOWN for held in state.hand):
        return None
    if refusal := _known_cards(state, (action[0],), "DEC-4.10"):
        return refusal
    return _in_hand(state, state.to_act, (action[0],), "DEC-4.10")


def _reveal(state: State, action: Action) -> Refusal | None:
    if refusal := _known_cards(state, (action[0],), "DEC-4.21"):
        return refusal
    if state.unseen()[action[0]] > 0:
        return None
    text = f"both copies of {action[0]} are known to be elsewhere"
    return Refusal(Code.CONTRADICTS, "DEC-6.1", text, {"card": action[0]})


_ANY_TIME = ("end_game", "tell")
_CHECKS: dict[str, Callable[[State, Action], Refusal | None]] = {
    "deal": _deal,
    "place_start": _place_start,
    "activate": _activate,
    "play": _play,
    "reorient": _reorient,
    "enter": _enter,
    "redraw": _redraw,
    "end_use": _end_use,
    "discard": _discard,
    "reveal": _reveal,
}

"""Described positions and shorthands (last section of rulebook.md)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from rules.engine import Action, Seat
from rules.engine.fields import MAX_POINTS, a_list, a_number, an_object, at_most, no_such, one_of, refuse_unknown, unfit
from rules.engine.open_grid import read_cell
from rules.engine.values import replace
from rules.games.dectana.opening import (
    COPIES,
    ORIENTS,
    SIZE_WORDS,
    SUITS,
    UNKNOWN,
    Held,
    Options,
    Phase,
    Pile,
    Pyramid,
    State,
    Use,
    deck,
    opening_state,
    uses_of,
)
from rules.pieces import parse_suit

FIELDS = ("board", "pyramids", "hands", "stash", "discard", "pile", "reshuffles", "to_act", "use", "stage", "turns")
_CELL = "x1y0 or [1, 0]"


def read_position(data: Mapping[str, Any], options: Options, seats: tuple[Seat, ...]) -> State:
    refuse_unknown("dectana", data, FIELDS)
    start = opening_state(options, seats)
    stage = one_of("stage", data.get("stage", Phase.TURN), (Phase.TURN, Phase.ENTER))
    state = replace(start, piles=_read_board(data.get("board", D1)), stage=stage)
    first = options.start_player % state.seats
    default = first if state.stage is Phase.TURN else start.to_act
    state = replace(state, to_act=_seat(state, data.get("to_act", default)))
    state = _read_hands(data.get("hands", {}), state)
    for text in a_list("pyramids", data.get("pyramids", ()), '["R3E@(0,0)"]'):
        state = _add_pyramid(state, str(text))
    state = _read_stash(data.get("stash", {}), state)
    state = replace(state, discard=tuple(map(_card, a_list("discard", data.get("discard", ()), '["C2"]'))))
    state = _read_use(data.get("use"), state)
    if state.stage is Phase.USE and stage is Phase.ENTER:
        raise ValueError("stage: who enters has no card in use; leave out stage or use")
    reshuffles, turns = (a_number(name, data.get(name, 0), 0, MAX_POINTS) for name in ("reshuffles", "turns"))
    return _count(replace(state, reshuffles=reshuffles, turns=turns), data.get("pile"), options)


D1 = ["5SW AM 9WY", "XL 3LY 7SK", "2MK 8WL AK"]


def _card(mark: object) -> str:
    text = UNKNOWN if mark is None else str(mark)
    if text != UNKNOWN and text not in _ALL:
        raise no_such("card", text, "2MK, AM or XL")
    return text


_ALL = frozenset(deck(Options(pawns=True, courts=True, excuses=True)))


def _read_board(board: object) -> tuple[Pile, ...]:
    """Rows from the north, or an object of spaces, each with a card or a list of cards from the lowest up."""
    if isinstance(board, Mapping):
        cells = [(read_cell(key, _CELL), cards) for key, cards in board.items()]
    elif isinstance(board, (list, tuple)):
        cells = [
            ((x, len(board) - 1 - row), word)
            for row, line in enumerate(board)
            for x, word in enumerate(str(line).split())
            if word not in (".", "-")
        ]
    else:
        raise unfit("board", "rows of cards or an object of spaces", board)
    piles = []
    for (x, y), cards in sorted(cells, key=lambda item: item[0]):
        stack = cards if isinstance(cards, (list, tuple)) else [cards]
        piles.append(Pile(x, y, tuple(_card(mark) for mark in stack)))
    if any(UNKNOWN in pile.cards or not pile.cards for pile in piles):
        raise ValueError("the cards of the board are known")
    return tuple(piles)


_COLOURS = {"R": "suns", "G": "crowns", "Y": "crowns", "W": "white"}


def _seat(state: State, who: object) -> int:
    """A seat number, a suit, or the first letter of a colour (R red, B black or blue, G green, W white)."""
    if type(who) is int:
        return a_number("a seat", who, 0, state.seats - 1)
    text = str(who)
    if text.isdecimal():
        return _seat(state, int(text))
    names = [suit.value if suit else "white" for suit in state.suits]
    if text == "B":
        text = "moons" if "moons" in names else "arms"
    name = _COLOURS.get(text) or ("white" if text == "white" else parse_suit(text).value)
    return names.index(one_of("a seat", name, names))


def _read_hands(hands: object, state: State) -> State:
    """By seat: a list of cards (? an unknown one, ! after a card that everybody saw), or just their number."""
    if not isinstance(hands, (Mapping, list, tuple)):
        raise unfit("hands", 'an object, for example {"R": ["2MK", "?"]}, or a list in the order of the seats', hands)
    items = hands.items() if isinstance(hands, Mapping) else enumerate(hands)
    state = replace(state, hands=((),) * state.seats)
    for who, cards in items:
        known = isinstance(cards, (list, tuple))
        count = 0 if known else a_number("a hand that is no list of cards", cards, 0, COPIES * len(_ALL))
        marks = cards if known else [UNKNOWN] * count
        held = [Held(_card(str(mark).rstrip("!")), str(mark).endswith("!")) for mark in marks]
        state = state.with_hand(_seat(state, who), held)
    return state


_PYRAMID = re.compile(r"([A-Za-z]|\d(?=:)):?([123])([UNESW])\s*@\s*(.+)")


def _add_pyramid(state: State, text: str) -> State:
    """ "R3E@(0,0)" or "0:3E@x0y0": seat, size, orientation, space."""
    match = _PYRAMID.fullmatch(text.strip())
    if not match:
        raise no_such("pyramid", text, "R3E@(0,0) or 0:3E@x0y0")
    seat, size, orient = _seat(state, match[1]), int(match[2]), match[3]
    x, y = read_cell(match[4], _CELL)
    if orient not in ORIENTS or state.ground.is_void((x, y)):
        raise ValueError(f"{text[:30]!r} would be in the void")
    number = state.free_number(seat, size)
    if number is None:
        raise ValueError(f"seat {seat} has only three {SIZE_WORDS[size]} pyramids")
    return replace(state, pyramids=tuple(sorted((*state.pyramids, Pyramid(seat, size, number, x, y, orient)))))


def _read_stash(stash: object, state: State) -> State:
    """Small, medium and large pyramids of a stash, if fewer than are not on the board."""
    out = [[0, 0, 0] for _ in range(state.seats)]
    for who, counts in an_object("stash", stash, '{"B": [2, 0, 3]}').items():
        seat = _seat(state, who)
        for size, count in enumerate(a_list("stash", counts, "[2, 0, 3]", 3), 1):
            most = 3 - sum(p.size == size for p in state.own(seat))
            out[seat][size - 1] = most - a_number(f"{SIZE_WORDS[size]} pyramids of the stash", count, 0, most)
    if not any(map(any, out)):
        return state
    return replace(state, out=tuple((small, medium, large) for small, medium, large in out))


def _read_use(use: object, state: State) -> State:
    """{"suit": "waves"} with "card" (from the hand, not counted in hands) or "cell", and "left"."""
    if use is None:
        return state
    use = an_object("use", use, '{"suit": "waves", "cell": [1, 0]}')
    suit = one_of("suit", use.get("suit"), SUITS)
    card = _card(use["card"]) if use.get("card") else ""
    cell = read_cell(use["cell"], _CELL) if use.get("cell") is not None else None
    left = a_number("left", use.get("left", uses_of(card) if card else 1), 0, MAX_POINTS)
    made = a_number("made", use.get("made", 0), 0, MAX_POINTS)
    return replace(state, stage=Phase.USE, use=Use(suit, card, cell, left, made))


def _count(state: State, pile: object, options: Options) -> State:
    """Cards seen nowhere are in the draw pile, unless `pile` says that fewer cards play; there are at most two of each
    known card."""
    known = Counter(state.placed_cards())
    if strange := [card for card in known if card != UNKNOWN and card not in deck(options)]:
        raise ValueError(f"{strange[0]} is not in this deck; see the options pawns, courts and excuses")
    for card, count in known.items():
        if card != UNKNOWN:
            at_most(f"copies of {card}", count, COPIES)
    at_most("cards for board, hands and discard", known.total(), COPIES * len(deck(options)))
    rest = COPIES * len(deck(options)) - known.total()
    wanted = rest if pile is None else a_number("pile", pile, 0, rest)
    # other cards lie unseen in the discard pile, below the known ones
    return replace(state, pile=wanted, discard=(UNKNOWN,) * (rest - wanted) + state.discard)


_LETTERS = {letter.lower(): word for word, letter in SUITS.items()}
_CALL = re.compile(r"[a-z_]+(\(|\Z)|\d{1,2}:")


def read_shorthand(state: State, text: str) -> Action | None:
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
        what = "place_start" if state.stage is Phase.ENTER else "enter"
        return Action(what, (_place(words[1:3]), words[3].upper()))
    if letter in ("C", "E") and len(words) == 1:
        return Action("reorient") if letter == "C" else Action("redraw")
    return None


def _place(words: list[str]) -> str:
    return f"x{words[0]}y{words[1]}"


def _suit(word: str) -> str:
    return _LETTERS.get(word.lower(), word.lower())

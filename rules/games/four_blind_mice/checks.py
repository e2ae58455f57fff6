"""Why something may not be done, in words with the facts in them."""

from __future__ import annotations

import re

from rules.engine import Action, Code, Refusal
from rules.engine.refusal import Facts
from rules.games.four_blind_mice import actions, choices, slides
from rules.games.four_blind_mice.geometry import CELL_OF, CELLS, INNER, NAMES, NEXT_TO, WORDS
from rules.games.four_blind_mice.opening import MAX_BID, MIN_BID, TIMER_MS, Phase, State, Where
from rules.pieces import SUITS

# Which actions belong to a phase, and what to say to all others.
_PHASES: dict[Phase, tuple[tuple[str, ...], str, str]] = {
    Phase.ROLL: (("roll",), "MICE-3.3", "first the dice decide who begins"),
    Phase.PLACE_CHEESE: (("place_cheese", "restart"), "MICE-3.3", "first all eight cheeses are placed"),
    Phase.PLACE_MICE: (("place_mouse", "restart"), "MICE-3.4", "first the four mice are placed"),
    Phase.CHOOSE: (("uncover", "time_up"), "MICE-4.1", "now a cheese is chosen and uncovered"),
    Phase.REVEAL: (("reveal",), "MICE-4.1", "first say which suit the coin shows"),
    Phase.BID: (
        ("bid", "close_bids", "discard"),
        "MICE-4.2",
        "now everybody thinks and bids; the mice stand still",
    ),
    Phase.ATTEMPT: (("slide", "fail", "discard"), "MICE-4.4", "now the mice are moved"),
    Phase.REPLACE: (("replace",), "MICE-9.1", "first the cheese that was won goes back onto the board"),
}
_MAX_ECHO = 20
_SECONDS = re.compile(r"\d{1,6}(\.\d{1,3})?\Z", re.ASCII)


def check(state: State, action: Action) -> Refusal | None:
    verbs, clause, text = _PHASES[state.phase]
    if action.verb not in verbs:
        return Refusal(Code.WRONG_PHASE, clause, text, {"phase": state.phase.value, "now": list(verbs)})
    if action.seat is not None and not 0 <= action.seat < state.players:
        text = f"there is no seat {action.seat}; seats are numbered from 0 to {state.players - 1}"
        return Refusal(Code.NOT_YOUR_TURN, "MICE-4.2", text, {"seat": action.seat})
    return _CHECKS[action.verb](state, action)


def _cell(name: str) -> int | Refusal:
    cell = CELL_OF.get(name)
    if cell is not None:
        return cell
    text = f"there is no space {name[:_MAX_ECHO]!r}; the board goes from a1 to h8"
    return Refusal(Code.NO_SUCH_PLACE, "MICE-2.2", text, {"place": name[:_MAX_ECHO]})


def _mouse(text: str) -> int | Refusal:
    number = actions.MOUSE_OF.get(text)
    if number is not None:
        return number
    words = f"there is no mouse {text[:_MAX_ECHO]!r}; the mice are pS, pM, pC and pA"
    return Refusal(Code.NO_SUCH_PIECE, "MICE-1.1", words, {"mouse": text[:_MAX_ECHO]})


def _check_roll(state: State, action: Action) -> Refusal | None:
    numbers = action[0].split("+")
    if len(numbers) == len(state.rollers) and all(number in tuple("012345") for number in numbers):
        return None
    text = f"{len(state.rollers)} players roll, each die shows 0 to 5; write for example 3+5"
    return Refusal(Code.BAD_ARGUMENT, "MICE-3.3", text, {"players": len(state.rollers)})


def _check_place_cheese(state: State, action: Action) -> Refusal | None:
    rank = actions.VALUE_OF.get(action[0])
    if rank is None:
        text = f"{action[0][:_MAX_ECHO]!r} is no cheese; only a null or an ace is"
        return Refusal(Code.NO_SUCH_PIECE, "MICE-1.1", text, {"coin": action[0][:_MAX_ECHO]})
    if rank not in choices.waiting_values(state):
        text = f"all four coins of value {rank.word} lie on the board"
        return Refusal(Code.NO_SUCH_PIECE, "MICE-3.3", text, {"value": rank.word})
    return _check_place(state, action[1], slides.places(state))


def _check_place_mouse(state: State, action: Action) -> Refusal | None:
    mouse = _mouse(action[0])
    if isinstance(mouse, Refusal):
        return mouse
    standing = state.mice[mouse]
    if standing is not None:
        text = f"the {SUITS[mouse]} mouse stands on {NAMES[standing]} already"
        return Refusal(Code.NO_SUCH_PIECE, "MICE-3.4", text, {"place": NAMES[standing]})
    return _check_place(state, action[1], slides.places(state))


def _check_replace(state: State, action: Action) -> Refusal | None:
    return _check_place(state, action[0], slides.free_places(state))


def _check_place(state: State, name: str, allowed: list[int]) -> Refusal | None:
    cell = _cell(name)
    if isinstance(cell, Refusal):
        return cell
    if cell in allowed:
        return None
    if cell not in INNER:
        text = f"{name} is on the edge; cheese and mice are placed from b2 to g7"
        return Refusal(Code.NOT_ALLOWED, "MICE-3.5a", text, {"place": name})
    taken = slides.occupied(state)
    if cell in taken:
        return Refusal(Code.OCCUPIED, "MICE-3.5b", f"{name} is occupied", {"place": name})
    beside = [NAMES[other] for other in NEXT_TO[cell] if other in taken]
    text = f"{name} is next to {' and '.join(beside)}, where something lies; only diagonal contact is allowed"
    return Refusal(Code.NOT_ALLOWED, "MICE-3.5c", text, {"place": name, "next_to": beside})


def _check_restart(state: State, _action: Action) -> Refusal | None:
    found = slides.places(state)
    if not found:
        return None
    text = f"there is still room, for example on {NAMES[found[0]]}"
    return Refusal(Code.NOT_ALLOWED, "MICE-8.10", text, {"place": NAMES[found[0]]})


def _check_uncover(state: State, action: Action) -> Refusal | None:
    cell = _cell(action[0])
    if isinstance(cell, Refusal):
        return cell
    lying = {state.cheeses[number].cell: number for number in choices.covered(state)}
    if cell not in lying:
        return Refusal(Code.EMPTY, "MICE-4.1", f"no covered cheese lies on {action[0]}", {"place": action[0]})
    if lying[cell] in choices.open_to_choice(state):
        return None
    text = f"the cheese on {action[0]} has just been put back; it may not be the next one uncovered"
    return Refusal(Code.NOT_ALLOWED, "MICE-9.1", text, {"place": action[0]})


def _check_reveal(state: State, action: Action) -> Refusal | None:
    possible = choices.possible_suits(state)
    if action[0] in [suit.value for suit in possible]:
        return None
    words = ", ".join(suit.value for suit in possible)
    text = f"the coin cannot be {action[0][:_MAX_ECHO]!r}; still possible: {words}"
    return Refusal(Code.CONTRADICTS, "MICE-6.1", text, {"possible": [suit.value for suit in possible]})


def _check_bid(state: State, action: Action) -> Refusal | None:
    if action.seat is None or action.seat not in choices.bidders(state):
        return Refusal(Code.NOT_YOUR_TURN, "MICE-4.2", "say which seat bids", {"seat": action.seat})
    digits = action[0]
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 4):
        text = f"a bid is a number of moves, not {digits[:_MAX_ECHO]!r}"
        return Refusal(Code.BAD_ARGUMENT, "MICE-4.2", text, {"bid": digits[:_MAX_ECHO]})
    return _check_number(state, action.seat, int(digits)) or _check_time(state, action)


def _check_number(state: State, seat: int, moves: int) -> Refusal | None:
    facts: Facts = {"bid": moves, "seat": seat}
    if moves < MIN_BID:
        text = f"a mouse turns twice before it claims, so the least is {MIN_BID} moves, not {moves}"
        return Refusal(Code.TOO_LOW, "MICE-8.12", text, facts)
    if moves > MAX_BID:
        return Refusal(Code.LIMIT, "MICE-4.2", f"nobody needs {moves} moves; up to {MAX_BID} can be said", facts)
    own = state.bids[seat]
    if own and moves >= own.moves:
        text = f"you have said {own.moves}; your own bid can only become lower, not {moves}"
        return Refusal(Code.NOT_ALLOWED, "MICE-4.2", text, {**facts, "own": own.moves})
    return None


def _check_time(state: State, action: Action) -> Refusal | None:
    text = action.args[1] if len(action.args) > 1 else ""
    if not text:
        return None
    if not _SECONDS.match(text):
        words = f"the time of a bid is in seconds, for example 12.5, not {text[:_MAX_ECHO]!r}"
        return Refusal(Code.BAD_ARGUMENT, "MICE-4.2", words, {"time": text[:_MAX_ECHO]})
    late = state.first_bid is not None and actions.milliseconds(text) > state.first_bid + TIMER_MS
    if not late or state.first_bid is None:
        return None
    words = f"the first bid came at {state.first_bid / 1000:g} s; one minute later, at {text} s, it is too late"
    return Refusal(Code.LIMIT, "MICE-4.2", words, {"first": state.first_bid / 1000, "time": float(text)})


def _check_close(state: State, action: Action) -> Refusal | None:
    if state.first_bid is None:
        return Refusal(Code.OUT_OF_ORDER, "MICE-4.3", "nobody has bid; the minute has not begun", {})
    text = action.args[0] if action.args else ""
    if text and not _SECONDS.match(text):
        words = f"the time is in seconds, for example 70, not {text[:_MAX_ECHO]!r}"
        return Refusal(Code.BAD_ARGUMENT, "MICE-4.3", words, {"time": text[:_MAX_ECHO]})
    if text and actions.milliseconds(text) < state.first_bid + TIMER_MS:
        words = f"the minute runs until {(state.first_bid + TIMER_MS) / 1000:g} s; it is {text} s"
        return Refusal(Code.OUT_OF_ORDER, "MICE-4.3", words, {"time": float(text)})
    return None


def _check_discard(state: State, _action: Action) -> Refusal | None:
    if state.is_solo:
        return None
    if state.phase is Phase.BID and state.first_bid is None:
        return None
    text = "somebody has bid; the cheese is lost only when all bidders have failed"
    return Refusal(Code.NOT_ALLOWED, "MICE-4.11", text, {"bids": sum(bid is not None for bid in state.bids)})


def _check_slide(state: State, action: Action) -> Refusal | None:
    mouse = _mouse(action[0])
    if isinstance(mouse, Refusal):
        return mouse
    if action[1] not in WORDS:
        text = f"a mouse runs N, E, S or W, not {action[1][:_MAX_ECHO]!r}"
        return Refusal(Code.BAD_ARGUMENT, "MICE-4.5", text, {"direction": action[1][:_MAX_ECHO]})
    return _check_cost(state, mouse) or _check_turn(state, mouse, action[1]) or _check_run(state, mouse, action[1])


def _check_cost(state: State, mouse: int) -> Refusal | None:
    cost = slides.cost_of(state.options, len(slides.own_slides(state, mouse)))
    if state.used + cost <= state.limit:
        return None
    text = f"{state.used} of {state.limit} moves are used and this would cost {cost}: the attempt has failed"
    return Refusal(Code.LIMIT, "MICE-4.10", text, {"used": state.used, "bid": state.limit, "cost": cost})


def _check_turn(state: State, mouse: int, direction: str) -> Refusal | None:
    made = slides.own_slides(state, mouse)
    if not made or slides.may_turn(state.options, made[-1], direction):
        return None
    what = "goes straight on" if made[-1] == direction else "turns back"
    text = f"the {SUITS[mouse]} mouse ran {WORDS[made[-1]]} last and {what}; it must turn left or right"
    return Refusal(Code.WRONG_DIRECTION, "MICE-4.6", text, {"last": made[-1], "direction": direction})


def _check_run(state: State, mouse: int, direction: str) -> Refusal | None:
    start = state.mice[mouse]
    assert start is not None
    if slides.slide(state, mouse, direction).stop != start:
        return None
    why = _obstacle(state, start, direction)
    text = f"the {SUITS[mouse]} mouse on {NAMES[start]} cannot run {WORDS[direction]}: {why}"
    return Refusal(Code.STUCK, "MICE-4.5", text, {"place": NAMES[start], "direction": direction})


def _obstacle(state: State, start: int, direction: str) -> str:
    step = {"N": 8, "E": 1, "S": -8, "W": -1}[direction]
    beyond = start + step
    on_board = 0 <= beyond < CELLS and (step in (8, -8) or beyond // 8 == start // 8)
    if not on_board:
        return "there is the edge"
    if beyond in state.mice:
        return f"there is the {SUITS[state.mice.index(beyond)]} mouse"
    assert any(cheese.cell == beyond and cheese.where is Where.BOARD for cheese in state.cheeses)
    return f"there is the cheese on {NAMES[beyond]}"


def _check_time_up(state: State, _action: Action) -> Refusal | None:
    if choices.may_end_by_time(state):
        return None
    text = "the final round is on" if state.tied else "no time limit was agreed"
    return Refusal(Code.NOT_ALLOWED, "MICE-5.1", text, {"time_limit": state.options.time_limit})


def _always(_state: State, _action: Action) -> Refusal | None:
    return None


_CHECKS = {
    "roll": _check_roll,
    "place_cheese": _check_place_cheese,
    "place_mouse": _check_place_mouse,
    "restart": _check_restart,
    "uncover": _check_uncover,
    "reveal": _check_reveal,
    "bid": _check_bid,
    "close_bids": _check_close,
    "slide": _check_slide,
    "fail": _always,
    "discard": _check_discard,
    "replace": _check_replace,
    "time_up": _check_time_up,
}

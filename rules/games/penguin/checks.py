"""Why something may not be done, in words with the facts in them."""

from __future__ import annotations

from rules.engine import Action, Code, Refusal
from rules.engine.refusal import Facts
from rules.games.penguin import choices
from rules.games.penguin.geometry import drift_fault
from rules.games.penguin.opening import PER_SUIT, SUIT_OF, Phase, State, deal_problem
from rules.pieces import SUITS, Suit

# Which actions belong to a phase, and what to say to all others.
_PHASES: dict[Phase, tuple[tuple[str, ...], str, str]] = {
    Phase.ROLL: (("roll",), "PENG-3.5", "first the dice decide who begins"),
    Phase.DEAL: (("deal",), "PENG-3.2", "first the coins are drawn from the bag and laid"),
    Phase.PLACE_COINS: (("place_coin",), "PENG-9.2", "first all coins are laid on the ice"),
    Phase.PLACE_PENGUINS: (("place_penguin",), "PENG-3.5", "first every player places a penguin"),
    Phase.MOVE: (("move", "drop_out"), "PENG-4.7", "now the penguin has to move"),
    Phase.MELT: (("melt",), "PENG-4.7", "the penguin has moved; now a coin has to melt"),
    Phase.REVEAL: (("reveal",), "PENG-6.2", "first say which suit has come to light"),
    Phase.DRIFT: (("drift", "pass"), "PENG-9.8", "the coin has melted; now a tile may drift, or pass"),
}
_MAX_ECHO = 20


def check(state: State, action: Action) -> Refusal | None:
    verbs, clause, text = _PHASES[state.phase]
    if action.verb not in verbs:
        return Refusal(Code.WRONG_PHASE, clause, text, {"phase": state.phase.value, "now": list(verbs)})
    return _CHECKS[action.verb](state, action)


def _cell(state: State, name: str) -> int | Refusal:
    cell = state.board.cells.get(name)
    if cell is not None:
        return cell
    text = f"there is no space {name[:_MAX_ECHO]!r} on this ice; it has {', '.join(sorted(state.board.cells))}"
    return Refusal(Code.NO_SUCH_PLACE, "PENG-2.1", text, {"place": name[:_MAX_ECHO]})


def _suit(name: str, clause: str) -> Suit | Refusal:
    if name in SUITS:
        return Suit(name)
    text = f"no suit is called {name[:_MAX_ECHO]!r}; use suns, moons, crowns or arms"
    return Refusal(Code.NO_SUCH_PIECE, clause, text, {"suit": name[:_MAX_ECHO]})


def _check_roll(state: State, action: Action) -> Refusal | None:
    numbers = action[0].split("+")
    if len(numbers) == len(state.rollers) and all(number in tuple("012345") for number in numbers):
        return None
    example = "+".join("3524"[: len(state.rollers)])
    text = f"{len(state.rollers)} dice are rolled, each shows 0 to 5; write for example {example}"
    return Refusal(Code.BAD_ARGUMENT, "PENG-3.5", text, {"dice": len(state.rollers)})


def _check_deal(state: State, action: Action) -> Refusal | None:
    if problem := deal_problem(choices.dealt_letters(state) + action[0], state.options):
        return Refusal(Code.BAD_ARGUMENT, "PENG-3.2", problem, {"coins": action[0][:40]})
    if not action[0]:
        return Refusal(Code.BAD_ARGUMENT, "PENG-3.2", "say which coins were laid, SMCA for example", {})
    if state.options.match_first_suit and action[0][0] == "?" and not choices.dealt_letters(state):
        return Refusal(Code.BAD_ARGUMENT, "PENG-9.1", "the suit of the first coin must be known to end on it", {})
    return None


def _check_reveal(state: State, action: Action) -> Refusal | None:
    cell, suit = _cell(state, action[0]), _suit(action[1], "PENG-6.2")
    if isinstance(cell, Refusal) or isinstance(suit, Refusal):
        return cell if isinstance(cell, Refusal) else suit if isinstance(suit, Refusal) else None
    if cell != state.left:
        name = state.board.names[state.left or 0]
        return Refusal(
            Code.CONTRADICTS,
            "PENG-6.2",
            f"a coin has come to light on {name}, not on {action[0]}",
            {"place": name},
        )
    if suit.letter in choices.unknown_suits(state):
        return None
    text = f"all {PER_SUIT} coins of {suit} are known; it cannot be one more"
    return Refusal(Code.CONTRADICTS, "PENG-6.2", text, {"suit": suit.value, "known": PER_SUIT})


def _check_place_coin(state: State, action: Action) -> Refusal | None:
    suit, cell = _suit(action[0], "PENG-9.2"), _cell(state, action[1])
    if isinstance(suit, Refusal):
        return suit
    if isinstance(cell, Refusal):
        return cell
    if suit.letter not in choices.loose_suits(state):
        text = f"all {PER_SUIT} coins of {suit} lie on the ice already"
        return Refusal(Code.NO_SUCH_PIECE, "PENG-9.2", text, {"suit": suit.value})
    return None if cell in choices.coin_cells(state) else _why_no_coin(state, action[1], cell)


def _why_no_coin(state: State, name: str, cell: int) -> Refusal:
    empty = [state.board.names[c] for c, stack in enumerate(state.stacks) if not stack]
    height = len(state.stacks[cell])
    facts: Facts = {"place": name, "height": height, "empty": empty}
    if empty:
        text = f"{name} has a coin already, and the first level is not complete: {', '.join(empty)} are empty"
        return Refusal(Code.OUT_OF_ORDER, "PENG-9.2", text, facts)
    if height > 1:
        clause = "PENG-9.2" if state.options.start == "strategic" else "PENG-9.3"
        return Refusal(Code.LIMIT, clause, f"{name} has two coins already; higher is not allowed here", facts)
    text = f"{name} gets no second coin; the second level is only for the spaces of the X"
    return Refusal(Code.NOT_ALLOWED, "PENG-9.2", text, facts)


def _check_place_penguin(state: State, action: Action) -> Refusal | None:
    cell = _cell(state, action[0])
    if isinstance(cell, Refusal):
        return cell
    if not state.stacks[cell]:
        return Refusal(
            Code.EMPTY, "PENG-4.1", f"{action[0]} is water; a penguin stands on a coin", {"place": action[0]}
        )
    if cell in state.penguins and not state.options.share:
        return _occupied(state, action[0], cell)
    return None


def _occupied(state: State, name: str, cell: int, clause: str = "PENG-8.1") -> Refusal:
    seat = state.penguins.index(cell)
    text = f"the {state.pawns[seat]} penguin stands on {name} already"
    return Refusal(Code.OCCUPIED, clause, text, {"place": name, "seat": seat})


def _check_move(state: State, action: Action) -> Refusal | None:
    goal = _cell(state, action[0])
    if isinstance(goal, Refusal):
        return goal
    source = state.penguins[state.to_act]
    assert source is not None
    standing = state.board.names[source]
    if len(action.args) > 1 and action[1] not in ("", standing):
        text = f"your penguin stands on {standing}, not on {action[1][:_MAX_ECHO]}"
        return Refusal(Code.NOT_YOURS, "PENG-4.7", text, {"from": standing, "said": action[1][:_MAX_ECHO]})
    return None if goal in choices.own_targets(state) else _why_no_move(state, source, goal)


def _why_no_move(state: State, source: int, goal: int) -> Refusal:
    names = state.board.names
    start, end = names[source], names[goal]
    if goal == source:
        return Refusal(
            Code.MUST_MOVE,
            "PENG-4.7",
            f"the penguin stands on {start} already; it must move",
            {"place": start},
        )
    if not state.stacks[goal]:
        return Refusal(Code.EMPTY, "PENG-2.5", f"{end} is water; a penguin stands on a coin", {"place": end})
    if goal in state.penguins:
        return _occupied(state, end, goal)
    return _neither_step_nor_hop(state, source, goal)


def _neither_step_nor_hop(state: State, source: int, goal: int) -> Refusal:
    names, stacks = state.board.names, state.stacks
    start, end = names[source], names[goal]
    suits = [SUIT_OF[state.suits[stacks[cell][-1]]] for cell in (source, goal)]
    heights = [len(stacks[cell]) for cell in (source, goal)]
    near = bool(state.board.near[source] >> goal & 1)
    facts: Facts = {
        "from": start, "to": end, "from_suit": suits[0].value, "to_suit": suits[1].value,
        "from_height": heights[0], "to_height": heights[1], "neighbours": near,
    }  # fmt: skip
    no_hop = f"no hop: {start} shows {suits[0]} and {end} shows {suits[1]}"
    if near:
        text = f"no step: {start} is {heights[0]} high and {end} is {heights[1]} high; {no_hop}"
        return Refusal(Code.NOT_ALLOWED, "PENG-4.2", text, facts)
    return Refusal(Code.NOT_ADJACENT, "PENG-4.3", f"{no_hop}; no step: {end} is no neighbour of {start}", facts)


def _check_drop_out(state: State, _action: Action) -> Refusal | None:
    names = [state.board.names[goal] for goal in choices.own_targets(state)]
    if not names:
        return None
    text = f"a penguin that can move must move; it can go to {', '.join(names)}"
    return Refusal(Code.MUST_MOVE, "PENG-4.5", text, {"moves": names})


def _check_melt(state: State, action: Action) -> Refusal | None:
    if not action.args or not action[0]:
        return None
    cell = _cell(state, action[0])
    if isinstance(cell, Refusal):
        return cell
    if cell in choices.melt_cells(state):
        return None
    assert state.left is not None
    left = state.board.names[state.left]
    if not state.options.flame_throwers:
        text = f"the coin that the penguin has left melts: the one on {left}, not on {action[0]}"
        return Refusal(Code.NOT_ALLOWED, "PENG-4.4", text, {"place": action[0], "left": left})
    if cell in state.penguins:
        return _occupied(state, action[0], cell, "PENG-9.7")
    return Refusal(Code.EMPTY, "PENG-9.7", f"there is no coin on {action[0]} to melt", {"place": action[0]})


def _check_drift(state: State, action: Action) -> Refusal | None:
    cell = _cell(state, action[0])
    if isinstance(cell, Refusal):
        return cell
    if action[3] not in choices.QUARTERS:
        text = f"a tile turns by 0, 90, 180 or 270 degrees clockwise, not by {action[3][:_MAX_ECHO]!r}"
        return Refusal(Code.BAD_ARGUMENT, "PENG-9.8", text, {"rotation": action[3][:_MAX_ECHO]})
    if not all(_is_coordinate(text) for text in action.args[1:3]):
        text = "the new place is two whole numbers: where the south-west space comes to lie; a1 is 0 and 0"
        return Refusal(Code.BAD_ARGUMENT, "PENG-9.8", text, {"x": action[1][:_MAX_ECHO], "y": action[2][:_MAX_ECHO]})
    return _check_drift_place(state, action, cell // 4)


def _is_coordinate(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdecimal() and len(digits) <= 4


def _check_drift_place(state: State, action: Action, tile: int) -> Refusal | None:
    corner = (int(action[1]), int(action[2]))
    where = f"({corner[0]}, {corner[1]})"
    facts: Facts = {"tile": action[0], "x": corner[0], "y": corner[1]}
    if not choices.may_drift(state, tile):
        seat = choices.penguins_on(state, tile)[0]
        text = f"the {state.pawns[seat]} penguin stands on this tile; only tiles without a penguin may drift"
        return Refusal(Code.PROTECTED, "PENG-8.10", text, facts)
    fault = drift_fault(state.tiles, tile, corner)
    return (
        None if fault is None else Refusal(_FAULT_CODES[fault], "PENG-9.8", _FAULTS[fault].format(where=where), facts)
    )


_FAULT_CODES = {"overlap": Code.OVERLAP, "alone": Code.NO_CONTACT, "apart": Code.SPLITS, "wide": Code.LIMIT}
_FAULTS = {
    "overlap": "a tile at {where} would lie on another tile",
    "alone": "a tile at {where} would not touch another tile along a full edge",
    "apart": "with the tile at {where} the other tiles would no longer hang together by full edges",
    "wide": "with the tile at {where} the ice would be wider than 26 spaces",
}


def _check_pass(_state: State, _action: Action) -> Refusal | None:
    return None


_CHECKS = {
    "roll": _check_roll,
    "deal": _check_deal,
    "reveal": _check_reveal,
    "place_coin": _check_place_coin,
    "place_penguin": _check_place_penguin,
    "move": _check_move,
    "drop_out": _check_drop_out,
    "melt": _check_melt,
    "drift": _check_drift,
    "pass": _check_pass,
}

"""Why an action may not be done, with the facts in words. Arguments may be absurd."""

from __future__ import annotations

from collections.abc import Callable

from rules.engine import Action, Code, Refusal
from rules.engine.refusal import Fact
from rules.games.ice_floe import ballots
from rules.games.ice_floe.floes import can_act, empty_floes
from rules.games.ice_floe.geometry import CELL_OF, COMPASS, LONGEST, MOST_PARTS, NAMES, length, neighbour
from rules.games.ice_floe.opening import (
    BONUS,
    COIN_PHASES,
    ENDED,
    EXPLODE,
    LETTERS,
    LOST,
    MOVE,
    NUMBER,
    PLACE,
    ROLL,
    SCORE,
    SET_NAMES,
    SETS,
    SUIT,
    TIE_PHASES,
    WINNER,
    State,
    find_pyramid,
    pyramid_name,
)
from rules.games.ice_floe.play import next_letter, split
from rules.pieces import parse_rank, parse_suit

_VOTING = (NUMBER, *COIN_PHASES, *TIE_PHASES, SUIT)
_WHEN: dict[str, tuple[tuple[str, ...], str, str]] = {
    "take_set": ((SETS,), "ICE-3.3", "the sets of coins are taken before the start roll"),
    "roll": ((ROLL,), "ICE-3.4", "the dice decide only who begins"),
    "place": ((PLACE,), "ICE-3.5", "pyramids are placed before the first round only"),
    "move": ((MOVE,), "ICE-4.1", "pyramids move in the movement part of the round"),
    "slide": ((MOVE,), "ICE-4.1", "tiles slide in the movement part of the round"),
    "pass": ((MOVE,), "ICE-4.11", "one passes only in the movement part of the round"),
    "commit_number": ((NUMBER,), "ICE-4.12", "the vote on the number is not open"),
    "reveal_number": ((NUMBER,), "ICE-4.12", "the vote on the number is not open"),
    "commit_suit": ((SUIT,), "ICE-4.15", "the vote on the suit is not open"),
    "reveal_suit": ((SUIT,), "ICE-4.15", "the vote on the suit is not open"),
    "add_coin": (COIN_PHASES, "ICE-4.18", "coins are added between the uncovering and the count"),
    "keep_coins": (COIN_PHASES, "ICE-4.20", "nobody is asked for coins now"),
    "close_coins": (COIN_PHASES, "ICE-4.20", "nobody is asked for coins now"),
    "break_tie": (TIE_PHASES, "ICE-4.23", "no vote is tied"),
    "sanction": (_VOTING, "ICE-4.26", "nobody is voting now"),
    "explode": ((EXPLODE,), "ICE-4.27", "only the tile that was voted on explodes, right after the vote"),
    "bonus": (
        (BONUS,),
        "ICE-4.28",
        "a second tile explodes only if more than one is unoccupied after the first",
    ),
    "decline": ((BONUS,), "ICE-4.28", "there is no second explosion to decline"),
    "score": ((SCORE,), "ICE-4.29", "scoring begins when everybody has been torch bearer once"),
    "choose_winner": ((WINNER,), "ICE-5.4", "the torch bearer names a winner only in a tie at the end"),
    "share": ((WINNER,), "ICE-5.4", "the torch bearer shares a victory only in a tie at the end"),
}


def check(state: State, action: Action, seat: int) -> Refusal | None:
    phases, clause, words = _WHEN[action.verb]
    if state.phase not in phases:
        facts: dict[str, Fact] = {
            "phase": state.phase,
            "round": state.round,
            "unoccupied": len(empty_floes(state)),
        }
        return Refusal(Code.WRONG_PHASE, clause, f"{words}; now it is {_PHASE_WORDS[state.phase]}", facts)
    return _CHECKS[action.verb](state, action, seat)


_PHASE_WORDS = {
    SETS: "the choice of the sets",
    ROLL: "the start roll",
    PLACE: "the placing of the pyramids",
    MOVE: "the movement part",
    NUMBER: "the vote on the number",
    "number_coins": "the time for coins in the vote on the number",
    "number_tie": "the torch bearer's decision on the number",
    SUIT: "the vote on the suit",
    "suit_coins": "the time for coins in the vote on the suit",
    "suit_tie": "the torch bearer's decision on the suit",
    EXPLODE: "the explosion",
    BONUS: "the second explosion",
    SCORE: "the scoring",
    WINNER: "the choice of the winner",
    ENDED: "over",
}


def _take_set(state: State, action: Action, _seat: int) -> Refusal | None:
    name = action[0]
    if name not in SET_NAMES:
        text = f"there is no set {action[0][:20]!r}; the sets are the n, 3, 4 and 5 coins"
        return Refusal(Code.NO_SUCH_PIECE, "ICE-1.3", text, {"given": action[0][:20]})
    if name in state.sets:
        owner = state.sets.index(name)
        return Refusal(Code.OCCUPIED, "ICE-3.3", f"seat {owner} has the {name} coins already", {"owner": owner})
    return None


def _roll(state: State, action: Action, _seat: int) -> Refusal | None:
    seen = set()
    for item in split(action[0]):
        try:
            seat = state.suits.index(parse_suit(item[:1]))
            parse_rank(item[1:])
        except ValueError:
            text = f"{item[:20]!r} is no die and face; write for example S5"
            return Refusal(Code.BAD_ARGUMENT, "ICE-3.4", text, {"given": item[:20]})
        if seat in seen or seat not in state.rolling:
            text = f"the {state.suits[seat]} die does not roll now, or is named twice"
            return Refusal(Code.REPEATS, "ICE-3.4", text, {"die": state.suits[seat].value})
        seen.add(seat)
    if not seen:
        return Refusal(Code.BAD_ARGUMENT, "ICE-3.4", "no die is named; write for example S5+M3", {})
    return None


def _no_cell(place: str) -> Refusal | None:
    if place in CELL_OF:
        return None
    text = f"there is no cell {place[:20]!r}; they go from a1 to e5"
    return Refusal(Code.NO_SUCH_PLACE, "ICE-2.1", text, {"place": place[:20]})


def _no_tile(state: State, place: str, clause: str) -> Refusal | None:
    if refusal := _no_cell(place):
        return refusal
    if state.floes[CELL_OF[place]]:
        return None
    return Refusal(Code.EMPTY, clause, f"there is no tile on {place}; it is a hole", {"place": place})


def _no_pyramid(state: State, name: str) -> Refusal | None:
    if find_pyramid(state, name) is not None:
        return None
    letters = ", ".join(suit.letter for suit in state.suits)
    text = f"there is no pyramid {name[:20]!r}; write a suit ({letters}), - and a letter A to F, for example S-A"
    return Refusal(Code.NO_SUCH_PIECE, "ICE-1.2", text, {"pyramid": name[:20]})


def _place(state: State, action: Action, seat: int) -> Refusal | None:
    name, place = action.args
    if refusal := _no_pyramid(state, name):
        return refusal
    wanted = next_letter(state)
    if find_pyramid(state, name) != wanted:
        text = f"{pyramid_name(state, wanted)} is placed now: everybody places {LETTERS[wanted % 6]}"
        return Refusal(Code.OUT_OF_ORDER, "ICE-3.5", text, {"wanted": pyramid_name(state, wanted), "seat": seat})
    if refusal := _no_tile(state, place, "ICE-3.5"):
        return refusal
    if CELL_OF[place] in state.pyramids:
        other = pyramid_name(state, state.pyramids.index(CELL_OF[place]))
        text = f"{other} is on {place}; pyramids are placed on tiles without a pyramid"
        return Refusal(Code.OCCUPIED, "ICE-3.5", text, {"place": place, "by": other})
    return None


def _move(state: State, action: Action, seat: int) -> Refusal | None:
    name, path = action.args
    index = find_pyramid(state, name)
    if index is None:
        return _no_pyramid(state, name)
    if index // 6 != seat:
        owner = state.suits[index // 6]
        text = f"{name} belongs to {owner}; one moves only own pyramids"
        return Refusal(Code.NOT_YOURS, "ICE-4.1", text, {"pyramid": name, "owner": owner.value})
    if state.pyramids[index] == LOST:
        return Refusal(Code.NO_SUCH_PIECE, "ICE-4.7", f"{name} has left the game", {"pyramid": name})
    return _check_path(state, state.pyramids[index], path.split(">"))


def _check_path(state: State, start: int, places: list[str]) -> Refusal | None:
    here, total = start, 0
    for place in places:
        if refusal := _check_part(state, here, place):
            return refusal
        total += length(here, CELL_OF[place]) or 0
        here = CELL_OF[place]
    facts = {"parts": len(places), "length": total}
    if len(places) > MOST_PARTS:
        text = f"{len(places)} parts were made; a pyramid moves once or twice"
        return Refusal(Code.LIMIT, "ICE-4.4", text, facts)
    if total > LONGEST:
        text = f"the way is {total} long; a step counts 1, a jump 2, and together they may be {LONGEST}"
        return Refusal(Code.LIMIT, "ICE-4.4", text, facts)
    if here == start and state.options.null_move == "forbid":
        text = f"the pyramid would end on {NAMES[start]}, where it began"
        return Refusal(Code.REPEATS, "ICE-R4", text, {"place": NAMES[start]})
    return None


def _check_part(state: State, here: int, place: str) -> Refusal | None:
    if refusal := _no_cell(place):
        return refusal
    far = length(here, CELL_OF[place])
    facts = {"from": NAMES[here], "to": place}
    if far is None:
        text = f"{place} is not straight from {NAMES[here]}: not along a rank, a file or a diagonal"
        return Refusal(Code.WRONG_DIRECTION, "ICE-4.3", text, facts)
    if far == 0:
        return Refusal(Code.MUST_MOVE, "ICE-4.2", f"a part of a move must leave {place}", facts)
    if far > 2:
        text = f"{place} is {far} cells from {NAMES[here]}; a jump goes over one cell only"
        return Refusal(Code.WRONG_DISTANCE, "ICE-4.3", text, facts)
    return _no_tile(state, place, "ICE-4.5")


def _slide(state: State, action: Action, seat: int) -> Refusal | None:
    place, way = action.args
    if refusal := _no_tile(state, place, "ICE-4.9"):
        return refusal
    if way not in COMPASS:
        text = f"{way[:20]!r} is no direction; a tile slides N, E, S or W"
        return Refusal(Code.WRONG_DIRECTION, "ICE-2.4", text, {"given": way[:20]})
    source = CELL_OF[place]
    if all(where != source for where in state.pyramids[6 * seat : 6 * seat + 6]):
        text = f"no pyramid of {state.suits[seat]} is on {place}; one slides only a tile with an own pyramid"
        return Refusal(Code.NOT_YOURS, "ICE-4.9", text, {"place": place})
    target = neighbour(source, *COMPASS[way])
    if target is None:
        text = f"{place} is at the edge; a tile stays inside the 5 by 5 cells"
        return Refusal(Code.NO_SUCH_PLACE, "ICE-4.9", text, {"place": place, "way": way})
    if state.floes[target]:
        text = f"there is a tile on {NAMES[target]}; a tile cannot push another"
        return Refusal(Code.BLOCKED, "ICE-4.9", text, {"place": place, "to": NAMES[target]})
    return None


def _pass(state: State, _action: Action, seat: int) -> Refusal | None:
    if can_act(state, seat):
        text = "who can move a pyramid or slide a tile must do so"
        return Refusal(Code.MUST_MOVE, "ICE-4.11", text, {"seat": seat})
    return None


def _explode(state: State, action: Action, _seat: int) -> Refusal | None:
    if refusal := _no_cell(action[0]):
        return refusal
    wanted = NAMES[state.floes.index(state.target)]
    if action[0] == wanted:
        return None
    text = f"{state.target} on {wanted} was voted on, not the tile on {action[0]}"
    return Refusal(Code.NOT_ALLOWED, "ICE-4.27", text, {"target": state.target, "place": wanted})


def _bonus(state: State, action: Action, _seat: int) -> Refusal | None:
    if refusal := _no_tile(state, action[0], "ICE-4.28"):
        return refusal
    cell = CELL_OF[action[0]]
    if cell not in state.pyramids:
        return None
    name = pyramid_name(state, state.pyramids.index(cell))
    text = f"{name} is on {action[0]}; only an unoccupied tile may be exploded"
    return Refusal(Code.OCCUPIED, "ICE-4.28", text, {"place": action[0], "by": name})


def _score(state: State, action: Action, _seat: int) -> Refusal | None:
    return _no_tile(state, action[0], "ICE-4.30")


def _choose_winner(state: State, action: Action, _seat: int) -> Refusal | None:
    tied = [state.suits[seat].letter for seat in state.winners]
    if action[0] in tied:
        return None
    text = f"{action[0][:20]!r} is not tied for the first place; {', '.join(tied)} are"
    return Refusal(Code.NOT_ALLOWED, "ICE-5.4", text, {"tied": tied})


def _always(_state: State, _action: Action, _seat: int) -> Refusal | None:
    return None


_CHECKS: dict[str, Callable[[State, Action, int], Refusal | None]] = {
    "take_set": _take_set,
    "roll": _roll,
    "place": _place,
    "move": _move,
    "slide": _slide,
    "pass": _pass,
    "commit_number": ballots.check_commit,
    "commit_suit": ballots.check_commit,
    "reveal_number": ballots.check_reveal,
    "reveal_suit": ballots.check_reveal,
    "add_coin": ballots.check_coin,
    "keep_coins": _always,
    "close_coins": _always,
    "break_tie": ballots.check_tie,
    "sanction": ballots.check_sanction,
    "explode": _explode,
    "bonus": _bonus,
    "decline": _always,
    "score": _score,
    "choose_winner": _choose_winner,
    "share": _always,
}

"""Pyramids as they are called in an action."""

from __future__ import annotations

from rules.engine import Action, Code, Refusal
from rules.games.ice_floe.opening import State, find_pyramid
from rules.sentence import say, several


def no_pyramid(state: State, name: str) -> Refusal | None:
    if find_pyramid(state, name) is not None:
        return None
    letters = several(suit.letter for suit in state.suits)
    text = say(
        "there is no pyramid “{pyramid}”; write a suit ({letters}), - and a letter A to F, for example S-A",
        pyramid=name[:20],
        letters=letters,
    )
    return Refusal(Code.NO_SUCH_PIECE, "ICE-1.2", text, {"pyramid": name[:20]})


def index_of(state: State, name: str) -> int:
    index = find_pyramid(state, name)
    assert index is not None
    return index


def pyramid_and_cells(action: Action) -> tuple[str, ...]:
    """The pyramid by its piece code, and every landing of its path."""
    return (f"y{action[0]}", *action[1].split(">")) if len(action.args) == 2 else ()

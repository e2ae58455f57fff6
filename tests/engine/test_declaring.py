"""What a game is made of, as it is declared: what is missing or said twice is refused at once."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from rules.engine import Action, Deed, Game, ParamKind, Step, Verb
from rules.engine.contract import AnyGame
from rules.games import game

QUATRI = game("quatri")


class Wave(Deed[Any]):
    verb: ClassVar[Verb] = Verb.of("wave", "wave", "QUAT-4.2")

    def do(self, state: Any, action: Action) -> Step[Any]:
        return Step(state)


class Point(Wave):
    verb = Verb.of("point", "point at {place}", "QUAT-4.2", place=ParamKind.PLACE)


class Hidden(Wave):
    phases = ("dark",)


def game_of_deeds(*deeds: Deed[Any], **hooks: Any) -> AnyGame:
    return Game(
        card=QUATRI.card,
        state_type=QUATRI.state_type,
        opening=QUATRI.opening,
        turn=QUATRI.turn,
        layout=QUATRI.layout,
        outcome=QUATRI.outcome,
        position=QUATRI.position,
        deeds=deeds,
        **hooks,
    )


def test_a_deed_without_arguments_has_one_way_and_may_be_done() -> None:
    waving = game_of_deeds(Wave())
    state = waving.start()
    assert list(waving.legal(state)) == [Action("wave")]
    assert waving.refusal(state, Action("wave")) is None
    assert [verb.name for verb in waving.card.verbs] == ["wave"]


@pytest.mark.parametrize(
    ("deeds", "problem"),
    [((Wave(), Wave()), "same verb twice"), ((Point(),), "point has arguments"), ((Hidden(),), "phase 'dark'")],
)
def test_what_is_missing_or_said_twice_is_refused(deeds: tuple[Deed[Any], ...], problem: str) -> None:
    with pytest.raises(TypeError, match=problem):
        game_of_deeds(*deeds)


def test_a_hook_stands_in_the_place_of_a_method_and_may_call_it() -> None:
    def described(action: Action) -> str:
        return f"{Game.describe(own, action)} to everybody"

    own = game_of_deeds(Wave(), describe=described)
    assert (own.describe(Action("wave")), game_of_deeds(Wave()).describe(Action("wave"))) == (
        "wave to everybody",
        "wave",
    )

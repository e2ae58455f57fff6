"""What can be asked of a simulated table: illegal acts that no legal action explains, each act with its truth."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import pytest

from companion_api.simulated.incidents import (
    DISTURBANCES,
    ILLEGAL,
    KINDS,
    WRONG_MOVE,
    ActKind,
    Meaning,
    Requests,
    caption,
    staged_at,
)
from companion_api.simulated.script import PeopleAtTable, Script, people_of
from companion_api.trials.alike import looks_alike
from companion_api.watching.table_watcher import RefereeJudge, TableWatcher, TimedVerdict
from models.render.camera import Viewpoint
from models.render.simulated import Act, FilmSettings, SimulatedCamera, SimulatedTable
from rules.engine.action import Action
from rules.engine.history import History
from rules.engine.playout import walk
from rules.engine.turn import TurnKind
from rules.games import game
from rules.pieces import Face
from rules.referee.referee import Referee
from rules.referee.verdict import VerdictKind
from tests.bench.trials.illegal import clauses_for
from tests.bench.truth_reader import Errors, TruthReader
from tests.tiers import few
from vision.pipeline import Pipeline

DODGEM = game("dodgem")


@dataclass
class Heard:
    """People who say that they understood everything, and remember what they were asked."""

    states: list[Any] = field(default_factory=list)
    back_to: list[Any] = field(default_factory=list)

    def people(self) -> PeopleAtTable:
        def understood(state: Any, _: tuple[Action, ...]) -> bool:
            self.states.append(state)
            return True

        return PeopleAtTable(lambda _: None, understood, self.back_to.append)


def filmed(*incidents: str, turns: int = 6) -> tuple[list[Act], Heard]:
    heard = Heard()
    script = Script(DODGEM, DODGEM.start(), 3, heard.people(), requests=Requests(incidents))
    return list(script.acts(turns)), heard


def meaning(act: Act) -> Meaning:
    assert isinstance(act.meaning, Meaning)
    return act.meaning


@pytest.mark.parametrize("kind", few(KINDS, ("too_far", "one_step", "tile_removed")))
def test_no_legal_action_leads_to_a_staged_table(kind: str) -> None:
    for name in ("dodgem", "fuji_san", "ice_floe"):
        rules, rng = game(name), random.Random(5)
        states = [state for state, _ in islice(walk(rules, 2), 1, 14) if rules.turn(state).kind is TurnKind.SEAT]
        staged = next((act for state in states if (act := staged_at(rules, state, kind, rng))), None)
        if staged is not None:
            legal = (rules.layout(rules.advance(staged.state, action)) for action in rules.legal(staged.state))
            assert not any(looks_alike(layout, staged.layout) for layout in legal)
            assert not looks_alike(rules.layout(staged.state), staged.layout)
            return
    pytest.fail(f"no game ever allowed {kind}")


def test_what_leads_back_to_an_earlier_table_is_no_illegal_act() -> None:
    before = DODGEM.start()
    after = DODGEM.advance(before, DODGEM.read(before, "a1-b1"))

    def is_taken_back(seed: int, *lately: Any) -> bool:
        staged = staged_at(DODGEM, after, "one_step", random.Random(seed), lately)
        return staged is not None and looks_alike(staged.layout, DODGEM.layout(before))

    found = next(seed for seed in (6, *range(12)) if is_taken_back(seed))
    assert not is_taken_back(found, before)


def test_every_act_says_what_it_was() -> None:
    acts, heard = filmed(ILLEGAL, "take_back", "quick", *DISTURBANCES, turns=8)
    incidents = [meaning(act).incident for act in acts if meaning(act).incident]
    assert set(incidents) >= {"take_back", "quick", *DISTURBANCES}
    assert any(meaning(act).deed is ActKind.ILLEGAL for act in acts)
    assert [act.kind for act in acts if meaning(act).incident in DISTURBANCES] == list(DISTURBANCES)
    assert len(heard.back_to) == len(DISTURBANCES) + 2, "the table is put right after every incident"


def test_the_legal_acts_alone_are_the_game() -> None:
    acts, heard = filmed(ILLEGAL, "take_back", "quick", "too_far", "jostle")
    history = History.begin(DODGEM)
    for act in acts:
        if meaning(act).deed is ActKind.LEGAL:
            for action in meaning(act).actions:
                history = history.play(DODGEM.read(history.state, action))
        elif meaning(act).deed is ActKind.TAKEN_BACK:
            history = history.undo()
        if meaning(act).deed is ActKind.ILLEGAL:
            assert not looks_alike(act.layout, DODGEM.layout(history.state))
        else:
            assert act.layout == DODGEM.layout(history.state)
    assert history.state == heard.states[-1]


def test_people_hear_of_each_incident_just_before_they_see_it() -> None:
    log: list[tuple[str, Meaning]] = []

    def note(what: str, meant: Meaning) -> None:
        log.append((what, meant))

    people = replace(Heard().people(), on_incident=lambda meant: note("heard", meant))
    script = Script(DODGEM, DODGEM.start(), 3, people, requests=Requests([WRONG_MOVE, "take_back", "quick", "bump"]))
    for act in script.acts(6):
        note("seen", meaning(act))
    told = [index for index, (what, _) in enumerate(log) if what == "heard"]
    assert len(told) == 6
    assert [log[index + 1] for index in told] == [("seen", log[index][1]) for index in told]
    assert all(
        log[index - 1][0] == "heard" for index, (_, meant) in enumerate(log) if meant.incident and index not in told
    )
    assert sum(caption(log[index][1]) is None for index in told) == 1, "a move put back is told by the log itself"


def test_two_quick_moves_name_the_table_between_them() -> None:
    acts, _ = filmed("quick")
    quick = next(act for act in acts if meaning(act).incident == "quick")
    first, _ = meaning(quick).actions
    between = DODGEM.advance(DODGEM.start(), DODGEM.read(DODGEM.start(), first))
    assert quick.through == (DODGEM.layout(between),)


def test_unknown_incidents_are_refused() -> None:
    with pytest.raises(ValueError, match="nothing is staged under the name 'theft'"):
        Requests(["theft"])


def test_people_take_back_what_was_wrongly_accepted() -> None:
    referee = Referee(DODGEM, History.begin(DODGEM))
    start = referee.history.state
    people = people_of(referee)
    for _ in range(2):
        people.enter_action(next(iter(DODGEM.legal(referee.history.state))))
    people.take_back_to(start)
    assert referee.history.state == start


@pytest.mark.full
def test_a_staged_act_on_film_is_refused_with_its_clause_and_then_put_right() -> None:
    referee = Referee(DODGEM, History.begin(DODGEM))
    script = Script(DODGEM, referee.history.state, 3, people_of(referee), 1.0, Requests(["too_far"]), 3.0, clauses_for)
    camera = SimulatedCamera(
        SimulatedTable(script.acts(2), FilmSettings(seed=3, fps=5, view=Viewpoint(400, 300, tilt_deg=10)))
    )
    said: dict[ActKind, list[TimedVerdict]] = {deed: [] for deed in ActKind}
    for told in TableWatcher(RefereeJudge(referee)).watch(
        Pipeline(camera, TruthReader.at(camera, 3, Errors(misread=0, miss=0)))
    ):
        if isinstance(told, TimedVerdict) and camera.shot is not None:
            said[meaning(camera.shot.act).deed].append(told)
            staged = meaning(camera.shot.act)
            if told.verdict.refusal is not None:
                assert told.verdict.refusal.clause in staged.clauses
    assert [told.verdict.kind for told in said[ActKind.ILLEGAL]] == [VerdictKind.REFUSED]
    assert VerdictKind.REFUSED not in [told.verdict.kind for told in said[ActKind.LEGAL] + said[ActKind.PUT_RIGHT]]
    assert len(referee.history.entries) == 2


def test_who_turns_a_tile_over_turns_up_what_it_shows() -> None:
    """No film shows a tile that was turned over and shows nothing yet, or something else a moment later."""
    tula = game("tula")
    told: list[Action] = []
    heard = Heard()
    people = replace(heard.people(), enter_action=told.append)
    acts = [act for act in Script(tula, tula.start(), 601, people).acts(6) if meaning(act).actions]
    assert [[action.split("(")[0] for action in meaning(act).actions] for act in acts[:2]] == [
        ["start", "show"],
        ["reveal", "show"],
    ]
    assert not told
    assert all(
        placed.piece.rank is not None for act in acts for placed in act.layout.board if placed.face is Face.FRONT
    )


def test_a_deal_that_people_tell_is_no_part_of_what_is_done_next() -> None:
    dash = game("delegate_dash")
    acts = Script(dash, dash.start(), 601, Heard().people()).acts(4)
    done = [meaning(act).actions for act in acts]
    assert max(len(actions) for actions in done) == 1

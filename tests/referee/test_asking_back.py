"""Where two explanations are near the picture is asked before people are: only where they differ, and it may tell only
which of them it was."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import pytest

from companion_api.simulated.synthetic import Noise, Onlooker, observe
from rules.engine.action import parse_action
from rules.engine.history import History
from rules.games import game
from rules.pieces import Kind, Rank, Suit
from rules.referee.asking_back import PossibleAnswer, answered, margin_of
from rules.referee.likelihood import View
from rules.referee.looking import begun, followed, look
from rules.referee.memory import Memory
from rules.referee.register import Registration
from rules.referee.tuning import TUNING
from rules.referee.verdict import Verdict, VerdictKind
from rules.table.evidence import ChangedRegion, FrameDiff, Ground, PictureEvidence, ReferencePicture
from rules.table.layout import Layout, Placed
from rules.table.observed import Beliefs, ObservedTable, Sighting
from tests.bench.trials.witness import PictureErrors
from tests.referee.test_looking import blurred, drawn_tile, first_draw

Shows = Callable[[ObservedTable], ObservedTable | None]


@dataclass
class Asked:
    """A testimony that answers as it is told when it is asked back, and remembers where."""

    said: FrameDiff
    answer: Shows
    places: list[Placed]

    @property
    def table(self) -> ObservedTable:
        return self.said.table

    @property
    def eyes(self) -> ObservedTable:
        return self.said.eyes

    @property
    def traces(self) -> Sequence[ChangedRegion]:
        return self.said.traces

    def changed(self, placed: Placed) -> float | None:
        return self.said.changed(placed)

    def leaves(self, placed: Placed) -> Mapping[int, float]:
        return self.said.leaves(placed)

    def shows(self, places: Sequence[Placed]) -> ObservedTable | None:
        self.places += places
        return self.answer(self.said.table)


@dataclass
class AskedPicture:
    """The same of a picture."""

    picture: PictureEvidence
    answer: Shows
    places: list[Placed]

    def remember(
        self, layout: Layout, ground: Ground, table: ObservedTable, before: ReferencePicture | None
    ) -> ReferencePicture | None:
        return self.picture.remember(layout, ground, table, before)

    def seeks(
        self, places: Sequence[Placed], layout: Layout, ground: Ground, table: ObservedTable
    ) -> ObservedTable | None:
        return self.picture.seeks(places, layout, ground, table)

    def compared(self, with_: ReferencePicture, table: ObservedTable) -> FrameDiff | None:
        said = self.picture.compared(with_, table)
        return None if said is None else Asked(said, self.answer, self.places)


def is_doubtful(seen: Sighting) -> bool:
    """Whether it may as well be another."""
    return seen.kind is Kind.TILE and max(seen.identities.values(), default=1.0) == 0.5


class Drawn:
    """A tile was drawn in Zombie, and the eyes cannot tell which of two it is."""

    def __init__(self) -> None:
        (self.before, self.after), _ = first_draw()
        self.suit, self.rank, self.twin = drawn_tile(self.before, self.after)
        self.onlooker = Onlooker(4, Noise(misread=0.0, flicker=0.0), picture=PictureErrors())
        self.places: list[Placed] = []

    def judged(self, answer: Shows | None = None) -> Verdict:
        """`answer`: what the witness says when it is asked back; else it tells the truth."""
        history, rules = self.before, self.before.game
        opening = self.onlooker.see(rules.layout(history.state))
        _, memory = look(history, begun(history, Memory(), opening.table), opening)
        for entry in self.after.entries[len(history.entries) :]:
            self.onlooker.throw(entry.effects)
        seen = self.onlooker.see(rules.layout(self.after.state))
        seen = blurred(seen, (self.suit, self.rank), (self.suit, self.twin))
        assert seen.picture is not None
        if answer is not None:
            seen = replace(seen, picture=AskedPicture(seen.picture, answer, self.places))
        verdict, _ = look(history, memory, seen)
        return verdict

    def read_as(self, rank: Rank, chance: float) -> Shows:
        """Looked at from nearer the drawn tile, and no other, shows this so probably."""

        def answer(table: ObservedTable) -> ObservedTable:
            doubt: Beliefs = {(self.suit, rank): chance, (self.suit, self.rank): 1 - chance}
            return replace(
                table,
                sightings=tuple(replace(s, identities=doubt) if is_doubtful(s) else s for s in table.sightings),
            )

        return answer


def layout_after(history: History, verdict: Verdict) -> Layout:
    return history.game.layout(followed(history, verdict).state)


def test_what_a_nearer_look_tells_nobody_is_asked() -> None:
    drawn = Drawn()
    told = drawn.judged()
    assert told.kind is VerdictKind.ACCEPTED, told.text
    assert layout_after(drawn.before, told) == drawn.before.game.layout(drawn.after.state)


def test_the_other_one_is_taken_if_the_nearer_look_says_so() -> None:
    """It is the picture that tells, and not an order among the answers."""
    drawn = Drawn()
    told = drawn.judged(drawn.read_as(drawn.twin, 0.999))
    assert told.kind is VerdictKind.ACCEPTED, told.text
    tiles = {p.piece.code for p in layout_after(drawn.before, told).board if p.piece.kind is Kind.TILE}
    assert f"t{drawn.suit.letter}{int(drawn.twin)}" in tiles


def nothing_nearer(_: ObservedTable) -> None:
    return None


def test_people_are_asked_where_nothing_can_be_seen_from_nearer() -> None:
    assert Drawn().judged(nothing_nearer).kind is VerdictKind.AMBIGUOUS


@pytest.mark.parametrize("chance", [0.5, 0.7])
def test_people_are_asked_where_the_nearer_look_is_in_doubt_as_well(chance: float) -> None:
    drawn = Drawn()
    asked = drawn.judged(drawn.read_as(drawn.twin, chance))
    assert asked.kind is VerdictKind.AMBIGUOUS
    assert {action.id for choice in asked.choices for action in choice.actions} >= {
        f"draw(t{drawn.suit.letter}{int(rank)})" for rank in (drawn.rank, drawn.twin)
    }


def test_people_are_asked_where_it_shows_something_that_nobody_thought_of() -> None:
    """That the one answer is now still worse than the other makes the other no better."""
    drawn = Drawn()
    suit = next(s for s in Suit if s is not drawn.suit)

    def answer(table: ObservedTable) -> ObservedTable:
        neither: Beliefs = {(suit, Rank.FIVE): 0.9, (drawn.suit, drawn.rank): 0.099, (drawn.suit, drawn.twin): 0.001}
        told = tuple(replace(s, identities=neither) if is_doubtful(s) else s for s in table.sightings)
        return replace(table, sightings=told)

    assert drawn.judged(answer).kind is VerdictKind.AMBIGUOUS


def test_only_the_places_are_asked_in_which_the_answers_differ() -> None:
    drawn = Drawn()
    drawn.judged(drawn.read_as(drawn.twin, 0.5))
    before, after = (drawn.before.game.layout(h.state).board for h in (drawn.before, drawn.after))
    new = {(p.x, p.y) for p in after if p.piece.kind is Kind.TILE} - {(p.x, p.y) for p in before}
    on_board = {(p.x, p.y) for p in drawn.places if p.piece.kind is Kind.TILE}
    assert on_board == new & on_board
    assert on_board
    assert len(drawn.places) <= 5


DODGEM = game("dodgem")
HERE = Registration()


def table_after(action: str, *unseen: str) -> ObservedTable:
    """The opening and one move, without the coins of these spaces."""
    layout = DODGEM.layout(DODGEM.advance(DODGEM.start(), parse_action(action)))
    left = replace(layout, pieces=tuple(p for p in layout if p.place not in unseen or p.piece.kind is not Kind.COIN))
    return observe(left, HERE, random.Random(2), Noise())


@pytest.mark.parametrize(("unseen", "is_told"), [((), True), (("b1",), False)])
def test_what_is_not_seen_from_nearer_either_is_not_told_by_its_neighbours(
    unseen: tuple[str, ...], is_told: bool
) -> None:
    """Which of two coins is gone may only seem so, as long as nobody sees where it went."""
    moves = ("move(a1,b1)", "move(a2,b2)")
    ends = [DODGEM.layout(DODGEM.advance(DODGEM.start(), parse_action(move))) for move in moves]
    wide, nearer = (
        View(table, HERE, DODGEM.layout(DODGEM.start()))
        for table in (table_after(moves[0], "a2", "b1"), table_after(moves[0], *unseen))
    )
    answers = [PossibleAnswer((parse_action(move),), end, 0.0) for move, end in zip(moves, ends, strict=True)]
    told = answered(answers, wide, nearer)
    assert told[0].actions == (parse_action(moves[0]),)
    assert (margin_of(told, wide, nearer, TUNING) is not None) == is_told

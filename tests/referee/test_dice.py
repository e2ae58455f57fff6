"""Of more than a thousand throws, which are worth comparing with the whole table."""

from __future__ import annotations

import math
import random
from itertools import islice, pairwise

import pytest

from companion_api.simulated.synthetic import Noise, Onlooker
from rules.engine.action import Action
from rules.engine.history import History
from rules.engine.playout import walk
from rules.engine.turn import TurnKind
from rules.games import game
from rules.pieces import RANKS, SUITS, Kind, Rank, Suit, die, parse_suit
from rules.referee.dice import DiceLikelihood, off_board_dice
from rules.referee.hypothesis import Hypothesis, HypothesisSearch
from rules.referee.likelihood import TableLikelihood
from rules.referee.referee import Referee
from rules.referee.register import Registration
from rules.referee.tuning import TUNING
from rules.referee.verdict import VerdictKind
from rules.table.build import LayoutBuilder
from rules.table.layout import Layout, Placed, Zone
from rules.table.observed import Beliefs, ObservedTable, Sighting
from tests.referee.sightings import resighted
from tests.tiers import full


def doubtful_table(layout: Layout, rng: random.Random) -> ObservedTable:
    """Every die is seen to show what it shows, and may show anything else."""
    seen = []
    for placed in layout:
        if placed.piece.kind is Kind.DIE:
            chances: dict[tuple[Suit | None, Rank | None], float] = {
                (placed.piece.suit, rank): rng.random() for rank in RANKS
            }
            chances[placed.piece.suit, placed.piece.rank] = 3.0
            total = sum(chances.values())
            identities = {identity: chance / total for identity, chance in chances.items()}
            seen.append(Sighting(Kind.DIE, placed.x, placed.y, identities=identities))
    return ObservedTable(tuple(seen))


class Counting(HypothesisSearch):
    """A search that counts the throws that it carries out."""

    carried_out = 0

    def _dice_after(self, start: Hypothesis, throw: Action) -> list[Placed]:
        self.carried_out += 1
        return super()._dice_after(start, throw)


@pytest.mark.parametrize(
    ("name", "most", "sends"), [("delegate_dash", 40, True), ("zombie", 40, False), ("decay", 30, False)]
)
def test_the_likeliest_throws_are_found_without_trying_all(name: str, most: int, sends: bool) -> None:
    """`sends`: each die by itself sends a piece elsewhere, which tells what it shows as well."""
    rules = game(name)
    turns = (
        (state, action)
        for state, action in walk(rules, 1)
        if rules.turn(state).kind is TurnKind.CHANCE and len(list(rules.legal(state))) > 20
    )
    state, thrown = next(turns)
    legal = list(rules.legal(state))
    layout = rules.layout(rules.advance(state, thrown))
    table = TableLikelihood(doubtful_table(layout, random.Random(3)), Registration(), layout)
    seeker = Counting(rules, table)

    def surprise(action: Action) -> float:
        after = rules.layout(rules.advance(state, action))
        return table.fit(after).cost if sends else table.dice_nats(off_board_dice(after))

    kept = seeker._likely_throws(seeker.null_hypothesis(state), legal)
    assert seeker.carried_out <= most
    least = sorted(surprise(action) for action in legal)[: len(kept)]
    assert sorted(surprise(action) for action in kept) == pytest.approx(least)


def die_sighting(x: float, **chances: float) -> Sighting:
    """A die by what it may be: `S5=0.4` is a five of suns."""
    identities: Beliefs = {(parse_suit(name[0]), Rank(int(name[1]))): chance for name, chance in chances.items()}
    return Sighting(Kind.DIE, x, 0.0, identities=identities)


def dice_with(**faces: int | None) -> list[Placed]:
    """The dice of a game, by the letters of their suits."""
    build = LayoutBuilder()
    for letter, face in faces.items():
        piece = die(parse_suit(letter), None if face is None else Rank(face))
        build.aside(Zone.SUPPLY, piece, key=letter)
    return off_board_dice(build.layout())


BLURRED = (
    die_sighting(0, M3=0.25, M2=0.21, C3=0.18, A3=0.18, S3=0.18),
    die_sighting(1, S2=0.56, A2=0.20, C2=0.13, M2=0.11),
    die_sighting(2, C5=0.85, M5=0.06, S5=0.04, A5=0.05),
)
"""Three dice of a set printed in one colour, and a game without the die of crowns."""


def test_one_die_is_not_read_as_two() -> None:
    """The five was the likeliest for two suits, each by itself."""
    throw = DiceLikelihood(BLURRED, {}, TUNING.off_board)
    assert throw.shown(dice_with(S=None, M=None, A=None)) == {"S": Rank.TWO, "M": Rank.THREE, "A": Rank.FIVE}
    assert throw.surprise(dice_with(S=2, M=3, A=5)) == 0.0
    assert throw.surprise(dice_with(S=2, M=5, A=5)) > 2.0
    assert throw.is_doubtful


def test_a_die_that_somebody_owns_lies_among_their_things() -> None:
    """Four people's dice, of colours that no set had before: where each lies tells whose it is."""
    misread = [die_sighting(0, A3=0.8, M3=0.2), die_sighting(1, C4=0.6, S4=0.4), die_sighting(2, S5=0.7, C5=0.3)]
    build = LayoutBuilder()
    for seat, letter in enumerate("MSC"):
        build.aside(Zone.HAND, die(parse_suit(letter)), key=letter, seat=seat)
    dice = off_board_dice(build.layout())
    identities = DiceLikelihood(misread, {}, TUNING.off_board, [0, 1, 2]).shown(dice)
    assert identities == {"M": Rank.THREE, "S": Rank.FOUR, "C": Rank.FIVE}
    assert DiceLikelihood(misread, {}, TUNING.off_board).shown(dice) != identities


def test_where_all_dice_are_everybodys_it_does_not_matter_where_they_lie() -> None:
    dice = dice_with(S=None, M=None)
    seen = (die_sighting(0, S4=0.9, M4=0.1), die_sighting(1, M2=0.9, S2=0.1))
    assert DiceLikelihood(seen, {}, TUNING.off_board, [3, 0]).shown(dice) == DiceLikelihood(
        seen, {}, TUNING.off_board
    ).shown(dice)


def test_what_dice_may_be_is_weighed_over_all_the_ways_to_tell_them_apart() -> None:
    throw = DiceLikelihood(BLURRED, {}, TUNING.off_board)
    likeliest = 0.25 * 0.56 * 0.05
    assert throw.surprise(dice_with(S=5, M=3, A=2)) == pytest.approx(math.log(likeliest / (0.25 * 0.2 * 0.04)), abs=0.3)
    one_sure = (die_sighting(0, S4=1.0), die_sighting(1, S2=0.9, M2=0.1))
    assert DiceLikelihood(one_sure, {}, TUNING.off_board).shown(dice_with(S=None, M=None)) == {
        "S": Rank.FOUR,
        "M": Rank.TWO,
    }


def test_dice_that_are_not_seen_may_show_anything_and_others_are_left_out() -> None:
    alone = DiceLikelihood([die_sighting(0, S4=1.0)], {"S": None, "M": None}, TUNING.off_board)
    assert alone.is_doubtful
    assert not DiceLikelihood([die_sighting(0, S4=1.0)], {"S": None}, TUNING.off_board).is_doubtful
    assert alone.surprise(dice_with(S=4, M=1)) == alone.surprise(dice_with(S=4, M=5)) == 0.0
    assert alone.surprise(dice_with(S=3, M=4)) > 2.0
    assert alone.shown(dice_with(S=None, M=None)) == {"S": Rank.FOUR}
    crowd = DiceLikelihood(
        [die_sighting(0, C1=1.0), die_sighting(1, S4=1.0), die_sighting(2, M2=1.0)], {}, TUNING.off_board
    )
    assert crowd.shown(dice_with(S=None, M=None)) == {"S": Rank.FOUR, "M": Rank.TWO}


def test_a_die_that_was_not_thrown_shows_what_it_showed() -> None:
    blank = Sighting(Kind.DIE, 0.0, 0.0, identities={(Suit.SUNS, None): 1.0})
    throw = DiceLikelihood([blank], {"S": Rank.THREE}, TUNING.off_board)
    assert throw.surprise(dice_with(S=3)) == 0.0
    assert throw.surprise(dice_with(S=4)) == pytest.approx(TUNING.off_board.unseen_face_nats)
    assert throw.shown(dice_with(S=None)) == {}


def test_a_die_that_was_thrown_shows_a_face_before_anything_is_known_of_any() -> None:
    """Four dice that nobody has looked at yet, one of them thrown, and a side of one that is taken for a fifth."""
    lay = [Sighting(Kind.DIE, x, 0.0, identities={(suit, None): 0.97}) for x, suit in enumerate(SUITS[1:])]
    seen = [die_sighting(9, S5=0.97), *lay, Sighting(Kind.DIE, 3.0, 1.0, identities={(SUITS[2], None): 0.9})]
    dice = dice_with(S=None, M=None, C=None, A=None)
    assert DiceLikelihood(seen, {each.key: None for each in dice}, TUNING.off_board).shown(dice) == {"S": Rank.FIVE}


@pytest.mark.parametrize("hidden", [full(0), 3])
def test_what_was_done_after_a_throw_with_an_unseen_die_is_not_believed(hidden: int) -> None:
    """What it must have shown, so that the move was legal, excuses anything."""
    dash = game("delegate_dash")
    steps = list(islice(walk(dash, 1), 140))
    before, throw, move = next(
        (state, throw, move)
        for (state, throw), (_, move) in pairwise(steps)
        if throw.id == "roll(A3+S1+C0+M5)" and move.id == "move(west,d1)"
    )
    onlooker = Onlooker(5, Noise(jitter=0.02, doubt=0.0))
    referee = Referee(dash, History(dash, before), onlooker.board)
    table = onlooker.see(dash.layout(before))
    referee.begin(table.table)
    referee.look(table)
    state = before
    for action in (throw, move):
        step = dash.apply(state, action)
        onlooker.throw(step.effects)
        state = step.state
    seen = onlooker.see(dash.layout(state))
    unseen = [sighting for sighting in seen.table.sightings if sighting.kind is Kind.DIE][hidden]
    verdict = referee.look(resighted(seen, (s for s in seen.table.sightings if s is not unseen)))
    assert verdict.kind in (VerdictKind.AMBIGUOUS, VerdictKind.IMPOSSIBLE)

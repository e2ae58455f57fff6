"""A set with other colours than most is read wrongly and surely; from what lies on the board that is learnt."""

from __future__ import annotations

from dataclasses import replace

from companion_api.simulated.synthetic import Noise, Onlooker
from rules.engine.history import History
from rules.engine.playout import walk
from rules.games import game
from rules.pieces import Face, Kind, Piece, Rank, Suit, tile
from rules.referee.detection_rates import SuitConfusion
from rules.referee.memory import Memory
from rules.referee.register import register
from rules.referee.step import initial_memory, look
from rules.referee.tuning import TUNING
from rules.referee.verdict import VerdictKind
from rules.table.evidence import TableEvidence
from rules.table.layout import Placed
from rules.table.observed import Beliefs, ObservedTable, Sighting

OTHER = {Suit.MOONS: Suit.ARMS, Suit.ARMS: Suit.CROWNS, Suit.CROWNS: Suit.SUNS, Suit.SUNS: Suit.MOONS}
"""What the suits of a set with blue moons, yellow arms, red crowns and black suns are taken for."""


def placed_coin(suit: Suit, rank: Rank, number: int) -> Placed:
    return Placed(tile(suit, rank), f"{suit}{rank}{number}", number, 0.0, Face.FRONT)


def sighting_of(suit: Suit, rank: Rank) -> Sighting:
    return Sighting(Kind.TILE, 0.0, 0.0, Face.FRONT, identities={(suit, rank): 0.97, (OTHER[suit], rank): 0.03})


def corrected_identities(confusion: SuitConfusion, seen: Sighting) -> Beliefs:
    return confusion.corrected(ObservedTable((seen,))).sightings[0].identities


def test_suits_that_are_taken_for_others_every_time_are_told_by_it() -> None:
    board = [placed_coin(suit, rank, 0) for suit in OTHER for rank in (Rank.TWO, Rank.THREE, Rank.FOUR)]
    pairs = [(p, sighting_of(OTHER[p.shown.suit or Suit.SUNS], p.shown.rank or Rank.TWO)) for p in board]
    confusion = SuitConfusion.estimated(pairs, TUNING.suit_confusion)
    chances = corrected_identities(confusion, sighting_of(Suit.ARMS, Rank.FIVE))
    assert max(chances, key=chances.__getitem__) == (Suit.MOONS, Rank.FIVE)
    assert chances[Suit.MOONS, Rank.FIVE] > 2 * chances[Suit.ARMS, Rank.FIVE]


def test_one_misread_piece_is_chance_and_changes_nothing() -> None:
    board = [placed_coin(suit, rank, 0) for suit in OTHER for rank in (Rank.TWO, Rank.THREE, Rank.FOUR)]
    pairs = [(p, sighting_of(p.shown.suit or Suit.SUNS, p.shown.rank or Rank.TWO)) for p in board]
    pairs[0] = (board[0], sighting_of(Suit.ARMS, Rank.TWO))
    confusion = SuitConfusion.estimated(pairs, TUNING.suit_confusion)
    seen = sighting_of(Suit.ARMS, Rank.FIVE)
    assert corrected_identities(confusion, seen) == seen.identities


def test_a_pawn_that_was_taken_for_another_is_taken_for_it_again() -> None:
    """There is one of each suit: nothing else can show whether it was chance."""
    penguin = Placed(Piece(Kind.PAWN, Suit.SUNS), "penguin1", 0.0, 0.0)
    seen = Sighting(Kind.PAWN, 0.0, 0.0, identities={(Suit.ARMS, None): 0.97, (Suit.SUNS, None): 0.003})
    before, after = (
        seen.identities[Suit.SUNS, None],
        corrected_identities(SuitConfusion.estimated([(penguin, seen)], TUNING.suit_confusion), seen),
    )
    assert after[Suit.SUNS, None] > 0.2 > before
    assert after[Suit.ARMS, None] > after[Suit.SUNS, None], "once is no proof"


def test_what_shows_another_value_is_no_lesson() -> None:
    """Another piece lies there, or none of it was read."""
    pairs = [(placed_coin(Suit.MOONS, Rank.TWO, n), sighting_of(Suit.ARMS, Rank.FIVE)) for n in range(4)]
    assert not SuitConfusion.estimated(pairs, TUNING.suit_confusion).read


def test_what_is_hidden_now_is_believed_as_before_and_what_is_seen_again_is_not() -> None:
    suns, arms = Piece(Kind.PAWN, Suit.SUNS), Piece(Kind.PAWN, Suit.ARMS)
    wrong = Sighting(Kind.PAWN, 0.0, 0.0, identities={(Suit.MOONS, None): 1.0})
    right = Sighting(Kind.PAWN, 0.0, 0.0, identities={(Suit.SUNS, None): 1.0})
    before = SuitConfusion.estimated(
        [(Placed(suns, "s", 0.0, 0.0), wrong), (Placed(arms, "a", 1.0, 0.0), wrong)], TUNING.suit_confusion
    )
    after = before.updated(SuitConfusion.estimated([(Placed(suns, "s", 0.0, 0.0), right)], TUNING.suit_confusion))
    assert corrected_identities(after, wrong).keys() == {(Suit.MOONS, None), (Suit.ARMS, None)}


def recoloured(table: ObservedTable) -> ObservedTable:
    """The same table in a set with other colours."""
    seen = (
        replace(s, identities={(OTHER[suit] if suit else None, rank): p for (suit, rank), p in s.identities.items()})
        if s.kind is Kind.TILE and s.face is Face.FRONT
        else s
        for s in table.sightings
    )
    return replace(table, sightings=tuple(seen))


def test_a_board_of_misread_suits_is_found_by_its_values_and_played_on() -> None:
    """In Decay tiles come from open hands: which of them was laid only its suit tells."""
    rules = game("decay")
    laid = (
        (state, action)
        for state, action in walk(rules, 3)
        if action.verb == "create_tile" and len(rules.layout(state).board) > 9
    )
    state, action = next(laid)
    onlooker = Onlooker(5, Noise(misread=0.0, flicker=0.0))
    history = History(rules, state)
    opening = recoloured(onlooker.see(rules.layout(state)).table)
    assert register(rules.layout(state), opening) is not None
    _, memory = look(history, initial_memory(history, Memory(), opening), TableEvidence(opening))
    assert memory.suits.read
    after = history.play(action)
    verdict, _ = look(history, memory, TableEvidence(recoloured(onlooker.see(rules.layout(after.state)).table)))
    assert verdict.kind is VerdictKind.ACCEPTED, verdict.text
    assert [done.args[0] for done in verdict.actions] == [action.args[0]]

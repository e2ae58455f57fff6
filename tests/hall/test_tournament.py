"""Tournaments: nobody meets anybody twice, byes go round, results come from the logs, ties fall by the stated rules."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from companion_api.hall.store import Row
from companion_api.hall.tournament import RESULTS, Kind, Tournament, TournamentError

NAMES = ["Ada", "Bea", "Cem", "Dora", "Emil", "Fee", "Gus", "Hedi", "Ivo"]


def over(first: str, second: str, winner: int | None, began: float, game: str = "dodgem") -> Row:
    standing = {
        "game": {"id": game, "name": game},
        "seats": [first, second],
        "winners": [] if winner is None else [winner],
        "over": True,
    }
    return Row("window", f"{first}{second}{began}", 9, began, began + 60, standing)


def played(kind: Kind, players: int, rounds: int, seed: int) -> tuple[Tournament, list[Row]]:
    """A whole tournament with random results, some with the seats the other way round."""
    rng = random.Random(seed)
    made = Tournament.new("club", kind, "dodgem", NAMES[:players], rounds)
    rows: list[Row] = []
    for number in range(made.planned):
        for pairing in made.pair(1000.0 * number, rows).pairings:
            if pairing.second is not None:
                two = [NAMES[pairing.first], NAMES[pairing.second]]
                rng.shuffle(two)
                rows.append(over(two[0].upper(), two[1], rng.choice([0, 1, None]), 1000.0 * number + 1))
    return made, rows


@pytest.mark.parametrize("players", range(2, 10))
def test_in_a_round_robin_everybody_meets_everybody_once(players: int) -> None:
    made, _ = played(Kind.ROUND_ROBIN, players, 1, players)
    met = [tuple(sorted((p.first, p.second))) for r in made.rounds for p in r.pairings if p.second is not None]
    assert sorted(met) == sorted(combinations(range(players), 2))
    byes = [p.first for r in made.rounds for p in r.pairings if p.second is None]
    assert sorted(byes) == (list(range(players)) if players % 2 else [])


@pytest.mark.parametrize("seed", range(20))
def test_in_a_swiss_nobody_meets_anybody_twice_and_byes_go_round(seed: int) -> None:
    players = 6 + seed % 4
    rounds = (players + players % 2) // 2
    made, rows = played(Kind.SWISS, players, rounds, seed)
    met = [frozenset((p.first, p.second)) for r in made.rounds for p in r.pairings if p.second is not None]
    assert len(set(met)) == len(met) == rounds * (players // 2)
    byes = [p.first for r in made.rounds for p in r.pairings if p.second is None]
    assert len(set(byes)) == len(byes) == (rounds if players % 2 else 0)
    standings = made.standings(rows)
    assert sum(entry["points"] for entry in standings) == rounds * (players // 2) + len(byes)
    assert [entry["points"] for entry in standings] == sorted((e["points"] for e in standings), reverse=True)


def test_a_swiss_pairs_those_with_equal_points() -> None:
    made = Tournament.new("club", Kind.SWISS, "dodgem", NAMES[:8], 3)
    rows = [over(NAMES[p.first], NAMES[p.second or 0], 0, 1) for p in made.pair(0, []).pairings]
    points = {e["name"]: e["points"] for e in made.standings(rows)}
    for pairing in made.pair(2, rows).pairings:
        assert points[NAMES[pairing.first]] == points[NAMES[pairing.second or 0]]


def test_the_log_tells_the_result_whoever_sat_first_and_the_director_corrects_it() -> None:
    made = Tournament.new("club", Kind.SWISS, "dodgem", ["Ada", "Bea"], 1)
    (pairing,) = made.pair(100.0, []).pairings
    first = made.players[pairing.first]
    old, other_game = over("Bea", "Ada", 0, 50.0), over("Ada", "Bea", 0, 120.0, "tula")
    assert made.results([old, other_game]) == [[None]]
    rows = [old, other_game, over(" bea", "ADA", 1, 130.0), over("Ada", "Bea", None, 200.0)]
    assert made.results(rows) == [["1-0" if first == "Ada" else "0-1"]]
    made.correct(1, first, "½-½")
    assert made.results(rows) == [["½-½"]]
    made.correct(1, first, None)
    assert made.results(rows) == [["1-0" if first == "Ada" else "0-1"]]
    again = Tournament.from_json(made.to_json())
    assert again == made


def test_ties_fall_by_the_stated_rules() -> None:
    """Worked out by hand: A, B, C with one win each in a circle, D beaten by all but C."""
    made = Tournament.new("club", Kind.ROUND_ROBIN, "dodgem", ["A", "B", "C", "D"], 1)
    wins = {("A", "B"): 1.0, ("B", "C"): 1.0, ("C", "A"): 1.0, ("A", "D"): 1.0, ("B", "D"): 1.0, ("C", "D"): 0.5}
    rows: list[Row] = []
    for number in range(3):
        for p in made.pair(1000.0 * number, rows).pairings:
            pair = made.players[p.first], made.players[p.second or 0]
            got = wins.get(pair, 1 - wins[pair[::-1]] if pair[::-1] in wins else 0)
            winner = {1.0: 0, 0.0: 1, 0.5: None}[got]
            rows.append(over(*pair, winner, 1000.0 * number + 1))
    found = {e["name"]: (e["place"], e["points"], *e["ties"]) for e in made.standings(rows)}
    # A beat B (2) and D (.5): 2.5; B beat C (1.5) and D (.5): 2; direct: A 1, B 0.
    assert found == {
        "A": (1, 2.0, 2.5, 1.0, 2.0),
        "B": (2, 2.0, 2.0, 0.0, 2.0),
        "C": (3, 1.5, 2.25, 0.0, 1.0),
        "D": (4, 0.5, 0.75, 0.0, 0.0),
    }


def test_who_is_equal_in_everything_shares_the_place() -> None:
    made = Tournament.new("club", Kind.SWISS, "dodgem", NAMES[:4], 1)
    rows = [over(NAMES[p.first], NAMES[p.second or 0], None, 1) for p in made.pair(0, []).pairings]
    assert {entry["place"] for entry in made.standings(rows)} == {1}


def test_bad_tournaments_are_refused_in_a_sentence() -> None:
    with pytest.raises(TournamentError, match="same name"):
        Tournament.new("x", Kind.SWISS, "dodgem", ["Ada", "ada "], 1)
    with pytest.raises(TournamentError, match="2 rounds at most"):
        Tournament.new("x", Kind.SWISS, "dodgem", NAMES[:4], 4)
    made = Tournament.new("x", Kind.SWISS, "dodgem", NAMES[:4], 2)
    made.pair(0, [])
    with pytest.raises(TournamentError, match="2 games are still open"):
        made.pair(1, [])
    with pytest.raises(TournamentError, match="one of 1-0"):
        made.correct(1, made.players[made.rounds[0].pairings[0].first], "2-0")
    assert set(RESULTS.values()) == {(1, 0), (0, 1), (0.5, 0.5), (0, 0)}

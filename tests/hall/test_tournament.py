"""Tournaments: nobody meets anybody twice, byes go round, results come from the logs, ties fall by the stated rules."""

from __future__ import annotations

import random
from dataclasses import asdict
from itertools import combinations

import pytest

from companion_api.hall.pairing import sizes_for, unmet
from companion_api.hall.store import Row
from companion_api.hall.tournament import Pairing, Tournament, TournamentError, TournamentKind, results_of, standings

NAMES = ["Ada", "Bea", "Cem", "Dora", "Emil", "Fee", "Gus", "Hedi", "Ivo"]


def over(first: str, second: str, winner: int | None, began: float, game: str = "dodgem") -> Row:
    return ended([first, second], [] if winner is None else [winner], began, game)


def ended(seats: list[str], winners: list[int], began: float, game: str) -> Row:
    standing = {"game": {"id": game, "name": game}, "seats": seats, "winners": winners, "over": True}
    return Row("window", f"{''.join(seats)}{began}", 9, began, began + 60, standing)


def names_at(pairing: Pairing) -> tuple[str, str]:
    first, second = pairing.players
    return NAMES[first], NAMES[second]


def played(kind: TournamentKind, players: int, rounds: int, seed: int) -> tuple[Tournament, list[Row]]:
    """A whole tournament with random results, some with the seats the other way round."""
    rng = random.Random(seed)
    made = Tournament.new("club", kind, "dodgem", NAMES[:players], rounds)
    rows: list[Row] = []
    for number in range(made.planned):
        for pairing in made.pair(1000.0 * number, rows).pairings:
            if not pairing.is_bye:
                two = [NAMES[player] for player in pairing.players]
                rng.shuffle(two)
                rows.append(over(two[0].upper(), two[1], rng.choice([0, 1, None]), 1000.0 * number + 1))
    return made, rows


@pytest.mark.parametrize("players", range(2, 10))
def test_in_a_round_robin_everybody_meets_everybody_once(players: int) -> None:
    made, _ = played(TournamentKind.ROUND_ROBIN, players, 1, players)
    met = [tuple(sorted(p.players)) for r in made.rounds for p in r.pairings if not p.is_bye]
    assert sorted(met) == sorted(combinations(range(players), 2))
    byes = [p.players[0] for r in made.rounds for p in r.pairings if p.is_bye]
    assert sorted(byes) == (list(range(players)) if players % 2 else [])


@pytest.mark.parametrize("seed", range(20))
def test_in_a_swiss_nobody_meets_anybody_twice_and_byes_go_round(seed: int) -> None:
    players = 6 + seed % 4
    rounds = (players + players % 2) // 2
    made, rows = played(TournamentKind.SWISS, players, rounds, seed)
    met = [frozenset(p.players) for r in made.rounds for p in r.pairings if not p.is_bye]
    assert len(set(met)) == len(met) == rounds * (players // 2)
    byes = [p.players[0] for r in made.rounds for p in r.pairings if p.is_bye]
    assert len(set(byes)) == len(byes) == (rounds if players % 2 else 0)
    table = standings(made, rows)
    assert sum(entry["points"] for entry in table) == rounds * (players // 2) + len(byes)
    assert [entry["points"] for entry in table] == sorted((e["points"] for e in table), reverse=True)


def test_a_swiss_pairs_those_with_equal_points() -> None:
    made = Tournament.new("club", TournamentKind.SWISS, "dodgem", NAMES[:8], 3)
    rows = [over(*names_at(p), 0, 1) for p in made.pair(0, []).pairings]
    points = {e["name"]: e["points"] for e in standings(made, rows)}
    for pairing in made.pair(2, rows).pairings:
        assert len({points[NAMES[player]] for player in pairing.players}) == 1


def test_the_log_tells_the_result_whoever_sat_first_and_the_director_corrects_it() -> None:
    made = Tournament.new("club", TournamentKind.SWISS, "dodgem", ["Ada", "Bea"], 1)
    (pairing,) = made.pair(100.0, []).pairings
    first = made.players[pairing.players[0]]
    old, other_game = over("Bea", "Ada", 0, 50.0), over("Ada", "Bea", 0, 120.0, "tula")
    assert made.results([old, other_game]) == [[None]]
    rows = [old, other_game, over(" bea", "ADA", 1, 130.0), over("Ada", "Bea", None, 200.0)]
    assert made.results(rows) == [["1-0" if first == "Ada" else "0-1"]]
    made.correct(1, first, "½-½")
    assert made.results(rows) == [["½-½"]]
    made.correct(1, first, None)
    assert made.results(rows) == [["1-0" if first == "Ada" else "0-1"]]
    again = Tournament.from_json(asdict(made))
    assert again == made


def test_ties_fall_by_the_stated_rules() -> None:
    """Worked out by hand: A, B, C with one win each in a circle, D beaten by all but C."""
    made = Tournament.new("club", TournamentKind.ROUND_ROBIN, "dodgem", ["A", "B", "C", "D"], 1)
    wins = {("A", "B"): 1.0, ("B", "C"): 1.0, ("C", "A"): 1.0, ("A", "D"): 1.0, ("B", "D"): 1.0, ("C", "D"): 0.5}
    rows: list[Row] = []
    for number in range(3):
        for p in made.pair(1000.0 * number, rows).pairings:
            pair = made.players[p.players[0]], made.players[p.players[1]]
            got = wins.get(pair, 1 - wins[pair[::-1]] if pair[::-1] in wins else 0)
            winner = {1.0: 0, 0.0: 1, 0.5: None}[got]
            rows.append(over(*pair, winner, 1000.0 * number + 1))
    found = {e["name"]: (e["place"], e["points"], *e["ties"]) for e in standings(made, rows)}
    # A beat B (2) and D (.5): 2.5; B beat C (1.5) and D (.5): 2; direct: A 1, B 0.
    assert found == {
        "A": (1, 2.0, 2.5, 1.0, 2.0),
        "B": (2, 2.0, 2.0, 0.0, 2.0),
        "C": (3, 1.5, 2.25, 0.0, 1.0),
        "D": (4, 0.5, 0.75, 0.0, 0.0),
    }


def test_who_is_equal_in_everything_shares_the_place() -> None:
    made = Tournament.new("club", TournamentKind.SWISS, "dodgem", NAMES[:4], 1)
    rows = [over(*names_at(p), None, 1) for p in made.pair(0, []).pairings]
    assert {entry["place"] for entry in standings(made, rows)} == {1}


def test_bad_tournaments_are_refused_in_a_sentence() -> None:
    with pytest.raises(TournamentError, match="same name"):
        Tournament.new("x", TournamentKind.SWISS, "dodgem", ["Ada", "ada "], 1)
    with pytest.raises(TournamentError, match="at most 2 rounds"):
        Tournament.new("x", TournamentKind.SWISS, "dodgem", NAMES[:4], 4)
    made = Tournament.new("x", TournamentKind.SWISS, "dodgem", NAMES[:4], 2)
    made.pair(0, [])
    with pytest.raises(TournamentError, match="2 games are still open"):
        made.pair(1, [])
    with pytest.raises(TournamentError, match="one of 1-0"):
        made.correct(1, made.players[made.rounds[0].pairings[0].players[0]], "2-0")
    assert results_of(2) == ["1-0", "0-1", "½-½", "0-0"]


# Three and four at a table -----------------------------------------------------------------------------------------


def test_as_many_as_can_be_are_seated() -> None:
    found = {players: sizes_for(players, (4, 3)) for players in range(2, 13)}
    assert found == {
        2: [], 3: [3], 4: [4], 5: [4], 6: [3, 3], 7: [4, 3], 8: [4, 4], 9: [3, 3, 3], 10: [4, 3, 3], 11: [4, 4, 3],
        12: [4, 4, 4],
    }  # fmt: skip
    assert sizes_for(7, (3,)) == [3, 3]
    assert sizes_for(5, (2,)) == [2, 2]


def played_at_tables(
    kind: TournamentKind, players: int, rounds: int, sizes: tuple[int, ...]
) -> tuple[Tournament, list[Row]]:
    rng = random.Random(players)
    names = [f"P{number}" for number in range(players)]
    made = Tournament.new("club", kind, "decay", names, rounds, sizes)
    rows: list[Row] = []
    for number in range(made.planned):
        for pairing in made.pair(1000.0 * number, rows).pairings:
            if not pairing.is_bye:
                seated = [names[player] for player in pairing.players]
                rng.shuffle(seated)
                winners = rng.sample(range(len(seated)), rng.choice([1, 1, 2]))
                rows.append(ended(seated, winners, 1000.0 * number + 1, "decay"))
    return made, rows


@pytest.mark.parametrize(
    ("players", "sizes"), [(9, (3,)), (12, (4, 3)), (10, (4, 3)), (13, (4, 3)), (16, (4,)), (7, (3,))]
)
def test_in_a_round_robin_at_tables_few_meet_again(players: int, sizes: tuple[int, ...]) -> None:
    made, rows = played_at_tables(TournamentKind.ROUND_ROBIN, players, 1, sizes)
    records = made.records(rows)
    assert max(count for record in records for count in record.met.values()) <= 2
    assert max(record.byes for record in records) - min(record.byes for record in records) <= 1
    assert unmet(players, records) <= players * (players - 1) // 2 // 4
    firsts = [record.first for record in records]
    assert max(firsts) - min(firsts) <= 2


def test_nine_at_tables_of_three_meet_exactly_once() -> None:
    made, rows = played_at_tables(TournamentKind.ROUND_ROBIN, 9, 1, (3,))
    assert made.planned == 4
    assert {count for record in made.records(rows) for count in record.met.values()} == {1}
    assert unmet(9, made.records(rows)) == 0


def test_in_a_swiss_at_tables_like_points_sit_together() -> None:
    made, rows = played_at_tables(TournamentKind.SWISS, 16, 1, (4,))
    made.planned = 2
    points = [record.points for record in made.records(rows)]
    tables = [pairing.players for pairing in made.pair(5000.0, rows).pairings]
    spread = sum(max(points[n] for n in table) - min(points[n] for n in table) for table in tables)
    alphabet = [range(at, at + 4) for at in range(0, 16, 4)]
    assert spread < sum(max(points[n] for n in table) - min(points[n] for n in table) for table in alphabet)
    first = {frozenset(pair) for p in made.rounds[0].pairings for pair in combinations(p.players, 2)}
    assert not first & {frozenset(pair) for table in tables for pair in combinations(table, 2)}


def test_points_and_ties_at_a_table_of_three() -> None:
    """Worked out by hand: A wins, B and C nothing; D and E share, F nothing."""
    made = Tournament.new("club", TournamentKind.SWISS, "decay", list("ABCDEF"), 1, (3,))
    made.pair(0.0, [])
    one, two = (list(pairing.players) for pairing in made.rounds[0].pairings)
    names = [[made.players[n] for n in table] for table in (one, two)]
    rows = [ended(names[0], [0], 1.0, "decay"), ended(names[1], [0, 1], 1.0, "decay")]
    found = {e["name"]: (e["place"], e["points"], *e["ties"]) for e in standings(made, rows)}
    assert made.results(rows) == [["1-0-0", "½-½-0"]]
    assert found[names[0][0]] == (1, 1.0, 0.0, 0.0, 1.0)
    assert found[names[1][0]] == found[names[1][1]] == (2, 0.5, 0.5, 0.25, 0.0)
    assert found[names[0][1]] == found[names[0][2]] == found[names[1][2]][:1] + (0.0, 1.0, 0.0, 0.0)
    made.correct(1, names[1][0], "0-0-1")
    assert made.results(rows) == [["1-0-0", "0-0-1"]]
    with pytest.raises(TournamentError, match="a result is one of 1-0-0"):
        made.correct(1, names[1][0], "1-1-0")


def test_too_few_for_a_table_are_told_so() -> None:
    with pytest.raises(TournamentError, match="do not fill a table of 3"):
        Tournament.new("x", TournamentKind.SWISS, "decay", ["Ada", "Bea"], 1, (4, 3))

"""Random games, played by two implementations at once (README.md): some twenty-five of each game, fifty in the full
tier and a thousand among the long tests."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from functools import partial
from itertools import product

import pytest

from rules.games import game
from tests.second_opinion.armies import Alquerque, Breakthrough, Konane
from tests.second_opinion.campaign import Campaign
from tests.second_opinion.coast import SanAndreas
from tests.second_opinion.coins import Dodgem, JulGonu, Quatri
from tests.second_opinion.house import Zombie
from tests.second_opinion.ice import Penguin
from tests.second_opinion.island import GlobalWarming
from tests.second_opinion.mice import Mice
from tests.second_opinion.mountain import FujiSan
from tests.second_opinion.opinion import compare
from tests.second_opinion.pond import IceFloe
from tests.second_opinion.ruin import Decay
from tests.second_opinion.temple import Tula
from tests.second_opinion.territories import Dectana
from tests.tiers import few, full

PUZZLES = (
    "554344221335/311400512200",
    "444520240311/125335325100",
    "523043220545/301111542403",
    "551102224335/244331001054",
)
FIRST = int(os.environ.get("SECOND_OPINION_FROM", "0"))
"""Another first seed means other games."""
GROUPS = {"S": "eim", "M": "dhl", "C": "cgk", "A": "bfj"}


Games = Callable[[int], range]


@pytest.fixture(
    params=[
        pytest.param(40, id="some"),
        pytest.param(20, id="more", marks=pytest.mark.full),
        pytest.param(1, id="all", marks=pytest.mark.long),
    ]
)
def games(request: pytest.FixtureRequest) -> Games:
    """The seeds of so many games, or of a part of them."""
    return lambda count: range(FIRST, FIRST + count // request.param)


@pytest.mark.parametrize(("direction", "size"), [*product(("literal", "facing", "vout"), (3, 4, 6))])
def test_dodgem(direction: str, size: int, games: Games) -> None:
    for seed in games(112):
        options = {"direction": direction, "size": size, "block_loses": seed % 3 == 0}
        assert compare(game("dodgem"), Dodgem(direction, size, seed % 3 == 0), seed, options) > 3


@pytest.mark.parametrize(("mirror", "stalemate"), [*product((False, True), ("pass", "loses"))])
def test_quatri(mirror: bool, stalemate: str, games: Games) -> None:
    options = {"mirror": mirror, "stalemate": stalemate}
    for seed in games(250):
        assert compare(game("quatri"), Quatri(mirror, stalemate), seed, options) > 3


@pytest.mark.parametrize(("strict", "stalemate"), [*product((False, True), ("pass", "loses"))])
def test_jul_gonu(strict: bool, stalemate: str, games: Games) -> None:
    options = {"strict_shuttle": strict, "stalemate": stalemate}
    for seed in games(200):
        assert compare(game("jul_gonu"), JulGonu(strict, stalemate), seed, options) > 3


@pytest.mark.parametrize("stalemate", ["pass", "loses"])
def test_jul_gonu_with_ko(stalemate: str, games: Games) -> None:
    options = {"ko": True, "stalemate": stalemate}
    for seed in games(100):
        assert compare(game("jul_gonu"), JulGonu(False, stalemate, ko=True), seed, options, limit=120) > 3


@pytest.mark.parametrize("ranks", [1, 2])
def test_breakthrough(ranks: int, games: Games) -> None:
    for seed in games(500):
        assert compare(game("breakthrough"), Breakthrough(ranks), seed, {"ranks": ranks}) > 3


@pytest.mark.parametrize("backward", [False, True])
def test_alquerque(backward: bool, games: Games) -> None:
    for seed in games(500):
        assert compare(game("alquerque"), Alquerque(backward), seed, {"backward": backward}) > 3


@pytest.mark.parametrize("first", ["middle_or_corner", "anywhere"])
def test_konane(first: str, games: Games) -> None:
    for seed in games(500):
        assert compare(game("konane"), Konane(first == "anywhere"), seed, {"first": first}) > 3


def deal(seed: int) -> str:
    """FUJI-3.2 and 3.3: the six values of a suit lie on its three steps."""
    rng = random.Random(seed)
    values: dict[str, str] = {}
    for steps in GROUPS.values():
        mixed = rng.sample("012345", 6)
        values |= dict(zip([file + row for file in steps for row in "21"], mixed, strict=True))
    return "/".join("".join(values[file + row] for file in "bcdefghijklm") for row in "21")


@pytest.mark.parametrize(("cross", "aces_null"), [*product((True, False), (False, True))])
def test_fuji_san(cross: bool, aces_null: bool, games: Games) -> None:
    for seed, layout in enumerate([*PUZZLES, *map(deal, games(188))], FIRST):
        options = {"layout": layout, "summit_cross": cross, "aces_null": aces_null}
        assert compare(game("fuji_san"), FujiSan(layout, cross, aces_null), seed, options, limit=40) >= 1


def test_fuji_san_with_the_dice(games: Games) -> None:
    """FUJI-3.6, in the deals without a first move."""
    dealt = map(deal, range(FIRST, FIRST + 400))
    layouts = [layout for layout in dealt if FujiSan(layout, True, False).phase == "roll"]
    assert len(layouts) > 2
    for seed in games(112):
        layout = layouts[seed % len(layouts)]
        assert compare(game("fuji_san"), FujiSan(layout, True, False), seed, {"layout": layout}, limit=40) >= 2


UP = "a1-e1 n2-k2 k2-k1 n1-h1 e1-e2 k1-k2 k2-i2 i2-c2 a2-g2 e2-h2 g2-g1 c2-g2"


@pytest.mark.parametrize("ground", ["occupied", "vacate"])
def test_fuji_san_down_the_country_road(ground: str, games: Games) -> None:
    options = {"layout": PUZZLES[0], "country_road": True, "ground": ground}
    for seed in games(60):
        opinion = FujiSan(PUZZLES[0], True, False, ground)
        assert compare(game("fuji_san"), opinion, seed, options, limit=120, begun=UP.split()) > 13


@pytest.mark.parametrize(("flames", "reverse"), [(True, False), (False, True), (True, True)])
def test_penguin_with_flames_and_another_order(flames: bool, reverse: bool, games: Games) -> None:
    options = {"flame_throwers": flames, "placement": "reverse" if reverse else "clockwise"}
    for seed in games(144):
        players = 2 + seed % 3
        assert compare(game("penguin"), Penguin(players, flames, reverse), seed, options, players) > 3


@pytest.mark.parametrize("players", [2, 3, 4])
def test_penguin(players: int, games: Games) -> None:
    for seed in games(190):
        assert compare(game("penguin"), Penguin(players), seed, {}, players) > 3


@pytest.mark.parametrize("setup", ["original", "variant1", "variant2", "variant3", "variant4"])
def test_tula(setup: str, games: Games) -> None:
    for seed in games(250 if setup in ("original", "variant1") else 100):
        assert compare(game("tula"), Tula(setup), seed, {"setup": setup}) > 3


def test_tula_with_mercy(games: Games) -> None:
    exchanges = 0
    for seed in games(600):
        opinion = Tula("original", mercy=True)
        compare(game("tula"), opinion, seed, {"setup": "original", "mercy": True})
        exchanges += not opinion.mercy
    assert exchanges > 3


@pytest.mark.parametrize(("replay", "must_move"), [(False, False), full((True, True))])
def test_global_warming(replay: bool, must_move: bool, games: Games) -> None:
    options = {"missing_commit": "replay" if replay else "void", "blank_optional": not must_move}
    for seed in games(100):
        assert compare(game("global_warming"), GlobalWarming(replay, must_move), seed, options) > 9


@pytest.mark.parametrize("variant", few(["", "stop", "reverse", "turns", "exact", "replacement"], ["", "exact"]))
def test_four_blind_mice(variant: str, games: Games) -> None:
    told: dict[str, dict[str, object]] = {
        "stop": {"claim_on": "stop"},
        "reverse": {"allow_reverse": True},
        "turns": {"count": "slides+turns"},
    }
    options = {"goal": 2} | (told.get(variant) or ({variant: True} if variant else {}))
    claims = 0
    for seed in games(200):
        players = 2 + seed % 4
        opinion = Mice(players, 2, **({variant: True} if variant else {}))
        compare(game("four_blind_mice"), opinion, seed, options, players, limit=250, wish=opinion.route)
        claims += sum(opinion.points)
    assert claims > 2 or variant == "stop"


@pytest.mark.parametrize("once", [False, full(True)])
def test_delegate_dash(once: bool, games: Games) -> None:
    """The campaign with four players."""
    options = {"surrender_limit": "once" if once else "any", "stall_limit": 3}
    for seed in games(100):
        opinion = Campaign(once, 3)
        compare(game("delegate_dash"), opinion, seed, options, 4, limit=1000, stop=opinion.is_finished)
        assert opinion.is_finished()


@pytest.mark.parametrize(("players", "check"), [(3, "every_landing"), (4, "every_landing"), full((4, "final_landing"))])
def test_ice_floe(players: int, check: str, games: Games) -> None:
    for seed in games(100):
        opinion = IceFloe(players, last_step=check == "final_landing")
        assert compare(game("ice_floe"), opinion, seed, {"overweight_check": check}, players, limit=600) > 30


HOUSES: dict[str, dict[str, object]] = {
    "": {},
    "alone": {"auto_connect": False},
    "zone": {"break_scope": "zone"},
    "room": {"break_scope": "room", "break_uses_door": True},
    "broken": {"enter_after_break": True, "event_after_break": False},
    "retreat": {"retreat": "visited", "bonus_after_retreat": False},
    "dice": {"attack_roll": "reroll"},
    "quick": {"temple": "on_arrival", "search": "free"},
}


@pytest.mark.parametrize("house", few([*HOUSES], ["", "room"]))
def test_zombie(house: str, games: Games) -> None:
    for seed in games(200):
        assert compare(game("zombie"), Zombie(HOUSES[house]), seed, HOUSES[house]) > 3


@pytest.mark.parametrize("players", [3, full(4)])
def test_san_andreas(players: int, games: Games) -> None:
    for seed in games(60):
        assert compare(game("san_andreas"), SanAndreas(players), seed, {}, players) > 30


RUINS: dict[str, dict[str, object]] = {
    "": {},
    "persons": {"two_persons": True},
    "opposite": {"movable_sides": "at_most_two", "slide_same_tile_again": False},
    "riders": {"move_tile_with_pawn": "own_only", "revisit_start": True},
    "bare": {"move_tile_with_pawn": "forbid", "stolen_coin_usable": "next_turn"},
    "placed": {"slide_obeys_placement": True, "all_dead": "active_loses"},
    "narrow": {"gap_tol": 1, "min_slide": 2, "stop_slack": 0},
    "wide": {"gap_tol": 3, "min_slide": 5, "stop_slack": 3},
}


@pytest.mark.parametrize(
    ("players", "ruin"), [(3, ""), (4, "persons"), full((4, "")), *(full((3, v)) for v in [*RUINS][2:])]
)
def test_decay(players: int, ruin: str, games: Games) -> None:
    for seed in games(100):
        opinion = Decay(players, RUINS[ruin])
        assert compare(game("decay"), opinion, seed, RUINS[ruin], players, ask=opinion.ask) > 6 * players


TERRITORIES: dict[str, dict[str, object]] = {
    "": {},
    "occupant": {"board_actor": "occupant", "first_shuffle_counts": True},
    "suns": {"suns_needs_territory": False},
    "upright": {"entry_orientation": "upright", "reorient_zero": "forbid"},
    "waves": {"waves_zero": True, "waves_into_void": "destroy"},
    "stack": {"knots_card_destroys": "whole_stack"},
    "extended": {"pawns": True, "courts": True, "excuses": True},
}


@pytest.mark.parametrize("ground", few([*TERRITORIES], ["", "extended"]))
def test_dectana(ground: str, games: Games) -> None:
    for seed in games(60):
        players, rng = 2 + seed % 4, random.Random(seed)
        opinion = Dectana(players, TERRITORIES[ground])
        wish = partial(opinion.lively, rng)
        assert compare(game("dectana"), opinion, seed, TERRITORIES[ground], players, limit=150, wish=wish) > players

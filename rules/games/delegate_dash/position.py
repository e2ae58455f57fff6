"""Described positions and shorthands (last section of rulebook.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.engine import Action, Seat
from rules.engine.fields import a_number, an_object, each_once, no_such, refuse_unknown, unfit, words
from rules.engine.values import replace
from rules.games.delegate_dash.chart import CANDIDATES, CELLS, COINS, GAP, GAP_AT, LETTERS, NAMES, REGION_OF
from rules.games.delegate_dash.deeds.common import DashNarration, candidate_of, coin_of, place_of
from rules.games.delegate_dash.deeds.convention import count
from rules.games.delegate_dash.deeds.dice import deal
from rules.games.delegate_dash.deeds.rounds import begin_caucuses, begin_round
from rules.games.delegate_dash.opening import (
    AREA,
    ASIDE,
    DEALS,
    NOBODY,
    POOL,
    ROUNDS,
    Options,
    Phase,
    State,
    clockwise,
    opening_state,
)

FIELDS = ("tiles", "pawns", "stake", "hidden", "hands", "pool", "phase", "round", "holder", "roll", "order", "out")


def read_position(data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
    refuse_unknown("delegate_dash", data, FIELDS)
    narration = DashNarration(opening_state(options, seats))
    tiles = _mapping(data, "tiles")
    if strange := next((name for name in tiles if name not in LETTERS), None):
        raise no_such("suit", strange, '{"S": "12345"}')
    deal(narration, *(str(tiles.get(letter, "12345")) for letter in LETTERS))
    state = replace(narration.state, deals=DEALS, round=a_number("round", data.get("round", 1), 1, len(ROUNDS)) - 1)
    state = _Filler(state).fill(data)
    phase = str(data.get("phase", "move"))
    _refuse_stale_fields(state, data, phase)
    return _begin_phase(replace(state, **_turn(state, data)), phase)


def _refuse_stale_fields(state: State, data: Mapping[str, object], phase: str) -> None:
    """ValueError for fields that a beginning round or convention cannot have: dice, an order, a pawn that has just
    moved."""
    if phase not in ("reveal", "roll", "count"):
        return
    if field := next((field for field in ("roll", "order") if data.get(field)), None):
        raise ValueError(f"{field}: in the phase {phase} no dice lie; leave it out")
    if any(spot not in (GAP, ASIDE) for spot in state.spots[COINS:] if spot < AREA):
        raise ValueError(f"pawns: in the phase {phase} every pawn is in the gap")
    if phase == "count" and data.get("round", len(ROUNDS)) != len(ROUNDS):
        raise ValueError(f"round: the convention comes after round {len(ROUNDS)}; leave it out")


def _turn(state: State, data: Mapping[str, object]) -> dict[str, Any]:
    roll = {_candidate(name): value for name, value in _mapping(data, "roll").items()}
    roll = {candidate: a_number("roll", value, 0, 5) for candidate, value in roll.items()}
    holder = _candidate(data["holder"]) if "holder" in data else state.holder
    given = tuple(_candidate(name) for name in words("order", data.get("order"), '["N", "E"]'))
    each_once("order", (CANDIDATES[candidate] for candidate in given))
    order = given or tuple(sorted(clockwise(holder), key=lambda candidate: -(roll.get(candidate) or 0)))
    out = {_candidate(name) for name in words("out", data.get("out"), '["N"]')}
    return {
        "roll": tuple(roll.get(candidate, 0) for candidate in range(4)),
        "holder": holder,
        "order": order,
        "running": tuple(candidate not in out for candidate in range(4)),
    }


def _begin_phase(state: State, phase: str) -> State:
    """Begin the described phase: `reveal` a round, `caucus` the caucuses, `count` the convention."""
    narration = DashNarration(state)
    if phase == "count":
        narration.set(round=len(ROUNDS), roll=NOBODY, order=())
        spots = tuple(AREA + m - COINS if m >= COINS and spot <= GAP else spot for m, spot in enumerate(state.spots))
        narration.set(spots=spots)
        count(narration)
    elif phase == "caucus":
        begin_caucuses(narration)
    elif phase in ("reveal", "roll"):
        narration.set(roll=NOBODY, order=())
        begin_round(narration)
    elif phase == "move" or (phase == "after" and state.order and state.markers_of(state.order[0])):
        narration.set(phase=Phase(phase))
    else:
        raise unfit("phase", "reveal, roll, move, after (with a coin in hand), caucus or count", phase)
    return narration.state


class _Filler:
    """Places every coin that the position names; other coins stay aside."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.spots = [ASIDE] * COINS + [GAP] * 4
        self.ranks: list[int | None] = [None] * COINS

    def fill(self, data: Mapping[str, object]) -> State:
        for name, place in _mapping(data, "pawns").items():
            self.spots[COINS + _candidate(name)] = self._place(place)
        stake = _mapping(data, "stake")
        if stake and data.get("phase") == "count":
            raise ValueError("stake: in the convention nothing is at stake; coins are in hands or in the pool")
        for place, text in stake.items():
            self._stake(self._place(place), str(text))
        for name, text in _mapping(data, "hands").items():
            self._markers(str(text), AREA + _candidate(name))
        self._markers(str(data.get("pool", "")), POOL)
        for place, number in _mapping(data, "hidden").items():
            self._hide(self._place(place), number)
        return replace(self.state, spots=tuple(self.spots), ranks=tuple(self.ranks))

    def _stake(self, cell: int, text: str) -> None:
        rounds = ROUNDS[self.state.round]
        if cell == GAP or self.state.tiles[cell] not in rounds:
            places = ", ".join(NAMES[own] for own, value in enumerate(self.state.tiles) if value in rounds)
            raise ValueError(
                f"stake: nothing is at stake on {NAMES[cell]} in round {self.state.round + 1}, only on {places}"
            )
        for word in text.split():
            letter = LETTERS[REGION_OF[cell]]
            self._coin(f"{letter}{word}" if word.isdecimal() else word, cell, letter)

    def _markers(self, text: str, where: int) -> None:
        for word in text.split():
            if word[0] == "p" and word[1:] in tuple(LETTERS):
                self.spots[COINS + LETTERS.index(word[1:])] = where
            else:
                self._coin(word, where)

    def _coin(self, word: str, where: int, letters: str = LETTERS) -> None:
        """The first unplaced coin of the suit gets this value."""
        found = coin_of(word)
        if found is None or LETTERS[found[0]] not in letters:
            raise no_such("coin", word, f"{letters[0]}50 or c{letters[0]}5")
        region, rank = found
        own = range(6 * region, 6 * region + 6)
        if rank in [self.ranks[coin] for coin in own]:
            raise ValueError(f"the coin {word[:20]} has a place already; each exists once")
        coin = next(coin for coin in own if self.spots[coin] == ASIDE)
        self.spots[coin], self.ranks[coin] = where, rank

    def _hide(self, cell: int, number: object) -> None:
        to_come = [value for values in ROUNDS[self.state.round :] for value in values]
        if cell == GAP or self.state.tiles[cell] not in to_come:
            raise ValueError(f"hidden: no coins are left on {NAMES[cell]} in round {self.state.round + 1}")
        own = [coin for coin in range(6 * REGION_OF[cell], 6 * REGION_OF[cell] + 6) if self.spots[coin] == ASIDE]
        for coin in own[: a_number(f"hidden on {NAMES[cell]}", number, 0, len(own))]:
            self.spots[coin] = cell

    def _place(self, value: object) -> int:
        if isinstance(value, (list, tuple)):
            spot = tuple(value)
            found = CELLS.index(spot) if spot in CELLS else GAP if spot == GAP_AT else None
        else:
            found = place_of(self.state, str(value))
        if found is None:
            raise no_such("state", value, "d5, An, gap or [row, column]")
        return found


_EXAMPLES = {
    "tiles": '{"S": "12345"}', "pawns": '{"N": "d5"}', "stake": '{"d5": "50 5"}', "hands": '{"N": "S50"}',
    "hidden": '{"d5": 2}', "roll": '{"N": 3}',
}  # fmt: skip


def _mapping(data: Mapping[str, object], name: str) -> Mapping[str, Any]:
    return an_object(name, data.get(name) or {}, _EXAMPLES[name])


def _candidate(name: object) -> int:
    found = candidate_of(str(name))
    if found is None:
        raise no_such("candidate", name, ", ".join(CANDIDATES))
    return found


def read_shorthand(state: State, text: str) -> Action | None:
    """ "N d5" or "north An" is a move; "N stays", "N done"."""
    words = text.split()
    candidate = candidate_of(words[0]) if len(words) == 2 else None
    if candidate is None:
        return None
    name = CANDIDATES[candidate]
    if words[1] in ("stay", "stays", "done"):
        return Action(words[1].rstrip("s"), (name,))
    return Action("take" if state.phase is Phase.TAKE else "move", (name, words[1]))

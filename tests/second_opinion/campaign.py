"""The campaign of Delegate Dash once more, from its rulebook; the convention is not played here."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

from rules.engine.contract import AnyGame
from tests.second_opinion.opinion import End

SIDES = ["north", "east", "south", "west"]
SUITS = "ASCM"
"""The suits of the four sides (DASH-1.4)."""
NULLS = ["d5", "e4", "d3", "c4"]
OTHERS = [
    ["d7", "c6", "d6", "e6", "c5"],
    ["e5", "f5", "f4", "g4", "f3"],
    ["e3", "c2", "d2", "e2", "d1"],
    ["b5", "a4", "b4", "b3", "c3"],
]
HOME = {state: side for side in range(4) for state in [NULLS[side], *OTHERS[side]]}
ROUNDS = [[1], [2], [0, 3], [4], [5]]
GAP = "gap"
ROLLS = [f"roll(A{a}+S{s}+C{c}+M{m})" for a, s, c, m in product(range(6), repeat=4)]


def beside(state: str) -> list[str]:
    file, rank = ord(state[0]), int(state[1])
    found = [chr(file + x) + str(rank + y) for x, y in ((0, 1), (1, 0), (0, -1), (-1, 0))]
    return [other for other in found if other in HOME]


class Campaign:
    """Four players. `lying` are the coins of each state: a value, or None where it is not known."""

    def __init__(self, once: bool = False, stall: int = 10) -> None:
        self.once, self.stall = once, stall
        self.values: dict[str, int] = dict.fromkeys(NULLS, 0)
        self.lying: dict[str, list[int | None]] = {state: [] for state in HOME}
        self.pawns = [GAP] * 4
        self.held: list[list[str]] = [[], [], [], []]
        self.pool: list[str] = []
        self.phase, self.deals, self.round, self.holder, self.stalled = "deal", 0, -1, 0, 0
        self.die: list[int] = []
        self.order: list[int] = []
        self.open: list[str] = []
        self.takers: list[int] = []
        self.surrendered = False
        self.taken = False

    def is_finished(self) -> bool:
        return self.phase == "convention"

    def to_act(self) -> int | None:
        if self.phase in ("move", "after"):
            return self.order[0]
        return {"caucus": self.holder, "take": self.takers[0] if self.takers else None}.get(self.phase)

    def end(self) -> End | None:
        return None

    def scores(self) -> tuple[int, ...]:
        """DASH-1.2; pawns count in the convention only."""
        return tuple(sum(max(1, 10 * int(coin[2])) for coin in held) for held in self.held)

    def table(self) -> Any:
        stake = {
            state: sorted("?" if value is None else str(value) for value in coins)
            for state, coins in self.lying.items()
            if coins
        }
        return stake, self.pawns, [sorted(held) for held in self.held], sorted(self.pool)

    def seen(self, game: AnyGame, state: Any) -> Any:
        layout = game.layout(state)
        coins = [placed for placed in layout if placed.piece.kind.value == "coin"]
        known = [placed for placed in coins if placed.piece.suit and placed.piece.rank is not None]
        stake: dict[str, list[str]] = {}
        for placed in coins:
            if placed.zone.value == "board":
                shown = placed.shown.code
                stake.setdefault(placed.place, []).append("?" if shown.endswith("?") else shown[-1])
        pawns = {p.piece.code[1]: p.place for p in layout.board if p.piece.kind.value == "pawn"}
        held = [
            sorted(
                p.piece.code for p in coins if p.zone.value == "hand" and p.seat == seat and p.piece.rank is not None
            )
            for seat in range(4)
        ]
        pool = sorted(p.piece.code for p in known if p.zone.value in ("spent", "supply"))
        stands = [pawns[suit] for suit in SUITS]
        return {place: sorted(shown) for place, shown in stake.items()}, stands, held, pool

    # What may be done ---------------------------------------------------------------------------------------

    def legal(self) -> set[str]:
        return set(getattr(self, f"legal_{self.phase}")())

    def legal_scatter(self) -> list[str]:
        return ROLLS

    legal_roll = legal_scatter

    def legal_reveal(self) -> list[str]:
        found = []
        for state in self.hidden():
            suit = SUITS[HOME[state]]
            away = [coin for coins in (*self.held, self.pool) for coin in coins]
            known = [int(coin[2]) for coin in away if coin[1] == suit]
            known += [v for at, vs in self.lying.items() if HOME[at] == HOME[state] for v in vs if v is not None]
            left = [value for value in (5, 4, 3, 2, 1, 0) if value not in known]
            ways = combinations(left, len(self.lying[state]))
            found += [f"reveal({state},{'+'.join(map(str, values))})" for values in ways]
        return found

    def hidden(self) -> list[str]:
        return [at for at, coins in self.lying.items() if self.values[at] in ROUNDS[self.round] and None in coins]

    def stakes(self) -> list[str]:
        return [at for at, coins in self.lying.items() if coins and None not in coins]

    def legal_move(self) -> list[str]:
        """DASH-4.4 and 4.5: so far as the die shows, or home."""
        side = self.order[0]
        here, reached = self.pawns[side], {self.pawns[side]}
        for _ in range(self.die[side]):
            reached |= {other for state in reached for other in (NULLS if state == GAP else beside(state))}
        reached |= {state for state, home in HOME.items() if home == side}
        goals = reached - {here, GAP}
        return [f"stay({SIDES[side]})", *(f"move({SIDES[side]},{goal})" for goal in goals)]

    def legal_after(self) -> list[str]:
        name = SIDES[self.order[0]]
        return [f"done({name})", *(f"surrender({name},{coin})" for coin in self.held[self.order[0]])]

    def legal_reroll(self) -> list[str]:
        return [f"dice({SUITS[self.order[0]]}{face})" for face in range(6)]

    def legal_caucus(self) -> list[str]:
        return [f"caucus({state})" for state in self.open]

    def legal_vote(self) -> list[str]:
        faces = [""]
        for side in self.takers:
            faces = [f"{before}+{SUITS[side]}{face}" for before in faces for face in range(6)]
        return [f"dice({each[1:]})" for each in faces]

    def legal_take(self) -> list[str]:
        at, name = self.open[0], SIDES[self.takers[0]]
        return [f"take({name},c{SUITS[HOME[at]]}{value})" for value in self.lying[at]]

    # What it does -------------------------------------------------------------------------------------------

    def play(self, action: str) -> None:
        verb, _, inner = action.rstrip(")").partition("(")
        getattr(self, f"do_{verb}")(*inner.split(","))

    def do_deal(self, *regions: str) -> None:
        for side, values in enumerate(regions):
            self.values |= dict(zip(OTHERS[side], map(int, values), strict=True))
        self.phase = "scatter"

    def do_roll(self, dice: str) -> None:
        self.die = [int(die[1]) for die in dice.split("+")]
        if self.phase == "scatter":
            for side, value in enumerate(self.die):
                at = next(state for state, home in HOME.items() if home == side and self.values[state] == value)
                self.lying[at].append(None)
            self.deals += 1
            if self.deals == 6:
                self.next_round()
            return
        clockwise = [(self.holder + n) % 4 for n in range(4)]
        self.order = sorted(clockwise, key=lambda side: -self.die[side])
        self.taken = False
        self.phase = "move"

    def next_round(self) -> None:
        """DASH-4.1, 4.2 and 4.9; a round without coins is none."""
        self.round += 1
        self.stalled = 0
        if self.round == len(ROUNDS):
            self.phase = "convention"
        elif self.hidden():
            self.phase = "reveal"
        else:
            self.round_over()

    def round_over(self) -> None:
        self.holder = (self.holder + 1) % 4
        self.next_round()

    def do_reveal(self, state: str, values: str) -> None:
        self.lying[state] = [int(value) for value in values.split("+")]
        self.phase = "reveal" if self.hidden() else "roll"

    def do_stay(self, _: str) -> None:
        self.moved()

    def do_move(self, side: str, state: str) -> None:
        self.pawns[SIDES.index(side)] = state
        self.moved()

    def moved(self) -> None:
        """DASH-4.6: who has a coin may surrender it."""
        side = self.order[0]
        if self.held[side] and not (self.once and self.surrendered):
            self.phase = "after"
        else:
            self.do_done(SIDES[side])

    def do_surrender(self, side: str, coin: str) -> None:
        self.held[SIDES.index(side)].remove(coin)
        self.pool.append(coin)
        self.surrendered, self.phase = True, "reroll"

    def do_done(self, _: str) -> None:
        self.order.pop(0)
        self.surrendered, self.phase = False, "move"
        if not self.order:
            self.open = [state for state in self.stakes() if state in self.pawns]
            self.next_caucus()

    def next_caucus(self) -> None:
        if not self.open:
            self.counted()
        elif len(self.open) == 1:
            self.do_caucus(self.open[0])
        else:
            self.phase = "caucus"

    def do_caucus(self, state: str) -> None:
        self.open.remove(state)
        self.open.insert(0, state)
        self.takers = [side for side in range(4) if self.pawns[side] == state]
        self.phase = "take" if len(self.takers) == 1 else "vote"

    def do_dice(self, dice: str) -> None:
        faces = [int(die[1]) for die in dice.split("+")]
        if self.phase == "reroll":
            self.die[self.order[0]] = faces[0]
            self.phase = "move"
            return
        thrown = dict(zip(self.takers, faces, strict=True))
        home = HOME[self.open[0]]
        self.takers.sort(key=lambda side: (-thrown[side], (side - home) % 4))
        self.phase = "take"

    def do_take(self, side: str, coin: str) -> None:
        at = self.open[0]
        self.lying[at].remove(int(coin[2]))
        self.held[SIDES.index(side)].append(coin)
        self.takers.pop(0)
        self.taken = True
        if not self.takers or not self.lying[at]:
            self.takers = []
            self.open.pop(0)
            self.next_caucus()

    def counted(self) -> None:
        """DASH-4.9, 4.11 and 5.7."""
        self.stalled = 0 if self.taken else self.stalled + 1
        if self.stalled == self.stall:
            for state in self.stakes():
                self.pool += [f"c{SUITS[HOME[state]]}{value}" for value in self.lying[state]]
                self.lying[state] = []
        if self.stakes():
            self.phase = "roll"
        else:
            self.round_over()

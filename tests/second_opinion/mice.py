"""Four Blind Mice once more, from its rulebook: things by their spaces, every slide walked space by space."""

from __future__ import annotations

from typing import Any

from rules.engine.contract import AnyGame
from tests.second_opinion.opinion import End

SPACES = [file + rank for rank in "12345678" for file in "abcdefgh"]
INNER = [space for space in SPACES if space[0] in "bcdefg" and space[1] in "234567"]
WAYS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
BACK = {"N": "S", "S": "N", "E": "W", "W": "E"}
SUITS = {"suns": "S", "moons": "M", "crowns": "C", "arms": "A"}


def beyond(space: str, way: str) -> str | None:
    right, up = WAYS[way]
    goal = chr(ord(space[0]) + right) + str(int(space[1]) + up)
    return goal if goal in SPACES else None


class Mice:
    """`cheese` is what lies where: a value, and a suit once it is known."""

    def __init__(
        self,
        players: int,
        goal: int = 3,
        *,
        stop: bool = False,
        reverse: bool = False,
        turns: bool = False,
        exact: bool = False,
        replacement: bool = False,
    ) -> None:
        self.players, self.goal = players, goal
        self.stop, self.reverse, self.turns, self.exact, self.replacement = stop, reverse, turns, exact, replacement
        self.supply = list("00001111")
        self.cheese: dict[str, tuple[str, str]] = {}
        self.mice: dict[str, str] = {}
        self.home: dict[str, str] = {}
        self.known: set[tuple[str, str]] = set()
        self.points = [0] * players
        self.mover = self.chooser = 0
        self.target: str | None = None
        self.barred: str | None = None
        self.bids: dict[int, tuple[int, int]] = {}
        self.said = 0
        self.order: list[int] = []
        self.slides: list[tuple[str, str]] = []
        self.used = 0
        self.phase = "cheese"

    def to_act(self) -> int | None:
        return None if self.phase in ("reveal", "bid") else self.mover

    def scores(self) -> tuple[int, ...]:
        return tuple(self.points)

    def end(self) -> End | None:
        if self.phase != "over":
            return None
        return End(tuple(seat for seat, points in enumerate(self.points) if points == max(self.points)))

    def table(self) -> Any:
        lying = {}
        for space, (suit, value) in self.cheese.items():
            turned = space == self.target and self.phase != "reveal"
            lying[space] = f"c{suit}?" if turned else f"c?{value}"
        return lying, self.mice

    def seen(self, game: AnyGame, state: Any) -> Any:
        board = list(game.layout(state).board)
        coins = {p.place: p.shown.code for p in board if p.piece.kind.value == "coin"}
        return coins, {p.piece.code[1]: p.place for p in board if p.piece.kind.value == "pawn"}

    # What may be done ---------------------------------------------------------------------------------------

    def legal(self) -> set[str]:
        return {
            "cheese": lambda: {f"place_cheese({value},{space})" for value in self.supply for space in self.room()},
            "mice": lambda: {f"place_mouse(p{m},{at})" for m in "SMCA" if m not in self.mice for at in self.room()},
            "choose": lambda: {f"uncover({space})" for space in self.choice()},
            "reveal": lambda: {f"reveal({word})" for word, suit in SUITS.items() if self.may_be(suit)},
            "attempt": lambda: {f"slide(p{mouse},{way})" for mouse, way in self.slidable()} | {"fail"},
            "replace": lambda: {f"replace({space})" for space in self.room()},
        }[self.phase]()

    def room(self) -> list[str]:
        """MICE-3.5, and MICE-8.10 where nothing is left."""
        taken = [*self.cheese, *self.mice.values()]
        free = [space for space in INNER if space not in taken]
        alone = [space for space in free if not any(beyond(space, way) in taken for way in WAYS)]
        return alone or free

    def choice(self) -> list[str]:
        """MICE-9.1: what was put back is not next, unless there is no other."""
        return [space for space in self.cheese if space != self.barred] or list(self.cheese)

    def may_be(self, suit: str) -> bool:
        assert self.target is not None
        return (suit, self.cheese[self.target][1]) not in self.known

    def last_way(self, mouse: str) -> str:
        return ([way for who, way in self.slides if who == mouse] or [""])[-1]

    def cost(self, mouse: str) -> int:
        return 2 if self.turns and self.last_way(mouse) else 1

    def slidable(self) -> list[tuple[str, str]]:
        limit = self.bids[self.mover][0]
        found = []
        for mouse in self.mice:
            last = self.last_way(mouse)
            ways = [way for way in WAYS if way != last and (self.reverse or way != BACK.get(last))]
            if self.used + self.cost(mouse) <= limit:
                found += [(mouse, way) for way in ways if self.stops(mouse, way) != self.mice[mouse]]
        return found

    def stops(self, mouse: str, way: str) -> str:
        """MICE-4.5; where it claims on its way it stops (MICE-4.8)."""
        here = self.mice[mouse]
        while True:
            ahead = beyond(here, way)
            covered = ahead in self.cheese and ahead != self.target
            if ahead is None or covered or ahead in self.mice.values():
                return here
            here = ahead
            if here == self.target and not self.stop and self.could_claim(mouse):
                return here

    def could_claim(self, mouse: str) -> bool:
        """On its third slide or later; with `exact` only with what was bid (MICE-8.7)."""
        assert self.target is not None
        own = self.cheese[self.target][0] == mouse
        third = sum(who == mouse for who, _ in self.slides) >= 2
        return own and third and (not self.exact or self.used + self.cost(mouse) == self.bids[self.mover][0])

    # What it does -------------------------------------------------------------------------------------------

    def play(self, action: str) -> None:
        who, _, rest = action.rpartition(":")
        verb, _, inner = rest.rstrip(")").partition("(")
        arguments = inner.split(",") if inner else []
        getattr(self, f"do_{verb}")(*([int(who)] if who else []), *arguments)

    def route(self) -> str | None:
        """The first slide on a way to the cheese for its own mouse; what luck hardly ever finds."""
        if self.phase != "attempt":
            return None
        assert self.target is not None
        mouse = self.cheese[self.target][0]
        ways = [way for who, way in self.slidable() if who == mouse]
        return next((f"slide(p{mouse},{way})" for way in ways if self.leads_there(mouse, way)), None)

    def leads_there(self, mouse: str, way: str) -> bool:
        kept = self.mice[mouse], self.used, list(self.slides)
        stop, claims = self.stops(mouse, way), self.could_claim(mouse)
        self.used += self.cost(mouse)
        self.slides.append((mouse, way))
        self.mice[mouse] = stop
        found = (claims and stop == self.target) or (
            len(self.slides) < 6 and any(self.leads_there(mouse, each) for who, each in self.slidable() if who == mouse)
        )
        self.mice[mouse], self.used, self.slides = kept
        return found

    def do_place_cheese(self, value: str, space: str) -> None:
        self.supply.remove(value)
        self.cheese[space] = ("", value)
        self.mover = (self.mover + 1) % self.players
        if not self.supply:
            self.phase = "mice"

    def do_place_mouse(self, mouse: str, space: str) -> None:
        self.mice[mouse[1]] = space
        self.mover = self.chooser = (self.mover + 1) % self.players
        if len(self.mice) == 4:
            self.phase = "choose"

    def do_uncover(self, space: str) -> None:
        self.target = space
        if self.cheese[space][0]:
            self.think()
        else:
            self.phase = "reveal"

    def do_reveal(self, word: str) -> None:
        assert self.target is not None
        coin = (SUITS[word], self.cheese[self.target][1])
        self.cheese[self.target] = coin
        self.known.add(coin)
        self.think()

    def think(self) -> None:
        self.phase, self.bids, self.barred = "bid", {}, None

    def do_bid(self, seat: int, moves: str, *_: str) -> None:
        assert int(moves) >= 3, "three at least (MICE-4.2)"
        assert seat not in self.bids or int(moves) < self.bids[seat][0], "only a lower bid replaces the own (MICE-4.2)"
        self.said += 1
        self.bids[seat] = (int(moves), self.said)

    def do_close_bids(self, *_: str) -> None:
        self.order = sorted(self.bids, key=lambda seat: self.bids[seat])
        self.home = dict(self.mice)
        self.phase = "attempt"
        self.tries()

    def tries(self) -> None:
        self.slides, self.used = [], 0
        self.mice = dict(self.home)
        self.mover = self.order.pop(0)

    def do_slide(self, mouse: str, way: str) -> None:
        mouse = mouse[1]
        stop, claims = self.stops(mouse, way), self.could_claim(mouse)
        self.used += self.cost(mouse)
        self.slides.append((mouse, way))
        self.mice[mouse] = stop
        if claims and stop == self.target:
            self.claimed()

    def claimed(self) -> None:
        assert self.target is not None
        won = self.cheese.pop(self.target)
        self.target = None
        self.points[self.mover] += 1
        if self.goal and self.points[self.mover] >= self.goal:
            self.phase = "over"
        elif self.replacement:
            self.won, self.phase = won, "replace"
        else:
            self.next_round()

    def do_replace(self, space: str) -> None:
        self.cheese[space] = self.won
        self.barred = space
        self.next_round()

    def do_fail(self, *_: str) -> None:
        if self.order:
            self.tries()
            return
        self.mice = dict(self.home)
        self.do_discard()

    def do_discard(self, *_: str) -> None:
        assert self.target is not None
        del self.cheese[self.target]
        self.target = None
        self.next_round()

    def next_round(self) -> None:
        self.mover = self.chooser = (self.chooser + 1) % self.players
        self.phase = "choose" if self.cheese else "over"

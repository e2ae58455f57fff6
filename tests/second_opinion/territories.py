"""Dectana from its rulebook: stacks of cards, a plain list of pyramids, and hands of which some cards are known."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations_with_replacement, count, product
from typing import Any

from rules.engine.contract import AnyGame
from rules.pieces import Pose, Size
from tests.second_opinion.decktet import (
    LETTERS,
    POINTS,
    SUITS,
    Hand,
    Pyramid,
    Space,
    beside,
    deck,
    named,
    rank,
    space_of,
    turnings,
    value,
)
from tests.second_opinion.opinion import End, spelt

SIZES = (Size.SMALL, Size.MEDIUM, Size.LARGE)
ANGLES = {0: "N", 90: "W", 180: "S", 270: "E"}
READING_ORDER = [(x, y) for y in (2, 1, 0) for x in range(3)]


class Dectana:
    def __init__(self, players: int, told: Mapping[str, Any]) -> None:
        self.players, self.told = players, told
        self.deck = deck(told)
        self.cards: dict[Space, list[str]] = {}
        self.pyramids: list[Pyramid] = []
        self.hands = [Hand(Counter(), 0) for _ in range(players)]
        self.pile = len(self.deck) * 2
        self.gone: list[str] = []
        self.reshuffled = bool(told.get("first_shuffle_counts"))
        self.phase, self.mover = "deal", players - 1
        self.suit, self.uses, self.shown, self.made = "", 0, "", 0
        self.drawn_for: Space = (0, 0)
        self.actor_space: Space | None = None
        self.finished: End | None = None

    # The board ----------------------------------------------------------------------------------------------

    def is_void(self, space: Space) -> bool:
        return space not in self.cards and not any(beside(space, way) in self.cards for way in POINTS)

    def on(self, space: Space) -> list[Pyramid]:
        return [one for one in self.pyramids if one.space == space]

    def places(self) -> set[Space]:
        around = {beside(space, way) for space in self.cards for way in POINTS}
        return around | set(self.cards)

    def own(self) -> list[Pyramid]:
        return [one for one in self.pyramids if one.seat == self.mover]

    def stash(self, seat: int, size: int) -> int:
        return 3 - sum(one.seat == seat and one.size == size for one in self.pyramids)

    def target(self, actor: Pyramid) -> Space:
        return beside(actor.space, actor.orient)

    def bare(self, space: Space) -> bool:
        """An empty territory (DEC-4.11)."""
        return space in self.cards and not self.on(space)

    # Cards --------------------------------------------------------------------------------------------------

    def copies(self, card: str) -> int:
        """How many copies are known to be somewhere."""
        stacks = sum(stack.count(card) for stack in self.cards.values())
        hands = sum(hand.known[card] for hand in self.hands)
        return stacks + hands + self.gone.count(card) + (self.shown == card)

    def can_show(self, hand: Hand, card: str) -> bool:
        return hand.known[card] > 0 or (hand.unknown > 0 and self.copies(card) < 2)

    def in_hand(self, hand: Hand) -> list[str]:
        return [card for card in self.deck if self.can_show(hand, card)]

    def draw(self, number: int) -> int:
        """How many cards come from the draw pile, renewed if need be (DEC-4.12)."""
        from_pile = min(number, self.pile)
        self.pile -= from_pile
        if from_pile < number and self.gone:
            self.pile, self.gone, self.reshuffled = len(self.gone), [], True
            return from_pile + self.draw(number - from_pile)
        return from_pile

    # Legal --------------------------------------------------------------------------------------------------

    def legal(self) -> set[str]:
        found: set[str] = getattr(self, f"in_{self.phase}")()
        if self.phase in ("turn", "use", "discard"):
            found |= {f"end_game({'+'.join(aces)})" for aces in self.claims(self.hands[self.mover])}
        return found

    def claims(self, hand: Hand) -> Iterator[tuple[str, ...]]:
        """DEC-5.1."""
        for aces in combinations_with_replacement([f"A{letter}" for letter in LETTERS], 3):
            new = Counter(aces) - hand.known
            possible = all(self.copies(card) + new[card] <= 2 for card in new)
            if self.reshuffled and new.total() <= hand.unknown and possible:
                yield aces

    def entries(self) -> set[tuple[str, str]]:
        upright = self.told.get("entry_orientation") == "upright"
        return {(named(space), orient) for space in self.places() for orient in ("U" if upright else "UNESW")}

    def lively(self, rng: random.Random) -> str | None:
        """An action that luck finds too seldom: uses rather than turned pyramids, and no end after a while."""
        if self.phase not in ("turn", "use", "discard") or rng.random() < 0.04:
            return None
        found = sorted(text for text in self.legal() if not text.startswith("end_game"))
        rare = [text for text in found if text.startswith(("create(", "push", "shrink", "grow_card", "move_card"))]
        suns = [text for text in found if text.startswith(("play", "activate")) and "suns" in text]
        uses = suns if len(self.own()) < 4 else [text for text in found if text.startswith(("play", "activate"))]
        return rng.choice(rare or (uses if rng.random() < 0.7 and uses else found))

    def in_enter(self) -> set[str]:
        return {f"place_start({space},{orient})" for space, orient in self.entries()}

    def in_turn(self) -> set[str]:
        found = {"redraw"} | {f"reorient({changes})" if changes else "reorient" for changes in turnings(self.own())}
        if self.told.get("reorient_zero") == "forbid":
            found.discard("reorient")
        if not self.own():
            found |= {f"enter({space},{orient})" for space, orient in self.entries()}
        for space in {one.space for one in self.own()} & set(self.cards):
            for letter in self.cards[space][-1][1:]:
                suit = SUITS[LETTERS.index(letter)]
                found |= {f"activate({named(space)},{suit})" if self.has_use(suit, "", space) else "redraw"}
        for card in self.in_hand(self.hands[self.mover]):
            for letter in card[1:]:
                suit = SUITS[LETTERS.index(letter)]
                found |= {f"play({card},{suit})" if self.has_use(suit, card, None) else "redraw"}
        return found

    def has_use(self, suit: str, card: str, space: Space | None) -> bool:
        """Whether one use at least can be made (DEC-4.5), with the card out of the hand (DEC-R12)."""
        hand, before = self.hands[self.mover], (self.suit, self.shown)
        was = Hand(hand.known.copy(), hand.unknown)
        if card:
            hand.give(card)
        self.suit, self.shown = suit, card
        self.actor_space = space if self.told.get("board_actor") == "occupant" else None
        found = bool(self.ways())
        self.suit, self.shown = before
        self.hands[self.mover] = was
        return found

    def ways(self) -> set[str]:
        """All single uses of the suit (DEC-4.20 to 4.36)."""
        found = set[str]()
        for actor in self.own():
            if self.actor_space in (None, actor.space):
                kind = f"{'upright' if actor.orient == 'U' else 'flat'}_{self.suit}"
                found |= getattr(self, kind, lambda _: set())(actor)
        return found

    def upright_suns(self, actor: Pyramid) -> set[str]:
        land = actor.space in self.cards or not self.told.get("suns_needs_territory", True)
        return {f"create({actor.own_name})"} if land and self.stash(self.mover, 1) else set()

    def flat_suns(self, actor: Pyramid) -> set[str]:
        to = self.target(actor)
        waste = to not in self.cards and not self.is_void(to)
        drawable = self.pile or self.gone
        return {f"create_card({actor.own_name})"} if waste and not self.on(to) and drawable else set()

    def upright_leaves(self, actor: Pyramid) -> set[str]:
        grows = actor.size < 3 and self.stash(self.mover, actor.size + 1)
        return {f"grow({actor.own_name})"} if grows else set()

    def flat_leaves(self, actor: Pyramid) -> set[str]:
        to = self.target(actor)
        if not self.bare(to):
            return set()
        hand, least = self.in_hand(self.hands[self.mover]), rank(self.cards[to][-1])
        return {f"grow_card({actor.own_name},{card})" for card in hand if rank(card) > least}

    def flat_waves(self, actor: Pyramid) -> set[str]:
        found = set()
        for far in range(0 if self.told.get("waves_zero") else 1, actor.size + 1):
            void = self.is_void(beside(actor.space, actor.orient, far))
            if void and self.told.get("waves_into_void") != "destroy":
                break
            found.add(f"move({actor.own_name},{far})")
            if void:
                break
        return found | ({f"move_card({actor.own_name})"} if self.bare(self.target(actor)) else set())

    def flat_moons(self, actor: Pyramid) -> set[str]:
        """DEC-4.29 to 4.31."""
        to = self.target(actor)
        if self.bare(to):
            return {f"steal({actor.own_name})"}
        found = set()
        there = self.on(to)
        for pushes in product(range(actor.size + 1), repeat=len(there)):
            cost = sum(one.size * far for one, far in zip(there, pushes, strict=True))
            ways = [[beside(to, actor.orient, n) for n in range(1, far)] for far in pushes]
            if 0 < cost <= actor.size and not any(self.is_void(space) for way in ways for space in way):
                parts = sorted(zip(there, pushes, strict=True), key=lambda part: (part[0], -part[1]))
                said = [f"{one.name_there}:{far}" for one, far in parts if far]
                found.add(f"push({actor.own_name},{'+'.join(said)})")
        return found

    def flat_wyrms(self, actor: Pyramid) -> set[str]:
        """DEC-4.32 to 4.34."""
        to = self.target(actor)
        if self.bare(to):
            return {f"destroy({actor.own_name})"}
        found = set()
        foes = [one for one in self.on(to) if one.seat != self.mover]
        for points in product(range(4), repeat=len(foes)):
            losses = [(foe, less) for foe, less in zip(foes, points, strict=True) if less]
            if 0 < sum(points) <= actor.size and all(less <= foe.size for foe, less in losses):
                said = [f"{foe.name_there}:{less}" for foe, less in losses]
                if sorted(self.shrunk(losses)) != sorted(self.pyramids):
                    found.add(f"shrink({actor.own_name},{'+'.join(sorted(said))})")
        return found

    def shrunk(self, losses: list[tuple[Pyramid, int]]) -> list[Pyramid]:
        """DEC-4.33 and R7."""
        before = self.pyramids
        for foe, less in losses:
            wanted = foe.size - less
            sizes = [size for size in range(1, foe.size) if self.stash(foe.seat, size)] + [foe.size]
            size = min(sizes, key=lambda size: (abs(size - wanted), size)) if wanted else 0
            self.pyramids = [*self.pyramids]
            self.pyramids.remove(foe)
            self.pyramids += [replace(foe, size=size)] if size else []
        after, self.pyramids = self.pyramids, before
        return after

    def upright_knots(self, actor: Pyramid) -> set[str]:
        return {f"draw({actor.own_name})"}

    def flat_knots(self, actor: Pyramid) -> set[str]:
        return {f"draw_card({actor.own_name})"} if self.bare(self.target(actor)) else set()

    def in_use(self) -> set[str]:
        return self.ways() | ({"end_use"} if self.made else set())

    def in_reveal(self) -> set[str]:
        return {f"reveal({card})" for card in self.deck if self.copies(card) < 2}

    def in_discard(self) -> set[str]:
        hand = self.hands[self.mover]
        return {f"discard({card})" for card in self.in_hand(hand)} | ({"discard(?)"} if hand.unknown else set())

    # Play ---------------------------------------------------------------------------------------------------

    def play(self, action: str) -> None:
        seat, verb, inside = spelt(action)
        if verb == "end_game":
            self.end_with(self.mover if seat is None else seat, inside[0].split("+"))
        else:
            getattr(self, f"do_{verb}")(*inside)

    def end_with(self, seat: int, aces: list[str]) -> None:
        assert tuple(aces) in set(self.claims(self.hands[seat]))
        for ace in aces:
            self.hands[seat].give(ace)
        self.gone += aces
        points = self.scores()
        best = max((points[n], self.on_board(n)) for n in range(self.players))
        self.finished = End(tuple(n for n in range(self.players) if (points[n], self.on_board(n)) == best))

    def on_board(self, seat: int) -> int:
        return sum(one.seat == seat for one in self.pyramids)

    def do_deal(self, cards: str) -> None:
        self.cards = {space: [card] for space, card in zip(READING_ORDER, cards.split("+"), strict=True)}
        self.hands = [Hand(Counter(), 3) for _ in range(self.players)]
        self.pile -= 9 + 3 * self.players
        self.phase = "enter"

    def do_place_start(self, space: str, orient: str) -> None:
        self.pyramids.append(Pyramid(self.mover, 1, orient, space_of(space)))
        if self.mover == 0:
            self.phase = "turn"
        else:
            self.mover -= 1

    def next_turn(self) -> None:
        self.gone += [self.shown] if self.shown else []
        self.phase, self.mover = "turn", (self.mover + 1) % self.players
        self.suit, self.shown, self.made, self.uses = "", "", 0, 0

    do_end_use = next_turn

    def begin_uses(self, suit: str, card: str) -> None:
        self.suit, self.uses, self.made, self.phase = suit, 3 if card[0] == "X" else 1, 0, "use"

    def do_activate(self, space: str, suit: str) -> None:
        self.actor_space = space_of(space) if self.told.get("board_actor") == "occupant" else None
        self.begin_uses(suit, self.cards[space_of(space)][-1])

    def do_play(self, card: str, suit: str) -> None:
        self.actor_space = None
        self.hands[self.mover].give(card)
        self.shown = card
        self.begin_uses(suit, card)

    def do_reorient(self, changes: str = "") -> None:
        new = []
        for change in changes.split("+") if changes else ():
            name, to = change.split(">")
            one = self.named_own(name)
            self.pyramids.remove(one)
            new.append(replace(one, orient=to))
        self.pyramids += new
        self.next_turn()

    def do_enter(self, space: str, orient: str) -> None:
        self.pyramids.append(Pyramid(self.mover, 1, orient, space_of(space)))
        self.next_turn()

    def do_redraw(self) -> None:
        hand = self.hands[self.mover]
        self.gone += [*hand.known.elements(), *["?"] * hand.unknown]
        self.hands[self.mover] = Hand(Counter(), self.draw(len(hand) + 1))
        self.after_draw()

    def after_draw(self) -> None:
        """DEC-4.10, and what comes then."""
        if len(self.hands[self.mover]) > 6:
            self.phase = "discard"
        elif self.suit:
            self.after_use()
        else:
            self.next_turn()

    def do_discard(self, card: str) -> None:
        self.hands[self.mover].give(card)
        self.gone.append(card)
        self.after_draw()

    def after_use(self) -> None:
        self.phase = "use"
        if self.made == self.uses or not self.ways():
            self.next_turn()

    def named_own(self, name: str) -> Pyramid:
        return next(one for one in self.own() if one.own_name == name)

    def used(self, new: list[Pyramid] | None = None) -> None:
        """DEC-4.38."""
        self.pyramids = [one for one in (self.pyramids if new is None else new) if not self.is_void(one.space)]
        self.made += 1

    def instead(self, old: Pyramid, *new: Pyramid) -> list[Pyramid]:
        rest = list(self.pyramids)
        rest.remove(old)
        return [*rest, *new]

    def take_card(self, space: Space) -> str:
        card = self.cards[space].pop()
        if not self.cards[space]:
            del self.cards[space]
        return card

    def do_create(self, name: str) -> None:
        self.used([*self.pyramids, Pyramid(self.mover, 1, "U", self.named_own(name).space)])
        self.after_use()

    def do_create_card(self, name: str) -> None:
        self.drawn_for, self.phase = self.target(self.named_own(name)), "reveal"
        if not self.pile:
            self.pile, self.gone, self.reshuffled = len(self.gone), [], True

    def do_reveal(self, card: str) -> None:
        self.pile -= 1
        self.cards[self.drawn_for] = [card]
        self.used()
        self.after_use()

    def do_grow(self, name: str) -> None:
        one = self.named_own(name)
        self.used(self.instead(one, replace(one, size=one.size + 1)))
        self.after_use()

    def do_grow_card(self, name: str, card: str) -> None:
        self.hands[self.mover].give(card)
        self.cards[self.target(self.named_own(name))].append(card)
        self.used()
        self.after_use()

    def do_move(self, name: str, far: str) -> None:
        one = self.named_own(name)
        to = beside(one.space, one.orient, int(far))
        self.used(self.instead(one, replace(one, orient="U", space=to)))
        self.after_use()

    def do_move_card(self, name: str) -> None:
        one = self.named_own(name)
        spaces = (beside(one.space, one.orient, far) for far in count(2))
        to = next(space for space in spaces if space not in self.cards)
        self.cards[to] = [self.take_card(self.target(one))]
        self.used()
        self.after_use()

    def do_push(self, name: str, plan: str) -> None:
        actor = self.named_own(name)
        there, gone_on = self.on(self.target(actor)), []
        for push in plan.split("+"):
            who, far = push.split(":")
            one = next(one for one in there if one.name_there == who)
            there.remove(one)
            self.pyramids.remove(one)
            gone_on.append(replace(one, space=beside(one.space, actor.orient, int(far))))
        self.used([*self.pyramids, *gone_on])
        self.after_use()

    def do_steal(self, name: str) -> None:
        self.hands[self.mover].known[self.take_card(self.target(self.named_own(name)))] += 1
        self.used()
        self.after_draw()

    def do_shrink(self, name: str, plan: str) -> None:
        there, losses = self.on(self.target(self.named_own(name))), []
        for part in plan.split("+"):
            who, less = part.split(":")
            one = next(one for one in there if one.name_there == who)
            there.remove(one)
            losses.append((one, int(less)))
        self.used(self.shrunk(losses))
        self.after_use()

    def do_destroy(self, name: str) -> None:
        self.gone.append(self.take_card(self.target(self.named_own(name))))
        self.used()
        self.after_use()

    def do_draw(self, name: str) -> None:
        self.hands[self.mover].unknown += self.draw(self.named_own(name).size)
        self.used()
        self.after_draw()

    def do_draw_card(self, name: str) -> None:
        actor = self.named_own(name)
        space = self.target(actor)
        self.hands[self.mover].unknown += self.draw(value(self.cards[space][-1]))
        whole = self.told.get("knots_card_destroys") == "whole_stack"
        self.gone += [self.take_card(space) for _ in range(len(self.cards[space]) if whole else 1)]
        self.used(self.instead(actor))
        self.after_draw()

    # What is compared ---------------------------------------------------------------------------------------

    def to_act(self) -> int | None:
        return None if self.phase in ("deal", "reveal") else self.mover

    def end(self) -> End | None:
        return self.finished

    def scores(self) -> tuple[int, ...]:
        """DEC-5.2."""
        points = [0] * self.players
        for space, stack in self.cards.items():
            owners = {one.seat for one in self.on(space)}
            if len(owners) == 1:
                points[owners.pop()] += value(stack[-1])
        return tuple(points)

    def table(self) -> Any:
        cards = {named(space): stack for space, stack in self.cards.items()}
        pyramids = sorted((one.seat, one.size, one.orient, named(one.space)) for one in self.pyramids)
        hands = [sorted([*hand.known.elements(), *["?"] * hand.unknown]) for hand in self.hands]
        hands[self.mover] = sorted([*hands[self.mover], self.shown] if self.shown else hands[self.mover])
        return cards, pyramids, hands, self.pile, len(self.gone)

    def seen(self, game: AnyGame, state: Any) -> Any:
        stacks: dict[str, list[tuple[int, str]]] = {}
        pyramids, hands, piles = [], [list[str]() for _ in range(self.players)], Counter[str]()
        for p in game.layout(state):
            zone, card = p.zone.value, p.piece.kind.value == "card"
            if zone == "board" and card:
                stacks.setdefault(p.place, []).append((p.level, str(p.piece.mark)))
            elif zone == "board":
                orient = "U" if p.pose is Pose.UPRIGHT else ANGLES[round(p.angle)]
                pyramids.append((p.seat, SIZES.index(p.piece.size) + 1, orient, p.place))
            elif zone == "hand" and p.seat is not None:
                hands[p.seat].append(p.piece.mark or "?")
            elif card:
                piles[zone] += 1
        cards = {place: [card for _, card in sorted(stack)] for place, stack in stacks.items()}
        return cards, sorted(pyramids), [sorted(hand) for hand in hands], piles["supply"], piles["spent"]

"""Deeds of Fuji-San: the reveal of the coins and the dice rescue (FUJI-3), climbs, sidesteps and crossings of priests,
also in the descent (FUJI-4, FUJI-9.4), the end."""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import permutations

from rules.engine import Action, Code, Effect, EffectKind, NarratedDeed, Outcome, Refusal, Spot, Verb
from rules.engine.action import DICE, PLACE, SUIT, WORD, Luck, ParamType
from rules.engine.argument_value import Value, one_of, word
from rules.engine.refusal import Fact
from rules.engine.throws import ThrowDeed
from rules.engine.values import with_item
from rules.games.fuji_san import climbs, mountain
from rules.games.fuji_san.layout import spot
from rules.games.fuji_san.opening import State
from rules.pieces import SUITS, Rank, Suit, coin, die, parse_suit, pawn
from rules.sentence import InputError, Sentence, say, several
from rules.table.layout import Zone

END_CLAUSES = {"summit": "FUJI-5.1", "down": "FUJI-9.4", "failed": "FUJI-3.6", "stuck": "FUJI-5.2", "lost": "FUJI-5.2"}


def reason(state: State) -> Sentence:
    if state.end == "summit":
        return say(
            "all four priests are on the summit after one move",
            "all four priests are on the summit after {count} moves",
            count=state.moves,
        )
    if state.end == "down":
        return say(
            "all four priests are down again after one move",
            "all four priests are down again after {count} moves",
            count=state.moves,
        )
    if state.end == "failed":
        return say("foul weather: no priest can move, even with the dice")
    if state.end == "stuck":
        return say("no priest can move any more")
    return say("the goal is out of reach: no sequence of moves leads there")


def outcome_of(state: State) -> Outcome:
    if not state.end:
        return Outcome(scores=(state.moves,))
    winners = (0,) if state.end in ("summit", "down") else ()
    return Outcome(True, winners, (state.moves,), reason(state), END_CLAUSES[state.end])


class FujiDeed(NarratedDeed[State]):
    def next_effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        if after.end:
            facts: dict[str, Fact] = {"reason": reason(after).text, "moves": after.moves}
            clause = END_CLAUSES[after.end]
            yield Effect(EffectKind.END, seat=0, clause=clause, facts=facts, sentence=reason(after))
        elif after.phase != before.phase:
            yield Effect(EffectKind.PHASE, clause=_BEGINS[after.phase], facts={"phase": after.phase})
        else:
            yield Effect(EffectKind.TURN, seat=0, facts={"moves": after.moves})


_BEGINS = {"ascent": "FUJI-4.7", "roll": "FUJI-3.6", "rescue": "FUJI-3.6", "carry": "FUJI-9.4", "descent": "FUJI-9.4"}


def walk_effect(seat: int, source: str, target: str, clause: str, facts: dict[str, Fact]) -> Effect:
    suit = SUITS[seat]
    ends = (spot_of(source), spot_of(target))
    return Effect(EffectKind.MOVE, pawn(suit), f"priest-{suit}", *ends, 0, clause=clause, facts=facts)


def spot_of(place: str) -> Spot:
    return Spot(place, *spot(place))


_NAMED = {layout: name for name, layout in mountain.PRESETS.items()}


def _deal(code: str) -> Value:
    """The name of a preset deal; any other deal as its values, row by row."""
    return one_of("deal")(_NAMED[code]) if code in _NAMED else word(code.replace("/", " / "))


class Deal(FujiDeed):
    verb = Verb.of("deal", "deal the coins: {layout}", "FUJI-3.2", luck=Luck.DEAL, layout=ParamType(WORD, _deal))
    phases = ("deal",)
    exhaustive = False
    """There are too many deals to list; the four presets represent them."""

    def legal(self, state: State) -> Iterable[Action]:
        return (Action("deal", (layout,)) for layout in mountain.PRESETS.values())

    def sample(self, state: State, rng: random.Random) -> Action | None:
        piles = {suit: rng.sample(range(6), 6) for suit in SUITS}
        return Action("deal", (mountain.write_layout(tuple(piles[suit].pop() for suit in mountain.STEP_SUITS * 2)),))

    def check(self, state: State, action: Action) -> Refusal | None:
        try:
            values = mountain.read_layout(action[0])
        except InputError as error:
            return Refusal(Code.BAD_ARGUMENT, "FUJI-3.5", error.sentence, {"layout": action[0][:60]})
        wrong = mountain.wrong_suit(values)
        if wrong is None:
            return None
        suit, shown = wrong[0], [str(value) for value in wrong[1]]
        text = say(
            "the three steps of {suit} show {values}; each value 0 to 5 must come exactly once",
            suit=suit,
            values=several(shown),
        )
        return Refusal(Code.CONTRADICTS, "FUJI-3.3", text, {"suit": suit.value, "shown": shown})

    def advance(self, state: State, action: Action) -> State:
        return climbs.begin(replace(state, values=mountain.read_layout(action[0]), phase="ascent"))

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        for name in mountain.NAMES:
            number = mountain.coin_at(name)
            if number is not None:
                piece = coin(mountain.STEP_SUITS[number % 12], Rank(after.values[number]))
                yield Effect(EffectKind.REVEAL, piece, f"coin-{name}", target=spot_of(name), clause="FUJI-3.2")


class Roll(ThrowDeed[State], FujiDeed):
    verb = Verb.of("roll", "the dice show {dice}", "FUJI-3.6", luck=Luck.ROLL, dice=DICE)
    phases = ("roll",)

    def dice(self, state: State) -> tuple[Suit, ...]:
        return SUITS

    def unreadable(self, state: State, action: Action) -> Refusal:
        text = say("say what all four dice show, as in S1+M0+C3+A5")
        return Refusal(Code.BAD_ARGUMENT, "FUJI-3.6", text, {"given": action[0][:20]})

    def advance(self, state: State, action: Action) -> State:
        dice = tuple(int(rank) for _, rank in self.thrown(state, action))
        return replace(state, dice=dice, phase="rescue", end="" if any(dice) else "failed")

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        for suit, rank in self.thrown(before, action):
            yield Effect(EffectKind.ROLL, die(suit, rank), f"die-{suit}", amount=int(rank), clause="FUJI-3.6")


class Rescue(FujiDeed):
    verb = Verb.of("rescue", "the {suit} priest follows its die", "FUJI-3.6", suit=SUIT)
    phases = ("rescue",)

    def legal(self, state: State) -> Iterable[Action]:
        return (Action("rescue", (suit.value,)) for suit in SUITS)

    def check(self, state: State, action: Action) -> Refusal | None:
        if action[0] in [suit.value for suit in SUITS]:
            return None
        try:
            text = say("write the suit as {suit}", suit=parse_suit(action[0][:20]))
        except InputError as error:
            text = error.sentence
        return Refusal(Code.BAD_ARGUMENT, "FUJI-3.6", text, {"suit": action[0][:20]})

    def advance(self, state: State, action: Action) -> State:
        seat = SUITS.index(Suit(action[0]))
        number = state.dice[seat]
        priests = with_item(state.priests, seat, climbs.rescued_to(state.priests[seat], number))
        after = replace(state, priests=priests, phase="ascent", moves=state.moves + (number > 0))
        return climbs.settle(after) if climbs.moves(after) else replace(after, end="failed")

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        seat = SUITS.index(Suit(action[0]))
        number = before.dice[seat]
        choice: dict[str, Fact] = {"choice": SUITS[seat].value, "die": number}
        yield Effect(EffectKind.CHOOSE, seat=0, clause="FUJI-3.6", facts=choice)
        if number:
            source, target = mountain.NAMES[before.priests[seat]], mountain.NAMES[after.priests[seat]]
            yield walk_effect(seat, source, target, "FUJI-3.6", {"spaces": number, "moves": after.moves})


class Carry(FujiDeed):
    verb = Verb.of(
        "carry", "carry the summit coins down: g2 to {g2}, g1 to {g1}, h2 to {h2}, h1 to {h1}", "FUJI-9.4",
        g2=PLACE, g1=PLACE, h2=PLACE, h1=PLACE,
    )  # fmt: skip
    phases = ("carry",)

    def legal(self, state: State) -> Iterable[Action]:
        return (Action("carry", places) for places in permutations(mountain.GROUND))

    def check(self, state: State, action: Action) -> Refusal | None:
        if sorted(action.args) == sorted(mountain.GROUND):
            return None
        places = several(mountain.GROUND)
        text = say("each ground place gets one of the summit coins; the places are {places}", places=places)
        return Refusal(Code.BAD_ARGUMENT, "FUJI-9.4", text, {"places": list(mountain.GROUND)})

    def advance(self, state: State, action: Action) -> State:
        return climbs.settle(replace(state, phase="descent", foot=action.args))

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        for summit, ground in zip(mountain.SUMMIT, action.args, strict=True):
            number = mountain.coin_at(summit) or 0
            rank = Rank(before.values[number])
            facts: dict[str, Fact] = {"counts": max(1, 0 if rank == 1 and before.options.aces_null else int(rank))}
            piece, ends = coin(mountain.STEP_SUITS[number % 12], rank), (spot_of(summit), spot_of(ground))
            yield Effect(EffectKind.MOVE, piece, f"coin-{summit}", *ends, clause="FUJI-9.4", facts=facts)


class _PriestMove(FujiDeed):
    phases = ("ascent", "descent")

    @abstractmethod
    def target(self, action: Action) -> str:
        """The place where the priest arrives."""

    def advance(self, state: State, action: Action) -> State:
        return climbs.after_move(state, mountain.INDEX[action[0]], mountain.INDEX[self.target(action)])

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        source, target = action[0], self.target(action)
        seat = before.priests.index(mountain.INDEX[source])
        facts: dict[str, Fact] = {"how": self.verb.name, "moves": after.moves, **self.facts(before, action)}
        yield walk_effect(seat, source, target, self.verb.clause, facts)
        if after.priests[seat] < 0:
            off, suit = Spot(zone=Zone.SPENT, seat=0), SUITS[seat]
            yield Effect(EffectKind.REMOVE, pawn(suit), f"priest-{suit}", spot_of(target), off, clause="FUJI-9.4")

    def facts(self, state: State, action: Action) -> dict[str, Fact]:
        """Further facts of the move."""
        return {}


class Climb(_PriestMove):
    verb = Verb.of("climb", "{from_} to {to}", "FUJI-4.1", from_=PLACE, to=PLACE)

    def legal(self, state: State) -> Iterable[Action]:
        return climbs.climbing_moves(state, climbs.occupied(state))

    def check(self, state: State, action: Action) -> Refusal | None:
        source, target = action.args
        return (
            _no_priest(state, action)
            or _not_along_the_row(state, source, target)
            or _no_landing(state, source, target)
            or _wrong_count(state, source, target)
        )

    def target(self, action: Action) -> str:
        return action[1]

    def facts(self, state: State, action: Action) -> dict[str, Fact]:
        return {"spaces": _free_spaces(state, *action.args)}


class Side(_PriestMove):
    verb = Verb.of("side", "{from_} sideways to {to}", "FUJI-4.2", from_=PLACE, to=f"{PLACE}?")

    def legal(self, state: State) -> Iterable[Action]:
        return climbs.sidesteps(climbs.occupied(state))

    def check(self, state: State, action: Action) -> Refusal | None:
        if refusal := _no_priest(state, action):
            return refusal
        if action[0] in mountain.GROUND:
            text = say("{place} is on the ground; there a priest can only climb in its own row", place=action[0])
            return Refusal(Code.NOT_ALLOWED, "FUJI-4.5", text)
        return _not_free(state, action, self.target(action), "FUJI-4.2")

    def target(self, action: Action) -> str:
        """The place beside it in the other row."""
        return action[0][0] + ("1" if action[0][1] == "2" else "2")


class Cross(_PriestMove):
    verb = Verb.of("cross", "{from_} across the summit to {to}", "FUJI-4.3", from_=PLACE, to=f"{PLACE}?")

    def legal(self, state: State) -> Iterable[Action]:
        return climbs.crossings(climbs.occupied(state)) if climbs.crosses(state) else ()

    def check(self, state: State, action: Action) -> Refusal | None:
        if refusal := _no_priest(state, action):
            return refusal
        if action[0] not in mountain.SUMMIT:
            text = say("{place} is not on the summit; a priest can cross only there", place=action[0])
            return Refusal(Code.NOT_ALLOWED, "FUJI-4.3", text)
        if not climbs.crosses(state):
            clause = "FUJI-8.3" if state.phase == "ascent" else "FUJI-9.4"
            text = say("crossing on the summit is switched off")
            return Refusal(Code.NOT_ALLOWED, clause, text, {"place": action[0]})
        return _not_free(state, action, self.target(action), "FUJI-4.3")

    def target(self, action: Action) -> str:
        """The other place of the summit in its row."""
        return ("h" if action[0][0] == "g" else "g") + action[0][1]


def _free_spaces(state: State, source: str, target: str) -> int:
    """The number of free spaces that a climb in one row passes, the last one included."""
    start, end = mountain.INDEX[source], mountain.INDEX[target]
    way = range(start + 1, end + 1) if end > start else range(end, start)
    return sum(place not in state.priests for place in way)


def _no_priest(state: State, action: Action) -> Refusal | None:
    """Refusals common to all moves of a priest."""
    for place in action.args:
        if place not in mountain.INDEX:
            text = say("there is no place “{place}”; places go from a to n in rows 1 and 2", place=place[:20])
            return Refusal(Code.NO_SUCH_PLACE, "FUJI-2.1", text)
    if mountain.INDEX[action[0]] not in state.priests:
        return Refusal(Code.EMPTY, "FUJI-4.7", say("no priest stands on {place}", place=action[0]))
    if state.phase == "descent" and action[0] in mountain.GROUND:
        text = say("the priest on {place} has left the mountain and does not step back on", place=action[0])
        return Refusal(Code.STUCK, "FUJI-9.4", text)
    return None


def _not_free(state: State, action: Action, target: str, clause: str) -> Refusal | None:
    """Refusal of a wrong or occupied target of a sidestep or crossing."""
    source = action[0]
    if action.args[1:] == (source,):
        text = say("the priest on {source} stays where it is; this way leads to {target}", source=source, target=target)
        return Refusal(Code.WRONG_DISTANCE, clause, text, {"from": source, "to": source})
    if action.args[1:] not in ((), (target,)):
        text = say(
            "from {source} this way leads to {target}, not to {other}", source=source, target=target, other=action[1]
        )
        return Refusal(Code.WRONG_DIRECTION, clause, text, {"to": target})
    if mountain.INDEX[target] in state.priests:
        return Refusal(Code.OCCUPIED, clause, say("a priest stands on {target}", target=target), {"place": target})
    return None


def _not_along_the_row(state: State, source: str, target: str) -> Refusal | None:
    facts = {"from": source, "to": target}
    if source == target:
        text = say("the priest on {source} stays where it is; a climb leads to another step", source=source)
        return Refusal(Code.WRONG_DISTANCE, "FUJI-4.1", text, facts)
    if source[1] != target[1]:
        text = say(
            "{target} is not in the row of {source}; a priest climbs along its own row", target=target, source=source
        )
        return Refusal(Code.WRONG_DIRECTION, "FUJI-4.1", text, facts)
    if state.phase == "ascent" and source in mountain.SUMMIT:
        text = say("the priest on {source} has reached the summit and does not leave it", source=source)
        return Refusal(Code.STUCK, "FUJI-4.4", text, {"from": source})
    return None


def _no_landing(state: State, source: str, target: str) -> Refusal | None:
    if mountain.INDEX[target] in state.priests:
        return Refusal(Code.OCCUPIED, "FUJI-4.1", say("a priest stands on {target}", target=target), {"place": target})
    if state.phase == "ascent" and target in mountain.GROUND:
        text = say("{place} is on the ground; on the way up nobody goes back there", place=target)
        return Refusal(Code.NOT_ALLOWED, "FUJI-4.5", text, {"to": target})
    if _required_spaces(state, target) == 0:
        text = say("{place} counts as null; a priest gets there only by a sidestep", place=target)
        return Refusal(Code.NOT_ALLOWED, "FUJI-8.5", text, {"from": source, "to": target, "value": 0})
    return None


def _required_spaces(state: State, place: str) -> int:
    row, file = divmod(mountain.INDEX[place], mountain.WIDTH)
    return climbs.rows(state)[row][file]


def _wrong_count(state: State, source: str, target: str) -> Refusal | None:
    free, required = _free_spaces(state, source, target), _required_spaces(state, target)
    if free == required:
        return None
    reach = [move[1] for move in climbs.climbing_moves(state, climbs.occupied(state)) if move[0] == source]
    text = say(
        "the coin on {target} shows {value}; free spaces on the way from {source}: {spaces}",
        target=target,
        value=required,
        source=source,
        spaces=free,
    )
    facts: dict[str, Fact] = {"from": source, "to": target, "value": required, "spaces": free, "reach": reach}
    return Refusal(Code.WRONG_DISTANCE, "FUJI-4.1", text, facts)

"""Deeds of the set-up: sets taken, dice for the start, pyramids placed (ICE-3)."""

from __future__ import annotations

import random
from collections.abc import Iterator

from rules.engine import Action, Code, Effect, EffectKind, PhaseText, Refusal, Spot, Verb
from rules.engine.action import DICE, PIECE, PLACE, RANK, Luck, ParamType, with_articles
from rules.engine.argument_value import pyramid_of
from rules.engine.dice import all_throws, read_dice, read_die, write_dice
from rules.engine.outcome import leaders
from rules.engine.refusal import Facts
from rules.engine.values import replace, with_item
from rules.games.ice_floe.deeds.common import FloeDeed, index_of, no_pyramid, no_tile, pyramid_and_cells
from rules.games.ice_floe.floes import empty_floes
from rules.games.ice_floe.geometry import CELL_OF, NAMES
from rules.games.ice_floe.layout import pyramid_piece, spot
from rules.games.ice_floe.opening import (
    NOT_ROLLED,
    SET_NAMES,
    UNPLACED,
    Phase,
    State,
    after_sets,
    pyramid_name,
)
from rules.games.ice_floe.rounds import actor_of, choice_code, letter_among, seat_of, split
from rules.pieces import RANKS, Suit, coin, die, parse_rank
from rules.sentence import Person, say
from rules.table.layout import Zone


class TakeSet(FloeDeed):
    verb = Verb.of("take_set", "take the four {coins} coins as your suit set", "ICE-3.3", coins=RANK)
    phases = (Phase.SETS,)
    wrong_phase = PhaseText("ICE-3.3", "the sets of coins are taken before the start roll; now comes {now}")

    def legal(self, state: State) -> Iterator[Action]:
        return (Action("take_set", (choice_code(name),)) for name in SET_NAMES if name not in state.sets)

    def check(self, state: State, action: Action) -> Refusal | None:
        name = letter_among(action[0], SET_NAMES)
        if name is None:
            text = say("there is no set “{given}”; the sets are the null, 3, 4 and 5 coins", given=action[0][:20])
            return Refusal(Code.NO_SUCH_PIECE, "ICE-1.3", text)
        if name not in state.sets:
            return None
        owner = state.sets.index(name)
        text = say("{owner} has the {coins} coins already", owner=Person(owner), coins=parse_rank(name))
        return Refusal(Code.OCCUPIED, "ICE-3.3", text, {"owner": owner})

    def advance(self, state: State, action: Action) -> State:
        sets = (*state.sets, parse_rank(action[0]).letter)
        if len(sets) < state.players:
            return replace(state, sets=sets, to_act=len(sets))
        return replace(state, sets=sets, phase=after_sets(state.options), to_act=state.torch)

    def own_effects(self, before: State, action: Action, after: State, seat: int) -> Iterator[Effect]:
        rank = parse_rank(action[0])
        for suit in Suit:
            yield Effect(EffectKind.TAKE, coin(suit, rank), coin(suit, rank).code, seat=seat, clause="ICE-3.3")


class Roll(FloeDeed):
    verb = Verb.of("roll", "the dice roll {dice}", "ICE-3.4", luck=Luck.ROLL, dice=DICE)
    phases = (Phase.ROLL,)
    wrong_phase = PhaseText("ICE-3.4", "the dice decide only who begins; now comes {now}")
    exhaustive = False

    def describe(self, action: Action) -> str:
        """Suns rolls a null, moons rolls an ace."""
        try:
            thrown = read_dice(action[0])
        except ValueError:
            return super().describe(action)
        return with_articles(", ".join(f"{suit} rolls a {rank.word}" for suit, rank in thrown))

    def legal(self, state: State) -> Iterator[Action]:
        """One die at a time; a throw of several is legal too."""
        return (Action("roll", (throw,)) for seat in state.rolling for throw in all_throws((state.suits[seat],)))

    def sample(self, state: State, rng: random.Random) -> Action:
        dice = ((state.suits[seat], RANKS[int(rng.random() * 6)]) for seat in state.rolling)
        return Action("roll", (write_dice(dice),))

    def check(self, state: State, action: Action) -> Refusal | None:
        seen = set()
        for item in split(action[0]):
            try:
                seat = state.suits.index(read_die(item)[0])
            except ValueError:
                text = say("“{given}” is not a die and face; write for example S5", given=item[:20])
                return Refusal(Code.BAD_ARGUMENT, "ICE-3.4", text)
            if seat in seen or seat not in state.rolling:
                text = say("the {die} die does not roll now, or is named twice", die=state.suits[seat])
                return Refusal(Code.REPEATS, "ICE-3.4", text, {"die": state.suits[seat].value})
            seen.add(seat)
        if not seen:
            return Refusal(Code.BAD_ARGUMENT, "ICE-3.4", say("no die is named; write for example S5+M3"))
        return None

    def advance(self, state: State, action: Action) -> State:
        """The state with these dice; once all are rolled the highest begins, and ties roll again (ICE-3.4)."""
        new = {state.suits.index(suit): rank for suit, rank in read_dice(action[0])}
        dice = tuple(new[seat].letter if seat in new else face for seat, face in enumerate(state.dice))
        rolled = tuple(int(new[seat]) if seat in new else value for seat, value in enumerate(state.rolled))
        rolling = tuple(seat for seat in state.rolling if seat not in new)
        if rolling:
            return replace(state, rolling=rolling, rolled=rolled, dice=dice)
        best = leaders(dict(enumerate(rolled)))
        again = (NOT_ROLLED,) * state.players
        if len(best) > 1:
            return replace(state, rolling=best, rolled=again, dice=dice)
        return replace(state, rolling=(), rolled=again, dice=dice, phase=Phase.PLACE, to_act=best[0], torch=best[0])

    def own_effects(self, before: State, action: Action, after: State, seat: int) -> Iterator[Effect]:
        rolled = split(action[0])
        for item in rolled:
            seat, rank = seat_of(before, item[0]), parse_rank(item[1:])
            piece = die(before.suits[seat], rank)
            yield Effect(EffectKind.ROLL, piece, f"d{item[0]}", seat=seat, amount=int(rank), clause="ICE-3.4")
        if not after.rolling:
            torch: Facts = {"torch": after.suits[after.torch].value}
            yield Effect(EffectKind.CHOOSE, seat=after.torch, clause="ICE-3.6", facts=torch)
        elif len(rolled) == len(before.rolling):
            tied = [before.suits[seat].value for seat in after.rolling]
            yield Effect(EffectKind.PHASE, clause="ICE-3.4", facts={"phase": Phase.ROLL, "tied": tied})


class Place(FloeDeed):
    verb = Verb.of("place", "{pyramid} onto {cell}", "ICE-3.5", pyramid=ParamType(PIECE, pyramid_of), cell=PLACE)
    phases = (Phase.PLACE,)
    wrong_phase = PhaseText("ICE-3.5", "pyramids are placed before the first round only; now comes {now}")

    def legal(self, state: State) -> Iterator[Action]:
        name = pyramid_name(state, _next_letter(state))
        for cell in empty_floes(state):
            yield Action("place", (name, NAMES[cell]))

    def sample(self, state: State, rng: random.Random) -> Action:
        free = empty_floes(state)
        return Action("place", (pyramid_name(state, _next_letter(state)), NAMES[free[int(rng.random() * len(free))]]))

    def check(self, state: State, action: Action) -> Refusal | None:
        seat = actor_of(state, action)
        name, place = action.args
        if refusal := no_pyramid(state, name):
            return refusal
        wanted = pyramid_name(state, _next_letter(state))
        if name != wanted:
            text = say("{pyramid} is placed now: everybody places {letter}", pyramid=wanted, letter=wanted[2])
            return Refusal(Code.OUT_OF_ORDER, "ICE-3.5", text, {"wanted": wanted, "seat": seat})
        if refusal := no_tile(state, place, "ICE-3.5"):
            return refusal
        if CELL_OF[place] not in state.pyramids:
            return None
        by = pyramid_name(state, state.pyramids.index(CELL_OF[place]))
        text = say("{pyramid} is on {place}; pyramids are placed on tiles without a pyramid", pyramid=by, place=place)
        return Refusal(Code.OCCUPIED, "ICE-3.5", text, {"place": place, "by": by})

    def advance(self, state: State, action: Action) -> State:
        seat = actor_of(state, action)
        pyramids = with_item(state.pyramids, index_of(state, action[0]), CELL_OF[action[1]])
        if UNPLACED not in pyramids:
            return replace(state, pyramids=pyramids, phase=Phase.MOVE, to_act=state.torch)
        return replace(state, pyramids=pyramids, to_act=(seat + 1) % state.players)

    def own_effects(self, before: State, action: Action, after: State, seat: int) -> Iterator[Effect]:
        piece = pyramid_piece(before, index_of(before, action[0]))
        source, target = Spot(zone=Zone.HAND, seat=seat), spot(CELL_OF[action[1]])
        yield Effect(EffectKind.PLACE, piece, piece.code, source, target, seat=seat, clause="ICE-3.5")

    def touches(self, action: Action) -> tuple[str, ...]:
        return pyramid_and_cells(action)


def _next_letter(state: State) -> int:
    """Index of the pyramid to be placed now (ICE-3.5)."""
    first = 6 * state.to_act
    return first + state.pyramids[first : first + 6].index(UNPLACED)

"""The five rounds, and the coins that are turned over for each (DASH-4.1, DASH-4.2)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations

from rules.engine import Action, Code, EffectKind, ParamKind, Refusal, Verb
from rules.engine.action import Reads, articled
from rules.engine.argument_value import each, mark_of
from rules.games.delegate_dash.chart import NAMES, REGION_OF, TITLES, marker_key, marker_piece
from rules.games.delegate_dash.deeds.common import known
from rules.games.delegate_dash.deeds.convention import begin_convention
from rules.games.delegate_dash.deeds.narration import DashNarration, TellingDeed, spot_of
from rules.games.delegate_dash.names import place_of
from rules.games.delegate_dash.opening import Phase, State, next_holder
from rules.games.delegate_dash.stakes import hidden_states, states_of_round
from rules.pieces import parse_rank
from rules.sentence import say, several


class Reveal(TellingDeed):
    verb = Verb.of(
        "reveal",
        "on {state} lie {values}",
        "DASH-4.2",
        state=ParamKind.PLACE,
        values=Reads(ParamKind.LIST, each(mark_of)),
    )
    phases = (Phase.REVEAL,)

    def describe(self, action: Action) -> str:
        where, values = action.args
        words = [_rank_word(value) for value in values.split("+")]
        if len(words) == 1:
            return articled(f"the coin on {where} is a {words[0]}")
        return f"the coins on {where} are {', '.join(words[:-1])} and {words[-1]}"

    def legal(self, state: State) -> Iterator[Action]:
        for cell in hidden_states(state):
            for ranks in combinations(_unseen_ranks(state, REGION_OF[cell]), len(state.hidden_at(cell))):
                yield Action("reveal", (NAMES[cell], "+".join(map(str, ranks))))

    def sample(self, state: State, rng: random.Random) -> Action:
        cell = rng.choice(hidden_states(state))
        ranks = rng.sample(_unseen_ranks(state, REGION_OF[cell]), len(state.hidden_at(cell)))
        return Action("reveal", (NAMES[cell], "+".join(str(rank) for rank in sorted(ranks, reverse=True))))

    def check(self, state: State, action: Action) -> Refusal | None:
        where, values = action.args
        cells = hidden_states(state)
        cell = place_of(state, where)
        if cell is None or cell not in cells:
            names = [NAMES[other] for other in cells]
            text = say(
                "no coin is turned over on “{place}”; in round {round} it is {places}",
                place=where[:20],
                round=state.round + 1,
                places=several(names),
            )
            return Refusal(Code.NO_SUCH_PLACE, "DASH-4.2", text, {"places": names})
        given = values.split("+")
        unseen = [str(rank) for rank in _unseen_ranks(state, REGION_OF[cell])]
        count = len(state.hidden_at(cell))
        if len(given) != count:
            text = say(
                "one coin lies on {place}, not {given}",
                "{count} coins lie on {place}, not {given}",
                count=count,
                place=NAMES[cell],
                given=len(given),
            )
            return Refusal(Code.BAD_ARGUMENT, "DASH-4.2", text, {"coins": count})
        if len(set(given)) != count or not set(given) <= set(unseen):
            left = several(unseen)
            text = say(
                "the coins on {place} cannot be “{values}”: of that suit only {left} are unseen",
                place=NAMES[cell],
                values=values[:20],
                left=left,
            )
            return Refusal(Code.CONTRADICTS, "DASH-1.1", text, {"unseen": unseen})
        return None

    def play(self, narration: DashNarration, action: Action) -> None:
        state = narration.state
        cell, values = known(place_of(state, action[0])), action[1]
        ranks = list(state.ranks)
        for coin, value in zip(state.hidden_at(cell), values.split("+"), strict=True):
            ranks[coin] = int(value)
            piece = marker_piece(coin, int(value))
            facts = {"worth": 10 * int(value) or 1}
            narration.tell(
                EffectKind.REVEAL,
                piece=piece,
                key=marker_key(coin),
                target=spot_of(state, cell),
                clause="DASH-4.2",
                facts=facts,
            )
        narration.set(ranks=tuple(ranks))
        left = [other for other in states_of_round(state) if narration.state.hidden_at(other)]
        if left:
            narration.phase(Phase.REVEAL, "DASH-4.2", states_left=len(left))
        else:
            narration.phase(Phase.ROLL, "DASH-4.3")


def _unseen_ranks(state: State, region: int) -> list[int]:
    """The values of a region's coins that nobody has seen."""
    seen = state.ranks[6 * region : 6 * region + 6]
    return [rank for rank in range(5, -1, -1) if rank not in seen]


def begin_round(narration: DashNarration) -> None:
    """The next round with coins on its states; after the fifth comes the convention."""
    narration.set(idle=0)
    while narration.state.campaigning:
        if any(narration.state.hidden_at(cell) for cell in states_of_round(narration.state)):
            holder = TITLES[narration.state.holder].text
            return narration.phase(Phase.REVEAL, "DASH-4.2", round=narration.state.round + 1, dice_with=holder)
        if any(narration.state.stake_at(cell) for cell in states_of_round(narration.state)):
            return narration.phase(Phase.ROLL, "DASH-4.3")
        pass_dice(narration)
    return begin_convention(narration)


def pass_dice(narration: DashNarration) -> None:
    state = narration.state
    holder = next_holder(state.players, (state.holder + 1) % 4)
    narration.set(round=state.round + 1, holder=holder)


def _rank_word(text: str) -> str:
    try:
        return parse_rank(text).word
    except ValueError:
        return text

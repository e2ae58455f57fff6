"""Search for the actions that explain a table: none, one, or two or three in a row. Each hypothesis is scored by how
well the table that it leads to explains what was seen."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, reduce
from itertools import accumulate, chain, islice, pairwise
from typing import Any

from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.effects import Effect, EffectKind
from rules.engine.turn import TurnKind
from rules.pieces import Piece
from rules.referee.change_evidence import ChangeSinceQuestion
from rules.referee.detection_rates import spot
from rules.referee.dice import off_board_dice
from rules.referee.fit import LayoutEvidence, Residual
from rules.referee.memory import Question
from rules.referee.tuning import SearchLimits
from rules.referee.verdict import Choice
from rules.table.change import Change, change_between
from rules.table.layout import Layout, Placed

ThrownDice = frozenset[Piece]
LayoutOf = Callable[[Any], Layout]
"""The expected layout of a state."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """Some actions, the state after them, and its fit to the table. `chosen` counts the actions that somebody decided
    on. Values of dice and coins carry no prior, unless the table does not show them: those are counted in
    `unread_values`. `thrown`: the dice as they were thrown; one throw is read only once."""

    actions: tuple[Action, ...]
    state: Any
    fit: Residual
    limits: SearchLimits
    """The priors."""
    chosen: int = 0
    unread: int = 0
    thrown: ThrownDice = frozenset()
    assumed: int = 0
    """Number of leading actions that were assumed at an earlier look."""
    assumed_nats: float = 0.0
    """Their prior cost, above that of the likeliest actions then."""
    question_nats: float = 0.0
    """Cost by an open question: that nothing had been done when it was asked, and changes of the picture since."""

    @property
    def is_start(self) -> bool:
        """Whether no action was added since the look before."""
        return len(self.actions) == self.assumed

    @property
    def verbs(self) -> tuple[str, ...]:
        return tuple(action.verb for action in self.actions)

    @property
    def residual_nats(self) -> float:
        """Nats left unexplained, with what the layout does not name."""
        return self.fit.cost + self.fit.unstated

    @property
    def unexplained(self) -> frozenset[object]:
        """The sightings that it explains badly or not at all, and the places of pieces that are not seen there."""
        mismatched = self.fit.mismatched
        pieces = (*self.fit.missing, *(placed for placed, _ in mismatched))
        sightings = frozenset(seen.index for seen in (*self.fit.extra, *(seen for _, seen in mismatched)))
        return sightings | {spot(placed) for placed in pieces}

    @property
    def cost(self) -> float:
        return self.residual_nats + self.prior_nats + self.question_nats

    @property
    def prior_nats(self) -> float:
        """Its prior cost without what an open question adds."""
        return sum(nats for nats, _ in self.priors[:-1])

    @property
    def priors(self) -> tuple[tuple[float, str], ...]:
        """Its prior costs, in nats, each with its reason."""
        limits, values = self.limits, len(self.actions) - self.assumed - self.chosen
        return (
            (limits.prior_nats[min(self.chosen, 3)], f"{self.chosen} chosen actions"),
            (limits.value_nats * values, f"{values} values shown"),
            (limits.unread_nats * self.unread, f"{self.unread} values not read"),
            (self.assumed_nats, "assumed actions"),
            (self.question_nats, "by what was asked"),
        )

    def with_action(self, action: Action, state: Any, fit: Residual) -> Hypothesis:
        return replace(self, actions=(*self.actions, action), state=state, fit=fit, chosen=self.chosen + 1)

    def with_value(self, action: Action, state: Any, fit: Residual, thrown: ThrownDice, unread: int) -> Hypothesis:
        """The hypothesis with a value more, and the dice that showed it; `unread`: number of values of it that are not
        seen. Faces that a die showed before it was thrown again cannot be read."""
        unread += self.unread + _is_rethrown(self.thrown, thrown)
        dice = _current_dice(self.thrown, thrown)
        return replace(self, actions=(*self.actions, action), state=state, fit=fit, unread=unread, thrown=dice)


Successors = Callable[[Hypothesis], list[Hypothesis]]


@dataclass(frozen=True, slots=True)
class Explanations:
    """The hypotheses found, cheapest first. `truncated`: the budget ended the search. `is_exhaustive`: where each
    action ends a turn, every single action that could explain a changed piece was tried, alone or after a traceless
    one. `pairs_exhausted`: all pairs were tried and none explains a part, so a third action would have to explain all
    of it. `has_round_trip`: several moves of one piece explain the table."""

    found: list[Hypothesis]
    truncated: bool = False
    is_exhaustive: bool = True
    pairs_exhausted: bool = False
    has_round_trip: bool = False

    @property
    def best(self) -> Hypothesis:
        return self.found[0]

    @property
    def null(self) -> Hypothesis:
        return next(h for h in self.found if not h.actions)


class HypothesisSearch:
    """Searches for the actions that explain one table."""

    def __init__(
        self,
        game: AnyGame,
        table: LayoutEvidence,
        thrown: bool = False,
        tables: float | None = None,
        layout: LayoutOf | None = None,
        question: Question | None = None,
        since: ChangeSinceQuestion | None = None,
    ) -> None:
        """`thrown`: dice were thrown; if the game waits for a throw, they may show the same as before. `tables`:
        maximum number of actions tried. `layout`: the game's, cached across searches. `question`: an open one, whose
        answers may have been done before this look; the search continues from each. `since`: what changed since it
        was asked."""
        self._question, self._since = question, since
        self._dice_thrown = thrown
        self._game, self._table = game, table
        self._layout = layout or cache(game.layout)
        self._limits, self._decision = table.tuning.search, table.tuning.decision
        self._max_tried = self._limits.max_tables if tables is None else tables
        self._half = self._max_tried / 2
        self._truncated = False
        self.tried = 0
        """Number of actions tried."""
        self._suggested_cache: dict[tuple[tuple[Action, ...], int], list[Hypothesis]] = {}
        self._fit_cache: dict[Any, Residual] = {}
        self._throw_cost_cache: dict[Any, dict[Action, float]] = {}
        self._equal_throw_cache: dict[object, dict[Action, float]] = {}
        self._least_residual: dict[tuple[Action, ...], float] = {}
        self._pairs_exhausted = False

    def with_budget(self, tables: float) -> HypothesisSearch:
        """A new search with a larger budget that shares the fits computed so far."""
        asked = self._question, self._since
        search = HypothesisSearch(self._game, self._table, self._dice_thrown, tables, self._layout, *asked)
        search._fit_cache, search._throw_cost_cache = self._fit_cache, self._throw_cost_cache
        return search

    def suggested(self, state: Any) -> list[Hypothesis]:
        """Hypotheses from the games' suggestions alone, up to three actions deep."""
        null = self.null_hypothesis(state)
        return self._guided([null, *self.values(null)], null, alone=True)

    def null_hypothesis(self, state: Any) -> Hypothesis:
        return Hypothesis((), state, self._fit(state), self._limits)

    def _after_answer(self, null: Hypothesis, question: Question, answer: Choice) -> Hypothesis:
        """Where the dice lie as when it was asked, an assumed throw is the one that they show."""
        state, thrown = null.state, ThrownDice()
        for action in answer.actions:
            step = self._game.apply(state, action)
            state, thrown = step.state, _current_dice(thrown, _thrown_by(step.effects))
        hypothesis = replace(null, actions=answer.actions, state=state, fit=self._fit(state))
        hypothesis = replace(hypothesis, assumed=len(answer.actions), assumed_nats=answer.prior_nats)
        return hypothesis if question.dice is None else replace(hypothesis, thrown=thrown)

    def search(self, state: Any) -> Explanations:
        """The explanations of the table: suggestions first, up to three actions deep, and the other legal actions only
        while those explain nothing, or only with a piece that is not seen: others may be unseen there as well."""
        null, question = self.null_hypothesis(state), self._question
        roots = [null]
        if question is not None:
            roots += [self._after_answer(null, question, answer) for answer in question.answers]
        start = [*roots, *(one for root in roots for one in self.values(root))]
        is_quiet = null.fit.cost <= self._decision.quiet_nats and not self._dice_thrown
        is_unchanged = is_quiet and self._is_explained(min(start, key=lambda h: h.cost))
        found = start if is_unchanged else self._guided(start, null)
        is_exhaustive = True
        if not any(self._explains(state, h) and not has_unseen(h, null) for h in found):
            # The search of legal actions has its own budget, beside what the suggestions used.
            self._max_tried, self._half = self._max_tried + self.tried, self._half + self.tried
            self._truncated = False
            others, is_exhaustive = self._exhaustive(start, null)
            found = found + others
        return self._explanations(state, found, is_exhaustive)

    def _is_explained(self, best: Hypothesis) -> bool:
        return best.fit.cost <= self._decision.explained_nats and not awaits_value(self._game, best)

    def _explains(self, state: Any, hypothesis: Hypothesis) -> bool:
        explains = self._is_explained(hypothesis) and bool(hypothesis.actions)
        return explains and not self._is_round_trip(state, hypothesis)

    def _guided(self, start: list[Hypothesis], null: Hypothesis, alone: bool = False) -> list[Hypothesis]:
        """Hypotheses from suggestions, which are few enough for three actions. Where it takes several, a single action
        that was not suggested is tried as well; `alone`: it is not."""
        found, frontier = list(start), start
        for depth in range(1, self._limits.max_actions + 1):
            expanded = self._expand(frontier, self._suggested)
            found += expanded
            if any(h.fit.cost <= self._limits.satisfied_nats and self._explains(null.state, h) for h in expanded):
                single = [] if depth == 1 or alone else start
                return found + [one for h in single for one in self._rest(h, needed=False)]
            if self._is_half_spent():
                break
            frontier = self._promising(expanded, null, self._limits.guided_beam)
        return found

    def _exhaustive(self, start: list[Hypothesis], null: Hypothesis) -> tuple[list[Hypothesis], bool]:
        """Hypotheses from all legal actions, deeper only while nothing explains the table, and whether all were
        tried."""
        frontier, traceless = start, list[Hypothesis]()
        found: list[Hypothesis] = []
        is_exhaustive = True
        for depth in range(1, self._limits.max_actions + 1):
            if found and self._is_explained(min(found, key=lambda h: h.cost)):
                break
            if depth == self._limits.max_actions:
                max_residual = null.residual_nats - self._limits.part_nats
                is_partial = any(h.residual_nats <= max_residual for h in (*frontier, *traceless))
                self._pairs_exhausted = not (self._truncated or is_partial)
            if depth > 1 and self._is_spent():
                is_exhaustive = is_exhaustive and not traceless
                break
            expanded = self._expand(traceless or frontier, self._all_successors)
            if depth == 1:
                is_exhaustive = not self._truncated and self._ends_turns(null.state, expanded)
            elif depth == 2 and traceless:
                is_exhaustive = is_exhaustive and not self._truncated
            if traceless:
                expanded += self._expand(frontier, self._all_successors)
            found += expanded
            frontier = self._promising(expanded, null, self._limits.beam)
            traceless = _traceless(expanded, null, self._limits.beam)
        return found, is_exhaustive

    def _promising(self, expanded: list[Hypothesis], null: Hypothesis, count: int) -> list[Hypothesis]:
        """Candidates for the first of several actions: those that leave hardly more than the null hypothesis, or
        explain something that it does not. One per state."""
        states: dict[Any, Hypothesis] = {}
        for hypothesis in sorted(expanded, key=lambda h: h.residual_nats):
            is_near = hypothesis.residual_nats <= null.residual_nats + self._limits.max_worse_nats
            if is_near or not null.unexplained <= hypothesis.unexplained:
                states.setdefault(hypothesis.state, hypothesis)
        return list(islice(states.values(), count))

    def _explanations(self, state: Any, found: list[Hypothesis], is_exhaustive: bool) -> Explanations:
        if self._question is not None and self._question.answers:
            answers = ((), *(answer.actions for answer in self._question.answers))
            lying = {actions: self._layout(reduce(self._game.advance, actions, state)) for actions in answers}
            null_nats = self._question.null_nats
            found = [replace(h, question_nats=self._question_nats(h, lying, null_nats)) for h in found]
        unique = list({h.actions: h for h in sorted(found, key=lambda h: -h.cost)}.values())
        explaining = (h for h in unique if h.fit.cost <= self._decision.explained_nats)
        round_trips = {h.actions: h for h in explaining if self._is_round_trip(state, h)}
        has_round_trip = any(self._moves_only_displaced(state, h) for h in round_trips.values())
        found = sorted((h for h in unique if h.actions not in round_trips), key=lambda h: h.cost)
        return Explanations(found, self._truncated, is_exhaustive, self._pairs_exhausted, has_round_trip)

    def _question_nats(
        self, hypothesis: Hypothesis, lying: Mapping[tuple[Action, ...], Layout], null_nats: float
    ) -> float:
        """The cost of a hypothesis by an open question. `lying`: the table when it was asked, if nothing had been done
        and by each followed answer. What begins like an answer and was not assumed was done since; what begins
        otherwise may be an answer that is not followed."""
        actions, assumed = hypothesis.actions, hypothesis.assumed
        if actions and not assumed and not any(answer and actions[: len(answer)] == answer for answer in lying):
            return 0.0
        then, now = lying[actions[:assumed]], self._layout(hypothesis.state)
        change = self._since.nats(then, now) if self._since is not None else 0.0
        return change if assumed else change + null_nats

    def _ends_turns(self, state: Any, expanded: list[Hypothesis]) -> bool:
        """Whether nobody acts twice in a row."""
        seat = self._game.turn(state).seat
        return all(self._game.turn(h.state).seat != seat for h in expanded if len(h.actions) == 1)

    def _is_round_trip(self, state: Any, hypothesis: Hypothesis) -> bool:
        """Whether several moves leave fewer changes than there were moves: going there and back explains anything."""
        if hypothesis.chosen < 2:
            return False
        layouts = self._layouts(state, hypothesis)
        visible = sum(a != b for a, b in pairwise(layouts))
        return change_between(layouts[0], layouts[-1]).count < visible

    def _moves_only_displaced(self, state: Any, hypothesis: Hypothesis) -> bool:
        """Whether only pieces were moved that lie elsewhere in the end, so that it is no round trip."""
        before, *layouts = self._layouts(state, hypothesis)
        changes = [change_between(before, layout) for layout in layouts]
        moved = [{p.key for p in (*c.removed, *(m.before for m in c.moved))} for c in changes]
        return all(keys <= moved[-1] for keys in moved)

    def _layouts(self, state: Any, hypothesis: Hypothesis) -> list[Layout]:
        return [self._layout(after) for after in accumulate(hypothesis.actions, self._game.advance, initial=state)]

    def _expand(self, frontier: list[Hypothesis], after: Successors) -> list[Hypothesis]:
        expanded = self._expand_each(frontier, after)
        likely = sorted(expanded, key=lambda h: h.residual_nats)[: self._limits.beam]
        return expanded + [one for hypothesis in likely for one in self.values(hypothesis)]

    def _expand_each(self, frontier: list[Hypothesis], after: Successors) -> list[Hypothesis]:
        expanded: list[Hypothesis] = []
        for hypothesis in frontier:
            if not self._game.turn(hypothesis.state).is_over:
                expanded += after(hypothesis)
            if self._is_spent():
                break
        return expanded

    def _all_successors(self, start: Hypothesis) -> list[Hypothesis]:
        """One action more: the suggestions and, if they do not explain the table, all other legal actions."""
        expanded = self._suggested(start)
        least = min((h.residual_nats for h in expanded if not has_unseen(h, start)), default=math.inf)
        if least > self._decision.explained_nats and not self._is_spent():
            expanded = expanded + self._rest(start)
        return expanded

    def _suggested(self, start: Hypothesis) -> list[Hypothesis]:
        key = start.actions, start.assumed
        if key not in self._suggested_cache:
            others = self._table.alternative_changes(self._layout(start.state), start.fit)
            changes = chain([self._change_from(start)], others)
            actions = chain.from_iterable(self._game.suggest(start.state, change) for change in changes)
            suggested = dict.fromkeys([*islice(actions, self._action_limit(start)), *self._other_throws(start)])
            # Suggestions need not be legal, least of all after assumed actions.
            legal = (action for action in suggested if self._game.refusal(start.state, action) is None)
            self._suggested_cache[key] = self._apply_each(start, legal)
        return self._suggested_cache[key]

    def _other_throws(self, start: Hypothesis) -> list[Action]:
        """The likeliest throws of doubtful dice, which games do not suggest."""
        if not self._table.dice_are_doubtful or self._game.turn(start.state).kind is not TurnKind.CHANCE:
            return []
        likely = self._likely_throws(start, list(islice(self._game.legal(start.state), self._limits.max_first)))
        return likely if len(likely) <= self._limits.kept_throws else []

    def _rest(self, start: Hypothesis, needed: bool = True) -> list[Hypothesis]:
        """Legal actions not suggested; those that touch nothing changed come last, and only as a first action."""
        places, suggested = self._change_from(start).places, {h.actions[-1] for h in self._suggested(start)}
        game, state = self._game, start.state
        touching = self._untried(
            start, chain(game.legal(state, touching=places), game.without_targets(state)), suggested
        )
        expanded = self._apply_each(start, self._likely_throws(start, touching), needed)
        least = min((h.residual_nats for h in expanded), default=math.inf)
        if needed and start.is_start and least > self._decision.explained_nats:
            rest = self._untried(start, game.legal(state), suggested.union(touching))
            expanded += self._apply_each(start, self._likely_throws(start, rest), needed=False)
        return expanded

    def _untried(self, start: Hypothesis, actions: Iterable[Action], excluded: Collection[Action]) -> list[Action]:
        return [action for action in islice(actions, self._action_limit(start)) if action not in excluded]

    def _likely_throws(self, start: Hypothesis, legal: list[Action]) -> list[Action]:
        """The few of hundreds of throws that are worth a comparison with the whole table, by their dice."""
        if len(legal) <= self._limits.kept_throws or self._game.turn(start.state).kind is not TurnKind.CHANCE:
            return legal
        dice_costs, displacement_costs = self._throw_costs(start), self._displacement_costs(start, legal)
        cost = {throw: dice_costs[throw] + displacement_costs.get(throw, 0.0) for throw in legal}
        if len(set(cost.values())) == 1:
            return legal
        return sorted(legal, key=cost.__getitem__)[: self._limits.kept_throws]

    def _displacement_costs(self, start: Hypothesis, throws: list[Action]) -> dict[Action, float]:
        """Nats of the table without its dice after each throw, summed over dice from throws that differ in one of them.
        Empty where their effects are not independent."""
        single, other = _single_die_throws(tuple(throws))
        if not single:
            return {}
        costs = {throw: self._cost_without_dice(self._game.advance(start.state, throw)) for throw in (*single, other)}
        first, base = _die_faces(single[0]), costs[single[0]]
        extra = {
            change: costs[throw] - base
            for throw in single
            for change in enumerate(_die_faces(throw))
            if change[1] != first[change[0]]
        }
        totals = {throw: sum(extra.get(change, 0.0) for change in enumerate(_die_faces(throw))) for throw in throws}
        return totals if math.isclose(base + totals[other], costs[other], abs_tol=self._limits.informative_nats) else {}

    def _cost_without_dice(self, state: Any) -> float:
        return self._fit(state).cost - self._table.dice_nats(off_board_dice(self._layout(state)))

    def _throw_costs(self, start: Hypothesis) -> dict[Action, float]:
        """Nats of the dice for each legal throw."""
        if start.state not in self._throw_cost_cache:
            self._throw_cost_cache[start.state] = self._computed_throw_costs(start)
        return self._throw_cost_cache[start.state]

    def _computed_throw_costs(self, start: Hypothesis) -> dict[Action, float]:
        """The same, of which there may be more than a thousand: combined from single-die throws where that is exact.
        Equal throws of equal dice are computed once, whatever was done before."""
        throws = tuple(islice(self._game.legal(start.state), self._limits.max_first))
        single, other = _single_die_throws(throws)
        shown = [self._dice_after(start, throw) for throw in (*single, other)]
        key = throws, tuple(map(tuple, shown))
        if key not in self._equal_throw_cache:
            combined = _combined_throws(dict(zip(single, shown, strict=False)), throws) if single else {}
            is_consistent = bool(single) and [die.piece for die in combined[other]] == [die.piece for die in shown[-1]]
            self._equal_throw_cache[key] = (
                {throw: self._table.dice_nats(dice) for throw, dice in combined.items()} if is_consistent else {}
            )
        costs = self._equal_throw_cache[key]
        return costs or {throw: self._table.dice_nats(self._dice_after(start, throw)) for throw in throws}

    def _dice_after(self, start: Hypothesis, throw: Action) -> list[Placed]:
        return off_board_dice(self._layout(self._game.advance(start.state, throw)))

    def _action_limit(self, start: Hypothesis) -> int:
        """Maximum number of actions tried here; a throw is one of many."""
        return self._limits.max_first if start.is_start or self._awaits_value(start) else self._limits.max_later

    def _change_from(self, start: Hypothesis) -> Change:
        return self._table.change(self._layout(start.state), start.fit)

    def _apply_each(self, start: Hypothesis, actions: Iterable[Action], needed: bool = True) -> list[Hypothesis]:
        """The hypotheses after these actions. `needed`: the others get half of the budget."""
        is_value = self._game.turn(start.state).kind is TurnKind.CHANCE
        outcomes: list[tuple[Action, Any, Residual, ThrownDice]] = []
        for action in actions:
            if is_value:
                step = self._game.apply(start.state, action)
                state, thrown = step.state, _thrown_by(step.effects)
            else:
                state, thrown = self._game.advance(start.state, action), ThrownDice()
            if not thrown or not thrown <= start.thrown:  # one picture shows one throw
                outcomes.append((action, state, self._fit(state), thrown))
            self.tried += 1
            if self._is_spent() if needed else self._is_half_spent():
                break
        if not is_value:
            return [start.with_action(action, state, fit) for action, state, fit, _ in outcomes]
        unread = not self._is_informative(start, [fit for _, _, fit, _ in outcomes])
        # A die that lies as it lay was hardly thrown again.
        at_rest = [self._table.count_at_rest(thrown) for _, _, _, thrown in outcomes]
        return [
            start.with_value(*outcome, max(unread, count)) for outcome, count in zip(outcomes, at_rest, strict=True)
        ]

    def _fit(self, state: Any) -> Residual:
        """The fit of a state, cached, as several ways lead to it. Faces that are not named count only where a throw or
        a vote is waited for: elsewhere the dice lie about from an earlier one."""
        fit = self._fit_cache.get(state)
        if fit is None:
            fit = self._table.fit(self._layout(state))
            if fit.unread_dice > 0 and self._game.turn(state).kind in (TurnKind.CHANCE, TurnKind.ALL):
                fit = replace(fit, unstated=fit.unstated + fit.unread_dice)
            self._fit_cache[state] = fit
        return fit

    def _awaits_value(self, hypothesis: Hypothesis) -> bool:
        """Whether dice or coins have a value to show that the state does not know, or that differs from the one that it
        kept. No throw is read twice."""
        if awaits_value(self._game, hypothesis):
            return True
        is_new_throw = self._dice_thrown and not hypothesis.thrown and not hypothesis.is_start
        if not is_new_throw or self._game.turn(hypothesis.state).kind is not TurnKind.CHANCE:
            return False
        dice = off_board_dice(self._layout(hypothesis.state))
        return self._table.dice_nats(dice) > self._limits.informative_nats

    def _is_informative(self, start: Hypothesis, fits: list[Residual]) -> bool:
        """Whether the table confirms any of these values: then each costs only what it does not explain."""
        least = min((fit.cost + fit.unstated for fit in fits), default=math.inf)
        self._least_residual[start.actions] = least = min(least, self._least_residual.get(start.actions, math.inf))
        return least <= start.residual_nats - self._limits.informative_nats

    def values(self, hypothesis: Hypothesis) -> list[Hypothesis]:
        """Values of dice and turned coins, read one by one; all readings within the margin are continued."""
        found: list[Hypothesis] = []
        ends = [hypothesis]
        for _ in range(self._limits.max_values):
            waiting = [end for end in ends if self._awaits_value(end)]
            if self._is_spent() or not waiting:
                break
            expanded = self._expand_each(waiting, self._all_successors)
            cheapest = sorted({h.actions: h for h in expanded}.values(), key=lambda h: h.residual_nats)
            shown = cheapest[: self._limits.kept_values]
            if not shown or shown[0].residual_nats > min(end.residual_nats for end in waiting):
                break
            found += shown
            ends = [end for end in shown if end.residual_nats < shown[0].residual_nats + self._decision.margin_nats]
        return found

    def _is_half_spent(self) -> bool:
        return self.tried > self._half

    def _is_spent(self) -> bool:
        spent = self.tried >= self._max_tried
        self._truncated = self._truncated or spent
        return spent


@lru_cache(maxsize=8)
def _single_die_throws(throws: tuple[Action, ...]) -> tuple[list[Action], Action]:
    """The throws that differ from the first in at most one die, and the one that differs in most. The first is empty
    where the throws are not all combinations of independent dice."""
    faces = [_die_faces(throw) for throw in throws]
    first = faces[0]
    changed_dice = {
        throw: sum(a != b for a, b in zip(each, first, strict=False)) for throw, each in zip(throws, faces, strict=True)
    }
    other = max(throws, key=changed_dice.__getitem__)
    if len({throw.verb for throw in throws}) > 1 or len({len(each) for each in faces}) > 1:
        return [], other
    if len(first) < 2 or math.prod(len(set(die)) for die in zip(*faces, strict=True)) != len(throws):
        return [], other
    return [throw for throw in throws if changed_dice[throw] < 2], other


def _combined_throws(
    dice_by_throw: Mapping[Action, list[Placed]], throws: Sequence[Action]
) -> dict[Action, list[Placed]]:
    """The dice after each throw, combined from throws in which one die alone differs."""
    first, base = _die_faces(throws[0]), dice_by_throw[throws[0]]
    base_faces = {die.key: die.piece for die in base}
    single = {
        (nth, face): {die.key: die for die in dice if base_faces.get(die.key) != die.piece}
        for throw, dice in dice_by_throw.items()
        for nth, face in enumerate(_die_faces(throw))
        if face != first[nth]
    }
    combined = {}
    for throw in throws:
        changed: dict[str, Placed] = {}
        for nth, face in enumerate(_die_faces(throw)):
            changed |= single.get((nth, face), {})
        combined[throw] = [changed.get(die.key, die) for die in base]
    return combined


def _die_faces(throw: Action) -> list[str]:
    return [face for each in throw.args for face in each.split("+")]


def _thrown_by(effects: Iterable[Effect]) -> ThrownDice:
    return ThrownDice(effect.piece for effect in effects if effect.kind is EffectKind.ROLL and effect.piece is not None)


def _is_rethrown(before: ThrownDice, now: ThrownDice) -> bool:
    return not {die.suit for die in before}.isdisjoint(die.suit for die in now)


def _current_dice(before: ThrownDice, now: ThrownDice) -> ThrownDice:
    """The dice after some of them were thrown again."""
    again = {die.suit for die in now}
    return now.union(die for die in before if die.suit not in again)


def awaits_value(game: AnyGame, hypothesis: Hypothesis) -> bool:
    """Whether the table has to show a value now (a die, a turned coin) that the state does not know."""
    return game.turn(hypothesis.state).kind is TurnKind.CHANCE and hypothesis.fit.unstated > 0


def has_unseen(hypothesis: Hypothesis, null: Hypothesis) -> bool:
    """Whether it lays a piece that is not seen there."""
    return not set(hypothesis.fit.missing) <= set(null.fit.missing)


def _traceless(hypotheses: list[Hypothesis], null: Hypothesis, beam: int) -> list[Hypothesis]:
    """Actions that leave the table as it is: they may come before one that does not."""
    unchanged = [h for h in hypotheses if abs(h.fit.cost - null.fit.cost) < 1e-9]
    likeliest = {id(h) for h in sorted(hypotheses, key=lambda h: h.residual_nats)[:beam]}
    return [h for h in unchanged[:beam] if id(h) not in likeliest]

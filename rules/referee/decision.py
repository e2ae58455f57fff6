"""The verdict on a table: nothing, an action, one of several, something taken back, or nothing legal explains it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import islice

from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.effects import EffectKind
from rules.engine.history import History
from rules.engine.turn import TurnKind
from rules.pieces import Kind
from rules.referee.accusation import Case
from rules.referee.change_evidence import ChangeSinceQuestion
from rules.referee.detection_rates import spot
from rules.referee.dice import off_board_dice
from rules.referee.explanation import Comparison
from rules.referee.hypothesis import Explanations, Hypothesis, HypothesisSearch, LayoutOf, awaits_value, has_unseen
from rules.referee.likelihood import TableLikelihood
from rules.referee.memory import Memory, Question
from rules.referee.tuning import Tuning
from rules.referee.verdict import (
    Choice,
    Verdict,
    VerdictKind,
    actions_sentence,
    distinguishing_mentions,
    question_sentence,
)
from rules.sentence import say
from rules.table.change import change_between, changed_layout
from rules.table.evidence import FrameDiff
from rules.table.layout import Layout, Placed, Zone


@dataclass(frozen=True, slots=True)
class Decision:
    """Weighs the explanations of one reading of a table; `step` tells of it."""

    history: History
    memory: Memory
    layout: LayoutOf
    """The game's, cached: several readings of a table ask for the same states."""
    question: Question | None
    """The open question, if any..."""
    since_question: FrameDiff | None
    """... and the picture compared with that of its look."""
    dice_thrown: bool
    step: Comparison

    @property
    def game(self) -> AnyGame:
        return self.history.game

    @property
    def view(self) -> TableLikelihood:
        return self.step.view

    @property
    def tuning(self) -> Tuning:
        return self.view.tuning

    def verdict(self) -> Verdict:
        verdict = self._decide()
        self.step.note(f"{verdict.kind.value}: {verdict.text}")
        return verdict

    def _decide(self) -> Verdict:
        state, view, step = self.history.state, self.view, self.step
        null = Hypothesis((), state, view.fit(self.layout(state)), self.tuning.search)
        step.found = [null]
        quiet_nats = self.tuning.decision.quiet_nats
        step.note(f"that nothing was done leaves {null.fit.cost:.2f} nats; up to {quiet_nats:.2f} is no news")
        if null.fit.cost <= quiet_nats and not self._awaits_value(null):
            return Verdict(VerdictKind.SETTLED, say("nothing has changed"), margin=quiet_nats - null.fit.cost)
        case = self._searched()
        search, best, step.found = case.search, case.search.best, case.search.found
        step.note(f"{len(search.found)} explanations{' before the budget was spent' if search.truncated else ''}")
        undone, undone_nats = self._best_undo() if self.memory.ever_explained else (0, math.inf)
        is_likelier = undone_nats + self.tuning.decision.undo_nats < best.cost - self.tuning.decision.margin_nats
        is_explained = undone_nats <= self.tuning.decision.explained_nats
        if is_likelier and is_explained and self._matches_undone_state(undone):
            step.note(f"that {undone} actions were taken back leaves {undone_nats:.2f} nats")
            text = say("the last action was taken back", "the last {count} actions were taken back", count=undone)
            return Verdict(VerdictKind.ACCEPTED, text, undone=undone, margin=best.cost - undone_nats)
        if self._is_explained(search):
            return self._choose(search)
        verdict = case.verdict()
        step.note(case.reason)
        return verdict

    def _searched(self) -> Case:
        """The case with its hypotheses, from the known state and from each answer to an open question. The budget is
        extended where it ended the search and the best explains only a part, or somebody would be accused."""
        assumed = self.question.answers if self.question else ()
        if assumed:
            self.step.note(f"an open question: explained from each of {len(assumed)} answers on as well")
        tables = min(self.tuning.decision.max_following_tables, self.tuning.search.max_tables * (1 + len(assumed)))
        since = self._change_since_question(answer.actions for answer in assumed)
        seeker = HypothesisSearch(self.game, self.view, self.dice_thrown, tables, self.layout, self.question, since)
        search = seeker.search(self.history.state)
        case = Case(self.game, self.view, search)
        is_cut_short = search.truncated and search.best.fit.cost > self.tuning.decision.explained_nats
        is_doubtful = search.best.actions or (not case.is_searched and case.reason_not_to_accuse is None)
        if is_cut_short and is_doubtful and tables < self.tuning.decision.min_tables:
            seeker = seeker.with_budget(self.tuning.decision.min_tables)
            return Case(self.game, self.view, seeker.search(self.history.state))
        return case

    def _change_since_question(self, answers: Iterable[tuple[Action, ...]]) -> ChangeSinceQuestion | None:
        """What changed since the open question, where there are pictures of both moments."""
        if self.since_question is None:
            return None
        before = self.layout(self.history.state)
        laid = [
            placed
            for answer in answers
            for placed in _placed_on_board(before, self.layout(with_actions(self.history, answer).state))
        ]
        return ChangeSinceQuestion(self.since_question, laid, self.tuning)

    def _is_explained(self, search: Explanations) -> bool:
        """Whether the best hypothesis leaves no more than a true table does. Else it is compared with its rivals: that
        pieces were laid against the rules besides, that the action is unknown; and unless something was done for
        certain, no other outcome may come near it, and what it lays must be seen."""
        thresholds, best, null = self.tuning.decision, search.best, search.null
        residual_nats = best.fit.cost
        self.step.note(f"the best leaves {residual_nats:.2f} nats; up to {thresholds.explained_nats:.2f} is explained")
        if residual_nats <= thresholds.explained_nats:
            return True
        is_certain = null.fit.cost - residual_nats > thresholds.certain_factor * thresholds.margin_nats
        if (
            not best.actions
            or residual_nats > thresholds.unknown_nats
            or not (is_certain or self._is_alone(search.found, null))
        ):
            return False
        illegal = min(self._illegal_edit_cost(one) for one in (*search.found[: thresholds.max_edited], null))
        self.step.note(f"that pieces were laid against the rules costs {illegal:.2f} at least")
        return best.cost <= illegal

    def _is_alone(self, found: list[Hypothesis], null: Hypothesis) -> bool:
        """Whether what the best lays is seen, and no other outcome comes near it, not even that nothing was done."""
        if has_unseen(found[0], null):
            return False
        near = [one for one in found if one.cost < found[0].cost + self.tuning.decision.margin_nats]
        return len(self._distinct(self._without_invisible_tails(near))) == 1

    def _illegal_edit_cost(self, hypothesis: Hypothesis) -> float:
        """Cost of the hypothesis that the remaining pieces were laid as detected, against the rules. A piece that is
        only missing is gone where the picture shows it."""
        layout, view = self.layout(hypothesis.state), self.view
        observed = view.change(layout, hypothesis.fit)
        change = replace(observed, removed=tuple(p for p in observed.removed if view.shows_removal(p)))
        if not change.count:
            return math.inf
        cost = view.fit(changed_layout(layout, change)).cost
        return hypothesis.cost - hypothesis.fit.cost + cost + self.tuning.decision.edit_nats * change.count

    def _awaits_value(self, null: Hypothesis) -> bool:
        """Whether the table has to show a value now: an unknown one, or the same again."""
        if awaits_value(self.game, null):
            return True
        dice = any(p.piece.kind is Kind.DIE for p in self.layout(null.state))
        return self.dice_thrown and dice and self.game.turn(null.state).kind is TurnKind.CHANCE

    def _choose(self, search: Explanations) -> Verdict:
        """The verdict on a table that the best of these hypotheses explains."""
        best, null = search.best, search.null
        found = self._without_invisible_tails(search.found)
        pending = self._awaits_value(null)
        if pending and not best.actions and self.dice_thrown:
            best = min(
                (h for h in found if h.actions and h.residual_nats <= null.residual_nats),
                key=lambda h: h.cost,
                default=best,
            )
        verdict = self._accept_or_ask(best, null, found, pending)
        rivals = self._rivals(best, found) if verdict.actions or verdict.choices else ()
        null_nats = max(0.0, min(null.cost - best.cost, self.tuning.decision.rival_nats))
        return replace(verdict, rivals=rivals, residual_nats=best.fit.cost, null_nats=null_nats)

    def _accept_or_ask(self, best: Hypothesis, null: Hypothesis, found: list[Hypothesis], pending: bool) -> Verdict:
        """The verdict if this hypothesis is the best. `pending`: the table has to show a value now."""
        limits, view, step = self.tuning.decision, self.view, self.step
        lead, margin_nats = null.cost - best.cost, limits.margin_nats
        null_is_good = null.fit.cost <= limits.explained_nats and not pending
        if not best.actions or (null_is_good and lead < limits.ask_nats):
            step.note(f"that nothing was done is as good, within {limits.ask_nats:.2f} nats")
            return Verdict(VerdictKind.SETTLED, say("nothing has changed"))
        # Where a value was turned up, the null hypothesis states less; then it is no rival.
        close = [h for h in found if h.cost < best.cost + margin_nats and h.fit.unstated <= best.fit.unstated]
        close = [h for h in close if not _is_part(h, best, margin_nats)]
        rivals = self._distinct(close)
        if null_is_good and lead < margin_nats:
            step.note(f"something was likely done, by {lead:.2f} nats")
            acted = [rival for rival in rivals if rival.actions]
            return self.ask([*acted, null])
        if len(rivals) > 1:
            step.note(f"{len(rivals)} different outcomes within {margin_nats:.2f} nats")
            return self.ask(rivals)
        if not view.off_board.dice.is_whole and self._uses_dice(best):
            # The face of a die that is not seen could make anything legal.
            step.note("a die is not seen, and what was done hangs on it")
            return self.ask([best])
        if best.thrown and view.dice_nats(off_board_dice(self.layout(best.state))) > limits.unlike_throw_nats:
            step.note(f"the dice show something else by more than {limits.unlike_throw_nats:.2f} nats")
            return self.ask([best])
        never_seen = self.memory.keyframe is None and not self.memory.ever_explained
        if never_seen and best.chosen and self._is_only_turned(null, best):
            step.note("a piece only turned at a table never seen before")
            return self.ask([best, replace(best, actions=())])
        if self._is_elimination(best, found):
            step.note("of what was asked about others may have been done, which nobody follows up")
            return self.ask([best])
        runner_up = next((h for h in found if h.state != best.state), None)
        if runner_up is not None:
            step.note(f"the next outcome is {runner_up.cost - best.cost:.2f} nats worse")
        return self.accept(best.actions, (runner_up.cost - best.cost) if runner_up else math.inf)

    def _rivals(self, best: Hypothesis, found: list[Hypothesis]) -> tuple[Choice, ...]:
        """The other outcomes that a later table may show to be true, the likeliest first, with their odds against what
        was accepted."""
        near = [h for h in found if h.actions and h.cost < best.cost + self.tuning.decision.rival_nats]
        count = len(best.actions)
        others = (h for h in self._distinct(near) if h.state != best.state and h.actions[:count] != best.actions)
        return tuple(
            Choice(h.actions, math.exp(best.cost - h.cost), h.prior_nats - best.prior_nats)
            for h in islice(others, self.tuning.decision.max_answers)
        )

    def _is_elimination(self, best: Hypothesis, found: list[Hypothesis]) -> bool:
        """Whether an answer to an open question is left only because the others are refuted, while it was likelier none
        of them, which nobody follows. Answers that have led to the same state count together."""
        question = self.question
        if question is None or not best.assumed:
            return False
        left = {h.actions[: h.assumed] for h in found if h.assumed and h.state == best.state}
        return sum(answer.chance for answer in question.answers if answer.actions in left) < question.other_chance

    def _without_invisible_tails(self, found: list[Hypothesis]) -> list[Hypothesis]:
        """The hypotheses without those that only append a traceless action (a secret choice, a pass) to another: no
        picture shows it; the player or the next action tells."""
        by_actions = {h.actions: h for h in found}
        shorter = ((h, by_actions.get(h.actions[:-1]) if len(h.actions) > 1 else None) for h in found)
        return [h for h, one in shorter if one is None or self.layout(one.state) != self.layout(h.state)]

    def _is_only_turned(self, null: Hypothesis, best: Hypothesis) -> bool:
        """Whether everything lies where it lay and something only shows another side or points elsewhere. At a table
        never seen before that is as likely an error of the detector."""
        change = change_between(self.layout(null.state), self.layout(best.state))
        is_in_place = all(move.distance < self.tuning.places.same for move in change.moved)
        return not (change.added or change.removed) and is_in_place

    def _uses_dice(self, hypothesis: Hypothesis) -> bool:
        """Whether dice were thrown and somebody acted on them."""
        state, thrown = self.history.state, False
        for action in hypothesis.actions:
            is_chance = self.game.turn(state).kind is TurnKind.CHANCE
            if thrown and not is_chance:
                return True
            step = self.game.apply(state, action)
            thrown = thrown or any(effect.kind is EffectKind.ROLL for effect in step.effects)
            state = step.state
        return False

    def _distinct(self, found: list[Hypothesis]) -> list[Hypothesis]:
        """The hypotheses with different states, the shortest of each; less than a hand can place is no difference."""
        different: list[Hypothesis] = []
        for one in found[: self.tuning.decision.max_rivals]:
            if not any(one.state == other.state or self._is_equivalent(one, other) for other in different):
                different.append(one)
        return different

    def _is_equivalent(self, one: Hypothesis, other: Hypothesis) -> bool:
        if sorted(one.verbs) != sorted(other.verbs):
            return False
        first_layout, second_layout = self.layout(one.state), self.layout(other.state)
        if Counter(one.actions) == Counter(other.actions) and (
            Counter(map(_comparable, first_layout)) == Counter(map(_comparable, second_layout))
        ):
            return True  # the order of two actions is invisible
        if first_layout == second_layout or one.verbs != other.verbs:
            return False  # the same table may have several meanings: people decide
        return len(first_layout) == len(second_layout) and all(
            (p.key, p.shown, p.zone, p.seat, p.place, p.pose) == (q.key, q.shown, q.zone, q.seat, q.place, q.pose)
            and self._same_direction(p, q)
            and math.hypot(p.x - q.x, p.y - q.y) < self.tuning.decision.hand_spaces
            for p, q in zip(first_layout, second_layout, strict=True)
        )

    def _same_direction(self, one: Placed, other: Placed) -> bool:
        """Whether the directions are too alike to be told apart, if they matter."""
        difference = abs((one.angle - other.angle + 180) % 360 - 180)
        return one.pose is None or difference < self.tuning.likelihood.askew_deg

    def accept(self, actions: tuple[Action, ...], margin: float) -> Verdict:
        entries = with_actions(self.history, actions).entries[len(self.history.entries) :]
        effects = tuple(effect for entry in entries for effect in entry.effects)
        text = actions_sentence(self.game, actions)
        return Verdict(VerdictKind.ACCEPTED, text, actions, effects, margin=min(margin, 99.0))

    def ask(self, rivals: Sequence[Hypothesis]) -> Verdict:
        """The question which of them is true, with its choices, the likeliest first."""
        best, question = rivals[0], self.question
        weights = [math.exp(best.cost - rival.cost) for rival in rivals]
        # None of the answers to an open question may be right, where the likeliest continues one of them.
        other_chance = question.other_chance if question and question.leads_to(best.actions) else 0.0
        choices = tuple(
            Choice(h.actions, weight / sum(weights) * (1.0 - other_chance), h.prior_nats - best.prior_nats)
            for h, weight in zip(rivals, weights, strict=True)
            if h.actions
        )
        text = question_sentence(distinguishing_mentions(self.game, choices))
        return Verdict(VerdictKind.AMBIGUOUS, text, choices=choices[: self.tuning.decision.max_choices])

    def _best_undo(self) -> tuple[int, float]:
        """How many actions to take back for the best fit, and its cost; infinite where there is nothing to take back,
        or none of it was ever detected there: what only people said is not gone."""
        count = min(self.tuning.decision.max_undo, len(self.history.entries))
        states = [self.history.first, *(entry.state for entry in self.history.entries)]
        layouts = [self.layout(states[-1 - n]) for n in range(count + 1)]
        costs = [(self.view.fit(layouts[n]).cost, n) for n in range(1, count + 1)]
        nats, undone = min(costs, default=(math.inf, 0))
        added = _placed_on_board(layouts[undone], layouts[0])
        rates = self.memory.detection.rates if self.memory.detection else {}
        return undone, nats if not added or any(spot(placed) in rates for placed in added) else math.inf

    def _matches_undone_state(self, count: int) -> bool:
        """Whether the places of what would be taken back look as before it was laid: a piece that is only not detected,
        turned perhaps, was not taken back."""
        actions, now = self.history.actions[:-count], self.layout(self.history.state)
        keyframe = self.memory.keyframe.valid_for(actions) if self.memory.keyframe else None
        if keyframe is None or keyframe.actions != actions:
            return True
        return self.view.matches_keyframe(keyframe, _placed_on_board(keyframe.reference.layout, now))


def with_actions(history: History, actions: Iterable[Action]) -> History:
    return reduce(History.play, actions, history)


def _placed_on_board(before: Layout, now: Layout) -> list[Placed]:
    """Pieces that came to lie on the board."""
    change = change_between(before, now)
    return [p for p in change.placed if p.zone is Zone.BOARD]


def _is_part(part: Hypothesis, whole: Hypothesis, margin_nats: float) -> bool:
    """Whether the one is a part of the other's actions, and those left out explain clearly more."""
    is_subset = Counter(part.actions) < Counter(whole.actions)
    return is_subset and bool(part.actions) and part.fit.cost > whole.fit.cost + margin_nats


def _comparable(placed: Placed) -> Placed:
    """The piece as it lies, whatever its key; heaps have no order."""
    if placed.zone is Zone.BOARD:
        return replace(placed, key="")
    return replace(placed, key="", x=0.0, y=0.0, angle=0.0, level=0)

"""What a table comes to: nothing happened, this was done, one of these, something was taken back, or nothing legal
explains it."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.effects import Effect, EffectKind
from rules.engine.history import History
from rules.engine.turn import TurnKind
from rules.pieces import Kind
from rules.referee.accusation import Case
from rules.referee.detection_rates import spot
from rules.referee.dice_likelihood import off_board_dice
from rules.referee.explanation import Comparison, Explanation
from rules.referee.hypothesis import Explanations, Hypothesis, LayoutOf, Seeker, waits_for_a_value
from rules.referee.likelihood import TableLikelihood
from rules.referee.memory import Memory, Question
from rules.referee.tuning import DecisionThresholds, Tuning
from rules.referee.verdict import Choice, Verdict, VerdictKind, asked, done, told_apart
from rules.sentence import say
from rules.table.change import change_between, laid_as_seen
from rules.table.layout import Layout, Placed, Zone


@dataclass(frozen=True, slots=True)
class Decision:
    """Weighs the explanations of one table against each other."""

    history: History
    memory: Memory
    tuning: Tuning
    why: Explanation = field(default_factory=Explanation, compare=False)
    layout: LayoutOf | None = field(default=None, compare=False)
    """The game's, for looks that ask several times for the same states."""
    question: Question | None = None
    """What was asked since the game stood so, and nobody has answered."""

    @property
    def judging(self) -> DecisionThresholds:
        return self.tuning.decision

    @property
    def game(self) -> AnyGame:
        return self.history.game

    def _layout(self, state: Any) -> Layout:
        return (self.layout or self.game.layout)(state)

    def judge(self, view: TableLikelihood, thrown: bool, way: str) -> Verdict:
        """`way`: which reading of the table it is, in words."""
        step = self.why.compare(way, view)
        verdict = self._judge(view, thrown, step)
        step.gate(f"{verdict.kind.value}: {verdict.text}")
        return verdict

    def _judge(self, view: TableLikelihood, thrown: bool, step: Comparison) -> Verdict:
        state = self.history.state
        still = view.fit(self._layout(state))
        unmoved = Hypothesis((), state, still, self.tuning.search)
        step.found = [unmoved]
        step.gate(f"that nothing was done leaves {still.cost:.2f} nats; up to {self.judging.quiet_nats:.2f} is no news")
        if still.cost <= self.judging.quiet_nats and not self._waits(unmoved, thrown):
            return Verdict(VerdictKind.SETTLED, say("nothing has changed"), margin=self.judging.quiet_nats - still.cost)
        search = self._searched(view, thrown, step)
        best, step.found = search.best, search.found
        step.gate(f"{len(search.found)} explanations{' before the budget was spent' if search.cut else ''}")
        taken_back = self._taken_back(view) if self.memory.understood else None
        if (
            taken_back
            and taken_back[1] + self.judging.undo_nats < best.cost - self.judging.margin_nats
            and taken_back[1] <= self.judging.explained_nats
            and self._matches_undone_state(view, taken_back[0])
        ):
            step.gate(f"that {taken_back[0]} actions were taken back leaves {taken_back[1]:.2f} nats")
            return self._undo(taken_back[0], best.cost - taken_back[1])
        explained = self._is_explained(view, search.found, step)
        if explained:
            return self._settle(view, search.found, best, thrown, step)
        case = Case(self.game, view, search)
        verdict = case.verdict()
        step.gate(case.reason)
        return verdict

    def _searched(self, view: TableLikelihood, thrown: bool, step: Comparison) -> Explanations:
        """What may have been done, from what is known and from each answer to an open question on. Where the budget was
        spent, what explains a part may be a part of what was done, and what accuses somebody may be legal: longer."""
        supposed = tuple(answer.actions for answer in self.question.answers) if self.question else ()
        if supposed:
            step.gate(f"an open question: explained from each of {len(supposed)} answers on as well")
        tables = min(self.judging.max_following_tables, self.tuning.search.max_tables * (1 + len(supposed)))
        seeker = Seeker(self.game, view, thrown, tables, layout=self.layout)
        are_read = self.question is not None and self.question.dice is not None
        search, step.tried = seeker.search(self.history.state, supposed, are_read), seeker.tried
        case = Case(self.game, view, search)
        is_cut_short = search.cut and search.best.fit.cost > self.judging.explained_nats
        is_doubtful = search.best.actions or (not case.is_searched and case.suspects)
        if is_cut_short and is_doubtful and tables < self.judging.min_tables:
            longer = seeker.longer(self.judging.min_tables)
            search, step.tried = longer.search(self.history.state, supposed, are_read), step.tried + longer.tried
        return search

    def _is_explained(self, view: TableLikelihood, found: list[Hypothesis], step: Comparison) -> bool:
        """Whether the best explanation leaves no more than a true table does. Where something was done, that is judged
        by the other hypotheses: that nothing was, that pieces were laid otherwise besides, that it is unknown what."""
        judging, best, still = self.judging, found[0], next(one for one in found if not one.actions)
        left = best.fit.cost
        step.gate(f"the best leaves {best.fit.cost:.2f} nats; up to {judging.explained_nats:.2f} is explained")
        if left <= judging.explained_nats:
            return True
        won = still.fit.cost - best.fit.cost
        is_certain = bool(best.actions) and won > judging.certain_factor * judging.margin_nats
        if not is_certain or left > judging.unknown_nats:
            return False
        otherwise = min(self._illegal_edit_cost(view, one) for one in (*found[: judging.max_edited], still))
        step.gate(f"what was done explains {won:.2f}; that pieces were laid otherwise costs {otherwise:.2f} at least")
        return best.cost <= otherwise

    def _illegal_edit_cost(self, view: TableLikelihood, start: Hypothesis) -> float:
        """What it costs to believe that after this the rest of the pieces was laid as it is seen, against all rules.
        What is only not seen is gone where the picture shows that."""
        layout = self._layout(start.state)
        seen = view.change(layout, start.fit)
        change = replace(seen, removed=tuple(p for p in seen.removed if view.shows_removal(p)))
        if not change.count:
            return math.inf
        laid = view.fit(laid_as_seen(layout, change)).cost
        return start.cost - start.fit.cost + laid + self.judging.edit_nats * change.count

    def _waits(self, still: Hypothesis, thrown: bool) -> bool:
        """Whether the table is to show a value now: one that is unknown, or the same again."""
        if waits_for_a_value(self.game, still):
            return True
        dice = any(p.piece.kind is Kind.DIE for p in self._layout(still.state))
        return thrown and dice and self.game.turn(still.state).kind is TurnKind.CHANCE

    def _settle(
        self, view: TableLikelihood, found: list[Hypothesis], best: Hypothesis, thrown: bool, step: Comparison
    ) -> Verdict:
        still = next(h for h in found if not h.actions)
        found = self._without_invisible_tails(found)
        waiting = self._waits(still, thrown)
        if waiting and not best.actions and thrown:
            best = min(
                (h for h in found if h.actions and h.residual_nats <= still.residual_nats),
                key=lambda h: h.cost,
                default=best,
            )
        lead = still.cost - best.cost
        is_still_good = still.fit.cost <= self.judging.explained_nats and not waiting
        if not best.actions or (is_still_good and lead < self.judging.ask_nats):
            step.gate(f"that nothing was done is as good, within {self.judging.ask_nats:.2f} nats")
            return Verdict(VerdictKind.SETTLED, say("nothing has changed"))
        best = next(
            (h for h in found if h.cost < best.cost + self.judging.margin_nats and _is_part(best, h, self.judging)),
            best,
        )
        # Where a value was turned up, "nothing happened" only says less; it is no rival.
        near = [h for h in found if h.cost < best.cost + self.judging.margin_nats and (h.actions or not waiting)]
        rivals = self._distinct(
            [h for h in near if h.fit.unstated <= best.fit.unstated and not _is_part(h, best, self.judging)]
        )
        if is_still_good and lead < self.judging.margin_nats:
            step.gate(f"something was likely done, by {lead:.2f} nats")
            acts = [rival for rival in rivals if rival.actions]
            return self.ask([(rival.cost, rival.actions) for rival in (*acts, still)])
        if len(rivals) > 1:
            step.gate(f"{len(rivals)} different outcomes within {self.judging.margin_nats:.2f} nats")
            return self.ask([(rival.cost, rival.actions) for rival in rivals])
        if not view.asides.dice.is_whole and self._uses_dice(best):
            # What a die that nobody sees must have shown for that to be legal excuses anything.
            step.gate("a die is not seen, and what was done hangs on it")
            return self.ask([(best.cost, best.actions)])
        if best.thrown and view.dice_nats(off_board_dice(self._layout(best.state))) > self.judging.unlike_throw_nats:
            step.gate(f"the dice show something else by more than {self.judging.unlike_throw_nats:.2f} nats")
            return self.ask([(best.cost, best.actions)])
        never_seen = self.memory.keyframe is None and not self.memory.understood
        if never_seen and best.chosen and self._is_only_turned(still, best):
            step.gate("a piece only turned at a table never seen before")
            return self.ask([(best.cost, best.actions), (best.cost, ())])
        if self._is_by_elimination(best, found):
            step.gate("of what was asked about others may have been done, which nobody follows up")
            return self.ask([(best.cost, best.actions)])
        following = next((h for h in found if h.state != best.state), None)
        if following is not None:
            step.gate(f"the next outcome is {following.cost - best.cost:.2f} nats worse")
        return self.accept(best.actions, (following.cost - best.cost) if following else math.inf)

    def _is_by_elimination(self, best: Hypothesis, found: list[Hypothesis]) -> bool:
        """Whether one of the answers to an open question is right only because the rest of those that are followed up
        are wrong, and it was likely none of them. Which of several it was that by now have led to the same nobody
        needs to know."""
        asked = self.question
        if asked is None or not best.supposed or asked.others <= self.judging.max_others_chance:
            return False
        led = {h.actions[: h.supposed] for h in found if h.supposed and h.state == best.state}
        return len(led) < len(asked.answers)

    def _without_invisible_tails(self, found: list[Hypothesis]) -> list[Hypothesis]:
        """Without those that only add what leaves no trace (a secret choice, a pass) to another of them: no picture
        tells whether that was done by now, and whoever did it says so, or what follows does."""
        whole = {h.actions: h for h in found}
        return [h for h in found if not (h.actions and self._is_unseen(whole.get(h.actions[:-1]), h))]

    def _is_unseen(self, shorter: Hypothesis | None, longer: Hypothesis) -> bool:
        if shorter is None or not shorter.actions:
            return False
        return self._layout(shorter.state) == self._layout(longer.state)

    def _is_only_turned(self, still: Hypothesis, best: Hypothesis) -> bool:
        """Whether everything lies where it lay, and something shows another side or points another way. Of a table that
        was never seen before the eyes are as likely to have that wrong."""
        change = change_between(self._layout(still.state), self._layout(best.state))
        within = self.tuning.places.same
        return not (change.added or change.removed) and all(
            math.hypot(move.before.x - move.after.x, move.before.y - move.after.y) < within for move in change.moved
        )

    def _uses_dice(self, hypothesis: Hypothesis) -> bool:
        """Whether dice were thrown, and somebody did something after that."""
        state, thrown = self.history.state, False
        for action in hypothesis.actions:
            chance = self.game.turn(state).kind is TurnKind.CHANCE
            if thrown and not chance:
                return True
            step = self.game.apply(state, action)
            thrown = thrown or any(effect.kind is EffectKind.ROLL for effect in step.effects)
            state = step.state
        return False

    def _distinct(self, found: list[Hypothesis]) -> list[Hypothesis]:
        """Explanations that lead to different states; of those that lead to the same, the shortest. Where a piece may
        lie anywhere, states that differ by less than a hand can place are one and the same."""
        different: list[Hypothesis] = []
        for hypothesis in found[: self.judging.max_rivals]:
            if all(hypothesis.state != other.state and not self._as_good_as(hypothesis, other) for other in different):
                different.append(hypothesis)
        return different

    def _as_good_as(self, one: Hypothesis, other: Hypothesis) -> bool:
        if sorted(one.verbs) != sorted(other.verbs):
            return False
        first, second = self._layout(one.state), self._layout(other.state)
        if Counter(one.actions) == Counter(other.actions) and _same_pieces(first, second):
            return True  # in which order two things were done nobody can see
        if first == second or one.verbs != other.verbs:
            return False  # what leaves the same table may mean something else: people say
        return len(first) == len(second) and all(
            (p.key, p.shown, p.zone, p.seat, p.place, p.pose) == (q.key, q.shown, q.zone, q.seat, q.place, q.pose)
            and self._points_alike(p, q)
            and math.hypot(p.x - q.x, p.y - q.y) < self.judging.hand_spaces
            for p, q in zip(first, second, strict=True)
        )

    def _points_alike(self, one: Placed, other: Placed) -> bool:
        """Whether nobody could tell them apart by where they point, if that matters of them."""
        off = abs((one.angle - other.angle + 180) % 360 - 180)
        return one.pose is None or off < self.tuning.likelihood.askew_deg

    def accept(self, actions: tuple[Action, ...], margin: float) -> Verdict:
        effects: list[Effect] = []
        history = self.history
        for action in actions:
            history = history.play(action)
            effects += history.entries[-1].effects
        what = done(self.game, actions)
        return Verdict(VerdictKind.ACCEPTED, what, actions, tuple(effects), margin=min(margin, 99.0))

    def ask(self, rivals: list[tuple[float, tuple[Action, ...]]]) -> Verdict:
        """The likeliest first, each with its surprise."""
        weights = [math.exp(rivals[0][0] - cost) for cost, _ in rivals]
        others = self._others(rivals[0][1])
        choices = tuple(
            Choice(actions, weight / sum(weights) * (1.0 - others))
            for (_, actions), weight in zip(rivals, weights, strict=True)
            if actions
        )
        question = asked(told_apart(self.game, choices))
        return Verdict(VerdictKind.AMBIGUOUS, question, choices=choices[: self.judging.max_choices])

    def _others(self, actions: tuple[Action, ...]) -> float:
        """How likely it was none of the answers that are followed up, one of which these actions go on from."""
        asked = self.question
        return asked.others if asked is not None and asked.leads_to(actions) else 0.0

    def _taken_back(self, view: TableLikelihood) -> tuple[int, float] | None:
        """How many actions fewer explain the table best."""
        count = min(self.judging.max_undo, len(self.history.entries))
        states = [self.history.first, *(entry.state for entry in self.history.entries)]
        layouts = [self._layout(states[-1 - n]) for n in range(count + 1)]
        costs = [(n, view.fit(layouts[n]).cost) for n in range(1, count + 1)]
        best = min(costs, key=lambda item: (item[1], item[0]), default=None)
        return best if best and self._was_seen(layouts[0], layouts[best[0]]) else None

    def _was_seen(self, now: Layout, before: Layout) -> bool:
        """Whether anything that would have been taken back ever was seen where it lay: what people said and the eyes
        never saw is not gone."""
        laid = _laid(before, now)
        clear = self.memory.detection.rates if self.memory.detection else {}
        return not laid or any(spot(placed) in clear for placed in laid)

    def _matches_undone_state(self, view: TableLikelihood, count: int) -> bool:
        """Whether the places of what would have been taken back look as they did before it was laid: what lies there
        and is only not seen any more, turned on its place perhaps, was not taken back. Where no picture can tell, it is
        seen where it lay before."""
        actions = self.history.actions[:-count]
        if not view.is_compared and not self._is_back(view, count):
            return False
        then = self.memory.keyframe.holding(actions) if self.memory.keyframe else None
        if then is None or then.actions != actions:
            return True
        return view.looks_as(then, _laid(then.remembered.layout, self._layout(self.history.state)))

    def _is_back(self, view: TableLikelihood, count: int) -> bool:
        """Whether all that would have been taken back is seen where it lay before."""
        before = self._layout(self.history.undo(count).state)
        change = change_between(self._layout(self.history.state), before)
        back = {placed.key for placed in (*change.added, *(move.after for move in change.moved))}
        return back.isdisjoint(placed.key for placed in view.fit(before).missing)

    def _undo(self, count: int, margin: float) -> Verdict:
        what = say("the last action was taken back", "the last {count} actions were taken back", count=count)
        return Verdict(VerdictKind.ACCEPTED, what, undone=count, margin=margin)


def played(history: History, actions: tuple[Action, ...]) -> History:
    for action in actions:
        history = history.play(action)
    return history


def _laid(before: Layout, now: Layout) -> list[Placed]:
    """What came to lie on the board."""
    change = change_between(before, now)
    return [p for p in (*change.added, *(move.after for move in change.moved)) if p.zone is Zone.BOARD]


def _is_part(part: Hypothesis, whole: Hypothesis, judging: DecisionThresholds) -> bool:
    """Whether some of the same was done, and what it leaves out explains clearly more."""
    left_out = Counter(part.actions) < Counter(whole.actions)
    return left_out and bool(part.actions) and part.fit.cost > whole.fit.cost + judging.margin_nats


def _same_pieces(one: Layout, other: Layout) -> bool:
    """Whether the same pieces lie in the same way, whatever each is called; heaps have no order."""
    return Counter(map(_lying, one)) == Counter(map(_lying, other))


def _lying(placed: Placed) -> Placed:
    if placed.zone is Zone.BOARD:
        return placed._replace(key="")
    return placed._replace(key="", x=0.0, y=0.0, angle=0.0, level=0)

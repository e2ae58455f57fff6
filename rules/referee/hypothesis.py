"""What may have happened: nothing, one legal action, two or three in a row. Each is judged by how well the table
that it leaves explains what was seen."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import chain, islice, pairwise
from typing import Any

from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.effects import Effect, EffectKind
from rules.engine.turn import TurnKind
from rules.pieces import Piece
from rules.referee.detection_rates import spot
from rules.referee.dice_likelihood import off_board_dice
from rules.referee.fit import LayoutEvidence, Residual
from rules.referee.tuning import SearchLimits
from rules.table.change import Change, change_between
from rules.table.layout import Layout, Placed

Thrown = frozenset[Piece]
LayoutOf = Callable[[Any], Layout]
"""What should lie on the table in a state."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """`chosen` counts the actions that somebody decided on; what dice and coins show needs no belief, unless they do
    not show it: those values are `unread`. `thrown`: the dice as they were thrown; a throw is read only once."""

    actions: tuple[Action, ...]
    state: Any
    fit: Residual
    seeking: SearchLimits
    """What has to be paid for believing it."""
    chosen: int = 0
    unread: int = 0
    thrown: Thrown = frozenset()
    supposed: int = 0
    """So many of the actions were supposed at an earlier look already, and cost no belief any more."""

    @property
    def is_start(self) -> bool:
        """Whether nothing was done since the look before."""
        return len(self.actions) == self.supposed

    @property
    def verbs(self) -> tuple[str, ...]:
        return tuple(action.verb for action in self.actions)

    @property
    def residual_nats(self) -> float:
        """The surprise that is left, with what it does not even try to say."""
        return self.fit.cost + self.fit.unstated

    @property
    def unexplained(self) -> frozenset[object]:
        """The sightings that it does not explain, or not well, and the places of pieces that are not seen there."""
        odd = self.fit.mismatched
        pieces = (*self.fit.missing, *(placed for placed, _ in odd))
        seen = frozenset(one.index for one in (*self.fit.extra, *(one for _, one in odd)))
        return seen | {spot(placed) for placed in pieces}

    @property
    def cost(self) -> float:
        return self.residual_nats + sum(nats for nats, _ in self.priors)

    @property
    def priors(self) -> tuple[tuple[float, str], ...]:
        """What has to be paid for believing it, and for what."""
        seeking, values = self.seeking, len(self.actions) - self.supposed - self.chosen
        return (
            (seeking.prior_nats[min(self.chosen, 3)], f"{self.chosen} chosen actions"),
            (seeking.value_nats * values, f"{values} values shown"),
            (seeking.unread_nats * self.unread, f"{self.unread} values not read"),
        )

    def then(self, action: Action, tried: Tried, is_value: bool, unread: bool = False) -> Hypothesis:
        """The same with one action more. What a die showed before it was thrown again, nobody can read."""
        again = _are_thrown_again(self.thrown, tried.thrown)
        chosen, unread_now = self.chosen + (not is_value), self.unread + unread + again
        actions, thrown = (*self.actions, action), _thrown_since(self.thrown, tried.thrown)
        return replace(
            self, actions=actions, state=tried.state, fit=tried.fit, chosen=chosen, unread=unread_now, thrown=thrown
        )


@dataclass(frozen=True, slots=True)
class Tried:
    """What one action leads to: the state, how that explains the table, and the dice that it throws."""

    state: Any
    fit: Residual
    thrown: Thrown = frozenset()


After = Callable[[Hypothesis], list[Hypothesis]]


@dataclass(frozen=True, slots=True)
class Explanations:
    """The explanations found, cheapest first; `cut`: there was more to try than the budget allows. `thorough`: at least
    all was tried that could explain one changed piece, where each action ends a turn: one action, alone or after one
    that leaves no trace. `in_pairs`: all pairs of actions were tried, and none explains a part: a third action would
    have to do all of it alone. `roundabout`: several moves of one piece explain the table."""

    found: list[Hypothesis]
    cut: bool = False
    thorough: bool = True
    in_pairs: bool = False
    roundabout: bool = False

    @property
    def best(self) -> Hypothesis:
        return self.found[0]


class Seeker:
    """Looks for the actions that explain one table."""

    def __init__(
        self,
        game: AnyGame,
        table: LayoutEvidence,
        thrown: bool = False,
        tables: float | None = None,
        layout: LayoutOf | None = None,
    ) -> None:
        """`thrown`: dice were thrown; if the game waits for that, they may show the same as before. `tables`: so many
        actions are tried at most. `layout`: the game's, for searches that ask for the same states."""
        self._thrown = thrown
        self._game, self._table = game, table
        self._layout = layout or cache(game.layout)
        self._seeking, self._decision = table.tuning.search, table.tuning.decision
        self._most = self._seeking.max_tables if tables is None else tables
        self._half = self._most / 2
        self._cut = False
        self._tried = 0
        self._known: dict[tuple[Action, ...], list[Hypothesis]] = {}
        self._fits: dict[Any, Residual] = {}
        self._guesses: dict[Any, dict[Action, float]] = {}
        self._thrown_so: dict[object, dict[Action, float]] = {}
        self._told: dict[tuple[Action, ...], float] = {}
        self._in_pairs = False

    @property
    def tried(self) -> int:
        """How many actions were tried."""
        return self._tried

    def longer(self, tables: float) -> Seeker:
        """The same search with more to try; what was compared is not compared again."""
        again = Seeker(self._game, self._table, self._thrown, tables, self._layout)
        again._fits, again._guesses = self._fits, self._guesses
        return again

    def suggested(self, state: Any) -> list[Hypothesis]:
        """Only what the games themselves suggest, up to three actions deep."""
        still = self.still(state)
        return self._guided([still, *self._values(still)], still, alone=True)

    def still(self, state: Any) -> Hypothesis:
        """Nothing was done."""
        return Hypothesis((), state, self._fit(state), self._seeking)

    def _supposed(self, still: Hypothesis, actions: tuple[Action, ...], are_read: bool) -> Hypothesis:
        """What was supposed of one picture stays as improbable as it was: that dice were thrown twice."""
        state, thrown, unread = still.state, Thrown(), 0
        for action in actions:
            step = self._game.apply(state, action)
            now = _thrown_by(step.effects)
            unread += _are_thrown_again(thrown, now)
            state, thrown = step.state, _thrown_since(thrown, now)
        known = replace(still, actions=actions, state=state, fit=self._fit(state), supposed=len(actions), unread=unread)
        return replace(known, thrown=thrown) if are_read else known

    def values(self, still: Hypothesis) -> list[Hypothesis]:
        """Nothing was done but that dice or coins show what they were thrown for."""
        return self._values(still)

    def search(self, state: Any, supposed: Iterable[tuple[Action, ...]] = (), are_read: bool = False) -> Explanations:
        """First what the games suggest, up to three actions deep; whatever else is legal only while that explains
        nothing. `supposed`: what may have been done before this look; the search goes on from each of these.
        `are_read`: the dice lie as they lay then, so that a throw supposed then is the one that they show."""
        still = self.still(state)
        begun = [still, *(self._supposed(still, actions, are_read) for actions in supposed)]
        start = [*begun, *(one for each in begun for one in self._values(each))]
        found = start if self._needs_nothing(start, still) else self._guided(start, still)
        thorough = True
        if not any(self._explains(state, h) for h in found):
            self._allow_more()
            more, thorough = self._exhaustive(start, still)
            found = found + more
        return self._searched(state, found, thorough)

    def _allow_more(self) -> None:
        """What following the suggestions took is not taken from trying the rest."""
        self._most += self._tried
        self._half += self._tried
        self._cut = False

    def _needs_nothing(self, start: list[Hypothesis], still: Hypothesis) -> bool:
        quiet = still.fit.cost <= self._decision.quiet_nats and not self._thrown
        return quiet and self._is_explained(min(start, key=lambda h: h.cost))

    def _is_explained(self, best: Hypothesis) -> bool:
        return best.fit.cost <= self._decision.explained_nats and not waits_for_a_value(self._game, best)

    def _explains(self, state: Any, hypothesis: Hypothesis) -> bool:
        return self._is_explained(hypothesis) and bool(hypothesis.actions) and not self._goes_round(state, hypothesis)

    def _guided(self, start: list[Hypothesis], still: Hypothesis, alone: bool = False) -> list[Hypothesis]:
        """What the games suggest for what lies otherwise leads so straight that three actions can be afforded. Where it
        takes several, a single one that was not suggested may still be simpler; `alone`: nobody asks for that."""
        found, frontier = list(start), start
        for depth in range(1, self._seeking.max_actions + 1):
            grown = self._deeper(frontier, self._suggested)
            found += grown
            if any(h.fit.cost <= self._seeking.satisfied_nats and self._explains(still.state, h) for h in grown):
                rest = [] if depth == 1 or alone else [one for h in start for one in self._rest(h, needed=False)]
                return found + rest
            if self._half_spent():
                break
            frontier = self._promising(grown, still, self._seeking.guided_beam)
        return found

    def _exhaustive(self, start: list[Hypothesis], still: Hypothesis) -> tuple[list[Hypothesis], bool]:
        """Whatever is legal, and whether that was tried thoroughly. Deeper explanations are looked for only while
        nothing explains the table."""
        frontier, traceless = start, list[Hypothesis]()
        found: list[Hypothesis] = []
        thorough = True
        for depth in range(1, self._seeking.max_actions + 1):
            if found and self._is_explained(min(found, key=lambda h: h.cost)):
                break
            if depth == self._seeking.max_actions:
                part = still.residual_nats - self._seeking.part_nats
                self._in_pairs = not self._cut and all(h.residual_nats > part for h in (*frontier, *traceless))
            if depth > 1 and self._is_spent():
                thorough = thorough and not traceless
                break
            grown = self._deeper(traceless or frontier, self._all_after)
            if depth == 1:
                thorough = not self._cut and self._ends_turns(still.state, grown)
            elif depth == 2 and traceless:
                thorough = thorough and not self._cut
            if traceless:
                grown += self._deeper(frontier, self._all_after)
            found += grown
            frontier = self._promising(grown, still, self._seeking.beam)
            traceless = _invisible(grown, still, self._seeking.beam)
        return found, thorough

    def _promising(self, grown: list[Hypothesis], still: Hypothesis, count: int) -> list[Hypothesis]:
        """What may be the first of several actions: it explains hardly less than nothing does, or something that
        nothing explains. Of several ways to one state one is enough."""
        ways: dict[Any, Hypothesis] = {}
        for hypothesis in sorted(grown, key=lambda h: h.residual_nats):
            if (
                hypothesis.residual_nats <= still.residual_nats + self._seeking.max_worse_nats
                or not still.unexplained <= hypothesis.unexplained
            ):
                ways.setdefault(hypothesis.state, hypothesis)
        return list(islice(ways.values(), count))

    def _searched(self, state: Any, found: list[Hypothesis], thorough: bool) -> Explanations:
        each = list({h.actions: h for h in sorted(found, key=lambda h: -h.cost)}.values())
        round_trips = [h for h in each if h.fit.cost <= self._decision.explained_nats and self._goes_round(state, h)]
        left_out = {id(h) for h in round_trips}
        useful = [h for h in each if id(h) not in left_out]
        roundabout = any(self._goes_on(state, h) for h in round_trips)
        found = sorted(useful, key=lambda h: h.cost)
        return Explanations(found, self._cut, thorough, self._in_pairs, roundabout)

    def _ends_turns(self, state: Any, grown: list[Hypothesis]) -> bool:
        """Whether whoever acts does not act again at once."""
        seat = self._game.turn(state).seat
        return all(self._game.turn(h.state).seat != seat for h in grown if len(h.actions) == 1)

    def _goes_round(self, state: Any, hypothesis: Hypothesis) -> bool:
        """Several moves that leave fewer traces than there were moves: there and back again explains anything."""
        if hypothesis.chosen < 2:
            return False
        layouts = [self._layout(state)]
        for action in hypothesis.actions:
            state = self._game.advance(state, action)
            layouts.append(self._layout(state))
        visible = sum(a != b for a, b in pairwise(layouts))
        change = change_between(layouts[0], layouts[-1])
        return change.count < visible

    def _goes_on(self, state: Any, hypothesis: Hypothesis) -> bool:
        """Whether only pieces were moved that lie otherwise in the end: no going there and back again."""
        before = self._layout(state)
        moved = _touched(change_between(before, self._layout(hypothesis.state)))
        for action in hypothesis.actions:
            state = self._game.advance(state, action)
            if not _touched(change_between(before, self._layout(state))) <= moved:
                return False
        return True

    def _deeper(self, frontier: list[Hypothesis], after: After) -> list[Hypothesis]:
        grown = self._grow(frontier, after)
        likely = sorted(grown, key=lambda h: h.residual_nats)[: self._seeking.beam]
        return grown + [one for hypothesis in likely for one in self._values(hypothesis)]

    def _grow(self, frontier: list[Hypothesis], after: After) -> list[Hypothesis]:
        grown: list[Hypothesis] = []
        for hypothesis in frontier:
            if not self._game.turn(hypothesis.state).is_over:
                grown += after(hypothesis)
            if self._is_spent():
                break
        return grown

    def _all_after(self, start: Hypothesis) -> list[Hypothesis]:
        """One action more: what the game suggests and, if that does not explain the table, whatever is legal."""
        grown = self._suggested(start)
        if (
            min((h.residual_nats for h in grown), default=math.inf) > self._decision.explained_nats
            and not self._is_spent()
        ):
            grown = grown + self._rest(start)
        return grown

    def _suggested(self, start: Hypothesis) -> list[Hypothesis]:
        if start.actions not in self._known:
            changes = chain(
                [self._change(start)], self._table.alternative_changes(self._layout(start.state), start.fit)
            )
            actions = chain.from_iterable(self._game.suggest(start.state, change) for change in changes)
            suggested = dict.fromkeys([*islice(actions, self._limit(start)), *self._other_throws(start)])
            # Not everything that is suggested is legal, least of all after something that was only supposed.
            legal = (action for action in suggested if self._game.refusal(start.state, action) is None)
            self._known[start.actions] = self._played(start, legal)
        return self._known[start.actions]

    def _other_throws(self, start: Hypothesis) -> list[Action]:
        """What doubtful dice may show is no guess of the game's: the likeliest throws are all tried."""
        if not self._table.dice_are_doubtful or self._game.turn(start.state).kind is not TurnKind.CHANCE:
            return []
        likely = self._likely_throws(start, list(islice(self._game.legal(start.state), self._seeking.max_first)))
        return likely if len(likely) <= self._seeking.kept_throws else []

    def _rest(self, start: Hypothesis, needed: bool = True) -> list[Hypothesis]:
        """What is legal and was not suggested; last of all, and only for the first action, what names nothing of all
        that lies otherwise."""
        places, known = self._change(start).places, {h.actions[-1] for h in self._suggested(start)}
        game, state = self._game, start.state
        concerned = self._new(start, chain(game.legal(state, touching=places), game.pointless(state)), known)
        grown = self._played(start, self._likely_throws(start, concerned), needed)
        if (
            needed
            and start.is_start
            and min((h.residual_nats for h in grown), default=math.inf) > self._decision.explained_nats
        ):
            others = self._new(start, game.legal(state), known.union(concerned))
            grown += self._played(start, self._likely_throws(start, others), needed=False)
        return grown

    def _new(self, start: Hypothesis, actions: Iterable[Action], known: Collection[Action]) -> list[Action]:
        return [action for action in islice(actions, self._limit(start)) if action not in known]

    def _likely_throws(self, start: Hypothesis, legal: list[Action]) -> list[Action]:
        """Of hundreds of throws the dice, and what each of them alone sends elsewhere, tell which few are worth
        comparing with the whole table."""
        if len(legal) <= self._seeking.kept_throws or self._game.turn(start.state).kind is not TurnKind.CHANCE:
            return legal
        every = self._guessed(start)
        guessed = every if every.keys() >= set(legal) else self._surprises(start, legal)
        sent = self._sent(start, legal)
        surprise = {throw: guessed[throw] + sent.get(throw, 0.0) for throw in legal}
        if len(set(surprise.values())) == 1:
            return legal
        return sorted(legal, key=surprise.__getitem__)[: self._seeking.kept_throws]

    def _sent(self, start: Hypothesis, throws: list[Action]) -> dict[Action, float]:
        """How surprising the rest of the table is after each throw, put together from throws that differ in one die,
        where what one of them sends elsewhere does not hang on the others."""
        few, other = _told_apart_by(tuple(throws))
        if not few:
            return {}
        rest = {throw: self._but_for_dice(self._game.advance(start.state, throw)) for throw in (*few, other)}
        first, base = _faces(few[0]), rest[few[0]]
        more = {
            each: rest[throw] - base for throw in few for each in enumerate(_faces(throw)) if each[1] != first[each[0]]
        }
        sent = {throw: sum(more.get(each, 0.0) for each in enumerate(_faces(throw))) for throw in throws}
        return sent if math.isclose(base + sent[other], rest[other], abs_tol=self._seeking.informative_nats) else {}

    def _but_for_dice(self, state: Any) -> float:
        return self._fit(state).cost - self._table.dice_nats(off_board_dice(self._layout(state)))

    def _guessed(self, start: Hypothesis) -> dict[Action, float]:
        """How surprising each throw is, of all that the dice may show now."""
        if start.state not in self._guesses:
            throws = list(islice(self._game.legal(start.state), self._seeking.max_first))
            self._guesses[start.state] = self._surprises(start, throws)
        return self._guesses[start.state]

    def _surprises(self, start: Hypothesis, throws: list[Action]) -> dict[Action, float]:
        """What the dice show after a throw is put together from a few of them where that can be, for there may be more
        than a thousand. Whatever else was done before, the same throws of the same dice are compared once."""
        few, other = _told_apart_by(tuple(throws))
        shown = [self._dice_after(start, throw) for throw in (*few, other)]
        case = tuple(throws), tuple(map(tuple, shown))
        if case not in self._thrown_so:
            together = _put_together(dict(zip(few, shown, strict=False)), throws) if few else {}
            is_so = bool(few) and [die.piece for die in together[other]] == [die.piece for die in shown[-1]]
            self._thrown_so[case] = (
                {throw: self._table.dice_nats(dice) for throw, dice in together.items()} if is_so else {}
            )
        told = self._thrown_so[case]
        return told or {throw: self._table.dice_nats(self._dice_after(start, throw)) for throw in throws}

    def _dice_after(self, start: Hypothesis, throw: Action) -> list[Placed]:
        return off_board_dice(self._layout(self._game.advance(start.state, throw)))

    def _limit(self, start: Hypothesis) -> int:
        """What dice and coins show is one of many values."""
        return self._seeking.max_first if start.is_start or self._awaits_a_value(start) else self._seeking.max_later

    def _change(self, start: Hypothesis) -> Change:
        return self._table.change(self._layout(start.state), start.fit)

    def _played(self, start: Hypothesis, actions: Iterable[Action], needed: bool = True) -> list[Hypothesis]:
        """`needed`: without them the search is not complete; others get half of the budget at most."""
        is_value = self._game.turn(start.state).kind is TurnKind.CHANCE
        trials: list[tuple[Action, Tried]] = []
        for action in actions:
            tried = self._valued(start, action) if is_value else self._tried_once(start, action)
            if tried is not None:
                trials.append((action, tried))
            self._tried += 1
            if self._is_spent() if needed else self._half_spent():
                break
        unread = is_value and not self._is_read(start, [tried.fit for _, tried in trials])
        return [start.then(action, tried, is_value, unread) for action, tried in trials]

    def _tried_once(self, start: Hypothesis, action: Action) -> Tried:
        after = self._game.advance(start.state, action)
        return Tried(after, self._fit(after))

    def _fit(self, state: Any) -> Residual:
        """Several ways lead to one state: its table is compared once. What dice show is to be said where a throw is
        waited for, or votes are: elsewhere they lie about from an earlier one."""
        if state not in self._fits:
            fit = self._table.fit(self._layout(state))
            waits = fit.unread_dice > 0 and self._game.turn(state).kind in (TurnKind.CHANCE, TurnKind.ALL)
            self._fits[state] = replace(fit, unstated=fit.unstated + fit.unread_dice) if waits else fit
        return self._fits[state]

    def _valued(self, start: Hypothesis, action: Action) -> Tried | None:
        """What dice or coins show; None where the same dice were read so before: one picture shows one throw."""
        step = self._game.apply(start.state, action)
        thrown = _thrown_by(step.effects)
        if thrown and thrown <= start.thrown:
            return None
        return Tried(step.state, self._fit(step.state), thrown)

    def _awaits_a_value(self, hypothesis: Hypothesis) -> bool:
        """Whether dice or coins are to show something now that the state does not know, or that they do not show after
        what was done: a state may keep what they showed at an earlier throw. No throw is read twice."""
        if waits_for_a_value(self._game, hypothesis):
            return True
        is_news = self._thrown and not hypothesis.thrown and not hypothesis.is_start
        if not is_news or self._game.turn(hypothesis.state).kind is not TurnKind.CHANCE:
            return False
        dice = off_board_dice(self._layout(hypothesis.state))
        return self._table.dice_nats(dice) > self._seeking.informative_nats

    def _is_read(self, start: Hypothesis, fits: list[Residual]) -> bool:
        """Whether the table tells any of these values, or of those tried before: then each pays what it does not
        explain, and no more."""
        least = min((fit.cost + fit.unstated for fit in fits), default=math.inf)
        self._told[start.actions] = least = min(least, self._told.get(start.actions, math.inf))
        return least <= start.residual_nats - self._seeking.informative_nats

    def _values(self, hypothesis: Hypothesis) -> list[Hypothesis]:
        """What dice and turned coins show is read off the table, one value after another. Where one is read nearly as
        well as another, both are followed: neither is taken because only that was."""
        found: list[Hypothesis] = []
        ends = [hypothesis]
        for _ in range(self._seeking.max_values):
            waiting = [end for end in ends if self._awaits_a_value(end)]
            if self._is_spent() or not waiting:
                break
            grown = self._grow(waiting, self._all_after)
            shown = sorted({h.actions: h for h in grown}.values(), key=lambda h: h.residual_nats)[
                : self._seeking.kept_values
            ]
            if not shown or shown[0].residual_nats > min(end.residual_nats for end in waiting):
                break
            found += shown
            ends = [end for end in shown if end.residual_nats < shown[0].residual_nats + self._decision.margin_nats]
        return found

    def _half_spent(self) -> bool:
        return self._tried > self._half

    def _is_spent(self) -> bool:
        spent = self._tried >= self._most
        self._cut = self._cut or spent
        return spent


@lru_cache(maxsize=8)
def _told_apart_by(throws: tuple[Action, ...]) -> tuple[list[Action], Action]:
    """Of all the ways in which several dice may fall, those that differ from the first in one die: what one shows does
    not hang on the others. None where the throws are not of that kind. And the one that differs most."""
    faces = [_faces(throw) for throw in throws]
    first = faces[0]
    apart = {
        throw: sum(a != b for a, b in zip(each, first, strict=False)) for throw, each in zip(throws, faces, strict=True)
    }
    other = max(throws, key=apart.__getitem__)
    if len({throw.verb for throw in throws}) > 1 or len({len(each) for each in faces}) > 1:
        return [], other
    if len(first) < 2 or math.prod(len(set(die)) for die in zip(*faces, strict=True)) != len(throws):
        return [], other
    return [throw for throw in throws if apart[throw] < 2], other


def _put_together(shown: Mapping[Action, list[Placed]], throws: Sequence[Action]) -> dict[Action, list[Placed]]:
    """What the dice show after each throw, each of them as it shows that face in a throw where it alone does."""
    first, base = _faces(throws[0]), shown[throws[0]]
    shows = {die.key: die.piece for die in base}
    alone = {
        (nth, face): {die.key: die for die in dice if shows.get(die.key) != die.piece}
        for throw, dice in shown.items()
        for nth, face in enumerate(_faces(throw))
        if face != first[nth]
    }
    found = {}
    for throw in throws:
        fallen: dict[str, Placed] = {}
        for nth, face in enumerate(_faces(throw)):
            fallen |= alone.get((nth, face), {})
        found[throw] = [fallen.get(die.key, die) for die in base]
    return found


def _faces(throw: Action) -> list[str]:
    return [face for each in throw.args for face in each.split("+")]


def _thrown_by(effects: Iterable[Effect]) -> Thrown:
    return Thrown(effect.piece for effect in effects if effect.kind is EffectKind.ROLL and effect.piece is not None)


def _are_thrown_again(before: Thrown, now: Thrown) -> bool:
    return not {die.suit for die in before}.isdisjoint(die.suit for die in now)


def _thrown_since(before: Thrown, now: Thrown) -> Thrown:
    """What all dice show after some of them were thrown again."""
    again = {die.suit for die in now}
    return now.union(die for die in before if die.suit not in again)


def _touched(change: Change) -> set[str]:
    """The pieces that lie otherwise than before, by where they lay."""
    return {p.key for p in change.removed} | {m.before.key for m in change.moved}


def waits_for_a_value(game: AnyGame, hypothesis: Hypothesis) -> bool:
    """Whether the table is to show a value now (a die, a turned coin) that the state does not know yet."""
    return game.turn(hypothesis.state).kind is TurnKind.CHANCE and hypothesis.fit.unstated > 0


def _invisible(frontier: list[Hypothesis], still: Hypothesis, beam: int) -> list[Hypothesis]:
    """Actions that change nothing on the table may stand between two that do."""
    same = [h for h in frontier if abs(h.fit.cost - still.fit.cost) < 1e-9]
    best = {id(h) for h in sorted(frontier, key=lambda h: h.residual_nats)[:beam]}
    return [h for h in same[:beam] if id(h) not in best]

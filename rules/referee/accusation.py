"""Where nothing legal explains the table: was a rule broken, or must people look?

A refusal needs four things: a few pieces clearly lie otherwise, that edit explains everything seen, every legal
explanation is far worse, and a rule of the game names what is wrong. Everything else is reported as differences, and
people look.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any

from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.turn import TurnKind
from rules.pieces import Kind
from rules.referee.attempt import Attempt, likeliest
from rules.referee.change_evidence import SHEETS
from rules.referee.dice import is_off_board_die
from rules.referee.fit import shows_other_side
from rules.referee.hypothesis import Explanations, Hypothesis
from rules.referee.illegal_edit import has_duplicate, likeliest_edit
from rules.referee.likelihood import TableLikelihood
from rules.referee.tuning import TUNING, Tuning
from rules.referee.verdict import Choice, Verdict, VerdictKind, Wrong
from rules.sentence import Joint, Sentence, say, several
from rules.table.change import Change, MovedPiece, change_between, changed_layout, where
from rules.table.layout import Layout, Placed, Zone


@dataclass(frozen=True)
class Case:
    """One table that nothing legal explains."""

    game: AnyGame
    view: TableLikelihood
    search: Explanations

    @property
    def tuning(self) -> Tuning:
        return self.view.tuning

    def verdict(self) -> Verdict:
        attempt, change, back = self._attempt_and_reason[0], self._change, restoring_steps(self._change, self.tuning)
        if attempt is not None:
            why, words = attempt.refusal, tuple(change.words)
            verdict = Verdict(
                VerdictKind.REFUSED, why.sentence, refusal=why, attempt=attempt.action, differences=words, back=back
            )
        else:
            # What is moved on this board: the pieces on its tiles or cards, or these where there are no others.
            movable = sum(p.piece.kind not in SHEETS for p in self._layout.board) or len(self._layout.board)
            verdict = _look_again(differences_in_words(change, self.tuning, movable), back, self.tuning)
            verdict = replace(verdict, only_missing=_only_missing(change))
        return replace(verdict, choices=self._likely_choices(), wrong=_wrong_pieces(change, self.tuning))

    @property
    def reason(self) -> str:
        return self._attempt_and_reason[1]

    @cached_property
    def _attempt_and_reason(self) -> tuple[Attempt | None, str]:
        """The action that a rule refuses, if somebody is accused of it, and the reason either way."""
        if self.reason_not_to_accuse is not None:
            return None, f"nobody is accused: {self.reason_not_to_accuse}"
        if self.search.has_round_trip:
            return None, "nobody is accused: several moves of one piece explain the table"
        # A legal action may have come before the illegal one.
        partial = sorted((h for h in self._partial_explanations if len(h.actions) == 1), key=lambda h: h.fit.cost)
        firsts = partial[: self.tuning.accusation.max_starts]
        attempt = likeliest(self.game, self.view, [(h, self._observed_change(h)) for h in (self.search.null, *firsts)])
        if attempt is None:
            return None, "nobody is accused: no rule names what is wrong"
        name = attempt.action.id if attempt.action is not None else attempt.refusal.clause
        # One forbidden action that explains all of it, and no legal one a part, makes several pieces one deed, as when
        # one pawn pushes another aside.
        is_single_action = self.search.is_exhaustive and attempt.explains_all and not partial
        if not (self.is_searched or is_single_action):
            return None, f"nobody is accused of {name}: not everything legal was tried"
        return attempt, f"{name} is refused by {attempt.refusal.clause}"

    def _likely_choices(self) -> tuple[Choice, ...]:
        """Legal actions that explain a part of the table, and others that may have been meant."""
        max_count, costs = self.tuning.accusation.max_guesses, dict[Any, tuple[tuple[Action, ...], float]]()
        for hypothesis in sorted(self._partial_explanations, key=lambda h: h.cost):
            costs.setdefault(hypothesis.state, (hypothesis.actions, hypothesis.cost))
        if len(costs) < max_count - 1:
            for action, state, distance in self._intended_actions():
                costs.setdefault(state, ((action,), self.search.null.cost + distance))
        choices = list(costs.values())[:max_count]
        least_cost = min((cost for _, cost in choices), default=0.0)
        weights = [math.exp(least_cost - cost) for _, cost in choices]
        return tuple(Choice(a, weight / sum(weights)) for (a, _), weight in zip(choices, weights, strict=True))

    def _intended_actions(self) -> list[tuple[Action, Any, float]]:
        """Legal actions that touch what changed, with their states, nearest to the table first. Where actions name
        places and not pieces, those that move the changed pieces."""
        state, change = self.search.null.state, self._change
        if self.game.turn(state).kind is not TurnKind.SEAT:
            return []
        found = self._resulting_changes(self.game.legal(state, touching=change.places))
        return sorted(found or self._resulting_changes(self.game.legal(state), change.keys), key=lambda one: one[2])

    def _resulting_changes(
        self, actions: Iterable[Action], keys: Collection[str] = ()
    ) -> list[tuple[Action, Any, float]]:
        """Those actions that change something (one of `keys`, if given), with their state and distance in spaces."""
        before, found = {placed.key: placed for placed in self._layout}, []
        for action in islice(actions, self.tuning.accusation.max_meant):
            after = self.game.advance(self.search.null.state, action)
            layout = self.game.layout(after)
            after_by_key = {placed.key: placed for placed in layout}
            if any(before.get(key) != after_by_key.get(key) for key in keys or before.keys() | after_by_key.keys()):
                found.append((action, after, _distance_to(self._change, layout, self.tuning.accusation.far_spaces)))
        return found

    @cached_property
    def _layout(self) -> Layout:
        return self.game.layout(self.search.null.state)

    @cached_property
    def _change(self) -> Change:
        return self._observed_change(self.search.null)

    def _observed_change(self, hypothesis: Hypothesis) -> Change:
        """The likeliest edit of a hypothesis. Pieces missing from a supply are left out, as it may lie outside the
        picture, and so are dice that the game knows nothing of."""
        change = likeliest_edit(self.view, self.game.layout(hypothesis.state), hypothesis.fit)
        return replace(
            change,
            removed=tuple(p for p in change.removed if p.zone is not Zone.SUPPLY),
            moved=tuple(m for m in change.moved if not (is_off_board_die(m.before) and m.before.piece.rank is None)),
        )

    @cached_property
    def reason_not_to_accuse(self) -> str | None:
        """Why nobody is accused before any rule is asked; None where somebody may be."""
        layout, change, limits = self._layout, self._change, self.tuning.accusation
        if not layout.board:
            return "the first tile may be any, and where it lies depends on which it is"
        if self.game.turn(self.search.null.state).kind is TurnKind.CHANCE:
            return "what dice or coins have shown may only not have been seen"
        count = change.count
        if any(p.zone is not Zone.BOARD for p in change.removed):
            return "what is not seen any more beside the board may be in a hand"
        if not 0 < count <= limits.max_edits or _only_missing(change):
            return f"{count} pieces lie otherwise, or some are only not seen"
        if not self._is_certain():
            return "not all of it is seen surely"
        if has_duplicate(layout, change):
            return "a piece that there is but once would lie there twice"
        if any(self._differs_only_in_side(h) for h in self.search.found if h.actions):
            return "something legal explains it but for a side that is up"
        if any(self._may_be_in_row(move) for move in change.moved):
            return "a pyramid may stand in its owner's row"
        rates, touched = self.view.rates_by_sort(layout), (*change.placed, *change.removed)
        is_beside = not any(p.zone is Zone.BOARD for p in (*touched, *(move.before for move in change.moved)))
        if is_beside and min(rates.values(), default=1.0) < limits.min_sort_rate:
            return "many standing pieces are not seen: one that had to be put on the board may be among them"
        cost = self.view.fit(changed_layout(layout, change)).cost
        best = min((h.fit.cost for h in self.search.found if h.actions), default=99.0)
        # As much as of any true table where the picture shows all that was moved, else less.
        max_nats = self.tuning.decision.explained_nats if self._is_all_shown else limits.max_unexplained_nats
        if cost > max_nats:
            return f"laid as it is seen it leaves {cost:.2f} nats, more than {max_nats:.2f}"
        if cost + limits.edit_nats * count + limits.min_worse_nats > best:
            return f"something legal leaves {best:.2f} nats, which is not far worse"
        return None

    def _may_be_in_row(self, move: MovedPiece) -> bool:
        """Whether a pyramid may stand in its owner's row, which reaches onto the board, without having been played."""
        is_played = move.before.zone is Zone.SUPPLY and move.after.zone is Zone.BOARD
        is_near = move.distance < self.tuning.off_board.near_spaces
        return is_played and move.before.piece.kind is Kind.PYRAMID and is_near

    def _differs_only_in_side(self, hypothesis: Hypothesis) -> bool:
        """Whether everything lies as after this hypothesis and the pieces that it laid only seem to show their other
        side: as likely a detector error, which may persist."""
        fit = hypothesis.fit
        if not fit.mismatched or fit.missing or fit.extra or fit.unexplained_regions:
            return False
        change = change_between(self._layout, self.game.layout(hypothesis.state))
        placed_keys = {placed.key for placed in change.placed}
        return all(placed.key in placed_keys and shows_other_side(placed, seen) for placed, seen in fit.mismatched)

    def _is_certain(self) -> bool:
        """Whether all evidence against a player is certain, or at least even where the picture shows the move. Where
        the picture does not show everything, more tiles than there are mean that one is false: the bare middle of a
        board may look like one."""
        fit, change = self.search.null.fit, self._change
        lies = {(placed.x, placed.y) for placed in change.placed}
        differing = (*fit.extra, *(seen for _, seen in fit.mismatched))
        sightings = [seen for seen in differing if (seen.x, seen.y) in lies]
        tiles_seen = sum(s.kind is Kind.TILE for s in self.view.observed.sightings)
        tiles_expected = sum(p.piece.kind is Kind.TILE for p in self._layout)
        doubtful = (seen for seen in sightings if seen.sighting.side_certainty < self.tuning.accusation.min_certainty)
        return (tiles_seen <= tiles_expected or self._is_all_shown) and all(
            seen.sighting.certainty >= self.tuning.accusation.min_witnessed_certainty
            and (seen.x, seen.y) in self._shown_targets
            for seen in doubtful
        )

    @property
    def _is_all_shown(self) -> bool:
        """Whether the picture shows both ends of all that lies otherwise."""
        return len(self._shown_targets) == self._change.count

    @cached_property
    def _shown_targets(self) -> set[tuple[float, float]]:
        """Where the pieces lie now that moved, as the picture shows as well."""
        return {(m.after.x, m.after.y) for m in self._change.moved if self.view.shows_move(m)}

    @property
    def is_searched(self) -> bool:
        """Whether the search was thorough enough to accuse: several changed pieces may be several actions, one is not.
        Where one player acts several times in a row, the maximum number of edits is hardly one deed."""
        search = self.search
        edits = self._change.count
        if not search.truncated:
            return search.is_exhaustive or edits < self.tuning.accusation.max_edits
        return search.is_exhaustive and (search.pairs_exhausted or edits == 1)

    @property
    def _partial_explanations(self) -> list[Hypothesis]:
        """Legal actions that explain a part."""
        max_cost = self.search.null.fit.cost - self.tuning.search.part_nats
        return [h for h in self.search.found if h.actions and h.fit.cost <= max_cost]


def _look_again(differences: tuple[Sentence, ...], back: tuple[Sentence, ...], tuning: Tuning) -> Verdict:
    """The verdict that tells what lies otherwise and accuses nobody."""
    told = several(differences[: tuning.accusation.max_differences], Joint.SEMICOLON)
    more = len(differences) - tuning.accusation.max_differences
    if not differences:
        sentence = say("please look: the pieces do not lie as they should")
    elif more <= 0:
        sentence = say("please look: {differences}", differences=told)
    else:
        sentence = say("please look: {differences} and {count} more", differences=told, count=more)
    return Verdict(VerdictKind.IMPOSSIBLE, sentence, differences=differences, back=back)


def without_accusation(verdict: Verdict, tuning: Tuning = TUNING) -> Verdict:
    """The verdict, with its differences told but nobody accused."""
    if verdict.kind is not VerdictKind.REFUSED:
        return verdict
    return _look_again(verdict.differences, verdict.back, tuning)


def differences_in_words(change: Change, tuning: Tuning = TUNING, movable: int = 99) -> tuple[Sentence, ...]:
    """The differences as sentences. Hands outside the picture, half a board outside it or a board that lies quite
    otherwise are told in one sentence. `movable`: number of pieces that are moved on this board."""
    limits = tuning.accusation
    on_board = [p for p in change.removed if p.zone is Zone.BOARD]
    off_board = [p for p in change.removed if p.zone is not Zone.BOARD]
    unseen = [pieces for pieces in (on_board, off_board) if len(pieces) >= limits.grouped_pieces]
    rest = replace(change, removed=tuple(p for p in change.removed if not any(p in pieces for pieces in unseen)))
    added = tuple(p for p in rest.added if p.zone is not Zone.BOARD)
    moved = tuple(move for move in rest.moved if move.before.zone is not Zone.BOARD)
    board_count = len(rest.added) + len(rest.moved) - len(added) - len(moved)
    sentences = [_not_in_view_sentence(on_board)] if on_board in unseen else []
    upset_pieces = max(limits.min_upset_pieces, math.ceil(limits.upset_share * movable))
    if board_count >= min(limits.upset_pieces, upset_pieces):
        rest = replace(rest, added=added, moved=moved)
        sentences.append(say("much of the board differs from the game: {count} pieces", count=board_count))
    off_board_sentences = [_not_in_view_sentence(off_board)] if off_board in unseen else []
    if sentences or rest.is_empty:
        return (*sentences, *off_board_sentences, *rest.words)
    return (*rest.words, *off_board_sentences)


def _not_in_view_sentence(removed: list[Placed]) -> Sentence:
    count, owners = len(removed), {(placed.zone, placed.seat) for placed in removed}
    if removed[0].zone is Zone.BOARD:
        return say("{count} pieces of {place} are not in view", count=count, place=say("the board"))
    if len(owners) == 1:
        return say("{count} pieces of {place} are not in view", count=count, place=where(removed[0]))
    if all(zone is Zone.HAND for zone, _ in owners):
        return say("the hands are not in the picture, or not whole: {count} pieces are not seen", count=count)
    return say(
        "what lies beside the board is not in the picture, or not whole: {count} pieces are not seen", count=count
    )


def _distance_to(change: Change, layout: Layout, far: float) -> float:
    """Sum of the distances, in spaces, of what changed from its places in this layout."""
    by_key = {placed.key: placed for placed in layout.board}
    moved = [(by_key.get(move.before.key), move.after) for move in change.moved]
    removed = sum(far for placed in change.removed if placed.key in by_key)
    return removed + sum(
        min(far, math.hypot(p.x - observed.x, p.y - observed.y)) if p is not None else far for p, observed in moved
    )


def _only_missing(change: Change) -> bool:
    return bool(change.removed) and not change.added and not change.moved


def restoring_steps(change: Change, tuning: Tuning = TUNING) -> tuple[Sentence, ...]:
    """What people do so that the table is as the game has it."""
    moves, turns = list[Sentence](), list[Sentence]()
    for move in change.moved:
        before, after = move.before, move.after
        if abs(before.x - after.x) + abs(before.y - after.y) > tuning.places.elsewhere:
            moves.append(say("put {piece} back to {place}", piece=before.shown, place=where(before)))
        else:
            turns.append(say("turn {piece} up on {place}", piece=before.shown, place=where(before)))
    additions = [say("lay {piece} on {place}", piece=p.shown, place=where(p)) for p in change.removed]
    removals = [say("take {piece} off {place}", piece=p.shown, place=where(p)) for p in change.added]
    return tuple(moves + turns + additions + removals)


def _wrong_pieces(change: Change, tuning: Tuning) -> tuple[Wrong, ...]:
    pairs: list[tuple[Placed | None, Placed | None]] = [(move.before, move.after) for move in change.moved]
    pairs += [(placed, None) for placed in change.removed] + [(None, placed) for placed in change.added]
    on_board = (tuple(p if p is not None and p.zone is Zone.BOARD else None for p in pair) for pair in pairs)
    wrong = [Wrong(expected, observed) for expected, observed in on_board if expected or observed]
    return tuple(wrong[: tuning.accusation.max_differences])

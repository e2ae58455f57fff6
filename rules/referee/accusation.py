"""Nothing legal explains the table: was a rule broken, or must people look?

Nobody is accused on a shaky sight. A refusal is spoken only when a few pieces clearly lie otherwise, when laying them
so explains everything seen, when a legal explanation is far worse, and when a rule of the game names what is wrong.
Everything else is told as what differs, and people look themselves.
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
from rules.referee.fit import shows_its_other_side
from rules.referee.hypothesis import Explanations, Hypothesis
from rules.referee.likelihood import TableLikelihood
from rules.referee.tuning import TUNING, AccusationThresholds, Tuning
from rules.referee.verdict import Choice, Verdict, VerdictKind, Wrong
from rules.sentence import Joint, Sentence, say, several
from rules.table.change import Change, MovedPiece, change_between, laid_as_seen, where
from rules.table.layout import Layout, Placed, Zone


@dataclass(frozen=True)
class Case:
    """What is known when nothing legal explains the table."""

    game: AnyGame
    view: TableLikelihood
    search: Explanations

    @property
    def tuning(self) -> Tuning:
        return self.view.tuning

    @property
    def accusing(self) -> AccusationThresholds:
        return self.tuning.accusation

    def verdict(self) -> Verdict:
        still, attempt = self._still, self._judged[0]
        change = self._change(still)
        if attempt is not None:
            return replace(self._refused(attempt, change), choices=self._guesses(still))
        words = told(change, self.tuning, _loose(self.game.layout(still.state)))
        look = please_look(words, way_back(change, self.tuning), _only_missing(change), self.tuning)
        return replace(look, choices=self._guesses(still), wrong=_wrong(change, self.tuning))

    @property
    def reason(self) -> str:
        """Why somebody is accused, or nobody."""
        return self._judged[1]

    @cached_property
    def _judged(self) -> tuple[Attempt | None, str]:
        """The action that a rule refuses, if somebody is to be accused of it, and why or why not."""
        if self.excuse is not None:
            return None, f"nobody is accused: {self.excuse}"
        if self.search.roundabout:
            return None, "nobody is accused: several moves of one piece explain the table"
        attempt = likeliest(self.game, self.view, [(h, self._change(h)) for h in self._starts(self._still)])
        if attempt is None:
            return None, "nobody is accused: no rule names what is wrong"
        name = attempt.action.id if attempt.action is not None else attempt.refusal.clause
        if not (self.is_searched or self._is_single_action(attempt)):
            return None, f"nobody is accused of {name}: not everything legal was tried"
        return attempt, f"{name} is refused by {attempt.refusal.clause}"

    def _guesses(self, still: Hypothesis) -> tuple[Choice, ...]:
        """What explains at least a part of it and is legal, and what else may have been meant: people may say so."""
        accusing = self.accusing
        part = (h for h in self.search.found if h.actions and h.fit.cost <= still.fit.cost - accusing.partly_nats)
        near: dict[Any, tuple[tuple[Action, ...], float]] = {}
        for guess in sorted(part, key=lambda h: h.cost):
            if len(near) < accusing.max_guesses:
                near.setdefault(guess.state, (guess.actions, guess.cost))
        if len(near) < accusing.max_guesses - 1:
            for action, state, astray in self._meant(still):
                if len(near) < accusing.max_guesses:
                    near.setdefault(state, ((action,), still.cost + astray))
        least = min((cost for _, cost in near.values()), default=0.0)
        weights = [math.exp(least - cost) for _, cost in near.values()]
        return tuple(Choice(a, weight / sum(weights)) for (a, _), weight in zip(near.values(), weights, strict=True))

    def _meant(self, still: Hypothesis) -> list[tuple[Action, Any, float]]:
        """Legal actions with what was touched, those first that leave it nearest to where it lies. Where actions name
        the place and not the piece, a piece laid elsewhere is touched by none: then those that move it."""
        state, change = still.state, self._change(still)
        if self.game.turn(state).kind is not TurnKind.SEAT:
            return []
        found = self._led_to(state, self.game.legal(state, touching=change.places), change)
        if not found:
            found = self._led_to(state, self.game.legal(state), change, change.keys)
        return sorted(found, key=lambda one: one[2])

    def _led_to(
        self, state: Any, actions: Iterable[Action], change: Change, keys: Collection[str] = ()
    ) -> list[tuple[Action, Any, float]]:
        """Those actions that lay something otherwise (one of these pieces, if any), where they lead, and how far astray
        that is."""
        lay, found = {placed.key: placed for placed in self.game.layout(state)}, []
        for action in islice(actions, self.accusing.max_meant):
            after = self.game.advance(state, action)
            layout = self.game.layout(after)
            lies = {placed.key: placed for placed in layout}
            if any(lay.get(key) != lies.get(key) for key in keys or lay.keys() | lies.keys()):
                found.append((action, after, _astray(change, layout, self.accusing.far_spaces)))
        return found

    @property
    def _still(self) -> Hypothesis:
        return next(h for h in self.search.found if not h.actions)

    def _change(self, hypothesis: Hypothesis) -> Change:
        """What is only not seen in a supply is nobody's business: it may lie outside the picture. Nor is what dice show
        of which the game knows nothing."""
        change = self.view.change(self.game.layout(hypothesis.state), hypothesis.fit)
        return replace(
            change,
            removed=tuple(p for p in change.removed if p.zone is not Zone.SUPPLY),
            moved=tuple(move for move in change.moved if not _is_unknown_die(move.before)),
        )

    @property
    def suspects(self) -> bool:
        """Whether a few pieces clearly lie otherwise and nothing legal that was tried comes near."""
        return self.excuse is None

    @cached_property
    def excuse(self) -> str | None:
        """Why nobody is suspected; None where somebody is."""
        still = self._still
        if not self.game.layout(still.state).board:
            return "the first tile may be any, and where it lies depends on which it is"
        if self.game.turn(still.state).kind is TurnKind.CHANCE:
            return "what dice or coins have shown may only not have been seen"
        change = self._change(still)
        edits = change.count
        if any(p.zone is not Zone.BOARD for p in change.removed):
            return "what is not seen any more beside the board may be in a hand"
        few = 0 < edits <= self.accusing.max_edits and not _only_missing(change)
        if not few:
            return f"{edits} pieces lie otherwise, or some are only not seen"
        if not self._is_clear(still, change):
            return "not all of it is seen surely"
        layout = self.game.layout(still.state)
        if _has_duplicate(layout, change):
            return "a piece that there is but once would lie there twice"
        if self.view.denies(_on_board(change)):
            return "the picture shows no change there"
        if any(self._is_turned_at_most(h) for h in self.search.found if h.actions):
            return "something legal explains it but for a side that is up"
        if any(self._waits_still(move) for move in change.moved):
            return "a pyramid may stand in its owner's row"
        if not _on_board(change) and self._overlooks_some(still):
            return "many standing pieces are not seen"
        cost = self.view.fit(laid_as_seen(layout, change)).cost
        best = min((h.fit.cost for h in self.search.found if h.actions), default=99.0)
        if cost > self.accusing.max_unexplained_nats:
            return f"laid as it is seen it leaves {cost:.2f} nats, more than {self.accusing.max_unexplained_nats:.2f}"
        if cost + self.accusing.edit_nats * edits + self.accusing.min_worse_nats > best:
            return f"something legal leaves {best:.2f} nats, which is not far worse"
        return None

    def _waits_still(self, move: MovedPiece) -> bool:
        """Whether it may stand in its owner's row, which reaches onto the board: nobody put it there to play it."""
        before, after = move.before, move.after
        near = math.hypot(before.x - after.x, before.y - after.y) < self.view.tuning.off_board.near_spaces
        return before.zone is Zone.SUPPLY and after.zone is Zone.BOARD and before.piece.kind is Kind.PYRAMID and near

    def _overlooks_some(self, still: Hypothesis) -> bool:
        """Whether the eyes miss many of what stands: one that was put on the board, as it had to be before what is seen
        beside it, may be among them."""
        seen = self.view.rates_by_sort(self.game.layout(still.state))
        return min(seen.values(), default=1.0) < self.accusing.min_sort_rate

    def _is_turned_at_most(self, legal: Hypothesis) -> bool:
        """Whether everything lies as it would after this, and what it laid down only seems to show its other side: that
        is as likely the eyes' mistake, which they may make again and again."""
        fit = legal.fit
        if not fit.mismatched or fit.missing or fit.extra or fit.unexplained_regions:
            return False
        change = change_between(self.game.layout(self._still.state), self.game.layout(legal.state))
        laid = {placed.key for placed in (*change.added, *(move.after for move in change.moved))}
        return all(placed.key in laid and shows_its_other_side(placed, seen) for placed, seen in fit.mismatched)

    def _is_clear(self, still: Hypothesis, change: Change) -> bool:
        """Whether all that speaks against somebody is seen without doubt, or as likely as not where the picture shows
        that it went from one spot to the other. More tiles than there are cannot be: one of them is none, as the bare
        middle of a board may look like one; that matters where not all that changed is shown by the picture, too."""
        seen = (*still.fit.extra, *(one for _, one in still.fit.mismatched))
        tiles = sum(s.kind is Kind.TILE for s in self.view.observed.sightings)
        there = sum(p.piece.kind is Kind.TILE for p in self.game.layout(still.state))
        went = {(m.after.x, m.after.y) for m in change.moved if self.view.shows_move(m)}
        doubtful = (one for one in seen if one.sighting.side_certainty < self.accusing.min_certainty)
        shown = len(went) == change.count
        return (tiles <= there or shown) and all(
            one.sighting.certainty >= self.accusing.min_witnessed_certainty and (one.x, one.y) in went
            for one in doubtful
        )

    @property
    def is_searched(self) -> bool:
        """Whether enough was tried: several changed pieces may be several actions, one changed piece is not, unless it
        was moved again and again. Where one person acts several times in a reach, as many changes as may be at all are
        hardly one deed, whatever was tried."""
        search = self.search
        if search.roundabout:
            return False
        edits = self._change(self._still).count
        if not search.cut:
            return search.thorough or edits < self.accusing.max_edits
        return search.thorough and (search.in_pairs or edits == 1)

    def _is_single_action(self, attempt: Attempt) -> bool:
        """Whether a single forbidden action does all this, and no first action of several explains a part of it: then
        more pieces are no more deeds than one. Who moves one pawn away from another on its place moves both."""
        return self.search.thorough and attempt.whole and not self._partly(self._still)

    def _starts(self, still: Hypothesis) -> list[Hypothesis]:
        """Before the illegal act something legal may have been done."""
        return [still, *sorted(self._partly(still), key=lambda h: h.fit.cost)[: self.accusing.max_starts]]

    def _partly(self, still: Hypothesis) -> list[Hypothesis]:
        """The legal actions that explain a part of it."""
        enough = still.fit.cost - self.accusing.partly_nats
        return [h for h in self.search.found if len(h.actions) == 1 and h.fit.cost <= enough]

    def _refused(self, attempt: Attempt, change: Change) -> Verdict:
        refusal = attempt.refusal
        words = tuple(change.words)
        return Verdict(
            VerdictKind.REFUSED,
            refusal.said,
            refusal=refusal,
            attempt=attempt.action,
            differences=words,
            back=way_back(change, self.tuning),
            wrong=_wrong(change, self.tuning),
        )


def _has_duplicate(layout: Layout, change: Change) -> bool:
    """Whether something is new that shows there already, or twice: a set has each piece with suit and value once, so
    the eyes have one of them wrong. What lies hidden is not asked: nobody may learn of it."""
    there = {placed.shown for placed in layout if placed not in change.removed}
    new = [placed.piece for placed in change.added if None not in (placed.piece.suit, placed.piece.rank)]
    return any(piece in there or new.count(piece) > 1 for piece in new)


def _is_unknown_die(placed: Placed) -> bool:
    return placed.piece.kind is Kind.DIE and placed.zone is not Zone.BOARD and placed.piece.rank is None


def please_look(
    words: tuple[Sentence, ...], back: tuple[Sentence, ...], only_missing: bool = False, tuning: Tuning = TUNING
) -> Verdict:
    """What lies otherwise, in words; nobody is blamed for it."""
    return Verdict(
        VerdictKind.IMPOSSIBLE, _look_at(words, tuning), differences=words, back=back, only_missing=only_missing
    )


def unaccused(verdict: Verdict, tuning: Tuning = TUNING) -> Verdict:
    """What lies otherwise all the same, and nobody is blamed; a verdict that blames nobody as it is."""
    if verdict.kind is not VerdictKind.REFUSED:
        return verdict
    return please_look(verdict.differences, verdict.back, tuning=tuning)


def _look_at(words: tuple[Sentence, ...], tuning: Tuning) -> Sentence:
    if not words:
        return say("please look: the pieces do not lie as they should")
    first = several(words[: tuning.accusation.max_differences], Joint.SEMICOLON)
    if len(words) <= tuning.accusation.max_differences:
        return say("please look: {differences}", differences=first)
    return say(
        "please look: {differences} and {count} more",
        differences=first,
        count=len(words) - tuning.accusation.max_differences,
    )


def told(change: Change, tuning: Tuning = TUNING, loose: int | None = None) -> tuple[Sentence, ...]:
    """What differs, in words. What is wrong with the whole is one trouble and told in one sentence: hands that are not
    in the picture, half a board that is not, a board that lies quite otherwise. `loose`: so many pieces are moved on
    this board."""
    unseen = _many([p for p in change.removed if p.zone is Zone.BOARD], tuning)
    aside = _many([p for p in change.removed if p.zone is not Zone.BOARD], tuning)
    rest = replace(change, removed=tuple(p for p in change.removed if p not in [*unseen, *aside]))
    added = tuple(p for p in rest.added if p.zone is not Zone.BOARD)
    moved = tuple(move for move in rest.moved if move.before.zone is not Zone.BOARD)
    count = len(rest.added) + len(rest.moved) - len(added) - len(moved)
    board = [_not_in_view(unseen)] if unseen else []
    if count >= _whole(loose, tuning.accusation):
        rest = replace(rest, added=added, moved=moved)
        board.append(say("much of the board differs from the game: {count} pieces", count=count))
    beside = [_not_in_view(aside)] if aside else []
    if board or rest.is_nothing:
        return (*board, *beside, *rest.words)
    return (*rest.words, *beside)


def _whole(loose: int | None, accusing: AccusationThresholds) -> int:
    """So many pieces that lie otherwise are no list any more, but the board."""
    if loose is None:
        return accusing.upset_pieces
    return min(accusing.upset_pieces, max(accusing.min_upset_pieces, math.ceil(accusing.upset_share * loose)))


def _loose(layout: Layout) -> int:
    """How many pieces of the board are there to be moved: those that lie on its tiles or cards, if any do."""
    board = list(layout.board)
    return sum(p.piece.kind not in (Kind.TILE, Kind.CARD) for p in board) or len(board)


def _many(gone: list[Placed], tuning: Tuning) -> list[Placed]:
    return gone if len(gone) >= tuning.accusation.grouped_pieces else []


def _not_in_view(gone: list[Placed]) -> Sentence:
    count, owners = len(gone), {(placed.zone, placed.seat) for placed in gone}
    if gone[0].zone is Zone.BOARD:
        return say("{count} pieces of {place} are not in view", count=count, place=say("the board"))
    if len(owners) == 1:
        return say("{count} pieces of {place} are not in view", count=count, place=where(gone[0]))
    if all(zone is Zone.HAND for zone, _ in owners):
        return say("the hands are not in the picture, or not whole: {count} pieces are not seen", count=count)
    return say(
        "what lies beside the board is not in the picture, or not whole: {count} pieces are not seen", count=count
    )


def _astray(change: Change, layout: Layout, far: float) -> float:
    """How far what changed would lie from where it is seen, all in all."""
    lies = {placed.key: placed for placed in layout.board}
    moved = [(lies.get(move.before.key), move.after) for move in change.moved]
    gone = sum(far for placed in change.removed if placed.key in lies)
    return gone + sum(min(far, math.hypot(p.x - seen.x, p.y - seen.y)) if p is not None else far for p, seen in moved)


def _on_board(change: Change) -> list[Placed]:
    """The pieces that came and went there, as they lay and as they lie."""
    moved = [placed for move in change.moved for placed in (move.before, move.after)]
    return [placed for placed in (*change.added, *change.removed, *moved) if placed.zone is Zone.BOARD]


def _only_missing(change: Change) -> bool:
    return bool(change.removed) and not change.added and not change.moved


def way_back(change: Change, tuning: Tuning = TUNING) -> tuple[Sentence, ...]:
    """What to do with the hands so that the table is as the game believes it."""
    back = [
        say("put {piece} back to {place}", piece=m.before.shown, place=where(m.before))
        for m in change.moved
        if _went(m.before, m.after, tuning)
    ]
    turn = [
        say("turn {piece} up on {place}", piece=m.before.shown, place=where(m.before))
        for m in change.moved
        if not _went(m.before, m.after, tuning)
    ]
    gone = [say("lay {piece} on {place}", piece=p.shown, place=where(p)) for p in change.removed]
    new = [say("take {piece} off {place}", piece=p.shown, place=where(p)) for p in change.added]
    return tuple(back + turn + gone + new)


def _wrong(change: Change, tuning: Tuning) -> tuple[Wrong, ...]:
    """Where on the board it lies otherwise."""
    pairs: list[tuple[Placed | None, Placed | None]] = [(move.before, move.after) for move in change.moved]
    pairs += [(placed, None) for placed in change.removed] + [(None, placed) for placed in change.added]
    on_board = ((_there(should), _there(lies)) for should, lies in pairs)
    return tuple(Wrong(should, lies) for should, lies in on_board if should or lies)[
        : tuning.accusation.max_differences
    ]


def _there(placed: Placed | None) -> Placed | None:
    return placed if placed is not None and placed.zone is Zone.BOARD else None


def _went(before: Placed, after: Placed, tuning: Tuning) -> bool:
    return abs(before.x - after.x) + abs(before.y - after.y) > tuning.places.elsewhere

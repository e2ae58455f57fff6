"""What the referee says to illegal acts: to what a game refuses in its own words, and to what hands do to its table."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from companion_api.simulated.incidents import KINDS, MIN_TILES, Staged, state_after, with_piece
from companion_api.trials.alike import BY_HAND, looks_alike
from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.history import History
from rules.engine.playout import walk
from rules.engine.refusal import Code, Refusal
from rules.engine.turn import TurnKind
from rules.pieces import Kind
from rules.referee.exposure import exposed
from rules.referee.referee import Referee
from rules.referee.verdict import Verdict, VerdictKind
from rules.referee.wording import attempts
from rules.table.change import Change, MovedPiece, change_between
from rules.table.layout import Layout, Placed, Zone
from tests.bench.trials.alike import only_gone
from tests.bench.trials.score import TrialScore
from tests.bench.trials.setting import Setting
from tests.bench.trials.vocabulary import TriedAction, Vocabulary, deeds

OFTEN = 0.2  # of the moments at which somebody is to act
EACH = 1  # acts of one kind at one moment
FEW = 3  # acts at one moment
MOST_ATTEMPTS = 100
MOST_PIECES = 6  # an act that changes more is no act of one hand
NEAR = 0.3
FREE = 0.5  # of a piece that can be lifted is open to view
BESIDE = 1.45  # a piece that lies between two places may be meant for either
_NO_WORDS = (Code.NO_SUCH_PLACE, Code.NO_SUCH_PIECE, Code.BAD_ARGUMENT, Code.UNKNOWN_ACTION, Code.NOT_YOUR_TURN)


@dataclass(frozen=True, slots=True)
class IllegalAct:
    """`clauses` are those that may rightly be cited; none where the game has no words for it."""

    staged: Staged
    clauses: frozenset[str]


def offend(game: AnyGame, seed: int, setting: Setting, limit: int, most: int) -> TrialScore:
    """Show the referee at most so many illegal acts, each after the table as it lay before."""
    score = TrialScore(game.card.id)
    for count, act in enumerate(islice(acts(game, seed, limit), most)):
        onlooker = setting.onlooker(1000 * seed + count)
        referee = Referee(game, History(game, act.staged.state), onlooker.board)
        before = onlooker.see(game.layout(act.staged.state))
        referee.begin(before.table)
        referee.look(before)
        verdict = referee.look(onlooker.see(act.staged.layout))
        if not _is_legal_after_all(referee, verdict, act.staged):
            _count(score, act, verdict)
    return score


def _is_legal_after_all(referee: Referee, verdict: Verdict, staged: Staged) -> bool:
    """Several legal actions may leave the same table, or a question may stand for it."""
    ends = [state_after(referee.game, staged.state, choice.actions) for choice in verdict.choices]
    ends += [referee.history.state] if verdict.kind is VerdictKind.ACCEPTED else []
    return any(looks_alike(referee.game.layout(end), staged.layout, BY_HAND) for end in ends)


def _count(score: TrialScore, act: IllegalAct, verdict: Verdict) -> None:
    flagged = verdict.kind in (VerdictKind.REFUSED, VerdictKind.IMPOSSIBLE)
    cited = verdict.refusal.clause if verdict.refusal else ""
    score.illegal += 1
    score.kinds[act.staged.kind] += 1
    score.flagged += flagged
    score.nameable += bool(act.clauses)
    score.right_clause += cited in act.clauses
    if not flagged or (act.clauses and cited not in act.clauses):
        wanted = "/".join(sorted(act.clauses)) or "any"
        tried = verdict.attempt.id if verdict.attempt else ""
        score.notes.append(
            f"{act.staged.kind}: {verdict.kind.value} {cited} {tried}, not {wanted}: {verdict.text[:140]}"
        )


def acts(game: AnyGame, seed: int, limit: int) -> Iterator[IllegalAct]:
    """Illegal acts of every kind that the table allows, at moments of a random game when somebody is to act."""
    rng = random.Random(seed)
    vocabulary = Vocabulary(game, rng)
    for state, action in islice(walk(game, seed), limit):
        vocabulary.learn(action)
        if game.turn(state).kind is TurnKind.SEAT and rng.random() < OFTEN:
            yield from _moment(game, state, vocabulary, rng)


def _moment(game: AnyGame, state: Any, vocabulary: Vocabulary, rng: random.Random) -> Iterator[IllegalAct]:
    before = game.layout(state)
    if sum(placed.piece.kind in (Kind.TILE, Kind.CARD) for placed in before.board) < MIN_TILES:
        return
    done = [found for action in vocabulary.actions(state) for found in deeds(game, state, action)]
    visible = [one for one in done if _is_one_hands_work(before, one.layout)]
    refused = {one.action: refusal for one in visible if (refusal := game.refusal(state, one.action)) is not None}
    illegal = [one for one in visible if one.action in refused]
    legal = [one.layout for one in visible if one.action not in refused]
    staged = [*_in_words(illegal, refused, rng), *_by_hand(before, rng)]
    against = [one for one in staged if not any(looks_alike(one[1], other, BY_HAND) for other in legal)]
    for kind, layout in rng.sample(against, min(FEW, len(against))):
        yield IllegalAct(Staged(kind, state, layout), clauses_for(game, state, layout, illegal))


def _is_one_hands_work(before: Layout, after: Layout) -> bool:
    """A few pieces, none of which has to be drawn from beneath others."""
    change = change_between(before, after)
    edits = len(change.moved) + len(change.added) + len(change.removed)
    free = {placed.key for placed, share in exposed(before) if share >= FREE}
    taken = [p for p in (*change.removed, *(m.before for m in change.moved)) if p.zone is Zone.BOARD]
    return edits <= MOST_PIECES and all(p.key in free for p in taken) and not looks_alike(before, after, NEAR)


def _in_words(
    illegal: list[TriedAction], refused: dict[Any, Refusal], rng: random.Random
) -> Iterator[tuple[str, Layout]]:
    """Of every reason for refusing, an act or two."""
    by_code: dict[Code, list[TriedAction]] = defaultdict(list)
    for one in illegal:
        by_code[refused[one.action].code].append(one)
    for code, found in sorted(by_code.items()):
        if code not in _NO_WORDS:
            for one in rng.sample(found, min(EACH, len(found))):
                yield code.value, one.layout


def _by_hand(before: Layout, rng: random.Random) -> Iterator[tuple[str, Layout]]:
    for kind, stage in KINDS.items():
        layout = stage(before, rng)
        if layout is not None and not looks_alike(before, layout):
            yield kind, layout


def clauses_for(game: AnyGame, state: Any, layout: Layout, illegal: Iterable[TriedAction] = ()) -> frozenset[str]:
    """What the game cites for any action that leaves this very table, or one of two changes, the other being legal or
    not; for a piece that was carried about as no action does it, the rule that says what may be done, or what may be
    done now. Nobody is accused of what is only gone: it may be in a hand."""
    before = game.layout(state)
    change = change_between(before, layout)
    if only_gone(before, layout):
        return frozenset()
    known = [one for one in (*illegal, *_about(game, state, change)) if not looks_alike(before, one.layout, NEAR)]
    alone = [(with_piece(before, move.before, move.after), Change(moved=(move,))) for move in change.moved]
    for table, one in [(layout, change)] if len(alone) == 1 else alone:  # a game is taken at its word about one move
        known += [TriedAction(action, table) for action in game.attempts(state, one)]
    singles = [table for table, _ in alone] if len(alone) > 1 else []
    return (
        _clauses(game, state, _leaving(known, [layout]))
        or _clauses(game, state, _leaving(known, singles)) | _after_a_legal_one(game, state, known, singles, layout)
        or _clauses(game, state, _leaving(known, [layout], BESIDE) if _lies_between(change, layout) else [])
        or _of_the_moment(game, state, change)
    )


def _leaving(known: Iterable[TriedAction], tables: list[Layout], within: float = NEAR) -> list[Action]:
    return [one.action for one in known if any(looks_alike(one.layout, table, within) for table in tables)]


def _clauses(game: AnyGame, state: Any, actions: Iterable[Action]) -> frozenset[str]:
    """What is cited against these actions; that it is not their time only where nothing else is."""
    cited = [refusal for action in actions if (refusal := game.refusal(state, action)) is not None]
    telling = [refusal for refusal in cited if refusal.code is not Code.WRONG_PHASE] or cited
    return frozenset(refusal.clause for refusal in telling)


def _after_a_legal_one(
    game: AnyGame, state: Any, known: Iterable[TriedAction], singles: list[Layout], layout: Layout
) -> frozenset[str]:
    """What is cited against the rest of several changes, one of which is a legal action."""
    clauses: frozenset[str] = frozenset()
    for action in dict.fromkeys(_leaving(known, singles)):
        if game.refusal(state, action) is None:
            after = game.advance(state, action)
            if game.turn(after).kind is TurnKind.SEAT and len(_moves(game, after, layout)) < len(singles):
                clauses |= clauses_for(game, after, layout)
    return clauses


def _moves(game: AnyGame, state: Any, layout: Layout) -> tuple[MovedPiece, ...]:
    return change_between(game.layout(state), layout).moved


def _of_the_moment(game: AnyGame, state: Any, change: Change) -> frozenset[str]:
    """For pieces that were carried about as no action does: what may be done at all, and what may be done now."""
    if not _is_carried(change):
        return frozenset()
    said = (game.refusal(state, action) for action in islice(attempts(game, state, change), MOST_ATTEMPTS))
    return frozenset({game.card.action_clause, *(r.clause for r in said if r and r.code is Code.WRONG_PHASE)})


def _lies_between(change: Change, layout: Layout) -> bool:
    return any(_is_between(move.after, layout) for move in change.moved)


def _is_between(placed: Placed, layout: Layout) -> bool:
    """Whether a piece lies on a named place, but nowhere near its middle."""
    place = next((place for place in layout.places if place.name == placed.place), None)
    return place is not None and math.hypot(place.x - placed.x, place.y - placed.y) > NEAR


def _about(game: AnyGame, state: Any, change: Change) -> Iterator[TriedAction]:
    for action in islice(dict.fromkeys(attempts(game, state, change)), MOST_ATTEMPTS):
        yield from deeds(game, state, action)


def _is_carried(change: Change) -> bool:
    """Pieces only went from one spot of the board to another."""
    moved = [m for m in change.moved if m.before.zone is m.after.zone is Zone.BOARD]
    went = [m for m in moved if replace(m.after, x=m.before.x, y=m.before.y, place=m.before.place) == m.before]
    return bool(went) and len(went) == len(change.moved) and not (change.added or change.removed)

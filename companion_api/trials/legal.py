"""Play random games before the referee's eyes and count how it judges."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from companion_api.lying_dice import LyingDice
from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.effects import EffectKind
from rules.engine.history import History
from rules.engine.playout import walk
from rules.engine.turn import TurnKind
from rules.pieces import Kind as PieceKind
from rules.referee.likelihood import exposed, unsaid
from rules.referee.referee import Referee
from rules.referee.verdict import Kind, Verdict
from rules.table.change import change_between
from rules.table.layout import Layout, Zone
from companion_api.trials.synthetic import Noise, anywhere, nudge, observe


@dataclass
class Tally:
    """What the referee said on legal turns."""

    verdicts: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def turns(self) -> int:
        return sum(self.verdicts.values())


def follow(
    game: AnyGame,
    seed: int,
    noise: Noise | None = None,
    options: object = None,
    seats: object = None,
    limit: int = 60,
    zones: bool = True,
) -> Tally:
    """After every action the table is shown once; what the camera cannot see is told to the referee."""
    rng = random.Random(seed)
    noise = noise or Noise()
    tally = Tally()
    board = anywhere(rng)
    referee = Referee(game, History.begin(game, options, seats))  # type: ignore[arg-type]
    dice = LyingDice(random.Random(seed))
    referee.registration = board  # nobody can tell how a symmetric board is meant to lie
    opening = observe(game.layout(referee.history.state), board, rng, noise, zones=zones, dice=dice)
    referee.begin(opening)
    referee.look(opening)
    unshown: list[Action] = []
    for count, (state, action) in enumerate(walk(game, seed, options, seats)):  # type: ignore[arg-type]
        if count >= limit:
            break
        step = game.apply(state, action)
        after = step.state
        for effect in step.effects:
            if effect.kind is EffectKind.ROLL and effect.piece:
                dice.throw(effect.piece)
        if _is_told(game, state, after):
            _catch_up(referee, unshown)
            referee.history = referee.history.play(action)
            continue
        unshown.append(action)
        if _shows_unknown(game, after):
            continue  # who turns a coin over shows its value in the same picture
        board = nudge(board, rng)
        begun = time.thread_time()
        before, start = referee.history, referee.history.state
        verdict = referee.look(observe(game.layout(after), board, rng, noise, zones=zones, dice=dice))
        tally.seconds.append(time.thread_time() - begun)
        alike = verdict.kind is Kind.SETTLED and looks_alike(game, game.layout(start), game.layout(after))
        told = alike or _nobody_can_tell(game, start, verdict, after)
        tally.verdicts["unseen" if told else _judged(verdict, referee, after)] += 1
        if referee.history.state != after:
            if not told:
                names = "+".join(a.id for a in unshown)
                tally.notes.append(
                    f"ply {count} {names}: {verdict.kind.value} {verdict.action_id} {verdict.text[:160]}"
                )
            _put_right(referee, before, unshown)
        unshown = []
    return tally


def _is_told(game: AnyGame, state: object, after: object) -> bool:
    """Sealed choices come from phones; a whole deal is read by the set-up, not by the referee; what changes nothing on
    the table nobody can see."""
    turn = game.turn(state)
    if turn.kind is TurnKind.ALL or (turn.kind is TurnKind.CHANCE and not game.exhaustive(state)):
        return True
    return change_between(game.layout(state), game.layout(after)).is_nothing


def _shows_unknown(game: AnyGame, state: object) -> bool:
    unknown = (p for p in game.layout(state) if p.piece.kind is not PieceKind.DIE)
    return game.turn(state).kind is TurnKind.CHANCE and any(unsaid(p) for p in unknown)


def _catch_up(referee: Referee, unshown: list[Action]) -> None:
    for action in unshown:
        referee.history = referee.history.play(action)
    unshown.clear()


def _nobody_can_tell(game: AnyGame, start: object, verdict: Verdict, after: object) -> bool:
    """A question is right where all the answers leave the same table (which choice a voting coin is for)."""
    if verdict.kind is not Kind.AMBIGUOUS:
        return False
    ends = [_played(game, start, choice.actions) for choice in verdict.choices]
    return after in ends and all(looks_alike(game, game.layout(end), game.layout(after)) for end in ends)


def _played(game: AnyGame, state: Any, actions: Iterable[Action]) -> Any:
    for action in actions:
        state = game.advance(state, action)
    return state


def looks_alike(game: AnyGame, one: Layout, other: Layout) -> bool:
    """Whether the two tables show the same to a camera: a coin less in a heap of one suit."""
    return _shown(one) == _shown(other)


def _shown(layout: Layout) -> list[tuple[object, ...]]:
    board = [
        (p.shown.code, round(p.x, 1), round(p.y, 1), p.face, p.pose, p.angle)
        for p, share in exposed(layout)
        if share > 0.3
    ]
    aside = [(p.shown.code, p.zone, p.seat, p.face) for p in layout if p.zone not in (Zone.BOARD, Zone.SUPPLY)]
    return sorted(board, key=repr) + sorted(aside, key=repr)


def _judged(verdict: Verdict, referee: Referee, after: object) -> str:
    if verdict.kind is Kind.ACCEPTED:
        return "right" if _same_place(referee.game, referee.history.state, after) else "wrong"
    return verdict.kind.value


def _same_place(game: AnyGame, one: object, other: object) -> bool:
    """Equal, or no farther apart than a hand can place a piece."""
    if one == other:
        return True
    first, second = game.layout(one), game.layout(other)
    return len(first) == len(second) and all(
        p.key == q.key and p.zone is q.zone and p.seat == q.seat and abs(p.x - q.x) + abs(p.y - q.y) < 0.45
        for p, q in zip(first, second, strict=True)
    )


def _put_right(referee: Referee, before: History, actions: list[Action]) -> None:
    """A person corrects: the history goes on as it was really played."""
    referee.history = before
    for action in actions:
        referee.history = referee.history.play(action)

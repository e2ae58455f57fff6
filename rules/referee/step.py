"""One look as a pure function: `look(history, memory, frame) -> (verdict, memory)`. A caller that does not accept the
verdict keeps the memory it passed in.

Hypotheses are tried in this order: nothing happened (jostle, light, a passing hand), one legal action, two or three,
actions taken back, a broken rule. Where two explanations are within the margin, people are asked.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

from rules.engine.contract import AnyGame
from rules.engine.effects import EffectKind
from rules.engine.history import History
from rules.engine.turn import TurnKind
from rules.pieces import Kind, Piece
from rules.referee.accusation import without_accusation
from rules.referee.alternatives import alternative_histories
from rules.referee.change_evidence import ChangeEvidence, Keyframe, change_evidence, new_keyframe
from rules.referee.decision import Decision, played
from rules.referee.detection_rates import NOTHING_LEARNED, DetectionRates, Spot, spot
from rules.referee.dice import DiceState
from rules.referee.explanation import Explanation
from rules.referee.exposure import exposed
from rules.referee.hypothesis import LayoutOf
from rules.referee.likelihood import TableLikelihood
from rules.referee.memory import AnnouncedDeal, LastAccepted, Memory, Question
from rules.referee.off_board_change import OffBoardState
from rules.referee.register import Registration, matched, pose_error_mm, register, rotated_alternatives
from rules.referee.suit_confusion import SuitConfusion
from rules.referee.tuning import TUNING, DecisionThresholds, Tuning
from rules.referee.verdict import Choice, Verdict, VerdictKind
from rules.sentence import say
from rules.table.change import change_between
from rules.table.evidence import FrameDiff, PictureEvidence, ReferencePicture, TableEvidence
from rules.table.layout import Layout, Placed, Zone
from rules.table.observed import ObservedTable, Sighting

EMPTY_LAYOUT = Layout()
UNEXPLAINED = (VerdictKind.IMPOSSIBLE, VerdictKind.REFUSED)


def look(
    history: History,
    memory: Memory,
    frame: TableEvidence,
    tuning: Tuning = TUNING,
    explanation: Explanation | None = None,
) -> tuple[Verdict, Memory]:
    """The verdict on one still moment, and the memory after it. What was compared and what decided is recorded in
    `explanation`."""
    table, explanation = frame.table, Explanation() if explanation is None else explanation
    tuned, layout = _tuning_for(history, table, tuning), cache(history.game.layout)
    update = FrameUpdate(history, memory, frame.picture, tuned, explanation, layout)
    verdict, after = update.judge(table)
    if memory.detection is None and memory.registration is None and after.registration is not None:
        return verdict, replace(after, turned=tuple(update.turned_memories(table, after.registration)))
    if memory.turned and verdict.kind in UNEXPLAINED:
        return update.explained_by_turned_board(table, verdict) or (without_accusation(verdict, tuning), after)
    if memory.deal is not None:
        if verdict.kind not in UNEXPLAINED and not verdict.undone:
            after = replace(after, deal=None)
        elif update.is_new_deal(table, memory.deal):
            explanation.note("the table was laid anew: judged once more as at a first look")
            return look(history, memory.restarted, frame, tuning, explanation)
    return verdict, replace(after, turned=()) if verdict.kind is VerdictKind.ACCEPTED else after


def initial_memory(history: History, memory: Memory, table: ObservedTable, tuning: Tuning = TUNING) -> Memory:
    """The memory with the dice as they lie before anything is done; without it, the faces at the first look count as a
    throw."""
    pose = register(history.game.layout(history.state), table, memory.registration, tuning)
    if pose is None:
        return memory
    dice_pose = FrameUpdate(history, memory, None, tuning)._dice_pose(pose)
    return replace(memory, dice=DiceState.of(table, dice_pose))


def after_correction(
    before: History, now: History, memory: Memory, frame: TableEvidence, tuning: Tuning = TUNING
) -> Memory:
    """The memory after people have said what was done before this table was seen. Pieces that lie there by their word
    alone and were never detected so are not missed at the next look, as those of a set-up are not at the first. Where
    the picture confirms their word, this table becomes the keyframe, whatever the detector reads on it. An answer to a
    question confirms the pose that the board had when it was asked."""
    memory = replace(memory, last_accepted=None)
    question = memory.question
    if question is not None and question.pose is not None and question.is_answered_by(now.actions):
        memory = replace(memory, registration=question.pose)
    if memory.detection is None:
        return memory
    change = change_between(now.game.layout(before.state), now.game.layout(now.state))
    placed_pieces = (*change.added, *(move.after for move in change.moved))
    announced = {spot(placed) for placed in placed_pieces}
    memory = replace(memory, detection=memory.detection.with_missed(announced))
    if sum(placed.zone is Zone.BOARD for placed in placed_pieces) >= tuning.decision.deal_pieces:
        memory = replace(memory, deal=AnnouncedDeal(now.actions, placed_pieces))
    table = frame.table
    update = FrameUpdate(now, memory, frame.picture, _tuning_for(now, table, tuning))
    after = replace(
        memory,
        keyframe=update.keyframe(table),
        dice=update.dice_state(table),
        bare_picture=update.picture_without_board(table),
        off_board=update.off_board_state(table),
    )
    was_rewritten = now.actions[: len(before.actions)] != before.actions
    return update.accepted_as_correct(table, after, announced) if was_rewritten or memory.unexplained else after


def _tuning_for(history: History, table: ObservedTable, tuning: Tuning) -> Tuning:
    return tuning.on(history.game.layout(history.state), table.is_marked)


def history_after(history: History, verdict: Verdict) -> History:
    """The history after a verdict."""
    if verdict.undone:
        return history.undo(verdict.undone)
    return played(history, verdict.actions)


@dataclass(frozen=True, slots=True)
class _RegisteredTable:
    """One still table in the board's frame, ready to be judged."""

    raw: ObservedTable
    """The detections in the camera's own table frame."""
    table: ObservedTable
    """The detections to judge: combined with the keyframe's where there is one, with corrected suits."""
    detected: ObservedTable
    """The detections of this frame alone."""
    pose: Registration
    keyframe: Keyframe | None
    evidence: ChangeEvidence | None
    bare_diff: FrameDiff | None
    """Where no board lies yet: the difference from the last picture, used for dice."""
    suits: SuitConfusion


@dataclass(frozen=True)
class FrameUpdate:
    """The judgement of one look; it changes nothing."""

    history: History
    memory: Memory
    picture: PictureEvidence | None
    tuning: Tuning
    explanation: Explanation = field(default_factory=Explanation, compare=False)
    layout: LayoutOf | None = field(default=None, compare=False)
    """The game's `layout`, cached: one look asks for the same states with several readings of the table."""

    @property
    def thresholds(self) -> DecisionThresholds:
        return self.tuning.decision

    @property
    def game(self) -> AnyGame:
        return self.history.game

    @property
    def _decision(self) -> Decision:
        return Decision(self.history, self.memory, self.tuning, self.explanation, self.layout, self._open_question())

    def judge(self, observed: ObservedTable) -> tuple[Verdict, Memory]:
        """The verdict on this table and the memory after it."""
        registered = self._registered(observed)
        if registered is None:
            self.explanation.note("no board is found")
            return self._board_not_found(), self.memory
        untouched = partial(self._is_untouched, registered.bare_diff)
        dice = self.memory.dice.with_unmoved(
            registered.table, self._dice_pose(registered.pose), self.tuning.places, untouched
        )
        question = self._open_question()
        asked_dice = question.dice if question is not None else None
        if (
            question is not None
            and asked_dice
            and asked_dice.moved(registered.table, self._dice_pose(registered.pose), self.tuning.places)
        ):
            question = replace(question, dice=None)
        return replace(self, memory=replace(self.memory, dice=dice, question=question))._judge_registered(registered)

    def _registered(self, observed: ObservedTable) -> _RegisteredTable | None:
        """The table in the board's frame; None where no board is found."""
        keyframe = self.memory.keyframe.valid_for(self.history.actions) if self.memory.keyframe else None
        evidence, suits = self._change_evidence(observed, keyframe), self.memory.suits
        if evidence is not None:
            table, detected = suits.corrected(evidence.diff.table), evidence.diff.eyes
            return _RegisteredTable(observed, table, detected, Registration(), keyframe, evidence, None, suits)
        raw = observed
        if not self.game.layout(self.history.state).board:
            observed = self._without_waiting_tiles(observed)
        pose = self._find_pose(observed)
        if pose is None:
            return None
        if self.memory.detection is None:
            suits = self._updated_suits(suits, self.history, observed, pose)
        table, bare_diff = suits.corrected(observed), self._diff_without_board(observed)
        return _RegisteredTable(raw, table, observed, pose, keyframe, None, bare_diff, suits)

    def _judge_registered(self, registered: _RegisteredTable) -> tuple[Verdict, Memory]:
        table, pose, evidence, suits = registered.table, registered.pose, registered.evidence, registered.suits
        dice_thrown = self.memory.dice.thrown(table, self._dice_pose(pose), self.tuning.places)
        verdict, detection = self._decide(self._blanked(table, pose), pose, dice_thrown, evidence)
        if self._open_question() is not None:
            # Nobody is accused of what may be legal after something that people have not said yet.
            verdict = without_accusation(verdict, self.tuning)
        if (
            verdict.kind in UNEXPLAINED
            and (revised := self._revised(table, pose, dice_thrown, evidence, verdict)) is not None
        ):
            verdict, question = revised
            if verdict.undone:
                return verdict, replace(self.memory, question=question, last_accepted=None)
        layout = self.game.layout(self.history.state)
        keyframe = self._next_keyframe(
            verdict, self._view(registered.table, pose, layout), registered.raw, registered.keyframe
        )
        memory = replace(
            self.memory,
            detection=detection,
            keyframe=keyframe,
            question=self._next_question(verdict, table, pose, evidence),
            suits=suits,
        )
        memory = replace(
            memory, unexplained=verdict.kind in UNEXPLAINED and (keyframe is None or keyframe is registered.keyframe)
        )
        is_explained = verdict.kind in (VerdictKind.SETTLED, VerdictKind.ACCEPTED)
        update = replace(self, history=history_after(self.history, verdict))
        state = update.history.state
        if is_explained:
            memory = replace(memory, ever_explained=True, registration=self._board_pose(pose, evidence))
            memory = replace(memory, suits=self._updated_suits(suits, update.history, registered.detected, pose))
            memory = replace(
                memory, pose_error_mm=pose_error_mm(self.game.layout(state), registered.detected, pose, self.tuning)
            )
        if verdict.kind is VerdictKind.ACCEPTED and verdict.actions:
            last = LastAccepted((*self.history.actions, *verdict.actions), len(verdict.actions))
            memory = replace(memory, last_accepted=last)
        accepted = verdict.kind is VerdictKind.ACCEPTED and not (dice_thrown and self._throw_is_unread(verdict, state))
        if accepted or (verdict.kind is VerdictKind.SETTLED and self._awaits_no_dice(state)):
            memory = replace(memory, dice=DiceState.of(table, update._dice_pose(pose)))
        if is_explained or self.memory.detection is None:
            memory = replace(
                memory,
                bare_picture=update.picture_without_board(registered.raw),
                waiting_tiles=update._next_waiting_tiles(verdict, registered.raw),
                off_board=update._next_off_board(table, pose, evidence, verdict),
            )
        return verdict, memory

    def _find_pose(self, observed: ObservedTable) -> Registration | None:
        """The board's pose. While no board is known to lie, that of the likeliest answer to an open question."""
        question, layout = self._open_question(), self.game.layout(self.history.state)
        if question is not None and question.answers and question.pose is not None and not layout.board:
            likeliest = played(self.history, question.answers[0].actions)
            return register(self.game.layout(likeliest.state), observed, question.pose, self.tuning) or question.pose
        previous = (question and question.pose) or self.memory.registration or self._first_tile(observed)
        return register(layout, observed, previous, self.tuning)

    def _first_tile(self, observed: ObservedTable) -> Registration | None:
        """The pose of the first tile, if none lay at the look before."""
        if self.memory.waiting_tiles is None:
            return None
        pose = register(EMPTY_LAYOUT, self._without_waiting_tiles(observed), None, self.tuning)
        return None if pose == Registration() else pose

    def _next_waiting_tiles(self, verdict: Verdict, observed: ObservedTable) -> ObservedTable | None:
        """What waits beside the board while no tile is laid. A verdict without a margin leaves something open: a tile
        that is new then may be the first one laid."""
        if self.game.layout(self.history.state).board:
            return None
        return observed if self.memory.waiting_tiles is None or verdict.margin else self.memory.waiting_tiles

    def _without_waiting_tiles(self, observed: ObservedTable) -> ObservedTable:
        """The table without the tiles that lay there before any board did."""
        if self.memory.waiting_tiles is None:
            return observed
        before = [s for s in self.memory.waiting_tiles.sightings if s.kind is Kind.TILE]
        within = self.tuning.places.aside
        kept = (
            s
            for s in observed.sightings
            if s.kind is not Kind.TILE or all(math.hypot(s.x - t.x, s.y - t.y) >= within for t in before)
        )
        return replace(observed, sightings=tuple(kept))

    def _dice_pose(self, pose: Registration) -> Registration:
        """The frame in which dice are compared: the board's, or the table's own while no board lies."""
        return pose if self.game.layout(self.history.state).board else Registration()

    def _blanked(self, observed: ObservedTable, pose: Registration) -> ObservedTable:
        return self.memory.dice.without_old_faces(observed, self._dice_pose(pose), self.tuning.places)

    def _change_evidence(self, observed: ObservedTable, keyframe: Keyframe | None) -> ChangeEvidence | None:
        return change_evidence(TableEvidence(observed, self.picture), keyframe, self.tuning)

    def _diff_without_board(self, observed: ObservedTable) -> FrameDiff | None:
        picture, reference = self.picture, self.memory.bare_picture
        return picture.compared(reference, observed) if picture is not None and reference is not None else None

    def _is_untouched(self, diff: FrameDiff | None, die: Sighting) -> bool:
        """Whether the picture shows no change where this die is detected."""
        chance = None if diff is None else diff.changed(Placed(Piece(Kind.DIE), "", die.x, die.y))
        return chance is not None and chance <= self.tuning.change.unchanged_chance

    def turned_memories(self, observed: ObservedTable, pose: Registration) -> Iterator[Memory]:
        """The memories of the other quarter turns in which the board explains this table as well."""
        for rotated in rotated_alternatives(self.game.layout(self.history.state), observed, pose, self.tuning):
            verdict, memory = replace(
                self, memory=replace(self.memory, registration=rotated), explanation=Explanation()
            ).judge(observed)
            if verdict.kind is VerdictKind.SETTLED:
                yield memory

    def explained_by_turned_board(self, observed: ObservedTable, verdict: Verdict) -> tuple[Verdict, Memory] | None:
        """The verdict of a turned board in which something legal, by a clear margin, explains the table; None if there
        is none."""
        for memory in self.memory.turned:
            self.explanation.note("judged once more as if the board lay turned")
            rotated_verdict, after = replace(self, memory=memory).judge(observed)
            if (
                rotated_verdict.kind is VerdictKind.ACCEPTED
                and rotated_verdict.actions
                and rotated_verdict.margin >= self.thresholds.margin_nats
            ):
                return rotated_verdict, after
        return None

    def is_new_deal(self, observed: ObservedTable, deal: AnnouncedDeal) -> bool:
        """Whether the picture shows change at much of an announced deal: its pieces are then as new to the detector as
        those of a first look."""
        if deal.actions != self.history.actions:
            return False
        keyframe = self.memory.keyframe.valid_for(deal.actions) if self.memory.keyframe else None
        evidence = self._change_evidence(observed, keyframe)
        if evidence is None:
            return keyframe is not None and self.picture is not None  # too much changed to be compared
        changed = sum(not evidence.is_untouched(placed) for placed in deal.places)
        return changed >= self.thresholds.deal_share * len(deal.places)

    def dice_state(self, observed: ObservedTable) -> DiceState:
        """The dice as they lie when people have said what they showed: these faces are no throw."""
        registered = self._registered(observed)
        return (
            self.memory.dice if registered is None else DiceState.of(registered.table, self._dice_pose(registered.pose))
        )

    def off_board_state(self, observed: ObservedTable) -> OffBoardState | None:
        """The pieces beside the board when people have said how the table stands."""
        registered = self._registered(observed)
        return self.memory.off_board if registered is None else self._next_off_board(registered.table, registered.pose)

    def _next_off_board(
        self,
        table: ObservedTable,
        pose: Registration,
        evidence: ChangeEvidence | None = None,
        verdict: Verdict | None = None,
    ) -> OffBoardState | None:
        """The state beside the board to compare the next look with; None before anything lies on the board, as its
        edges are unknown."""
        layout = self.game.layout(self.history.state)
        if not layout.board:
            return None
        view = self._view(table, pose, layout, evidence=evidence)
        if verdict is None:
            return OffBoardState.of(layout, view.off_board_sightings)
        return view.next_off_board_state(layout, bool(verdict.actions))

    def picture_without_board(self, observed: ObservedTable) -> ReferencePicture | None:
        """The reference picture for dice while no board lies; None once one does."""
        if self.game.layout(self.history.state).board or self.picture is None:
            return None
        return self.picture.remember(EMPTY_LAYOUT, Registration(), observed, self.memory.bare_picture)

    def keyframe(self, observed: ObservedTable) -> Keyframe | None:
        """The keyframe when people have said that the table stands so; the previous one where the picture does not
        confirm it."""
        previous = self.memory.keyframe.valid_for(self.history.actions) if self.memory.keyframe else None
        evidence = self._change_evidence(observed, previous)
        layout = self.game.layout(self.history.state)
        if evidence is None or not evidence.fit(exposed(layout, self.tuning)).is_confirmed_by_picture:
            return previous
        view = self._view(self.memory.suits.corrected(evidence.diff.table), Registration(), layout)
        return self._new_keyframe(self.history, view, observed, previous)

    def accepted_as_correct(self, observed: ObservedTable, memory: Memory, announced: Collection[Spot]) -> Memory:
        """The memory after people have said how a table stands that nothing explained, or that was misjudged. As at a
        first look, detections that differ are errors of the detector, the pose of the whole board included, and are not
        reported again. Nothing is accepted where a piece that nobody announced may only lie elsewhere."""
        layout = self.game.layout(self.history.state)
        readings = [
            (self._view(registered.table, registered.pose, layout, evidence=registered.evidence), update, registered)
            for update in (self._restarted, self)
            if (registered := update._registered(observed)) is not None
        ]
        if not readings:
            return memory
        view, update, registered = min(readings, key=lambda each: _difference_count(each[0], layout))
        if view.may_be_elsewhere(layout, announced):
            return memory
        sighting_view = self._view(registered.table, registered.pose, layout)
        memory = replace(
            memory,
            keyframe=self._new_keyframe(self.history, sighting_view, registered.raw, registered.keyframe),
            dice=DiceState.of(registered.table, self._dice_pose(registered.pose)),
            unexplained=False,
        )
        if update is self:
            return replace(
                memory,
                detection=(memory.detection or NOTHING_LEARNED).merged(view.initial_detection(layout, announced)),
            )
        detection = update._next_detection(view, Verdict(VerdictKind.SETTLED, say("nothing has changed")), announced)
        return replace(memory, registration=registered.pose, detection=detection, suits=registered.suits)

    @property
    def _restarted(self) -> FrameUpdate:
        return replace(self, memory=self.memory.restarted)

    def _updated_suits(
        self, suits: SuitConfusion, history: History, detected: ObservedTable, pose: Registration
    ) -> SuitConfusion:
        """The suit confusion, with what an explained table adds to it."""
        pairs = matched(self.game.layout(history.state), detected, pose, self.tuning)
        return suits.updated(SuitConfusion.estimated(pairs, self.tuning.suit_confusion))

    # Questions that nobody answers ------------------------------------------------------------------------------

    def _open_question(self) -> Question | None:
        """The unanswered question about this very history, if any."""
        question = self.memory.question
        return question if question is not None and question.actions == self.history.actions else None

    def _board_pose(self, pose: Registration, evidence: ChangeEvidence | None) -> Registration | None:
        """The board's pose on the table after this look; a table that was compared with a keyframe is in the board's
        frame already, and one without a board in its own."""
        return self.memory.registration if evidence is not None or pose == Registration() else pose

    def _next_question(
        self, verdict: Verdict, table: ObservedTable, pose: Registration, evidence: ChangeEvidence | None
    ) -> Question | None:
        """The question that is open after this verdict."""
        if verdict.kind is VerdictKind.AMBIGUOUS:
            likeliest = verdict.choices[: self.thresholds.max_answers]
            answers = tuple(c for c in likeliest if len(c.actions) <= self.thresholds.max_answer_actions)
            dice = DiceState.of(table, self._dice_pose(pose))
            return Question(self.history.actions, answers, self._board_pose(pose, evidence), dice)
        return self._open_question() if verdict.kind in UNEXPLAINED else None

    def _revised(
        self,
        observed: ObservedTable,
        pose: Registration,
        dice_thrown: bool,
        evidence: ChangeEvidence | None,
        verdict: Verdict,
    ) -> tuple[Verdict, Question] | None:
        """Where nothing explains the table: the verdict if the last accepted action was another one that looked the
        same. If that explains everything, the accepted actions are taken back and the next look finds the right ones;
        if it may, nobody is accused. None if it explains nothing."""
        last = self.memory.last_accepted
        if last is None or last.actions != self.history.actions:
            return None
        before = self.history.undo(last.count)
        alternatives = alternative_histories(self.game, before.state, self.history.state, self.tuning.alternatives)
        if not alternatives:
            return None
        self.explanation.note(
            f"what was taken for done last is doubted: judged after each of {len(alternatives)} other ways"
        )
        question = Question(before.actions, tuple(Choice(way, 1 / len(alternatives)) for way in alternatives))
        revised, _ = replace(self, history=before, memory=replace(self.memory, question=question))._decide(
            self._blanked(observed, pose), pose, dice_thrown, evidence
        )
        if revised.kind is VerdictKind.ACCEPTED and not revised.undone and question.leads_to(revised.actions):
            text = say("what lies there now shows that something else was done before")
            return Verdict(VerdictKind.ACCEPTED, text, undone=last.count, margin=revised.margin), question
        if revised.kind in (VerdictKind.ACCEPTED, VerdictKind.AMBIGUOUS) and verdict.kind is VerdictKind.REFUSED:
            return without_accusation(verdict, self.tuning), question
        return None

    def _next_keyframe(
        self, verdict: Verdict, view: TableLikelihood, observed: ObservedTable, previous: Keyframe | None
    ) -> Keyframe | None:
        """The keyframe after this verdict. The layout of a first look is accepted even where not all of it is detected:
        the players have set it up."""
        if verdict.kind in UNEXPLAINED and previous is not None:
            return previous
        if verdict.kind is VerdictKind.AMBIGUOUS:
            return previous
        return self._new_keyframe(history_after(self.history, verdict), view, observed, previous)

    def _new_keyframe(
        self, history: History, view: TableLikelihood, observed: ObservedTable, previous: Keyframe | None
    ) -> Keyframe | None:
        layout, frame = self.game.layout(history.state), TableEvidence(observed, self.picture)
        return new_keyframe(
            layout, view.registration, history.actions, frame, view.false_positives(layout), previous, self.tuning
        )

    def _awaits_no_dice(self, state: Any) -> bool:
        """Whether nobody is to throw and no throw is unread."""
        unknown = any(p.piece.kind is Kind.DIE and p.piece.rank is None for p in self.game.layout(state))
        return self.game.turn(state).kind is not TurnKind.CHANCE and not unknown

    def _throw_is_unread(self, verdict: Verdict, state: Any) -> bool:
        """Whether the game waits for a throw after what was done and none was read: dice that lie there may be it."""
        read = any(effect.kind is EffectKind.ROLL for effect in verdict.effects)
        return not read and not verdict.undone and not self._awaits_no_dice(state)

    def _board_not_found(self) -> Verdict:
        text = say("the {game} board is not on the table, or too little of it is in view", game=self.game.card.name)
        return Verdict(VerdictKind.IMPOSSIBLE, text, only_missing=True)

    def _view(
        self,
        observed: ObservedTable,
        pose: Registration,
        layout: Layout,
        detection: DetectionRates = NOTHING_LEARNED,
        evidence: ChangeEvidence | None = None,
    ) -> TableLikelihood:
        return TableLikelihood(observed, pose, layout, detection, evidence, self.memory.off_board, self.tuning)

    # Judging ----------------------------------------------------------------------------------------------------

    def _decide(
        self, observed: ObservedTable, pose: Registration, dice_thrown: bool, evidence: ChangeEvidence | None
    ) -> tuple[Verdict, DetectionRates]:
        """The verdict and the detection rates after it. Pieces never detected where they lie are ignored once the game
        has begun; before, people set them right."""
        detection = self.memory.detection or NOTHING_LEARNED
        layout = self.game.layout(self.history.state)
        view = self._view(observed, pose, layout, detection, evidence)
        verdict = self._decision.judge(view, dice_thrown, "the table as it is seen")
        if detection.any and verdict.kind is VerdictKind.SETTLED and not self.history.entries:
            view_with_all = self._view(observed, pose, layout, detection.rates_only, evidence)
            verdict = self._decision.judge(
                view_with_all, dice_thrown, "before the game has begun, with what the eyes never saw"
            )
        if evidence is not None and verdict.kind is VerdictKind.REFUSED:
            detected = self._blanked(self.memory.suits.corrected(evidence.diff.eyes), pose)
            verdict = self._unless_legal_by_sightings(
                verdict, self._view(detected, pose, layout, detection), dice_thrown
            )
        return verdict, self._next_detection(view, verdict)

    def _unless_legal_by_sightings(self, verdict: Verdict, view: TableLikelihood, dice_thrown: bool) -> Verdict:
        """The verdict without its accusation, if the detections of this frame alone show something legal."""
        by_sightings = self._decision.judge(
            view, dice_thrown, "by what the eyes see now, without the picture of before"
        )
        if by_sightings.kind is not VerdictKind.ACCEPTED:
            return verdict
        return without_accusation(verdict, self.tuning)

    def _next_detection(
        self, view: TableLikelihood, verdict: Verdict, announced: Collection[Spot] = ()
    ) -> DetectionRates:
        """The detection rates after this verdict. The first look at a board tells what the detector misses there; later
        looks only remove from that."""
        history = history_after(self.history, verdict)
        if verdict.kind is VerdictKind.AMBIGUOUS and self.memory.detection is None:
            # what people are asked about is no fault of the eyes
            history = played(history, verdict.choices[0].actions)
        layout = self.game.layout(history.state)
        detection = (
            view.initial_detection(layout, announced) if self.memory.detection is None else self.memory.detection
        )
        return detection.updated(
            view.explained_rates(layout), view.rates_by_sort(layout), self.tuning.detection.last_weight
        )


def _difference_count(view: TableLikelihood, layout: Layout) -> int:
    """The number of pieces that look otherwise than in this layout."""
    fit = view.fit(layout)
    return len(fit.missing) + len(fit.mismatched) + len(fit.extra)

"""One look as a pure function: `look(history, memory, frame) -> (verdict, memory)`. A caller that does not accept the
verdict keeps the memory it passed in.

Hypotheses are tried in this order: nothing happened (jostle, light, a passing hand), one legal action, two or three,
actions taken back, a broken rule. Where two explanations are within the margin, people are asked.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial

from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.effects import EffectKind
from rules.engine.history import History
from rules.engine.turn import TurnKind
from rules.pieces import Kind, Piece
from rules.referee.accusation import without_accusation
from rules.referee.alternatives import alternative_histories
from rules.referee.change_evidence import ChangeEvidence, ChangeFit, Keyframe, change_evidence, new_keyframe
from rules.referee.decision import Decision, with_actions
from rules.referee.detection_rates import NOTHING_LEARNED, DetectionRates, Spot, SuitConfusion, spot
from rules.referee.dice import DiceState
from rules.referee.explanation import Explanation
from rules.referee.exposure import exposed
from rules.referee.hypothesis import LayoutOf
from rules.referee.likelihood import TableLikelihood
from rules.referee.memory import AcceptedVerdict, AnnouncedDeal, Memory, Question
from rules.referee.off_board_change import OffBoardState
from rules.referee.register import Registration, matched, pose_error_mm, register, rotated_alternatives
from rules.referee.tuning import TUNING, Tuning
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
    """The verdict on one still moment, and the memory after it. `explanation` records what was compared."""
    table, explanation = frame.table, Explanation() if explanation is None else explanation
    tuned, layout = _tuning_for(history, table, tuning), cache(history.game.layout)
    update = FrameUpdate(history, memory, frame.picture, tuned, explanation, layout)
    verdict, after = update.judge(table)
    if memory.detection is None and memory.registration is None and after.registration is not None:
        return verdict, replace(after, turned=tuple(update.turned_memories(table, after.registration)))
    if memory.turned and verdict.kind in UNEXPLAINED:
        return update.explained_by_turned_board(table) or (without_accusation(verdict, tuning), after)
    if memory.deal is not None:
        if verdict.kind not in UNEXPLAINED and not verdict.undone:
            after = replace(after, deal=None)
        elif update.is_new_deal(table, memory.deal):
            explanation.note("the table was laid anew: judged once more as at a first look")
            return look(history, memory.restarted, frame, tuning, explanation)
    return verdict, replace(after, turned=()) if verdict.kind is VerdictKind.ACCEPTED else after


def initial_memory(history: History, memory: Memory, table: ObservedTable, tuning: Tuning = TUNING) -> Memory:
    """The memory with the dice before anything is done; else the faces at the first look count as a throw."""
    pose = register(history.game.layout(history.state), table, memory.registration, tuning)
    if pose is None:
        return memory
    return replace(memory, dice=FrameUpdate(history, memory, None, tuning)._dice_state(table, pose))


def after_correction(
    before: History, now: History, memory: Memory, frame: TableEvidence, tuning: Tuning = TUNING
) -> Memory:
    """The memory after people have said what was done before this table was seen. Pieces that lie there by their word
    alone and were never detected so are not missed at the next look, as those of a set-up are not at the first. Where
    the picture confirms their word, this table becomes the keyframe, whatever the detector reads on it. An answer to a
    question confirms the pose that the board had when it was asked."""
    memory = replace(memory, accepted=())
    question = memory.question
    if question is not None and question.pose is not None and question.is_answered_by(now.actions):
        memory = replace(memory, registration=question.pose)
    if memory.detection is None:
        return memory
    change = change_between(now.game.layout(before.state), now.game.layout(now.state))
    placed_pieces = tuple(change.placed)
    announced = {spot(placed) for placed in placed_pieces}
    memory = replace(memory, detection=memory.detection.with_missed(announced))
    if sum(placed.zone is Zone.BOARD for placed in placed_pieces) >= tuning.decision.deal_pieces:
        memory = replace(memory, deal=AnnouncedDeal(now.actions, placed_pieces))
    update = FrameUpdate(now, memory, frame.picture, _tuning_for(now, frame.table, tuning))
    after = update.announced(frame.table)
    was_rewritten = now.actions[: len(before.actions)] != before.actions
    return update.accepted_as_correct(frame.table, after, announced) if was_rewritten or memory.unexplained else after


def _tuning_for(history: History, table: ObservedTable, tuning: Tuning) -> Tuning:
    return tuning.on(history.game.layout(history.state), table.is_marked)


def history_after(history: History, verdict: Verdict) -> History:
    if verdict.undone:
        return history.undo(verdict.undone)
    return with_actions(history, verdict.actions)


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
    def game(self) -> AnyGame:
        return self.history.game

    @cached_property
    def expected(self) -> Layout:
        return self.game.layout(self.history.state)

    @property
    def _keyframe(self) -> Keyframe | None:
        return self.memory.keyframe.valid_for(self.history.actions) if self.memory.keyframe else None

    def judge(self, observed: ObservedTable) -> tuple[Verdict, Memory]:
        """The verdict on this table and the memory after it."""
        registered = self._registered(observed)
        if registered is None:
            self.explanation.note("no board is found")
            name = self.game.card.name
            text = say("the {game} board is not on the table, or too little of it is in view", game=name)
            return Verdict(VerdictKind.IMPOSSIBLE, text, only_missing=True), self.memory
        now, places = self._dice_state(registered.table, registered.pose), self.tuning.places
        dice = self.memory.dice.with_unmoved(now, places, partial(self._is_untouched, registered.bare_diff))
        question = self._open_question()
        if question is not None and question.dice is not None and question.dice.moved(now, places):
            question = replace(question, dice=None)
        return replace(self, memory=replace(self.memory, dice=dice, question=question))._judge_registered(registered)

    def _registered(self, observed: ObservedTable) -> _RegisteredTable | None:
        """The table in the board's frame; None where no board is found."""
        keyframe, suits = self._keyframe, self.memory.suits
        evidence = self._change_evidence(observed)
        if evidence is not None:
            table, detected = suits.corrected(evidence.diff.table), evidence.diff.detected
            return _RegisteredTable(observed, table, detected, Registration(), keyframe, evidence, None, suits)
        raw = observed
        if not self.expected.board:
            observed = self._without_waiting_tiles(observed)
        pose = self._find_pose(observed)
        if pose is None:
            return None
        if self.memory.detection is None:
            suits = self._updated_suits(suits, observed, pose)
        bare_diff = self._since(self.memory.bare_picture, observed)
        return _RegisteredTable(raw, suits.corrected(observed), observed, pose, keyframe, None, bare_diff, suits)

    def _judge_registered(self, registered: _RegisteredTable) -> tuple[Verdict, Memory]:
        table, pose, suits = registered.table, registered.pose, registered.suits
        dice_thrown = bool(self.memory.dice.thrown(self._dice_state(table, pose), self.tuning.places))
        blanked = replace(registered, table=self._without_old_faces(table, pose))
        verdict, detection = self._decide(blanked, dice_thrown)
        if self._open_question() is not None:
            # What may be legal after something that people have not told yet accuses nobody.
            verdict = without_accusation(verdict, self.tuning)
        memory = self.memory
        if verdict.kind is VerdictKind.REFUSED and self._may_follow_another(blanked, dice_thrown):
            verdict = without_accusation(verdict, self.tuning)
        if verdict.kind in UNEXPLAINED:
            verdict, memory = self._revised(registered, verdict)
            if verdict.undone:
                return verdict, memory
        keyframe, question_after = self._next_keyframe(registered, verdict), self._next_question(registered, verdict)
        memory = replace(
            memory,
            detection=detection,
            keyframe=keyframe,
            question=question_after,
            suits=suits,
            unexplained=verdict.kind in UNEXPLAINED and (keyframe is None or keyframe is registered.keyframe),
        )
        is_explained = verdict.kind in (VerdictKind.SETTLED, VerdictKind.ACCEPTED)
        update = replace(self, history=history_after(self.history, verdict))
        if is_explained:
            memory = replace(
                memory,
                ever_explained=True,
                registration=self._board_pose(registered),
                suits=update._updated_suits(suits, registered.detected, pose),
                pose_error_mm=pose_error_mm(update.expected, registered.detected, pose, self.tuning),
            )
        if verdict.kind is VerdictKind.ACCEPTED and verdict.actions:
            actions = (*self.history.actions, *verdict.actions)
            last = AcceptedVerdict(actions, len(verdict.actions), verdict.rivals, self.memory.dice)
            memory = replace(memory, accepted=(last, *memory.accepted)[: self.tuning.decision.max_accepted])
        is_read = bool(verdict.undone) or any(effect.kind is EffectKind.ROLL for effect in verdict.effects)
        is_told = verdict.kind is VerdictKind.ACCEPTED and (is_read or not dice_thrown)
        if is_told or (is_explained and update._awaits_no_dice()):
            # Else dice that lie there may be a throw that the game waits for and that was not read.
            memory = replace(memory, dice=update._dice_state(table, pose))
        if is_explained or self.memory.detection is None:
            bare_picture = update.picture_without_board(registered.raw)
            memory = replace(
                memory,
                bare_picture=bare_picture,
                first_picture=bare_picture and (memory.first_picture or bare_picture),
                waiting_tiles=update._next_waiting_tiles(verdict, registered.raw),
                off_board=update._next_off_board(registered, verdict),
            )
        return verdict, memory

    def _find_pose(self, observed: ObservedTable) -> Registration | None:
        """The board's pose. While no board is known to lie, that of the likeliest answer to an open question."""
        question = self._open_question()
        if question is not None and question.answers and question.pose is not None and not self.expected.board:
            likeliest = with_actions(self.history, question.answers[0].actions)
            return register(self.game.layout(likeliest.state), observed, question.pose, self.tuning) or question.pose
        previous = (question and question.pose) or self.memory.registration
        if previous is None and self.memory.waiting_tiles is not None:
            # No tile lay at the look before: that of the first one.
            first = register(EMPTY_LAYOUT, self._without_waiting_tiles(observed), None, self.tuning)
            previous = None if first == Registration() else first
        return register(self.expected, observed, previous, self.tuning)

    def _next_waiting_tiles(self, verdict: Verdict, observed: ObservedTable) -> ObservedTable | None:
        """What waits beside the board while no tile is laid. A verdict without a margin leaves something open: a tile
        that is new then may be the first one laid."""
        if self.expected.board:
            return None
        return observed if self.memory.waiting_tiles is None or verdict.margin else self.memory.waiting_tiles

    def _without_waiting_tiles(self, observed: ObservedTable) -> ObservedTable:
        """The table without the tiles that lay there before any board did, detected or not."""
        if self.memory.waiting_tiles is None:
            return observed
        before = [s for s in self.memory.waiting_tiles.sightings if s.kind is Kind.TILE]
        within, diff = self.tuning.places.aside, self._since(self.memory.first_picture, observed)

        def waits(tile: Sighting) -> bool:
            lay_there = any(math.hypot(tile.x - other.x, tile.y - other.y) < within for other in before)
            return lay_there or self._is_untouched(diff, tile)

        kept = (s for s in observed.sightings if s.kind is not Kind.TILE or not waits(s))
        return replace(observed, sightings=tuple(kept))

    def _since(self, reference: ReferencePicture | None, observed: ObservedTable) -> FrameDiff | None:
        """This picture compared with an earlier one, where there are both."""
        if reference is None or self.picture is None:
            return None
        return self.picture.compared(reference, observed)

    def _dice_pose(self, pose: Registration) -> Registration:
        """The frame in which dice are compared: the board's, or the table's own while no board lies."""
        return pose if self.expected.board else Registration()

    def _dice_state(self, observed: ObservedTable, pose: Registration) -> DiceState:
        return DiceState.of(observed, self._dice_pose(pose))

    def _without_old_faces(self, observed: ObservedTable, pose: Registration) -> ObservedTable:
        return self.memory.dice.without_old_faces(observed, self._dice_pose(pose), self.tuning.places)

    def _change_evidence(self, observed: ObservedTable) -> ChangeEvidence | None:
        return change_evidence(TableEvidence(observed, self.picture), self._keyframe, self.tuning)

    def _is_untouched(self, diff: FrameDiff | None, seen: Sighting) -> bool:
        """Whether the picture shows no change where this die or tile is detected."""
        placed = Placed(Piece(seen.kind), "", seen.x, seen.y, angle=seen.angle or 0.0)
        chance = None if diff is None else diff.changed(placed)
        return chance is not None and chance <= self.tuning.change.unchanged_chance

    def turned_memories(self, observed: ObservedTable, pose: Registration) -> Iterator[Memory]:
        """The memories of the other quarter turns in which the board explains this table as well."""
        for rotated in rotated_alternatives(self.expected, observed, pose, self.tuning):
            memory = replace(self.memory, registration=rotated)
            verdict, memory = replace(self, memory=memory, explanation=Explanation()).judge(observed)
            if verdict.kind is VerdictKind.SETTLED:
                yield memory

    def explained_by_turned_board(self, observed: ObservedTable) -> tuple[Verdict, Memory] | None:
        """The verdict of a turned board in which something legal clearly explains the table, if any."""
        for memory in self.memory.turned:
            self.explanation.note("judged once more as if the board lay turned")
            rotated, after = replace(self, memory=memory).judge(observed)
            is_clear = rotated.margin >= self.tuning.decision.margin_nats
            if rotated.kind is VerdictKind.ACCEPTED and rotated.actions and is_clear:
                return rotated, after
        return None

    def is_new_deal(self, observed: ObservedTable, deal: AnnouncedDeal) -> bool:
        """Whether the picture shows an announced deal: its pieces are as new as those of a first look."""
        if deal.actions != self.history.actions:
            return False
        evidence = self._change_evidence(observed)
        if evidence is None:
            return self._keyframe is not None and self.picture is not None  # too much changed to be compared
        changed = sum(not evidence.is_untouched(placed) for placed in deal.places)
        return changed >= self.tuning.decision.deal_share * len(deal.places)

    def announced(self, observed: ObservedTable) -> Memory:
        """The memory when people have said that the table stands so. The faces of dice are no throw, and the table is a
        keyframe if the picture confirms it."""
        registered, keyframe = self._registered(observed), self._keyframe
        if registered is not None and registered.evidence is not None:
            change_fit = ChangeFit(registered.evidence, exposed(self.expected, self.tuning))
            if change_fit.is_confirmed_by_picture:
                keyframe = self._new_keyframe(registered, self.history)
        memory = replace(self.memory, keyframe=keyframe, bare_picture=self.picture_without_board(observed))
        if registered is None:
            return memory
        dice = self._dice_state(registered.table, registered.pose)
        return replace(memory, dice=dice, off_board=self._next_off_board(registered))

    def _next_off_board(self, registered: _RegisteredTable, verdict: Verdict | None = None) -> OffBoardState | None:
        """The state beside the board to compare the next look with; None before anything lies on the board, as its
        edges are unknown. Without a verdict it is taken as it is."""
        if not self.expected.board:
            return None
        view = self._view(registered)
        if verdict is None:
            return OffBoardState.of(self.expected, view.off_board_sightings)
        return view.next_off_board_state(self.expected, bool(verdict.actions))

    def picture_without_board(self, observed: ObservedTable) -> ReferencePicture | None:
        """The reference picture for dice while no board lies; None once one does."""
        if self.expected.board or self.picture is None:
            return None
        return self.picture.remember(EMPTY_LAYOUT, Registration(), observed, self.memory.bare_picture)

    def accepted_as_correct(self, observed: ObservedTable, memory: Memory, announced: Collection[Spot]) -> Memory:
        """The memory after people have said how a table stands that nothing explained, or that was misjudged. As at a
        first look, detections that differ are errors of the detector, the pose of the whole board included, and are not
        reported again. Nothing is accepted where a piece that nobody announced may only lie elsewhere."""
        readings = [
            (self._view(registered), update, registered)
            for update in (replace(self, memory=self.memory.restarted), self)
            if (registered := update._registered(observed)) is not None
        ]
        if not readings:
            return memory
        view, update, registered = min(readings, key=lambda each: each[0].fit(self.expected).difference_count)
        if view.may_be_elsewhere(self.expected, announced):
            return memory
        memory = replace(
            memory,
            keyframe=self._new_keyframe(registered, self.history),
            dice=self._dice_state(registered.table, registered.pose),
            unexplained=False,
        )
        if update is self:
            missed = view.initial_detection(self.expected, announced)
            return replace(memory, detection=(memory.detection or NOTHING_LEARNED).merged(missed))
        detection = update._next_detection(view, Verdict(VerdictKind.SETTLED, say("nothing has changed")), announced)
        return replace(memory, registration=registered.pose, detection=detection, suits=registered.suits)

    def _updated_suits(self, suits: SuitConfusion, detected: ObservedTable, pose: Registration) -> SuitConfusion:
        """The suit confusion, with what an explained table adds to it."""
        pairs = matched(self.expected, detected, pose, self.tuning)
        return suits.updated(SuitConfusion.estimated(pairs, self.tuning.suit_confusion))

    def _open_question(self) -> Question | None:
        """The unanswered question about this very history, if any."""
        question = self.memory.question
        return question if question is not None and question.actions == self.history.actions else None

    def _board_pose(self, registered: _RegisteredTable) -> Registration | None:
        """The board's pose on the table after this look; a table that was compared with a keyframe is in the board's
        frame already, and one without a board in its own."""
        in_board_frame = registered.evidence is not None or registered.pose == Registration()
        return self.memory.registration if in_board_frame else registered.pose

    def _next_question(self, registered: _RegisteredTable, verdict: Verdict) -> Question | None:
        if verdict.kind is VerdictKind.AMBIGUOUS:
            dice = self._dice_state(registered.table, registered.pose)
            asked = self._new_keyframe(registered, with_actions(self.history, verdict.choices[0].actions))
            reference = asked.reference if asked is not None and asked is not registered.keyframe else None
            pose, answers = self._board_pose(registered), self._answers(verdict)
            return Question(self.history.actions, answers, pose, dice, reference, verdict.null_nats)
        return self._open_question() if verdict.kind in UNEXPLAINED else None

    def _answers(self, question: Verdict) -> tuple[Choice, ...]:
        """The answers to follow: the choices that people have, and less likely ones that they were not asked about."""
        asked = [choice.actions for choice in question.choices]
        rest = [replace(rival, chance=rival.chance * question.choices[0].chance) for rival in question.rivals]
        likeliest = (*question.choices, *(rival for rival in rest if rival.actions not in asked))
        kept = [each for each in likeliest if len(each.actions) <= self.tuning.decision.max_answer_actions]
        total = 1.0 + sum(each.chance for each in kept if each.actions not in asked)
        return tuple(replace(each, chance=each.chance / total) for each in kept[: self.tuning.decision.max_answers])

    def _revised(self, registered: _RegisteredTable, verdict: Verdict) -> tuple[Verdict, Memory]:
        """Where nothing explains the table: the verdict and the memory if one of the last accepted actions was another
        one. If that explains everything, all from there on is taken back and the next look finds the right ones; rivals
        that begin with another action too refute what was accepted as well. If several may, the next tables are
        explained from each of them."""
        memory, max_odds = self.memory, math.exp(-self.tuning.decision.margin_nats - self.tuning.decision.undo_nats)
        for accepted in self.memory.accepted:
            question = self._doubt(accepted)
            if question is None:
                continue
            count = len(self.history.actions) - len(question.actions)
            past = replace(self.memory, question=question, dice=accepted.dice, accepted=())
            revised, _ = replace(self, history=self.history.undo(count), memory=past).judge(registered.raw)
            if revised.kind in UNEXPLAINED:
                continue  # its choices are guesses
            found = revised.choices[0].actions if revised.choices else revised.actions
            if found:
                verdict = without_accusation(verdict, self.tuning)
            is_leading = all(each.chance <= max_odds for each in revised.rivals if not question.leads_to(each.actions))
            is_whole = revised.residual_nats <= self.tuning.decision.explained_nats
            if revised.actions and question.leads_to(found) and is_leading and is_whole:
                text = say("what lies there now shows that something else was done before")
                return Verdict(VerdictKind.ACCEPTED, text, undone=count, margin=revised.margin), past
            if revised.choices and question.leads_to(found):
                rest = tuple(other for other in memory.accepted if other is not accepted)
                doubted = AcceptedVerdict(self.history.actions, count, self._answers(revised), accepted.dice)
                memory = replace(memory, accepted=(doubted, *rest))
        return verdict, memory

    def _may_follow_another(self, registered: _RegisteredTable, dice_thrown: bool) -> bool:
        """Whether something legal explains the table after another action that looks like the last accepted one: then
        nobody is accused."""
        last = self.memory.accepted[0] if self.memory.accepted else None
        if last is None or last.actions != self.history.actions:
            return False
        before = self.history.undo(last.count)
        paths = alternative_histories(self.game, before.state, self.history.state, self.tuning.alternatives)
        if not paths:
            return False
        memory = replace(self.memory, question=_as_question(before, [Choice(path, 1.0) for path in paths]))
        verdict, _ = replace(self, history=before, memory=memory)._decide(registered, dice_thrown)
        return verdict.kind in (VerdictKind.ACCEPTED, VerdictKind.AMBIGUOUS)

    def _doubt(self, accepted: AcceptedVerdict) -> Question | None:
        """What else may have been done than was accepted, as a question whose answers go on with what was accepted
        since, where that is legal. None if there is nothing else."""
        actions, end = self.history.actions, len(accepted.actions)
        if actions[:end] != accepted.actions:
            return None
        since, start = actions[end:], self.history.undo(len(actions) - end + accepted.count)
        paths = list(accepted.rivals)
        if not since:  # other actions may have led to a table that looks the same
            known = [rival.actions for rival in paths]
            others = alternative_histories(self.game, start.state, self.history.state, self.tuning.alternatives)
            paths += [Choice(way, 1.0) for way in others if way not in known]
        all_ways = (replace(path, actions=path.actions + since) for path in paths)
        legal = [way for way in all_ways if _is_legal(start, way.actions)]
        if not legal:
            return None
        self.explanation.note(f"what was accepted is doubted: judged after each of {len(legal)} other ways")
        return _as_question(start, legal)

    def _next_keyframe(self, registered: _RegisteredTable, verdict: Verdict) -> Keyframe | None:
        """The keyframe after this verdict. A first layout is accepted even if not all of it is detected."""
        if verdict.kind is VerdictKind.AMBIGUOUS or (verdict.kind in UNEXPLAINED and registered.keyframe is not None):
            return registered.keyframe
        return self._new_keyframe(registered, history_after(self.history, verdict))

    def _new_keyframe(self, registered: _RegisteredTable, history: History) -> Keyframe | None:
        layout, frame = self.game.layout(history.state), TableEvidence(registered.raw, self.picture)
        extra, pose = self._view(replace(registered, evidence=None)).false_positives(layout), registered.pose
        return new_keyframe(layout, pose, history.actions, frame, extra, registered.keyframe, self.tuning)

    def _awaits_no_dice(self) -> bool:
        """Whether nobody is to throw and no throw is unread."""
        unknown = any(p.piece.kind is Kind.DIE and p.piece.rank is None for p in self.expected)
        return self.game.turn(self.history.state).kind is not TurnKind.CHANCE and not unknown

    def _view(self, table: _RegisteredTable, detection: DetectionRates = NOTHING_LEARNED) -> TableLikelihood:
        return TableLikelihood(
            table.table, table.pose, self.expected, detection, table.evidence, self.memory.off_board, self.tuning
        )

    def _decide(self, registered: _RegisteredTable, dice_thrown: bool) -> tuple[Verdict, DetectionRates]:
        """The verdict and the detection rates after it. Pieces never detected where they lie are ignored once the game
        has begun; before, people set them right."""
        detection, question = self.memory.detection or NOTHING_LEARNED, self._open_question()
        since = self._since(question.reference if question is not None else None, registered.raw)
        layout = self.layout or self.game.layout

        def judge(view: TableLikelihood, label: str) -> Verdict:
            compared = self.explanation.compare(label, view)
            return Decision(self.history, self.memory, layout, question, since, dice_thrown, compared).verdict()

        view = self._view(registered, detection)
        verdict = judge(view, "the table as it is seen")
        has_errors = detection.missed or detection.false_positives
        if has_errors and verdict.kind is VerdictKind.SETTLED and not self.history.entries:
            strict = self._view(registered, replace(detection, missed=frozenset(), false_positives=()))
            verdict = judge(strict, "before the game has begun, with what the eyes never saw")
        if registered.evidence is not None and verdict.kind is VerdictKind.REFUSED:
            # The picture accuses nobody of what the detections of this frame alone take for legal.
            detected = self.memory.suits.corrected(registered.evidence.diff.detected)
            alone = replace(registered, evidence=None, table=self._without_old_faces(detected, registered.pose))
            by_sightings = self._view(alone, detection)
            label = "by what the eyes see now, without the picture of before"
            if judge(by_sightings, label).kind is VerdictKind.ACCEPTED:
                verdict = without_accusation(verdict, self.tuning)
        return verdict, self._next_detection(view, verdict)

    def _next_detection(
        self, view: TableLikelihood, verdict: Verdict, announced: Collection[Spot] = ()
    ) -> DetectionRates:
        """The detection rates after this verdict. The first look at a board tells what the detector misses there; later
        looks only remove from that."""
        history = history_after(self.history, verdict)
        if verdict.kind is VerdictKind.AMBIGUOUS and self.memory.detection is None:
            # What people are asked about is no error of the detector.
            history = with_actions(history, verdict.choices[0].actions)
        layout, detection = self.game.layout(history.state), self.memory.detection
        if detection is None:
            detection = view.initial_detection(layout, announced)
        weight = self.tuning.likelihood.last_look_weight
        sorts, on_board = view.rates_by_sort(layout), view.board_rates(layout)
        return detection.updated(view.explained_rates(layout), sorts, on_board, weight)


def _as_question(before: History, ways: Sequence[Choice]) -> Question:
    """The question which of these ways was gone after this history."""
    total = sum(way.chance for way in ways)
    return Question(before.actions, tuple(replace(way, chance=way.chance / total) for way in ways))


def _is_legal(history: History, actions: tuple[Action, ...]) -> bool:
    state, game = history.state, history.game
    for action in actions:
        if game.refusal(state, action) is not None:
            return False
        state = game.advance(state, action)
    return True

"""One look: `look(history, memory, seen) -> (verdict, memory)`. What went before goes in, what is known now comes out,
and nothing else changes; whoever does not believe the verdict yet keeps the memory from before.

First it asks whether nothing happened (jostle, light, a passing hand), then whether one legal action explains the
table, then two or three, then whether something was taken back, and only then whether the rules were broken. It never
guesses silently: where two explanations are too close, a person chooses.
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
from rules.referee.accusation import unaccused
from rules.referee.alternatives import alternative_histories
from rules.referee.change_evidence import ChangeEvidence, Keyframe, believed, change_evidence
from rules.referee.decision import Decision, played
from rules.referee.detection_rates import NOTHING_LEARNED, DetectionRates, Spot, spot
from rules.referee.dice import DiceState
from rules.referee.explanation import Explanation
from rules.referee.exposure import exposed
from rules.referee.hypothesis import LayoutOf
from rules.referee.likelihood import TableLikelihood
from rules.referee.memory import AnnouncedDeal, LastAccepted, Memory, Question
from rules.referee.off_board_change import OffBoardState
from rules.referee.register import Registration, astray_mm, matched, register, turned_alike
from rules.referee.suit_confusion import SuitConfusion
from rules.referee.tuning import TUNING, DecisionThresholds, Tuning
from rules.referee.verdict import Choice, Verdict, VerdictKind
from rules.sentence import say
from rules.table.change import change_between
from rules.table.evidence import FrameDiff, PictureEvidence, ReferencePicture, TableEvidence
from rules.table.layout import Layout, Placed, Zone
from rules.table.observed import ObservedTable, Sighting

_NOTHING = Layout()
UNEXPLAINED = (VerdictKind.IMPOSSIBLE, VerdictKind.REFUSED)


def look(
    history: History,
    memory: Memory,
    seen: TableEvidence,
    tuning: Tuning = TUNING,
    why: Explanation | None = None,
) -> tuple[Verdict, Memory]:
    """Judge one still moment. `why`: what was compared and what decided is noted there."""
    table, why = seen.table, Explanation() if why is None else why
    tuned, layout = _tuned(history, table, tuning), cache(history.game.layout)
    judge = FrameUpdate(history, memory, seen.picture, tuned, why, layout)
    verdict, after = judge.at(table)
    if memory.detection is None and memory.registration is None and after.registration is not None:
        return verdict, replace(after, turned=tuple(judge.turned(table, after.registration)))
    if memory.turned and verdict.kind in UNEXPLAINED:
        return judge.explained_by_turned_board(table, verdict) or (unaccused(verdict, tuning), after)
    if memory.deal is not None:
        if verdict.kind not in UNEXPLAINED and not verdict.undone:
            after = replace(after, deal=None)
        elif judge.is_new_deal(table, memory.deal):
            why.note("the table was laid anew: judged once more as at a first look")
            return look(history, memory.anew, seen, tuning, why)
    return verdict, replace(after, turned=()) if verdict.kind is VerdictKind.ACCEPTED else after


def initial_memory(history: History, memory: Memory, table: ObservedTable, tuning: Tuning = TUNING) -> Memory:
    """How the dice lie before anything is done; without this, what they show at the first look counts as thrown."""
    found = register(history.game.layout(history.state), table, memory.registration, tuning)
    if found is None:
        return memory
    lies = FrameUpdate(history, memory, None, tuning)._dice_pose(found)
    return replace(memory, dice=DiceState.of(table, lies))


def after_correction(
    before: History, now: History, memory: Memory, seen: TableEvidence, tuning: Tuning = TUNING
) -> Memory:
    """People have said what was done before this table was seen. What lies there by their word alone, and was never
    seen so, cannot be missed: the next look takes it for granted, as the first one takes what was laid out. Where the
    picture bears their word out, it is from now on the table that is known: what the eyes took it for is no news. Who
    answers a question bears out where the board lay when it was asked."""
    memory = replace(memory, last_accepted=None)
    asked = memory.question
    if asked is not None and asked.lies is not None and asked.is_answered_by(now.actions):
        memory = replace(memory, registration=asked.lies)
    if memory.detection is None:
        return memory
    change = change_between(now.game.layout(before.state), now.game.layout(now.state))
    laid = (*change.added, *(move.after for move in change.moved))
    said = {spot(placed) for placed in laid}
    memory = replace(memory, detection=memory.detection.with_missed(said))
    if sum(placed.zone is Zone.BOARD for placed in laid) >= tuning.decision.deal_pieces:
        memory = replace(memory, deal=AnnouncedDeal(now.actions, laid))
    table = seen.table
    told = FrameUpdate(now, memory, seen.picture, _tuned(now, table, tuning))
    after = replace(
        memory,
        keyframe=told.keyframe(table),
        dice=told.dice_state(table),
        bare_picture=told.picture_without_board(table),
        off_board=told.off_board_state(table),
    )
    corrected = now.actions[: len(before.actions)] != before.actions
    return told.accepted_as_correct(table, after, said) if corrected or memory.unexplained else after


def _tuned(history: History, table: ObservedTable, tuning: Tuning) -> Tuning:
    return tuning.on(history.game.layout(history.state), table.is_marked)


def history_after(history: History, verdict: Verdict) -> History:
    """The history as the verdict tells it."""
    if verdict.undone:
        return history.undo(verdict.undone)
    return played(history, verdict.actions)


@dataclass(frozen=True, slots=True)
class _RegisteredTable:
    """One still table as it is to be judged."""

    look: ObservedTable
    """As the eyes see it, in their own frame..."""
    table: ObservedTable
    """... as far as possible in the frame of before, its suits as they are in this set."""
    eyes: ObservedTable
    """What the eyes make of it by themselves."""
    found: Registration
    known: Keyframe | None
    since: ChangeEvidence | None
    bare: FrameDiff | None
    """Where no board lies yet: compared with the picture of before, to ask about dice."""
    taken: SuitConfusion


@dataclass(frozen=True)
class FrameUpdate:
    """One look in the making; it changes nothing."""

    history: History
    memory: Memory
    picture: PictureEvidence | None
    tuning: Tuning
    why: Explanation = field(default_factory=Explanation, compare=False)
    layout: LayoutOf | None = field(default=None, compare=False)
    """The game's: a look compares the same states with its table read in several ways."""

    @property
    def judging(self) -> DecisionThresholds:
        return self.tuning.decision

    @property
    def game(self) -> AnyGame:
        return self.history.game

    @property
    def _deciding(self) -> Decision:
        return Decision(self.history, self.memory, self.tuning, self.why, self.layout, self._question())

    def at(self, observed: ObservedTable) -> tuple[Verdict, Memory]:
        seen = self._seen(observed)
        if seen is None:
            self.why.note("no board is found")
            return self._not_found(), self.memory
        untouched = partial(self._is_untouched, seen.bare)
        lying = self.memory.dice.joined(seen.table, self._dice_pose(seen.found), self.tuning.places, untouched)
        asked = self._question()
        lay = asked.dice if asked is not None else None
        if asked is not None and lay and lay.moved(seen.table, self._dice_pose(seen.found), self.tuning.places):
            asked = replace(asked, dice=None)
        return replace(self, memory=replace(self.memory, dice=lying, question=asked))._at(seen)

    def _seen(self, observed: ObservedTable) -> _RegisteredTable | None:
        """The table on the board's own frame, as far as it can be found."""
        known = self.memory.keyframe.holding(self.history.actions) if self.memory.keyframe else None
        since, taken = self._since(observed, known), self.memory.suits
        if since is not None:
            table, eyes = taken.corrected(since.testimony.table), since.testimony.eyes
            return _RegisteredTable(observed, table, eyes, Registration(), known, since, None, taken)
        look = observed
        if not self.game.layout(self.history.state).board:
            observed = self._without_waiting_tiles(observed)
        found = self._lies(observed)
        if found is None:
            return None
        if self.memory.detection is None:
            taken = self._learnt(taken, self.history, observed, found)
        table, bare = taken.corrected(observed), self._diff_without_board(observed)
        return _RegisteredTable(look, table, observed, found, known, None, bare, taken)

    def _at(self, seen: _RegisteredTable) -> tuple[Verdict, Memory]:
        table, found, since, taken = seen.table, seen.found, seen.since, seen.taken
        thrown = self.memory.dice.thrown(table, self._dice_pose(found), self.tuning.places)
        verdict, blind = self._judged(self._blanked(table, found), found, thrown, since)
        if self._question() is not None:
            # Nobody is accused of what may be legal after something that people have not said yet.
            verdict = unaccused(verdict, self.tuning)
        if verdict.kind in UNEXPLAINED and (doubted := self._doubted(table, found, thrown, since, verdict)) is not None:
            verdict, asked = doubted
            if verdict.undone:
                return verdict, replace(self.memory, question=asked, last_accepted=None)
        layout = self.game.layout(self.history.state)
        known = self._known(verdict, self._view(seen.table, found, layout), seen.look, seen.known)
        memory = replace(
            self.memory, detection=blind, keyframe=known, question=self._open(verdict, table, found, since), suits=taken
        )
        memory = replace(memory, unexplained=verdict.kind in UNEXPLAINED and (known is None or known is seen.known))
        is_understood = verdict.kind in (VerdictKind.SETTLED, VerdictKind.ACCEPTED)
        now = replace(self, history=history_after(self.history, verdict))
        state = now.history.state
        if is_understood:
            memory = replace(memory, understood=True, registration=self._board_pose(found, since))
            memory = replace(memory, suits=self._learnt(taken, now.history, seen.eyes, found))
            memory = replace(memory, astray_mm=astray_mm(self.game.layout(state), seen.eyes, found, self.tuning))
        if verdict.kind is VerdictKind.ACCEPTED and verdict.actions:
            lately = LastAccepted((*self.history.actions, *verdict.actions), len(verdict.actions))
            memory = replace(memory, last_accepted=lately)
        accepted = verdict.kind is VerdictKind.ACCEPTED and not (thrown and self._is_unread(verdict, state))
        if accepted or (verdict.kind is VerdictKind.SETTLED and self._awaits_no_dice(state)):
            memory = replace(memory, dice=DiceState.of(table, now._dice_pose(found)))
        if is_understood or self.memory.detection is None:
            memory = replace(
                memory,
                bare_picture=now.picture_without_board(seen.look),
                waiting=now._waiting(verdict, seen.look),
                off_board=now._lying_beside(table, found, since, verdict),
            )
        return verdict, memory

    def _lies(self, observed: ObservedTable) -> Registration | None:
        """Where the board lies. Where none lies yet, as far as is known, it lies as what was asked about."""
        asked, layout = self._question(), self.game.layout(self.history.state)
        if asked is not None and asked.answers and asked.lies is not None and not layout.board:
            likeliest = played(self.history, asked.answers[0].actions)
            return register(self.game.layout(likeliest.state), observed, asked.lies, self.tuning) or asked.lies
        known = (asked and asked.lies) or self.memory.registration or self._first_tile(observed)
        return register(layout, observed, known, self.tuning)

    def _first_tile(self, observed: ObservedTable) -> Registration | None:
        """Where the first tile lies, if none had been laid at the look before."""
        if self.memory.waiting is None:
            return None
        found = register(_NOTHING, self._without_waiting_tiles(observed), None, self.tuning)
        return None if found == Registration() else found

    def _waiting(self, verdict: Verdict, look: ObservedTable) -> ObservedTable | None:
        """What waits beside the board while no tile has been laid. Without a margin a verdict leaves something open:
        what is new then may have been laid."""
        if self.game.layout(self.history.state).board:
            return None
        return look if self.memory.waiting is None or verdict.margin else self.memory.waiting

    def _without_waiting_tiles(self, observed: ObservedTable) -> ObservedTable:
        """Without the tiles that lay there while no board did."""
        if self.memory.waiting is None:
            return observed
        before = [s for s in self.memory.waiting.sightings if s.kind is Kind.TILE]
        within = self.tuning.places.aside
        new = (
            s
            for s in observed.sightings
            if s.kind is not Kind.TILE or all(math.hypot(s.x - t.x, s.y - t.y) >= within for t in before)
        )
        return replace(observed, sightings=tuple(new))

    def _dice_pose(self, found: Registration) -> Registration:
        """Where dice lie to be compared: while no board does, on the table itself."""
        return found if self.game.layout(self.history.state).board else Registration()

    def _blanked(self, observed: ObservedTable, found: Registration) -> ObservedTable:
        return self.memory.dice.blanked(observed, self._dice_pose(found), self.tuning.places)

    def _since(self, observed: ObservedTable, known: Keyframe | None) -> ChangeEvidence | None:
        return change_evidence(TableEvidence(observed, self.picture), known, self.tuning)

    def _diff_without_board(self, observed: ObservedTable) -> FrameDiff | None:
        picture, bare = self.picture, self.memory.bare_picture
        return picture.compared(bare, observed) if picture is not None and bare is not None else None

    def _is_untouched(self, bare: FrameDiff | None, die: Sighting) -> bool:
        """Whether the picture shows that nothing has changed where this die is seen."""
        chance = None if bare is None else bare.changed(Placed(Piece(Kind.DIE), "", die.x, die.y))
        return chance is not None and chance <= self.tuning.change.unchanged_chance

    def turned(self, observed: ObservedTable, found: Registration) -> Iterator[Memory]:
        """What would be known if the board lay turned, where it may as well."""
        for lies in turned_alike(self.game.layout(self.history.state), observed, found, self.tuning):
            verdict, memory = replace(self, memory=replace(self.memory, registration=lies), why=Explanation()).at(
                observed
            )
            if verdict.kind is VerdictKind.SETTLED:
                yield memory

    def explained_by_turned_board(self, observed: ObservedTable, verdict: Verdict) -> tuple[Verdict, Memory] | None:
        """What was done, if the board lies turned and somebody did something that is only legal so."""
        for memory in self.memory.turned:
            self.why.note("judged once more as if the board lay turned")
            told, after = replace(self, memory=memory).at(observed)
            if told.kind is VerdictKind.ACCEPTED and told.actions and told.margin >= self.judging.margin_nats:
                return told, after
        return None

    def is_new_deal(self, observed: ObservedTable, dealt: AnnouncedDeal) -> bool:
        """Whether the picture shows that much of what people said was laid: what the eyes make of so many pieces is as
        new to them as at the first look."""
        if dealt.actions != self.history.actions:
            return False
        known = self.memory.keyframe.holding(dealt.actions) if self.memory.keyframe else None
        since = self._since(observed, known)
        if since is None:
            return known is not None and self.picture is not None  # too much changed to be compared
        changed = sum(not since.is_untouched(placed) for placed in dealt.places)
        return changed >= self.judging.deal_share * len(dealt.places)

    def dice_state(self, observed: ObservedTable) -> DiceState:
        """How the dice lie when people have said what they showed: what they show by then is no throw."""
        seen = self._seen(observed)
        return self.memory.dice if seen is None else DiceState.of(seen.table, self._dice_pose(seen.found))

    def off_board_state(self, observed: ObservedTable) -> OffBoardState | None:
        """How it lies beside the board when people have said how the table stands."""
        seen = self._seen(observed)
        return self.memory.off_board if seen is None else self._lying_beside(seen.table, seen.found)

    def _lying_beside(
        self,
        table: ObservedTable,
        found: Registration,
        since: ChangeEvidence | None = None,
        verdict: Verdict | None = None,
    ) -> OffBoardState | None:
        """What is known beside the board from now on; before anything lies on it nobody knows where it ends."""
        layout = self.game.layout(self.history.state)
        if not layout.board:
            return None
        view = self._view(table, found, layout, since=since)
        if verdict is None:
            return OffBoardState.of(layout, view.beside)
        return view.lies_beside(layout, bool(verdict.actions))

    def picture_without_board(self, observed: ObservedTable) -> ReferencePicture | None:
        """The picture to compare dice with before any board lies there to be compared."""
        if self.game.layout(self.history.state).board or self.picture is None:
            return None
        return self.picture.remember(_NOTHING, Registration(), observed, self.memory.bare_picture)

    def keyframe(self, observed: ObservedTable) -> Keyframe | None:
        """What is known of the table when people have said that it stands so."""
        known = self.memory.keyframe.holding(self.history.actions) if self.memory.keyframe else None
        since = self._since(observed, known)
        layout = self.game.layout(self.history.state)
        if since is None or not since.of(exposed(layout, self.tuning)).is_confirmed_by_picture:
            return known
        eyes = self._view(self.memory.suits.corrected(since.testimony.table), Registration(), layout)
        return self._believed(self.history, eyes, observed, known)

    def accepted_as_correct(self, observed: ObservedTable, memory: Memory, said: Collection[Spot]) -> Memory:
        """People have said how a table stands that nothing explained, or that was taken for another. Then it is as at
        the first look: what looks otherwise the eyes have wrong, be it the place of the whole board, and it is not told
        again with all that is done later. Where a piece of which they said nothing only lies elsewhere, nothing is
        taken for granted."""
        layout = self.game.layout(self.history.state)
        ways = [
            (self._view(seen.table, seen.found, layout, since=seen.since), way, seen)
            for way in (self._anew, self)
            if (seen := way._seen(observed)) is not None
        ]
        if not ways:
            return memory
        view, way, seen = min(ways, key=lambda each: _astray(each[0], layout))
        if view.may_be_elsewhere(layout, said):
            return memory
        eyes = self._view(seen.table, seen.found, layout)
        memory = replace(
            memory,
            keyframe=self._believed(self.history, eyes, seen.look, seen.known),
            dice=DiceState.of(seen.table, self._dice_pose(seen.found)),
            unexplained=False,
        )
        if way is self:
            return replace(
                memory, detection=(memory.detection or NOTHING_LEARNED).merged(view.initial_detection(layout, said))
            )
        blind = way._detection_after(view, Verdict(VerdictKind.SETTLED, say("nothing has changed")), said)
        return replace(memory, registration=seen.found, detection=blind, suits=seen.taken)

    @property
    def _anew(self) -> FrameUpdate:
        return replace(self, memory=self.memory.anew)

    def _learnt(
        self, taken: SuitConfusion, history: History, eyes: ObservedTable, found: Registration
    ) -> SuitConfusion:
        """What a believed table adds to what is known of how this set's suits are read."""
        lying = matched(self.game.layout(history.state), eyes, found, self.tuning)
        return taken.updated(SuitConfusion.estimated(lying, self.tuning.suit_confusion))

    # Questions that nobody answers ------------------------------------------------------------------------------

    def _question(self) -> Question | None:
        asked = self.memory.question
        return asked if asked is not None and asked.since == self.history.actions else None

    def _board_pose(self, found: Registration, since: ChangeEvidence | None) -> Registration | None:
        """Where the board lies on the table, as far as is known after this look: a table that is compared with the one
        before has the board's own frame, and one without a board its own."""
        return self.memory.registration if since is not None or found == Registration() else found

    def _open(
        self, verdict: Verdict, table: ObservedTable, found: Registration, since: ChangeEvidence | None
    ) -> Question | None:
        """What is still to be answered after this verdict."""
        if verdict.kind is VerdictKind.AMBIGUOUS:
            first = verdict.choices[: self.judging.max_answers]
            short = tuple(c for c in first if len(c.actions) <= self.judging.max_answer_actions)
            dice = DiceState.of(table, self._dice_pose(found))
            return Question(self.history.actions, short, self._board_pose(found, since), dice)
        return self._question() if verdict.kind in UNEXPLAINED else None

    def _doubted(
        self, seen: ObservedTable, found: Registration, thrown: bool, since: ChangeEvidence | None, verdict: Verdict
    ) -> tuple[Verdict, Question] | None:
        """Nothing explains the table: may what was taken for done last have been something else that looked the same?
        Where that explains it, what was believed is taken back, and the next look finds what was done instead. Where it
        may, nobody is accused."""
        lately = self.memory.last_accepted
        if lately is None or lately.actions != self.history.actions:
            return None
        before = self.history.undo(lately.count)
        ways = alternative_histories(self.game, before.state, self.history.state, self.tuning.alternatives)
        if not ways:
            return None
        self.why.note(f"what was taken for done last is doubted: judged after each of {len(ways)} other ways")
        asked = Question(before.actions, tuple(Choice(way, 1 / len(ways)) for way in ways))
        told, _ = replace(self, history=before, memory=replace(self.memory, question=asked))._judged(
            self._blanked(seen, found), found, thrown, since
        )
        if told.kind is VerdictKind.ACCEPTED and not told.undone and asked.leads_to(told.actions):
            what = say("what lies there now shows that something else was done before")
            return Verdict(VerdictKind.ACCEPTED, what, undone=lately.count, margin=told.margin), asked
        if told.kind in (VerdictKind.ACCEPTED, VerdictKind.AMBIGUOUS) and verdict.kind is VerdictKind.REFUSED:
            return unaccused(verdict, self.tuning), asked
        return None

    def _known(
        self, verdict: Verdict, eyes: TableLikelihood, look: ObservedTable, before: Keyframe | None
    ) -> Keyframe | None:
        """What is known of the table from now on. Whoever begins has laid it out: at the first look it is taken for
        granted, even if the eyes do not see all of it."""
        if verdict.kind in UNEXPLAINED and before is not None:
            return before
        if verdict.kind is VerdictKind.AMBIGUOUS:
            return before
        return self._believed(history_after(self.history, verdict), eyes, look, before)

    def _believed(
        self, history: History, eyes: TableLikelihood, look: ObservedTable, before: Keyframe | None
    ) -> Keyframe | None:
        layout, seen = self.game.layout(history.state), TableEvidence(look, self.picture)
        return believed(layout, eyes.registration, history.actions, seen, eyes.doubts(layout), before, self.tuning)

    def _awaits_no_dice(self, state: Any) -> bool:
        """Nobody is to throw, and no throw is waited for."""
        unknown = any(p.piece.kind is Kind.DIE and p.piece.rank is None for p in self.game.layout(state))
        return self.game.turn(state).kind is not TurnKind.CHANCE and not unknown

    def _is_unread(self, verdict: Verdict, state: Any) -> bool:
        """Whether the game waits for a throw after what was done, and none was read: dice that lie there may be it."""
        read = any(effect.kind is EffectKind.ROLL for effect in verdict.effects)
        return not read and not verdict.undone and not self._awaits_no_dice(state)

    def _not_found(self) -> Verdict:
        text = say("the {game} board is not on the table, or too little of it is in view", game=self.game.card.name)
        return Verdict(VerdictKind.IMPOSSIBLE, text, only_missing=True)

    def _view(
        self,
        observed: ObservedTable,
        found: Registration,
        layout: Layout,
        blind: DetectionRates = NOTHING_LEARNED,
        since: ChangeEvidence | None = None,
    ) -> TableLikelihood:
        return TableLikelihood(observed, found, layout, blind, since, self.memory.off_board, self.tuning)

    # Judging ----------------------------------------------------------------------------------------------------

    def _judged(
        self, seen: ObservedTable, found: Registration, thrown: bool, since: ChangeEvidence | None
    ) -> tuple[Verdict, DetectionRates]:
        """What the eyes never showed as it lies says nothing, once the game has begun: before, people set it right."""
        known = self.memory.detection or NOTHING_LEARNED
        layout = self.game.layout(self.history.state)
        view = self._view(seen, found, layout, known, since)
        verdict = self._deciding.judge(view, thrown, "the table as it is seen")
        if known.any and verdict.kind is VerdictKind.SETTLED and not self.history.entries:
            whole = self._view(seen, found, layout, known.rates_only, since)
            verdict = self._deciding.judge(whole, thrown, "before the game has begun, with what the eyes never saw")
        if since is not None and verdict.kind is VerdictKind.REFUSED:
            by_eyes = self._blanked(self.memory.suits.corrected(since.testimony.eyes), found)
            verdict = self._unless_legal_by_sightings(verdict, self._view(by_eyes, found, layout, known), thrown)
        return verdict, self._detection_after(view, verdict)

    def _unless_legal_by_sightings(self, verdict: Verdict, eyes: TableLikelihood, thrown: bool) -> Verdict:
        """Nobody is accused by the picture of what the eyes by themselves take for legal."""
        alone = self._deciding.judge(eyes, thrown, "by what the eyes see now, without the picture of before")
        if alone.kind is not VerdictKind.ACCEPTED:
            return verdict
        return unaccused(verdict, self.tuning)

    def _detection_after(self, view: TableLikelihood, verdict: Verdict, said: Collection[Spot] = ()) -> DetectionRates:
        """The first look at a board tells what the eyes cannot see there; later ones can only take that back."""
        history = history_after(self.history, verdict)
        if verdict.kind is VerdictKind.AMBIGUOUS and self.memory.detection is None:
            # what people are asked about is no fault of the eyes
            history = played(history, verdict.choices[0].actions)
        layout = self.game.layout(history.state)
        before = view.initial_detection(layout, said) if self.memory.detection is None else self.memory.detection
        return before.updated(view.explained(layout), view.rates_by_sort(layout), self.tuning.detection.last_weight)


def _astray(view: TableLikelihood, layout: Layout) -> int:
    """How many pieces look otherwise than this layout has them."""
    fit = view.fit(layout)
    return len(fit.missing) + len(fit.mismatched) + len(fit.extra)

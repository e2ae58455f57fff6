"""Judges a disputed event again from stored data: the history before it, its picture and the rulebook.

The ruling names the action, whether it was legal and by which clause, and what the reader finds in the full-size stored
picture. Without a readable picture it says so and rests on the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion_api.folded_table import FoldedTable, RequestError
from companion_api.log.event import Event, EventKind
from companion_api.log.store import Evidence
from companion_api.redaction import redact_for_all, redacted
from companion_api.session import Session
from rules.engine.action import Action, parse_action
from rules.engine.history import History
from rules.engine.refusal import Refusal
from rules.referee.memory import Memory
from rules.referee.step import look
from rules.referee.verdict import Verdict, VerdictKind, mention
from rules.sentence import Sentence, say
from rules.table.evidence import TableEvidence
from rules.table.observed import ObservedTable
from vision.frame import Frame, PictureError, read_frame

ReadPicture = Callable[[Frame], ObservedTable]


@dataclass(frozen=True, slots=True)
class DisputedAction:
    """A disputed event, the history before it, its action and the refusal of that action."""

    event: Event
    before: History
    action: Action | None
    refusal: Refusal | None


def judge(session: Session, claim: Event, evidence: Evidence, read_picture: ReadPicture | None) -> dict[str, Any]:
    """The data of a RULING event."""
    with session.lock:
        case = disputed_action(session, claim.data.get("about"))
    if case is None:
        nothing = say("there is nothing yet to dispute")
        return {"upheld": True, "text": nothing.text, "reasons": [], "said_reasons": [nothing.to_json()]}
    seen = verdict_of_picture(case, claim, evidence, read_picture)
    picture = _picture(case, seen)
    reasons = [_rule(case), (picture.text, picture.to_json())]
    return {
        "about": case.event.seq,
        "action": case.action.id if case.action else None,
        "legal": case.refusal is None,
        "clause": _clause(case),
        "code": case.refusal.code.value if case.refusal else None,
        "upheld": seen is None or seen.kind is VerdictKind.IMPOSSIBLE or _agrees(case, seen),
        "text": " ".join(text for text, _ in reasons),
        "reasons": [text for text, _ in reasons],
        "said_reasons": [said for _, said in reasons],
        "again": seen.to_json(session.game) if seen else None,
    }


def disputed_action(session: Session, about: int | None) -> DisputedAction | None:
    """The disputed event by number, or the last action or verdict."""
    disputable = (EventKind.ACTION, EventKind.VERDICT, EventKind.CORRECTED)
    found = [e for e in session.events if e.kind in disputable and (about is None or e.seq == about)]
    if about is not None and not found:
        raise RequestError(say("event {seq} cannot be disputed; choose an action or a verdict", seq=about))
    return _action_of_event(session, found[-1]) if found else None


def _action_of_event(session: Session, event: Event) -> DisputedAction:
    before = _history_before(session, event)
    done = _event_action(event)
    # The ruling is public: secret choices are not named in it.
    action = session.game.redact(before.state, done, None) if done else None
    refusal = session.game.refusal(before.state, done) if done else None
    if refusal:
        refusal = redacted(session.game, before.state, None, action, refusal)
    return DisputedAction(event, before, action, refusal)


def _history_before(session: Session, event: Event) -> History:
    """The history before the event, folded from its predecessors; for a correction, the history before the corrected
    action."""
    table = FoldedTable(session.table, session.events[: event.seq - 1])
    if event.kind is not EventKind.CORRECTED:
        return table.history
    later = sum(table.event_of_action(i) >= event.data["seq"] for i in range(len(table.history.entries)))
    return table.history.undo(later)


def _event_action(event: Event) -> Action | None:
    if event.kind is EventKind.CORRECTED:
        text = next(iter(event.data["actions"]), None)
    else:
        text = event.data.get("action" if event.kind is EventKind.ACTION else "attempt")
    return parse_action(text) if text else None


def verdict_of_picture(
    case: DisputedAction, claim: Event, evidence: Evidence, read_picture: ReadPicture | None
) -> Verdict | None:
    """The verdict on the stored picture as everybody may know it, or None where it cannot be read."""
    name = case.event.data.get("evidence") or claim.data.get("pictures", {}).get("now")
    path = evidence.find(name) if name else None
    if path is None or read_picture is None:
        return None
    try:
        table = read_picture(read_frame(path))
    except PictureError:
        return None
    seen, _ = look(case.before, Memory(), TableEvidence(table))
    return redact_for_all(case.before.game, case.before.state, seen)


def _agrees(case: DisputedAction, seen: Verdict) -> bool:
    """Whether the second look confirms the first."""
    if case.event.kind is EventKind.VERDICT:
        return seen.kind.value == case.event.data.get("verdict")
    return seen.kind is VerdictKind.ACCEPTED and case.action in seen.actions


def _clause(case: DisputedAction) -> str:
    if case.refusal:
        return case.refusal.clause
    verb = case.before.game.verbs.get(case.action.verb) if case.action else None
    return verb.clause if verb else str((case.event.data.get("refusal") or {}).get("clause", ""))


def _rule(case: DisputedAction) -> tuple[str, object]:
    """The legality sentence in English and as JSON for other languages."""
    event = case.event.data
    if case.action is None and "text" in event:
        return str(event["text"]), event.get("said", event["text"])
    if case.action is None:
        said = say("No action can be named.")
    else:
        words, clause = mention(case.before.game, case.action), _clause(case)
        if case.refusal is None:
            said = say("“{action}” is legal ({clause}).", action=words, clause=clause)
        else:
            why = case.refusal.sentence
            said = say("“{action}” is not legal: {why} ({clause}).", action=words, why=why, clause=clause)
    return said.text, said.to_json()


def _picture(case: DisputedAction, seen: Verdict | None) -> Sentence:
    if seen is None:
        return say("There is no stored picture that could be looked at again; the ruling rests on the rules alone.")
    if seen.kind is VerdictKind.IMPOSSIBLE:
        return say(
            "A second look at the stored picture settles nothing ({what}); the ruling rests on the rules.",
            what=seen.sentence,
        )
    if _agrees(case, seen):
        return say("A second look at the stored picture says the same: {what}.", what=seen.sentence)
    return say("A second look at the stored picture says otherwise: {what}.", what=seen.sentence)

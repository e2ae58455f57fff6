"""Disputes: a claim freezes the evidence, the referee looks again and rules, the host may overrule."""

from __future__ import annotations

import logging
from typing import Annotated

from fastapi import APIRouter, BackgroundTasks, Response
from pydantic import Field

from companion_api.access import Brake
from companion_api.answers.base import Problem, a_file
from companion_api.log.event import Event
from companion_api.log.store import LogUnavailableError
from companion_api.routes import needs
from companion_api.routes.cameras import CameraManagerNeed
from companion_api.session import Session
from companion_api.tables import Tables
from companion_api.watching.camera_manager import CameraManager
from companion_api.watching.second_look import disputed_action, judge
from rules.sentence import say

log = logging.getLogger("companion.disputes")
_brake = Brake(tries=30, seconds=60)
router = APIRouter(prefix="/api", tags=["disputes"])


class Claim(needs.Post):
    text: Annotated[str, Field(max_length=400)] = ""
    seq: Annotated[int, Field(ge=1)] | None = None


class Rule(needs.Post):
    """`actions`: the actual actions where the disputed one does not stand; none takes it back."""

    claim: Annotated[int, Field(ge=1)]
    text: Annotated[str, Field(max_length=400)]
    upheld: bool
    actions: Annotated[tuple[needs.ActionData, ...], Field(max_length=20)] = ()


@router.post("/claims")
def claim(
    manager: CameraManagerNeed,
    tasks: BackgroundTasks,
    tables: needs.TablesNeed,
    session: needs.SessionNeed,
    token: needs.TokenNeed,
    post: Claim,
) -> needs.Posted:
    """Dispute an event. Evidence is frozen before the answer; the referee's ruling follows as an event."""

    def write() -> Event:
        if not _brake.allows(f"{token.table} {needs.actor(token).by}"):
            raise Problem(429, say("too many claims; wait a minute"))
        disputed_action(session, post.seq)
        pictures = {**pictures_of(session, post.seq), "now": manager.freeze(session.table)}
        data = {"text": post.text, "about": post.seq, "pictures": pictures}
        return session.add_claim(token.by, data, key=post.key)

    answer = needs.posted(session, token, post, write)
    if answer.seq in session.disputes:
        tasks.add_task(decide, session, answer.seq, tables, manager)
    return answer


def decide(session: Session, claim_seq: int, tables: Tables, camera_manager: CameraManager) -> None:
    """The referee's ruling on a claim; once per claim."""
    dispute = session.disputes[claim_seq]
    if dispute.rulings:
        return
    data = judge(session, dispute.claim, tables.evidence, camera_manager.picture_reader())
    try:
        session.add_ruling("referee", claim_seq, data, overruled=False, key=f"ruling {claim_seq}")
    except LogUnavailableError as error:
        log.warning("the ruling on event %d could not be written: %s", claim_seq, error)


@router.post("/rulings")
def rule(session: needs.SessionNeed, token: needs.TokenNeed, post: Rule) -> needs.Posted:
    """The host's final ruling; it is logged, and an overruled action is corrected."""

    def write() -> Event:
        data = {"text": post.text, "upheld": post.upheld}
        return session.add_ruling(needs.host(token).by, post.claim, data, overruled=True, key=post.key)

    answer = needs.posted(session, token, post, write)
    key = f"{post.key} corrected" if post.key else None
    dispute = session.disputes.get(post.claim)
    about = dispute.claim.data.get("about") if dispute else None
    if post.upheld or about is None or not (session.counts(about) or session.event_with_key(key)):
        return answer

    def correct() -> Event:
        table = session.known(needs.host(token).seat)
        actions = [needs.read_action(table, action) for action in post.actions]
        return session.correct(token.by, about, actions, expected=None, key=key)

    return needs.posted(session, token, needs.Post.model_construct(key=key), correct)  # a key no phone can send


def pictures_of(session: Session, seq: int | None) -> dict[str, str | None]:
    """The pictures of the disputed event and of the one before it."""
    pictured = [e.data for e in session.events if e.data.get("evidence") and (seq is None or e.seq <= seq)]
    if not pictured:
        return {"before": None, "after": None}
    earlier = pictured[-2]["evidence"] if len(pictured) > 1 else None
    return {"before": pictured[-1].get("before") or earlier, "after": pictured[-1]["evidence"]}


@router.get("/evidence/{name}", **a_file("image/jpeg"))
def evidence(tables: needs.TablesNeed, _: needs.TokenNeed, name: str) -> Response:
    path = tables.evidence.find(name)
    if path is None:
        raise Problem(404, say("this picture is not here (any more)"))
    return Response(path.read_bytes(), media_type="image/jpeg", headers={"cache-control": "private, immutable"})

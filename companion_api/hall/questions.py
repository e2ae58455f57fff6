"""The umpire's list: what tables ask and dispute, with what each stands on, and the answers on their way back."""

from __future__ import annotations

import secrets
from typing import Any

from companion_api.hall.ruling import Ruling
from companion_api.hall.store import Row, Store
from companion_api.hall.wall import Wall, open_at
from companion_api.log.event import EventKind
from companion_api.phrasebook import ENGLISH, languages, phrasebook
from rules.sentence import SaidError, say


class AnswerError(SaidError):
    """What is wrong with an answer."""


def open_questions(store: Store, wall: Wall, language: str) -> list[dict[str, Any]]:
    """All of the evening, the oldest first, with the rules in that language."""
    answers = store.answers()
    language = language if language in languages() else ENGLISH
    found = [
        {**_asked(store, wall, row, seq, language), "answer": answers.get((row.station, row.table, seq))}
        for row in wall.all()
        for seq in open_at(row)
    ]
    return sorted(found, key=lambda item: float(item["at"]))


def _asked(store: Store, wall: Wall, row: Row, seq: int, language: str) -> dict[str, Any]:
    event = store.event(row.station, row.table, seq) or {"kind": "verdict", "at": row.at, "by": "", "text": ""}
    claimed = event["kind"] == "claim"
    ruled = _ruled(store, row, seq) if claimed else None
    about = store.event(row.station, row.table, event["about"]) if claimed and event.get("about") else None
    clause = (ruled or {}).get("clause") or ((event.get("refusal") or {}).get("clause")) or ""
    return {
        "station": row.station,
        "name": wall.name(row.station),
        "table": row.table,
        "game": row.standing["game"],
        "seats": row.standing["seats"],
        "seq": seq,
        "at": event["at"],
        "kind": "claim" if claimed else "question",
        "by": event["by"],
        "text": event.get("text", ""),
        "said": event.get("said"),
        "about": {"seq": event["about"], "text": _done(about), "actions": _actions(about)} if about else None,
        "pictures": _pictures(event),
        "referee": ruled,
        "clause": clause,
        "clause_text": _clause(language, row.standing["game"]["id"], clause),
        "choices": [{name: c.get(name) for name in ("actions", "acts", "text")} for c in event.get("choices", ())],
        "differences": event.get("differences", []),
        "said_differences": event.get("said_differences", []),
    }


def _ruled(store: Store, row: Row, claim: int) -> dict[str, Any] | None:
    """What the referee at the table said to it."""
    said = [e for e in store.events(row.station, row.table, claim) if e["kind"] == "ruling" and e["claim"] == claim]
    if not said:
        return None
    last = said[-1]
    told = {name: last.get(name) for name in ("text", "upheld", "clause")}
    return {**told, "said": last.get("said_reasons") or [last.get("text") or ""]}


def _actions(event: dict[str, Any]) -> list[dict[str, Any]]:
    """What an event did; what the camera asked about was not done yet."""
    done = event.get("actions", ()) if event["kind"] != EventKind.VERDICT else ()
    return [{name: action.get(name) for name in ("id", "text", "verb", "args")} for action in done]


def _done(event: dict[str, Any]) -> str:
    told = [action["text"] or "something sealed" for action in _actions(event)]
    return ", ".join(told) or str(event.get("text", ""))


def _pictures(event: dict[str, Any]) -> list[dict[str, str]]:
    if event["kind"] == "claim":
        return [{"when": when, "name": name} for when, name in (event.get("pictures") or {}).items() if name]
    return [{"when": "now", "name": event["evidence"]}] if event.get("evidence") else []


def _clause(language: str, game: str, clause: str) -> str:
    try:
        return phrasebook(language, game)["clauses"].get(clause, "")
    except LookupError:  # a game that this hub does not know
        return ""


def ruling_on(row: Row, about: int, by: str, text: str, upheld: bool, actions: tuple[str, ...]) -> Ruling:
    """The answer to something that is open at a table."""
    if about not in open_at(row):
        raise AnswerError(say("this has been answered already, or the table has played on"))
    return Ruling(secrets.token_hex(8), row.station, row.table, about, by, text.strip(), upheld, actions)

"""The umpire's list: open questions and claims of all tables with their evidence, and rulings on them."""

from __future__ import annotations

import secrets
from typing import Any

from companion_api.hall.ruling import Ruling
from companion_api.hall.store import Row, Store
from companion_api.hall.wall import Wall, open_cases
from companion_api.log.event import EventKind
from companion_api.phrasebook import ENGLISH, languages, phrasebook
from rules.sentence import InputError, say


class AnswerError(InputError):
    """An answer that cannot be given; the text says why."""


def open_questions(store: Store, wall: Wall, language: str) -> list[dict[str, Any]]:
    """Open questions and claims of the evening as JSON, the oldest first, with the rules in a language."""
    answers = store.answers()
    language = language if language in languages() else ENGLISH
    found = [
        {**_question_json(store, wall, row, seq, language), "answer": answers.get((row.station, row.table, seq))}
        for row in wall.all()
        for seq in open_cases(row)
    ]
    return sorted(found, key=lambda item: float(item["at"]))


def _question_json(store: Store, wall: Wall, row: Row, seq: int, language: str) -> dict[str, Any]:
    event = store.event(row.station, row.table, seq) or {"kind": "verdict", "at": row.at, "by": "", "text": ""}
    claimed = event["kind"] == "claim"
    ruled = _referee_ruling(store, row, seq) if claimed else None
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
        "about": {"seq": event["about"], "text": _event_text(about), "actions": _actions(about)} if about else None,
        "pictures": _picture_json(event),
        "referee": ruled,
        "clause": clause,
        "clause_text": _clause_text(language, row.standing["game"]["id"], clause),
        "choices": [{name: c.get(name) for name in ("actions", "acts", "text")} for c in event.get("choices", ())],
        "differences": event.get("differences", []),
        "said_differences": event.get("said_differences", []),
    }


def _referee_ruling(store: Store, row: Row, claim: int) -> dict[str, Any] | None:
    """The last ruling of the table's own referee on a claim."""
    said = [e for e in store.events(row.station, row.table, claim) if e["kind"] == "ruling" and e["claim"] == claim]
    if not said:
        return None
    last = said[-1]
    fields = {name: last.get(name) for name in ("text", "upheld", "clause")}
    return {**fields, "said": last.get("said_reasons") or [last.get("text") or ""]}


def _actions(event: dict[str, Any]) -> list[dict[str, Any]]:
    """The actions of an event; none for a question of the camera, since they were not done yet."""
    done = event.get("actions", ()) if event["kind"] != EventKind.VERDICT else ()
    return [{name: action.get(name) for name in ("id", "text", "verb", "args")} for action in done]


def _event_text(event: dict[str, Any]) -> str:
    texts = [action["text"] or "something sealed" for action in _actions(event)]
    return ", ".join(texts) or str(event.get("text", ""))


def _picture_json(event: dict[str, Any]) -> list[dict[str, str]]:
    if event["kind"] == "claim":
        return [{"when": when, "name": name} for when, name in (event.get("pictures") or {}).items() if name]
    return [{"when": "now", "name": event["evidence"]}] if event.get("evidence") else []


def _clause_text(language: str, game: str, clause: str) -> str:
    try:
        return phrasebook(language, game)["clauses"].get(clause, "")
    except LookupError:  # a game that this hub does not know
        return ""


def ruling_on(row: Row, about: int, by: str, text: str, upheld: bool, actions: tuple[str, ...]) -> Ruling:
    """An umpire's ruling on an open question or claim; AnswerError where it is no longer open."""
    if about not in open_cases(row):
        raise AnswerError(say("this has been answered already, or the table has played on"))
    return Ruling(secrets.token_hex(8), row.station, row.table, about, by, text.strip(), upheld, actions)

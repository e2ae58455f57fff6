"""Every clause of every rulebook, and every sentence that is said, has words in every language."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest

from companion_api.phrasebook import (
    COMMON,
    ENGLISH,
    FORM_SEPARATOR,
    PLURAL_PERIOD,
    PROBLEMS,
    catalogue,
    is_clause,
    languages,
    phrasebook,
    sentence_forms,
)  # fmt: skip
from rules.engine.rulebook import clauses_of
from rules.games import available, game
from rules.pieces import RANKS, SUITS
from rules.sentence import Sentence
from tests.companion_api.sayings import Saying, gaps_of, heard, plainly_raised, sayings

OTHERS = [language for language in languages() if language != ENGLISH]
CODE = re.compile(r"`[^`]+`|\b[A-Z]{2,5}-[A-Z]?\d+(?:\.\d+[a-z]?)?")
FOR_PROGRAMS = (
    "calibration/",
    "companion_api/dialogue.py",
    "companion_api/hall/",
    "rules/engine/codec.py",
    "rules/engine/contract.py",
    "rules/engine/open_grid.py",
    "rules/engine/fields.py",
    "rules/engine/positions.py",
    "rules/engine/coin_steps.py",
    "rules/engine/two_armies.py",
    "rules/games/",
    "rules/table/",
)
"""What programs write (positions, pictures, states and profiles as JSON) is answered in English, or caught."""
TERMS = {suit.term.key for suit in SUITS} | {rank.term.key for rank in RANKS}
BOOKS = (COMMON, PROBLEMS, *available())


@cache
def all_sayings() -> list[Saying]:
    return sayings()


def test_there_are_other_languages() -> None:
    assert {"de", "fr"} <= set(OTHERS)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", available())
def test_every_clause_has_words(name: str, language: str) -> None:
    """All of them, none that does not exist, and with the options, actions and clauses that the English names. A game
    may say that it has no words in a language yet."""
    if language in game(name).card.untranslated_in:
        return
    words, english = phrasebook(language, name)["clauses"], clauses_of(name)
    assert set(words) == set(english)
    assert [
        clause for clause, text in words.items() if set(CODE.findall(text)) != set(CODE.findall(english[clause]))
    ] == []
    assert [clause for clause, text in words.items() if text == english[clause]] == []


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", available())
def test_a_clause_that_was_written_anew_is_translated_anew(name: str, language: str) -> None:
    """A catalogue holds the English that its words were made from."""
    english = clauses_of(name)
    entries = {e.msgctxt: e.msgid for e in catalogue(language, name) if is_clause(e)}
    assert {clause for clause, text in entries.items() if english[clause] != text} == set()


def test_every_sentence_has_a_key() -> None:
    """A template stands where it is said, whole: what is put together at run time no catalogue can know."""
    assert len(all_sayings()) > 400
    assert [saying.where for saying in all_sayings() if saying.key is None] == []


def test_nothing_is_refused_in_words_without_a_key() -> None:
    """Whatever is raised where people may hear of it is a sentence: its class takes no plain text."""
    assert [where for where in plainly_raised() if not where.startswith(FOR_PROGRAMS)] == []


def test_every_sentence_gets_its_facts() -> None:
    told = [saying for saying in all_sayings() if saying.facts is not None]
    odd = [(s.where, (s.gaps ^ (s.facts or frozenset())) - ({"count"} if s.many else set())) for s in told]
    assert [(where, sorted(facts)) for where, facts in odd if facts] == []
    assert [s.where for s in told if s.many is not None and "count" not in (s.facts or ())] == []


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_has_words(language: str) -> None:
    books = {
        name: sentence_forms(catalogue(language, COMMON)) | sentence_forms(catalogue(language, name)) for name in BOOKS
    }
    untold = {name for name in available() if language in game(name).card.untranslated_in}
    assert [s.key for s in all_sayings() if s.book not in untold and s.key not in books[s.book]] == []
    assert set(books[COMMON]) >= TERMS


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", BOOKS)
def test_the_gaps_of_a_sentence_are_filled(name: str, language: str) -> None:
    """The words ask for the facts that there are, and leave none out but a number that is one. What has no words yet is
    asked for elsewhere."""
    for entry in catalogue(language, name):
        if is_clause(entry) or entry.msgctxt or not entry.translated():
            continue
        facts = gaps_of(entry.msgid) | gaps_of(entry.msgid_plural)
        for words in entry.msgstr_plural.values() if entry.msgid_plural else [entry.msgstr]:
            assert facts - gaps_of(words) <= ({"count"} if entry.msgid_plural else set()), entry.msgid
            assert gaps_of(words) <= facts, entry.msgid


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", BOOKS)
def test_no_words_are_kept_for_what_nobody_says(name: str, language: str) -> None:
    said_here = {saying.key for saying in all_sayings() if saying.book == name} | (TERMS if name == COMMON else set())
    assert {key.rpartition(FORM_SEPARATOR)[2] for key in sentence_forms(catalogue(language, name))} - said_here == set()


@pytest.mark.parametrize("name", available())
def test_what_is_heard_is_known_with_all_its_facts(name: str) -> None:
    """Thousands of tries: every sentence and every phrase in it is in the catalogue, and no fact is an English phrase
    where it could have been told."""
    known = TERMS | {saying.key for saying in all_sayings() if saying.book in (name, COMMON, PROBLEMS)}
    codes = TERMS | {verb.name for verb in game(name).card.verbs}
    listened = heard(name, (1,), 25)
    assert len(listened) > 5  # a game with a single verb has little to say
    for sentence in listened:
        assert not (plain := _english(sentence.to_json())), (sentence, plain)
        for part in _parts(sentence.to_json()):
            if isinstance(part, str):
                assert part not in known or part in codes or len(part) < 3, (sentence, part)
                assert not re.fullmatch(r"[a-z]{3,}( [a-z]+)+", part), (sentence, part)
            else:
                assert part["key"] in known, (sentence, part)


TYPED = {"cards", "example", "form", "game", "known", "place", "presets"}
"""Facts that stand in every language as they are typed."""


def _english(told: Any) -> list[str]:
    """Facts that are words of a language and have none in the others; what somebody typed stands in quotation marks."""
    found = []
    for name, fact in told.get("facts", {}).items() if isinstance(told, dict) else ():
        for part in fact["several"] if isinstance(fact, dict) and "several" in fact else [fact]:
            plain = isinstance(part, str) and re.search(r"[a-z]{3}", part) and f"“{{{name}}}”" not in told["key"]
            found += [f"{name}={part}"] if plain and name not in TYPED else _english(part)
    return found


def _parts(told: Any) -> list[Any]:
    """The sentences and names in what is sent to a phone."""
    if isinstance(told, str):
        return [told]
    if not isinstance(told, dict) or "action" in told or "seat" in told:
        return []
    if "several" in told:
        return [part for one in told["several"] for part in _parts(one)]
    return [told, *(part for fact in told.get("facts", {}).values() for part in _parts(fact))]


def test_a_number_chooses_the_form() -> None:
    book = phrasebook("fr", COMMON)
    assert len(book["plural"]) == PLURAL_PERIOD
    assert book["plural"][:3] == "001"
    assert phrasebook("de", COMMON)["plural"][:3] == "101"
    one = Sentence("{count} coin", {"count": 1}, "{count} coins")
    assert (one.text, Sentence("{count} coin", {"count": 0}, "{count} coins").text) == ("1 coin", "0 coins")


@pytest.mark.parametrize(("language", "name"), [("xx", "dodgem"), ("de", "chess"), ("../de", "dodgem")])
def test_what_there_is_no_phrasebook_of(language: str, name: str) -> None:
    with pytest.raises(LookupError, match="there is no phrasebook"):
        phrasebook(language, name)
